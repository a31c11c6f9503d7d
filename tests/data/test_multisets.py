"""Two tables whose rows may come several times differ as multisets do."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from sightline.data import count_differences, row_times, surplus

ROWS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from([None, "", "x"])), max_size=30)


@given(ROWS, ROWS)
def test_they_are_counted_as_counters_are(before: list[object], after: list[object]) -> None:
    """What is new, gone and the same is what `Counter` subtracts and intersects."""
    old, new = Counter(before), Counter(after)
    times = row_times(before, after)
    counts = count_differences((one, 1) for one in times.values())
    assert (counts.new, counts.gone, counts.same) == ((new - old).total(), (old - new).total(), (old & new).total())
    assert Counter(surplus((row, one.new) for row, one in times.items())) == new - old
    assert Counter(surplus((row, one.gone) for row, one in times.items())) == old - new
