"""Integration: rows of several steps put below or beside each other, once each, in lists, or by any SQL.

Join, deduplicate, nest and unnest, as SQL of DuckDB.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
from rapidfuzz import fuzz

from sightline.data import infer
from sightline.errors import UsageError
from sightline.flow._duckdb import not_allowed, open_duckdb, quoted
from sightline.flow.rows import BATCH_ROWS, RowBatches

__all__ = [
    "ROW_NUMBER",
    "Duck",
    "MappedColumn",
    "Union",
    "UnionMap",
    "deduplicate_rows",
    "duckdb_variable",
    "full_mapping",
    "join_rows",
    "nest_rows",
    "numbered",
    "propose_mapping",
    "set_variables",
    "union_rows",
    "unnest_rows",
]

ROW_NUMBER = "_row"
"""The column with the number of a row, where its place has to be known."""
_TYPES = {"inner": "INNER", "left": "LEFT", "full": "FULL"}


class numbered:  # noqa: N801 - used as a function
    """Rows with their numbers, as DuckDB reads them once for each query."""

    def __init__(self, rows: RowBatches) -> None:
        self._rows = rows
        self.schema: Any = rows.schema.append(pa.field(ROW_NUMBER, pa.int64()))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows as a stream."""
        reader = pa.RecordBatchReader.from_batches(self.schema, self._batches())
        return reader.__arrow_c_stream__(requested_schema)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        done = 0
        for batch in self._rows.batches():
            numbers = pa.array(range(done, done + batch.num_rows), pa.int64())
            done += batch.num_rows
            yield pa.record_batch([*batch.columns, numbers], schema=self.schema)


def join_rows(
    left: tuple[str, RowBatches], right: tuple[str, RowBatches], same: Mapping[str, str], how: str, spill: Path
) -> tuple[RowBatches, tuple[str, ...]]:
    """The rows of both tables beside each other, in the order of the left; and what to know about it.

    A column that both have, and that is not joined by, gets the name of the right table behind it.
    """
    names = left[1].schema.names
    keys = {right_name for left_name, right_name in same.items()}
    chosen, notes = [], []
    for name in names:
        partner = same.get(name)
        source = f"l.{quoted(name)}"
        if partner is not None and how == "full":
            source = f"coalesce({source}, r.{quoted(partner)})"
        chosen.append(f"{source} AS {quoted(name)}")
    for name in right[1].schema.names:
        if name in keys:
            continue
        new = name if name not in names else f"{name}_{right[0]}"
        if new != name and not name.startswith("_"):
            notes.append(f"both have `{name}`; that of {right[0]} is `{new}`")
        chosen.append(f"r.{quoted(name)} AS {quoted(new)}")
    on = " AND ".join(f"l.{quoted(one)} = r.{quoted(two)}" for one, two in same.items())
    sql = (
        f"SELECT {', '.join(chosen)} FROM left_rows AS l {_TYPES[how]} JOIN right_rows AS r ON {on} "
        f"ORDER BY l.{ROW_NUMBER}, r.{ROW_NUMBER}"
    )
    return _query({"left_rows": left[1], "right_rows": right[1]}, sql, spill), tuple(notes)


def deduplicate_rows(rows: RowBatches, by: Sequence[str], order: str, keep: str, spill: Path) -> RowBatches:
    """One row of each key, in the order of the rows; rows without a key are all kept."""
    keys = ", ".join(map(quoted, by))
    way = "DESC NULLS LAST" if keep == "last" else "ASC NULLS LAST"
    wanted = f"{quoted(order)} {way}, {ROW_NUMBER} {way}" if order else f"{ROW_NUMBER} {way}"
    without = " AND ".join(f"{quoted(name)} IS NULL" for name in by)
    names = ", ".join(map(quoted, rows.schema.names))
    sql = (
        f"SELECT {names} FROM (SELECT *, row_number() OVER (PARTITION BY {keys} ORDER BY {wanted}) AS _place "
        f"FROM rows_of) WHERE _place = 1 OR ({without}) ORDER BY {ROW_NUMBER}"
    )
    return _query({"rows_of": rows}, sql, spill)


def nest_rows(rows: RowBatches, by: Sequence[str], into: str, spill: Path) -> RowBatches:
    """One row for each key; the other columns become a list of rows, in their order."""
    keys = ", ".join(map(quoted, by))
    others = [name for name in rows.schema.names if name not in by and not name.startswith("_")]
    packed = ", ".join(f"{quoted(name)} := {quoted(name)}" for name in others)
    sql = (
        f"SELECT {keys}, list(struct_pack({packed}) ORDER BY {ROW_NUMBER}) AS {quoted(into)} FROM rows_of "
        f"GROUP BY {keys} ORDER BY min({ROW_NUMBER})"
    )
    return _query({"rows_of": rows}, sql, spill)


def unnest_rows(rows: RowBatches, column: str, spill: Path) -> RowBatches:
    """One row for each entry of a list; a row whose list is empty stays, with nothing in its place."""
    kind = rows.schema.field(column).type
    is_struct = pa.types.is_struct(kind.value_type)
    others = [name for name in rows.schema.names if name != column]
    kept = ", ".join(quoted(name) for name in others)
    inner = quoted("_entry")
    parts = f"{inner} AS {quoted(column)}"
    if is_struct:
        named = {
            part.name: part.name if part.name not in others else f"{column}_{part.name}" for part in kind.value_type
        }
        parts = ", ".join(f"{inner}.{quoted(old)} AS {quoted(new)}" for old, new in named.items())
    sql = (
        f"SELECT {f'{kept}, ' if kept else ''}{parts} FROM (SELECT *, unnest(CASE WHEN len({quoted(column)}) > 0 "
        f"THEN {quoted(column)} ELSE [NULL] END) AS _entry, "
        f"generate_subscripts(CASE WHEN len({quoted(column)}) > 0 THEN {quoted(column)} ELSE [NULL] END, 1) "
        f"AS _at FROM rows_of) ORDER BY {ROW_NUMBER}, _at"
    )
    return _query({"rows_of": rows}, sql, spill)


def _query(tables: Mapping[str, RowBatches], sql: str, spill: Path) -> RowBatches:
    return Duck({name: numbered(rows) for name, rows in tables.items()}, spill).query(sql)


# Queries of DuckDB over the rows of steps: its memory is bounded, and what does not fit goes to a folder.

MEMORY_MB = 400
"""What DuckDB may use of the memory: a good part of the 1.5 GB that a whole run may take; the rest goes to disk."""


class Duck:
    """Runs queries over named tables; a table is anything that DuckDB reads by Arrow, and can be read often."""

    def __init__(
        self,
        tables: Mapping[str, Any],
        spill: Path,
        *,
        folders: Iterable[Path] = (),
        variables: Mapping[str, str] | None = None,
        memory_mb: int = MEMORY_MB,
    ) -> None:
        """Queries may read files in `folders` as well, in none if none is named; `variables` are for `getvariable`."""
        self._variables = dict(variables or {})
        self._tables = dict(tables)
        self._spill = spill
        self._folders = tuple(folders)
        self._memory_mb = memory_mb

    @contextmanager
    def _connected(self) -> Iterator["duckdb.DuckDBPyConnection"]:
        with open_duckdb(folders=self._folders, spill=self._spill, memory=f"{self._memory_mb}MB") as connection:
            for name, table in self._tables.items():
                connection.register(name, table)
            set_variables(connection, self._variables)
            yield connection

    def query(self, sql: str) -> RowBatches:
        """The rows of a query; it is checked now, and run when the batches are asked for."""
        sql = sql.rstrip().removesuffix(";")
        with self._connected() as connection, _told(sql):
            # a line of its own, since a comment may end the query
            schema = _relation(connection, f"SELECT * FROM ({sql}\n) LIMIT 0").to_arrow_table().schema

        def batches() -> Iterator[pa.RecordBatch]:
            with self._connected() as connection, _told(sql):
                for batch in _relation(connection, sql).to_arrow_reader(BATCH_ROWS):
                    yield pa.record_batch(batch.columns, schema=schema)  # a name that came twice has another there

        return RowBatches(schema, batches)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """The few rows of a query."""
        with self._connected() as connection, _told(sql):
            return connection.execute(sql).fetchall()


def set_variables(connection: "duckdb.DuckDBPyConnection", variables: Mapping[str, str]) -> None:
    """Give values to the variables of a connection, bound and never as parts of a query."""
    for name, value in variables.items():
        connection.execute(f"SET VARIABLE {quoted(name)} = $1", [value])


def duckdb_variable(name: str) -> str:
    """A variable in the SQL of DuckDB."""
    return f"getvariable('{name}')"


def _relation(connection: "duckdb.DuckDBPyConnection", sql: str) -> Any:
    return connection.sql(sql)


@contextmanager
def _told(sql: str) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as problem:
        if isinstance(problem, duckdb.PermissionException):
            raise UsageError(not_allowed(problem)) from problem
        lines = str(problem).splitlines()
        said = lines[0].removesuffix(".")
        meant = next((line.strip() for line in lines[1:] if "Candidate" in line or "Did you mean" in line), "")
        hint = f" ({meant.rstrip('.')})" if meant else ""
        raise UsageError(f"the query “{' '.join(sql.split()):.80}” cannot be run: {said}{hint}; fix it.") from problem


# -- proposes which columns of two tables are the same: by their names, types and values ----------------------------
# Nothing is decided here: a proposal is shown, and people write it into the flow, or let it be written.

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
