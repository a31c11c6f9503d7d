"""Whether what looks like the rows of a table is running text in columns side by side, which flows from row to row."""

from collections.abc import Sequence
from itertools import pairwise

from sightline.extract.structure._edges import Edges
from sightline.extract.structure._found_table import FoundTable, PrintedCell
from sightline.extract.structure._layout import PrintedWords
from sightline.extract.structure._printed_line import is_numeric

__all__ = ["is_prose_in_columns"]

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
