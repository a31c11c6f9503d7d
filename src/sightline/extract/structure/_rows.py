"""Rows of pieces: what stands on one height, and which rows only go on with a cell of another."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from sightline.extract.structure._layout import Line

__all__ = ["MOST_HEADINGS", "Row", "leading_of", "visual_rows", "wrapped"]

LEVEL = 0.5  # of the size: lines whose middles are so close stand in one row
CLOSE = 0.85  # of the usual distance of rows: lines that are closer go on with a cell
LEADING = 1.35  # of the size: lines of one text stand no further apart
HEADING_LEADING = 1.6  # the same among headings, which are set wider
MOST_HEADINGS = 6  # lines of text above the first row of numbers
EVEN = 1.07  # how much the distances of the lines of cells may differ among themselves
PARTED = 1.08  # the distance of rows against that of the lines of a cell, where there is room between rows
APART = 0.8  # CSS pixels, the same as a difference: less is rounding
NEAR = 1.12  # the distance of such a row against the least of the table
FULL = 0.75  # of the columns: a row with so many cells does not go on with another
HALF = 0.6  # of the columns, for a row with one number that stands below another


@dataclass(slots=True)
class Row:
    """Lines on one height, from left to right."""

    lines: list[Line]
    middle: float
    bottom: float


def visual_rows(lines: Sequence[Line]) -> list[Row]:
    """Lines in rows, from top to bottom, each from left to right."""
    if len(lines) == 1:
        return [Row([lines[0]], lines[0].middle, lines[0].y1)]
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


def leading_of(steps: Sequence[float], size: float) -> float:
    """Where lines of one cell are clearly closer than rows, the distance up to which they are; else 0."""
    ordered = sorted(step for step in steps if step > 0.7 * size)
    best = found = 0.0
    for place, (before, after) in enumerate(pairwise(ordered), start=1):
        even = before <= EVEN * ordered[0] and before <= HEADING_LEADING * size and place <= len(ordered) - 2
        if even and after / before > max(best, PARTED) and after - before > APART:
            best, found = after / before, (before + after) / 2
    return found


def wrapped(
    rows: list[Row], spans: dict[int, tuple[int, int]], columns: int, *, heading: bool | None, leading: float
) -> list[list[Line]]:
    """Rows of text as rows of a table: those that only go on with cells above or begin cells below put to them.

    `spans` are the columns of each piece by its id; `heading` says that all rows are headings or that none is, None
    that some may be; and `leading` is the distance up to which lines belong to one cell in the whole table, where it
    has room between rows.
    """
    band = _Band(rows, spans, columns, leading, heading=heading)
    found: list[list[Line]] = []
    for place, row in enumerate(rows):
        if place and band.joins(place):
            found[-1] = [*found[-1], *row.lines]
        else:
            found.append(list(row.lines))
    return found


class _Band:
    """Rows of text between two lines, and what is told of each: its cells, its numbers, how far it is from the next."""

    def __init__(
        self, rows: list[Row], spans: dict[int, tuple[int, int]], columns: int, leading: float, *, heading: bool | None
    ) -> None:
        self.rows, self.columns = rows, columns
        self.cells = [{spans[id(line)][0]: line for line in row.lines} for row in rows]
        self.wide = [any(spans[id(line)][1] > spans[id(line)][0] for line in row.lines) for row in rows]
        self.numbers = [sum(line.is_number for column, line in one.items() if column > 0) for one in self.cells]
        self.steps = [after.middle - before.middle for before, after in pairwise(rows)]
        self.body = self._body() if heading is None else len(rows) if heading else 0
        self.leading = leading_of(self.steps[self.body :], rows[0].lines[0].size) or leading
        self.usual = self._usual()
        self.joined = [False] * len(rows)

    def _body(self) -> int:
        """Where the rows begin that are no headings: at the first with numbers, if that comes soon enough to tell."""
        cells, numbers = self.cells, self.numbers
        rich = min(self.columns, max(map(len, cells))) / 2  # the last lines of wrapped cells may be numbers as well
        told = (k for k, count in enumerate(numbers) if count and count >= 0.5 * len(cells[k].keys() - {0}))
        body = next((k for k in told if len(cells[k]) >= rich), 0)
        if body > MOST_HEADINGS or body > len(cells) / 2 or not any(len(one) > 1 for one in cells[:body]):
            return 0
        # labels alone right above the first row of numbers are its first line, or name a group of rows
        while body > 1 and set(cells[body - 1]) == {0} and any(len(one) > 1 for one in cells[: body - 1]):
            body -= 1
        return body

    def _usual(self) -> float:
        """How far apart full rows usually are."""
        full = [k for k in range(self.body, len(self.rows)) if len(self.cells[k]) >= max(2, self.columns / 2)]
        steps = [self.rows[after].middle - self.rows[before].middle for before, after in pairwise(full)]
        return median(steps) if steps else 0.0

    def joins(self, k: int) -> bool:
        """Whether a row belongs to the one before it."""
        size = self.rows[k].lines[0].size
        if k < self.body:
            join = not self.wide[k] and not self.wide[k - 1] and self.steps[k - 1] < HEADING_LEADING * size
        elif k == self.body:
            join = False
        elif self.leading:
            join = self.steps[k - 1] <= self.leading and not self._clashes(k) and not self._is_full(k)
        else:
            join = self._goes_on(k, size)
        self.joined[k] = join
        return join

    def _is_full(self, k: int) -> bool:
        """Whether a row fills more columns than the one that it would go on with: wrapped rows fill fewer and fewer."""
        return len(self.cells[k]) > len(self.cells[k - 1]) and self.numbers[k] == 0 and set(self.cells[k - 1]) != {0}

    def _clashes(self, k: int) -> bool:
        """Whether a row has numbers where the one that it would go on with has some as well."""
        first = k - 1
        while self.joined[first]:
            first -= 1
        above = {column for one in self.cells[first:k] for column, line in one.items() if line.is_number}
        clashes = sum(column in above and line.is_number for column, line in self.cells[k].items() if column > 0)
        return clashes > 1 or (clashes == 1 and len(self.cells[k]) >= HALF * self.columns)

    def _is_rest(self, k: int) -> bool:
        """Whether a row fills a few of the columns of the row that it would go on with, and not the first."""
        first = k - 1
        while self.joined[first]:
            first -= 1
        mine, above = self.cells[k], self.cells[first]
        few = 0 in above and 0 not in mine and len(mine) <= HALF * len(above) and set(mine) <= set(above)
        return few and self.steps[k - 1] <= NEAR * min(self.steps)

    def _goes_on(self, k: int, size: float) -> bool:
        """Whether a row goes on with the one above, where all rows are equally far apart."""
        mine, above, step = self.cells[k], self.cells[k - 1], self.steps[k - 1]
        if self._is_rest(k):
            return True
        nearer = not self.usual or step < CLOSE * self.usual
        if step >= LEADING * size or not (nearer or len(mine) < len(above)):
            return False
        if self.numbers[k]:
            # the row's numbers may stand beside the last line of a label of several lines
            return set(above) == {0} and 0 in mine and nearer and mine[0].x0 >= above[0].x0 - 1
        if (len(mine) >= FULL * self.columns and self.columns > 2) or not set(mine) <= set(above):
            return False
        if self.usual and nearer:
            return True
        return mine[0].text[:1].islower() if set(mine) == {0} else 0 not in mine
