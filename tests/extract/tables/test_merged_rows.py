"""Items of an invoice between which no rules are drawn: a row that may hold several says so."""

from dataclasses import replace

import sightline as sl
from sightline.data import Cell, Value
from sightline.extract.tables._interpret import merged_rows_doubt

from ...sources.pdf._write import pdf, put

LEFT, RIGHT = (60, 120, 330, 420), 520
HEADINGS = ("Qty", "Article", "Price", "Total")
ITEMS = (("1", "Tripod", "89.00", "89.00"), ("2", "Lens cap", "7.50", "15.00"), ("1", "Strap", "19.00", "19.00"))


def _framed(rows: list[tuple[float, float]]) -> bytes:
    """Lines around rows of the given tops and bottoms, and between columns."""
    lines = [f"{LEFT[0]} {y} m {RIGHT} {y} l S" for y in sorted({y for row in rows for y in row})]
    lines += [f"{x} {rows[0][0]} m {x} {rows[-1][1]} l S" for x in (*LEFT, RIGHT)]
    return "\n".join(lines).encode()


def _texts(*, apart: float) -> list[bytes]:
    """Headings, and the items below each other."""
    put_all = [put(text, x + 5, 706) for text, x in zip(HEADINGS, LEFT, strict=True)]
    for number, item in enumerate(ITEMS):
        put_all += [put(text, x + 5, 682 - apart * number) for text, x in zip(item, LEFT, strict=True)]
    return put_all


def test_lines_of_numbers_in_one_row_are_doubted() -> None:
    """The items of an invoice joined to one row: that it may be three is said, with its number; apart, nothing is."""
    page = sl.open(pdf(b"\n".join([_framed([(720, 700), (700, 600)]), *_texts(apart=16)])))
    (table,) = sl.tables(page)
    apart = [cell for cell in table.anchors if cell.row]
    assert merged_rows_doubt(page, table.anchors) is None
    joined = [_joined([cell for cell in apart if cell.column == column]) for column in range(len(HEADINGS))]
    doubt = merged_rows_doubt(page, [*(cell for cell in table.anchors if not cell.row), *joined])
    assert doubt is not None
    assert "row 2 may hold 3" in doubt


def _joined(cells: list[Cell]) -> Cell:
    """Several cells of a column as one."""
    origins = [cell.value.origin for cell in cells if cell.value is not None and cell.value.origin is not None]
    nodes = tuple(node for origin in origins for node in origin.nodes)
    text = " ".join(cell.text for cell in cells)
    return Cell(1, cells[0].column, value=Value(text, origin=replace(origins[0], nodes=nodes)))


def test_a_row_for_each_item_is_not_doubted() -> None:
    """The same invoice with a line below each item."""
    frames = [(720, 700), (700, 676), (676, 652), (652, 628)]
    page = sl.open(pdf(b"\n".join([_framed(frames), *_texts(apart=24)])))
    (table,) = sl.tables(page)
    assert len(table) == len(ITEMS)
    assert not [doubt for doubt in table.doubts if "may hold" in doubt]
