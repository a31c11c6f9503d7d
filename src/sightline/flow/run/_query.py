"""The step that reads the rows of a query from a database."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from sightline.errors import MissingExtra, UnreadableError, UsageError
from sightline.flow._addresses import check_server, scheme_of
from sightline.flow._duckdb import not_allowed, open_duckdb
from sightline.flow.rows import BATCH_ROWS, RowBatches
from sightline.flow.run._context import StepContext, StepResult
from sightline.flow.spec import QuerySource

__all__ = ["query_database"]

_ROWS = 1 << 13  # taken from a cursor at once
_SQLITE = (".sqlite", ".sqlite3", ".db")
_SCHEMES = ("", "duckdb", "sqlite", "postgres", "postgresql")
_MOST_DIGITS = 38  # of a decimal of Arrow


def query_database(context: StepContext, step: QuerySource) -> StepResult:
    """The rows of a query from DuckDB, SQLite or PostgreSQL."""
    database = context.secret(step.database)
    scheme = scheme_of(database)
    if scheme not in _SCHEMES:
        raise context.fail(
            f"rows cannot be read from an address of the kind {scheme}:; name a file of DuckDB or SQLite, or write "
            "`postgresql://user@host/db`.",
            "from",
        )
    rest = database[len(scheme) + 1 :] if scheme else database
    if scheme in ("postgres", "postgresql"):
        database = f"{scheme}:{rest}"
        check_server(database, "postgresql://user@host/db")
        with _postgres(database, step.sql) as cursor:
            return StepResult(context.keep(_of_cursor(cursor)))
    path = context.path(rest)
    if not path.exists():
        raise context.fail(f"there is no database {path}; check its name.", "from")
    if scheme == "sqlite" or path.suffix.lower() in _SQLITE:
        with _sqlite(path, step.sql) as cursor:
            return StepResult(context.keep(_of_cursor(cursor)))
    return StepResult(context.keep(_of_duckdb(path, step.sql, context.readable(step.files))))


def _of_duckdb(path: Path, sql: str, folders: Sequence[Path]) -> RowBatches:
    @contextmanager
    def opened() -> Iterator[Any]:
        try:
            with open_duckdb(path, read_only=True, folders=folders) as connection:
                yield connection
        except duckdb.PermissionException as problem:
            raise UsageError(not_allowed(problem)) from problem
        except duckdb.Error as problem:
            raise UnreadableError(str(path), f"the query failed ({_first_line(problem)}); fix it.") from problem

    def batches() -> Iterator[pa.RecordBatch]:
        with opened() as connection:
            for batch in connection.sql(sql).to_arrow_reader(BATCH_ROWS):
                yield pa.record_batch(batch.columns, schema=schema)  # a name that came twice has another there

    with opened() as connection:
        # a line of its own, since a comment may end the query
        schema = connection.sql(f"SELECT * FROM ({sql}\n) LIMIT 0").to_arrow_table().schema
    return RowBatches(schema, batches)


Opened = Callable[[], Any]


@contextmanager
def _sqlite(path: Path, sql: str) -> Iterator[Opened]:
    """A function that runs the query; both runs see the same state of the database."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN")
            yield lambda: connection.execute(sql)
        except sqlite3.Error as problem:
            raise UnreadableError(str(path), f"the query failed ({problem}); fix it.") from problem


@contextmanager
def _postgres(address: str, sql: str) -> Iterator[Opened]:
    try:
        import psycopg
    except ImportError as problem:
        raise MissingExtra("postgres", "Reading from PostgreSQL") from problem
    try:
        with psycopg.connect(address) as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            connection.read_only = True

            def opened() -> Any:
                cursor = connection.cursor(name="sightline")
                cursor.itersize = _ROWS
                return cursor.execute(sql)

            yield opened
    except psycopg.Error as problem:
        told = f"the query failed ({_first_line(problem)}); fix it, or its address."
        raise UnreadableError("the PostgreSQL database", told) from problem


def _first_line(problem: Exception) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0].removesuffix(".")


# ---------------------------------------------------------------------- rows of cursors


def _of_cursor(opened: Opened) -> RowBatches:
    """The rows of a query that is run twice: first to learn the types, which depend on all the values."""
    with closing(opened()) as cursor:
        names = _names([one[0] for one in cursor.description or ()], cursor)
        kinds: list[set[type]] = [set() for _ in names]
        digits = [[0, 0] for _ in names]
        for row in cursor:
            for place, value in enumerate(row):
                if value is not None:
                    kinds[place].add(type(value))
                    if isinstance(value, Decimal):
                        _count(digits[place], value)
    schema = pa.schema([(name, _type(kinds[at], digits[at])) for at, name in enumerate(names)])

    def batches() -> Iterator[pa.RecordBatch]:
        with closing(opened()) as cursor:
            rows = iter(cursor)
            while chunk := list(islice(rows, _ROWS)):
                columns = [
                    pa.array([_value(row[at], field.type) for row in chunk], field.type)
                    for at, field in enumerate(schema)
                ]
                yield pa.record_batch(columns, schema=schema)

    return RowBatches(schema, batches)


def _names(names: list[str], cursor: Any) -> list[str]:
    if not names and hasattr(cursor, "fetchone"):
        cursor.fetchone()  # a cursor of the server knows its columns after the first row
        names = [one[0] for one in cursor.description or ()]
    found: list[str] = []
    for name in names:
        found.append(name if name not in found else f"{name}_{len(found) + 1}")
    return found


def _count(digits: list[int], value: Decimal) -> None:
    exponent = value.as_tuple().exponent
    scale = max(0, -exponent) if isinstance(exponent, int) else 0
    digits[0] = max(digits[0], scale)
    digits[1] = max(digits[1], value.adjusted() + 1)


_TYPES = {
    bool: pa.bool_(),
    int: pa.int64(),
    float: pa.float64(),
    str: pa.string(),
    bytes: pa.binary(),
    date: pa.date32(),
}
_LARGEST = 1 << 63


def _type(kinds: set[type], digits: list[int]) -> pa.DataType:
    if kinds == {datetime}:
        return pa.timestamp("us", tz="UTC")
    if kinds == {Decimal} and digits[0] + max(digits[1], 1) <= _MOST_DIGITS:
        return pa.decimal128(digits[0] + max(digits[1], 1), digits[0])
    if kinds == {int, float}:
        return pa.float64()
    return _TYPES.get(next(iter(kinds)), pa.string()) if len(kinds) == 1 else pa.string()


def _value(value: Any, kind: pa.DataType) -> Any:
    if value is None or not pa.types.is_string(kind):
        return value
    return value if isinstance(value, str) else str(value)
