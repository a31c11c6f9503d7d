"""Rows of pieces: what stands on one height, and which rows only go on with a cell of another."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from sightline.extract.structure._layout import Line

__all__ = ["MOST_HEADINGS", "Row", "leading_of", "visual_rows", "wrapped"]

LEVEL = 0.5  # of the size: lines whose middles are so close stand in one row
CLOSE = 0.85  # of the usual distance of rows: lines that are closer go on with a cell
LEADING = 1.35  # of the size: lines of one text stand no further apart
HEADING_LEADING = 1.6
MOST_HEADINGS = 6  # lines of text above the first row of numbers
EVEN = 1.07  # how much the distances of the lines of cells may differ among themselves
PARTED = 1.08  # the distance of rows against that of the lines of a cell, where there is room between rows


@dataclass(slots=True)
class Row:
    """Lines on one height, from left to right."""

    lines: list[Line]
    middle: float
    bottom: float


def visual_rows(lines: Iterable[Line]) -> list[Row]:
    """Lines in rows, from top to bottom, each from left to right."""
    rows: list[Row] = []
    for line in sorted(lines, key=lambda line: line.middle):
        row = rows[-1] if rows else None
        if row and line.middle - row.middle < LEVEL * min(line.size, row.lines[0].size):
            row.lines.append(line)
            row.bottom = max(row.bottom, line.y1)
        else:
            rows.append(Row([line], line.middle, line.y1))
    for row in rows:
        row.lines.sort(key=lambda line: line.x0)
    return rows


def wrapped(rows: list[Row], spans: Sequence[tuple[int, int]], columns: int, *, heading: bool, leading: float) -> list[list[Line]]:
    """Rows of text as rows of a table: those that only go on with cells above or begin cells below put to them.

    `leading` is the distance up to which lines belong to one cell in the whole table, where it has room between rows.
    """
    held: list[dict[int, Line]] = []
    place = 0
    for row in rows:
        held.append({spans[place + n][0]: line for n, line in enumerate(row.lines)})
        place += len(row.lines)
    wide = [any(s[1] > s[0] for s in spans[sum(len(r.lines) for r in rows[:k]) : sum(len(r.lines) for r in rows[: k + 1])]) for k in range(len(rows))]
    numbers = [sum(line.is_number for column, line in cells.items() if column > 0) for cells in held]
    body = next((k for k, count in enumerate(numbers) if count and count >= 0.5 * len(held[k].keys() - {0})), 0)
    if heading:
        body = len(rows)
    elif body > MOST_HEADINGS or body > len(rows) / 2:
        body = 0  # numbers are rare in this table, and tell nothing of where it begins
    elif not any(len(cells) > 1 for cells in held[:body]):
        body = 0
    else:
        # labels alone right above the first row of numbers are its first line or name a group of rows
        while body > 1 and set(held[body - 1]) == {0} and any(len(cells) > 1 for cells in held[: body - 1]):
            body -= 1
    steps = [b.middle - a.middle for a, b in zip(rows, rows[1:], strict=False)]
    usual = _usual(rows, held, numbers, body, columns)
    inner = leading_of(steps[body:], rows[0].lines[0].size) or leading
    joins = [False] * len(rows)  # with the row before it
    for k in range(1, len(rows)):
        size = rows[k].lines[0].size
        if k < body:
            joins[k] = not wide[k] and not wide[k - 1] and steps[k - 1] < HEADING_LEADING * size
        elif k > body:
            if inner:
                joins[k] = steps[k - 1] <= inner and not _clash(held, joins, k, columns)
            else:
                joins[k] = _goes_on(held, numbers, steps, k, usual, size, columns)
    found: list[list[Line]] = []
    for row, join in zip(rows, joins, strict=True):
        if join and found:
            found[-1] = [*found[-1], *row.lines]
        else:
            found.append(list(row.lines))
    return found


def _clash(held: list[dict[int, Line]], joins: list[bool], k: int, columns: int) -> bool:
    """Whether a row has a number where the one that it would go on with has one as well."""
    first = k - 1
    while joins[first]:
        first -= 1
    above = {column for cells in held[first:k] for column, line in cells.items() if line.is_number}
    clashes = sum(column in above and line.is_number for column, line in held[k].items() if column > 0)
    return clashes > 1 or (clashes == 1 and len(held[k]) >= 0.6 * columns)


def leading_of(steps: Sequence[float], size: float) -> float:
    """Where lines of one cell are clearly closer than rows, the distance up to which they are; else 0."""
    ordered = sorted(step for step in steps if step > 0.7 * size)
    if len(ordered) < 4:
        return 0.0
    best = 0.0
    found = 0.0
    for place, (before, after) in enumerate(pairwise(ordered), start=1):
        even = before <= EVEN * ordered[0] and before <= 1.6 * size and 2 <= place <= len(ordered) - 2
        if even and after / before > max(best, PARTED) and after - before > 0.8:
            best, found = after / before, (before + after) / 2
    return found


def _usual(rows: list[Row], held: list[dict[int, Line]], numbers: list[int], body: int, columns: int) -> float:
    """How far apart full rows usually are."""
    full = [k for k in range(body, len(rows)) if len(held[k]) >= max(2, columns / 2)]
    steps = [rows[b].middle - rows[a].middle for a, b in zip(full, full[1:], strict=False)]
    return median(steps) if steps else 0.0


def _goes_on(
    held: list[dict[int, Line]], numbers: list[int], steps: list[float], k: int, usual: float, size: float, columns: int
) -> bool:
    """Whether a row of the body belongs to the row above it."""
    mine, above = held[k], held[k - 1]
    step = steps[k - 1]
    close = step < LEADING * size and (not usual or step < CLOSE * usual or len(mine) < len(above))
    if not close:
        return False
    if numbers[k]:
        # the row's numbers may stand beside the last line of a label of several lines
        label = set(above) == {0} and 0 in mine and not numbers[k - 1]
        return label and (not usual or step < CLOSE * usual) and mine[0].x0 >= above[0].x0 - 1
    if len(mine) >= columns * 0.75 and columns > 2:
        return False
    if not set(mine) <= set(above):
        return False
    if usual and step < CLOSE * usual:
        return True
    first = mine.get(0)
    if first is not None and len(mine) == 1:
        return first.text[:1].islower()
    return 0 not in mine
