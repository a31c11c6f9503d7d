"""Step 7b: the columns and the band of the grid that each line of an area stands in."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import attrgetter

from sightline.extract.structure._borders import PrintedGrid
from sightline.extract.structure._column_span import Extent, Span, Spans
from sightline.extract.structure._drawn_cells import DrawnCell, drawn_cells
from sightline.extract.structure._edges import Edges
from sightline.extract.structure._line_rows import LineRow, lines_of
from sightline.extract.structure._printed_line import PrintedLine
from sightline.extract.structure._spanning_headings import spread_headings
from sightline.extract.structure._wrapped_cells import MOST_HEADINGS

__all__ = ["PlacedLines", "beside_first", "place_lines"]

SLACK = 0.3  # of the size of the type: a line that reaches no further into a column does not stand in it
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
