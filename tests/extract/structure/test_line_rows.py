"""Lines at one height."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._printed_line import lines_of, rows_of

from ._made import line, texts


def test_rows_go_from_top_to_bottom_and_from_left_to_right() -> None:
    """The order in which lines come does not matter."""
    held = [line("d", 50, 20), line("b", 50, 1), line("c", 0, 20), line("a", 0, 0)]
    assert texts(rows_of(held)) == [["a", "b"], ["c", "d"]]


def test_half_a_line_lower_is_the_next_row() -> None:
    """Middles less than half the size apart are one row."""
    assert len(rows_of([line("a", 0, 0), line("b", 50, 4.9)])) == 1
    assert len(rows_of([line("a", 0, 0), line("b", 50, 5.0)])) == 2


def test_smaller_line_decides() -> None:
    """Small type stands in a row of its own where large type would not."""
    assert len(rows_of([line("a", 0, 0, size=20), line("b", 50, 9, size=8)])) == 1
    assert len(rows_of([line("a", 0, 0, size=20), line("b", 50, 10.5, size=8)])) == 2


def test_ends_of_a_row() -> None:
    """A row reaches from its highest line to its lowest."""
    (row,) = rows_of([line("a", 0, 0), line("b", 50, 3, size=8)])
    assert (row.top, row.bottom, row.middle) == (0, 11, 5)


PLACES = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 100)), max_size=15, unique=True)


@given(PLACES)
def test_no_line_is_lost(places: list[tuple[int, int]]) -> None:
    """Every line stands in one row, and rows are in order."""
    held = [line("x", x, y) for x, y in places]
    rows = rows_of(held)
    assert set(lines_of(rows)) == set(held)
    assert len(lines_of(rows)) == len(held)
    assert [row.middle for row in rows] == sorted(row.middle for row in rows)


@given(PLACES, st.randoms(use_true_random=False))
def test_order_of_the_lines_does_not_matter(places: list[tuple[int, int]], random: Random) -> None:
    """Rows are the same in whatever order the lines come."""
    held = [line("x", x, y) for x, y in places]
    other = list(held)
    random.shuffle(other)
    assert [row.lines for row in rows_of(held)] == [row.lines for row in rows_of(other)]
