"""Columns between which no line is drawn: pieces below each other, with white on both sides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from statistics import median
from typing import TypeAlias

from sightline.extract.structure._layout import PrintedWords
from sightline.extract.structure._printed_line import LineRow, PrintedLine, rows_of

__all__ = ["RICH", "PrintedColumn", "columns_of", "cut_at_rivers", "gutters"]

# Measured: no value from 0 to 2.8 changes any figure; it is kept for headings over many narrow columns.
RICH = 0.7  # of the pieces of the fullest row: rows with this many show the columns; headings over several have fewer
# Measured: no figure changes from 0.075 to 0.3.
TOUCH = 0.15  # of the size of the type: pieces that overlap by no more do not stand below each other
MOST_HEADINGS = 6  # rows at the top of an area in which a heading can stand that has nothing below it


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
    free = [max(column.rows) < min(MOST_HEADINGS, rows) for column in columns]
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
LEAST = 0.4  # how wide the white must be that all rows have in common
ROWS = 3  # rows with words on both sides of it
BREAK = 3.2  # rows further apart do not stand below each other

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
    wide = {line: gaps for line in lines if len(line.words) > 1 and (gaps := _wide_gaps(words, line))}
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


def _wide_gaps(words: PrintedWords, line: PrintedLine) -> list[tuple[int, Strip]]:
    """The gaps of a line that are wider than its blanks, by the place of the word after them."""
    boxes = [words.box[word] for word in line.words]
    gaps = [after[0] - before[2] for before, after in pairwise(boxes)]
    if max(gaps) < GAP * line.size:
        return []
    usual = median([gap for word, gap in zip(line.words[1:], gaps, strict=True) if words.spaced[word]] or [0.0])
    least = max(GAP * line.size, WIDER * usual if len(gaps) > 2 else 0.0)
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
        while 0 <= at < len(rows) and abs(rows[at].row.middle - last) < BREAK * size:
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
        boxes = [words.box[word] for word in held]
        sides = min([box[0] for box in boxes]), max([box[2] for box in boxes])
        block = -(line.number * len(line.words) + place)
        found.append(line.block_part(held, words.joined(held), sides, block))
    return found
