"""Rows as plain Python values and as JSON, with nothing rounded, cut off or left out."""

import base64
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from sightline.errors import OutputError
from sightline.flow.deliver._arrays import plain, prepared_column
from sightline.flow.deliver._dialect import Dialect
from sightline.flow.deliver._schema import LoadColumns

__all__ = ["PLAIN", "as_json", "as_rows", "as_text", "check_finite"]

CONVERTED_ROWS = 4_096  # at a time, from Arrow to Python, whose values take ten times the space

PLAIN = Dialect(types={}, most_digits=76)
"""What files and messages hold: all kinds of columns, and all digits that Arrow has."""


def as_rows(batch: Any, columns: LoadColumns) -> Iterator[dict[str, Any]]:
    """The rows of a batch by column, one after the other; lists and structs stay what they are."""
    for first in range(0, batch.num_rows, CONVERTED_ROWS):
        part = batch.slice(first, CONVERTED_ROWS).columns
        triples = zip(part, columns.names, columns.kinds, strict=True)
        values = [_values(column, name, kind) for column, name, kind in triples]
        for row in zip(*values, strict=True):
            yield dict(zip(columns.names, row, strict=True))


def _values(column: Any, name: str, kind: Any) -> Sequence[Any]:
    bare = plain(column)
    if not pa.types.is_nested(bare.type):
        return list(prepared_column(column, name, kind).to_pylist())
    try:
        return list(bare.to_pylist())
    except ValueError as problem:  # a text inside that is not UTF-8, or nanoseconds
        raise OutputError(
            f"The column {name!r} has values that cannot be delivered without loss ({problem!s:.200}); mend them first."
        ) from problem


def check_finite(batch: Any, what: str) -> None:
    """Raise an error that names a column with NaN or an infinite number, also one deep inside; `what` lacks them."""
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        if not _is_finite(plain(column)):
            raise OutputError(
                f"The column {name!r} has NaN or an infinite number, which {what} does not have; make it NULL first."
            )


def _is_finite(column: Any) -> bool:
    type = column.type
    if pa.types.is_floating(type):
        return bool(pc.all(pc.is_finite(column)).as_py() is not False)
    if pa.types.is_struct(type):
        return all(_is_finite(plain(part)) for part in column.flatten())
    if pa.types.is_map(type):
        return _is_finite(plain(column.keys)) and _is_finite(plain(column.items))
    if pa.types.is_nested(type) and hasattr(column, "flatten"):
        return _is_finite(plain(column.flatten()))
    return True


def as_json(data: Any) -> bytes:
    """JSON whose decimals are numbers with all their digits; dates and times are texts of ISO 8601, bytes base64.

    >>> as_json({"price": Decimal("12.50")})
    b'{"price":12.50}'
    """
    return orjson.dumps(data, default=_leaf)


def _leaf(value: Any) -> Any:
    if isinstance(value, Decimal):
        return orjson.Fragment(f"{value:f}")
    return as_text(value)


def as_text(value: Any) -> str:
    """A single value as XML and JSON write it.

    >>> as_text(True), as_text(Decimal("1E+3")), as_text(b"a")
    ('true', '1000', 'YQ==')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, Decimal):
        return f"{value:f}"
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)
