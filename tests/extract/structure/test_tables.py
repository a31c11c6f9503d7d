"""Tables on sheets: by drawn lines, between lines, by white alone; spans, wrapped cells, and what is no table."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sightline as sl
from sightline.extract.structure import StructureSettings, trace_structure

from ...sources.pdf._bare import bare
from ...sources.pdf._write import drawn, lattice, pdf, put, rows
from ._sheets import grid, opened, outline, prose, spans

STOCK = [
    ["Telescope", "Aperture", "Weight", "Price"],
    ["Lantern 18", "18", "14.2", "1,250"],
    ["Osric 30", "30", "31.0", "4,800"],
    ["Osric 40", "40", "38.5", "9,900"],
    ["Tern Camera", "22", "7.2", "3,100"],
]
XS = [80, 220, 320, 420]
TOP, STEP = 600, 16
EDGES = [70, 210, 310, 410, 510]
LEVELS = [TOP + 12 - STEP * row for row in range(6)]
KINDS = {
    "lattice": lattice(EDGES, LEVELS),
    "zone": b"".join(drawn(70, y, 510, y) for y in (LEVELS[0], LEVELS[1], LEVELS[-1])),
    "white": b"",
}


@pytest.mark.parametrize("kind", KINDS)
def test_table_is_found_by_every_kind_of_evidence(kind: str) -> None:
    """All lines drawn, three across only, or none at all: the same rows and cells, and the trace says by what."""
    content = rows(STOCK, XS, TOP) + KINDS[kind] + prose()
    assert grid(opened(content)) == STOCK
    trace = trace_structure(bare(pdf(content)))
    assert [table.kind for sheet in trace.tables for table in sheet] == [kind]


def test_trace_shows_every_step() -> None:
    """Edges, lattices, pieces, the areas that were tried with their borders, the tables, and the parts."""
    trace = trace_structure(bare(pdf(rows(STOCK, XS, TOP) + KINDS["lattice"] + prose())))
    (sheet,) = trace.sheets
    assert (len(sheet.edges.across), len(sheet.edges.down)) == (6, 5)
    assert [len(lattice.edges.down) for lattice in sheet.lattices] == [5]
    assert {piece.text for piece in sheet.pieces} >= {text for row in STOCK for text in row}
    (area,) = [area for area in sheet.areas if area.table is not None]
    assert area.kind == "lattice"
    assert area.grid is not None
    assert (area.grid.bands, area.grid.columns) == (5, 4)
    assert trace.tables == ((area.table,),)
    assert [str(part.kind) for part in trace.parts[0]] == ["plain", "table"]


def test_trace_shows_areas_that_are_no_tables() -> None:
    """An area that was tried and refused is in the trace, without a table."""
    frame = lattice([100 + 40 * n for n in range(9)], [400 + 25 * n for n in range(9)])
    labels = put("1990", 105, 405, size=8) + put("2020", 385, 405, size=8) + put("peak", 230, 580, size=8)
    (sheet,) = trace_structure(bare(pdf(prose() + frame + labels))).sheets
    assert [(area.kind, area.table) for area in sheet.areas] == [("lattice", None)]


@pytest.mark.parametrize("kind", KINDS)
def test_rule_that_is_left_out_finds_nothing(kind: str) -> None:
    """Without the rule for its evidence a table is found by a weaker one, or not at all."""
    rule = {"lattice": "lattices", "zone": "zones", "white": "white"}[kind]
    page = bare(pdf(rows(STOCK, XS, TOP) + KINDS[kind] + prose()))
    trace = trace_structure(page, settings=StructureSettings(without=(rule,)))
    assert kind not in [table.kind for sheet in trace.tables for table in sheet]
    assert not trace_structure(page, settings=StructureSettings(without=("lattices", "zones", "white"))).tables[0]


def test_tables_of_a_pdf_are_those_of_any_page() -> None:
    """The table engine reads names, types and rows as it does on the web."""
    (table,) = sl.tables(sl.open(pdf(rows(STOCK, XS, TOP) + KINDS["zone"])))
    assert table.names == tuple(STOCK[0])
    assert table.to_dicts(typed=True)[1] == {"Telescope": "Osric 30", "Aperture": 30, "Weight": 31.0, "Price": 4800}


def test_every_cell_stands_where_its_words_do() -> None:
    """Boxes of cells are those of their words, so that origins point at the paper."""
    page = opened(rows(STOCK, XS, TOP))
    for number in page.with_tag("td").tolist():
        x0, y0, _, _ = page.box[number].tolist()
        row = next(place for place, line in enumerate(STOCK) if page.text_of(number) in line)
        column = STOCK[row].index(page.text_of(number))
        assert x0 == pytest.approx(XS[column] * 4 / 3, abs=2)
        assert y0 < (792 - TOP + STEP * row) * 4 / 3 < y0 + 20


def test_heading_over_columns_spans_them() -> None:
    """A heading with a line below it, above two columns, spans these two."""
    over = put("Optics", 255, TOP + STEP, size=10) + drawn(210, TOP + 12, 390, TOP + 12)
    frame = b"".join(drawn(70, y, 510, y) for y in (TOP + 30, LEVELS[1], LEVELS[-1]))
    page = opened(rows(STOCK, XS, TOP) + over + frame)
    assert spans(page) == {"Optics": {"colspan": "2"}}
    assert grid(page)[1:] == STOCK


def test_lines_that_are_left_out_make_one_cell() -> None:
    """Where a lattice has no line between two cells, they are one, over rows or over columns."""
    xs, ys = [70, 200, 300, 400], [600, 580, 560, 540]
    frame = b"".join(drawn(70, y, 400, y) for y in (600, 580, 540)) + drawn(200, 560, 400, 560)
    frame += drawn(70, 600, 70, 540) + drawn(400, 600, 400, 540) + drawn(200, 580, 200, 540) + drawn(300, 580, 300, 540)
    texts = put("Clear nights by season", 150, 586, size=10) + put("Winter", 80, 566, size=10)
    texts += rows([["31", "14"], ["38", "17"]], [210, 310], 566, step=20)
    page = opened(frame + texts)
    assert spans(page) == {"Clear nights by season": {"colspan": "3"}, "Winter": {"rowspan": "2"}}
    assert grid(page) == [["Clear nights by season"], ["Winter", "31", "14"], ["38", "17"]]
    assert (len(xs), len(ys)) == (4, 4)


def test_cell_of_several_lines_is_one_cell() -> None:
    """Text that goes on in the next line of its cell does not begin a row."""
    ys = [600, 584, 556, 540]
    texts = rows([["Name", "What it is for", "Price"]], [80, 180, 420], 588)
    texts += rows(
        [["Cover", "keeps dust and rain from", "145"], ["", "the tube in the dome", ""]], [80, 180, 420], 574, step=12
    )
    texts += rows([["Lamp", "lights the way", "18"]], [80, 180, 420], 544)
    assert grid(opened(lattice([70, 170, 410, 500], ys) + texts)) == [
        ["Name", "What it is for", "Price"],
        ["Cover", "keeps dust and rain from the tube in the dome", "145"],
        ["Lamp", "lights the way", "18"],
    ]


def test_empty_cells_keep_their_places() -> None:
    """A place without a text is an empty cell with a box of its own, and moves no neighbour."""
    holes = [STOCK[0], ["Lantern 18", "", "14.2", "1,250"], *STOCK[2:4], ["Tern Camera", "22", "", "3,100"]]
    page = opened(rows(holes, XS, TOP) + KINDS["lattice"])
    assert grid(page) == holes
    blank = [number for number in page.with_tag("td").tolist() if not page.text_of(number)]
    assert all(page.box[number, 2] > page.box[number, 0] for number in blank)
    assert len(blank) == 2


def test_two_tables_side_by_side_are_two() -> None:
    """Frames that do not touch are tables of their own."""
    left, right = [line[:2] for line in STOCK], [[line[0][::-1], line[3]] for line in STOCK]
    content = rows(left, [60, 150], TOP) + lattice([50, 140, 240], LEVELS)
    content += rows(right, [330, 430], TOP) + lattice([320, 420, 520], LEVELS)
    page = opened(content)
    assert [grid(page, number) for number in range(len(page.with_tag("table")))] == [left, right]


def test_caption_goes_into_its_table() -> None:
    """What begins with “Table 3” right above a table is its caption."""
    page = opened(put("Table 3. Tubes in stock", 80, TOP + 30, size=9) + rows(STOCK, XS, TOP) + KINDS["zone"] + prose())
    assert [page.text_of(n) for n in page.with_tag("caption").tolist()] == ["Table 3. Tubes in stock"]
    assert sl.tables(page)[0].caption == "Table 3. Tubes in stock"


LOOKALIKES = {
    "running text": prose(),
    "two columns of text": prose(60, size=9) + prose(340, size=9),
    "a list": b"".join(
        put(f"{n}.", 72, 700 - 14 * n) + put(f"The item number {n} of them", 92, 700 - 14 * n) for n in range(1, 6)
    ),
    "contents": b"".join(put(f"Chapter {n} {'.' * 40} {n * 9}", 72, 700 - 14 * n, size=10) for n in range(1, 7)),
    "a frame around text": prose() + lattice([60, 500], [720, 640]),
    "a signature": put("Tern Island, 3 March", 72, 300) + put("Ines Holloway", 380, 300),
}


@pytest.mark.parametrize("what", LOOKALIKES)
def test_what_only_looks_like_a_table_is_none(what: str) -> None:
    """Text in columns, lists, contents and frames are not data."""
    assert not len(opened(LOOKALIKES[what]).with_tag("table"))


def test_grid_of_a_chart_is_no_table() -> None:
    """Lines that meet with little text between them draw a chart."""
    frame = lattice([100 + 40 * n for n in range(9)], [400 + 25 * n for n in range(9)])
    labels = put("1990", 95, 380, size=8) + put("2020", 400, 380, size=8) + put("peak", 230, 530, size=8)
    assert not len(opened(prose() + frame + labels).with_tag("table"))


NAMES = st.lists(st.text("abcdefghkmnoprstuvw", min_size=3, max_size=8), min_size=3, max_size=9, unique=True)


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(names=NAMES, columns=st.integers(2, 5), data=st.data())
def test_any_drawn_grid_of_numbers_comes_back(names: list[str], columns: int, data: st.DataObject) -> None:
    """Whatever stands in the cells of a lattice is read cell by cell, nothing lost, nothing doubled."""
    numbers = st.integers(0, 99_999).map(str)
    table = [["name", *(f"year {n}" for n in range(1, columns))]]
    table += [[name, *(data.draw(numbers) for _ in range(columns - 1))] for name in names]
    xs = [60 + 100 * n for n in range(columns + 1)]
    ys = [TOP + 12 - STEP * row for row in range(len(table) + 1)]
    page = opened(rows(table, [x + 8 for x in xs[:-1]], TOP) + lattice(xs, ys))
    assert grid(page) == table
    assert not [text for tag, text in outline(page) if tag not in ("table", "header", "footer")]
