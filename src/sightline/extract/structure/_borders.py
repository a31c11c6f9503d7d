"""Step 7a: the borders of rows and columns in an area that may be a table.

Drawn lines make borders of columns and of bands; between drawn borders, the white between pieces makes more columns. A
band holds one or more rows of the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from sightline.arrays import AnyFloats, BoolArray
from sightline.extract.structure._columns import PrintedColumn, columns_of, gutters
from sightline.extract.structure._edges import Edges
from sightline.extract.structure._printed_line import LineRow, PrintedLine, lines_of, rows_of
from sightline.geometry import Box

__all__ = ["DrawnCell", "PrintedGrid", "drawn_cells", "grid_of"]

# Measured: F1 is the same from 2.5 to 10; without it (0) F1 is 0.927, at 20 it is 0.940.
SAME = 5.0  # CSS pixels: borders this close are one, drawn as a double line or as the sides of two fills
# Measured: F1 is the same from 0.3 to 0.8; 0.988 where any line parts (0), 0.931 where none does (1.2).
COVERS = 0.6  # share of the side of a cell that a line must cover to part it from the next
BEYOND = 8.0  # CSS pixels: an edge counts only if it reaches this far into the area
FIRM = 0.5  # share of the rows: white parts a drawn column only if so many rows have a piece on both sides of it


@dataclass(frozen=True, eq=False)
class PrintedGrid:
    """Where the borders of an area lie, and along which parts of them a line is drawn."""

    xs: list[float]  # borders of columns, with both ends
    ys: list[float]  # borders of bands, with both ends
    upright: BoolArray  # (bands, columns - 1): something parts column c from c + 1 in this band
    level: BoolArray  # (bands - 1, columns): a line parts band b from b + 1 in this column
    drawn: list[bool]  # for each inner border of columns, whether it is a drawn line; if not, it is white
    closed: tuple[bool, bool]  # whether a line is drawn above the first band, and below the last

    @property
    def bands(self) -> int:
        """How many bands there are."""
        return len(self.ys) - 1

    @property
    def columns(self) -> int:
        """How many columns there are."""
        return len(self.xs) - 1


def grid_of(box: Box, rows: Sequence[LineRow], edges: Edges) -> PrintedGrid:
    """The borders of an area with some rows of lines in it."""
    x0, y0, x1, y1 = box
    across, down = _near(edges.across, (y0, y1), (x0, x1)), _near(edges.down, (x0, x1), (y0, y1))
    ys, xs = _places(across[:, 0].tolist(), y0, y1), _places(down[:, 0].tolist(), x0, x1)
    xs, ys = _with_text(xs, ys, rows)
    used: list[bool] = np.any(_drawn_along(xs, ys, down), axis=0).tolist()
    xs = [xs[0], *(x for x, is_drawn in zip(xs[1:-1], used, strict=True) if is_drawn), xs[-1]]
    xs, drawn = _with_white(xs, rows)
    upright = _drawn_along(xs, ys, down)
    upright[:, [not is_drawn for is_drawn in drawn]] = True  # white parts columns in every band
    above, below = (bool((np.abs(across[:, 0] - y) < SAME).any()) for y in (ys[0], ys[-1]))
    return PrintedGrid(xs, ys, upright, _drawn_along(ys, xs, across).T, drawn, (above, below))


def _near(edges: AnyFloats, ends: tuple[float, float], sides: tuple[float, float]) -> AnyFloats:
    """The edges that lie between two ends and reach far enough between two sides."""
    inside = (edges[:, 0] > ends[0] - SAME) & (edges[:, 0] < ends[1] + SAME)
    inside &= np.minimum(edges[:, 2], sides[1]) - np.maximum(edges[:, 1], sides[0]) > BEYOND
    found: AnyFloats = edges[inside]
    return found


def _places(values: list[float], first: float, last: float) -> list[float]:
    """Borders in order between two ends, those close together as one.

    >>> _places([52.0, 50.0, 99.0], 0.0, 100.0)
    [0.0, 50.0, 100.0]
    """
    found = [first]
    for value in sorted(values):
        if value - found[-1] >= SAME:
            found.append(value)
    if last - found[-1] >= SAME or len(found) == 1:
        return [*found, last]
    return [*found[:-1], last]


def _with_text(xs: list[float], ys: list[float], rows: Sequence[LineRow]) -> tuple[list[float], list[float]]:
    """The borders without outer ones that have no text between them and the next, as shadows and double frames do."""
    lines = lines_of(rows)
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    top, bottom = min(line.middle for line in lines), max(line.middle for line in lines)
    while len(xs) > 2 and xs[1] <= left + 1:
        xs = xs[1:]
    while len(xs) > 2 and xs[-2] >= right - 1:
        xs = xs[:-1]
    while len(ys) > 2 and ys[1] <= top:
        ys = ys[1:]
    while len(ys) > 2 and ys[-2] >= bottom:
        ys = ys[:-1]
    return xs, ys


def _drawn_along(borders: list[float], stretches: list[float], edges: AnyFloats) -> BoolArray:
    """Along which stretches (rows) of each inner border (columns) an edge is drawn."""
    found = np.zeros((max(len(borders) - 2, 0), len(stretches) - 1), dtype=bool)
    ends = np.array(stretches)
    low, high = ends[:-1], ends[1:]
    near = np.abs(edges[:, 0] - np.array(borders[1:-1])[:, None]) < SAME
    border, edge = np.nonzero(near)
    start, end = edges[edge, 1, None], edges[edge, 2, None]
    covered = np.minimum(high, end) - np.maximum(low, start) >= COVERS * (high - low)
    np.logical_or.at(found, border, covered)
    return found.T


def _with_white(xs: list[float], rows: Sequence[LineRow]) -> tuple[list[float], list[bool]]:
    """The borders with those that white makes inside drawn columns; for each inner one whether it is drawn."""
    drawn = len(xs) > 2
    lines = lines_of(rows)
    white: list[float] = []
    for left, right in pairwise(xs):
        inside = _between(lines, left, right)
        within = rows if len(inside) == len(lines) else rows_of(inside)
        columns = columns_of(within)
        white += gutters(_firm(columns, len(within)) if drawn else columns)
    both = sorted([*((x, True) for x in xs[1:-1]), *((x, False) for x in white)])
    return [xs[0], *(x for x, _ in both), xs[-1]], [is_drawn for _, is_drawn in both]


def _between(lines: Sequence[PrintedLine], left: float, right: float) -> list[PrintedLine]:
    """The lines that stand between two borders and do not jut out over them."""
    first, last, start, stop = left - 1, right + 1, left - SAME, right + SAME
    return [line for line in lines if line.x0 > start and line.x1 < stop and first <= (line.x0 + line.x1) / 2 <= last]


def _firm(columns: list[PrintedColumn], rows: int) -> list[PrintedColumn]:
    """Columns inside a drawn one, joined where few rows have both: where lines are drawn, they part most columns."""
    firm: list[PrintedColumn] = []
    for column in columns:
        both = len(firm[-1].rows & column.rows) if firm else 0
        if firm and (both < 2 or both < FIRM * rows):
            firm[-1] = replace(firm[-1], x1=max(firm[-1].x1, column.x1), rows=firm[-1].rows | column.rows)
        else:
            firm.append(column)
    return firm


# Step 7e: the cells that drawn lines enclose: places of the grid with nothing between them are one cell.

DrawnCell: TypeAlias = tuple[int, int, int, int]
"""First and last band, first and last column."""

Place: TypeAlias = tuple[int, int]


def drawn_cells(grid: PrintedGrid) -> dict[Place, DrawnCell]:
    """For each band and column the cell around it."""
    root = {(band, column): (band, column) for band in range(grid.bands) for column in range(grid.columns)}

    def find(place: Place) -> Place:
        while root[place] != place:
            place = root[place]
        return place

    for band, column in np.argwhere(~grid.upright).tolist():
        root[find((band, column + 1))] = find((band, column))
    for band, column in np.argwhere(~grid.level).tolist():
        root[find((band + 1, column))] = find((band, column))
    groups: dict[Place, list[Place]] = {}
    for place in root:
        groups.setdefault(find(place), []).append(place)
    return {place: cell for group in groups.values() for cell in [_hull(group)] for place in group}


def _hull(places: list[Place]) -> DrawnCell:
    if len(places) == 1:  # as most are
        ((band, column),) = places
        return band, band, column, column
    bands, columns = zip(*places, strict=True)
    return min(bands), max(bands), min(columns), max(columns)
