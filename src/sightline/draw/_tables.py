"""Tables as marks: an outline around each, and every cell in the colour of its role."""

from collections.abc import Iterable

from sightline.data import Table
from sightline.draw._picture import Mark

__all__ = ["marks_of_tables"]


def marks_of_tables(tables: Iterable[Table]) -> list[Mark]:
    """What to draw of tables: their boxes, and those of their cells.

    >>> marks_of_tables([Table.from_rows([["a"]], box=(0, 0, 9, 9))])
    [Mark(box=(0, 0, 9, 9), kind='frame', label='table', hollow=True, ...)]
    """
    return [mark for table in tables for mark in (*_frame(table), *_cells(table))]


def _frame(table: Table) -> list[Mark]:
    return [Mark(table.box, "frame", "table", hollow=True)] if table.box else []


def _cells(table: Table) -> list[Mark]:
    seen = [(cell, cell.origin.box) for cell in table.anchors if cell.origin and cell.role != "hole"]
    return [Mark(box, cell.role) for cell, box in seen if box]
