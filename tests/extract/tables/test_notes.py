"""Marks of footnotes leave the values of a table, and nothing else does."""

import pytest

import sightline as sl
from sightline.extract.tables import TableSettings

PAGE = """<!doctype html><html lang=en><body><table>
<thead><tr><th>Country</th><th>People<sup>[a]</sup></th><th>Area, km<sup>2</sup></th></tr></thead>
<tr><td>Andorra</td><td>{}</td><td>468</td></tr><tr><td>Malta</td><td>519,562</td><td>316</td></tr>
<tr><td>Monaco</td><td>38,367</td><td>2</td></tr></table></body></html>"""


def _first(cell: str, **settings: str) -> sl.Table:
    page = sl.open(PAGE.replace("{}", cell).encode(), static=True)
    return sl.tables(page, settings=TableSettings(**settings))[0]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cell", "text", "notes"),
    [
        ("79,824<sup>[1]</sup>", "79,824", ("[1]",)),
        ("79,824<sup><a href='#n1'>[note 2]</a></sup><sup>[3]</sup>", "79,824", ("[note 2]", "[3]")),
        ("79,824<sup>†</sup>", "79,824", ("†",)),
        ("79,824 <sup><a href='#n1'>b</a></sup>", "79,824", ("b",)),
        ("79,824<a href='#n1'><sup>1</sup></a>", "79,824", ("1",)),
        ("about<sup>[1]</sup> 79,824", "about 79,824", ("[1]",)),
    ],
)
def test_marks_leave_the_value(cell: str, text: str, notes: tuple[str, ...]) -> None:
    """The value is what the mark is about; the marks and the whole text are kept beside it."""
    found = _first(cell).cells[1][1]
    assert (found.text, found.notes) == (text, notes)
    assert found.origin is not None
    assert len(found.origin.original) > len(text)


@pytest.mark.parametrize(
    "cell", ["5 m<sup>2</sup>", "79<sup>th</sup>", "10<sup>6</sup>", "int[3]", "<sup>[1]</sup>", "5*"]
)
def test_what_is_no_mark_stays(cell: str) -> None:
    """Squares, ordinals, powers, brackets of code, stars in the line, and a cell that is nothing but a mark."""
    found = _first(cell).cells[1][1]
    assert (found.notes, found.text) == ((), _first(cell, notes="keep").cells[1][1].text)


def test_marks_can_be_kept() -> None:
    """With `notes="keep"` a cell is as it is shown."""
    found = _first("79,824<sup>[1]</sup>", notes="keep").cells[1][1]
    assert (found.text, found.notes) == ("79,824[1]", ())


def test_columns_with_marks_have_types_and_names() -> None:
    """A number with a note is a number, and the name of its column is without the note."""
    table = _first("79,824<sup>[1]</sup>")
    assert [column.name for column in table.columns] == ["Country", "People", "Area, km²"]
    assert table.columns[1].type.kind == "number"


def test_notes_are_in_the_json() -> None:
    """Cells with notes name them, others have no such entry, and the table comes back as it was."""
    table = _first("79,824<sup>[1]</sup>")
    cells = table.to_json()["cells"]
    assert [cell["notes"] for cell in cells if "notes" in cell] == [["[a]"], ["[1]"]]
    assert [cell.notes for cell in sl.Table.from_json(table.to_json()).anchors] == [
        cell.notes for cell in table.anchors
    ]
    assert [cell.notes for row in table.transposed().cells for cell in row if cell.notes] == [("[a]",), ("[1]",)]
