"""The two exact tests, against counting all cases."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.checks.records._ranges import chance_beyond, chance_fewer, chance_rare

small = st.integers(0, 5)


@given(small, small, small, small)
def test_chance_fewer_is_the_share_of_all_draws(filled: int, empty: int, known: int, lacking: int) -> None:
    """As many draws of the now from everything as there are, counted one by one."""
    holders, everything = filled + empty, [1] * (filled + known) + [0] * (empty + lacking)
    draws = [sum(draw) for draw in combinations(everything, holders)]
    expected = sum(own <= filled for own in draws) / len(draws)
    assert chance_fewer(filled, holders, known, known + lacking) == pytest.approx(expected)


@given(st.integers(1, 5), st.integers(0, 5), st.data())
def test_chance_beyond_is_the_share_of_all_orders(now: int, known: int, data: st.DataObject) -> None:
    """The lowest so many of all values are new ones, counted over all ways to choose which are new."""
    beyond = data.draw(st.integers(0, now))
    ways = list(combinations(range(now + known), now))
    expected = sum(set(range(beyond)) <= set(own) for own in ways) / len(ways)
    assert chance_beyond(beyond, now, known) == pytest.approx(expected)


@given(st.floats(0, 1), st.integers(0, 9), st.integers(0, 9))
def test_chance_rare_is_a_chance(share: float, known: int, most: int) -> None:
    """It lies between 0 and 1, and is certain where any number of times is allowed."""
    assert 0 <= chance_rare(share, known, most) <= 1 + 1e-9
    assert chance_rare(share, known, known) == pytest.approx(1)
