"""The parts of a sheet, which the last steps hand on to each other and the page is written from."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from sightline.extract.structure._layout import PrintedWords, SheetLines
from sightline.extract.structure._paragraphs import BlockKind, Paragraph, paragraphs_of
from sightline.extract.structure._pieces import mostly_digits, part_of
from sightline.extract.structure._printed_line import Extent, FoundTable, PrintedCell, PrintedLine


@dataclass(frozen=True, eq=False)
class SheetPart:
    """A paragraph, a table, a header or a footer of a sheet, in its place of the reading order."""

    kind: BlockKind
    lines: tuple[PrintedLine, ...] = ()
    table: FoundTable | None = None
    level: int = 0  # of a heading
    caption: tuple[PrintedLine, ...] = ()  # of a table


def with_captions(parts: Sequence[SheetPart]) -> list[SheetPart]:
    """The parts, with the caption right above or below a table inside it."""
    found: list[SheetPart | None] = list(parts)
    for place, part in enumerate(parts):
        if part.kind is not BlockKind.TABLE:
            continue
        for near in (place - 1, place + 1):
            caption = found[near] if 0 <= near < len(found) else None
            if caption is not None and caption.kind is BlockKind.CAPTION:
                found[place], found[near] = replace(part, caption=caption.lines), None
                break
    return [part for part in found if part is not None]


# Step 12: the levels of headings, by their numbers where they have any, otherwise by size and weight.

NUMBER = re.compile(r"(\d{1,2}(?:\.\d{1,2})*)\.?\s+\S")
TAG = re.compile(r"H([1-6])")
DEEPEST = 6


def with_levels(sheets: Sequence[Sequence[SheetPart]]) -> list[list[SheetPart]]:
    """The parts of all sheets, each heading with its level in the whole document."""
    levels = iter(levels_of([part for parts in sheets for part in parts if part.kind is BlockKind.HEADING]))
    return [
        [replace(part, level=next(levels)) if part.kind is BlockKind.HEADING else part for part in parts]
        for parts in sheets
    ]


def levels_of(headings: Sequence[SheetPart]) -> list[int]:
    """A level from 1 to 6 for each heading.

    Sizes make the ranks; at one size, bold stands above plain. A number such as 2.3 then puts a heading below those
    whose numbers have fewer places, whatever their size. A level that a tagged PDF names stands.
    """
    looks = [(round(max(line.size for line in one.lines), 1), any(line.bold for line in one.lines)) for one in headings]
    ranks = {look: rank for rank, look in enumerate(sorted(set(looks), reverse=True), start=1)}
    levels = []
    base = None
    for heading, look in zip(headings, looks, strict=True):
        level = ranks[look]
        number = NUMBER.match(" ".join(line.text for line in heading.lines))
        if number:
            depth = number[1].count(".")
            base = level - depth if base is None else min(base, level - depth)
            level = max(base, 1) + depth
        tagged = next((found for tag in heading.lines[0].tags if (found := TAG.fullmatch(tag))), None)
        levels.append(int(tagged[1]) if tagged else min(max(level, 1), DEEPEST))
    return levels


# The parts of a sheet in reading order: its tables, its paragraphs, its header and footer.


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


# Step 13: tables that continue on the next sheet.

SHIFTED = 6.0  # CSS pixels: how far a side of a column on the second sheet may lie from that on the first
SHARED = 0.5  # share of the narrower of two columns that lies below the other
MOST_REPEATED = 4  # rows of headings that the second sheet repeats
SAME_BEGINNING = 20  # characters of two captions that must be the same
CONTINUED = ("continued", "cont.", "fortsetzung")


def join_continued(words: PrintedWords, sheets: Sequence[Sequence[SheetPart]]) -> list[list[SheetPart]]:
    """The parts of all sheets, with a table that continues joined to the one on the sheet before.

    A table continues if it is the first part of its sheet below the header, the other is the last part of its sheet,
    and their columns agree in number, place and kind of content. Headings and captions that the second sheet repeats
    are no rows of it; they stay on their sheet as a running header.
    """
    found = [list(parts) for parts in sheets]
    for number in range(len(found) - 1, 0, -1):
        first, last = _first(found[number]), _last(found[number - 1])
        if first is None or last is None:
            continue
        joined = _joined(words, found[number - 1][last], found[number][first])
        if joined is not None:
            found[number - 1][last], again = joined
            found[number][first : first + 1] = [SheetPart(BlockKind.HEADER, again)] if again else []
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


def _joined(
    words: PrintedWords, before: SheetPart, after: SheetPart
) -> tuple[SheetPart, tuple[PrintedLine, ...]] | None:
    """Two tables as one part, and the lines that the second repeats; None where it does not continue the first."""
    if before.table is None or after.table is None:
        return None
    repeated = _repeated(words, before.table, after.table)
    if not _continues(words, before.table, after.table, repeated):
        return None
    if after.caption and not _is_same_caption(before, after):
        return None
    again = {word for cell in after.table.cells if cell.row < repeated for word in cell.words}
    lines = [line for line in after.table.lines if again & set(line.words)]
    return replace(before, table=_with_rows(before.table, after.table, repeated)), (*after.caption, *lines)


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
