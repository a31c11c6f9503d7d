"""Step 4: which lines are running text, and cannot be cells."""

from collections.abc import Iterable, Sequence

from sightline.extract.structure._layout import PrintedWords
from sightline.extract.structure._line_rows import rows_of
from sightline.extract.structure._printed_line import PrintedLine

__all__ = ["TABLE_TAG", "with_running_text"]

TABLE_TAG = "Table"
DOTS = frozenset(".…·_")  # of leaders, which are set with blanks between them, and are no words
# Words a row that make a block running text, by its rows: the fewer rows, the more a block looks like a cell.
LONG, LONG_IF_SHORT = 6.0, {1: 14.0, 2: 9.0}
COMPANY = 0.8  # share of the lines of a block: if so many have a piece beside them, the block is the text of cells
SAMPLE = 3  # lines that are tried first; most blocks of running text end here
BESIDE = 12.0  # of the size of the type: how far to the left that piece may stand
SAME_HEIGHT = 0.4  # of the size of the type: how far apart the middles of two lines side by side may be
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
    count = sum([spaced[word] and texts[word] not in DOTS for line in block for word in line.words]) + len(block)
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
