"""Paragraphs: the lines of a block in groups that belong together, by indents, marks and short last lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from sightline.extract.structure._layout import Line
from sightline.extract.structure._marks import ITEM

__all__ = ["Paragraph", "paragraphs_of"]

INDENT = 0.8  # of the size: how much further in the first line of a paragraph begins
HANGING = 0.7  # of the size: how much further out, where the others are set in
FULL = 0.6  # of the lines before those that are set in
SHORT = 4.0  # of the size: a line that ends so far before the others is the last of its paragraph
LABELLED = re.compile(
    r"[^\W\d][\w .()/°’'-]{1,30}:(?:\s|$)"
)  # lines such as “Invoice date: 3 May” stand for themselves


@dataclass(frozen=True, eq=False)
class Paragraph:
    """Lines that are read as one."""

    lines: tuple[Line, ...]
    block: int

    @cached_property
    def text(self) -> str:
        """The lines with blanks between them."""
        return " ".join(line.text for line in self.lines)

    @property
    def x0(self) -> float:
        """Where it begins on the left."""
        return min(line.x0 for line in self.lines)

    @property
    def x1(self) -> float:
        """Where it ends on the right."""
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
        sizes: dict[float, float] = {}
        for line in self.lines:
            sizes[line.size] = sizes.get(line.size, 0.0) + len(line.text)
        return max(sizes, key=sizes.__getitem__)

    @property
    def is_bold(self) -> bool:
        """Whether most of it is set in bold."""
        return 2 * sum(len(line.text) for line in self.lines if line.bold) > sum(len(line.text) for line in self.lines)


def paragraphs_of(lines: Sequence[Line]) -> list[Paragraph]:
    """The paragraphs of the lines of one block, in their order."""
    rows = _rows(lines)
    if not rows:
        return []
    left = min(row[0].x0 for row in rows)
    right = max(row[-1].x1 for row in rows)
    hanging = _is_hanging(rows, left, right)
    found: list[list[Line]] = []
    before: list[Line] | None = None
    for row in rows:
        if before is None or _begins(row, before, left, right, hanging=hanging):
            found.append([])
        found[-1] += row
        before = row
    return [Paragraph(tuple(held), lines[0].block) for held in found]


def _is_hanging(rows: list[list[Line]], left: float, right: float) -> bool:
    """Whether all lines but the first of each paragraph are set in: then the lines before those that are are full.

    Where the first lines are set in instead, the line before is the last of its paragraph, and seldom full.
    """
    full = inner = 0
    for before, row in pairwise(rows):
        if row[0].x0 > left + HANGING * row[0].size and row[0].x0 < left + 8 * row[0].size:
            inner += 1
            full += before[-1].x1 > right - SHORT * row[0].size
    if not inner:
        return False
    if inner == 1:
        return len(rows) == 2 and rows[0][0].x0 < left + 1 and full == 1 and ITEM.match(rows[0][0].text) is not None
    return full >= FULL * inner


def _rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines side by side, such as a mark and its text, in one row."""
    rows: list[list[Line]] = []
    for line in lines:
        if rows and abs(rows[-1][0].middle - line.middle) < 0.4 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _begins(row: list[Line], before: list[Line], left: float, right: float, *, hanging: bool) -> bool:
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
    if indented and first.x0 < left + 6 * size:
        return True
    return short and before[-1].text[-1:] in ".!?:" and first.text[:1].isupper() and first.x0 < left + INDENT * size
