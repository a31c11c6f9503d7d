"""Running text in columns side by side is no table, whatever is drawn around it; a table of words is one."""

import pytest

import sightline as sl
from sightline.extract.structure import trace_structure

from ...sources.pdf._bare import bare
from ...sources.pdf._write import drawn, lattice, pdf, put, rows
from ._sheets import opened, prose

TEXTS = (
    ("The council of the", "region bought land", "near the harbour in", "the spring of 2004,", "and sold most of it",
     "to the members of", "the old guild. What", "was left of it is", "now a garden."),
    ("Prices rose again", "in May, when more", "than a thousand new", "houses were sold to", "people who had come",
     "from the south. No", "account is taken of", "those who left the", "town in that year."),
    ("Readers who wish to", "know more may write", "to the office, which", "is open on all days", "but Sunday. A list",
     "of the names of all", "members is kept in", "the reading room by", "the door."),
)  # fmt: skip
XS, STEP, TOP = (72.0, 190.0, 308.0), 12, 560
GROUND = (62.0, 180.0, 298.0, 416.0)
FEET = (TOP + 14, TOP - STEP * 9)
AROUND = {
    "nothing": b"",
    "lines between": b"".join(drawn(x, FEET[0], x, FEET[1]) for x in GROUND[1:3]),
    "lines above and below": b"".join(drawn(GROUND[0], y, GROUND[-1], y) for y in FEET),
    "boxes": lattice(GROUND, FEET),
}


def _columns() -> bytes:
    return b"".join(
        put(text, x, TOP - STEP * row, size=10)
        for x, column in zip(XS, TEXTS, strict=True)
        for row, text in enumerate(column)
    )


@pytest.mark.parametrize("around", AROUND)
def test_running_text_in_narrow_columns_is_no_table(around: str) -> None:
    """Three columns of a few words a line flow from row to row, in sentences."""
    page = opened(_columns() + AROUND[around] + prose())
    assert sl.tables(page) == []
    assert "bought land" in page.text_of()
    assert all(table is None for table in _tried(_columns() + AROUND[around] + prose()))


def _tried(content: bytes) -> list[object]:
    return [area.table for sheet in trace_structure(bare(pdf(content))).sheets for area in sheet.areas]


def test_cells_of_words_between_lines_are_a_table() -> None:
    """The same words with a line between the rows are cells, since nothing flows across a drawn line."""
    levels = [TOP + 10 - STEP * row for row in range(10)]
    (table,) = sl.tables(opened(_columns() + lattice(GROUND, levels) + prose()))
    assert len(table.rows) == 9


def test_names_in_small_letters_are_a_table() -> None:
    """Columns of single words that begin in small letters are no sentences."""
    texts = [["name", "type", "default"], *([f"field_{row}", "integer", "nothing"] for row in range(6))]
    edges = b"".join(drawn(62, y, 416, y) for y in (614, 596, 500))
    (table,) = sl.tables(opened(rows(texts, XS, 600) + edges + prose()))
    assert len(table.rows) == 7


def test_labels_beside_flowing_texts_make_a_table() -> None:
    """Where one column does not flow, the others are the cells of its rows."""
    marks = ("A", "B", "C", "D", "E", "F", "G", "H", "I")
    label = b"".join(put(text, 72, TOP - STEP * row, size=10) for row, text in enumerate(marks))
    beside = b"".join(
        put(text, x, TOP - STEP * row, size=10)
        for x, column in zip(XS[1:], TEXTS[1:], strict=True)
        for row, text in enumerate(column)
    )
    frame = b"".join(drawn(GROUND[0], y, GROUND[-1], y) for y in FEET)
    assert len(sl.tables(opened(label + beside + frame + prose()))) == 1
