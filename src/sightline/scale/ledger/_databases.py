"""The ledger in one SQLite file, for workers on one machine."""

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightline.errors import MissingExtra, OutputError, UsageError
from sightline.scale.ledger._shapes import TABLES

if TYPE_CHECKING:
    import psycopg

__all__ = ["PostgresStore", "SqliteStore"]

VERSION = 1
PATIENCE = 60.0  # seconds to wait for another process that writes; a transaction here takes milliseconds


class SqliteStore:
    """A connection to the ledger's file. Every commit is on the disk before it counts."""

    one_machine = True
    for_update = ""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.RLock()
        try:
            self._database = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=PATIENCE)
            self._prepare()
        except (sqlite3.Error, UnicodeDecodeError) as problem:
            told = f"cannot be used as a ledger ({_in_a_line(problem)}); choose another folder."
            raise UsageError(f"{path} {told}") from problem

    def _prepare(self) -> None:
        self._database.execute("PRAGMA journal_mode = WAL")
        self._database.execute("PRAGMA synchronous = FULL")
        version = self._database.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            self._database.close()
            raise UsageError(f"{self._path} was made by a newer Sightline; update it, or choose another folder.")
        with self.transaction():
            for table in TABLES:
                self._database.execute(table.format(blob="BLOB", real="REAL"))
            self._database.execute(f"PRAGMA user_version = {VERSION}")

    def now(self) -> float:
        """The time by which leases end."""
        return time.time()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it, or nothing; nobody else writes meanwhile."""
        with self._lock, self._translated():
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._database.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # a failed COMMIT may have rolled back by itself
                    self._database.execute("ROLLBACK")
                raise

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a statement."""
        with self._lock, self._translated():
            return self._database.execute(statement, values).fetchall()

    def execute_many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """A statement for each row."""
        with self._lock, self._translated():
            self._database.executemany(statement, rows)

    def changed(self, statement: str, values: Sequence[Any]) -> int:
        """How many rows a statement has changed."""
        with self._lock, self._translated():
            return self._database.execute(statement, values).rowcount

    def stream(self, statement: str, values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        """The rows of a statement, one at a time, by a connection of its own: writing goes on meanwhile."""
        reader = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=PATIENCE)
        try:
            with self._translated():
                yield from reader.execute(statement, values)
        finally:
            reader.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as problem:
            raise OutputError(
                f"The ledger {self._path} could not be written or read ({_in_a_line(problem)}); free some space "
                "or mend that, then give the same command again; nothing is lost."
            ) from problem


def _in_a_line(problem: Exception) -> str:
    """What SQLite says, which may hold lines of a damaged file."""
    return " ".join(str(problem).split())


# -- the ledger in PostgreSQL, for workers on many machines ---------------------------------------------------------

TABLES_LOCK = 7_162_534_091  # any number that nobody else locks: two drivers must not create the tables at once
STREAMED = 2_000  # rows fetched at a time, so that millions of shards do not stand in memory
POSTGRES_PATIENCE = 30  # seconds for a connection


class PostgresStore:
    """A connection to the ledger's database; a connection that was lost is made anew for the next transaction."""

    one_machine = False
    for_update = " FOR UPDATE SKIP LOCKED"

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = threading.RLock()
        self._depth = 0
        self._database = self._connected()
        with self.transaction():
            self.execute("SELECT pg_advisory_xact_lock(?)", (TABLES_LOCK,))
            for table in TABLES:
                self.execute(table.format(blob="BYTEA", real="DOUBLE PRECISION"))

    def _connected(self) -> "psycopg.Connection[Any]":
        try:
            import psycopg
        except ImportError as missing:
            raise MissingExtra("postgres", "A ledger in PostgreSQL") from missing
        try:
            return psycopg.connect(self._address, autocommit=True, connect_timeout=POSTGRES_PATIENCE)
        except psycopg.Error as problem:
            raise UsageError(
                f"The ledger in PostgreSQL cannot be reached ({_first_line(problem)}); check address and rights."
            ) from problem

    def now(self) -> float:
        """The time by which leases end: the server's, since the clocks of workers differ."""
        return float(self.execute("SELECT extract(epoch FROM clock_timestamp())")[0][0])

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it, or nothing."""
        with self._lock, self._translated():
            if self._database.closed and not self._depth:
                self._database = self._connected()
            self._depth += 1
            try:
                with self._database.transaction():
                    yield
            finally:
                self._depth -= 1

    def execute(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a statement."""
        with self._reachable():
            cursor = self._database.execute(_placed(statement), values)
            return cursor.fetchall() if cursor.description else []

    def execute_many(self, statement: str, rows: Sequence[Sequence[Any]]) -> None:
        """A statement for each row."""
        with self._reachable(), self._database.cursor() as cursor:
            cursor.executemany(_placed(statement), rows)

    def changed(self, statement: str, values: Sequence[Any]) -> int:
        """How many rows a statement has changed."""
        with self._reachable():
            return self._database.execute(_placed(statement), values).rowcount

    def stream(self, statement: str, values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        """The rows of a statement, some at a time, by a connection of its own: writing goes on meanwhile."""
        with self._translated(), self._connected() as reader, reader.transaction(), reader.cursor("shards") as cursor:
            cursor.itersize = STREAMED
            cursor.execute(_placed(statement), values)
            yield from cursor

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    @contextmanager
    def _reachable(self) -> Iterator[None]:
        with self._lock, self._translated():
            if self._database.closed and not self._depth:
                self._database = self._connected()
            yield

    @contextmanager
    def _translated(self) -> Iterator[None]:
        import psycopg  # it is installed, or there would be no connection

        try:
            yield
        except psycopg.Error as problem:
            raise OutputError(
                f"The ledger in PostgreSQL did not answer as it should ({_first_line(problem)}); "
                "give the same command again when it is back; nothing is lost."
            ) from problem


def _placed(statement: str) -> Any:
    """A statement with PostgreSQL's placeholders; none of ours has a question mark or a percent sign in a text."""
    return statement.replace("?", "%s")


def _first_line(problem: Exception) -> str:
    lines = str(problem).strip().splitlines()
    return lines[0] if lines else type(problem).__name__
