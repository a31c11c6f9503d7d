"""Headings over several columns: told by the line drawn below them, or by standing over the middle of their columns."""

from collections.abc import Sequence
from itertools import pairwise, product
from typing import TypeAlias

import numpy as np

from sightline.extract.structure._edges import Edges
from sightline.extract.structure._layout import Line
from sightline.extract.structure._rows import Row

__all__ = ["spread_headings"]

Span: TypeAlias = tuple[int, int]
Extent: TypeAlias = tuple[float, float]

OFF_CENTRE = 1.6  # of the size: how far the middle of a heading may lie from that of its columns
TILED = 0.75  # of the columns beside the first: how many headings without lines below them must cover together
CLOSE = 1.5  # of the size: the lines of a heading of several lines stand no further apart
EVEN = 0.35  # of the size: how even their ends or middles are
UNDER = 0.5  # of a column: how much of it the line below a heading covers


def spread_headings(
    rows: Sequence[Row], body: int, spans: dict[int, Span], columns: Sequence[Extent], edges: Edges
) -> dict[int, Span]:
    """The spans of pieces, by their ids, with those of headings above the first row of numbers widened."""
    found = dict(spans)
    for place, (row, below) in enumerate(pairwise(rows[: body + 1])):
        under = [found[id(line)] for later in rows[place + 1 : body + 1] for line in later.lines]
        filled = {c for first, last in under for c in range(first, last + 1)}
        if len(row.lines) >= len(filled):
            continue
        drawn = {id(line): _by_line(line, row, below.middle, columns, edges, found[id(line)]) for line in row.lines}
        found |= {key: span for key, span in drawn.items() if span is not None}
        if all(span is not None or found[key][0] == 0 for key, span in drawn.items()):
            continue
        shared = _shared_out(row, below, found, columns, filled)
        if shared is None:
            shared = _by_middle(row, found, columns, filled)
            covered = {c for first, last in shared.values() for c in range(first, last + 1)} - {0}
            several = all(last > first for first, last in shared.values() if first > 0)
            if len(covered) < TILED * (len(columns) - 1) or not several or _goes_on(row, below, found):
                continue
        found |= shared
    return found


def _goes_on(row: Row, below: Row, spans: dict[int, Span]) -> bool:
    """Whether all pieces of a row are the first lines of those right below them: set close, and even with them."""
    return all(any(_is_above(line, other, spans) for other in below.lines) for line in row.lines)


def _is_above(line: Line, other: Line, spans: dict[int, Span]) -> bool:
    if spans[id(line)] != spans[id(other)] or other.middle - line.middle > CLOSE * line.size:
        return False
    even = EVEN * line.size
    middles = abs(line.x0 + line.x1 - other.x0 - other.x1) / 2
    return abs(line.x0 - other.x0) < even or abs(line.x1 - other.x1) < even or middles < even


def _shared_out(
    row: Row, below: Row, spans: dict[int, Span], columns: Sequence[Extent], filled: set[int]
) -> dict[int, Span] | None:
    """All columns beside the first given out among the headings of a row, each over the middle of its own.

    Of all ways to part the columns in as many stretches as there are headings, the one is taken in which the heading
    that is farthest off the middle of its stretch is least so.
    """
    heads = [line for line in row.lines if spans[id(line)][0] > 0]
    last = len(columns) - 1
    if not heads or len(heads) * 2 > last or not set(range(1, last + 1)) <= filled:
        return None
    if len(heads) == 1 and _goes_on(Row(heads, row.middle, row.bottom), below, spans):
        return None
    ways: dict[int, tuple[float, list[Span]]] = {1: (0.0, [])}  # by the column that the next stretch begins with
    for place, line in enumerate(heads):
        ends = [last] if place + 1 == len(heads) else range(spans[id(line)][1], spans[id(heads[place + 1])][0])
        further: dict[int, tuple[float, list[Span]]] = {}
        for start, (worst, given) in ways.items():
            for end in ends:
                if not start <= spans[id(line)][0] <= spans[id(line)][1] <= end or end == start:
                    continue
                off = abs((columns[start][0] + columns[end][1]) / 2 - (line.x0 + line.x1) / 2) / line.size
                way = (max(worst, off), [*given, (start, end)])
                if end + 1 not in further or way[0] < further[end + 1][0]:
                    further[end + 1] = way
        ways = further
    worst, given = ways.get(last + 1, (np.inf, []))
    if worst > OFF_CENTRE:
        return None
    return {id(line): span for line, span in zip(heads, given, strict=True)}


def _by_line(line: Line, row: Row, lowest: float, columns: Sequence[Extent], edges: Edges, span: Span) -> Span | None:
    """The columns above which a line is drawn right below a heading, if it is drawn below this one only."""
    across = edges.across
    near = across[
        (across[:, 0] > line.middle)
        & (across[:, 0] < lowest)
        & (across[:, 1] < (line.x0 + line.x1) / 2)
        & (across[:, 2] > (line.x0 + line.x1) / 2)
    ]
    if len(near) != 1:
        return None
    _, start, end = near[0].tolist()
    if any(start < (other.x0 + other.x1) / 2 < end for other in row.lines if other is not line):
        return None
    over = [c for c, (x0, x1) in enumerate(columns) if min(end, x1) - max(start, x0) > UNDER * max(x1 - x0, 1.0)]
    if not over or over[-1] - over[0] + 1 >= len(columns):
        return None
    first, last = min(over[0], span[0]), max(over[-1], span[1])
    return (first, last) if last > first else None


def _by_middle(row: Row, spans: dict[int, Span], columns: Sequence[Extent], filled: set[int]) -> dict[int, Span]:
    """Each heading of a row over as many columns as its middle allows, up to its neighbours."""
    found: dict[int, Span] = {}
    for place, line in enumerate(row.lines):
        first, last = spans[id(line)]
        if first == 0:
            found[id(line)] = (first, last)
            continue
        least = (max(spans[id(row.lines[place - 1])][1], found[id(row.lines[place - 1])][1]) + 1) if place else 1
        most = spans[id(row.lines[place + 1])][0] - 1 if place + 1 < len(row.lines) else len(columns) - 1
        found[id(line)] = _widest(line, (first, last), max(least, 1), most, columns, filled)
    return found


def _widest(line: Line, span: Span, least: int, most: int, columns: Sequence[Extent], filled: set[int]) -> Span:
    """The most columns around a heading over whose middle it stands, all of them filled in the row below."""
    middle = (line.x0 + line.x1) / 2
    best = span
    for first, last in product(range(min(least, span[0]), span[0] + 1), range(span[1], max(most, span[1]) + 1)):
        if last - first <= best[1] - best[0] or not set(range(first, last + 1)) <= filled:
            continue
        if abs((columns[first][0] + columns[last][1]) / 2 - middle) < OFF_CENTRE * line.size:
            best = (first, last)
    return best
