"""Rows of lines: the lines that stand at one height, from left to right."""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from sightline.extract.structure._printed_line import PrintedLine

__all__ = ["LineRow", "lines_of", "rows_of"]

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
