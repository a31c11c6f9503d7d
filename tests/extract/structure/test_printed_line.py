"""The value that every step works on, and what counts as a number."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._printed_line import hull_of, is_number, is_numeric, lines_in

from ._made import line


@pytest.mark.parametrize(
    "text", ["7", "1,250", "-3.5", "(12)", "€ 40", "12 %", "3.1*", ".5", "1 250", "n/a", "-", "…", "nil", "<0.1"]
)
def test_number(text: str) -> None:
    """Numbers with their signs and units, and placeholders for missing ones, are numbers."""
    assert is_number(text)
    assert line(text).is_number


@pytest.mark.parametrize("text", ["3-5", "12/03/2026", "10:30", "3.1 ± 0.2", "4 (0.3)", "US$ 40"])
def test_several_numbers(text: str) -> None:
    """Ranges, dates, times and deviations consist of numbers, but are not one number."""
    assert is_numeric(text)
    assert not is_number(text)


@pytest.mark.parametrize("text", ["Osric 30", "30 nights", "March 2026", "Total", "", "1st", "a1b2"])
def test_words_are_no_numbers(text: str) -> None:
    """A text with words in it is no number, whatever digits it has."""
    assert not is_numeric(text)


def test_long_digits_are_no_number() -> None:
    """A text of more than 40 characters is not looked at, so that hostile texts cost nothing."""
    assert is_number("1" * 40)
    assert not is_numeric("1" * 41)


@given(st.integers(-(10**9), 10**9), st.integers(0, 3))
def test_every_formatted_number_is_one(value: int, places: int) -> None:
    """Whatever Python prints as a number with thousands separators is a number."""
    assert is_number(f"{value / 10**places:,.{places}f}")


def test_lines_cannot_change() -> None:
    """A line is a value: steps make new lines instead of changing those of others."""
    with pytest.raises(FrozenInstanceError):
        line("x").prose = True  # type: ignore[misc]


def test_lines_are_keys_by_identity() -> None:
    """Two lines with the same text in the same place are different keys."""
    one, other = line("x"), line("x")
    assert {one: 1, other: 2}[one] == 1


def test_middle_and_centre() -> None:
    """The middle is half the height, the centre half the width."""
    one = line("abcd", 10, 100)
    assert (one.middle, one.centre) == (105, 20)


def test_lines_in_a_box_have_their_middle_there() -> None:
    """A line that juts out of a box belongs to it; one that only reaches into it does not."""
    juts, reaches, below = line("a" * 20, 45, 10), line("a" * 20, 95, 10), line("a", 50, 96)
    assert lines_in([juts, reaches, below], (40, 0, 100, 100)) == [juts]


@given(st.lists(st.tuples(st.floats(0, 500), st.floats(0, 500)), min_size=1, max_size=8))
def test_hull_holds_every_line(places: list[tuple[float, float]]) -> None:
    """The box around lines contains each of them, and touches one on every side."""
    held = [line("ab", x, y) for x, y in places]
    x0, y0, x1, y1 = hull_of(held)
    assert all(x0 <= one.x0 and y0 <= one.y0 and one.x1 <= x1 and one.y1 <= y1 for one in held)
    assert x0 in {one.x0 for one in held}
    assert y1 in {one.y1 for one in held}
