"""Step 7b: the columns and the band of the grid that each line of an area stands in."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product
from operator import attrgetter
from typing import TypeAlias

import numpy as np

from sightline.arrays import AnyFloats, BoolArray
from sightline.extract.structure._layout import Edges
from sightline.extract.structure._printed_line import Extent, LineRow, PrintedLine, Span, Spans, lines_of, rows_of
from sightline.extract.structure._white_runs import PrintedColumn, columns_of, gutters
from sightline.geometry import Box

# -- the borders of rows and columns in an area that may be a table -------------------------------------------------
# Drawn lines make borders of columns and of bands; between drawn borders, the white between pieces makes more columns.
# A band holds one or more rows of the table.

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


# -- the columns and the band of the grid that each line of an area stands in ---------------------------------------

SLACK = 0.3  # of the size of the type: a line that reaches no further into a column does not stand in it
MOST_HEADINGS = 6  # rows of text above the first row of numbers
CENTRED = 0.8  # of the size of the type: how far the middle of such a line may lie from that of the table
EVEN = 0.2  # of the size of the type: how far the sides of a line may lie from those of a column that it is even with
FEWEST_GROUPS = 1  # lines alone over the middle of a table, unless they stand across columns


@dataclass(frozen=True, eq=False)
class PlacedLines:
    """The lines of an area in its grid: their columns (`spans`), their bands, and how far each column reaches."""

    grid: PrintedGrid
    rows: Sequence[LineRow]
    lines: list[PrintedLine]  # from top to bottom, those of one height from left to right
    spans: Spans
    bands: dict[PrintedLine, int]

    @cached_property
    def drawn_cells(self) -> dict[tuple[int, int], DrawnCell]:
        """For each band and column the cell that lines draw around it."""
        return drawn_cells(self.grid)

    @property
    def extents(self) -> list[Extent]:
        """How far the texts of each column reach."""
        return _extents(self.grid, self.lines, self.spans)


def place_lines(grid: PrintedGrid, rows: Sequence[LineRow], edges: Edges) -> PlacedLines:
    """The lines of an area in the columns and bands of its grid; headings may stand over several columns."""
    lines = sorted(lines_of(rows), key=attrgetter("middle", "x0"))
    bands = {line: _band_of(grid, line) for line in lines}
    spans = _apart(rows, {line: _columns_of(grid, line, bands[line]) for line in lines})
    spans |= dict.fromkeys(_over_all(grid, rows, spans), (0, grid.columns - 1))
    if not any(_is_parted(grid, bands[row.lines[0]]) for row in rows[:MOST_HEADINGS]):
        spans = spread_headings(rows, _first_numbers(rows, spans), spans, _extents(grid, lines, spans), edges)
    return PlacedLines(grid, rows, lines, spans, bands)


def _over_all(grid: PrintedGrid, rows: Sequence[LineRow], spans: Spans) -> list[PrintedLine]:
    """The lines that stand alone over the middle of the table, between its rows: each names those below it.

    A line alone may also be the rest of a cell in the middle column. It is even with that column then.
    """
    first = next((place for place, row in enumerate(rows) if len(row.lines) > 1), 0)
    alone = [row.lines[0] for row in rows[first:] if len(row.lines) == 1]
    if not alone or grid.columns < 2 or any(grid.drawn):
        return []
    held = [line for row in rows if len(row.lines) > 1 for line in row.lines]
    if not held:
        return []
    middle = (min(line.x0 for line in held) + max(line.x1 for line in held)) / 2
    lefts, rights = [line.x0 for line in held], [line.x1 for line in held]
    found = []
    for line in alone:
        slack = EVEN * line.size
        if abs(line.centre - middle) > CENTRED * line.size:
            continue
        if sum(abs(x - line.x0) < slack for x in lefts) < 2 and sum(abs(x - line.x1) < slack for x in rights) < 2:
            found.append(line)
    crossing = [line for line in found if spans[line][1] > spans[line][0]]
    return found if len(found) >= FEWEST_GROUPS else crossing


def beside_first(lines: Sequence[PrintedLine], spans: Spans) -> list[PrintedLine]:
    """The lines that do not begin in the first column, which holds the labels of rows."""
    return [line for line in lines if spans[line][0] > 0]


def _band_of(grid: PrintedGrid, line: PrintedLine) -> int:
    return min(max(bisect_right(grid.ys, line.middle) - 1, 0), grid.bands - 1)


def _columns_of(grid: PrintedGrid, line: PrintedLine, band: int) -> Span:
    """The columns that a line stands in: the one with most of it, or several with white between them."""
    xs, slack, x0, x1 = grid.xs, SLACK * line.size, line.x0, line.x1
    covered: list[int] = []
    if x1 - x0 > slack:  # the width that they share is the least of these differences
        sides = enumerate(pairwise(xs))
        covered = [c for c, (a, b) in sides if b - x0 > slack and x1 - a > slack and b - a > slack]
    home = min(max(bisect_right(xs, line.centre) - 1, 0), grid.columns - 1)
    if not covered:
        return home, home
    first, last = covered[0], covered[-1]
    while last > first and any(grid.drawn[c] and grid.upright[band, c] for c in range(first, last)):
        # no cell crosses a drawn line: text that juts out over it belongs where most of it is
        first, last = (first + 1, last) if home > first else (first, last - 1)
    return first, last


def _apart(rows: Sequence[LineRow], spans: Spans) -> Spans:
    """The spans, with pieces side by side in cells of their own wherever there are columns enough for both."""
    found = dict(spans)
    for row in rows:
        for left, right in pairwise(row.lines):
            (first, last), (start, stop) = found[left], found[right]
            if last < start:
                continue
            if last < stop:
                found[right] = (last + 1, stop)
            elif first < start:
                found[left] = (first, start - 1)
    return found


def _is_parted(grid: PrintedGrid, band: int) -> bool:
    """Whether upright lines are drawn in a band: then they show what a heading stands over."""
    return bool(grid.upright[band, grid.drawn].any())


def _first_numbers(rows: Sequence[LineRow], spans: Spans) -> int:
    """The first row with many pieces of which most beside the first column are numbers; 0 if it comes late."""
    rich = max(len(row.lines) for row in rows) / 2
    for place, row in enumerate(rows[:MOST_HEADINGS]):
        beside = beside_first(row.lines, spans)
        if beside and len(row.lines) >= rich and 2 * sum(line.is_number for line in beside) >= len(beside):
            return place
    return 0


def _extents(grid: PrintedGrid, lines: Sequence[PrintedLine], spans: Spans) -> list[Extent]:
    """How far the texts of each column reach; a column without texts of its own reaches from border to border."""
    found = list(pairwise(grid.xs))
    inside: dict[int, list[PrintedLine]] = {}
    for line in lines:
        first, last = spans[line]
        if first == last:
            inside.setdefault(first, []).append(line)
    for column, held in inside.items():
        found[column] = (min(line.x0 for line in held), max(line.x1 for line in held))
    return found


# Step 7c: headings over several columns, known by the line drawn below them or by standing over the middle of these.
#
# Distances are in multiples of the size of the type.

# Measured: F1 is the same at 0.8 and at 3.2.
OFF_CENTRE = 1.6  # how far the middle of a heading may lie from that of its columns
TILED = 0.75  # share of the columns beside the first that headings without lines below them must cover together
CLOSE = 1.5  # the lines of a heading of several lines are no further apart
EVEN_HEADINGS = 0.35  # how far the ends or middles of these lines may differ
UNDER = 0.5  # share of a column that the line below a heading must cover


def spread_headings(rows: Sequence[LineRow], body: int, spans: Spans, columns: Sequence[Extent], edges: Edges) -> Spans:
    """The spans of all lines, with those of headings above row `body`, the first row of numbers, widened."""
    found = dict(spans)
    for place, (row, below) in enumerate(pairwise(rows[: body + 1])):
        under = _covered(found[line] for later in rows[place + 1 : body + 1] for line in later.lines)
        if len(row.lines) >= len(under):
            continue
        drawn = {line: _over_line(line, row, below.middle, columns, edges, found[line]) for line in row.lines}
        found |= {line: span for line, span in drawn.items() if span is not None}
        if all(span is not None or found[line][0] == 0 for line, span in drawn.items()):
            continue
        found |= _shared_out(row, below, found, columns, under) or _tiled(row, below, found, columns, under)
    return found


def _covered(spans: Iterable[Span]) -> set[int]:
    """All columns that some spans cover."""
    return {column for first, last in spans for column in range(first, last + 1)}


# ------------------------------------------------------------------ by the line below


def _over_line(
    line: PrintedLine, row: LineRow, lowest: float, columns: Sequence[Extent], edges: Edges, span: Span
) -> Span | None:
    """The columns below the line drawn right below a heading, if it is drawn below this heading only."""
    across, centre = edges.across, line.centre
    near = across[
        (across[:, 0] > line.middle) & (across[:, 0] < lowest) & (across[:, 1] < centre) & (across[:, 2] > centre)
    ]
    if len(near) != 1:
        return None
    _, start, end = near[0].tolist()
    if any(start < other.centre < end for other in row.lines if other is not line):
        return None
    over = [c for c, (x0, x1) in enumerate(columns) if min(end, x1) - max(start, x0) > UNDER * max(x1 - x0, 1.0)]
    if not over or over[-1] - over[0] + 1 >= len(columns):
        return None
    first, last = min(over[0], span[0]), max(over[-1], span[1])
    return (first, last) if last > first else None


# ------------------------------------------------------------------ by the middle, all columns shared out


def _shared_out(row: LineRow, below: LineRow, spans: Spans, columns: Sequence[Extent], under: set[int]) -> Spans | None:
    """All columns beside the first shared out among the headings of a row, each over the middle of its stretch.

    There are many ways to part the columns into as many stretches as there are headings. The best is the one whose
    worst heading is least off the middle of its stretch.
    """
    heads = [line for line in row.lines if spans[line][0] > 0]
    last = len(columns) - 1
    if not heads or len(heads) * 2 > last or not set(range(1, last + 1)) <= under:
        return None
    if len(heads) == 1 and _begins_cells_below(heads, below, spans):
        return None
    ways: dict[int, tuple[float, list[Span]]] = {1: (0.0, [])}  # by the column that the next stretch begins with
    for place, line in enumerate(heads):
        ends = [last] if place + 1 == len(heads) else range(spans[line][1], spans[heads[place + 1]][0])
        ways = _further(ways, line, spans[line], ends, columns)
    worst, stretches = ways.get(last + 1, (np.inf, []))
    return None if worst > OFF_CENTRE else dict(zip(heads, stretches, strict=True))


def _further(
    ways: dict[int, tuple[float, list[Span]]],
    line: PrintedLine,
    span: Span,
    ends: Iterable[int],
    columns: Sequence[Extent],
) -> dict[int, tuple[float, list[Span]]]:
    """The best ways to share out columns after one more heading, by the column that the next stretch begins with."""
    found: dict[int, tuple[float, list[Span]]] = {}
    for (start, (worst, stretches)), end in product(ways.items(), ends):
        if not start <= span[0] <= span[1] <= end or end == start:
            continue
        off = max(worst, _off_centre(line, (start, end), columns))
        if end + 1 not in found or off < found[end + 1][0]:
            found[end + 1] = (off, [*stretches, (start, end)])
    return found


def _off_centre(line: PrintedLine, span: Span, columns: Sequence[Extent]) -> float:
    """How far the middle of a heading lies from that of its columns."""
    return abs((columns[span[0]][0] + columns[span[1]][1]) / 2 - line.centre) / line.size


# ------------------------------------------------------------------ by the middle, heading by heading


def _tiled(row: LineRow, below: LineRow, spans: Spans, columns: Sequence[Extent], under: set[int]) -> Spans:
    """Each heading of a row over as many columns as its middle allows; empty unless they cover most columns so."""
    found = _widest_spans(row, spans, columns, under)
    covered = _covered(found.values()) - {0}
    several = all(last > first for first, last in found.values() if first > 0)
    if len(covered) < TILED * (len(columns) - 1) or not several or _begins_cells_below(row.lines, below, spans):
        return {}
    return found


def _begins_cells_below(lines: Sequence[PrintedLine], below: LineRow, spans: Spans) -> bool:
    """Whether all lines are the first lines of those right below them: set close, and even with them."""
    return all(any(_is_above(line, other, spans) for other in below.lines) for line in lines)


def _is_above(line: PrintedLine, other: PrintedLine, spans: Spans) -> bool:
    if spans[line] != spans[other] or other.middle - line.middle > CLOSE * line.size:
        return False
    offsets = (line.x0 - other.x0, line.x1 - other.x1, line.centre - other.centre)
    return any(abs(offset) < EVEN_HEADINGS * line.size for offset in offsets)


def _widest_spans(row: LineRow, spans: Spans, columns: Sequence[Extent], under: set[int]) -> Spans:
    """Each heading of a row over as many columns as its middle allows, up to its neighbours."""
    found: Spans = {}
    least = 1  # the first column that the heading to the left leaves free
    for line, after in pairwise((*row.lines, None)):
        assert line is not None
        most = spans[after][0] - 1 if after is not None else len(columns) - 1
        found[line] = spans[line] if spans[line][0] == 0 else _widest(line, spans[line], (least, most), columns, under)
        least = max(spans[line][1], found[line][1]) + 1
    return found


def _widest(line: PrintedLine, span: Span, bounds: Span, columns: Sequence[Extent], under: set[int]) -> Span:
    """The most columns over whose middle a heading stands, all of them filled in the rows below."""
    least, most = bounds
    best = span
    for first, last in product(range(min(least, span[0]), span[0] + 1), range(span[1], max(most, span[1]) + 1)):
        if last - first <= best[1] - best[0] or not set(range(first, last + 1)) <= under:
            continue
        if abs((columns[first][0] + columns[last][1]) / 2 - line.centre) < OFF_CENTRE * line.size:
            best = (first, last)
    return best
