"""Step 7f: the cells of a table, from its rows and from the cells that are drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from operator import attrgetter
from typing import TypeAlias

from sightline.extract.structure._borders import PrintedGrid
from sightline.extract.structure._drawn_cells import DrawnCell
from sightline.extract.structure._found_table import PrintedCell
from sightline.extract.structure._line_rows import rows_of
from sightline.extract.structure._placed_lines import PlacedLines
from sightline.extract.structure._printed_line import PrintedLine
from sightline.extract.structure._table_rows import TableRow

__all__ = ["cells_of", "filled_share"]

LEVEL = 0.25  # of the size of the type: lines whose middles are closer than this are level with each other

_FROM_TOP = attrgetter("middle")

CellPlace: TypeAlias = tuple[int, int, int, int]
"""First and last row, first and last column."""


@dataclass(frozen=True, eq=False)
class _Drawn:
    """The drawn cells of a table: which one each place is in, and how the text inside them is to be read.

    `parted` are cells with pieces side by side: white parts them, though no line does. `whole` are cells over several
    bands with one text in them, not one for each band.
    """

    cell: dict[tuple[int, int], DrawnCell]
    parted: set[DrawnCell]
    whole: set[DrawnCell]


def cells_of(placed: PlacedLines, rows: Sequence[TableRow]) -> list[PrintedCell]:
    """The cells of all rows: the lines of one place together, drawn cells over all rows and columns they cover."""
    drawn = _drawn(placed) if any(placed.grid.drawn) else None
    bands = [row.band for row in rows]
    places: dict[CellPlace, list[PrintedLine]] = {}
    for number, row in enumerate(rows):
        for line in row.lines:
            first, last = placed.spans[line]
            place = (number, number, first, last)
            if drawn is not None:
                place = _drawn_place(placed.grid, drawn, drawn.cell[row.band, first], place, bands)
            places.setdefault(place, []).append(line)
    return [_cell(place, lines) for place, lines in _without_overlap(places).items()]


def filled_share(placed: PlacedLines) -> float:
    """The share of the drawn cells that hold any text."""
    cells = placed.drawn_cells
    filled = {cells[placed.bands[line], placed.spans[line][0]] for line in placed.lines}
    return len(filled) / len(set(cells.values()))


def _cell(place: CellPlace, lines: list[PrintedLine]) -> PrintedCell:
    top, bottom, left, right = place
    words = lines[0].words
    if len(lines) > 1:
        words = tuple([word for row in rows_of(lines) for line in row.lines for word in line.words])
    return PrintedCell(top, left, bottom - top + 1, right - left + 1, words)


# ------------------------------------------------------------------ drawn cells


def _drawn(placed: PlacedLines) -> _Drawn:
    cell = placed.drawn_cells
    by_place: dict[tuple[int, int], list[PrintedLine]] = {}
    for line in placed.lines:
        by_place.setdefault((placed.bands[line], placed.spans[line][0]), []).append(line)
    held = {one: _lines_in(one, by_place) for one in {cell[place] for place in by_place}}
    parted = {one for one, lines in held.items() if _has_neighbours(placed, lines)}
    whole = {one for one, lines in held.items() if one[1] > one[0] and _holds_one_text(placed, one, lines, cell)}
    return _Drawn(cell, parted, whole)


def _lines_in(cell: DrawnCell, by_place: dict[tuple[int, int], list[PrintedLine]]) -> list[PrintedLine]:
    """The lines that begin in a drawn cell, from top to bottom."""
    top, bottom, left, right = cell
    places = product(range(top, bottom + 1), range(left, right + 1))
    found = [line for place in places for line in by_place.get(place, ())]
    return sorted(found, key=_FROM_TOP) if len(found) > 1 else found


def _has_neighbours(placed: PlacedLines, lines: Sequence[PrintedLine]) -> bool:
    """Whether some lines stand side by side, in different columns."""
    if len(lines) < 2:
        return False
    return any(len({placed.spans[line] for line in row.lines}) > 1 for row in rows_of(lines))


def _holds_one_text(
    placed: PlacedLines, cell: DrawnCell, lines: Sequence[PrintedLine], cells: dict[tuple[int, int], DrawnCell]
) -> bool:
    """Whether the text in a cell over several bands is one text: not every line of it is level with a row beside it."""
    top, bottom, left, right = cell
    bands, spans = placed.bands, placed.spans
    if len({bands[line] for line in lines}) <= 1:
        return True
    beside = []
    for other in placed.lines:
        if top <= bands[other] <= bottom and not left <= spans[other][0] <= right:
            other_top, other_bottom, _, _ = cells[bands[other], spans[other][0]]
            if other_top == other_bottom:
                beside.append(other.middle)
    return not all(any(abs(line.middle - middle) < LEVEL * line.size for middle in beside) for line in lines)


def _drawn_place(
    grid: PrintedGrid, drawn: _Drawn, cell: DrawnCell, place: CellPlace, bands: Sequence[int]
) -> CellPlace:
    """The place of a line, given its place by text alone and the drawn cell around it; `bands` are those of rows."""
    row, _, first, last = place
    top, bottom, left, right = cell
    if cell not in drawn.parted:
        left, right = _up_to_white(grid, min(left, first), max(right, last), first, last)
    else:
        left, right = first, last
    if cell in drawn.whole:
        rows = [number for number, band in enumerate(bands) if top <= band <= bottom]
        return rows[0], rows[-1], left, right
    return row, row, left, right


def _up_to_white(grid: PrintedGrid, left: int, right: int, first: int, last: int) -> tuple[int, int]:
    """The columns of a drawn cell, without those beyond white borders that the line itself does not cross."""
    while left < first and not grid.drawn[left]:
        left += 1
    while right > last and not grid.drawn[right - 1]:
        right -= 1
    return left, right


# ------------------------------------------------------------------ cells that overlap


def _without_overlap(places: dict[CellPlace, list[PrintedLine]]) -> dict[CellPlace, list[PrintedLine]]:
    """The lines by place, with the lines of a cell that overlaps a larger one in the larger one."""
    found: dict[CellPlace, list[PrintedLine]] = {}
    taken: dict[tuple[int, int], CellPlace] = {}
    for place in sorted(places, key=lambda place: -(place[1] - place[0] + 1) * (place[3] - place[2] + 1)):
        top, bottom, left, right = place
        covered = list(product(range(top, bottom + 1), range(left, right + 1)))
        over = {taken[one] for one in covered if one in taken}
        if over:
            found[min(over)] += places[place]
            continue
        found[place] = list(places[place])
        taken |= dict.fromkeys(covered, place)
    return found
