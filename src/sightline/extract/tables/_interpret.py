"""From a draft to the cells of a table, with values, places and roles."""

from sightline.data import Cell, Origin, cells_at, origins_at, values_at
from sightline.data import Role as CellRole
from sightline.extract.tables._draft import PageTexts, TableDraft
from sightline.extract.tables._roles import Roles
from sightline.geometry import Box
from sightline.page import Page

__all__ = ["cells_of", "language_of"]


def cells_of(page: Page, draft: TableDraft, roles: Roles) -> tuple[Cell, ...]:
    """The cells of a draft, read by its roles."""
    grid = draft.grid
    row, column = grid.row.tolist(), grid.column.tolist()
    beside, inside = _roles_by_row(roles)
    edge = roles.header_columns
    cell_roles = [beside[line] if place < edge else inside[line] for line, place in zip(row, column, strict=True)]
    values = values_at(draft.texts, _origins(page, draft))
    return cells_at(row, column, grid.row_span.tolist(), grid.column_span.tolist(), values, cell_roles)


def language_of(page_texts: PageTexts, draft: TableDraft) -> str | None:
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
