"""A grid of cells: which rows and columns each box takes, found by superimposing the lines of all boxes.

This is the tiling of VENTrec: the boxes of a table are mutually exclusive, and together with its holes they fill the
rectangle. Boxes come in lines (boxes side by side); columns come from the places where boxes start.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyFloats, IntArray
from sightline.geometry import Box, BoxArray, union

__all__ = ["ALIGNED", "CellGrid", "GridFacts", "clusters", "is_scattered", "tile"]

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
