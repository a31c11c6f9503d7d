"""How many rows at the top of a table are headings: by their texts, their looks, and the lines below them."""

import pytest

import sightline as sl
from sightline.page import Page

from ...sources.pdf._write import drawn, lattice, put, rows
from ._sheets import grid, opened, prose

XS = [80, 220, 320, 420]
EDGES = [70, 210, 310, 410, 510]
TOP, STEP = 600, 16
NUMBERS = [
    ["Lantern 18", "18", "14.2", "1,250"],
    ["Osric 30", "30", "31.0", "4,800"],
    ["Osric 40", "40", "38.5", "9,900"],
    ["Tern Camera", "22", "7.2", "3,100"],
]
WORDS = [
    ["Lantern 18", "refractor", "Fornax", "spring"],
    ["Osric 30", "reflector", "Fornax", "autumn"],
    ["Osric 40", "reflector", "Kestrel", "open"],
    ["Tern Camera", "astrograph", "Kestrel", "open"],
]


def _levels(count: int) -> list[float]:
    return [TOP + 12 - STEP * row for row in range(count + 1)]


def _ruled(texts: list[list[str]]) -> Page:
    """A table with all its lines, so that its grid is beyond doubt."""
    return opened(rows(texts, XS, TOP) + lattice(EDGES, _levels(len(texts))) + prose())


@pytest.mark.parametrize(
    "head",
    [
        [["Telescope", "Aperture", "Weight", "Price"]],
        [["", "2005", "2006", "2007"]],
        [["Telescope", "2005*", "2006/07", "FY 2008"]],
        [["Age", "15-24", "25-64", "65+"]],
        [["Telescope", "2007 actual", "2008 estimate", "2009 estimate"]],
        [["Telescope", "Aperture", "Weight", "Price"], ["", "(cm)", "(kg)", "EUR"]],
        [["Crop", "Area", "Yield", "Production"], ["", "1,000 acres", "Bushels", "$1,000"]],
        [["Telescope", "Aperture", "Weight", "Price"], ["(1)", "(2)", "(3)", "(4)"]],
        [],
    ],
)
def test_texts_that_name_columns_are_headings(head: list[list[str]]) -> None:
    """Words, years, classes, units and numbers of columns above numbers; where there is none of these, nothing is."""
    (table,) = sl.tables(_ruled([*head, *NUMBERS]))
    assert (table.header_rows, len(table.rows)) == (len(head), len(head) + len(NUMBERS))


@pytest.mark.parametrize(
    "first", [["Refractors", "", "", ""], ["Total", "110", "90.9", "19,050"], ["Eos", "-", "n/a", "–"]]
)
def test_labels_totals_and_missing_values_are_no_headings(first: list[str]) -> None:
    """A row with a label alone, one of sums, and one of what stands for missing values belong to the records."""
    (table,) = sl.tables(_ruled([["Telescope", "Aperture", "Weight", "Price"], first, *NUMBERS]))
    assert table.header_rows == 1


def test_a_row_of_years_among_years_is_data() -> None:
    """Where the column holds years, a year does not name it."""
    texts = [
        ["Lantern 18", "1990", "1995", "2001"],
        ["Osric 30", "2003", "2008", "2014"],
        ["Eos", "2011", "2012", "2015"],
    ]
    (table,) = sl.tables(_ruled(texts))
    assert table.header_rows == 0


def test_headings_over_several_columns_need_those_below_them() -> None:
    """A heading that spans two columns of words names neither, so that the row below it does."""
    over = put("Kind and mount", 255, TOP + STEP, size=10) + drawn(210, TOP + 12, 410, TOP + 12)
    head = [["Telescope", "Kind", "Mount", "State"]]
    frame = b"".join(drawn(70, y, 510, y) for y in (TOP + 30, TOP - 4, TOP + 12 - STEP * 5))
    (table,) = sl.tables(opened(rows([*head, *WORDS], XS, TOP) + over + frame))
    assert table.header_rows == 2
    assert table.names[1] == "Kind and mount / Kind"


def test_bold_rows_of_words_above_words_are_headings() -> None:
    """What is set apart is a heading where the texts tell nothing; what follows in plain type is not."""
    first = b"".join(put(text, x, TOP, size=10, font="B") for text, x in zip(WORDS[0], XS, strict=True))
    body = rows([*WORDS[1:], *WORDS], XS, TOP - STEP) + lattice(EDGES, _levels(8))
    (table,) = sl.tables(opened(first + body + prose()))
    assert table.header_rows == 1


def test_painted_rows_are_headings_and_part_of_their_table() -> None:
    """A band of colour behind two rows of headings, and no line anywhere: the rows below belong to the same table."""
    head = [["", "Optics", "", "Load"], ["Telescope", "Aperture", "Weight", "Price"]]
    band = b"q 0.8 g 70 %d 440 %d re f Q\n" % (TOP - STEP - 4, 2 * STEP)
    (table,) = sl.tables(opened(band + rows([*head, *NUMBERS], XS, TOP) + prose()))
    assert (table.header_rows, len(table.rows)) == (2, 6)


def test_names_with_their_values_have_no_headings() -> None:
    """Two columns of words, of which the first ends in colons, are no records."""
    texts = [["Name:", "Osric"], ["Kind:", "reflector"], ["Mount:", "Kestrel"], ["State:", "open"]]
    page = opened(rows(texts, XS[:2], TOP) + lattice(EDGES[:3], _levels(4)) + prose())
    (table,) = sl.tables(page)
    assert (table.header_rows, table.header_columns) == (0, 1)


def test_headings_are_written_as_such() -> None:
    """The page has `th` where headings are, and `td` elsewhere."""
    page = _ruled([["Telescope", "Aperture", "Weight", "Price"], *NUMBERS])
    assert [page.node(cell).text for cell in page.with_tag("th").tolist()] == [
        "Telescope",
        "Aperture",
        "Weight",
        "Price",
    ]
    assert len(page.with_tag("td")) == 16
    assert grid(page)[1] == NUMBERS[0]
    assert "<th>Telescope</th>" in page.to_xhtml()
