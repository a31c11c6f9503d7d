"""Step 6c: stretches of rows of pieces with no line drawn, and whether they are tables.

Distances are in multiples of the size of the type.
"""

from collections.abc import Sequence
from itertools import pairwise

from sightline.extract.structure._columns import PrintedColumn, columns_of
from sightline.extract.structure._printed_line import FoundTable, LineRow, PrintedLine, lines_of, rows_of
from sightline.extract.structure._running_text import TABLE_TAG, is_item

__all__ = ["is_white_table", "parts_between", "runs_of", "titles_between"]

FEWEST_ROWS = 3
MOST_LABELS = 3  # lines of a label that may stand alone before the rest of their row follows
MOST_LINES = 10  # lines that the longest cell of a row may have
BREAK = 2.2  # rows further apart than this are two stretches
GROUPS = 3.2  # groups of rows with the same columns are one table up to this distance
SAME_COLUMN = 0.4  # share of the narrower of two columns that lies below the other if they are the same
TAGGED = 0.8  # share of the lines that stand in a table by the tag tree, to believe it
# Measured: F1 is the same at 0.38 and where nothing is aligned enough (1.5): the EU documents do not depend on it.
ALIGNED = 0.75  # share of the pieces that stand right below each other
ALIGNED_PAIRS = 0.6  # the same where there are only two columns
FULL = 0.55  # share of the places that are filled
NUMBERS = 0.5  # share of the pieces beside the first that are numbers; makes up for empty places
EVEN = 0.35  # how far the ends or middles of pieces right below each other may differ


def runs_of(lines: Sequence[PrintedLine]) -> list[list[LineRow]]:
    """Stretches of rows of which most have several pieces, with little room between them."""
    runs = _stretches(rows_of([line for line in lines if not line.prose]))
    trimmed = (_without_last_labels(run) for run in _joined(runs))
    return [run for run in trimmed if len(run) >= FEWEST_ROWS]


def _stretches(rows: Sequence[LineRow]) -> list[list[LineRow]]:
    runs: list[list[LineRow]] = []
    current: list[LineRow] = []
    for place, row in enumerate(rows):
        gap = row.lines[0].y0 - current[-1].bottom if current else 0.0
        far = gap > BREAK * row.lines[0].size
        if far and not (gap < GROUPS * row.lines[0].size and (_is_even(rows, place) or _is_below(current, row))):
            runs.append(current)
            current = []
        several = len(row.lines) > 1 and not is_item(row)
        if several or (
            current and (any(len(above.lines) > 1 for above in current[-MOST_LABELS:]) or _is_rest(current, row))
        ):
            current.append(row)
        elif current:
            runs.append(current)
            current = []
    return [*runs, current] if current else runs


def _is_rest(run: Sequence[LineRow], row: LineRow) -> bool:
    """Whether a line alone goes on in a cell beside the first column, below lines that begin where it begins."""
    line = row.lines[0]
    above = run[-1].lines
    if len(above) > 1 or row.lines[0].y0 - run[-1].bottom > BREAK * line.size / 2:
        return False
    first = next((other for other in reversed(run[-MOST_LINES:]) if len(other.lines) > 1), None)
    slack = EVEN * line.size
    begins = first is not None and any(abs(cell.x0 - line.x0) < slack for cell in first.lines[1:])
    return begins and abs(above[0].x0 - line.x0) < slack


def _is_below(run: Sequence[LineRow], row: LineRow) -> bool:
    """Whether the pieces of a row stand one by one below those of the last row with several pieces."""
    above = next((other for other in reversed(run) if len(other.lines) > 1), None)
    if above is None or len(above.lines) != len(row.lines):
        return False
    pairs = zip(above.lines, row.lines, strict=True)
    return all(min(one.x1, other.x1) > max(one.x0, other.x0) for one, other in pairs)


def _is_even(rows: Sequence[LineRow], place: int) -> bool:
    """Whether a row is as far from the one above as that is from the one before it, or as the next is from it."""
    around = rows[max(place - 2, 0) : place + 2]
    steps = [after.middle - before.middle for before, after in pairwise(around)]
    own = rows[place].middle - rows[place - 1].middle
    slack = EVEN * rows[place].lines[0].size
    return sum(abs(step - own) < slack for step in steps) > 1


def _joined(runs: Sequence[list[LineRow]]) -> list[list[LineRow]]:
    """The stretches, those with the same columns and little room between them as one: groups of rows of one table."""
    joined: list[list[LineRow]] = []
    for run in runs:
        if joined:
            first = run[0].lines[0]
            near = first.y0 - joined[-1][-1].bottom < GROUPS * first.size
            if near and _have_same_columns(joined[-1], run):
                joined[-1] = [*joined[-1], *run]
                continue
        joined.append(run)
    return joined


def _have_same_columns(one: Sequence[LineRow], other: Sequence[LineRow]) -> bool:
    """Whether the columns that a third of the rows fill are the same in number and place."""
    first, second = ([c for c in columns_of(rows) if len(c.rows) > len(rows) / 3] for rows in (one, other))
    if len(first) != len(second) or len(first) < 2:
        return False
    return all(
        min(a.x1, b.x1) - max(a.x0, b.x0) > SAME_COLUMN * min(a.x1 - a.x0, b.x1 - b.x0)
        for a, b in zip(first, second, strict=True)
    )


def _without_last_labels(run: Sequence[LineRow]) -> list[LineRow]:
    """A stretch up to its last row of several pieces."""
    stop = len(run)
    while stop and len(run[stop - 1].lines) < 2:
        stop -= 1
    return list(run[:stop])


# ------------------------------------------------------------------ whether a stretch is a table


def is_white_table(table: FoundTable, rows: Sequence[LineRow]) -> bool:
    """Whether rows without any line are a table: by the tag tree, or aligned, filled and with enough numbers."""
    lines = lines_of(rows)
    if sum(TABLE_TAG in line.tags for line in lines) > TAGGED * len(lines):
        return True
    if table.rows < FEWEST_ROWS:
        return False
    columns = columns_of(rows)
    beside = [line for row in rows for line in row.lines[1:]]
    numbers = sum(line.is_numeric for line in beside) / max(len(beside), 1)
    aligned = _aligned_share(lines, columns)
    if len(columns) == 2:
        return numbers >= NUMBERS and aligned >= ALIGNED_PAIRS
    full = len(table.cells) / (table.rows * table.columns)
    return aligned >= ALIGNED and (full >= FULL or numbers >= NUMBERS)


def _aligned_share(lines: Sequence[PrintedLine], columns: Sequence[PrintedColumn]) -> float:
    """The share of the pieces that begin, end or have their middle where most of their column does."""
    aligned = count = 0
    for column in columns:
        inside = [line for line in lines if line.x0 >= column.x0 - 1 and line.x1 <= column.x1 + 1]
        if len(inside) < 2:
            continue
        slack = EVEN * inside[0].size
        ends = ([line.x0 for line in inside], [line.x1 for line in inside], [line.centre for line in inside])
        aligned += max(_even(places, slack) for places in ends)
        count += len(inside)
    return aligned / count if count else 0.0


def _even(places: list[float], slack: float) -> int:
    """How many places are close to the median."""
    middle = sorted(places)[len(places) // 2]
    return sum(abs(place - middle) < slack for place in places)


# Step 6d: two tables below each other that read as one, since nothing but a title stands between them.

FEWEST_PART_ROWS = 2  # rows of cells on both sides of a title
MOST_TITLES = 2  # rows that a title has at most
MOST_HEADINGS = 3  # rows of headings below a title
PART_NUMBERS = 0.6  # share of the pieces of a column that are numbers, where a word names it
NAMING = 0.5  # share of the pieces of a row of headings over columns of numbers that are words
REPEATED = 3  # rows at the top among which the headings below a title may have stood before


def titles_between(rows: Sequence[LineRow]) -> list[tuple[int, int]]:
    """The stretches of rows that are titles between two tables, as first row and the one after the last.

    A title stands alone in its row, and below it come headings: the same as at the top, or words over columns that have
    numbers above and below. A row that names a group has numbers below it at once.
    """
    alone = [len(row.lines) == 1 for row in rows]
    if sum(alone) == 0 or len(rows) < 2 * FEWEST_PART_ROWS + 1:
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
        if stop - start <= MOST_TITLES and min(above, below) >= FEWEST_PART_ROWS:
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
        if inside and sum(line.is_numeric for line in inside) >= PART_NUMBERS * len(inside):
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
