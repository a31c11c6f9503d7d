"""The tables of a sheet that are records below headings, and the cells of everything else that looks like a table."""

from collections.abc import Iterable, Sequence
from itertools import islice, pairwise
from typing import NamedTuple

from sightline.extract.schemas._sheet_labels import SheetLabels, compared
from sightline.extract.schemas._sheet_lines import SheetContent, SheetPiece, SheetRow, SheetTable
from sightline.geometry import Box

FORM = 0.5  # of the rows of a table without headings are labels with values: then it is a form
LEAST_HEADINGS = 3  # columns of a table with headings; two are a label and its value


class FormTable(NamedTuple):
    """Rows below their heading."""

    head: SheetRow | None
    rows: list[SheetRow]
    columns: int

    @property
    def box(self) -> Box:
        """Where it begins."""
        return (self.head or self.rows[0]).box


def tables_and_pieces(sheet: SheetContent, known: SheetLabels) -> tuple[list[FormTable], list[SheetPiece]]:
    """The tables with headings, and the cells of everything else that looked like a table."""
    tables: list[FormTable] = []
    loose: list[SheetPiece] = []
    for table in sheet.tables:
        rows = [part for row in table.rows for part in _cut_row(row, known)]
        head = next((number for number, row in enumerate(rows) if _is_head(row, rows[0], known)), None)
        found = _table_for(tables, table, rows, head, known)
        if found is None:
            loose += _cells_of(rows)
            continue
        below = rows if head is None else rows[head + 1 :]
        stop = _sums_from(below, known)
        found.rows.extend(below[:stop])
        loose += _cells_of([*(rows[:head] if head else ()), *below[stop:]])
    return [table for table in tables if table.head or table.rows], loose


def _table_for(
    tables: list[FormTable], table: SheetTable, rows: Sequence[SheetRow], head: int | None, known: SheetLabels
) -> FormTable | None:
    """The table that rows belong to: the one before them, which they go on, or a new one; None for a form."""
    before = tables[-1] if tables else None
    if head is None:
        if before is not None and table.columns == before.columns and not all(_has_label(row, known) for row in rows):
            return before
        if not _is_records(rows, table, known):
            return None
    elif before is not None and _is_same_head(before.head, rows[head]):
        return before
    tables.append(FormTable(None if head is None else rows[head], [], table.columns))
    return tables[-1]


def _cells_of(rows: Iterable[SheetRow]) -> list[SheetPiece]:
    return [piece for row in rows for piece in row.cells.values()]


def _is_head(row: SheetRow, first: SheetRow, known: SheetLabels) -> bool:
    """Whether a row names columns: by labels alone, or as the first one, by one label followed by what varies."""
    if len(row.cells) < LEAST_HEADINGS:
        return False
    if all(known.is_known(piece) for piece in row.cells.values()):
        return True
    return row is first and 0 in row.cells and known.is_known(row.cells[0]) and not _is_entries(row, known)


def _is_entries(row: SheetRow, known: SheetLabels) -> bool:
    """Whether a row has nothing but labels with one value each, and perhaps something else before the first."""
    labels = [known.is_label(piece) for _, piece in sorted(row.cells.items())]
    return any(labels) and not any(not one and not other for one, other in pairwise(labels[labels.index(True) :]))


def _is_records(rows: Sequence[SheetRow], table: SheetTable, known: SheetLabels) -> bool:
    """Whether a table without known headings has rows of several values, rather than labels with their values."""
    return table.columns >= LEAST_HEADINGS and sum(_is_entries(row, known) for row in rows) < FORM * len(rows)


def _is_same_head(head: SheetRow | None, other: SheetRow) -> bool:
    names = [[compared(piece.text) for piece in _cells_of([row])] for row in (head, other) if row is not None]
    return len(names) > 1 and names[0] == names[1]


def _has_label(row: SheetRow, known: SheetLabels) -> bool:
    return any(known.is_label(piece) for piece in row.cells.values())


def _sums_from(rows: Sequence[SheetRow], known: SheetLabels) -> int:
    """Where sums begin: rows at the end that leave the first column empty, which all others fill, and have a label."""
    stop = len(rows)
    while stop and 0 not in rows[stop - 1].cells and _has_label(rows[stop - 1], known):
        stop -= 1
    return stop


def _cut_row(row: SheetRow, known: SheetLabels) -> list[SheetRow]:
    """A row in parts, where a line of one of its cells is a label: what is below belongs to that."""
    cuts = sorted(
        line.box[1]
        for piece in row.cells.values()
        for line in islice(piece.each_line(), 1, None)
        if known.is_label(line)
    )
    if not cuts:
        return [row]
    parts: list[dict[int, SheetPiece]] = [{} for _ in range(len(cuts) + 1)]
    for column, piece in row.cells.items():
        for line in piece.each_line():
            place = sum(cut <= (line.box[1] + line.box[3]) / 2 for cut in cuts)
            parts[place][column] = parts[place][column].joined(line) if column in parts[place] else line
    return [SheetRow(cells) for cells in parts if cells]
