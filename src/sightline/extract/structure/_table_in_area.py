"""Step 7: the table in an area, from its borders to its cells."""

from collections.abc import Container, Sequence
from dataclasses import dataclass

from sightline.extract.structure._borders import PrintedGrid, grid_of
from sightline.extract.structure._cells import cells_of, filled_share, table_rows
from sightline.extract.structure._edges import Edges
from sightline.extract.structure._layout import PrintedWords
from sightline.extract.structure._pieces import cut_at_borders
from sightline.extract.structure._placed_lines import PlacedLines, beside_first, place_lines
from sightline.extract.structure._printed_line import FEWEST_LINES, FoundTable, LineRow, PrintedCell, TableKind, hull_of
from sightline.geometry import Box

__all__ = ["TableArea", "table_in_area"]

MOST_PLACES = 40_000  # rows times columns; only bounds the work on hostile files
# Measured: F1 is the same from 0.225 to 0.33; it is 0.998 at 0.19 and 0.999 at 0.5.
FILLED = 0.25  # share of the drawn cells that hold text: in tables more do, in charts fewer
# Measured: no figure changes from 0.15 to 0.3.
NUMBERS = 0.3  # share of the pieces beside the first column that are numbers, where only white parts the columns
FEWEST_CELLS = 4
SEVERAL = 0.4  # share of the rows of a table that have more than one cell; in a page of framed paragraphs few do


@dataclass(frozen=True, eq=False)
class TableArea:
    """An area that may be a table, and why; with the borders and the table that were found in it, if any."""

    kind: TableKind
    box: Box
    rows: Sequence[LineRow]
    grid: PrintedGrid | None = None
    table: FoundTable | None = None


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
    if kind != "white" and not any(placed.grid.drawn) and not _has_columns(placed, kind):
        return None
    table = _closed(placed, cells_of(placed, table_rows(placed, kind)), kind)
    return table if table is not None and _has_rows_of_cells(table) else None


def _is_filled_lattice(placed: PlacedLines) -> bool:
    """Whether lines part anything inside a lattice, and enough of its cells hold text."""
    parted = any(placed.grid.drawn) or placed.grid.bands > 1
    return parted and filled_share(placed) >= FILLED


def _has_columns(placed: PlacedLines, kind: TableKind) -> bool:
    """Whether the columns are real where only white parts them: numbers, or a third column, or a line below each row.

    Two columns of words may be anything.
    """
    if kind == "zone" and placed.grid.bands > 1 and len(set(placed.bands.values())) == placed.grid.bands:
        return True
    beside = beside_first(placed.lines, placed.spans)
    numbers = sum(line.is_numeric for line in beside)
    return numbers >= NUMBERS * len(beside) or (placed.grid.columns > 2 and len(placed.rows) > 2)


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
