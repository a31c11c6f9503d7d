"""The whole search: the contract of extractors on many pages, and pages that nobody should write."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sightline as sl
from sightline.extract.tables import TableSettings, find_tables
from sightline.page import Page
from sightline.testing import check_extractor, element, grid_page, list_page

from ..._effort import growth
from ._pages import BLOCK, STOCK, built, fixed_width, markup, rendered, static

EXAMPLES = sorted((Path(__file__).parents[3] / "examples").glob("*.html"))
DRAWN = ["+------+-------+", "| Name | Price |", "+------+-------+", "| a b  | 12    |", "| c    | 13    |"]


def test_extractor_keeps_the_contract_on_pages_built_by_hand() -> None:
    """Grids, lists and drawn tables: repeatable, traceable, unmoved by where they stand."""
    check_extractor(find_tables)
    grids = [grid_page(STOCK), grid_page(STOCK, tags=("div", "div", "span")), grid_page([["a"]])]
    lists = [list_page(["one", "two", "three"]), list_page([f"item {n}" for n in range(50)])]
    texts = [fixed_width([*DRAWN, DRAWN[0]]), fixed_width([f"Model {n}     {n * n:>8}" for n in range(30)])]
    check_extractor(find_tables, [*grids, *lists, *texts])


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_extractor_keeps_the_contract_on_example_pages(path: Path) -> None:
    """The pages that newcomers see first, rendered and without layout: tables are in all but the cards and the list."""
    page = sl.open(path)
    check_extractor(find_tables, [page, sl.open(path, static=True)])
    assert bool(find_tables(page)) == (path.stem not in ("cameras", "comet", "telescopes"))


def test_every_grid_keeps_the_contract_whatever_it_scores() -> None:
    """Also what is not handed out by default can be traced to its place."""
    body = f"{markup([['Shop', 'Sells'], ['North', markup(STOCK)]])}<pre>{chr(10).join(DRAWN)}</pre>"
    pages = [rendered(body), static(body), rendered(f"<iframe srcdoc='{markup(STOCK)}' width=600></iframe>")]
    settings = TableSettings(least_score=0, without=("reconciling",))
    check_extractor(lambda page: find_tables(page, settings=settings), pages)


# ------------------------------------------------------------------ pages that nobody should write


def _placed(count: int, place: str) -> str:
    cells = "".join(f"<i style='position:absolute;{place.format(n % 5, n // 5)}'>cell {n}</i>" for n in range(count))
    return f"<div style='position:relative;height:300px'>{cells}</div>"


def _nested(depth: int) -> str:
    return "<table border=1><tr><td>a<td>" * depth + "x" + "</table>" * depth


ODD = {
    "nothing": "",
    "text alone": "Nothing but a text.",
    "one word": "<table border=1><tr><td>word</table>",
    "one row": markup([["a", "b", "c"]]),
    "empty table": "<table border=1></table>",
    "empty cells": markup([["", "", ""]] * 5),
    "overlapping cells": _placed(50, "left:calc({0}*50px);top:calc({1}*10px);width:80px"),
    "cells in one place": _placed(500, "left:0;top:0"),
    "cells off the page": _placed(50, "left:calc({0}*50px - 9999px);top:calc({1}*20px - 9999px)"),
    "cells far away": _placed(50, "left:calc({0}*1000000px);top:calc({1}*1000000px)"),
    "cells without size": "<div style='display:grid;grid-template-columns:repeat(3,0)'>"
    + "<div style='height:0;width:0'>1</div>" * 30
    + "</div>",
    "hidden": f"<div style='display:none'>{markup(STOCK)}</div><div style='visibility:hidden'>{markup(STOCK)}</div>",
    "200 tables in each other": _nested(200),
    "2000 boxes in each other": "<div>" * 2000 + "x",
    "turned by a third": f"<div style='transform:rotate(30deg)'>{markup(STOCK)}</div>",
    "flat as a line": f"<div style='transform:scaleY(0)'>{markup(STOCK)}</div>",
    "wild spans": "<table border=1><tr><td rowspan=65534 colspan=1000>A<td>B" + "<tr><td>1" * 200 + "</table>",
    "dashes alone": "<pre>" + "--- ---\n" * 50 + "</pre>",
    "bars alone": "<pre>" + "| | |\n" * 50 + "</pre>",
    "one long line": "<pre>" + "| a | b " * 2000 + "</pre>",
    "one rule": "<pre>a\n" + "---+" * 500 + "\nb</pre>",
}


@pytest.mark.slow
@pytest.mark.parametrize("body", ODD.values(), ids=ODD.keys())
def test_odd_pages_are_searched(body: str) -> None:
    """Whatever stands on a page: an answer comes, and it keeps the contract."""
    page = rendered(body)
    for settings in (None, TableSettings(least_score=0, without=("reconciling",))):
        find_tables(page, settings=settings)
    find_tables(static(body))
    check_extractor(find_tables, [page])


@pytest.mark.parametrize("name", ["nothing", "text alone", "one row", "empty table", "cells in one place", "hidden"])
def test_where_nothing_can_be_read_nothing_is_found(name: str) -> None:
    """No grid, no table; not even for whoever takes every grid."""
    assert find_tables(rendered(ODD[name]), settings=TableSettings(least_score=0)) == []


@pytest.mark.slow
@pytest.mark.parametrize("rows", [1000, 1], ids=["in 1000 rows", "in one row"])
def test_twenty_thousand_cells_are_searched(rows: int) -> None:
    """A table of 20,000 cells is read; 20,000 cells in one row are no table, and no trouble."""
    width = 20_000 // rows
    page = rendered(markup([[f"{row}.{column}" for column in range(width)] for row in range(rows)]))
    found = find_tables(page)
    assert [(len(table.rows), table.width) for table in found] == ([(1000, 20)] if rows > 1 else [])
    if found:
        assert found[0].rows[999][19] == "999.19"


def test_the_search_for_tables_grows_with_the_cells_alone() -> None:
    """Four times the rows are four times the work, and not the square of it."""

    def search(rows: int) -> Callable[[], object]:
        page = static(markup([[f"{row}.{column}" for column in range(4)] for row in range(rows)]))
        return lambda: find_tables(page)

    assert growth(search, 60) < 6


@pytest.mark.slow
def test_as_many_boxes_without_markup_are_searched() -> None:
    """20,000 boxes in one container are a table, and as many in lines of different widths are no trouble."""
    cells = [
        element("div", str(n), box=(n % 20 * 60, n // 20 * 20, n % 20 * 60 + 60, n // 20 * 20 + 20), style=BLOCK)
        for n in range(20_000)
    ]
    (table,) = find_tables(built(element("div", *cells, box=(0, 0, 1200, 20_000), style=BLOCK)))
    assert (len(table.rows), table.width) == (1000, 20)
    ragged = [
        element("div", str(n), box=(n % 9 * 131 + n % 7, n * 3, n % 9 * 131 + 90 + n % 11, n * 3 + 20), style=BLOCK)
        for n in range(5_000)
    ]
    find_tables(built(element("div", *ragged, box=(0, 0, 1200, 20_000), style=BLOCK)))


def _with_box(page: Page, box: tuple[float, ...]) -> Page:
    """The page in which every third cell has this box."""
    boxes = page.box.copy()
    boxes[page.with_tag("td")[::3]] = box
    return replace(page, box=boxes)


@pytest.mark.parametrize(
    "box",
    [(np.nan,) * 4, (np.nan, 0, 10, 10), (50, 50, 50, 50), (200, 90, 40, 40), (-3.3e7, -3.3e7, 3.3e7, 3.3e7)],
    ids=["none", "half", "a point", "inside out", "everything"],
)
def test_boxes_that_are_none_are_survived(box: tuple[float, ...]) -> None:
    """Cells without a box, or with one that cannot be, are left out of the picture; nothing fails."""
    page = _with_box(grid_page(STOCK), box)
    tables = find_tables(page, settings=TableSettings(least_score=0))
    assert all(isinstance(cell.text, str) for table in tables for cell in table.anchors)
