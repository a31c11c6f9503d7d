"""From a draft to a table: cells with values, places and roles."""

from collections.abc import Callable
from typing import Any

from sightline.data import Cell, Origin, Table, cells_at, origins_at, values_at
from sightline.data import Role as CellRole
from sightline.extract.tables._draft import PageTexts, TableDraft
from sightline.extract.tables._roles import Roles
from sightline.geometry import Box
from sightline.page import Page

__all__ = ["cells_of", "table_of"]

MOST_LATER = 100_000  # places of a table whose cells are made later; far fewer than a table may have


def table_of(
    page_texts: PageTexts, draft: TableDraft, roles: Roles, cells: Callable[[], tuple[Cell, ...]], **details: Any
) -> Table:
    """The table that a draft describes, read by its roles; its cells are made when they are asked for.

    Those of a large table are made at once: should it be too large, that is said here.
    """
    grid = draft.grid
    facts: dict[str, Any] = {
        "header_rows": roles.header_rows,
        "header_columns": roles.header_columns,
        "box": grid.bounds,
        "sheet": page_texts.page.sheet_of(grid.bounds),
        "language": _language(page_texts, draft),
        **details,
    }
    height, width = grid.shape
    return Table(cells(), **facts) if height * width > MOST_LATER else Table.made_later(cells, **facts)


def cells_of(page: Page, draft: TableDraft, roles: Roles) -> tuple[Cell, ...]:
    """The cells of a draft, read by its roles."""
    grid = draft.grid
    row, column = grid.row.tolist(), grid.column.tolist()
    beside, inside = _roles_by_row(roles)
    edge = roles.header_columns
    cell_roles = [beside[line] if place < edge else inside[line] for line, place in zip(row, column, strict=True)]
    values = values_at(draft.texts, _origins(page, draft))
    return cells_at(row, column, grid.row_span.tolist(), grid.column_span.tolist(), values, cell_roles)


def _language(page_texts: PageTexts, draft: TableDraft) -> str | None:
    """The language that the nearest element around the first cell declares."""
    page, declared = page_texts.page, page_texts.languages
    node = draft.nodes[0][0] if draft.nodes else 0
    while node >= 0 and declared[node] < 0:
        node = int(page.parent[node])
    return page.strings[declared[node]] or None if node >= 0 else page.language


def _origins(page: Page, draft: TableDraft) -> list[Origin]:
    return origins_at(page, draft.nodes, list(map(_place, draft.grid.box.tolist())) if draft.grid.bounds else None)


def _place(box: list[float]) -> Box | None:
    """The box of a cell; a cell that is empty on paper has none."""
    return None if box[0] != box[0] else (box[0], box[1], box[2], box[3])


def _roles_by_row(roles: Roles) -> tuple[list[CellRole], list[CellRole]]:
    """The role of a cell of each row in the heading columns, and its role elsewhere."""
    beside: list[CellRole] = []
    inside: list[CellRole] = []
    for row in range(len(roles.sections)):
        if row < roles.header_rows or roles.repeated[row]:
            pair: tuple[CellRole, CellRole] = ("corner", "column header")
        elif roles.sections[row] or roles.notes[row]:
            pair = ("section", "section") if roles.sections[row] else ("note", "note")
        else:
            pair = ("row header", "total" if roles.totals[row] else "data")
        beside.append(pair[0])
        inside.append(pair[1])
    return beside, inside
