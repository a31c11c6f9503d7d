"""Delivery to a SQLite file: staged in a temporary database, which SQLite removes by itself."""

import datetime
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
from sqlalchemy.dialects.sqlite.base import SQLiteDialect

from sightline.errors import OutputError
from sightline.flow._duckdb import quoted
from sightline.flow.deliver._dialect import SQLITE, TableColumn
from sightline.flow.deliver._engine import Engine, as_written
from sightline.flow.deliver._schema import VALIDITY, LoadColumns
from sightline.flow.deliver._target import DeliveryTarget

WAIT_SECONDS = 60.0  # for another load, or whoever writes to the file


class SqliteEngine(Engine):
    """One load into a table of a SQLite file."""

    dialect = SQLITE
    core = SQLiteDialect()
    schema = as_written("target")
    stage_place = ("rows", as_written("main"))

    def __init__(self, target: DeliveryTarget) -> None:
        super().__init__(target)
        self._path = Path(target.place).absolute()
        self.altered = quoted("target", target.table)
        self.named = quoted(target.table)
        self._attached = False
        self._key: tuple[int, ...] = ()
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
        with self._attaching(), self.transaction("BEGIN IMMEDIATE", self._connection, sqlite3.Error):
            yield

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
        return sqlite_columns(self.rows("SELECT * FROM pragma_table_info(?1, 'target')", table))

    def create_stage(self, columns: LoadColumns, *, becomes_target: bool) -> None:
        """Make the staging table."""
        self._key = columns.key
        super().create_stage(columns, becomes_target=becomes_target)

    def fill_stage(self, batch: Any) -> None:
        """Add a batch."""
        marks = ", ".join("?" * batch.num_columns)
        columns = [sqlite_values(column, in_key=place in self._key) for place, column in enumerate(batch.columns)]
        with _explained(self._shown):
            self._connection.execute("BEGIN")
            self._connection.executemany(f"INSERT INTO main.rows VALUES ({marks})", zip(*columns, strict=True))
            self._connection.execute("COMMIT")

    def finish_stage(self, key: Sequence[int]) -> None:
        """SQLite compares row by row, for which it needs an index."""
        self.run(f"CREATE INDEX main.stage_key ON rows ({', '.join(f'c{place}' for place in key)})")

    def index_key(self, names: Sequence[str], *, open_only: bool) -> None:
        """A unique index on the key."""
        where = "WHERE valid_to IS NULL" if open_only else ""
        index = quoted("target", f"{self._table} key")
        self.run(f"CREATE UNIQUE INDEX {index} ON {quoted(self._table)} ({', '.join(map(quoted, names))}) {where}")

    @contextmanager
    def looking_up(self, names: Sequence[str]) -> Iterator[None]:
        """With an index, since SQLite compares row by row; it is gone with the move."""
        index = quoted("target", f"{self._table} looked up")
        self.run(f"CREATE INDEX {index} ON {quoted(self._table)} ({', '.join(map(quoted, (*names, VALIDITY[0])))})")
        yield
        self.run(f"DROP INDEX {index}")

    def run(self, statement: Any, *values: object) -> int:
        """Run a statement; the number of rows that it changed."""
        with _explained(self._shown):
            return max(0, self._execute(statement, values).rowcount)

    def rows(self, statement: Any, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""
        with _explained(self._shown):
            return self._execute(statement, values).fetchall()

    def _execute(self, statement: Any, values: Sequence[object]) -> sqlite3.Cursor:
        return self._connection.execute(*self.compiled(statement, values))

    def close(self) -> None:
        """Let go of the file, and of the staging table."""
        with suppress(sqlite3.Error):
            self._connection.close()


def sqlite_columns(found: Iterable[Sequence[Any]]) -> dict[str, TableColumn]:
    """The columns of a table by what SQLite's `table_info` says of them: number, name, type, NOT NULL, default, key."""
    return {
        name: TableColumn(SQLITE.kind_of(type), type, default is not None) for _, name, type, _, default, _ in found
    }


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
