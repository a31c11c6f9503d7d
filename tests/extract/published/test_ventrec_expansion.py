"""The published method: hyperBoxes grow over twins, and what is of interest becomes a table."""

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.published._ventrec import (
    Direction,
    HyperBox,
    Relation,
    Topography,
    expand,
    relations,
    trace_ventrec,
    ventrec,
)
from sightline.geometry import Box, BoxArray, area, intersection, union
from sightline.page import Page
from sightline.testing import check_extractor, element, grid_page, page_of, shifted

from ..._effort import growth

SIZES = st.lists(st.integers(10, 90), min_size=2, max_size=6)
BLOCK = {"display": "block"}
PINWHEEL = [(0, 0, 60, 30), (60, 0, 90, 60), (30, 60, 90, 90), (0, 30, 30, 90), (30, 30, 60, 60)]


def grid_boxes(widths: Sequence[int], heights: Sequence[int]) -> list[Box]:
    """The boxes of a grid without gaps, row by row."""
    rows, columns = pairwise(accumulate(heights, initial=0)), list(pairwise(accumulate(widths, initial=0)))
    return [(x0, y0, x1, y1) for (y0, y1), (x0, x1) in product(rows, columns)]


def topography_of(boxes: Sequence[Box]) -> Topography:
    """Plain tuples as a topography."""
    return Topography.of(np.array(boxes, dtype=np.float32).reshape(-1, 4))


def merged(boxes: list[Box], around: Box) -> list[Box]:
    """The boxes with those in a rectangle made into one."""
    inside = [
        box for box in boxes if all(box[i] >= around[i] for i in (0, 1)) and box[2] <= around[2] and box[3] <= around[3]
    ]
    return [around, *(box for box in boxes if box not in inside)]


def assert_tiled(found: HyperBox, boxes: BoxArray) -> None:
    """The members fill the rectangle, and no two overlap."""
    own = boxes[found.members]
    assert union(own) == found.rectangle
    assert area(own).sum() == pytest.approx(float(area(np.array(found.rectangle, dtype=np.float32))))
    common = intersection(own[:, None], own[None])
    overlaps = (common[..., 2:] - common[..., :2] > 0).all(axis=-1)
    assert overlaps.sum() == len(own)


def blocks_page(boxes: Sequence[Box], texts: Sequence[str]) -> Page:
    """A page of boxes with texts, and nothing else."""
    cells = [
        element("div", *([text] if text else []), box=box, style=BLOCK) for box, text in zip(boxes, texts, strict=True)
    ]
    return page_of(element("html", element("body", *cells, box=(0, 0, 2000, 2000), style=BLOCK)))


# ---------------------------------------------------------------------- the expansion


@given(SIZES, SIZES, st.data())
def test_grid_without_gaps_is_found_whole_from_any_cell(
    widths: list[int], heights: list[int], data: st.DataObject
) -> None:
    """Whatever the sizes and wherever the start, all cells are taken, and nothing twice."""
    topography = topography_of(grid_boxes(widths, heights))
    found = expand(topography, data.draw(st.integers(0, len(topography) - 1))).found
    assert sorted(found.members.tolist()) == list(range(len(topography)))
    assert_tiled(found, topography.box)


@pytest.mark.slow
@given(SIZES, SIZES, st.data())
def test_grid_with_a_spanning_cell_is_found_whole_from_any_cell(
    widths: list[int], heights: list[int], data: st.DataObject
) -> None:
    """One cell that spans rows and columns is a twin sooner or later."""
    lefts, tops = [*accumulate(widths, initial=0)], [*accumulate(heights, initial=0)]
    x0, x1 = sorted(data.draw(st.lists(st.sampled_from(lefts), min_size=2, max_size=2, unique=True)))
    y0, y1 = sorted(data.draw(st.lists(st.sampled_from(tops), min_size=2, max_size=2, unique=True)))
    topography = topography_of(merged(grid_boxes(widths, heights), (x0, y0, x1, y1)))
    found = expand(topography, data.draw(st.integers(0, len(topography) - 1))).found
    assert len(found.members) == len(topography)
    assert_tiled(found, topography.box)


@given(st.lists(st.lists(st.integers(1, 4), min_size=1, max_size=4), min_size=1, max_size=6), st.data())
def test_expansion_takes_no_step_neighbours(rows: list[list[int]], data: st.DataObject) -> None:
    """Rows cut at different places: whatever is taken tiles its rectangle, and no two members are a step."""
    boxes = [box for top, row in enumerate(rows) for box in _cut(row, top * 20)]
    topography = topography_of(boxes)
    found = expand(topography, data.draw(st.integers(0, len(boxes) - 1))).found
    assert_tiled(found, topography.box)
    own = topography.box[found.members]
    for box, direction in product(own.tolist(), Direction):
        assert Relation.STEP not in relations(box, own, direction)


def _cut(widths: list[int], top: int) -> list[Box]:
    return [(10 * x0, top, 10 * x1, top + 20) for x0, x1 in pairwise(accumulate(widths, initial=0))]


@given(SIZES, SIZES, st.integers(-500, 500), st.integers(0, 500))
def test_moved_grid_expands_by_the_same_steps(widths: list[int], heights: list[int], x: int, y: int) -> None:
    """Only distances count, not places."""
    boxes = grid_boxes(widths, heights)
    moved = [(x0 + x, y0 + y, x1 + x, y1 + y) for x0, y0, x1, y1 in boxes]
    one, other = expand(topography_of(boxes), 0), expand(topography_of(moved), 0)
    assert [(s.direction, s.taken.members.tolist()) for s in one.steps] == [
        (s.direction, s.taken.members.tolist()) for s in other.steps
    ]


def test_trace_tells_every_step_in_the_order_right_down_left_up() -> None:
    """From the middle of three by three: one step a direction, each with what it took and the rectangle then."""
    steps = expand(topography_of(grid_boxes([10, 10, 10], [10, 10, 10])), 4).steps
    assert [step.direction for step in steps] == list(Direction)
    assert [step.taken.members.tolist() for step in steps] == [[5], [7, 8], [3, 6], [0, 1, 2]]
    assert steps[-1].rectangle == (0, 0, 30, 30)


def test_gap_of_three_pixels_is_crossed_and_of_four_is_not() -> None:
    """The cells of a table without collapsed borders stand two pixels apart."""
    assert len(expand(topography_of([(0, 0, 50, 20), (53, 0, 90, 20)]), 0).found.members) == 2
    assert len(expand(topography_of([(0, 0, 50, 20), (54, 0, 90, 20)]), 0).found.members) == 1


@pytest.mark.parametrize("start", range(5))
def test_pinwheel_is_not_taken(start: int) -> None:
    """Five boxes that fill a square around each other are no twins from anywhere: no cut divides them."""
    assert expand(topography_of(PINWHEEL), start).steps == ()


def test_of_nested_boxes_the_outermost_twin_is_taken() -> None:
    """A cell, not the paragraph in it that happens to be as high."""
    boxes = [(0, 0, 50, 20), (50, 0, 90, 20), (50, 0, 80, 20)]
    assert expand(topography_of(boxes), 0).found.members.tolist() == [0, 1]


def test_twin_that_is_made_does_not_reach_past_our_edge() -> None:
    """Of two boxes that go on below a smaller one, the one that ends where we do is taken."""
    boxes = [(0, 0, 50, 40), (50, 0, 90, 20), (50, 20, 90, 70), (50, 20, 90, 40)]
    assert expand(topography_of(boxes), 0).found.members.tolist() == [0, 1, 3]


def test_deep_stairs_of_halves_end_within_the_limit_of_recursion() -> None:
    """Cells halved over and over, across and down in turn, need a twin in a twin in a twin."""
    boxes, rest, across = [], (0.0, 0.0, 2.0**20, 2.0**20), True
    while min(rest[2] - rest[0], rest[3] - rest[1]) > 8:
        x0, y0, x1, y1 = rest
        middle = (x0 + x1) / 2 if across else (y0 + y1) / 2
        boxes.append((x0, y0, middle, y1) if across else (x0, y0, x1, middle))
        rest, across = ((middle, y0, x1, y1) if across else (x0, middle, x1, y1)), not across
    topography = topography_of([*boxes, rest])
    assert len(expand(topography, len(boxes)).found.members) == len(topography)
    assert_tiled(expand(topography, 0).found, topography.box)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), [(500, 10), (71, 71)])
def test_five_thousand_cells_are_found(rows: int, columns: int) -> None:
    """Long tables and square ones, every cell of them."""
    topography = topography_of(grid_boxes([20] * columns, [20] * rows))
    assert len(expand(topography, 0).found.members) == rows * columns


def test_expansion_grows_with_the_cells_alone() -> None:
    """Four times the rows are four times the work, and not the square of it."""

    def expansion(rows: int) -> Callable[[], object]:
        topography = topography_of(grid_boxes([20] * 5, [20] * rows))
        return lambda: expand(topography, 0)

    assert growth(expansion, 25) < 6


# ---------------------------------------------------------------------- from a page to tables


def test_ventrec_keeps_the_contract_of_extractors() -> None:
    """Same page, same tables; origins on the page; nothing on an empty page."""
    check_extractor(ventrec)


@pytest.mark.parametrize("tags", [("table", "tr", "td"), ("div", "div", "div"), ("ul", "li", "span")])
def test_same_picture_gives_the_same_table_whatever_the_tags(tags: tuple[str, str, str]) -> None:
    """The method sees boxes, no tags."""
    rows = [["Name", "Price"], ["EOS 5D", "1200"], ["D850", "2100"]]
    assert [table.rows for table in ventrec(grid_page(rows, tags=tags))] == [rows]


@given(st.integers(0, 3000), st.integers(0, 3000))
def test_moved_page_gives_the_same_table(x: int, y: int) -> None:
    """The place on the page does not matter."""
    page = grid_page([["a", "b"], ["c", "d"]])
    assert [table.rows for table in ventrec(shifted(page, x, y))] == [[["a", "b"], ["c", "d"]]]


def test_single_row_and_single_column_are_not_of_interest() -> None:
    """At least two by two."""
    assert ventrec(grid_page([["a", "b", "c"]])) == []
    assert ventrec(grid_page([["a"], ["b"], ["c"]])) == []


def test_spanning_cell_keeps_its_span() -> None:
    """A heading over two columns stands over both."""
    page = blocks_page([(0, 0, 100, 20), (0, 20, 50, 40), (50, 20, 100, 40)], ["2024", "Q1", "Q2"])
    assert ventrec(page)[0].rows == [["2024", "2024"], ["Q1", "Q2"]]


def test_empty_rows_and_columns_are_cleaned_away() -> None:
    """Spacers between cells are no cells; a single empty cell stays."""
    texts = ["a", "", "b", "", "", "", "c", "", ""]
    page = blocks_page(grid_boxes([40, 10, 40], [20, 10, 20]), texts)
    assert [table.rows for table in ventrec(page)] == [[["a", "b"], ["c", ""]]]


def test_table_of_one_row_and_spacers_is_not_of_interest() -> None:
    """What remains after cleaning must be two by two."""
    assert ventrec(blocks_page(grid_boxes([40, 40], [20, 20]), ["a", "b", "", ""])) == []


def test_table_with_a_long_cell_is_dropped_only_by_the_heuristic() -> None:
    """Twenty words are still a cell; twenty-one are prose."""
    for count, found in ((20, 1), (21, 0)):
        page = grid_page([["a", "b"], ["c", " ".join(["word"] * count)]])
        assert len(ventrec(page, most_words=20)) == found
        assert len(ventrec(page)) == 1


def test_containing_keeps_tables_with_that_text() -> None:
    """Large and small letters are the same."""
    page = grid_page([["Name", "Price"], ["EOS 5D", "1200"]])
    assert len(ventrec(page, containing="eos")) == 1
    assert ventrec(page, containing="nikon") == []


def test_cell_of_two_paragraphs_is_one_cell() -> None:
    """What is stacked in a cell belongs to it; only what stands side by side are cells."""
    two = [
        element("p", text, box=(54, 24 + 10 * place, 96, 34 + 10 * place), style=BLOCK)
        for place, text in enumerate("de")
    ]
    cells = [
        element("div", text, box=box, style=BLOCK)
        for text, box in zip("abc", grid_boxes([50, 50], [20, 30])[:3], strict=True)
    ]
    last = element("div", *two, box=(50, 20, 100, 50), style=BLOCK)
    page = page_of(element("html", element("body", *cells, last, box=(0, 0, 900, 900), style=BLOCK)))
    assert [row[1].split() for row in ventrec(page)[0].rows] == [["b"], ["d", "e"]]


def test_styles_of_columns_are_no_boxes() -> None:
    """Browsers give `<col>` a box as high as the table; it must not be taken for its cells."""
    boxes = grid_boxes([50, 50, 50], [20, 20])
    cells = [element("td", text, box=box, style=BLOCK) for text, box in zip("abcdef", boxes, strict=True)]
    columns = [element("col", box=(left, 0, left + 50, 40), style={"display": "table-column"}) for left in (0, 50, 100)]
    page = page_of(element("html", element("body", *columns, *cells, box=(0, 0, 900, 900), style=BLOCK)))
    assert ventrec(page)[0].rows == [["a", "b", "c"], ["d", "e", "f"]]


def test_overlapping_tables_leave_the_largest() -> None:
    """Tables that were found do not share places, whichever comes first."""
    large, small = grid_boxes([100, 100], [100, 100]), grid_boxes([40, 40], [40, 40])
    moved = [(x0 + 170, y0 + 170, x1 + 170, y1 + 170) for x0, y0, x1, y1 in small]
    page = blocks_page([*moved, *large], "efghabcd")
    assert [table.rows for table in ventrec(page)] == [[["a", "b"], ["c", "d"]]]


def test_the_trace_draws_each_step_where_it_happens() -> None:
    """The last expansion ends at the table's own box; the grid is lines only."""
    page = grid_page([["Name", "Price"], ["EOS 5D", "1200"], ["D850", "2100"]])
    trace = trace_ventrec(page)
    boxes, grid, expansion, tables = trace.steps()
    assert list(trace.found) == ventrec(page)
    assert tables.boxes == (trace.found[0].box,)
    assert expansion.rows[-1]["box"] == trace.found[0].box
    assert expansion.rows[-1]["outcome"] == "table"
    assert all(x0 == x1 or y0 == y1 for x0, y0, x1, y1 in grid.boxes)
    assert len(boxes.boxes) >= 6
