"""Columns of pieces that no line parts: what stands below each other, with white on both sides."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from sightline.extract.structure._layout import Line
from sightline.extract.structure._rows import visual_rows

__all__ = ["Column", "columns_of", "joints"]

RICH = 0.7  # of the pieces of the fullest row: rows with so many show the columns; headings over several have fewer
TOUCH = 0.15  # of the size: pieces that overlap by no more do not stand below each other


@dataclass(slots=True)
class Column:
    """A stretch across the page with the rows in which something stands in it."""

    x0: float
    x1: float
    rows: set[int] = field(default_factory=set)


def columns_of(lines: Sequence[Line]) -> list[Column]:
    """The columns of some pieces, from left to right; what stands across several makes none.

    Rows with many pieces go first, and of these the narrow pieces: they make the columns that others are measured
    against. Columns that are never filled in one row, and that some piece covers both, are one: numbers to the right
    below a word to the left.
    """
    rows = visual_rows(lines)
    most = max((len(row.lines) for row in rows), default=0)
    placed = [(len(row.lines) < RICH * most, line, number) for number, row in enumerate(rows) for line in row.lines]
    columns: list[Column] = []
    wide: list[tuple[Line, int]] = []
    for _, line, row in sorted(placed, key=lambda one: (one[0], one[1].x1 - one[1].x0)):
        touch = TOUCH * line.size
        over = [column for column in columns if min(line.x1, column.x1) - max(line.x0, column.x0) > touch]
        if len(over) > 1:
            wide.append((line, row))
        elif not over:
            columns.append(Column(line.x0, line.x1, {row}))
        else:
            over[0].x0, over[0].x1 = min(over[0].x0, line.x0), max(over[0].x1, line.x1)
            over[0].rows.add(row)
    columns.sort(key=lambda column: column.x0)
    return _joined(columns, wide)


def _joined(columns: list[Column], wide: list[tuple[Line, int]]) -> list[Column]:
    """Columns that some piece covers and that no row has both of are one."""
    for line, row in wide:
        touch = TOUCH * line.size
        over = [c for c in columns if min(line.x1, c.x1) - max(line.x0, c.x0) > touch]
        if len(over) < 2:
            for column in over:
                column.rows.add(row)
            continue
        apart = any(len(a.rows & b.rows) > 0 for i, a in enumerate(over) for b in over[i + 1 :])
        if not apart:
            merged = Column(
                min(c.x0 for c in over), max(c.x1 for c in over), set().union(*(c.rows for c in over)) | {row}
            )
            columns = sorted([c for c in columns if c not in over] + [merged], key=lambda c: c.x0)
    return columns


def joints(columns: Sequence[Column]) -> list[float]:
    """The middle of the white between columns that are next to each other."""
    return [(a.x1 + b.x0) / 2 for a, b in pairwise(columns)]
