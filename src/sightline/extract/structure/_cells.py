"""Step 7f: the cells of a table, from its rows and from the cells that are drawn."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import product
from operator import attrgetter
from typing import TypeAlias

from sightline.extract.structure._layout import Edges, PrintedWords
from sightline.extract.structure._pieces import cut_at_borders
from sightline.extract.structure._placed_lines import (
    DrawnCell,
    PlacedLines,
    PrintedGrid,
    grid_of,
    place_lines,
)
from sightline.extract.structure._printed_line import (
    FEWEST_LINES,
    FoundTable,
    LineRow,
    PrintedCell,
    PrintedLine,
    TableKind,
    hull_of,
    rows_of,
)
from sightline.extract.structure._table_rows import TableRow, table_rows
from sightline.geometry import Box

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


# -- the table in an area, from its borders to its cells ------------------------------------------------------------

MOST_PLACES = 40_000  # rows times columns; only bounds the work on hostile files
# Measured: F1 is the same from 0.225 to 0.33; it is 0.998 at 0.19 and 0.999 at 0.5.
FILLED = 0.25  # share of the drawn cells that hold text: in tables more do, in charts fewer
FEWEST_CELLS = 4
SEVERAL = 0.4  # share of the rows of a table that have more than one cell; in a page of framed paragraphs few do


@dataclass(frozen=True, eq=False)
class TableArea:
    """An area that may be a table, and why; with the borders and the table that were found in it, if any.

    `likely` is the chance that it is one, where it was judged by what its rows are like.
    """

    kind: TableKind
    box: Box
    rows: Sequence[LineRow]
    grid: PrintedGrid | None = None
    table: FoundTable | None = None
    likely: float | None = None


def table_in_area(words: PrintedWords, area: TableArea, edges: Edges) -> TableArea:
    """The area with its borders and its table; `table` stays None where its rows make none."""
    rows = area.rows
    if sum(len(row.lines) for row in rows) < FEWEST_LINES:
        return area
    grid = grid_of(area.box, rows, edges)
    if grid.columns > 2:
        cut = cut_at_borders(words, rows, grid.xs[1:-1])
        if any(one is not other for one, other in zip(cut, rows, strict=True)):
            rows, grid = cut, grid_of(area.box, cut, edges)
    table = None
    if grid.columns > 1 and grid.bands * grid.columns <= MOST_PLACES:
        table = _table(place_lines(grid, rows, edges), area.kind)
    return TableArea(area.kind, area.box, rows, grid, table)


def _table(placed: PlacedLines, kind: TableKind) -> FoundTable | None:
    if kind == "lattice" and not _is_filled_lattice(placed):
        return None
    table = _closed(placed, cells_of(placed, table_rows(placed, kind)), kind)
    return table if table is not None and _has_rows_of_cells(table) else None


def _is_filled_lattice(placed: PlacedLines) -> bool:
    """Whether lines part anything inside a lattice, and enough of its cells hold text."""
    parted = any(placed.grid.drawn) or placed.grid.bands > 1
    return parted and filled_share(placed) >= FILLED


def _closed(placed: PlacedLines, cells: Sequence[PrintedCell], kind: TableKind) -> FoundTable | None:
    """The table without rows and columns in which no cell begins."""
    rows = sorted({cell.row for cell in cells})
    columns = sorted({cell.column for cell in cells})
    if len(rows) < 2 or len(columns) < 2:
        return None
    row_of = {row: place for place, row in enumerate(rows)}
    column_of = {column: place for place, column in enumerate(columns)}
    closed = [
        PrintedCell(
            row_of[cell.row],
            column_of[cell.column],
            _count_of(row_of, cell.row, cell.rows),
            _count_of(column_of, cell.column, cell.columns),
            cell.words,
        )
        for cell in cells
    ]
    extents = placed.extents
    return FoundTable(
        hull_of(placed.lines),
        len(rows),
        len(columns),
        tuple(sorted(closed, key=lambda cell: (cell.row, cell.column))),
        tuple(placed.grid.xs[column] for column in columns),
        kind,
        tuple(placed.lines),
        tuple(extents[column] for column in columns),
    )


def _count_of(kept: Container[int], first: int, count: int) -> int:
    """How many of the rows or columns of a cell are kept; the first one is."""
    return 1 if count == 1 else sum(place in kept for place in range(first, first + count))


def _has_rows_of_cells(table: FoundTable) -> bool:
    """Whether several rows, and enough of them, have more than one cell."""
    if len(table.cells) < FEWEST_CELLS:
        return False
    counts = [0] * table.rows
    for cell in table.cells:
        for row in range(cell.row, cell.row + cell.rows):
            counts[row] += 1
    several = sum(count > 1 for count in counts)
    return several >= 2 and several >= SEVERAL * table.rows
