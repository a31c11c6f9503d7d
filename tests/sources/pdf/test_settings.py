"""Which sheets are read: how they are written, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import UsageError
from sightline.sources.pdf import PdfSettings, sheets_text

NUMBERS = st.sets(st.integers(1, 60), min_size=1)


@pytest.mark.parametrize(
    ("sheets", "numbers"),
    [
        ("", [1, 2, 3, 4, 5]),
        ("2", [2]),
        ("2-4", [2, 3, 4]),
        ("4-", [4, 5]),
        ("5,1", [1, 5]),
        ("1-3, 2-4", [1, 2, 3, 4]),
        (" 1 , 3 - 4 ", [1, 3, 4]),
        ("4-900", [4, 5]),
        ("900", []),
    ],
)
def test_sheets_name_numbers(sheets: str, numbers: list[int]) -> None:
    """Numbers and ranges, in order, each once, and none that the document does not have."""
    assert PdfSettings(sheets=sheets).numbers(5) == numbers


@pytest.mark.parametrize("sheets", ["0", "x", "-3", "3-2", "1,,2", "1-2-3", "1.5", "0-4", ",", "1;2"])
def test_sheets_that_make_no_sense_are_refused(sheets: str) -> None:
    """The error says what was written and how to write it."""
    with pytest.raises(UsageError, match="names no sheets; write numbers and ranges"):
        PdfSettings(sheets=sheets)


def test_endless_range_of_sheets_costs_nothing() -> None:
    """A range is held against the document before it is counted out."""
    assert PdfSettings(sheets="1-999999").numbers(3) == [1, 2, 3]


@given(NUMBERS)
def test_any_sheets_can_be_written_and_read_again(numbers: set[int]) -> None:
    """What `sheets_text` writes names exactly these sheets."""
    assert PdfSettings(sheets=sheets_text(numbers)).numbers(100) == sorted(numbers)


@given(NUMBERS, st.integers(1, 60))
def test_sheets_are_cut_at_the_end_of_the_document(numbers: set[int], count: int) -> None:
    """However many were asked for, only those that there are, in order."""
    assert PdfSettings(sheets=sheets_text(numbers)).numbers(count) == sorted(n for n in numbers if n <= count)


def test_document_without_the_sheets_asked_for_is_an_error() -> None:
    """The error names the document, how many sheets it has, and what was asked for."""
    assert PdfSettings(sheets="2-").numbers_in("x.pdf", 3) == [2, 3]
    with pytest.raises(UsageError, match=r"x\.pdf has 3 sheets, but none of those requested \(4-\); choose others"):
        PdfSettings(sheets="4-").numbers_in("x.pdf", 3)


def test_sheets_in_python() -> None:
    """Ranges, lists, generators and the text itself say the same."""
    assert sheets_text(range(1, 20)) == "1-19"
    assert sheets_text(n for n in (3, 1, 2, 3)) == "1-3"
    assert sheets_text("8-") == "8-"


@pytest.mark.parametrize("numbers", [[0], [-1, 2], [1.5], ["2"], []])
def test_sheets_that_are_none_are_refused(numbers: list[object]) -> None:
    """Counting begins at 1, sheets are whole, and no sheet at all is no choice."""
    with pytest.raises(UsageError, match=r"counted from 1|No sheets"):
        sheets_text(numbers)  # type: ignore[arg-type]
