"""The ledger in one SQLite file, for workers on one machine."""

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sightline.errors import OutputError, UsageError
from sightline.scale.ledger._shapes import TABLES

__all__ = ["SqliteStore"]

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
