"""Tables that continue on the next sheet."""

import pytest

import sightline as sl
from sightline.page import Page

from ...sources.pdf._bare import bare
from ...sources.pdf._write import lattice, pdf, put, rows
from ._sheets import grid, opened, outline, prose

HEAD = ["Date", "Object", "Places"]
FIRST = [
    HEAD,
    ["2026-03-14", "Orion Nebula", "24"],
    ["2026-04-11", "Jupiter", "18"],
    ["2026-05-09", "Leo Triplet", "6"],
]
SECOND = [["2026-08-12", "Perseids", "60"], ["2026-09-19", "Saturn", "32"], ["2026-10-10", "Andromeda", "20"]]
XS, EDGES = [80, 220, 400], [70, 210, 390, 470]


def _table(texts: list[list[str]], top: float, xs: list[int] = XS, edges: list[int] = EDGES) -> bytes:
    return rows(texts, xs, top) + lattice(edges, [top + 12 - 16 * row for row in range(len(texts) + 1)])


def _tables(page: Page) -> list[list[list[str]]]:
    return [grid(page, number) for number in range(len(page.with_tag("table")))]


def test_table_goes_on() -> None:
    """The last thing on a sheet and the first on the next, with the same columns, are one table."""
    page = opened(prose() + _table(FIRST, 140), _table(SECOND, 740) + prose(top=600))
    assert _tables(page) == [FIRST + SECOND]
    assert [len(table.rows) for table in sl.tables(page)] == [len(FIRST + SECOND)]


def test_heading_that_is_said_again_is_left_out() -> None:
    """The second part repeats its heading on paper, not in the data."""
    page = opened(prose() + _table(FIRST, 140), _table([HEAD, *SECOND], 740) + prose(top=600))
    assert _tables(page) == [FIRST + SECOND]


@pytest.mark.parametrize("caption", [False, True])
def test_what_is_said_again_stays_on_its_sheet(caption: bool) -> None:
    """Every word of both sheets is on the page, at its place: a repeated heading and caption as a running header."""
    first, second = b"", b""
    if caption:
        first, second = put("Table 1: Nights", 72, 158, size=10), put("Table 1: Nights (continued)", 72, 758, size=10)
    content = pdf(prose() + first + _table(FIRST, 140), second + _table([HEAD, *SECOND], 740) + prose(top=600))
    page = opened(content=content)
    assert _tables(page) == [FIRST + SECOND]
    assert sorted(map(tuple, bare(content).words.box.tolist())) == sorted(map(tuple, page.words.box.tolist()))
    said = [page.text_of(node) for node in page.with_tag("header").tolist()]
    assert said == [" ".join([*(["Table 1: Nights (continued)"] if caption else []), *HEAD])]


def test_cells_of_the_second_part_stand_on_their_sheet() -> None:
    """A joined table is one element, and its words are where they are on the paper."""
    page = opened(prose() + _table(FIRST, 140), _table(SECOND, 740))
    cells = {page.text_of(n): tuple(page.box[n].tolist()) for n in page.with_tag("td").tolist()}
    assert page.sheet_of(cells["Orion Nebula"]) == 1
    assert page.sheet_of(cells["Perseids"]) == 2


def test_table_goes_on_below_header_and_above_page_number() -> None:
    """What runs at the edges of the sheets does not stand between."""
    edge = [put("Open nights of the year", 72, 770, size=9) + put(str(n), 300, 30, size=9) for n in (1, 2)]
    page = opened(edge[0] + prose() + _table(FIRST, 140), edge[1] + _table(SECOND, 730) + prose(top=600))
    assert _tables(page) == [FIRST + SECOND]
    assert [tag for tag, _ in outline(page) if tag in ("header", "footer")] == ["header", "footer"] * 2


def test_table_over_three_sheets_is_one() -> None:
    """A table may continue over more than two sheets; dates and numbers in one place of two sheets are no header."""
    third = [["2026-11-14", "Leonids", "44"], ["2026-12-12", "Geminids", "52"], ["2026-12-27", "Pleiades", "11"]]
    page = opened(prose() + _table(FIRST, 140), _table(SECOND, 740), _table(third, 740))
    assert _tables(page) == [FIRST + SECOND + third]


def test_other_columns_are_another_table() -> None:
    """More columns, columns elsewhere, or other kinds of content: nothing is joined."""
    wide = [[*line, "x"] for line in SECOND]
    elsewhere = _table(SECOND, 740, [80, 150, 260], [70, 140, 250, 330])
    words = _table([["Autumn", "Perseids", "many"], ["Winter", "Saturn", "few"], ["Spring", "Mars", "none left"]], 740)
    for second in (_table(wide, 740, [*XS, 490], [*EDGES, 540]), elsewhere, words):
        assert len(_tables(opened(prose() + _table(FIRST, 140), second))) == 2


def test_text_between_parts_tables() -> None:
    """A paragraph above the second table, or below the first, makes them two."""
    above = opened(prose() + _table(FIRST, 140), prose(top=740) + _table(SECOND, 640))
    below = opened(_table(FIRST, 740) + prose(top=600), _table(SECOND, 740))
    assert _tables(above) == _tables(below) == [FIRST, SECOND]


def test_joining_can_be_left_out() -> None:
    """Without the rule `joining` every sheet has its own tables."""
    page = opened(prose() + _table(FIRST, 140), _table([HEAD, *SECOND], 740), without=("joining",))
    assert _tables(page) == [FIRST, [HEAD, *SECOND]]


def test_chosen_sheets_join_as_well() -> None:
    """Sheets 2 and 3 of a document are neighbours whether sheet 1 is read or not."""
    content = pdf(prose(), prose() + _table(FIRST, 140), _table(SECOND, 740))
    assert _tables(sl.open(content, sheets=[2, 3])) == [FIRST + SECOND]
