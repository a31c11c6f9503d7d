"""Rows that are no rows of a table."""

import pytest

from sightline.extract.structure._pieces import is_contents, is_equations, is_item, is_prose
from sightline.extract.structure._printed_line import rows_of

from ._made import line, rows


@pytest.mark.parametrize("mark", ["•", "1.", "(a)", "[3]", "2.1", "iv)"])
def test_mark_and_text_are_an_item(mark: str) -> None:
    """A bullet, number or letter with one text after it is an item; with a number after it, it is a row."""
    (item,), (row,) = rows([[mark, "text"]], [0, 50]), rows([[mark, "12"]], [0, 50])
    assert is_item(item)
    assert not is_item(row)
    assert not is_item(rows([[mark, "text", "more"]], [0, 50, 100])[0])


def test_row_of_running_text() -> None:
    """Running text alone is prose; beside a short text it may be a cell."""
    text = line("long", 0, 0, prose=True)
    assert is_prose(rows_of([text])[0])
    assert not is_prose(rows_of([text, line("x", 100, 0)])[0])


def _contents(numbers: list[int], leader: str = " ......") -> bool:
    return is_contents(rows([[f"Chapter{leader}", str(n)] for n in numbers], [0, 200]))


def test_leaders_to_rising_numbers_are_contents() -> None:
    """Dots that lead to page numbers that go up are a table of contents; falling numbers are data."""
    assert _contents([3, 9, 14])
    assert not _contents([14, 9, 3])


def test_contents_without_leaders() -> None:
    """Without dots it takes five rows whose numbers go up faster than the rows."""
    assert _contents([3, 9, 14, 20, 31], leader="")
    assert not _contents([3, 9, 14, 20], leader="")
    assert not _contents([1, 2, 3, 4, 5], leader="")
    assert not is_contents(rows([[f"{n}", str(9 * n)] for n in range(1, 7)], [0, 200]))


def test_long_numbers_are_no_pages() -> None:
    """Numbers of five digits lead to no page."""
    assert not _contents([10_003, 10_009, 10_014])


@pytest.mark.parametrize(
    ("share", "number", "expected"), [(0.4, "", True), (0.3, "", False), (0.3, "(3.2)", True), (0.05, "(3.2)", False)]
)
def test_equations(share: float, number: str, expected: bool) -> None:
    """Much of a text in fonts for formulas makes equations; with a number at the right, less is enough."""
    held = [line("x = y + z", 0, 20 * n, formula=share) for n in range(3)]
    held += [line(number, 200, 20 * n, formula=share) for n in range(3) if number]
    assert is_equations(rows_of(held)) == expected
