"""Delivery to a DuckDB file: staged in a database of its own, so that the file is locked only while rows are moved."""

import fcntl
import os
import secrets
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from sightline.errors import OutputError
from sightline.flow._duckdb import literal, open_duckdb, quoted
from sightline.flow.deliver._dialect import Dialect, TableColumn
from sightline.flow.deliver._kinds import Kind
from sightline.flow.deliver._load import LOADS
from sightline.flow.deliver._target import DeliveryTarget

__all__ = ["DuckEngine"]

WAIT_SECONDS = 60.0  # for another load, or whoever has the file open; a move of 1 million rows takes 2 s
LOOK_EVERY = 0.05
# Beyond this, staged rows go to disk. An upsert of 10 million rows stays below 1.5 GB with it.
MEMORY = "600MB"
SQLITE_HEADER = b"SQLite format 3\0"

DUCKDB = Dialect(
    types={
        "boolean": "BOOLEAN",
        "integer16": "SMALLINT",
        "integer32": "INTEGER",
        "integer64": "BIGINT",
        "float32": "FLOAT",
        "float64": "DOUBLE",
        "decimal": "DECIMAL({size},{scale})",
        "text": "VARCHAR",
        "binary": "BLOB",
        "date": "DATE",
        "time": "TIME",
        "timestamp": "TIMESTAMP",
        "instant": "TIMESTAMP WITH TIME ZONE",
    },
    unique=False,
)


class DuckEngine:
    """One load into a table of a DuckDB file."""

    dialect = DUCKDB
    keeps_stage = True
    stage = "stage.main.rows"

    def __init__(self, target: DeliveryTarget) -> None:
        self._shown = str(target)
        self._path = Path(target.place).absolute()
        self._schema = target.schema or "main"
        self.table = quoted("target", self._schema, target.table)
        self.named = quoted(target.schema, target.table)
        self.loads = quoted("target", self._schema, LOADS)
        self._attached = False
        with _explained(self._shown):
            self._spill = _Spill(self._path)
            folders = [self._path.parent, self._path.resolve().parent]  # it has a log beside it
            self._connection = open_duckdb(folders=folders, spill=self._spill.folder, memory=MEMORY)
            self._connection.execute("ATTACH ':memory:' AS stage")

    @contextmanager
    def looking(self) -> Iterator[None]:
        """While the file is open to be read; it need not exist."""
        with _explained(self._shown):
            exists = self._path.exists()
        if not exists:
            yield
            return
        with self._attaching("READ_ONLY"):
            yield

    @contextmanager
    def moving(self) -> Iterator[None]:
        """While the file is ours: a second load waits for its lock."""
        with self._attaching("READ_WRITE"):
            self.run("BEGIN")
            try:
                yield
                self.run("COMMIT")
            except BaseException:
                with suppress(duckdb.Error):
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _attaching(self, how: str) -> Iterator[None]:
        with _explained(self._shown):
            self._attach(f"ATTACH {literal(str(self._path))} AS target ({how})")
        self._attached = True
        try:
            yield
        finally:
            self._attached = False
            # After an error that made the database unusable, closing the connection is what lets go of it.
            with suppress(duckdb.Error):
                self._connection.execute("DETACH target")

    def _attach(self, statement: str) -> None:
        if self._path.exists():
            with self._path.open("rb") as stream:
                if stream.read(len(SQLITE_HEADER)) == SQLITE_HEADER:
                    raise OutputError(f"{self._shown} is a SQLite file; write the target with `sqlite:` before it.")
        until = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                self._connection.execute(statement)
                return
            except duckdb.Error as problem:
                if not _is_locked(problem):
                    raise
                if time.monotonic() > until:
                    raise OutputError(
                        f"{self._shown} is in use by another program or connection, still after {WAIT_SECONDS:.0f} s; "
                        "close it there, then run the load again."
                    ) from problem
            time.sleep(LOOK_EVERY)

    def columns(self, table: str) -> dict[str, TableColumn]:
        """The columns of a table of the file."""
        if not self._attached:
            return {}
        found = self.rows(
            "SELECT column_name, data_type, column_default IS NOT NULL FROM duckdb_columns() "
            "WHERE database_name = 'target' AND schema_name = $1 AND lower(table_name) = lower($2) "
            "ORDER BY column_index",
            self._schema,
            table,
        )
        return {name: TableColumn(DUCKDB.kind_of(type), type, filled) for name, type, filled in found}

    def create_stage(self, kinds: Sequence[Kind], *, becomes_target: bool) -> None:  # noqa: ARG002 - it never does
        """Make the staging table."""
        columns = ", ".join(f"c{place} {DUCKDB.type_of(kind)}" for place, kind in enumerate(kinds))
        self.run(f"CREATE OR REPLACE TABLE {self.stage} ({columns})")

    def adopt_stage(self, names: Sequence[str], key: Sequence[str]) -> bool:  # noqa: ARG002 - it has its own file
        """The staging table stays what it is."""
        return False

    def fill_stage(self, batch: Any) -> None:
        """Add a batch."""
        with _explained(self._shown):
            self._connection.register("incoming", pa.Table.from_batches([batch]))
            self._connection.execute(f"INSERT INTO {self.stage} SELECT * FROM incoming")
            self._connection.unregister("incoming")

    def finish_stage(self, key: Sequence[int]) -> None:
        """Nothing to do: DuckDB compares whole columns."""

    def index_key(self, names: Sequence[str], *, open_only: bool) -> None:
        """Nothing to do: an index would have to stay in memory, and a load looks at all keys anyway."""

    def run(self, statement: str, *values: object) -> int:
        """Run a statement; the number of rows that it changed."""
        counts = self.rows(statement, *values)
        return int(counts[0][0]) if counts and counts[0] and isinstance(counts[0][0], int) else 0

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""
        with _explained(self._shown):
            done = self._connection.execute(statement, list(values))
            return list(done.fetchall()) if done.description else []

    def close(self) -> None:
        """Let go of the file, and of what was written to disk on the way."""
        with suppress(duckdb.Error):
            self._connection.close()
        self._spill.remove()


class _Spill:
    """A folder beside the target for what does not fit into memory; one whose process was killed goes with the next."""

    def __init__(self, path: Path) -> None:
        for left in path.parent.glob(f".{path.name}.*.staging"):
            self._remove_if_left(left)
        self.folder = path.with_name(f".{path.name}.{secrets.token_hex(4)}.staging")
        self.folder.mkdir(mode=0o700)
        self._lock = os.open(self.folder, os.O_RDONLY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    @staticmethod
    def _remove_if_left(folder: Path) -> None:
        with suppress(OSError):
            lock = os.open(folder, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)
            finally:
                os.close(lock)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        os.close(self._lock)


def _is_locked(problem: duckdb.Error) -> bool:
    """Whether another process, or another connection of this one, has the file open."""
    return "Could not set lock" in str(problem) or "already attached" in str(problem)


@contextmanager
def _explained(shown: str) -> Iterator[None]:
    try:
        yield
    except (duckdb.Error, OSError) as problem:
        raise OutputError(f"{shown}: {_reason(problem)}") from problem


def _reason(problem: Exception) -> str:
    """What happened and what to do; what DuckDB says is kept, since it names the file or value."""
    said = str(problem).splitlines()[0].rstrip(".!")
    low = said.lower()
    if any(words in low for words in ("no space left", "file too large", "could not write all")):
        return f"the disk is full ({said:.200}); free some space, then run the load again."
    if "read-only" in low or "permission denied" in low:
        return f"the file cannot be written ({said:.200}); check its permissions, then run the load again."
    if isinstance(problem, FileNotFoundError) or "no such file" in low:
        return f"there is no such folder ({said:.200}); make it, then run the load again."
    if "not a valid duckdb" in low or "corrupt" in low or "checksum" in low:
        return f"the file is damaged or of another kind ({said:.200}); restore it, or name another file."
    return f"DuckDB could not take the rows ({said:.300}); nothing was changed, so the load can be run again."
