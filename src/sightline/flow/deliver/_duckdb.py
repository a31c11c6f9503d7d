"""Delivery to a DuckDB file: staged in a database of its own, so that the file is locked only while rows are moved."""

import errno
import json
import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
from sqlalchemy.dialects.postgresql.base import PGDialect

from sightline.errors import OutputError
from sightline.flow._duckdb import literal, open_duckdb, quoted
from sightline.flow.deliver._dialect import DUCKDB, TableColumn
from sightline.flow.deliver._engine import Engine, as_written
from sightline.flow.deliver._target import DeliveryTarget
from sightline.project import Lock, remove_abandoned

WAIT_SECONDS = 60.0  # for another load, or whoever has the file open; a move of 1 million rows takes 2 s
LOOK_EVERY = 0.05
# Beyond this, staged rows go to disk. An upsert of 10 million rows stays below 1.5 GB with it.
MEMORY = "600MB"
SQLITE_HEADER = b"SQLite format 3\0"


class DuckEngine(Engine):
    """One load into a table of a DuckDB file."""

    dialect = DUCKDB
    core = PGDialect(paramstyle="numeric_dollar")  # whose SQL is DuckDB's
    stage_place = ("rows", as_written("stage.main"))
    stores_columns = True

    def __init__(self, target: DeliveryTarget) -> None:
        super().__init__(target)
        self._path = Path(target.place).absolute()
        self._schema = target.schema or "main"
        self.schema = as_written(quoted("target", self._schema))
        self.altered = quoted("target", self._schema, target.table)
        self.named = quoted(target.schema, target.table)
        self._attached = False
        with _explained(self._shown):
            self._spill = _Spill(self._path)
            folders = [self._path.parent, self._path.resolve().parent]  # it has a log beside it
            self._connection = open_duckdb(
                folders=folders, spill=self._spill.folder, memory=MEMORY, has_error_codes=True
            )
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
        with self._attaching("READ_WRITE"), self.transaction("BEGIN", self._connection, duckdb.Error):
            yield

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
                if not _is_in_use(problem):
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

    def fill_stage(self, batch: Any) -> None:
        """Add a batch."""
        with _explained(self._shown):
            self._connection.register("incoming", pa.Table.from_batches([batch]))
            self._connection.execute("INSERT INTO stage.main.rows SELECT * FROM incoming")
            self._connection.unregister("incoming")

    def set_aside(self, query: Any) -> Any:
        """Join a load with its target once, and see which columns differ at all: an update costs by their number."""
        return self.temporary_table(query, "temp.main")

    def run(self, statement: Any, *values: object) -> int:
        """Run a statement; the number of rows that it changed."""
        counts = self.rows(statement, *values)
        return int(counts[0][0]) if counts and counts[0] and isinstance(counts[0][0], int) else 0

    def rows(self, statement: Any, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""
        text, marked = self.compiled(statement, values)
        with _explained(self._shown):
            done = self._connection.execute(text, list(marked))
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
            with suppress(OSError):
                remove_abandoned(left)
        self.folder = path.with_name(f".{path.name}.{secrets.token_hex(4)}.staging")
        self.folder.mkdir(mode=0o700)
        self._lock = Lock(self.folder, wait=True)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self._lock.release()


@dataclass(frozen=True)
class _Said:
    """An error of DuckDB in its parts; `code` is that of the system (errno), if it was the system that refused."""

    kind: str
    text: str
    code: int


def _said(problem: Exception) -> _Said:
    """What an error says; the connection writes its errors as JSON, and those of Python code come as they are."""
    if isinstance(problem, OSError):
        return _Said("IO", str(problem), problem.errno or 0)
    whole = str(problem)
    try:
        parts = json.loads(whole[whole.index("{") :])
        kind, text = parts["exception_type"], parts["exception_message"]
    except (ValueError, KeyError, TypeError):
        kind, text, parts = "", whole, {}
    text = (text.splitlines() or [type(problem).__name__])[0].rstrip(".!")
    # A commit that fails keeps the words of the system, and not its code.
    code = int(parts.get("errno", 0)) or next((code for code in _FULL if text.endswith(os.strerror(code))), 0)
    return _Said(kind, text, code)


_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
_IN_USE = ("Resource In Use", "Binder")  # by another connection of this process: from DuckDB 2 on, and before
_DAMAGED = ("Data Corruption", "Serialization", "IO")  # and no code, since the system read what there is


def _is_in_use(problem: duckdb.Error) -> bool:
    """Whether another process, or another connection of this one, has the file open."""
    said = _said(problem)
    return said.code == errno.EAGAIN or said.kind in _IN_USE


@contextmanager
def _explained(shown: str) -> Iterator[None]:
    try:
        yield
    except (duckdb.Error, OSError) as problem:
        raise OutputError(f"{shown}: {_reason(_said(problem))}") from problem


def _reason(said: _Said) -> str:
    """What happened and what to do; what DuckDB says is kept, since it names the file or value."""
    if said.code in _FULL:
        return f"the disk is full ({said.text:.200}); free some space, then run the load again."
    if said.code in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"the file cannot be written ({said.text:.200}); check its permissions, then run the load again."
    if said.code == errno.ENOENT:
        return f"there is no such folder ({said.text:.200}); make it, then run the load again."
    if said.kind in _DAMAGED and not said.code:
        return f"the file is damaged or of another kind ({said.text:.200}); restore it, or name another file."
    return f"DuckDB could not take the rows ({said.text:.300}); nothing was changed, so the load can be run again."
