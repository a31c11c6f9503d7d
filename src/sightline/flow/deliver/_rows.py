"""Rows as plain Python values and as JSON, with nothing rounded, cut off or left out."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver._arrays import plain, prepared_column
from sightline.flow.deliver._dialect import Dialect
from sightline.flow.deliver._schema import LoadColumns

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
            f"The column {name!r} has values that cannot be delivered without loss ({problem!s:.200}); fix them first."
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


# Rows as trees of elements and attributes, by a path for each column such as `price/@currency`.

RowTree = dict[str, Any]
"""Elements by their names, attributes by `@` and their names, and by `""` the text of an element that has more than
text; what is repeated is a list."""


def check_mapping(schema: Any, columns: Mapping[str, Any] | None, where: str = "") -> None:
    """Raise an error if a path is given for a column that is not there, or a column would be lost without one.

    Lists of structs and structs are looked into, as far as they have columns of their own.
    """
    if columns is None:
        return
    names = [field.name for field in schema]
    for column in columns:
        if column not in names:
            near = get_close_matches(str(column), names, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(map(repr, names))}."
            raise UsageError(f"columns: the load has no column {where + str(column)!r}; {hint}")
    lost = [where + name for name in names if name not in columns]
    if lost:
        raise UsageError(
            f"columns: {', '.join(map(repr, lost))} would be lost, since no path is given; give one, or leave that out "
            "of the load."
        )
    for field in schema:
        _check_nested(field, columns[field.name], where)


def _check_nested(field: Any, path: Any, where: str) -> None:
    if not isinstance(path, Mapping):
        return
    inside = _inside(field.type)
    if not pa.types.is_struct(inside):
        raise UsageError(
            f"columns: {where + field.name!r} holds {field.type} and no structs; give its path as a text alone."
        )
    check_mapping(list(inside), path.get("columns"), f"{where}{field.name}.")


def _inside(type: Any) -> Any:
    """What a list holds, however deep it is wrapped."""
    if isinstance(type, pa.BaseExtensionType):
        return _inside(type.storage_type)
    return _inside(type.value_type) if pa.types.is_nested(type) and hasattr(type, "value_type") else type


def mapped(row: Mapping[str, Any], columns: Mapping[str, Any] | None) -> RowTree:
    """A row as a tree; what is missing has no element. Without paths, each column is an element of its name.

    >>> mapped({"id": 7, "price": 9, "currency": "EUR"}, {"id": "@id", "price": "price", "currency": "price/@currency"})
    {'@id': 7, 'price': {'': 9, '@currency': 'EUR'}}
    >>> mapped({"offers": [{"shop": "a"}]}, {"offers": {"element": "offers/offer", "columns": {"shop": "@shop"}}})
    {'offers': {'offer': [{'@shop': 'a'}]}}
    """
    tree: RowTree = {}
    for name, path in (columns or {name: name for name in row}).items():
        value = row[name]
        if value is None:
            continue
        inner = path.get("columns") if isinstance(path, Mapping) else None
        put(tree, path["element"] if isinstance(path, Mapping) else path, _content(value, inner))
    return tree


def _content(value: Any, columns: Mapping[str, Any] | None) -> Any:
    if isinstance(value, Mapping):
        return mapped(value, columns)
    if isinstance(value, list):
        return [_content(item, columns) for item in value]
    return value


def put(tree: RowTree, path: str, value: Any) -> None:
    """Put a value where a path leads, through elements that are made on the way."""
    *way, last = path.strip("/").split("/")
    for step in way:
        if isinstance(tree.get(step), list):
            raise UsageError(f"columns: {path!r} leads through {step!r}, which is repeated; map that column as nested.")
        if step in tree and not isinstance(tree[step], dict):
            tree[step] = {"": tree[step]}
        tree = tree.setdefault(step, {})
    known = tree.get(last)
    if isinstance(known, dict) and "" not in known and not isinstance(value, dict | list):
        tree[last] = {"": value, **tree[last]}
    elif last in tree:
        raise UsageError(f"columns: two columns have the path {path!r}; give each one of its own.")
    else:
        tree[last] = value
