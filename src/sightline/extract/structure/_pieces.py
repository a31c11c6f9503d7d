"""Step 5: cut lines into pieces, as cells hold them: at drawn lines, after leaders and between numbers.

Distances are in multiples of the size of the type.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from sightline.extract.structure._layout import Edges, PrintedWords
from sightline.extract.structure._printed_line import (
    MARK,
    LineRow,
    PrintedLine,
    rows_of,
)
from sightline.geometry import around

DOTS = ".…·_"
LEADER = re.compile(rf"[{DOTS}]{{4,}}")
FEWEST_DOTS = 4  # of a leader; three are an ellipsis
NUMBER = re.compile(r"[(\[+–−-]?[$€£]?\d[\d.,]*%?[)\]*]{0,2}")
NUMBERS_APART = 0.55  # a gap that parts two numbers; between groups of digits it is that of a blank, 0.25 to 0.35
SIGN = re.compile(r"[$€£¥]|US\$|EUR|USD")
SIGN_GAP = 7.0  # how far a currency sign may stand before its number, at the left edge of the column
TAIL = re.compile(r"%|[)\]]|\*{1,3}|[†‡§]|[a-z]")
TAIL_GAP = 1.0  # how far a mark or per cent sign may stand after its number
LONGEST_SIGN = 3  # characters
SAME_HEIGHT = 0.4  # how far apart the middles of a sign and its number may be
FEW_WORDS = 3  # a piece of running text with no more words may be a cell
CROSSED = 0.3  # how far a piece must reach beyond a border to stand across it
BESIDE_BORDER = 0.4  # how far the gap between two cells may lie from the border of the columns
WIDER = 1.25  # the gap between cells set close together, as a multiple of the widest blank inside them
BLANK = 0.35  # the widest blank of a text, for pieces that have no other gap to compare with
MOST_LETTERS = 3  # in a text of digits: units and marks


def pieces_of(words: PrintedWords, lines: Sequence[PrintedLine], edges: Edges) -> list[PrintedLine]:
    """The pieces of the lines, each with the signs that belong to its number."""
    found: list[PrintedLine] = []
    for line in lines:
        cuts = _cuts(words, line, edges) if len(line.words) > 1 else set()
        found += _parts(words, line, cuts) if cuts else [line]
    return _with_signs(words, found)


def part_of(words: PrintedWords, line: PrintedLine, held: Sequence[int]) -> PrintedLine:
    """Some words of a line as a line."""
    left, _, right, _ = around([words.box[word] for word in held])
    return line.part(tuple(held), words.joined(held), (left, right), prose=line.prose and len(held) > FEW_WORDS)


def mostly_digits(text: str) -> bool:
    """Whether a text has a digit and hardly any letter.

    >>> mostly_digits("1,250 kg"), mostly_digits("Osric 30"), mostly_digits("-")
    (True, False, False)
    """
    return any(c.isdigit() for c in text) and sum(c.isalpha() for c in text) <= MOST_LETTERS


def _parts(words: PrintedWords, line: PrintedLine, cuts: set[int]) -> list[PrintedLine]:
    bounds = [0, *sorted(cuts), len(line.words)]
    return [part_of(words, line, line.words[start:stop]) for start, stop in pairwise(bounds) if stop > start]


# ------------------------------------------------------------------ where a line is cut


def _cuts(words: PrintedWords, line: PrintedLine, edges: Edges) -> set[int]:
    """Before which words of a line, by their place in it, a new piece begins."""
    boxes = [words.box[word] for word in line.words]
    texts = [words.text[word] for word in line.words]
    cuts = _at_edges(line, boxes, edges) | _after_leaders(texts)
    for place in range(1, len(texts)):
        gap = boxes[place][0] - boxes[place - 1][2]
        if gap > NUMBERS_APART * line.size and NUMBER.fullmatch(texts[place]) and NUMBER.fullmatch(texts[place - 1]):
            cuts.add(place)
    return cuts


def _at_edges(line: PrintedLine, boxes: list[list[float]], edges: Edges) -> set[int]:
    """Where an upright line is drawn between two words."""
    left, right, middle = line.x0 + 1, line.x1 - 1, line.middle
    cuts = set()
    for x, top, bottom in edges.upright:
        if not (left < x < right and top < middle < bottom):
            continue
        before = sum((box[0] + box[2]) / 2 < x for box in boxes)
        if 0 < before < len(boxes):
            cuts.add(before)
    return cuts


def _after_leaders(texts: list[str]) -> set[int]:
    """After the dots that lead the eye to a number, set as one word or as many."""
    cuts: set[int] = set()
    if not [text for text in texts if text and text[-1] in DOTS]:
        return cuts
    dots = 0
    for place, text in enumerate(texts):
        if not text.strip(DOTS) and text:
            dots += len(text)
            continue
        before = texts[place - 1] if place else ""
        if dots >= FEWEST_DOTS or (before.endswith(("..", "…", "__")) and LEADER.search(before)):
            cuts.add(place)
        dots = 0
    return cuts


# ------------------------------------------------------------------ signs


def _with_signs(words: PrintedWords, lines: list[PrintedLine]) -> list[PrintedLine]:
    """Currency signs joined to the number to their right, marks and per cent signs to the number to their left."""
    found: list[PrintedLine | None] = list(lines)
    for place, sign in enumerate(lines):
        if len(sign.text) > LONGEST_SIGN:
            continue
        leads = SIGN.fullmatch(sign.text) is not None
        if not leads and not TAIL.fullmatch(sign.text):
            continue
        number = _number_beside(found, place, sign, leads=leads)
        if number is None:
            continue
        line = found[number]
        assert line is not None
        held = (*sign.words, *line.words) if leads else (*line.words, *sign.words)
        found[number], found[place] = part_of(words, line, held), None
    return [line for line in found if line is not None]


def _number_beside(lines: Sequence[PrintedLine | None], place: int, sign: PrintedLine, *, leads: bool) -> int | None:
    """The place of the nearest line with a digit on the side of a sign where its number stands."""
    best, gap = None, (SIGN_GAP if leads else TAIL_GAP) * sign.size
    middle, height = sign.middle, SAME_HEIGHT * sign.size
    for other, line in enumerate(lines):
        if line is None or other == place or abs(line.middle - middle) > height:
            continue
        room = line.x0 - sign.x1 if leads else sign.x0 - line.x1
        if -1 <= room < gap and any(c.isdigit() for c in line.text):
            best, gap = other, room
    return best


# ------------------------------------------------------------------ cuts at the borders of columns


def cut_at_borders(words: PrintedWords, rows: Sequence[LineRow], borders: Sequence[float]) -> list[LineRow]:
    """The rows, with pieces that stand across borders of columns cut there if they are cells set close together.

    They are cells if a gap lies at every border that they cross, and their parts are numbers or the gaps are wider than
    those between the other words. Otherwise the piece is one text over several columns.
    """
    found = []
    for row in rows:
        lines: list[PrintedLine] = []
        for line in row.lines:
            cuts = _cuts_at_borders(words, line, borders) if len(line.words) > 1 else None
            lines += _parts(words, line, cuts) if cuts else [line]
        if len(lines) > len(row.lines):
            row = LineRow(tuple(sorted(lines, key=lambda line: line.x0)), row.middle)
        found.append(row)
    return found


def _cuts_at_borders(words: PrintedWords, line: PrintedLine, borders: Sequence[float]) -> set[int] | None:
    """Before which words a piece is cut, if a gap lies at every border that it crosses and the parts are cells."""
    left, right = line.x0 + CROSSED * line.size, line.x1 - CROSSED * line.size
    crossed = [x for x in borders if left < x < right]
    if not crossed:
        return None
    boxes = [words.box[word] for word in line.words]
    gaps = {
        place: boxes[place][0] - boxes[place - 1][2]
        for place, word in enumerate(line.words)
        if place and words.spaced[word]
    }
    cuts = {_gap_at(boxes, gaps, x, BESIDE_BORDER * line.size) for x in crossed}
    places = {place for place in cuts if place is not None}
    if len(places) < len(cuts):
        return None
    return places if _are_cells(_parts(words, line, places), gaps, places) else None


def _gap_at(boxes: list[list[float]], gaps: dict[int, float], x: float, slack: float) -> int | None:
    """The gap nearest to a border, by the word after it."""
    near = [place for place in gaps if boxes[place - 1][2] - slack <= x <= boxes[place][0] + slack]
    return min(near, key=lambda place: abs((boxes[place - 1][2] + boxes[place][0]) / 2 - x), default=None)


def _are_cells(parts: Sequence[PrintedLine], gaps: dict[int, float], cuts: set[int]) -> bool:
    """Whether the parts of a piece are mostly numbers, or the gaps between them wider than the others."""
    if 2 * sum(mostly_digits(part.text) for part in parts) > len(parts):
        return True
    others = [gap for place, gap in gaps.items() if place not in cuts]
    narrowest = min(gaps[place] for place in cuts)
    return narrowest > (WIDER * max(others) if others else BLANK * parts[0].size)


# -- which lines are running text, and cannot be cells --------------------------------------------------------------

TABLE_TAG = "Table"
LEADER_MARKS = frozenset(".…·_")  # of leaders, which are set with blanks between them, and aren't words
# Words a row that make a block running text, by its rows: the fewer rows, the more a block looks like a cell.
LONG, LONG_IF_SHORT = 6.0, {1: 14.0, 2: 9.0}
COMPANY = 0.8  # share of the lines of a block: if so many have a piece beside them, the block is the text of cells
SAMPLE = 3  # lines that are tried first; most blocks of running text end here
BESIDE = 12.0  # of the size of the type: how far to the left that piece may stand
EVEN = 2.0  # CSS pixels: how far the left ends of the pieces beside a block may be apart


def with_running_text(words: PrintedWords, lines: Sequence[PrintedLine]) -> list[PrintedLine]:
    """The lines, with `prose` set on those that are running text."""
    long = [line for block in _blocks(lines) if _is_long(words, block) for line in block if TABLE_TAG not in line.tags]
    prose = set(long)
    plain = [line for line in lines if line not in prose]
    for block in _blocks(long):
        if _has_company(block, plain):
            prose.difference_update(block)
    return [line.as_prose() if line in prose else line for line in lines]


def _blocks(lines: Iterable[PrintedLine]) -> list[list[PrintedLine]]:
    blocks: dict[int, list[PrintedLine]] = {}
    for line in lines:
        blocks.setdefault(line.block, []).append(line)
    return list(blocks.values())


def _is_long(words: PrintedWords, block: Sequence[PrintedLine]) -> bool:
    """Whether a block has several rows with many words in each."""
    texts, spaced = words.text, words.spaced
    rows = len(rows_of(block)) if len(block) > 1 else 1
    least = LONG_IF_SHORT.get(rows, LONG)
    if (sum([len(line.words) for line in block]) + len(block)) / rows < least:
        return False  # even if a blank stood before every word, as is so for most cells
    words_of_block = [word for line in block for word in line.words]
    count = sum([spaced[word] and texts[word] not in LEADER_MARKS for word in words_of_block]) + len(block)
    return count / rows >= least


def _has_company(block: Sequence[PrintedLine], others: Sequence[PrintedLine]) -> bool:
    """Whether a block of long texts is a column of cells: pieces that are even on their left stand to its left.

    Running text has nothing beside it, or the next column of the page, whose numbers are not even.
    """
    if all(_left_of(line, others) is None for line in block[:SAMPLE]):
        return False
    beside = [near for line in block if (near := _left_of(line, others)) is not None]
    if len(beside) < max(COMPANY * len(block), 1):
        return False
    lefts = sorted(line.x0 for line in beside)
    even = sum(abs(left - lefts[len(lefts) // 2]) < EVEN for left in lefts)
    return even >= COMPANY * len(beside)


def _left_of(line: PrintedLine, others: Sequence[PrintedLine]) -> PrintedLine | None:
    """The nearest piece to the left at the same height, if it is not far."""
    middle, left, height, reach = line.middle, line.x0, SAME_HEIGHT * line.size, BESIDE * line.size
    near = [other for other in others if abs(other.middle - middle) < height and 0 < left - other.x1 < reach]
    return max(near, key=lambda other: other.x1, default=None)


# What a row of lines is that isn't a row of a table: running text, a list item.


def is_prose(row: LineRow) -> bool:
    """Whether nothing but running text stands in a row; a long text beside a short one is a cell."""
    return all(line.prose for line in row.lines)


def is_item(row: LineRow) -> bool:
    """Whether a row is a mark or number with its text after it."""
    if len(row.lines) != 2:
        return False
    mark, text = row.lines
    return MARK.fullmatch(mark.text) is not None and not text.is_number
