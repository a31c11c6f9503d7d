"""Join, deduplicate, nest and unnest, as SQL of DuckDB."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from sightline.errors import UsageError
from sightline.flow._duckdb import not_allowed, open_duckdb, quoted
from sightline.flow.rows import BATCH_ROWS, RowBatches

__all__ = ["ROW_NUMBER", "Duck", "deduplicate_rows", "join_rows", "nest_rows", "numbered", "unnest_rows"]

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
        self, tables: Mapping[str, Any], spill: Path, *, folders: Iterable[Path] = (), memory_mb: int = MEMORY_MB
    ) -> None:
        """Queries may read files in `folders` as well; in none if none is named."""
        self._tables = dict(tables)
        self._spill = spill
        self._folders = tuple(folders)
        self._memory_mb = memory_mb

    @contextmanager
    def _connected(self) -> Iterator["duckdb.DuckDBPyConnection"]:
        with open_duckdb(folders=self._folders, spill=self._spill, memory=f"{self._memory_mb}MB") as connection:
            for name, table in self._tables.items():
                connection.register(name, table)
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
