"""Step 4a: white that runs down through several rows parts columns set so close that their cells read as one line.

Distances are in multiples of the size of the type.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TypeAlias

from sightline.extract.structure._layout import PrintedWords
from sightline.extract.structure._line_rows import LineRow, rows_of
from sightline.extract.structure._printed_line import PrintedLine

__all__ = ["cut_at_rivers"]

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
    """The parts of a line, each a block of its own: what the line was part of is no running text."""
    bounds = [0, *cuts, len(line.words)]
    found = []
    for place, (start, stop) in enumerate(pairwise(bounds), start=1):
        held = line.words[start:stop]
        boxes = [words.box[word] for word in held]
        sides = min([box[0] for box in boxes]), max([box[2] for box in boxes])
        block = -(line.number * len(line.words) + place)
        found.append(line.block_part(held, words.joined(held), sides, block))
    return found
