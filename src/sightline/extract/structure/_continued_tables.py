"""Step 13: tables that continue on the next sheet."""

from collections.abc import Sequence
from dataclasses import replace

from sightline.extract.structure._block_kinds import BlockKind
from sightline.extract.structure._column_span import Extent
from sightline.extract.structure._found_table import FoundTable, PrintedCell
from sightline.extract.structure._layout import PrintedWords
from sightline.extract.structure._pieces import mostly_digits
from sightline.extract.structure._sheet_parts import SheetPart

__all__ = ["join_continued"]

SHIFTED = 6.0  # CSS pixels: how far a side of a column on the second sheet may lie from that on the first
SHARED = 0.5  # share of the narrower of two columns that lies below the other
MOST_REPEATED = 4  # rows of headings that the second sheet repeats
SAME_BEGINNING = 20  # characters of two captions that must be the same
CONTINUED = ("continued", "cont.", "fortsetzung")


def join_continued(words: PrintedWords, sheets: Sequence[Sequence[SheetPart]]) -> list[list[SheetPart]]:
    """The parts of all sheets, with a table that continues joined to the one on the sheet before.

    A table continues if it is the first part of its sheet below the header, the other is the last part of its sheet,
    and their columns agree in number, place and kind of content. Headings that the second sheet repeats are left out.
    """
    found = [list(parts) for parts in sheets]
    for number in range(len(found) - 1, 0, -1):
        first, last = _first(found[number]), _last(found[number - 1])
        if first is None or last is None:
            continue
        joined = _joined(words, found[number - 1][last], found[number][first])
        if joined is not None:
            found[number - 1][last] = joined
            del found[number][first]
    return found


def _first(parts: Sequence[SheetPart]) -> int | None:
    """The place of the table that a sheet begins with below its header."""
    place = next((place for place, part in enumerate(parts) if part.kind is not BlockKind.HEADER), None)
    return place if place is not None and parts[place].table is not None else None


def _last(parts: Sequence[SheetPart]) -> int | None:
    """The place of the table that a sheet ends with above its footnotes and footer."""
    for place in range(len(parts) - 1, -1, -1):
        if parts[place].kind not in (BlockKind.FOOTER, BlockKind.NOTE):
            return place if parts[place].table is not None else None
    return None


def _joined(words: PrintedWords, before: SheetPart, after: SheetPart) -> SheetPart | None:
    """Two tables as one part; None where the second does not continue the first."""
    if before.table is None or after.table is None:
        return None
    repeated = _repeated(words, before.table, after.table)
    if not _continues(words, before.table, after.table, repeated):
        return None
    if after.caption and not _is_same_caption(before, after):
        return None
    return replace(before, table=_with_rows(before.table, after.table, repeated))


def _is_same_caption(before: SheetPart, after: SheetPart) -> bool:
    text, other = (" ".join(line.text for line in part.caption).casefold() for part in (after, before))
    if any(word in text for word in CONTINUED):
        return True
    return bool(other) and other[:SAME_BEGINNING] == text[:SAME_BEGINNING]


def _continues(words: PrintedWords, before: FoundTable, after: FoundTable, repeated: int) -> bool:
    """Whether the columns of two tables agree in number, place and kind of content."""
    if before.columns != after.columns:
        return False
    if not all(_is_below(one, other) for one, other in zip(before.reach, after.reach, strict=True)):
        return False
    return _number_columns(words, before, skip=1) == _number_columns(words, after, skip=repeated)


def _is_below(one: Extent, other: Extent) -> bool:
    """Whether the texts of two columns stand below each other: they share much of their width, or a side."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    narrow = min(one[1] - one[0], other[1] - other[0])
    return shared > SHARED * narrow or min(abs(one[0] - other[0]), abs(one[1] - other[1])) < SHIFTED


def _number_columns(words: PrintedWords, table: FoundTable, *, skip: int) -> list[bool]:
    """For each column whether most of its cells are numbers, without the first rows."""
    balance = [0] * table.columns
    for cell in table.cells:
        if cell.row >= skip and cell.columns == 1:
            balance[cell.column] += 1 if mostly_digits(_text(words, cell)) else -1
    return [count > 0 for count in balance]


def _text(words: PrintedWords, cell: PrintedCell) -> str:
    return " ".join(words.text[word] for word in cell.words)


def _repeated(words: PrintedWords, before: FoundTable, after: FoundTable) -> int:
    """How many rows at the top of the second table repeat the headings of the first."""
    for row in range(min(MOST_REPEATED, after.rows)):
        texts = [[_text(words, cell) for cell in table.cells if cell.row == row] for table in (before, after)]
        if texts[0] != texts[1]:
            return row
    return min(MOST_REPEATED, after.rows)


def _with_rows(before: FoundTable, after: FoundTable, skip: int) -> FoundTable:
    """The first table with the rows of the second, without those that it repeats."""
    more = [cell._replace(row=cell.row - skip + before.rows) for cell in after.cells if cell.row >= skip]
    return replace(
        before,
        rows=before.rows + after.rows - skip,
        cells=(*before.cells, *more),
        lines=(*before.lines, *after.lines),
    )
