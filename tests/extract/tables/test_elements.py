"""Method A: the same table is found however it is coded, because it looks the same."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.extract.tables import TableSettings, find_tables
from sightline.page import Page
from sightline.testing import Element, element, grid_page, shifted

from ._pages import BLOCK, STOCK, built, markup, rendered, rows_of

ANY_SCORE = TableSettings(least_score=0)
COLUMNS = list(zip(*STOCK, strict=True))


def _cells(texts: Sequence[str], tag: str = "div", style: str = "") -> str:
    return "".join(f'<{tag} style="{style}">{text}</{tag}>' for text in texts)


def _lines(line: str, cell: str, tags: tuple[str, str] = ("div", "div")) -> str:
    """A row container with its style for each row, and in it the cells with theirs."""
    outer, inner = tags
    return "".join(f'<{outer} style="{line}">{_cells(row, inner, cell)}</{outer}>' for row in STOCK)


def _placed(cell: str, height: int = 24) -> str:
    """Cells placed by hand, one column after the other."""
    cells = [
        f'<div style="position:absolute;left:{40 + 130 * x}px;top:{40 + height * y}px;{cell}">{text}</div>'
        for x, column in enumerate(COLUMNS)
        for y, text in enumerate(column)
    ]
    return "".join(cells)


LAYOUTS = {
    "table": markup(STOCK),
    "table without lines": markup(STOCK, ""),
    "wide cell spacing": markup(STOCK, "cellspacing=25"),
    "no cell spacing": markup(STOCK, "border=1 cellspacing=0 cellpadding=0"),
    "display: table": "<div style='display:table'>"
    + _lines("display:table-row", "display:table-cell;padding:4px")
    + "</div>",
    "flat grid": "<div style='display:grid;grid-template-columns:repeat(3,140px)'>"
    + "".join(map(_cells, STOCK))
    + "</div>",
    "flat grid with gaps": "<div style='display:grid;grid-template-columns:repeat(3,140px);gap:14px 20px'>"
    + "".join(map(_cells, STOCK))
    + "</div>",
    "rows of a grid as contents": "<div style='display:grid;grid-template-columns:repeat(3,140px)'>"
    + _lines("display:contents", "")
    + "</div>",
    "flex rows": f"<section>{_lines('display:flex', 'width:140px')}</section>",
    "flex rows of ragged widths": "<section style='width:600px'>"
    + _lines("display:flex;justify-content:space-between", "", ("div", "span"))
    + "</section>",
    "floats with gaps": "<div style='width:600px'>"
    + _lines("overflow:hidden", "float:left;width:130px;margin:3px 12px")
    + "</div>",
    "floats in rows without height": "<div style='width:600px'>"
    + _lines("clear:left", "float:left;width:130px;height:20px;margin:2px 12px")
    + "</div>",
    "list of inline blocks of uneven height": "<ul style='list-style:none;width:700px'>"
    + "".join(
        f"<li style='padding:{4 + 5 * (place % 3)}px 0'>"
        + "".join(
            f"<div style='display:inline-block;width:150px;padding:{(place + x) % 3}px 0'>{text}</div>"
            for x, text in enumerate(row)
        )
        + "</li>"
        for place, row in enumerate(STOCK)
    )
    + "</ul>",
    "placed by hand, column by column": _placed("width:120px;height:24px"),
    "placed by hand, running over into the next row": _placed("width:120px;height:40px"),
    "columns of boxes": "<div style='display:flex'>"
    + "".join(f"<div style='width:140px'>{_cells(column, style='height:24px')}</div>" for column in COLUMNS)
    + "</div>",
    "head and body in tables of their own": "<div style='width:600px'>"
    + "".join(
        markup(rows, "border=1 style='width:100%;table-layout:fixed;border-spacing:0'", head=head)
        for rows, head in ((STOCK[:1], "th"), (STOCK[1:], "td"))
    )
    + "</div>",
    "in a frame": f"<p>Above</p><iframe width=700 height=400 srcdoc='{markup(STOCK)}'></iframe>",
    "turned headings": markup(
        [[f"<div style='transform:rotate(-90deg)'>{text}</div>" for text in STOCK[0]], *STOCK[1:]]
    ),
    "half as large": f"<div style='transform:scale(.5)'>{markup(STOCK)}</div>",
    "cells that hold paragraphs": markup([[f"<div><p>{text}</p></div>" for text in row] for row in STOCK]),
    "text in several colours": markup([[f"<b>{text[:1]}</b><i>{text[1:]}</i>" for text in row] for row in STOCK]),
}


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
def test_the_same_picture_is_the_same_table(layout: str) -> None:
    """Whatever elements and styles draw a table, its rows come out as a person sees them."""
    assert rows_of(find_tables(rendered(layout))) == [STOCK]


def test_spans_are_seen() -> None:
    """Cells over two columns and over several rows take the places that they cover, with and without spacing."""
    for spacing in (0, 2, 5):
        page = rendered(
            f"<table border=1 cellspacing={spacing}><tr><th rowspan=2>Region<th colspan=2>2023<th colspan=2>2024"
            "<tr><th>Sold<th>Left<th>Sold<th>Left<tr><td rowspan=3>North<td>11<td>12<td>13<td>14"
            "<tr><td>21<td>22<td colspan=2>closed<tr><td>31<td>32<td>33<td>34"
            "<tr><td>South<td>41<td>42<td>43<td>44</table>"
        )
        (table,) = find_tables(page)
        assert table.rows == [
            ["Region", "2023", "2023", "2024", "2024"],
            ["Region", "Sold", "Left", "Sold", "Left"],
            ["North", "11", "12", "13", "14"],
            ["North", "21", "22", "closed", "closed"],
            ["North", "31", "32", "33", "34"],
            ["South", "41", "42", "43", "44"],
        ]
        spans = {cell.text: (cell.row_span, cell.column_span) for cell in table.anchors}
        assert (spans["Region"], spans["2024"], spans["North"], spans["closed"]) == ((2, 1), (1, 2), (3, 1), (1, 2))


@pytest.mark.parametrize("spacing", [2, 5, 10])
def test_spans_at_the_end_keep_their_rows(spacing: int) -> None:
    """The last rows under a cell over three of them have one cell of their own each, and belong to the table."""
    page = rendered(
        f"<table border=1 cellspacing={spacing}><tr><td>Region<td>Cost<tr><td rowspan=3>North<td>41<tr><td>12<tr><td>14"
        "<tr><td rowspan=3>South<td>15<tr><td>16<tr><td>17</table>"
    )
    costs = [("North", 41), ("North", 12), ("North", 14), ("South", 15), ("South", 16), ("South", 17)]
    rows = [["Region", "Cost"], *[[region, str(cost)] for region, cost in costs]]
    assert rows_of(find_tables(page)) == [rows]


@pytest.mark.parametrize("gap", [4, 8, 12])
def test_a_cell_over_two_rows_does_not_hide_the_usual_gap(gap: int) -> None:
    """In a small grid with gaps a cell over rows is not what tells how far rows are apart."""
    cells = {(row, column): (1, 1) for row in range(3) for column in range(3) if (row, column) != (1, 0)}
    tiling = Tiling(cells | {(0, 0): (2, 1)}, (24, 24, 24), (100, 100, 100), (gap, gap))
    assert rows_of(find_tables(tiling.flat_page(), settings=ANY_SCORE)) == [tiling.rows]


def test_spans_of_a_flat_grid_are_seen() -> None:
    """Spans that only styles make are as good as those of markup."""
    wide, tall = "grid-column:span 2", "grid-row:span 2"
    cells = [("Shelf", tall), ("Weight", wide), ("net", ""), ("gross", "")]
    cells += [(text, "") for text in ("A1", "10 kg", "12 kg", "A2", "20 kg", "23 kg", "A3", "30 kg", "35 kg")]
    boxes = "".join(f"<div style='border:1px solid;{style}'>{text}</div>" for text, style in cells)
    page = rendered(f"<div style='display:grid;grid-template-columns:repeat(3,100px)'>{boxes}</div>")
    assert find_tables(page)[0].rows[:3] == [
        ["Shelf", "Weight", "Weight"],
        ["Shelf", "net", "gross"],
        ["A1", "10 kg", "12 kg"],
    ]


def test_a_definition_list_is_a_table_of_names_and_values() -> None:
    """Terms that float beside their definitions are a column of headings."""
    pairs = [("Weight", "5 kg"), ("Height", "30 cm"), ("Colour", "red"), ("Price", "12 EUR"), ("Sold since", "2019")]
    items = "".join(f"<dt>{name}<dd>{value}" for name, value in pairs)
    page = rendered(
        f"<dl>{items}</dl>",
        "dl{width:400px} dt{float:left;clear:left;width:100px;font-weight:bold} dd{margin-left:110px}",
    )
    (table,) = find_tables(page)
    assert (table.rows, table.header_rows, table.header_columns) == ([list(pair) for pair in pairs], 0, 1)


def test_tables_below_each_other_stay_apart() -> None:
    """Two tables with room between them are two, though their columns are the same."""
    other = [STOCK[0], *[[f"{row[0]} S", *row[1:]] for row in STOCK[1:]]]
    attributes = "border=1 style='width:500px;table-layout:fixed'"
    page = rendered(f"{markup(STOCK, attributes)}<p>&nbsp;</p>{markup(other, attributes)}")
    assert sorted(rows_of(find_tables(page))) == sorted([STOCK, other])


def test_tables_beside_each_other_stay_apart() -> None:
    """A narrow table beside a longer one is not a part of it."""
    hours = [["Day", "Opens"], *[[day, f"{hour}:30"] for hour, day in enumerate(("Mon", "Tue", "Wed", "Thu"), start=7)]]
    page = rendered(f"<div style='display:flex;gap:60px;align-items:start'>{markup(STOCK)}{markup(hours)}</div>")
    found = rows_of(find_tables(page))
    assert sorted(found) == sorted([STOCK, hours])


def test_a_table_in_a_cell_of_another_is_a_table_of_its_own() -> None:
    """A small data table inside one cell of a larger one is handed out beside it."""
    inner = markup([["Size", "Left"], ["S", "4"], ["M", "7"], ["L", "1"]])
    rows = [*STOCK, ["Corso 9", "900", inner]]
    rows += [[f"Model {place}", str(1000 + 37 * place), str(place)] for place in range(12)]
    first, second = find_tables(rendered(markup(rows)))
    assert first.rows[:5] == STOCK
    assert second.rows == [["Size", "Left"], ["S", "4"], ["M", "7"], ["L", "1"]]


def test_tables_in_tables_in_tables_are_followed_to_the_ground() -> None:
    """Twelve tables, each in a cell of the next, are frames around the innermost one, which is found."""
    nested = markup(STOCK)
    for level in range(12):
        nested = f"<table><tr><td>{nested}</td></tr></table>" if level % 2 else markup([["", nested]], "")
    assert rows_of(find_tables(rendered(nested))) == [STOCK]


def test_columns_count_from_the_right_where_people_read_so() -> None:
    """On a page in Arabic the first column is the rightmost one."""
    rows = [["اسم", "سعر", "مخزون"], ["أردن", "1200", "5"], ["نوردا", "2100", "7"], ["ألتو", "1900", "2"]]
    (table,) = find_tables(rendered(f"<div dir=rtl>{markup(rows)}</div>"))
    assert table.rows == rows
    first, last = table.cells[1][0].origin, table.cells[1][2].origin
    assert first is not None
    assert last is not None
    assert first.box[0] > last.box[2]


def test_vertical_writing_turns_the_table() -> None:
    """Where lines run from top to bottom, rows stand side by side from right to left, and are read as columns."""
    page = rendered(f"<div style='writing-mode:vertical-rl'>{markup(STOCK, head='th')}</div>")
    (table,) = find_tables(page)
    assert table.rows == [list(column) for column in COLUMNS]
    assert table.header_columns == 1


@pytest.mark.parametrize("side", ["top", "bottom"])
def test_a_caption_is_no_row(side: str) -> None:
    """A caption above or below the rows names the table and is not in it."""
    table = markup(STOCK).replace("<tr>", f"<caption style='caption-side:{side}'>Cameras in stock</caption><tr>", 1)
    (found,) = find_tables(rendered(table))
    assert (found.rows, found.caption) == (STOCK, "Cameras in stock")


def test_empty_cells_keep_their_places() -> None:
    """A cell without a text is an empty text at its place, and moves no other."""
    rows = [*STOCK, ["Corso 9", "", "4"], ["", "700", "1"], ["Lira 2", "650", ""]]
    for layout in (markup(rows), markup(rows, "")):
        assert rows_of(find_tables(rendered(layout))) == [rows]


# ------------------------------------------------------------------ any grid


@dataclass(frozen=True)
class Tiling:
    """Cells with their spans by their places, and how large rows, columns and gaps are drawn."""

    cells: dict[tuple[int, int], tuple[int, int]]
    heights: tuple[int, ...]
    widths: tuple[int, ...]
    gaps: tuple[int, int]

    @property
    def rows(self) -> list[list[str]]:
        """The texts of all places."""
        grid = [[""] * len(self.widths) for _ in self.heights]
        for (row, column), (tall, wide) in self.cells.items():
            for place in range(tall * wide):
                grid[row + place // wide][column + place % wide] = _text(row, column)
        return grid

    def elements(self) -> dict[tuple[int, int], Element]:
        """The cells as boxes."""
        (wide_gap, tall_gap), lefts, tops = self.gaps, *self.edges
        return {
            (row, column): element(
                "div",
                _text(row, column),
                box=(lefts[column], tops[row], lefts[column + wide] - wide_gap, tops[row + tall] - tall_gap),
                style=BLOCK,
            )
            for (row, column), (tall, wide) in self.cells.items()
        }

    @property
    def edges(self) -> tuple[list[int], list[int]]:
        """Where columns and rows start; one more for the end."""
        return tuple(
            list(accumulate((size + gap for size in sizes), initial=40))
            for sizes, gap in zip((self.widths, self.heights), self.gaps, strict=True)
        )

    def flat_page(self, order: Sequence[tuple[int, int]] | None = None) -> Page:
        """All cells in one container, in some order."""
        cells = self.elements()
        return built(self._around(*(cells[place] for place in order or sorted(cells))))

    def lined_page(self) -> Page:
        """Cells in a container for each row; those that span rows hang out of theirs."""
        cells, (lefts, tops) = self.elements(), self.edges
        lines = [
            element(
                "div",
                *(cells[place] for place in sorted(cells) if place[0] == row),
                box=(40, tops[row], lefts[-1] - self.gaps[0], tops[row + 1] - self.gaps[1]),
                style=BLOCK,
            )
            for row in range(len(self.heights))
        ]
        return built(self._around(*lines))

    def _around(self, *parts: Element) -> Element:
        lefts, tops = self.edges
        return element("div", *parts, box=(40, 40, lefts[-1] - self.gaps[0], tops[-1] - self.gaps[1]), style=BLOCK)


def _text(row: int, column: int) -> str:
    return f"r{row}c{column}"


@st.composite
def tilings(draw: st.DrawFn, *, tallest: int, widest_gap: int) -> Tiling:
    """Grids with some cells joined, where every row and column keeps a cell that starts in it.

    Spans over columns lie in each other or apart: where they cross, the rows make a step, which by design ends a table.
    """
    size = st.integers(3, 6)
    height, width = draw(size), draw(size)
    cells = {(row, column): (1, 1) for row in range(height) for column in range(width)}
    for _ in range(draw(st.integers(0, 4))):
        row, column = draw(st.integers(0, height - 1)), draw(st.integers(0, width - 1))
        tall, wide = draw(st.integers(1, min(tallest, height - row))), draw(st.integers(1, min(3, width - column)))
        cells = _with_span(cells, (row, column), (tall, wide), (height, width))
    sizes = [
        draw(st.tuples(*[st.integers(low, high)] * count)) for low, high, count in ((16, 60, height), (80, 200, width))
    ]
    gaps = draw(st.tuples(st.integers(0, 20), st.integers(0, widest_gap)))
    return Tiling(cells, *sizes, gaps)


def _with_span(
    cells: dict[tuple[int, int], tuple[int, int]], place: tuple[int, int], span: tuple[int, int], size: tuple[int, int]
) -> dict[tuple[int, int], tuple[int, int]]:
    covered = {(place[0] + down, place[1] + right) for down in range(span[0]) for right in range(span[1])}
    rest = {other: value for other, value in cells.items() if other not in covered} | {place: span}
    sides = {(column, column + wide) for (_, column), (_, wide) in rest.items()}
    crossing = any(a < c < b < d for a, b in sides for c, d in sides)
    bare = any({other[axis] for other in rest} != set(range(size[axis])) for axis in (0, 1))
    whole = span[0] == size[0] or span[1] == size[1]
    return cells if whole or bare or crossing or any(cells.get(one) != (1, 1) for one in covered) else rest


# Where cells span rows, rows of one cell may come last, and those must touch the rows above them.
SPANNING = tilings(tallest=3, widest_gap=3)
LEVEL = tilings(tallest=1, widest_gap=20)


@pytest.mark.slow
@settings(max_examples=80)
@given(tiling=st.one_of(SPANNING, LEVEL))
def test_any_grid_is_given_back(tiling: Tiling) -> None:
    """Any sizes, gaps and spans: the grid that was drawn is the one that is found, in rows or flat."""
    for page in (tiling.flat_page(), tiling.lined_page()):
        (table,) = find_tables(page, settings=ANY_SCORE)
        assert table.rows == tiling.rows
        assert {(cell.row, cell.column): (cell.row_span, cell.column_span) for cell in table.anchors} == tiling.cells


@pytest.mark.slow
@settings(max_examples=40)
@given(tiling=SPANNING, by=st.tuples(st.integers(-30, 3000), st.integers(-30, 3000)))
def test_moving_the_page_moves_the_boxes_and_nothing_else(tiling: Tiling, by: tuple[int, int]) -> None:
    """Where a table stands does not matter to what it says, to its score, nor to its shape."""
    page = tiling.lined_page()
    (here,), (there,) = (find_tables(one, settings=ANY_SCORE) for one in (page, shifted(page, *by)))
    assert here.box is not None
    assert there.box == (here.box[0] + by[0], here.box[1] + by[1], here.box[2] + by[0], here.box[3] + by[1])
    plain = [
        [replace(cell, value=replace(cell.value, origin=None)) for cell in table.anchors] for table in (here, there)
    ]
    assert plain[0] == plain[1]
    assert (here.score, here.header_rows, here.header_columns) == (there.score, there.header_rows, there.header_columns)


@pytest.mark.slow
@settings(max_examples=40)
@given(data=st.data(), tiling=SPANNING)
def test_the_order_of_placed_cells_does_not_matter(data: st.DataObject, tiling: Tiling) -> None:
    """Cells that are placed by hand may come row by row, column by column or rows in any order, each left to right."""
    by_rows = sorted(tiling.cells)
    by_columns = sorted(tiling.cells, key=lambda place: (place[1], place[0]))
    numbers = data.draw(st.permutations(range(len(tiling.heights))))
    shuffled = sorted(tiling.cells, key=lambda place: (numbers[place[0]], place[1]))
    for order in (by_rows, by_columns, shuffled):
        assert rows_of(find_tables(tiling.flat_page(order), settings=ANY_SCORE)) == [tiling.rows]


@pytest.mark.parametrize("tags", [("table", "tr", "td"), ("div", "div", "div"), ("ul", "li", "p")], ids="-".join)
def test_tags_do_not_matter(tags: tuple[str, str, str]) -> None:
    """The same boxes are the same table under any names."""
    assert rows_of(find_tables(grid_page(STOCK, tags=tags))) == [STOCK]
