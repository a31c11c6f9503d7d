"""Proposes which columns of two tables are the same: by their names, types and values.

Nothing is decided here: a proposal is shown, and people write it into the flow, or let it be written.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz import fuzz

from sightline.data import infer
from sightline.flow.rows import RowBatches

__all__ = ["MappedColumn", "Union", "UnionMap", "full_mapping", "propose_mapping", "union_rows"]

# Union: the rows of several tables below each other, column by column as a mapping says.

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


SAMPLE_ROWS = 500
"""Rows of each table that are compared: enough to see what a column holds, and read in no time."""
# Not fitted: people see each proposal before it counts, so these lean to proposing too much rather than too little.
SAME_NAME = 0.8
SHARED_VALUES = 0.3
BOTH = 1.0  # of a name and values that are each a little alike
_META = "_"


@dataclass(frozen=True)
class MappedColumn:
    """A column of one table that is probably one of another, and why."""

    table: str
    column: str
    same_as: str
    score: float
    why: str


@dataclass(frozen=True)
class _Sampled:
    name: str
    kind: str
    texts: frozenset[str]


def propose_mapping(tables: Mapping[str, RowBatches]) -> tuple[UnionMap, tuple[MappedColumn, ...]]:
    """The columns of the first table, and which columns of the others are probably the same; with the reasons.

    Columns of the same name need no proposal.
    """
    first, *others = tables
    known = {column.name: column for column in _sampled(tables[first])}
    mapping: dict[str, dict[str, str]] = {name: {first: name} for name in known}
    found: list[MappedColumn] = []
    for table in others:
        columns = _sampled(tables[table])
        for column in columns:
            if column.name in known:
                mapping[column.name][table] = column.name
        free = [column for column in columns if column.name not in known]
        open_names = [name for name in mapping if table not in mapping[name]]
        for proposal in _best(table, free, [known[name] for name in open_names if name in known]):
            mapping[proposal.same_as][table] = proposal.column
            found.append(proposal)
        taken = {old for steps in mapping.values() for at, old in steps.items() if at == table}
        for column in columns:
            if column.name not in taken:
                mapping.setdefault(column.name, {})[table] = column.name
                known.setdefault(column.name, column)
    return mapping, tuple(found)


def _best(table: str, columns: Sequence[_Sampled], targets: Sequence[_Sampled]) -> list[MappedColumn]:
    """The surest pairs first; each column is taken once."""
    scored = [(*_alike(column, target), column, target) for column in columns for target in targets]
    found: list[MappedColumn] = []
    for score, why, column, target in sorted(scored, key=lambda one: -one[0]):
        if not why or any(column.name == one.column or target.name == one.same_as for one in found):
            continue
        found.append(MappedColumn(table, column.name, target.name, score, why))
    return found


def _alike(one: _Sampled, two: _Sampled) -> tuple[float, str]:
    """How alike two columns are, and why they are proposed; no reason if they are not."""
    if one.kind != two.kind and one.texts and two.texts:
        return 0.0, ""
    name = fuzz.token_sort_ratio(_words(one.name), _words(two.name)) / 100
    within = max(name, fuzz.partial_token_set_ratio(_words(one.name), _words(two.name)) / 100 - 0.1)
    least = min(len(one.texts), len(two.texts))
    shared = len(one.texts & two.texts) / least if least else 0.0
    reasons = []
    if within >= SAME_NAME:
        reasons.append("the names are alike")
    if shared >= SHARED_VALUES:
        reasons.append(f"{shared:.0%} of the values are the same")
    if not reasons and name + shared < BOTH:
        return 0.0, ""
    kind = f"both are {one.kind}" if one.kind == two.kind else "one of them is empty"
    return within + shared, "; ".join([*reasons, kind])


def _sampled(rows: RowBatches) -> list[_Sampled]:
    batches, count = [], 0
    for batch in rows.batches():
        batches.append(batch)
        count += batch.num_rows
        if count >= SAMPLE_ROWS:
            break
    table = pa.Table.from_batches(batches, rows.schema).slice(0, SAMPLE_ROWS)
    found = []
    for name in table.column_names:
        if name.startswith(_META):
            continue
        texts = [str(value) for value in table.column(name).to_pylist() if value not in (None, "")]
        kind = table.schema.field(name).type
        said = infer(texts).kind if pa.types.is_string(kind) or pa.types.is_large_string(kind) else _kind(kind)
        found.append(_Sampled(name, said, frozenset(text.casefold().strip() for text in texts)))
    return found


def _kind(kind: pa.DataType) -> str:
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "number"
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return "date"
    return "boolean" if pa.types.is_boolean(kind) else str(kind)


def _words(name: str) -> str:
    """The words of a name: `unitPrice` and `unit_price` have the same."""
    return " ".join(re.findall(r"[^\W\d_]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name))).casefold()
