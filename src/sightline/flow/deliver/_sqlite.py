"""Delivery to a SQLite file: staged in a temporary database, which SQLite removes by itself."""

import datetime
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from sightline.errors import OutputError
from sightline.flow._duckdb import quoted
from sightline.flow.deliver._dialect import ANY_DECIMAL, Dialect, TableColumn
from sightline.flow.deliver._kinds import FLOAT, INTEGER, Kind
from sightline.flow.deliver._load import LOADS
from sightline.flow.deliver._target import DeliveryTarget

__all__ = ["SQLITE", "SqliteEngine", "sqlite_values"]

WAIT_SECONDS = 60.0  # for another load, or whoever writes to the file

SQLITE = Dialect(
    types={
        "boolean": "BOOLEAN",
        "integer": "BIGINT",
        "float": "DOUBLE",
        # SQLite would turn DECIMAL into binary floats; a type with TEXT in its name stays text.
        "decimal": "DECIMAL_TEXT",
        "text": "TEXT",
        "binary": "BLOB",
        "date": "DATE",
        "time": "TIME",
        "timestamp": "TIMESTAMP",
        "instant": "TIMESTAMP WITH TIME ZONE",
    },
    kinds={
        "integer": INTEGER,
        "int": INTEGER,
        "smallint": INTEGER,
        "real": FLOAT,
        "float": FLOAT,
        "decimal_text": ANY_DECIMAL,
        "numeric": None,
        "decimal": None,
    },
    mark="?",
    differs="IS NOT",
    instant="{}",
    decimal="CASE WHEN instr({0}, '.') THEN rtrim(rtrim({0}, '0'), '.') ELSE {0} END",
    retypes=False,
    most_digits=76,
    holds_nan=False,
)


class SqliteEngine:
    """One load into a table of a SQLite file."""

    dialect = SQLITE
    keeps_stage = True
    stage = "main.rows"

    def __init__(self, target: DeliveryTarget) -> None:
        self._shown = str(target)
        self._path = Path(target.place).absolute()
        self._name = target.table
        self.table = quoted("target", target.table)
        self.named = quoted(target.table)
        self.loads = quoted("target", LOADS)
        self._attached = False
        self._kinds: tuple[Kind, ...] = ()
        # A database without a name is a temporary file that is gone when the process is, however it ends.
        self._connection = sqlite3.connect("", timeout=WAIT_SECONDS, isolation_level=None)

    @contextmanager
    def looking(self) -> Iterator[None]:
        """While the file is open; it need not exist."""
        with _explained(self._shown):
            exists = self._path.exists()
        if not exists:
            yield
            return
        with self._attaching():
            yield

    @contextmanager
    def moving(self) -> Iterator[None]:
        """While the file is ours: a second load waits for its lock."""
        with self._attaching():
            self.run("BEGIN IMMEDIATE")
            try:
                yield
                self.run("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _attaching(self) -> Iterator[None]:
        self.run("ATTACH ?1 AS target", str(self._path))
        self._attached = True
        try:
            yield
        finally:
            self._attached = False
            with suppress(sqlite3.Error):
                self._connection.execute("DETACH target")

    def columns(self, table: str) -> dict[str, TableColumn]:
        """The columns of a table of the file."""
        if not self._attached:
            return {}
        found = self.rows("SELECT name, type, dflt_value IS NOT NULL FROM pragma_table_info(?1, 'target')", table)
        return {name: TableColumn(SQLITE.kind_of(type), type, bool(filled)) for name, type, filled in found}

    def create_stage(self, kinds: Sequence[Kind], *, becomes_target: bool) -> None:  # noqa: ARG002 - it never does
        """Make the staging table."""
        self._kinds = tuple(kinds)
        columns = ", ".join(f"c{place} {SQLITE.type_of(kind)}" for place, kind in enumerate(kinds))
        self.run(f"DROP TABLE IF EXISTS {self.stage}")
        self.run(f"CREATE TABLE {self.stage} ({columns})")

    def adopt_stage(self, names: Sequence[str], key: Sequence[str]) -> bool:  # noqa: ARG002 - it has its own file
        """The staging table stays what it is."""
        return False

    def fill_stage(self, batch: Any) -> None:
        """Add a batch."""
        marks = ", ".join("?" * batch.num_columns)
        columns = [sqlite_values(column) for column in batch.columns]
        with _explained(self._shown):
            self._connection.execute("BEGIN")
            self._connection.executemany(f"INSERT INTO {self.stage} VALUES ({marks})", zip(*columns, strict=True))
            self._connection.execute("COMMIT")

    def finish_stage(self, key: Sequence[int]) -> None:
        """SQLite compares row by row, for which it needs an index; equal numbers of a key become equal texts."""
        for place in key:
            if self._kinds[place].family == "decimal":
                self.run(f"UPDATE {self.stage} SET c{place} = {SQLITE.decimal.format(f'c{place}')}")
        self.run(f"CREATE INDEX main.stage_key ON rows ({', '.join(f'c{place}' for place in key)})")

    def index_key(self, names: Sequence[str], *, open_only: bool) -> None:
        """A unique index on the key."""
        where = "WHERE valid_to IS NULL" if open_only else ""
        index = quoted("target", f"{self._name} key")
        self.run(f"CREATE UNIQUE INDEX {index} ON {quoted(self._name)} ({', '.join(map(quoted, names))}) {where}")

    def run(self, statement: str, *values: object) -> int:
        """Run a statement; the number of rows that it changed."""
        with _explained(self._shown):
            return max(0, self._connection.execute(statement, values).rowcount)

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""
        with _explained(self._shown):
            return self._connection.execute(statement, values).fetchall()

    def close(self) -> None:
        """Let go of the file, and of the staging table."""
        with suppress(sqlite3.Error):
            self._connection.close()


def sqlite_values(column: Any, *, in_key: bool = False) -> list[Any]:
    """A column as SQLite has it: dates and times as texts that sort as what they mean, decimals with all their digits.

    In a key, 1.50 and 1.5 have to be one text, so zeros at its end are left out.
    """
    values = column.to_pylist()
    as_text = next((write for test, write in _TEXTS if test(column.type)), None)
    found = values if as_text is None else [None if value is None else as_text(value) for value in values]
    if in_key and pa.types.is_decimal(column.type) and column.type.scale > 0:
        return [None if text is None else text.rstrip("0").rstrip(".") for text in found]
    return found


_TEXTS: tuple[tuple[Callable[[Any], bool], Callable[[Any], str]], ...] = (
    (pa.types.is_decimal, lambda value: format(value, "f")),  # never 1E-7
    (pa.types.is_date, datetime.date.isoformat),
    (pa.types.is_time, lambda value: value.isoformat("microseconds")),
    (pa.types.is_timestamp, lambda value: value.isoformat(" ", "microseconds")),
)


@contextmanager
def _explained(shown: str) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError, OverflowError) as problem:
        raise OutputError(f"{shown}: {_reason(problem)}") from problem


def _reason(problem: Exception) -> str:
    if isinstance(problem, PermissionError):
        return f"the file cannot be reached ({problem.strerror}); check its permissions, then run the load again."
    code = getattr(problem, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            waited = f"still after {WAIT_SECONDS:.0f} s"
            return f"another program writes to the file, {waited}; wait for it, then run the load again."
        case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
            return f"the disk is full or broken ({problem}); free some space, then run the load again."
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return f"the file cannot be written ({problem}); check its permissions, then run the load again."
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return f"the file is damaged or of another kind ({problem}); restore it, or name another file."
    return f"SQLite could not take the rows ({problem}); nothing was changed, so the load can be run again."
