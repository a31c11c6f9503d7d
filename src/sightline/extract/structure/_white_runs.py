"""Step 6c: stretches of rows of pieces with no line drawn, which may be tables.

Distances are in multiples of the size of the type.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import median
from typing import TypeAlias

from sightline.extract.structure._layout import PrintedWords
from sightline.extract.structure._pieces import is_item
from sightline.extract.structure._printed_line import LineRow, PrintedLine, rows_of
from sightline.geometry import around

# -- columns between which no line is drawn: pieces below each other, with white on both sides ----------------------

# Measured: no value from 0 to 2.8 changes any figure; it is kept for headings over many narrow columns.
RICH = 0.7  # of the pieces of the fullest row: rows with this many show the columns; headings over several have fewer
# Measured: no figure changes from 0.075 to 0.3.
TOUCH = 0.15  # of the size of the type: pieces that overlap by no more do not stand below each other
MOST_COLUMN_HEADINGS = 6  # rows at the top of an area in which a heading can stand that has nothing below it


@dataclass(slots=True, eq=False)
class PrintedColumn:
    """A stretch from left to right, and the numbers of the rows that have something in it.

    Not frozen: a frozen class takes three times as long to make one, and a sheet has dozens.
    """

    x0: float
    x1: float
    rows: set[int]

    def overlap(self, line: PrintedLine) -> float:
        """How much of the width of a line lies in the column; negative where they are apart."""
        return min(line.x1, self.x1) - max(line.x0, self.x0)


def columns_of(rows: Sequence[LineRow]) -> list[PrintedColumn]:
    """The columns of some rows, from left to right; a piece across several columns makes none.

    Rows with many pieces come first, and among these the narrow pieces: they make the columns that the others are
    measured against. Two columns that some piece covers, and that no row fills both of, are one column: numbers at the
    right edge below a word at the left edge.
    """
    most = max((len(row.lines) for row in rows), default=0)
    placed = [
        (len(row.lines) < RICH * most, line.x1 - line.x0, number, place, line)
        for number, row in enumerate(rows)
        for place, line in enumerate(row.lines)
    ]
    columns: list[PrintedColumn] = []
    across: list[tuple[PrintedLine, int]] = []
    for _, _, number, _, line in sorted(placed):
        over = _below(columns, line)
        if len(over) > 1:
            across.append((line, number))
        elif not over:
            columns.append(PrintedColumn(line.x0, line.x1, {number}))
        else:
            column = columns[over[0]]
            column.rows.add(number)
            columns[over[0]] = PrintedColumn(min(column.x0, line.x0), max(column.x1, line.x1), column.rows)
    columns.sort(key=lambda column: column.x0)
    for line, number in across:
        columns = _covered(columns, line, number)
    return _with_headings(columns, len(rows))


def _below(columns: Sequence[PrintedColumn], line: PrintedLine) -> list[int]:
    """The places of the columns that a line stands in."""
    x0, x1, touch = line.x0, line.x1, TOUCH * line.size
    if x1 - x0 <= touch:
        return []
    # The width that they share is the least of these differences; `min` and `max` would take twice the time.
    return [place for place, c in enumerate(columns) if c.x1 - x0 > touch and x1 - c.x0 > touch and c.x1 - c.x0 > touch]


def _covered(columns: list[PrintedColumn], line: PrintedLine, number: int) -> list[PrintedColumn]:
    """The columns after a piece that covers several of them: one column, unless some row fills two of them."""
    over = [columns[place] for place in _below(columns, line)]
    if len(over) < 2:
        for column in over:
            column.rows.add(number)
        return columns
    if any(one.rows & other.rows for one, other in combinations(over, 2)):
        return columns
    rows = set().union(*(column.rows for column in over)) | {number}
    merged = PrintedColumn(min(column.x0 for column in over), max(column.x1 for column in over), rows)
    return sorted([*(column for column in columns if column not in over), merged], key=lambda column: column.x0)


# ------------------------------------------------------------------ headings beside their columns


def _with_headings(columns: list[PrintedColumn], rows: int) -> list[PrintedColumn]:
    """The columns, with headings that stand beside the texts below them in one column with these.

    A heading centred over texts that begin at the left, or at the left over numbers at the right, may overlap none of
    them. It has nothing below it then, and the column beside it nothing above. As many headings as possible get a
    column; among the ways to do so, the one with the least room between headings and columns is taken.
    """
    free = [max(column.rows) < min(MOST_COLUMN_HEADINGS, rows) for column in columns]
    if not any(free):
        return columns
    # for each number of columns seen: headings placed, less room, and which pairs were joined
    best: list[tuple[int, float, tuple[int, ...]]] = [(0, 0.0, ())]
    for place, column in enumerate(columns):
        ways = [best[place]]
        if place and _is_headed((columns[place - 1], column), (free[place - 1], free[place])):
            placed, room, joined = best[place - 1]
            ways.append((placed + 1, room - (column.x0 - columns[place - 1].x1), (*joined, place)))
        best.append(max(ways))
    found: list[PrintedColumn] = []
    for place, column in enumerate(columns):
        if place in best[-1][2]:
            left = found.pop()
            column = PrintedColumn(left.x0, column.x1, left.rows | column.rows)
        found.append(column)
    return found


def _is_headed(pair: tuple[PrintedColumn, PrintedColumn], free: tuple[bool, bool]) -> bool:
    """Whether one of two columns side by side is a heading alone, and all of the other stands below it."""
    left, right = pair
    if free[0] and max(left.rows) < min(right.rows):
        return True
    return free[1] and max(right.rows) < min(left.rows)


def gutters(columns: Sequence[PrintedColumn]) -> list[float]:
    """The middle of the white between each column and the next."""
    return [(one.x1 + other.x0) / 2 for one, other in pairwise(columns)]


# Step 4a: white that runs down through several rows parts columns set so close that their cells read as one line.
#
# Distances are in multiples of the size of the type.

GAP = 0.45  # the narrowest gap between cells; a blank measures 0.2 to 0.35, and more in justified text
WIDER = 1.5  # of the usual gap of its line: blanks of justified text are all about as wide
# Of the usual blank of the sheet, too: type of one width has blanks as wide as its letters, 0.6. Held out, reports set
# in such type have F1 0.77 without this and 0.95 with it.
NARROWER = 0.25  # share of the blanks of a sheet that are narrower than its usual one
FEWEST_BLANKS = 8  # by which a usual one is known
LEAST = 0.4  # how wide the white must be that all rows have in common
ROWS = 3  # rows with words on both sides of it
COLUMN_BREAK = 3.2  # rows further apart do not stand below each other

Strip: TypeAlias = tuple[float, float]


@dataclass(frozen=True, eq=False)
class _Row:
    """A row of lines, with the white between its words: before the first and after the last it never ends.

    `wide` is the white between its lines, and what is wider than the blanks of a line.
    """

    row: LineRow
    whites: list[Strip]
    wide: set[float]  # where it begins


def cut_at_rivers(words: PrintedWords, lines: Sequence[PrintedLine]) -> list[PrintedLine]:
    """The lines, cut where white wider than their blanks goes on in the rows above and below."""
    several = [line for line in lines if len(line.words) > 1]
    blank = _usual_blank(words, several)
    wide = {line: gaps for line in several if (gaps := _wide_gaps(words, line, blank))}
    if len(wide) < ROWS:
        return list(lines)
    rows = [_row(words, row, wide) for row in rows_of(lines)]
    cuts: dict[PrintedLine, list[int]] = {}
    for place, row in enumerate(rows):
        for line in row.row.lines:
            found = [gap for gap, strip in wide.get(line, ()) if _is_river(rows, place, strip, line.size)]
            if found:
                cuts[line] = found
    return [piece for line in lines for piece in (_parts(words, line, cuts[line]) if line in cuts else (line,))]


def _usual_blank(words: PrintedWords, lines: Sequence[PrintedLine]) -> float:
    """How wide the blanks of a sheet usually are; most in type of one width."""
    box, spaced = words.box, words.spaced
    gaps = [
        (box[word][0] - box[before][2]) / line.size
        for line in lines
        for before, word in pairwise(line.words)
        if spaced[word]
    ]
    return sorted(gaps)[int(len(gaps) * NARROWER)] if len(gaps) >= FEWEST_BLANKS else 0.0


def _wide_gaps(words: PrintedWords, line: PrintedLine, blank: float) -> list[tuple[int, Strip]]:
    """The gaps of a line that are wider than its blanks and those of the sheet, by the place of the word after them."""
    boxes = [words.box[word] for word in line.words]
    gaps = [after[0] - before[2] for before, after in pairwise(boxes)]
    floor = max(GAP, WIDER * blank) * line.size
    if max(gaps) < floor:
        return []
    usual = median([gap for word, gap in zip(line.words[1:], gaps, strict=True) if words.spaced[word]] or [0.0])
    least = max(floor, WIDER * usual if len(gaps) > 2 else 0.0)
    return [(place, (boxes[place - 1][2], boxes[place][0])) for place, gap in enumerate(gaps, 1) if gap >= least]


def _row(words: PrintedWords, row: LineRow, wide: Mapping[PrintedLine, Sequence[tuple[int, Strip]]]) -> _Row:
    boxes = sorted([(words.box[word][0], words.box[word][2]) for line in row.lines for word in line.words])
    whites, right = list[Strip](), float("-inf")
    for x0, x1 in boxes:
        if x0 > right:
            whites.append((right, x0))
        if x1 > right:
            right = x1
    begins = {line.x1 for line in row.lines[:-1]} | {gap[0] for line in row.lines for _, gap in wide.get(line, ())}
    return _Row(row, [*whites, (right, float("inf"))], begins)


def _is_river(rows: Sequence[_Row], place: int, strip: Strip, size: float) -> bool:
    """Whether enough rows around one leave the same strip white, with words on both sides of it."""
    count = 1
    for step in (-1, 1):
        at, last = place + step, rows[place].row.middle
        while 0 <= at < len(rows) and abs(rows[at].row.middle - last) < COLUMN_BREAK * size:
            shared, start = _widest_shared(strip, rows[at].whites)
            if shared[1] - shared[0] < LEAST * size:
                break
            strip = shared
            count += start in rows[at].wide
            if count >= ROWS:
                return True
            last, at = rows[at].row.middle, at + step
    return False


def _widest_shared(strip: Strip, whites: Sequence[Strip]) -> tuple[Strip, float]:
    """The widest part of a strip that lies in the white of a row, and where that white begins; a row has some."""
    left, right = strip
    best, found, begin = float("-inf"), strip, 0.0
    for start, stop in whites:
        low, high = max(left, start), min(right, stop)
        if high - low > best:
            best, found, begin = high - low, (low, high), start
    return found, begin


def _parts(words: PrintedWords, line: PrintedLine, cuts: Sequence[int]) -> list[PrintedLine]:
    """The parts of a line, each a block of its own: what the line was part of isn't running text."""
    bounds = [0, *cuts, len(line.words)]
    found = []
    for place, (start, stop) in enumerate(pairwise(bounds), start=1):
        held = line.words[start:stop]
        left, _, right, _ = around([words.box[word] for word in held])
        block = -(line.number * len(line.words) + place)
        found.append(line.block_part(held, words.joined(held), (left, right), block))
    return found


# -- stretches of rows of pieces with no line drawn ---------------------------------------------------------------

FEWEST_ROWS = 3
MOST_LABELS = 3  # lines of a label that may stand alone before the rest of their row follows
MOST_LINES = 10  # lines that the longest cell of a row may have
BREAK = 2.2  # rows further apart than this are two stretches
GROUPS = 3.2  # groups of rows with the same columns are one table up to this distance
SAME_COLUMN = 0.4  # share of the narrower of two columns that lies below the other if they are the same
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


def nearly_even(places: list[float], slack: float) -> int:
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
