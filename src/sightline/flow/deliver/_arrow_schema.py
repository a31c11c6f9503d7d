"""Compares the columns of a load with those of a folder, by their Arrow types; proposes what would have to change."""

from typing import Any

import pyarrow as pa

from sightline.errors import SchemaChanged
from sightline.flow._sql import quoted
from sightline.flow.deliver._arrays import ARROW_REFUSES, unfit
from sightline.flow.deliver._kinds import fits, kind_of

__all__ = ["cast_batch", "fitted_schema"]


def fitted_schema(new: Any, old: Any, shown: str, *, allowed: bool) -> tuple[Any, tuple[str, ...]]:
    """The schema that the rows of a load are cast to, and the columns that it adds.

    Whatever is not allowed, or would lose something, raises SchemaChanged.
    """
    unsafe = [f"has the column {name!r}, which the load lacks" for name in old.names if name not in new.names]
    added, fitted = [], []
    for field in new:
        if field.name not in old.names:
            added.append(field)
            fitted.append(field)
        elif _fits(field.type, old.field(field.name).type):
            fitted.append(old.field(field.name))
        else:
            type = old.field(field.name).type
            unsafe.append(f"has {type} for {field.name!r}, which does not hold the load's {field.type}")
    changes = tuple(f"ADD COLUMN {quoted(field.name)} {field.type}" for field in added)
    if unsafe:
        raise SchemaChanged(
            shown, f"{shown} {'; it '.join(unsafe)}; change the load to fit, or use a new folder.", changes
        )
    if added and not allowed:
        lacks = ", ".join(repr(field.name) for field in added)
        raise SchemaChanged(shown, f"{shown} lacks {lacks}; allow schema changes, or leave that out.", changes)
    return pa.schema(fitted), changes


def _fits(new: Any, old: Any) -> bool:
    if new.equals(old):
        return True
    if pa.types.is_nested(new) or pa.types.is_nested(old):
        return False
    kinds = kind_of(new), kind_of(old)
    return kinds[0] is not None and kinds[1] is not None and fits(kinds[0], kinds[1])


def cast_batch(batch: Any, schema: Any) -> Any:
    """A batch with the types of a schema, column by column; an error names the column whose values do not fit."""
    columns = [_cast(column, field) for column, field in zip(batch.columns, schema, strict=True)]
    return pa.record_batch(columns, schema=schema)


def _cast(column: Any, field: Any) -> Any:
    if column.type.equals(field.type):
        return column
    try:
        return column.cast(field.type)
    except ARROW_REFUSES as problem:
        raise unfit(field.name, problem) from problem
