"""What the table steps hand on: a table with its cells."""

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from sightline.extract.structure._column_span import Extent
from sightline.extract.structure._printed_line import PrintedLine
from sightline.geometry import Box

__all__ = ["FoundTable", "PrintedCell", "TableKind"]

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
