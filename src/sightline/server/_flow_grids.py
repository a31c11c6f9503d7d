"""Rows of flows as the API shows them: windows of Arrow tables in the same shape as every other grid."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import orjson

from sightline.server._shapes import box_shape, encodable

if TYPE_CHECKING:
    import pyarrow as pa

    from sightline.flow.run import CellPlace

TOLD_COLUMNS = ("_held_because", "_kept_from")
"""Columns of a flow's own that people want to see: why a row was held back, and when an older one was read."""


def arrow_grid(
    rows: "pa.Table",
    offset: int,
    total: int,
    filled: Mapping[str, int],
    places: "Mapping[str, Sequence[CellPlace | None]]",
) -> dict[str, Any]:
    """A window of rows; cells that were seen on a page name it. Of the columns that only flows have, few are told."""
    nothing = [None] * rows.num_rows
    columns = []
    for field in rows.schema:
        if field.name.startswith("_") and field.name not in TOLD_COLUMNS:
            continue
        texts = [plain_text(value) for value in rows.column(field.name).to_pylist()]
        seen = places.get(field.name, nothing)
        columns.append(
            {
                "name": field.name,
                "type": arrow_type(field.type),
                "filled": filled.get(field.name, total),
                "misfits": [],
                "ambiguous": None,
                "texts": texts,
                "values": texts,
                "boxes": [box_shape(place.box) if place else None for place in seen],
                "nodes": [list(place.nodes) if place else None for place in seen],
                "pages": [place.page if place else None for place in seen],
            }
        )
    return {"offset": offset, "total": total, "columns": columns, "row_boxes": nothing}


def arrow_type(kind: "pa.DataType") -> dict[str, str]:
    """The type of a column, in one word and in words.

    >>> import pyarrow as pa
    >>> arrow_type(pa.decimal128(12, 2))
    {'kind': 'number', 'words': 'number with 2 decimals'}
    """
    import pyarrow as pa

    if pa.types.is_decimal(kind):
        return {"kind": "number", "words": f"number with {kind.scale} decimals" if kind.scale else "whole number"}
    if pa.types.is_integer(kind):
        return {"kind": "number", "words": "whole number"}
    if pa.types.is_floating(kind):
        return {"kind": "number", "words": "number"}
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return {"kind": "date", "words": "date" if pa.types.is_date(kind) else "date and time"}
    if pa.types.is_boolean(kind):
        return {"kind": "boolean", "words": "yes or no"}
    if pa.types.is_nested(kind):
        return {"kind": "list", "words": "list" if pa.types.is_list(kind) else "record"}
    return {"kind": "text", "words": "text"}


def plain_text(value: Any) -> str | None:
    """A value as people read it: plain numbers and ISO dates; lists as JSON."""
    match value:
        case None:
            return None
        case str():
            return encodable(value)
        case bool():
            return "yes" if value else "no"
        case datetime() | date() | time():
            return value.isoformat()
        case Decimal():
            return f"{value:f}"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case list() | dict():
            return orjson.dumps(value, default=str).decode()
        case bytes():
            return value.hex()
    return str(value)


def plain_rows(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, str | None]]:
    """Rows with texts for their values."""
    return [{name: plain_text(value) for name, value in row.items()} for row in rows]
