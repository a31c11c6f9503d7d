"""Rows that are no rows of a table."""

import pytest

from sightline.extract.structure._pieces import is_item, is_prose
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
