"""Rows as trees of elements and attributes, by a path for each column such as `price/@currency`."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import pyarrow as pa

from sightline.errors import UsageError

__all__ = ["RowTree", "check_mapping", "mapped", "put"]

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
