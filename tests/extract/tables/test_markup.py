"""Pages without layout: the grid that the markup describes, as the HTML standard has it."""

import pytest

from sightline.extract.tables import TableSettings, find_tables, trace_tables

from ._pages import STOCK, markup, rendered, rows_of, static

ANY_SCORE = TableSettings(least_score=0)
REST = "<tr><td>1<td>2<td>3<tr><td>4<td>5<td>6"
REST_ROWS = [["1", "2", "3"], ["4", "5", "6"]]

GRIDS = {
    "plain": (f"<tr><th>A<th>B<th>C{REST}", [["A", "B", "C"], *REST_ROWS]),
    "column span": (f"<tr><th colspan=2>A<th>B{REST}", [["A", "A", "B"], *REST_ROWS]),
    "span with rubbish behind it": (f"<tr><th colspan='2;'>A<th>B{REST}", [["A", "A", "B"], *REST_ROWS]),
    "span that is no number": (f"<tr><th colspan=x>A<th>B<th>C{REST}", [["A", "B", "C"], *REST_ROWS]),
    "span of minus one": (f"<tr><th colspan=-1>A<th>B<th>C{REST}", [["A", "B", "C"], *REST_ROWS]),
    "span of no columns": (f"<tr><th colspan=0>A<th>B<th>C{REST}", [["A", "B", "C"], *REST_ROWS]),
    "row span": ("<tr><th>A<th>B<tr><td rowspan=2>x<td>1<tr><td>2", [["A", "B"], ["x", "1"], ["x", "2"]]),
    "row span to the end": (
        "<tr><th>A<th>B<tr><td rowspan=0>x<td>1<tr><td>2<tr><td>3",
        [["A", "B"], ["x", "1"], ["x", "2"], ["x", "3"]],
    ),
    "row span to the end of its group": (
        "<tbody><tr><td rowspan=0>x<td>1<tr><td>2<tbody><tr><td>y<td>3",
        [["x", "1"], ["x", "2"], ["y", "3"]],
    ),
    "row span beyond its group": (
        "<thead><tr><th rowspan=5>A<th>B<tbody><tr><td>x<td>1<tr><td>y<td>2",
        [["A", "B"], ["x", "1"], ["y", "2"]],
    ),
    "row span beyond the table": (
        "<tr><th>A<th>B<tr><td rowspan=9>x<td>1<tr><td>2",
        [["A", "B"], ["x", "1"], ["x", "2"]],
    ),
    "spans among plain rows": (
        f"<tr><th>A<th>B<th>C{REST}<tr><td rowspan=2>x<td colspan=2>y<tr><td>7<td>8{REST}<tr><td colspan=3>z{REST}",
        [["A", "B", "C"], *REST_ROWS, ["x", "y", "y"], ["x", "7", "8"], *REST_ROWS, ["z", "z", "z"], *REST_ROWS],
    ),
    "missing cells": (f"<tr><th>A<th>B<th>C<tr><td>0{REST}", [["A", "B", "C"], ["0", "", ""], *REST_ROWS]),
    "cell beside a row span": (
        "<tr><td>a<td rowspan=2>b<td>c<tr><td>d<td>e<tr><td>f<td>g<td>h",
        [["a", "b", "c"], ["d", "b", "e"], ["f", "g", "h"]],
    ),
    "hidden row": (f"<tr><th>A<th>B<th>C<tr hidden><td>no<td>no<td>no{REST}", [["A", "B", "C"], *REST_ROWS]),
}


@pytest.mark.parametrize(("body", "rows"), GRIDS.values(), ids=GRIDS.keys())
def test_spans_are_as_html_has_them(body: str, rows: list[list[str]]) -> None:
    """Spans are read and cut as browsers do it."""
    assert rows_of(find_tables(static(f"<table>{body}</table>"), settings=ANY_SCORE)) == [rows]


@pytest.mark.slow
@pytest.mark.parametrize(("body", "rows"), GRIDS.values(), ids=GRIDS.keys())
def test_the_picture_says_the_same(body: str, rows: list[list[str]]) -> None:
    """What the browser draws of the same markup is the same grid."""
    page = rendered(f"<table border=1>{body}</table>")
    assert rows_of(find_tables(page, settings=ANY_SCORE)) == [rows]


def test_overlapping_spans_lose_nothing() -> None:
    """A cell whose span runs into another keeps to its own place; every text is there once or more."""
    body = "<tr><td>a<td rowspan=3>b<td>c<tr><td colspan=3>d<td>e<tr><td>f<td>g<td>h"
    (table,) = find_tables(static(f"<table>{body}</table>"), settings=ANY_SCORE)
    assert {cell.text for cell in table.anchors} >= set("abcdefgh")


def test_wild_spans_are_cut() -> None:
    """Spans of thousands end at what HTML allows, or at the table's end, and cost neither time nor memory."""
    wide = static(f"<table><tr><th colspan=100000>A<th>B{REST}</table>")
    (candidate,) = trace_tables(wide).candidates
    assert candidate.shape == (3, 1001)
    many = "".join(f"<tr>{'<td colspan=1000 rowspan=60000>x' * 9}" for _ in range(60))
    (candidate,) = trace_tables(static(f"<table>{many}</table>")).candidates
    assert candidate.shape[0] == 60
    assert candidate.shape[1] <= 200_000


def test_headings_are_told_by_tags() -> None:
    """`th`, `thead` and a column of `th` are headings, without any looks to go by."""
    (table,) = find_tables(static(markup(STOCK, head="th")))
    assert (table.header_rows, table.header_columns) == (1, 0)
    head = "".join(f"<td>{text}" for text in ("2021", "2022"))
    page = static(f"<table><thead><tr>{head}</thead><tbody><tr><td>1<td>2<tr><td>3<td>4<tr><td>5<td>6</table>")
    (table,) = find_tables(page)
    assert table.header_rows == 1
    rows = "".join(f"<tr><th>{name}<td>{value}<td>{value}0" for value, name in enumerate(("Weight", "Height", "Depth")))
    (table,) = find_tables(static(f"<table>{rows}</table>"))
    assert (table.header_rows, table.header_columns) == (0, 1)


def test_nested_tables_are_tables_of_their_own() -> None:
    """Rows of an inner table are not rows of the outer one; a table that is only a frame is not handed out."""
    page = static(f"<table><tr><td><a href=/>Home</a><td>{markup(STOCK, head='th')}<tr><td>©<td>2024</table>")
    assert rows_of(find_tables(page)) == [STOCK]
    assert sorted(candidate.shape for candidate in trace_tables(page).candidates) == [(2, 2), (5, 3)]


def test_layout_tables_are_refused() -> None:
    """Long texts, menus and forms in cells are no data, with layout or without."""
    prose = "A sentence that goes on for quite a while and then some more, as sentences on pages do. " * 3
    links = " ".join(f"<a href=/{n}>Topic number {n}</a>" for n in range(9))
    form = markup([[name, "<input>"] for name in ("Name", "Street", "Town", "Phone")])
    for body in (markup([[prose, prose], [prose, prose]]), markup([[links, prose], [links, links]]), form):
        assert find_tables(static(body)) == []


def test_origins_without_layout_are_nodes_without_boxes() -> None:
    """A cell leads to its node; there is no place on a page that was never drawn."""
    page = static(markup(STOCK))
    (table,) = find_tables(page)
    assert table.box is None
    for cell in table.anchors:
        assert cell.origin is not None
        assert cell.origin.box is None
        assert [page.text_of(node) for node in cell.origin.nodes] == [cell.text]
