"""Step 7c: headings over several columns, known by the line drawn below them or by standing over the middle of these.

Distances are in multiples of the size of the type.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise, product

import numpy as np

from sightline.extract.structure._column_span import Extent, Span, Spans
from sightline.extract.structure._edges import Edges
from sightline.extract.structure._line_rows import LineRow
from sightline.extract.structure._printed_line import PrintedLine

__all__ = ["spread_headings"]

# Measured: F1 is the same at 0.8 and at 3.2.
OFF_CENTRE = 1.6  # how far the middle of a heading may lie from that of its columns
TILED = 0.75  # share of the columns beside the first that headings without lines below them must cover together
CLOSE = 1.5  # the lines of a heading of several lines are no further apart
EVEN = 0.35  # how far the ends or middles of these lines may differ
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
    return any(abs(offset) < EVEN * line.size for offset in offsets)


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
