"""Step 7g: how many rows at the top of a table are headings.

Row by row from the top, evidence is added up: what the texts are, compared with the columns below them, how they are
set, what is painted behind them, and where lines are drawn. The first row that reads as data ends the headings.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cached_property, lru_cache

import numpy as np

from sightline.extract.structure._layout import PAPER, THIN, Edges, PrintedWords, SheetLines
from sightline.extract.structure._printed_line import FoundTable, PrintedCell, is_numeric
from sightline.geometry import around

# What the texts of a row say about it: whether they name the columns below them, or are values in them.

YEAR = re.compile(
    r"(?:FY|CY)?\s?(?:1[89]|20)\d\d(?:\s?[-–/]\s?(?:(?:1[89]|20)\d\d|\d\d?))?\s?(?:[*†‡§¹²³⁴⁵]{1,3}|\(?[a-zA-Z*]\)?)?"
)
CLASS = re.compile(r"[<>≤≥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:\+|(?:[-–]|to)\s?\d[\d.,]*)")
BLANK = re.compile(r"[-–—−.…:*✓✔/\s]{1,5}|\(?(?:n\.?/?a\.?|n\.?[ds]\.?|[a-z])\)?|nil|none", re.IGNORECASE)
LABEL = re.compile(r"\d{1,3}(?:st|nd|rd|th)\b|(?:1[89]|20)\d\d\s?[a-z]", re.IGNORECASE)
VALUE = re.compile(r"\W{0,3}\d")
COUNTED = re.compile(r"[(\[]?(\d{1,2})[)\].]?")

MAJORITY = 0.5
FEWEST_COUNTED = 3  # cells that count upwards, from which on they number the columns
# What a cell says about its row, by the kind of its text; 1 names the column, -1 is a value in it. By judgement: a
# class ("15-24"), a single year or a unit ("1,000 acres") may be either, and what stands for a missing value is one,
# but a weak one.
NAMES, OF_CLASS, SINGLE_YEAR, OF_UNIT, MISSING, AMONG_WORDS = 1.0, 0.5, 0.25, 0.25, -0.5, -0.25


class PrintedKind(Enum):
    """What a text of a table looks like, from nothing to words."""

    EMPTY = auto()
    BLANK = auto()  # what stands for a missing value
    NUMBER = auto()
    YEAR = auto()
    CLASS = auto()  # a range of numbers
    MIXED = auto()  # a number with words behind it
    WORDS = auto()


@dataclass(frozen=True)
class ColumnContent:
    """What most cells of a column are: values or words; and if values, whether of a kind that may also name columns."""

    values: bool
    usual: PrintedKind


@lru_cache(maxsize=4096)
def printed_kind(text: str) -> PrintedKind:
    """The kind of a text.

    >>> [printed_kind(text).name for text in ("", "n/a", "1,250", "2008/09", "15-24", "100 million", "1st", "Sales")]
    ['EMPTY', 'BLANK', 'NUMBER', 'YEAR', 'CLASS', 'MIXED', 'WORDS', 'WORDS']
    """
    if not text:
        return PrintedKind.EMPTY
    if BLANK.fullmatch(text):
        return PrintedKind.BLANK
    if YEAR.fullmatch(text):
        return PrintedKind.YEAR
    if CLASS.fullmatch(text):
        return PrintedKind.CLASS
    if is_numeric(text):
        return PrintedKind.NUMBER
    return PrintedKind.MIXED if VALUE.match(text) and not LABEL.match(text) else PrintedKind.WORDS


def column_content(kinds: Sequence[PrintedKind]) -> ColumnContent:
    """What most of the cells of a column are."""
    counts = Counter(kinds)
    words = counts[PrintedKind.WORDS]
    usual = max(
        (PrintedKind.NUMBER, PrintedKind.YEAR, PrintedKind.CLASS, PrintedKind.MIXED), key=lambda kind: counts[kind]
    )
    values = sum(counts[kind] for kind in (PrintedKind.NUMBER, PrintedKind.YEAR, PrintedKind.CLASS, PrintedKind.MIXED))
    is_values = values > 0 and values >= MAJORITY * (values + words)
    return ColumnContent(is_values, usual if is_values else PrintedKind.WORDS)


def naming_share(texts: Sequence[str], columns: Sequence[ColumnContent], wide: Collection[int] = ()) -> float:
    """Whether a row names its columns (up to 1) or holds values of them (down to -1); 0 where nothing tells.

    One text and one kind for each column; where nothing stands the text is empty. The columns in `wide` are those below
    a cell that spans several: no value does.
    """
    kinds = [printed_kind(text) for text in texts]
    if _counts_upwards(texts, kinds):
        return NAMES
    year = _year_vote(kinds, columns)
    pairs = zip(kinds, columns, strict=True)
    votes = [_vote(kind, column, year, is_wide=place in wide) for place, (kind, column) in enumerate(pairs)]
    told = sum(vote != 0 for vote in votes)
    of_values = sum(column.values for column in columns)
    return sum(votes) / max(told, MAJORITY * of_values, 1.0)


def _vote(kind: PrintedKind, column: ColumnContent, year: float, *, is_wide: bool) -> float:
    """What one cell says, above a column of some kind."""
    if not column.values:
        return {PrintedKind.YEAR: max(year, 0.0) * OF_CLASS, PrintedKind.NUMBER: AMONG_WORDS}.get(kind, 0.0)
    if is_wide:
        return NAMES
    if column.usual is kind:
        return -NAMES
    return {
        PrintedKind.EMPTY: 0.0,
        PrintedKind.BLANK: MISSING,
        PrintedKind.NUMBER: -NAMES,
        PrintedKind.YEAR: year,
        PrintedKind.CLASS: OF_CLASS,
        PrintedKind.MIXED: OF_UNIT,
        PrintedKind.WORDS: NAMES,
    }[kind]


def _year_vote(kinds: Sequence[PrintedKind], columns: Sequence[ColumnContent]) -> float:
    """What a year says: it names a column if no other number stands in its row, the more so if there are several."""
    pairs = [
        (kind, column) for kind, column in zip(kinds, columns, strict=True) if column.usual is not PrintedKind.YEAR
    ]
    years = sum(kind is PrintedKind.YEAR for kind, _ in pairs)
    if any(kind is PrintedKind.NUMBER for kind, _ in pairs):
        return -NAMES
    return NAMES if years > 1 else SINGLE_YEAR


def _counts_upwards(texts: Sequence[str], kinds: Sequence[PrintedKind]) -> bool:
    """Whether the numbers of a row count its columns, as in "(1) (2) (3)"; other texts must be missing."""
    if any(kind in (PrintedKind.WORDS, PrintedKind.YEAR, PrintedKind.MIXED) for kind in kinds):
        return False
    found = [COUNTED.fullmatch(text) for text in texts if text]
    numbers = [int(one[1]) for one in found if one is not None]
    if len(numbers) < max(FEWEST_COUNTED, len(found)) or numbers[0] > 2:
        return False
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


MOST = 6  # rows of headings
HEADING_WORDS = 12  # headings are short; longer first rows are data
MOSTLY, SELDOM = 0.6, 0.3  # shares of a row, or of the rows below it
SMALL = 6  # rows up to which headings may be half of a table, so that only its lower half tells what the columns hold
STUB = 0.8  # share of the rows whose first cell is filled, where an empty one means that the row names columns
RULED = 0.5  # share of the width of a table that a line between two rows takes
UPPER = 3  # a line below the headings stands in this part of the table, a third; one further down parts totals
SLACK = 2.0  # CSS pixels: how far a line may be drawn into the rows above and below it
UNPAINTED = -1
HEADING_TAG = "TH"

# What each kind of evidence is worth; what the texts are counts from -1 to 1. By judgement: no look of a row outweighs
# numbers below numbers, and one look is enough where the texts tell nothing. Measured: where any of them is halved or
# doubled, at most two of the 76 labelled tables change.
TEXTS, BOLD, SET, PAINTED, LINE, CORNER, SPANNED, TAGGED, FIRST = 2.0, 1.0, 0.5, 1.0, 0.75, 0.5, 1.5, 1.5, 0.25
ENOUGH = 0.6
VALUES = -0.75  # what the texts of a row of values come to at most; then no look makes it a heading


def with_header_rows(words: PrintedWords, sheet: SheetLines, edges: Edges, table: FoundTable) -> FoundTable:
    """The table with the number of its header rows."""
    grid = _Grid(words, sheet, edges, table)
    count = _with_spans(grid, _leading(grid) or int(_reads_as_heading(grid)))
    return replace(table, header_rows=0 if _is_title(grid, count) else count)


@dataclass(frozen=True, eq=False)
class _Grid:
    """A table as rows of places, with what is needed to judge them; everything is worked out on first use."""

    words: PrintedWords
    sheet: SheetLines
    edges: Edges
    table: FoundTable

    @cached_property
    def cells(self) -> list[list[PrintedCell]]:
        """The cells that begin in each row and hold words."""
        found: list[list[PrintedCell]] = [[] for _ in range(self.table.rows)]
        for cell in self.table.cells:
            if cell.words:
                found[cell.row].append(cell)
        return found

    def texts(self, row: int, *, single: bool = False) -> list[str]:
        """The text over each column in a row; `single` leaves out those of cells that span several columns."""
        found = [""] * self.table.columns
        for cell in self.cells[row]:
            if cell.columns == 1 or not single:
                text = self.words.in_lines(cell.words)
                found[cell.column : cell.column + cell.columns] = [text] * cell.columns
        return found

    def below(self, row: int) -> range:
        """The rows that a row is compared with: those below it in the lower half of the table."""
        return range(max(row + 1, self.table.rows // 2), self.table.rows)

    @cached_property
    def kinds(self) -> list[list[PrintedKind]]:
        """The kind of the text in each place."""
        return [list(map(printed_kind, self.texts(row, single=True))) for row in range(self.table.rows)]

    @cached_property
    def columns(self) -> list[ColumnContent]:
        """What the columns hold below their headings."""
        start = 1 if self.table.rows > SMALL else self.table.rows // 2
        return [column_content(column) for column in zip(*self.kinds[start:], strict=True)]

    def beside(self, row: int) -> list[PrintedCell]:
        """The cells of a row that do not stand in the first column; the first one where there is no other."""
        return [cell for cell in self.cells[row] if cell.column > 0] or self.cells[row]

    @cached_property
    def heights(self) -> list[tuple[float, float]]:
        """The upper and lower end of the words of each row; of cells over several rows only if there are no others."""
        found: list[tuple[float, float]] = []
        for row in self.cells:
            boxes = [self.words.box[word] for cell in row if cell.rows == 1 for word in cell.words]
            boxes = boxes or [self.words.box[word] for cell in row for word in cell.words]
            above = found[-1][1] if found else self.table.box[1]
            _, top, _, bottom = around(boxes or [[0.0, above, 0.0, above]])
            found.append((top, bottom))
        return found

    @cached_property
    def ruled(self) -> list[bool]:
        """Whether a line is drawn below each row but the last, over much of the width of the table."""
        x0, _, x1, _ = self.table.box
        lines = [(y, min(end, x1) - max(start, x0)) for y, start, end in self.edges.across.tolist()]
        long = [(y, width) for y, width in lines if width > 0]
        found = []
        for (_, upper), (lower, _) in zip(self.heights, self.heights[1:], strict=False):
            drawn = sum(width for y, width in long if upper - SLACK <= y <= lower + SLACK)
            found.append(drawn >= RULED * (x1 - x0))
        return found

    @cached_property
    def ruled_off(self) -> int:
        """How many rows stand above a line that parts them from rows without lines between them."""
        most = min(MOST, max(self.table.rows // UPPER, 1))
        count = next((row + 1 for row, ruled in enumerate(self.ruled[:most]) if ruled), 0)
        return count if _share(self.ruled[count:]) <= SELDOM else 0

    @cached_property
    def tags(self) -> dict[int, str]:
        """The innermost tag of the words that stand in a cell by the tag tree."""
        return {word: line.tags[-1] for line in self.table.lines if line.tags for word in line.words}

    @cached_property
    def fills(self) -> tuple[list[list[float]], list[int]]:
        """What is painted on the table, in the order in which it is painted: boxes and colours."""
        box = self.sheet.rules
        x0, y0, x1, y1 = self.table.box
        inside = (box[:, 0] < x1) & (box[:, 2] > x0) & (box[:, 1] < y1) & (box[:, 3] > y0)
        large = (box[:, 2] - box[:, 0] > THIN) & (box[:, 3] - box[:, 1] > THIN)
        chosen = np.flatnonzero(inside & large)
        return box[chosen].tolist(), np.where(self.sheet.lightness < PAPER, self.sheet.colours, UNPAINTED)[
            chosen
        ].tolist()

    def colour(self, row: int) -> int:
        """What is painted behind most of the cells of a row."""
        found = [self._painted(cell) for cell in self.beside(row)]
        return max(found, key=found.count) if found else UNPAINTED

    def _painted(self, cell: PrintedCell) -> int:
        """The colour that is painted last behind the first word of a cell."""
        x0, y0, x1, y1 = self.words.box[cell.words[0]]
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        boxes, colours = self.fills
        for (left, top, right, bottom), colour in zip(reversed(boxes), reversed(colours), strict=True):
            if left <= x <= right and top <= y <= bottom:
                return colour
        return UNPAINTED


# ------------------------------------------------------------------ how many


def _leading(grid: _Grid) -> int:
    """How many rows there are up to the last heading before the first row of data."""
    count = 0
    for row in range(min(MOST, grid.table.rows - 1)):
        if _is_section(grid, row):
            continue
        if _evidence(grid, row, is_below=0 < row == count) < ENOUGH:
            break
        count = row + 1
    return count


def _is_section(grid: _Grid, row: int) -> bool:
    """Whether a row has one text, which is a label, a title, or parts the rows as another one further down does."""
    cells = grid.cells[row]
    if len(cells) != 1:
        return not cells
    if cells[0].column == 0:
        return cells[0].columns in (1, grid.table.columns)
    return any(len(other) == 1 and other[0].column > 0 for other in grid.cells[row + 2 :])


def _with_spans(grid: _Grid, count: int) -> int:
    """As many rows as the cells of the headings span, as long as what they reach does not read as data."""
    for row in range(count, grid.table.rows - 1):
        if not any(cell.row < count and cell.row + cell.rows > row for cell in grid.table.cells):
            break
        if _naming(grid, row) < 0 or row >= MOST:
            break
        count = row + 1
    return count


def _is_title(grid: _Grid, count: int) -> bool:
    """Whether all that would be headings are texts over the whole table, which name no column."""
    return all(cell.columns == grid.table.columns for row in grid.cells[:count] for cell in row)


def _reads_as_heading(grid: _Grid) -> bool:
    """Without any evidence: whether the first row is full of short, different words, not of names with their values."""
    texts, first = grid.texts(0)[1:], grid.texts(0)[0]
    if len(set(texts)) < len(texts) or any(len(text.split()) > HEADING_WORDS for text in (first, *texts)):
        return False
    if not all(printed_kind(text) is PrintedKind.WORDS for text in texts) or printed_kind(first) is PrintedKind.NUMBER:
        return False
    named = [grid.texts(row)[0].endswith(":") for row in range(grid.table.rows)]
    return _share(named) <= MOSTLY and _naming(grid, 0) >= 0


# ------------------------------------------------------------------ evidence


def _evidence(grid: _Grid, row: int, *, is_below: bool) -> float:
    """Everything that speaks for a row as a heading; `is_below` says that the row above it is one.

    Looks only add to it, and are not looked at where the texts are enough, or are values throughout.
    """
    texts = TEXTS * _naming(grid, row)
    if texts >= ENOUGH or texts <= VALUES * TEXTS:
        return texts
    looks = (
        BOLD * _is_bolder(grid, row),
        SET * _is_set_apart(grid, row),
        PAINTED * _is_painted(grid, row),
        LINE * (row < grid.ruled_off),
        CORNER * _has_empty_corner(grid, row),
        SPANNED * (is_below and _parts_a_span(grid, row)),
        TAGGED * _is_tagged(grid, row),
        FIRST * (row == 0),
    )
    return texts + sum(looks)


def _naming(grid: _Grid, row: int) -> float:
    """Whether the texts of a row name its columns (up to 1) or are values in them (down to -1)."""
    wide = {
        place
        for cell in grid.cells[row]
        if cell.columns > 1
        for place in range(cell.column, cell.column + cell.columns)
    }
    return naming_share(grid.texts(row), grid.columns, wide)


def _is_bolder(grid: _Grid, row: int) -> bool:
    """Whether most of a row is bold, and little below it."""
    bold = grid.words.bold
    return _stands_out(grid, row, lambda cell: _share(bold[word] for word in cell.words) > MOSTLY)


def _is_set_apart(grid: _Grid, row: int) -> bool:
    """Whether a row is set in one way, and little below it is."""
    cells, style = grid.beside(row), grid.words.style
    first = style[cells[0].words[0]] if cells else 0
    return _stands_out(grid, row, lambda cell: style[cell.words[0]] == first)


def _is_tagged(grid: _Grid, row: int) -> bool:
    """Whether most of a row are headings by the tag tree, and little below it is."""
    return bool(grid.tags) and _stands_out(grid, row, lambda cell: grid.tags.get(cell.words[0]) == HEADING_TAG)


def _stands_out(grid: _Grid, row: int, test: Callable[[PrintedCell], bool]) -> bool:
    """Whether a test holds for most cells of a row beside the first column, and for few below."""
    if _share(map(test, grid.beside(row))) < MOSTLY:
        return False
    return _share(test(cell) for below in grid.below(row) for cell in grid.beside(below)) <= SELDOM


def _is_painted(grid: _Grid, row: int) -> bool:
    """Whether something is painted behind a row that is painted behind few of those below it."""
    if not grid.fills[0]:
        return False
    colour = grid.colour(row)
    return colour != UNPAINTED and _share(grid.colour(below) == colour for below in grid.below(row)) <= SELDOM


def _has_empty_corner(grid: _Grid, row: int) -> bool:
    """Whether nothing stands in the first column of a row, though something does in nearly all below it."""
    if any(cell.column == 0 for cell in grid.cells[row]):
        return False
    return _share(any(cell.column == 0 for cell in grid.cells[below]) for below in grid.below(row)) >= STUB


def _parts_a_span(grid: _Grid, row: int) -> bool:
    """Whether several cells of a row stand below one cell of the row above it, which needs them to name columns."""
    wide = [(cell.column, cell.column + cell.columns) for cell in grid.cells[row - 1] if cell.columns > 1]
    return any(sum(left <= cell.column < right for cell in grid.cells[row]) > 1 for left, right in wide)


def _share(held: Iterable[bool]) -> float:
    """The share of what holds; 0 of nothing."""
    known = list(held)
    return sum(known) / len(known) if known else 0.0
