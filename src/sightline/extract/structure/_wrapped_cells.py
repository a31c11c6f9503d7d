"""Which rows of text only continue the cells of the row above, where no line is drawn between them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from sightline.extract.structure._printed_line import LineRow, PrintedLine, Spans

CLOSE = 0.85  # of the usual distance of rows: lines that are closer continue a cell
# Measured: F1 is the same from 0.68 to 2.7.
LEADING = 1.35  # of the size of the type: lines of one text are no further apart
HEADING_LEADING = 1.6  # the same among headings, which are set wider
MOST_HEADINGS = 6  # lines of text above the first row of numbers
SHORTEST_STEP = 0.7  # of the size of the type: closer lines are an index or overprinted, and prove nothing
EVEN = 1.25  # how much the distances of the lines of cells may differ from each other
PARTED = 1.08  # the distance of rows, as a multiple of that of the lines of a cell, where rows have room between them
APART = 0.8  # CSS pixels, the same as a difference: less is rounding
NEAR = 1.12  # the distance of a row that continues another, as a multiple of the least in the table
FULL = 0.75  # share of the columns: a row with so many cells does not continue another
HALF = 0.6  # share of the columns, for a row with one number that stands below another
FIRM, FEWEST_VALUES = (
    0.7,
    4,
)  # share of the pieces of a column of numbers that are numbers, and how many it has at least
YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
EXPECTED_NUMBERS = 0.5  # share of the cells beside the first that are numbers in the first row below the headings


@dataclass(frozen=True, eq=False)
class _Band:
    """Rows of text with no line between them, and what decides whether a row continues the one above.

    `cells` are the lines of each row by their first column; `wide` says which rows have a cell over several columns,
    `whole` which over all; `numbers` counts the numbers beside the first column; `steps` are the distances from each
    row to the next; `body` is the first row below the headings; lines no further apart than `leading` belong to one
    cell (0 where rows have no room between them); `usual` is the distance of full rows.
    """

    sizes: list[float]
    columns: int
    cells: list[dict[int, PrintedLine]]
    wide: list[bool]
    whole: list[bool]
    numbers: list[int]
    steps: list[float]
    body: int
    leading: float
    usual: float


def leading_of(steps: Sequence[float], size: float) -> float:
    """Where the lines of one cell are clearly closer than rows, the distance up to which they are; otherwise 0.

    >>> leading_of([12, 12, 20, 12, 20, 20], size=10), leading_of([12, 12, 12, 12], size=10)
    (16.0, 0.0)
    """
    ordered = sorted(step for step in steps if step > SHORTEST_STEP * size)
    best = found = 0.0
    for place, (before, after) in enumerate(pairwise(ordered), start=1):
        even = before <= EVEN * ordered[0] and before <= HEADING_LEADING * size and place <= len(ordered) - 2
        if even and after / before > max(best, PARTED) and after - before > APART:
            best, found = after / before, (before + after) / 2
    return found


def wrapped(
    rows: Sequence[LineRow], spans: Spans, columns: int, *, heading: bool | None, leading: float
) -> list[list[PrintedLine]]:
    """The lines of each row of the table, from rows of text of which some continue the cells above them.

    `heading` says that all rows are headings, or that none is; None means that some may be. `leading` is that of the
    whole table, for bands that have too few rows to show their own.
    """
    band = _band(rows, spans, columns, heading=heading, leading=leading)
    found: list[list[PrintedLine]] = []
    first = 0
    for place, row in enumerate(rows):
        if place and _continues(band, place, first):
            found[-1] += row.lines
        else:
            found.append(list(row.lines))
            first = place
    return found


# ------------------------------------------------------------------ what is known of a band


def _band(rows: Sequence[LineRow], spans: Spans, columns: int, *, heading: bool | None, leading: float) -> _Band:
    cells = [{spans[line][0]: line for line in row.lines} for row in rows]
    numbers = [sum(line.is_number for column, line in row.items() if column > 0) for row in cells]
    middles = [row.middle for row in rows]
    steps = [after - before for before, after in pairwise(middles)]
    body = _body(cells, _numeric(cells), columns) if heading is None else len(rows) if heading else 0
    return _Band(
        sizes=[row.lines[0].size for row in rows],
        columns=columns,
        cells=cells,
        wide=[any(spans[line][1] > spans[line][0] for line in row.lines) for row in rows],
        whole=[any(spans[line] == (0, columns - 1) for line in row.lines) for row in rows],
        numbers=numbers,
        steps=steps,
        body=body,
        leading=leading_of(steps[body:], rows[0].lines[0].size) or leading,
        usual=_usual_step(middles[body:], [_begins_row(row, columns) for row in cells[body:]]),
    )


def _numeric(cells: Sequence[dict[int, PrintedLine]]) -> list[int]:
    """How many pieces of each row beside the first column are numbers, ranges or dates."""
    return [sum(line.is_numeric for column, line in row.items() if column > 0) for row in cells]


def _number_columns(cells: Sequence[dict[int, PrintedLine]]) -> set[int]:
    """The columns whose pieces are nearly all numbers, ranges or dates."""
    held: dict[int, list[bool]] = {}
    for row in cells:
        for column, line in row.items():
            held.setdefault(column, []).append(line.is_numeric)
    return {
        column
        for column, numeric in held.items()
        if len(numeric) >= FEWEST_VALUES and sum(numeric) >= FIRM * len(numeric)
    }


def _has_values(cells: dict[int, PrintedLine], numeric: set[int]) -> bool:
    """Whether a row has a number in one of these columns that cannot be a heading, as a year beside the first can."""
    held = [(column, line) for column, line in cells.items() if column in numeric and line.is_numeric]
    return any(column == 0 or not YEAR.fullmatch(line.text) for column, line in held)


def _begins_row(cells: dict[int, PrintedLine], columns: int) -> bool:
    """Whether a row of text has half of the cells, or a label and a number: few lines that go on have these."""
    if len(cells) >= max(2, columns / 2):
        return True
    return 0 in cells and any(line.is_number for column, line in cells.items() if column > 0)


def _body(cells: Sequence[dict[int, PrintedLine]], numbers: Sequence[int], columns: int) -> int:
    """The first row below the headings: the first with numbers, if it comes soon enough; otherwise 0."""
    rich = min(columns, max(map(len, cells))) / 2  # the last lines of wrapped cells may be numbers as well
    firm = _number_columns(cells)
    for body, count in enumerate(numbers):
        if len(cells[body]) < rich:
            continue
        if (count and count >= EXPECTED_NUMBERS * len(cells[body].keys() - {0})) or _has_values(cells[body], firm):
            break
    else:
        return 0
    if body > MOST_HEADINGS or body > len(cells) / 2 or not any(len(row) > 1 for row in cells[:body]):
        return 0
    # labels alone right above the first row of numbers are its first line, or name a group of rows
    while body > 1 and set(cells[body - 1]) == {0} and any(len(row) > 1 for row in cells[: body - 1]):
        body -= 1
    return body


def _usual_step(middles: Sequence[float], full: Sequence[bool]) -> float:
    """How far apart full rows usually are; 0 where there are no two of them."""
    steps = [
        after - before for before, after in pairwise(m for m, is_full in zip(middles, full, strict=True) if is_full)
    ]
    return median(steps) if steps else 0.0


# ------------------------------------------------------------------ whether a row continues the one above


def _continues(band: _Band, row: int, first: int) -> bool:
    """Whether a row continues the one above; `first` is the first row of text of the table row above."""
    if row < band.body:
        return not band.wide[row] and not band.wide[row - 1] and band.steps[row - 1] < HEADING_LEADING * band.sizes[row]
    if row == band.body or band.whole[row] or band.whole[row - 1]:
        return False
    if band.leading:
        return band.steps[row - 1] <= band.leading and not _clashes(band, row, first) and not _is_fuller(band, row)
    return _continues_evenly(band, row, first)


def _is_fuller(band: _Band, row: int) -> bool:
    """Whether a row of words has more cells than the one above: as cells run out of lines, rows have fewer."""
    cells, above = band.cells[row], band.cells[row - 1]
    return len(cells) > len(above) and band.numbers[row] == 0 and set(above) != {0}


def _clashes(band: _Band, row: int, first: int) -> bool:
    """Whether a row has numbers in columns where the table row above has numbers as well."""
    above = {column for cells in band.cells[first:row] for column, line in cells.items() if line.is_number}
    clashes = sum(column in above and line.is_number for column, line in band.cells[row].items() if column > 0)
    return clashes > 1 or (clashes == 1 and len(band.cells[row]) >= HALF * band.columns)


def _is_rest(band: _Band, row: int, first: int) -> bool:
    """Whether a row fills a few of the columns of the table row above, and not the first column."""
    cells, above = band.cells[row], band.cells[first]
    few = 0 in above and 0 not in cells and len(cells) <= HALF * len(above) and set(cells) <= set(above)
    return few and band.steps[row - 1] <= NEAR * min(band.steps)


def _continues_evenly(band: _Band, row: int, first: int) -> bool:
    """Whether a row continues the one above, where all rows are equally far apart and only the cells can tell."""
    if _is_rest(band, row, first):
        return True
    cells, above, step = band.cells[row], band.cells[row - 1], band.steps[row - 1]
    nearer = not band.usual or step < CLOSE * band.usual
    if step >= LEADING * band.sizes[row] or not (nearer or len(cells) < len(above)):
        return False
    if band.numbers[row]:
        # the numbers of a row may stand beside the last line of a label of several lines
        return set(above) == {0} and 0 in cells and nearer and cells[0].x0 >= above[0].x0 - 1
    if (len(cells) >= FULL * band.columns and band.columns > 2) or not set(cells) <= set(above):
        return False
    if band.usual and nearer:
        return True
    return cells[0].text[:1].islower() if set(cells) == {0} else 0 not in cells
