"""The parts of a sheet in reading order: its tables, its paragraphs, its header and footer."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from sightline.extract.structure._block_kinds import BlockKind
from sightline.extract.structure._found_table import FoundTable
from sightline.extract.structure._layout import PrintedWords, SheetLines
from sightline.extract.structure._paragraphs import Paragraph, paragraphs_of
from sightline.extract.structure._pieces import part_of
from sightline.extract.structure._printed_line import PrintedLine
from sightline.extract.structure._sheet_parts import SheetPart

__all__ = ["in_reading_order"]


def in_reading_order(
    words: PrintedWords, sheet: SheetLines, tables: Sequence[FoundTable]
) -> Iterator[Paragraph | SheetPart]:
    """What stands on a sheet, in reading order; a table stands where its first line does."""
    holder = {word: table for table in tables for line in table.lines for word in line.words}
    written: set[FoundTable] = set()
    held = [pair for line in sheet.lines for pair in _by_table(words, line, holder)]
    for (table, _, running), group in groupby(held, key=lambda pair: (pair[0], pair[1].block, pair[1].running)):
        lines = [line for _, line in group]
        if table is not None:
            if table not in written:
                written.add(table)
                yield SheetPart(BlockKind.TABLE, table.lines, table)
        elif running:
            yield _running(sheet, lines)
        else:
            yield from paragraphs_of(lines)


def _by_table(
    words: PrintedWords, line: PrintedLine, holder: dict[int, FoundTable]
) -> Iterator[tuple[FoundTable | None, PrintedLine]]:
    """A line with the table that holds it; a line of which a table holds a part is cut, so that no word is lost."""
    held = [holder.get(word) for word in line.words] if holder else [None]
    if len(set(held)) == 1:
        yield held[0], line
        return
    for table, group in groupby(zip(held, line.words, strict=True), key=lambda pair: pair[0]):
        yield table, part_of(words, line, [word for _, word in group])


def _running(sheet: SheetLines, lines: list[PrintedLine]) -> SheetPart:
    middle = (sheet.box[1] + sheet.box[3]) / 2
    return SheetPart(BlockKind.HEADER if lines[0].y0 < middle else BlockKind.FOOTER, tuple(lines))
