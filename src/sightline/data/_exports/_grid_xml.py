"""XML of a table as seen: rows of cells with place, spans, role and box; what VENTrec writes, and nothing lost."""

from collections.abc import Mapping, Sequence

from sightline.data._cell import Cell, Grid
from sightline.data._exports._xml import escaped, in_attribute, xml_document
from sightline.data._plain_python import box_json
from sightline.geometry import Box

__all__ = ["grid_xml"]


def grid_xml(grid: Grid, caption: str | None, heads: Mapping[str, int], box: Box | None) -> str:
    """A document with one `<row>` a row, in which each cell stands once, where it begins; holes have no element."""
    about = {} if caption is None else {"caption": caption}
    rows = "".join(f"<row>{''.join(map(_cell, _starting(row, line)))}</row>\n" for row, line in enumerate(grid))
    return xml_document(f"<table{_attributes(about | _texts(heads) | _sides(box))}>\n{rows}</table>\n")


def _starting(row: int, line: Sequence[Cell]) -> list[Cell]:
    places = enumerate(line)
    return [cell for place, cell in places if (cell.row, cell.column) == (row, place) and cell.role != "hole"]


def _cell(cell: Cell) -> str:
    spans = {"row-span": cell.row_span, "column-span": cell.column_span}
    place = _texts({"row": cell.row, "column": cell.column} | spans)
    sides = _sides(cell.origin.box if cell.origin else None)
    return f"<cell{_attributes(place | {'role': cell.role} | sides)}>{escaped(cell.text)}</cell>"


def _texts(numbers: Mapping[str, int]) -> dict[str, str]:
    return {name: str(number) for name, number in numbers.items()}


def _sides(box: Box | None) -> dict[str, str]:
    sides = box_json(box) or ()
    return dict(zip(("x0", "y0", "x1", "y1"), (f"{side:.10g}" for side in sides), strict=False))


def _attributes(attributes: Mapping[str, str]) -> str:
    return "".join(f' {name}="{in_attribute(text)}"' for name, text in attributes.items())
