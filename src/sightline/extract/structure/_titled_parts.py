"""Step 6d: two tables below each other that read as one, since nothing but a title stands between them."""

from collections.abc import Sequence
from itertools import pairwise

from sightline.extract.structure._columns import columns_of
from sightline.extract.structure._line_rows import LineRow
from sightline.extract.structure._printed_line import PrintedLine

__all__ = ["parts_between", "titles_between"]

FEWEST_ROWS = 2  # rows of cells on both sides of a title
MOST_TITLES = 2  # rows that a title has at most
MOST_HEADINGS = 3  # rows of headings below a title
NUMBERS = 0.6  # share of the pieces of a column that are numbers, where a word names it
NAMING = 0.5  # share of the pieces of a row of headings over columns of numbers that are words
REPEATED = 3  # rows at the top among which the headings below a title may have stood before


def titles_between(rows: Sequence[LineRow]) -> list[tuple[int, int]]:
    """The stretches of rows that are titles between two tables, as first row and the one after the last.

    A title stands alone in its row, and below it come headings: the same as at the top, or words over columns that have
    numbers above and below. A row that names a group has numbers below it at once.
    """
    alone = [len(row.lines) == 1 for row in rows]
    if sum(alone) == 0 or len(rows) < 2 * FEWEST_ROWS + 1:
        return []
    found: list[tuple[int, int]] = []
    numeric: list[tuple[float, float]] | None = None
    start = 0
    while start < len(rows):
        stop = start
        while stop < len(rows) and alone[stop]:
            stop += 1
        if stop == start:
            start += 1
            continue
        above = sum(not one for one in alone[found[-1][1] if found else 0 : start])
        below = sum(not one for one in alone[stop:])
        if stop - start <= MOST_TITLES and min(above, below) >= FEWEST_ROWS:
            numeric = _number_columns(rows) if numeric is None else numeric
            if _begins_anew(rows, stop, numeric):
                found.append((start, stop))
        start = stop
    return found


def _begins_anew(rows: Sequence[LineRow], first: int, numeric: Sequence[tuple[float, float]]) -> bool:
    """Whether headings stand in a row: those of the top again, or words over columns of numbers."""
    texts = [line.text for line in rows[first].lines]
    if any(texts == [line.text for line in row.lines] for row in rows[:REPEATED]):
        return not all(line.is_numeric for line in rows[first].lines[1:])
    for row in rows[first : first + MOST_HEADINGS]:
        over = [line for line in row.lines if any(_shared(line, column) > 0 for column in numeric)]
        words = [line for line in over if not line.is_numeric]
        if len(over) > 1 and len(words) >= max(NAMING * len(over), 1):
            return True
        if any(line.is_numeric for line in row.lines):
            return False
    return False


def _number_columns(rows: Sequence[LineRow]) -> list[tuple[float, float]]:
    """Where the columns of numbers stand."""
    lines = [line for row in rows if len(row.lines) > 1 for line in row.lines]
    found = []
    columns = columns_of([row for row in rows if len(row.lines) > 1])
    for column in columns:
        inside = [line for line in lines if column.overlap(line) > 0]
        if inside and sum(line.is_numeric for line in inside) >= NUMBERS * len(inside):
            found.append((column.x0, column.x1))
    return found


def _shared(line: PrintedLine, column: tuple[float, float]) -> float:
    return min(line.x1, column[1]) - max(line.x0, column[0])


def parts_between(count: int, titles: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches of rows that titles leave.

    >>> parts_between(9, [(4, 5)])
    [(0, 4), (5, 9)]
    """
    bounds = [0, *(bound for title in titles for bound in title), count]
    return [(start, stop) for start, stop in list(pairwise(bounds))[::2]]
