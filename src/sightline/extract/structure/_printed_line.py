"""The value that every step works on: a line of text on a sheet, or the piece of a line that fills one cell."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import Literal, NamedTuple, TypeAlias

from sightline.geometry import Box, around

FEWEST_LINES = 3  # pieces of text in a table: two rows of two cells, of which one may be empty
SLACK = 2.0  # CSS pixels: how far the middle of a line may lie beside a box, whose sides are drawn lines
LONGEST_NUMBER = 40  # characters; only bounds the work of the two patterns below, no number in the test sets is longer

# One number with the signs, units and marks around it, or a placeholder for a missing one ("n/a", "-"). The quantifiers
# are possessive (`*+`), so no input makes the match take more than linear time.
NUMBER = re.compile(
    r"[(\[<>~≈≤≥±+–−-]{0,3}+\s?(?:[$€£¥]|EUR|USD)?\s?[+–−-]?(?:\d[\d.,'’\s]*+|[.,]\d++)\s?[)\]%‰°*†‡§a-dkm€$£]{0,3}[)\]]?"
    r"|[-–—−.…:*x✓✔/]{1,4}|\(?(?:n\.?/?a\.?|n\.?[ds]\.?|[a-z])\)?|nil|none",
    re.IGNORECASE,
)
# Several numbers in one text: ranges, fractions, dates, times, deviations in brackets.
NUMBERS = re.compile(
    r"(?:[(\[<>~≈≤≥±+–−$€£¥-]{0,3}+\s?+(?:\d[\d.,'’]*+|[.,]\d++)\s?+[%‰°*†‡§a-dkm€$£]{0,2}+[)\]]{0,2}+"
    r"(?:\s?[-–/±×x:]\s?|\s)?+){1,6}+(?:US\$|USD|EUR)?+|(?:US\$|USD|EUR|Rs\.?)\s?\d[\d.,]*+",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def is_number(text: str) -> bool:
    """Whether a text is one number, or a placeholder for a missing one.

    >>> is_number("(1,250)"), is_number("n/a"), is_number("3-5"), is_number("Osric 30")
    (True, True, False, False)
    """
    return len(text) <= LONGEST_NUMBER and NUMBER.fullmatch(text) is not None


@lru_cache(maxsize=4096)
def is_numeric(text: str) -> bool:
    """Whether a text consists of numbers only, such as a range, a date or one number.

    >>> is_numeric("3-5"), is_numeric("12/03/2026"), is_numeric("US$ 40"), is_numeric("March 2026")
    (True, True, True, False)
    """
    return is_number(text) or (len(text) <= LONGEST_NUMBER and NUMBERS.fullmatch(text) is not None)


@dataclass(frozen=True, slots=True, eq=False)
class PrintedLine:
    """A line of a sheet, or the piece of it that stands in one cell.

    Lines compare by identity, so that a line can be the key of a dictionary: two cells with the same text in the same
    place of two sheets are different lines.
    """

    number: int  # the node of the line on the bare page
    words: tuple[int, ...]  # places in the page's table of words
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float  # of the type, in CSS pixels
    bold: bool
    block: int  # the node of the block that holds the line
    running: bool = False  # part of a header or footer
    turned: bool = False
    formula: float = 0.0  # share of its characters set in a font for formulas
    tags: tuple[str, ...] = ()  # of a tagged PDF, outermost first, such as ("Table", "TR", "TD")
    prose: bool = False  # running text, not a cell
    middle: float = field(init=False)  # height of the middle of the line; precomputed, since most steps sort by it

    def __post_init__(self) -> None:
        """Work out the middle."""
        object.__setattr__(self, "middle", (self.y0 + self.y1) / 2)

    def part(self, words: tuple[int, ...], text: str, sides: tuple[float, float], *, prose: bool) -> "PrintedLine":
        """Some words of the line as a line; a fourth of the time of `dataclasses.replace`."""
        return self._copy(words, text, sides, self.block, prose=prose)

    def block_part(self, words: tuple[int, ...], text: str, sides: tuple[float, float], block: int) -> "PrintedLine":
        """Some words of the line as a line and as a block of its own."""
        return self._copy(words, text, sides, block, prose=self.prose)

    def as_prose(self) -> "PrintedLine":
        """The line as running text."""
        return self._copy(self.words, self.text, (self.x0, self.x1), self.block, prose=True)

    def _copy(
        self, words: tuple[int, ...], text: str, sides: tuple[float, float], block: int, *, prose: bool
    ) -> "PrintedLine":
        return PrintedLine(
            self.number,
            words,
            text,
            sides[0],
            self.y0,
            sides[1],
            self.y1,
            self.size,
            self.bold,
            block,
            self.running,
            self.turned,
            self.formula,
            self.tags,
            prose,
        )

    @property
    def centre(self) -> float:
        """The middle of the line from left to right."""
        return (self.x0 + self.x1) / 2

    @property
    def is_number(self) -> bool:
        """Whether the line is one number, or a placeholder for a missing one."""
        return is_number(self.text)

    @property
    def is_numeric(self) -> bool:
        """Whether the line consists of numbers only, such as a range or a date."""
        return is_numeric(self.text)


def lines_in(lines: Sequence[PrintedLine], box: Box) -> list[PrintedLine]:
    """The lines whose middle lies in a box."""
    x0, y0, x1, y1 = box
    left, right = x0 - SLACK, x1 + SLACK
    return [line for line in lines if y0 <= line.middle <= y1 and left <= (line.x0 + line.x1) / 2 <= right]


def hull_of(lines: Sequence[PrintedLine]) -> Box:
    """The smallest box around some lines."""
    return around([(line.x0, line.y0, line.x1, line.y1) for line in lines])


# What it means for a line to stand in columns of a grid.

Span: TypeAlias = tuple[int, int]
"""The first and the last column that a line stands in."""

Spans: TypeAlias = dict[PrintedLine, Span]

Extent: TypeAlias = tuple[float, float]
"""How far the texts of a column reach from left to right."""


# Rows of lines: the lines that stand at one height, from left to right.

# Measured: F1 is the same from 0.25 to 0.67, labels only from 0.45 (0.939 at 0.25); at 1.0 F1 is 0.999.
LEVEL = 0.5  # of the size of the type: lines whose middles are closer than this stand in one row


_FROM_LEFT = attrgetter("x0")
_FROM_TOP = attrgetter("middle", "x0")


class LineRow(NamedTuple):
    """Lines at one height, from left to right; `middle` is that of the highest of them."""

    lines: tuple[PrintedLine, ...]
    middle: float

    @property
    def top(self) -> float:
        """The upper end of the highest line."""
        return min(line.y0 for line in self.lines)

    @property
    def bottom(self) -> float:
        """The lower end of the lowest line."""
        return max(line.y1 for line in self.lines)


def rows_of(lines: Sequence[PrintedLine]) -> list[LineRow]:
    """The lines in rows, from top to bottom."""
    if len(lines) == 1:
        return [LineRow((lines[0],), lines[0].middle)]
    groups: list[list[PrintedLine]] = []
    top, near = float("-inf"), 0.0
    for line in sorted(lines, key=_FROM_TOP):
        step = line.middle - top
        if step < near and step < LEVEL * line.size:
            groups[-1].append(line)
        else:
            groups.append([line])
            top, near = line.middle, LEVEL * line.size
    return [
        LineRow(tuple(sorted(group, key=_FROM_LEFT) if len(group) > 1 else group), group[0].middle) for group in groups
    ]


def lines_of(rows: Iterable[LineRow]) -> list[PrintedLine]:
    """The lines of some rows, row by row."""
    return [line for row in rows for line in row.lines]


# What the table steps hand on: a table with its cells.

TableKind: TypeAlias = Literal["lattice", "zone", "white"]
"""The evidence for a table: lines that meet, lines of one width below each other, or rows of pieces alone."""


class PrintedCell(NamedTuple):
    """A cell: its place, how many rows and columns it spans, and its words."""

    row: int
    column: int
    rows: int
    columns: int
    words: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class FoundTable:
    """A table: its box, its cells, where each column begins (`lefts`), and how far its texts reach (`reach`).

    The first `header_rows` rows name the columns.
    """

    box: Box
    rows: int
    columns: int
    cells: tuple[PrintedCell, ...]
    lefts: tuple[float, ...]
    kind: TableKind
    lines: tuple[PrintedLine, ...] = ()
    reach: tuple[Extent, ...] = ()
    header_rows: int = 0


# The marks of list items and the numbers of equations, for all steps that know them by these.

BULLETS = "•·●○◦▪■□▫‣➢➤✓✔*–—-"
"""The signs that items begin with; the last four have other uses as well."""

_NUMBERS = r"\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\(?[ivxIVX]{1,5}[.)]|\[\d{1,3}\]"

ITEM = re.compile(rf"(?:[{BULLETS}]|{_NUMBERS})(?=\s|$)")
"""How an item begins."""

MARK = re.compile(rf"[{BULLETS}]|{_NUMBERS}|\d+(?:\.\d+)+\.?")
"""A mark alone, or the number of a heading."""

EQUATION_NUMBER = re.compile(r"\(\s?[A-Z]?\.?\d{1,3}(?:\.\d{1,3})*[a-z]?\s?\)")
"""The number of an equation, such as (3.24)."""
