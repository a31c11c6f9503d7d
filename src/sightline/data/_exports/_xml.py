"""XML that is well-formed for any text; the hierarchy is kept.

A field is an element of its name, a list has one `<item>` each, and what was not found has no element at all.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sightline.data._cell import Cell, Grid
from sightline.data._exports._text import jsonable, xml_text
from sightline.data._result import box_json
from sightline.geometry import Box

__all__ = ["escaped", "grid_xml", "in_attribute", "xml_document", "xml_row", "xml_rows"]

# A part of what XML allows, on which all its editions agree.
# Not compiled yet: sets of this many characters take milliseconds, which only XML exports should pay for.
_NOT_IN_NAME = r"[^A-Za-z0-9_.\-À-ÖØ-öø-ÿА-яЁё\u4e00-\u9fa5]"
_STARTS_NAME = r"[A-Za-z_À-ÖØ-öø-ÿА-яЁё\u4e00-\u9fa5]"
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"})
_IN_ATTRIBUTE = str.maketrans({"\t": "&#9;", "\n": "&#10;"})


def xml_document(body: str) -> str:
    """The body with the declaration in front."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}'


def xml_rows(rows: Iterable[dict[str, Any]], root: str = "records", row: str = "record") -> str:
    """A root element with one element a row."""
    return f"<{root}>\n{''.join(xml_row(fields, row) for fields in rows)}</{root}>\n"


def xml_row(fields: dict[str, Any], row: str = "record") -> str:
    r"""One row as a line.

    >>> xml_row({"name": "EOS 5D", "tags": ["new", "black"]})
    '<record><name>EOS 5D</name><tags><item>new</item><item>black</item></tags></record>\n'
    """
    return f"<{row}>{_fields(jsonable(fields))}</{row}>\n"


def _fields(fields: dict[str, Any]) -> str:
    return "".join(_element(name, content) for name, content in fields.items() if content is not None)


def _element(name: str, content: Any) -> str:
    tag, attribute = _tag(name)
    return f"<{tag}{attribute}>{_content(content)}</{tag}>"


def _content(content: Any) -> str:
    if isinstance(content, dict):
        return _fields(content)
    if isinstance(content, list):
        return "".join("<item/>" if item is None else _element("item", item) for item in content)
    return escaped(str(content))


def escaped(text: str) -> str:
    """A text that stands between two tags."""
    return xml_text(text).translate(_ESCAPES)


def in_attribute(text: str) -> str:
    """A text that stands between the quotes of an attribute, where a parser would turn line ends into blanks."""
    return escaped(text).translate(_IN_ATTRIBUTE)


@lru_cache(maxsize=1024)
def _tag(name: str) -> tuple[str, str]:
    """An element's name, and the attribute that holds the field's name where the two differ."""
    tag = re.sub(_NOT_IN_NAME, "_", name)
    if not re.match(_STARTS_NAME, tag) or tag[:3].lower() == "xml":
        tag = f"_{tag}"
    return tag, "" if tag == name else f' name="{in_attribute(name)}"'


# XML of a table as seen: rows of cells with place, spans, role and box; what VENTrec writes, and nothing lost.


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
