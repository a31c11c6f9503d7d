"""A grid of cells: which rows and columns each box takes, found by superimposing the lines of all boxes.

This is the tiling of VENTrec: the boxes of a table are mutually exclusive, and together with its holes they fill the
rectangle. Boxes come in lines (boxes side by side); columns come from the places where boxes start.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyFloats, BoolArray, IndexArray, IntArray, prefix_sum
from sightline.geometry import Box, BoxArray, union
from sightline.page import Page, below, nearest, no_boxes

# Pixels by which edges of one line may differ. VENTrec uses 0 to 3; browsers align the cells of a table more closely.
ALIGNED = 3.0
# Places of a grid for each of its cells, above which it isn't a table, and how many it may have in any case. A grid is
# looked at place by place, and a row of many cells above a column of many would have the product of both. By judgement:
# a table of that size with one place in fifty filled has nothing to compare.
MOST_PER_CELL, FEW_PLACES = 50, 200_000


@dataclass(frozen=True, eq=False)
class CellGrid:
    """Cells in rows and columns; what the numbers in `block` refer to depends on who made the grid."""

    block: IntArray
    box: BoxArray
    row: IntArray
    column: IntArray
    row_span: IntArray
    column_span: IntArray

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        height, width = (self.row + self.row_span).max(initial=0), (self.column + self.column_span).max(initial=0)
        return int(height), int(width)

    @cached_property
    def bounds(self) -> Box | None:
        """The box around all cells."""
        return union(self.box)

    def taken(self) -> npt.NDArray[np.int32]:
        """How many cells take each place, from differences at the corners of every cell."""
        height, width = self.shape
        if len(self.row) == self.row_span.sum() == self.column_span.sum():
            counts = np.bincount(self.row * width + self.column, minlength=height * width)
            return counts.reshape(height, width).astype(np.int32)
        change = np.zeros((height + 1, width + 1), dtype=np.int32)
        bottom, right = self.row + self.row_span, self.column + self.column_span
        for rows, columns, sign in (
            (self.row, self.column, 1),
            (bottom, right, 1),
            (self.row, right, -1),
            (bottom, self.column, -1),
        ):
            np.add.at(change, (rows, columns), sign)
        return change.cumsum(axis=0).cumsum(axis=1)[:-1, :-1]


def is_scattered(grid: CellGrid) -> bool:
    """Whether a grid has far more places than cells to stand in them, so that it isn't a table."""
    height, width = grid.shape
    if height * width <= FEW_PLACES:
        return False
    covered = max(len(grid.row), int((grid.row_span.astype(np.int64) * grid.column_span).sum()))
    return height * width > MOST_PER_CELL * covered


def clusters(values: AnyFloats, apart: float = ALIGNED) -> tuple[IntArray, AnyFloats]:
    """The number of the cluster of each value, and the least value of each cluster, in ascending order.

    >>> clusters(np.float32([10, 50, 11, 52]))[0].tolist()
    [0, 1, 0, 1]
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    first = np.ones(len(values), dtype=bool)
    first[1:] = ordered[1:] - ordered[:-1] > apart
    number = np.empty(len(values), dtype=np.int32)
    number[order] = np.cumsum(first) - 1
    return number, ordered[first]


@dataclass(frozen=True)
class GridFacts:
    """What is known about lines of boxes before they are tiled.

    `mirrored`: columns count from the right. `loose`: cells are only roughly below each other. Without
    `spanning_by_edges`, anything that extends into the next row spans it.
    """

    mirrored: bool = False
    loose: bool = False
    spanning_by_edges: bool = True


def tile(lines: Sequence[Sequence[int]], boxes: BoxArray, facts: GridFacts | None = None) -> CellGrid | None:
    """The grid of some lines of boxes, from top to bottom, or None if two boxes claim one place."""
    facts = facts or GridFacts()
    block = np.array([box for line in lines for box in line], dtype=np.int32)
    counts = np.array([len(line) for line in lines], dtype=np.int32)
    row = np.repeat(np.arange(len(lines), dtype=np.int32), counts)
    box = boxes[block]
    low, high = (-box[:, 2], -box[:, 0]) if facts.mirrored else (box[:, 0], box[:, 2])
    column, column_span = _lanes(low, high) if facts.loose else _columns(low, high)
    row_span = _row_spans(row, np.cumsum(counts) - counts, box, by_edges=facts.spanning_by_edges)
    grid = CellGrid(block, box, row, column, row_span, column_span)
    if is_scattered(grid):
        return None
    taken = grid.taken()
    if taken.max(initial=0) <= 1:
        return grid
    grid = _without_clashes(grid, taken)
    return grid if grid.taken().max(initial=0) <= 1 else None


def _columns(low: AnyFloats, high: AnyFloats) -> tuple[IntArray, IntArray]:
    """Column and column span of each box: there is a column wherever a box starts."""
    column, starts = clusters(low)
    last = starts.searchsorted(high - ALIGNED) - 1
    return column, np.maximum(last - column + 1, 1).astype(np.int32)


def _lanes(low: AnyFloats, high: AnyFloats) -> tuple[IntArray, IntArray]:
    """Column and column span if edges differ: a column is a strip free of the others from top to bottom."""
    order = np.argsort(low, kind="stable")
    reach = np.maximum.accumulate(high[order])
    new = np.concatenate([[False], low[order][1:] >= reach[:-1]])
    lane = np.empty(len(low), dtype=np.int32)
    lane[order] = np.cumsum(new)
    return lane, np.ones(len(low), dtype=np.int32)


def _row_spans(row: IntArray, begins: IntArray, box: BoxArray, *, by_edges: bool) -> IntArray:
    """How many rows each box spans; a text that merely overflows into the next row does not count.

    A cell spans rows if its lower edge is that of the other cells that end in its last row. `begins` is where the boxes
    of each row begin.
    """
    top, bottom = box[:, 1], box[:, 3]
    tops = np.maximum.accumulate(np.minimum.reduceat(top, begins))
    last = np.maximum(tops.searchsorted(bottom - ALIGNED) - 1, row)
    single = last == row
    if single.all():
        return np.ones(len(row), dtype=np.int32)
    ends = np.maximum.reduceat(np.where(single, bottom, -np.inf), begins)[last]
    # If no other cell ends in the last row that a cell extends to, there is nothing to compare it with.
    edge = np.where(np.isfinite(ends), ends, bottom)
    reaches = (np.abs(bottom - edge) <= ALIGNED) | (not by_edges)
    return np.where(reaches | single, last - row + 1, 1).astype(np.int32)


def _without_clashes(grid: CellGrid, taken: npt.NDArray[np.int32]) -> CellGrid:
    """The grid with cells that extend into places of others reduced to their own row."""
    total = np.pad((taken > 1).astype(np.int32).cumsum(axis=0).cumsum(axis=1), ((1, 0), (1, 0)))
    bottom, right = grid.row + grid.row_span, grid.column + grid.column_span
    clash = total[bottom, right] - total[grid.row, right] - total[bottom, grid.column] + total[grid.row, grid.column]
    row_span = np.where(clash > 0, 1, grid.row_span).astype(np.int32)
    return CellGrid(grid.block, grid.box, grid.row, grid.column, row_span, grid.column_span)


# -- the grid that `<table>` markup describes, with spans as the HTML standard resolves them ------------------------
# On a page without layout this is all there is to go by; on a rendered page it is not used for the grid.

WIDEST, TALLEST = 1000, 65534  # what the standard allows
MOST_PLACES = 200_000  # of one table; spans are cut when they would take more
SPAN = re.compile(r"\s*(\d+)")


def markup_grids(page: Page) -> Iterator[tuple[CellGrid, str | None]]:
    """The grid of every table that has one, with the nodes of its cells as `block`, and its caption."""
    cells, rows = _Held.by(page, "tr", page.with_tag("td", "th")), _Held.by(page, "table", page.with_tag("tr"))
    spans, captions = CellSpans(page), _captions(page)  # once: a column of a page costs all of it
    for table in page.with_tag("table"):
        lines, _ = rows.of(table[None])
        block, counts = cells.of(lines)
        if not len(block):
            continue
        row, column, tall, wide = _placed(spans, block, counts, _group_ends(page.parent[lines]))
        box = page.box[block] if page.kind == "pdf" else no_boxes(len(block))
        grid = CellGrid(block, box, row, column, tall, wide)
        if not is_scattered(grid):
            yield grid, captions.get(int(table))


def cell_marks(page: Page) -> BoolArray:
    """Which nodes are headings by their tags: `th`, and all cells in a `thead`."""
    heads = page.mask("thead")
    marked = below(heads, page.end)
    marked[page.with_tag("th")] = True
    return marked


@dataclass(frozen=True, eq=False)
class _Held:
    """The visible ones among some nodes, sorted by the nearest element with a tag around them."""

    node: IntArray
    holder: IndexArray

    @classmethod
    def by(cls, page: Page, tag: str, nodes: IntArray) -> "_Held":
        shown = nodes[page.visible[nodes]]
        holder = nearest(page.parent, page.mask(tag, "table"))[page.parent[shown]]
        order = np.argsort(holder, kind="stable")
        return cls(shown[order], holder[order])

    def of(self, holders: IntArray) -> tuple[IntArray, IndexArray]:
        """The nodes of some holders, one holder after the other, and how many each has."""
        start = np.searchsorted(self.holder, holders)
        counts = np.searchsorted(self.holder, holders, side="right") - start
        first = prefix_sum(counts)
        return self.node[np.repeat(start - first[:-1], counts) + np.arange(first[-1])], counts


_Places: TypeAlias = tuple[IntArray, IntArray, IntArray, IntArray]
"""Row, column, row span and column span of some cells."""


def _placed(spans: "CellSpans", cells: IntArray, counts: IndexArray, ends: IntArray) -> _Places:
    """The places of the cells of some rows, as the standard's algorithm assigns them.

    In most tables no cell spans anything, and the cells of a row follow each other; only rows in which some cell spans
    several places, or into which one from above reaches, are gone through one by one.
    """
    first = prefix_sum(counts)
    row = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    column = (np.arange(len(cells)) - first[row]).astype(np.int32)
    wide, tall = spans.across(cells), spans.down(cells, ends[row] - row)
    if len(cells) < wide.sum() or len(cells) < tall.sum():
        spanned = _spanned_rows(row, tall, wide, len(counts))
        chosen = np.flatnonzero(spanned[row])
        before = prefix_sum(~spanned[row])[chosen]
        asked = zip(*(part.tolist() for part in (row[chosen], tall[chosen], wide[chosen], before)), strict=True)
        column[chosen], tall[chosen], wide[chosen] = np.array(_resolve_spans(asked), dtype=np.int32).T
    return row, column, tall, wide


def _spanned_rows(row: IntArray, tall: IntArray, wide: IntArray, height: int) -> BoolArray:
    """Which rows have a cell that spans several places, or one that reaches into them from above."""
    spanned = np.zeros(height, dtype=bool)
    spanned[row[(tall > 1) | (wide > 1)]] = True
    reach = np.zeros(height, dtype=np.int32)
    np.maximum.at(reach, row[tall > 1], (row + tall)[tall > 1])
    return spanned | (np.maximum.accumulate(reach) > np.arange(height))


def _resolve_spans(asked: Iterable[tuple[int, int, int, int]]) -> list[tuple[int, int, int]]:
    """Column, row span and column span of each cell.

    For each cell its row, the spans that it asks for, and how many cells stand before it in rows that no span touches.
    """
    occupied: set[tuple[int, int]] = set()
    found: list[tuple[int, int, int]] = []
    last, column = -1, 0
    for row, tall, wide, before in asked:
        column = column if row == last else 0
        while (row, column) in occupied:
            column += 1
        room = MOST_PLACES - len(occupied) - before
        wide = max(min(wide, room // tall), 1)
        tall = max(min(tall, room // wide), 1)
        places = {(row + down, column + right) for down in range(tall) for right in range(wide)}
        if places & occupied:  # cells whose spans overlap: the later one keeps to its own place
            wide = tall = 1
            places = {(row, column)}
        occupied |= places
        found.append((column, tall, wide))
        last, column = row, column + wide
    return found


def _group_ends(groups: IntArray) -> IntArray:
    """For each row the index after the last row of its group: no cell extends beyond it."""
    last = np.append(groups[1:] != groups[:-1], True)
    borders = np.flatnonzero(last)
    return (borders[np.searchsorted(borders, np.arange(len(groups)))] + 1).astype(np.int32)


class CellSpans:
    """How many rows and columns the cells of a page say that they take."""

    def __init__(self, page: Page) -> None:
        self._strings = page.strings
        self._down, self._across = page.attribute("rowspan"), page.attribute("colspan")

    def across(self, cells: IntArray) -> IntArray:
        """The columns of some cells, at least 1."""
        return np.clip(self._spans(self._across[cells]), 1, WIDEST)

    def down(self, cells: IntArray, most: IntArray) -> IntArray:
        """The rows of some cells, of which each may take at most so many; 0 means all of these."""
        spans = self._spans(self._down[cells])
        return np.minimum(np.minimum(np.where(spans > 0, spans, most), TALLEST), most)

    def _spans(self, values: IntArray) -> IntArray:
        """Spans as browsers read them, from the numbers of their strings: the digits at the start."""
        spans = np.ones(len(values), dtype=np.int32)
        given = np.flatnonzero(values >= 0)
        read = {value: self._span(value) for value in set(values[given].tolist())}
        spans[given] = [read[value] for value in values[given].tolist()]
        return spans

    def _span(self, value: int) -> int:
        digits = SPAN.match(self._strings[value])
        return int(digits[1][:6]) if digits else 1


def _captions(page: Page) -> dict[int, str | None]:
    """The caption of each table that has one: the first, if it says anything."""
    nodes = page.with_tag("caption")
    found: dict[int, str | None] = {}
    for table, text in zip(page.parent[nodes].tolist(), page.texts_of(nodes), strict=True):
        found.setdefault(table, text or None)
    return found
