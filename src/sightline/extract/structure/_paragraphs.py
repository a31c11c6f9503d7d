"""Step 8: paragraphs, the lines of a block that are read as one, by indents, marks and short last lines.

Distances are in multiples of the size of the type.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from sightline.extract.structure._printed_line import ITEM, PrintedLine

__all__ = ["Paragraph", "paragraphs_of"]

INDENT = 0.8  # how much further in the first line of a paragraph begins
DEEPEST_INDENT = 6.0  # how far in it may begin; what stands further in is centred or set to the right
HANGING = 0.7  # how much further out the first line begins where the others are set in
DEEPEST_HANGING = 8.0  # how far the others may be set in
FULL = 0.6  # share of the lines before such lines that are full
# Measured: labels are the same at 2.
SHORT = 4.0  # a line that ends so far before the others is the last of its paragraph
SIDE_BY_SIDE = 0.4  # lines whose middles are closer stand side by side, as a mark and its text do
LABELLED = re.compile(r"[^\W\d][\w .()/°’'-]{1,30}:(?:\s|$)")  # lines such as “Invoice date: 3 May” stand alone

Row: TypeAlias = list[PrintedLine]


@dataclass(frozen=True, eq=False)
class Paragraph:
    """Lines that are read as one."""

    lines: tuple[PrintedLine, ...]
    block: int

    @cached_property
    def text(self) -> str:
        """The lines with blanks between them."""
        return " ".join(line.text for line in self.lines)

    @property
    def x0(self) -> float:
        """Its left end."""
        return min(line.x0 for line in self.lines)

    @property
    def x1(self) -> float:
        """Its right end."""
        return max(line.x1 for line in self.lines)

    @property
    def y0(self) -> float:
        """Its upper end."""
        return min(line.y0 for line in self.lines)

    @property
    def y1(self) -> float:
        """Its lower end."""
        return max(line.y1 for line in self.lines)

    @cached_property
    def size(self) -> float:
        """The size of most of its text."""
        if len(self.lines) == 1:
            return self.lines[0].size
        sizes: dict[float, float] = {}
        for line in self.lines:
            sizes[line.size] = sizes.get(line.size, 0.0) + len(line.text)
        return max(sizes, key=sizes.__getitem__)

    @property
    def is_bold(self) -> bool:
        """Whether most of it is set in bold."""
        return 2 * sum(len(line.text) for line in self.lines if line.bold) > sum(len(line.text) for line in self.lines)

    @cached_property
    def formula(self) -> float:
        """The share of it that is set in fonts for formulas."""
        whole = sum(len(line.text) for line in self.lines)
        return sum(line.formula * len(line.text) for line in self.lines) / max(whole, 1)


def paragraphs_of(lines: Sequence[PrintedLine]) -> list[Paragraph]:
    """The paragraphs of the lines of one block, in their order."""
    rows = _rows(lines)
    if not rows:
        return []
    left = min(row[0].x0 for row in rows)
    right = max(row[-1].x1 for row in rows)
    hanging = _is_hanging(rows, left, right)
    found: list[Row] = []
    before: Row | None = None
    for row in rows:
        if before is None or _begins(row, before, left, right, hanging=hanging):
            found.append([])
        found[-1] += row
        before = row
    return [Paragraph(tuple(held), lines[0].block) for held in found]


def _is_hanging(rows: list[Row], left: float, right: float) -> bool:
    """Whether all lines but the first of each paragraph are set in: then the lines before these are full.

    Where the first lines are set in instead, the line before is the last of its paragraph, and seldom full.
    """
    full = inner = 0
    for before, row in pairwise(rows):
        if left + HANGING * row[0].size < row[0].x0 < left + DEEPEST_HANGING * row[0].size:
            inner += 1
            full += before[-1].x1 > right - SHORT * row[0].size
    if not inner:
        return False
    if inner == 1:
        return len(rows) == 2 and rows[0][0].x0 < left + 1 and full == 1 and ITEM.match(rows[0][0].text) is not None
    return full >= FULL * inner


def _rows(lines: Sequence[PrintedLine]) -> list[Row]:
    """Neighbouring lines that stand side by side, such as a mark and its text, in one row."""
    rows: list[Row] = []
    for line in lines:
        if rows and abs(rows[-1][0].middle - line.middle) < SIDE_BY_SIDE * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _begins(row: Row, before: Row, left: float, right: float, *, hanging: bool) -> bool:
    """Whether a new paragraph begins with a row."""
    first, size = row[0], row[0].size
    if LABELLED.match(first.text) and LABELLED.match(before[0].text):
        return True
    mark = ITEM.match(first.text) is not None
    short = before[-1].x1 < right - SHORT * size
    if hanging:
        return first.x0 < left + HANGING * size / 2
    if mark and (len(row) > 1 or first.x0 >= before[0].x0 - 1) and (short or before[-1].text[-1:] in ".;:,"):
        return True
    indented = first.x0 > before[0].x0 + INDENT * size and before[0].x0 < left + INDENT * size
    if indented and first.x0 < left + DEEPEST_INDENT * size:
        return True
    return short and before[-1].text[-1:] in ".!?:" and first.text[:1].isupper() and first.x0 < left + INDENT * size
