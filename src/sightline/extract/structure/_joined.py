"""Tables that go on on the next sheet."""

from collections.abc import Sequence
from dataclasses import replace

from sightline.extract.structure._grid import Cell, FoundTable
from sightline.extract.structure._layout import Layout
from sightline.extract.structure._part import Part

__all__ = ["joined_tables"]

SHIFTED = 6.0  # CSS pixels: how far a side of a column of the second part may lie from that of the first
SHARED = 0.5  # of the narrower column: how much of it lies below the other


def joined_tables(layout: Layout, parts: list[list[Part]]) -> list[list[Part]]:
    """The parts of all sheets, with a table that goes on put to the one before it.

    It goes on if it is the first thing on its sheet (below what runs there), the other is the last on its own, and the
    columns are the same in number, place and kind of content. A heading that is said again is left out.
    """
    found = [list(each) for each in parts]
    for number in range(len(found) - 1, 0, -1):
        first, last = _first(found[number]), _last(found[number - 1])
        if first is None or last is None:
            continue
        before, after = found[number - 1][last], found[number][first]
        if before.table is None or after.table is None or not _goes_on(layout, before.table, after.table):
            continue
        if after.caption and not _same_caption(before, after):
            continue
        found[number - 1][last] = replace(before, table=_joined(layout, before.table, after.table))
        del found[number][first]
    return found


def _first(parts: Sequence[Part]) -> int | None:
    for place, part in enumerate(parts):
        if part.kind == "header":
            continue
        return place if part.kind == "table" else None
    return None


def _last(parts: Sequence[Part]) -> int | None:
    for place in range(len(parts) - 1, -1, -1):
        if parts[place].kind in ("footer", "note"):
            continue
        return place if parts[place].kind == "table" else None
    return None


def _same_caption(before: Part, after: Part) -> bool:
    text = " ".join(line.text for line in after.caption).casefold()
    other = " ".join(line.text for line in before.caption).casefold()
    return "continued" in text or "cont." in text or "fortsetzung" in text or (bool(other) and other[:20] == text[:20])


def _goes_on(layout: Layout, before: FoundTable, after: FoundTable) -> bool:
    if before.columns != after.columns:
        return False
    if not all(_is_same(one, other) for one, other in zip(before.reach, after.reach, strict=True)):
        return False
    return _kinds(layout, before, skip=1) == _kinds(layout, after, skip=_repeated(layout, before, after))


def _is_same(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether the texts of two columns stand below each other: they share much of their width, or a side."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    narrow = min(one[1] - one[0], other[1] - other[0])
    return shared > SHARED * narrow or min(abs(one[0] - other[0]), abs(one[1] - other[1])) < SHIFTED


def _kinds(layout: Layout, table: FoundTable, *, skip: int) -> list[bool]:
    """For each column whether most of it are numbers."""
    counts = [[0, 0] for _ in range(table.columns)]
    for cell in table.cells:
        if cell.row >= skip and cell.columns == 1:
            text = _text(layout, cell)
            counts[cell.column][any(c.isdigit() for c in text) and sum(c.isalpha() for c in text) <= 3] += 1
    return [numbers > words for words, numbers in counts]


def _text(layout: Layout, cell: Cell) -> str:
    return " ".join(layout.word_text[word] for word in cell.words)


def _repeated(layout: Layout, before: FoundTable, after: FoundTable) -> int:
    """How many rows at the top of the second part say the headings again."""
    count = 0
    for row in range(min(4, after.rows)):
        mine = [_text(layout, cell) for cell in after.cells if cell.row == row]
        theirs = [_text(layout, cell) for cell in before.cells if cell.row == row]
        if mine != theirs:
            break
        count += 1
    return count


def _joined(layout: Layout, before: FoundTable, after: FoundTable) -> FoundTable:
    skip = _repeated(layout, before, after)
    more = [
        Cell(cell.row - skip + before.rows, cell.column, cell.rows, cell.columns, cell.words)
        for cell in after.cells
        if cell.row >= skip
    ]
    return FoundTable(
        before.box,
        before.rows + after.rows - skip,
        before.columns,
        (*before.cells, *more),
        before.lefts,
        before.kind,
        (*before.lines, *after.lines),
        before.reach,
    )
