"""Union: the rows of several tables below each other, column by column as a mapping says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from sightline.flow.rows import RowBatches

__all__ = ["Union", "UnionMap", "full_mapping", "union_rows"]

UnionMap = Mapping[str, Mapping[str, str]]
"""For each column of the union, what it is called in each table."""


@dataclass(frozen=True)
class Union:
    """The rows, the mapping by which they were put together, and what to know about it."""

    rows: RowBatches
    columns: UnionMap
    notes: tuple[str, ...] = ()


def full_mapping(columns: Mapping[str, tuple[str, ...]], given: UnionMap | None) -> dict[str, dict[str, str]]:
    """The mapping of all columns: what is given, and each other column under its own name; none is left out.

    >>> columns = {"north": ("title", "price"), "south": ("name", "price")}
    >>> full_mapping(columns, {"name": {"north": "title", "south": "name"}})
    {'name': {'north': 'title', 'south': 'name'}, 'price': {'north': 'price', 'south': 'price'}}
    """
    found = {name: dict(steps) for name, steps in (given or {}).items()}
    taken = {(table, old) for steps in found.values() for table, old in steps.items()}
    for table, names in columns.items():
        for name in names:
            if (table, name) in taken:
                continue
            # A name that the mapping gave to another column of this table.
            free = name if table not in found.get(name, {}) else f"{name}_{table}"
            found.setdefault(free, {})[table] = name
    return found


def union_rows(tables: Mapping[str, RowBatches], given: UnionMap | None = None, *, label: str = "") -> Union:
    """The rows of all tables, in their order; `label` names a column that says which table a row is from."""
    mapping = full_mapping({name: tuple(rows.schema.names) for name, rows in tables.items()}, given)
    fields, notes = [], []
    for column, steps in mapping.items():
        kinds = {tables[table].schema.field(old).type for table, old in steps.items()}
        kind = _common(kinds)
        if len(kinds) > 1 and pa.types.is_string(kind):
            shown = ", ".join(f"{tables[table].schema.field(old).type} in {table}" for table, old in steps.items())
            notes.append(f"`{column}` is text, since its types differ: {shown}")
        fields.append(pa.field(column, kind))
    names = [pa.field(label, pa.string())] if label else []
    schema = pa.schema([*names, *fields])

    def batches() -> Iterator[pa.RecordBatch]:
        for table, rows in tables.items():
            for batch in rows.batches():
                arrays = [_column(batch, steps.get(table), kind.type) for (_, steps), kind in _zipped(mapping, fields)]
                labels = [pa.array([table] * batch.num_rows, pa.string())] if label else []
                yield pa.record_batch([*labels, *arrays], schema=schema)

    return Union(RowBatches(schema, batches), mapping, tuple(notes))


def _zipped(
    mapping: Mapping[str, Mapping[str, str]], fields: list[pa.Field]
) -> Iterator[tuple[tuple[str, Mapping[str, str]], pa.Field]]:
    return zip(mapping.items(), fields, strict=True)


def _common(kinds: set[pa.DataType]) -> pa.DataType:
    """The type that holds all of these without loss; texts if there is none."""
    known = {kind for kind in kinds if not pa.types.is_null(kind)}
    if not known:
        return pa.string()
    if len(known) == 1:
        return _flat(next(iter(known)))
    if all(pa.types.is_integer(kind) for kind in known):
        return pa.int64()
    if all(pa.types.is_decimal(kind) or pa.types.is_integer(kind) for kind in known):
        return _decimal(known)
    if all(pa.types.is_floating(kind) for kind in known):
        return pa.float64()
    return pa.string()


def _decimal(kinds: set[pa.DataType]) -> pa.DataType:
    scale = max(kind.scale if pa.types.is_decimal(kind) else 0 for kind in kinds)
    whole = max(kind.precision - kind.scale if pa.types.is_decimal(kind) else 19 for kind in kinds)
    return pa.decimal128(whole + scale, scale) if whole + scale <= 38 else pa.string()


def _flat(kind: pa.DataType) -> pa.DataType:
    """A type without the way in which it is stored."""
    if pa.types.is_dictionary(kind):
        return _flat(kind.value_type)
    return pa.string() if pa.types.is_large_string(kind) else kind


def _column(batch: pa.RecordBatch, name: str | None, kind: pa.DataType) -> pa.Array:
    if name is None:
        return pa.nulls(batch.num_rows, kind)
    column = batch.column(name)
    if column.type == kind:
        return column
    if pa.types.is_nested(column.type) and pa.types.is_string(kind):
        import orjson

        texts = [None if value is None else orjson.dumps(value, default=str).decode() for value in column.to_pylist()]
        return pa.array(texts, kind)
    return pc.cast(column, kind)
