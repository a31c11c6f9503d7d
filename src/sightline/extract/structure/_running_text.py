"""Step 4: which lines are running text, and cannot be cells."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from sightline.extract.structure._edges import Edges
from sightline.extract.structure._layout import PrintedWords
from sightline.extract.structure._pieces import LEADER
from sightline.extract.structure._printed_line import (
    EQUATION_NUMBER,
    MARK,
    FoundTable,
    LineRow,
    PrintedCell,
    PrintedLine,
    is_numeric,
    lines_of,
    rows_of,
)

__all__ = [
    "TABLE_TAG",
    "is_contents",
    "is_equations",
    "is_item",
    "is_prose",
    "is_prose_in_columns",
    "with_running_text",
]

TABLE_TAG = "Table"
DOTS = frozenset(".…·_")  # of leaders, which are set with blanks between them, and aren't words
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


# What a row of lines is that isn't a row of a table: running text, a list item, contents, equations.

FEWEST_CONTENTS = 5  # rows of a text and a number that goes up, from which on they are a table of contents
LEADERS = 0.5  # share of the rows of contents that have leaders; without them, all rows must look alike
PAGE_NUMBERS = 0.6  # share of the rows of contents with leaders that end in a page number
UPWARDS = 0.9  # share of the page numbers that are no smaller than the one before
LONGEST_PAGE_NUMBER = 4  # digits
FORMULA = 0.35  # share of the characters set in fonts for formulas, from which on rows are equations
FORMULA_IF_NUMBERED = 0.1  # the same where a row ends in the number of an equation


def is_prose(row: LineRow) -> bool:
    """Whether nothing but running text stands in a row; a long text beside a short one is a cell."""
    return all(line.prose for line in row.lines)


def is_item(row: LineRow) -> bool:
    """Whether a row is a mark or number with its text after it."""
    if len(row.lines) != 2:
        return False
    mark, text = row.lines
    return MARK.fullmatch(mark.text) is not None and not text.is_number


def is_contents(rows: Sequence[LineRow]) -> bool:
    """Whether rows are a table of contents: most lead by dots to a page number, and these go up."""
    last = [text for row in rows if (text := row.lines[-1].text).isdecimal() and len(text) <= LONGEST_PAGE_NUMBER]
    numbers = list(map(int, last))
    upwards = sum(after >= before for before, after in pairwise(numbers)) >= UPWARDS * max(len(numbers) - 1, 1)
    if not upwards:
        return False
    leaders = sum(any(LEADER.search(line.text.replace(" ", "")) for line in row.lines) for row in rows)
    if leaders >= LEADERS * len(rows):
        return len(numbers) >= PAGE_NUMBERS * len(rows)
    pairs = sum(len(row.lines) == 2 and not row.lines[0].is_numeric for row in rows)
    return pairs == len(rows) == len(numbers) >= FEWEST_CONTENTS and numbers[-1] - numbers[0] > len(numbers)


def is_equations(rows: Sequence[LineRow]) -> bool:
    """Whether rows are equations below each other, which may have numbers at the right."""
    lines = lines_of(rows)
    formula = sum(line.formula * len(line.text) for line in lines) / sum(len(line.text) for line in lines)
    if formula <= FORMULA_IF_NUMBERED:
        return False
    return formula > FORMULA or any(EQUATION_NUMBER.fullmatch(row.lines[-1].text) for row in rows)


# Whether what looks like the rows of a table is running text in columns side by side, which flows from row to row.

ENDS = (".", ":", ";", "?", "!")
FEWEST_PAIRS = 3  # of cells below each other in a column, from which on it can be told what it is
FLOWS = 0.4  # share of such pairs of which the lower cell goes on in the middle of a sentence
UNLIKE = 0.7  # share of the cells of running text that no other is like
COLUMNS = 0.8  # share of the columns that must flow: the labels of a table do not, whatever stands beside them
SHORT, LETTERS = 0.2, 3  # share of the words of running text that have so few letters; of identifiers hardly any have
NUMBERS = 0.2  # share of the cells of running text that are numbers


def is_prose_in_columns(words: PrintedWords, table: FoundTable, edges: Edges) -> bool:
    """Whether nearly all columns of a table flow from row to row, with nothing drawn between, in sentences."""
    columns: list[list[PrintedCell]] = [[] for _ in range(table.columns)]
    for cell in table.cells:
        columns[cell.column].append(cell)
    across = edges.across.tolist()
    told = [_flows(words, column, across) for column in columns]
    known = [flows for flows in told if flows is not None]
    if sum(known) < 2 or sum(known) < COLUMNS * len(known):
        return False
    return _reads_as_prose(words, table)


def _flows(words: PrintedWords, column: Sequence[PrintedCell], across: Sequence[Sequence[float]]) -> bool | None:
    """Whether many cells of a column go on in the next; None where too few stand below each other."""
    pairs = [(above, below) for above, below in pairwise(column) if above.words and below.words]
    if len(pairs) < FEWEST_PAIRS:
        return None
    texts = [words.in_lines(cell.words) for cell in column if cell.words]
    if len(set(texts)) < UNLIKE * len(texts):
        return False
    flows = 0
    for above, below in pairs:
        if words.text[below.words[0]][:1].islower() and not words.text[above.words[-1]].endswith(ENDS):
            flows += not _is_parted(words, above, below, across)
    return flows >= FLOWS * len(pairs)


def _is_parted(words: PrintedWords, above: PrintedCell, below: PrintedCell, across: Sequence[Sequence[float]]) -> bool:
    """Whether a line is drawn between two cells."""
    (_, top, _, foot), (x0, head, _, bottom) = words.box[above.words[-1]], words.box[below.words[0]]
    return any((top + foot) / 2 < y < (head + bottom) / 2 and left <= x0 <= right for y, left, right in across)


def _reads_as_prose(words: PrintedWords, table: FoundTable) -> bool:
    """Whether there are short words among the others, and few cells are numbers."""
    cells = [words.in_lines(cell.words) for cell in table.cells]
    if sum(map(is_numeric, cells)) > NUMBERS * len(cells):
        return False
    letters = [len(word) for text in cells for word in text.split() if word.isalpha()]
    return sum(length <= LETTERS for length in letters) >= SHORT * max(len(letters), 1)
