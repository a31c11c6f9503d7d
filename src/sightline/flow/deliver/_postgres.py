"""Delivery to PostgreSQL: COPY into a temporary table, which the server drops when the connection ends.

The rows of a table that is not there yet are copied into what becomes the table, in one transaction with everything
else: that saves writing them twice.
"""

import os
import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import psycopg
import sqlalchemy as sa
from psycopg import errors, pq
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.schema import DropTable

from sightline.errors import OutputError
from sightline.flow._duckdb import literal, quoted
from sightline.flow.deliver._dialect import POSTGRES, TableColumn
from sightline.flow.deliver._engine import AnswerLost, Engine, as_written, name_of
from sightline.flow.deliver._key_watch import KeyWatch
from sightline.flow.deliver._kinds import Kind
from sightline.flow.deliver._postgres_rows import HEADER, TRAILER, copied_rows
from sightline.flow.deliver._schema import LoadColumns
from sightline.flow.deliver._target import LOAD_COLUMN, LOADS, DeliveryMode, DeliveryTarget

_Result = TypeVar("_Result")

CONNECT_SECONDS = 10
LOCK_SECONDS = 60  # for another load of the same table; a move of 1 million rows takes 4 s
# For one answer. A server that is stopped or cut off never gives one; the longest statement of a move of 1 million rows
# takes 2 s, so this is enough for some hundred million.
ANSWER_SECONDS = 900.0
# What the server may use to compare and sort the rows of a load; with its default of 4 MB it goes to disk for them.
WORK_MEMORY = "256MB"
# Written at a time: while the server reads some, the next are written. A few megabytes of most tables, so that neither
# waits long for the other.
WRITTEN_ROWS = 1 << 14
# How exactly the server looks at a staging table, from 1 to 10,000: at 3,000 rows, which is enough to choose between a
# look at the whole target and one at each key. With its default, 100, that takes ten times as long: 0.1 s.
STATISTICS = 10
# What the address of the target says goes before these.
CONNECTION = {"connect_timeout": CONNECT_SECONDS, "application_name": "sightline", "keepalives_idle": 30}


# What each mode needs beside reading and adding rows.
_RIGHTS: dict[DeliveryMode, tuple[str, ...]] = {
    "append": (),
    "replace": ("DELETE",),
    "upsert": ("UPDATE",),
    "history": ("UPDATE",),
}


class PostgresEngine(Engine):
    """One load into a table of a PostgreSQL server."""

    dialect = POSTGRES
    core = PGDialect(paramstyle="numeric_dollar")
    stage_place = ("sightline_stage", as_written("pg_temp"))
    order = sa.literal_column("ctid")

    def __init__(self, target: DeliveryTarget) -> None:
        super().__init__(target)
        self._adoptable = False
        self._watch: KeyWatch | None = None
        self._kinds: tuple[Kind, ...] = ()
        self._pool = ThreadPoolExecutor(1, "sightline-copy")
        self._filling: Future[None] | None = None
        with _explained(self._shown):
            settings: dict[str, Any] = {**CONNECTION, **conninfo_to_dict(target.place)} | {"client_encoding": "utf8"}
            self._connection = psycopg.connect(**settings, autocommit=True, cursor_factory=psycopg.RawCursor)
        try:
            # A temporary table must not be taken for the target, so the target always has its schema.
            self._schema = target.schema or str(self.rows("SELECT current_schema()")[0][0])
            self.run(f"SET work_mem = '{WORK_MEMORY}'")
            self.run(f"SET maintenance_work_mem = '{WORK_MEMORY}'")
            self.run(f"SET temp_buffers = '{WORK_MEMORY}'")
            self.run(f"SET default_statistics_target = {STATISTICS}")
        except BaseException:
            self.close()
            raise
        self.schema = name_of(self._schema)
        self.altered = self.named = quoted(self._schema, target.table)

    @contextmanager
    def looking(self) -> Iterator[None]:
        """The connection is open all the time."""
        yield

    @contextmanager
    def moving(self) -> Iterator[None]:
        """While an advisory lock keeps other loads of this table away; it ends with the transaction."""
        if not self._adoptable:
            self.run("BEGIN")
        try:
            self.run(f"SET LOCAL lock_timeout = '{LOCK_SECONDS}s'")
            self._lock(self.named)
            if not self.columns(LOADS):
                self._lock(quoted(self._schema, LOADS))  # two loads of different tables would both make it
            yield
            if self._adoptable:  # another load has made the target meanwhile
                self.run(DropTable(self.stage))
        except BaseException:
            with suppress(psycopg.Error):
                self._connection.execute("ROLLBACK")
            raise
        try:
            with self._patience():
                self._connection.execute("COMMIT")
        except psycopg.OperationalError as problem:
            if self._connection.closed:
                raise AnswerLost(_said(problem)) from problem
            raise _problem(self._shown, problem) from problem
        except psycopg.Error as problem:
            raise _problem(self._shown, problem) from problem

    def _lock(self, name: str) -> None:
        self.rows("SELECT 1 FROM pg_advisory_xact_lock(hashtextextended($1, 0))", f"sightline {name}")

    def columns(self, table: str) -> dict[str, TableColumn]:
        """The columns of a table in the schema of the target."""
        found = self.rows(
            "SELECT attname, format_type(atttypid, atttypmod), atthasdef OR attidentity <> '' FROM pg_attribute "
            "JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace "
            "WHERE nspname = $1 AND relname = $2 AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
            self._schema,
            table,
        )
        return {name: TableColumn(POSTGRES.kind_of(type), type, filled) for name, type, filled in found}

    def lacking_right(self, mode: DeliveryMode, *, exists: bool) -> str:
        """The right to a table or, where there is none, to make one."""
        if not exists:
            found = self.rows("SELECT has_schema_privilege($1, 'CREATE')", self._schema)
            return "" if found[0][0] else f"the user may make no table in the schema {self._schema}; ask for the right."
        rights = ["SELECT", "INSERT", *_RIGHTS[mode]]
        found = self.rows(
            f"SELECT {', '.join(f'has_table_privilege($1, {literal(one)})' for one in rights)}", self.named
        )
        lacking = [right for right, held in zip(rights, found[0], strict=True) if not held]
        return f"the user lacks the right to {', '.join(lacking)} there; ask for it." if lacking else ""

    def create_stage(self, columns: LoadColumns, *, becomes_target: bool) -> None:
        """Make the staging table."""
        if becomes_target:
            self.stage_place = (f"_sightline_stage_{secrets.token_hex(8)}", self.schema)
            self.run("SET idle_in_transaction_session_timeout = 0")  # rows may be slow to come
            self.run("BEGIN")
            self._adoptable, self.keeps_stage = True, False  # it is part of the transaction
        super().create_stage(columns, becomes_target=becomes_target)
        self._kinds = columns.kinds
        self._watch = KeyWatch(columns) if columns.key else None
        self._staged = self.core.identifier_preparer.format_table(self.stage)

    def adopt_stage(self, names: Sequence[str], key: Sequence[str]) -> bool:
        """Give the staging table the names of the target, and its key an index."""
        if not self._adoptable:
            return False
        stage = self._staged
        self.run("SAVEPOINT staged")
        try:
            # In two steps, since a column may be called c1.
            for place in range(len(names)):
                self.run(f'ALTER TABLE {stage} RENAME COLUMN c{place} TO "sightline {place}"')
            for place, name in enumerate(names):
                self.run(f'ALTER TABLE {stage} RENAME COLUMN "sightline {place}" TO {quoted(name)}')
            self.run(f"ALTER TABLE {stage} RENAME TO {quoted(self._table)}")
            if key:
                self.index_key(key, open_only=False)
        except OutputError:
            with suppress(psycopg.Error):
                self._connection.execute("ROLLBACK TO SAVEPOINT staged")
            raise
        self._adoptable = False
        return True

    def tag_rows(self, tag: str) -> None:
        """Mark all rows by a default that they keep, which costs nothing, and that no later row gets."""
        name = quoted(LOAD_COLUMN)
        self.run(f"ALTER TABLE {self.named} ADD COLUMN {name} text DEFAULT {literal(tag)}")
        self.run(f"ALTER TABLE {self.named} ALTER COLUMN {name} DROP DEFAULT")

    def fill_stage(self, batch: Any) -> None:
        """Add a batch; while the server takes it, the next one can be made. If it fails, the next call says so."""
        self._settle()
        self._filling = self._pool.submit(self._copy, batch)
        if self._watch is not None:
            self._watch.see(batch)

    def _settle(self) -> None:
        """Wait until the server has taken the last batch: nothing else may use the connection before."""
        filling, self._filling = self._filling, None
        if filling is not None:
            filling.result()

    def _copy(self, batch: Any) -> None:
        parts = [batch.slice(first, WRITTEN_ROWS) for first in range(0, batch.num_rows, WRITTEN_ROWS)]
        # Rows of a table that this transaction made need no mark later that all can see them.
        frozen = ", FREEZE" if self._adoptable else ""
        statement = f"COPY {self._staged} FROM STDIN (FORMAT binary{frozen})"
        with (
            _explained(self._shown),
            self._patience(),
            ThreadPoolExecutor(1) as ahead,
            self._connection.cursor() as cursor,
            cursor.copy(statement) as copy,
        ):
            copy.write(HEADER)
            for content in ahead.map(lambda part: copied_rows(part, self._kinds), parts):
                copy.write(content)
            copy.write(TRAILER)

    def finish_stage(self, key: Sequence[int]) -> None:
        """The server plans by what it knows of a table, and about a new one it knows nothing."""
        if self._watch is not None:
            self.keys_are_filled, self.keys_differ = self._watch.filled, self._watch.differ()
        if not self._adoptable:
            self.run(f"ANALYZE {self._staged} ({', '.join(f'c{place}' for place in key)})")

    def set_aside(self, query: Any) -> Any:
        """Join a load with its target once, instead of once for its updates and again for its inserts."""
        aside = self.temporary_table(query, "pg_temp", "ON COMMIT DROP")
        self.run(f"ANALYZE {self.core.identifier_preparer.format_table(aside)}")
        return aside

    def index_key(self, names: Sequence[str], *, open_only: bool) -> None:
        """A unique index on the key."""
        where = "WHERE valid_to IS NULL" if open_only else ""
        self.run(f"CREATE UNIQUE INDEX ON {self.named} ({', '.join(map(quoted, names))}) {where}")

    def run(self, statement: Any, *values: object) -> int:
        """Run a statement; the number of rows that it changed."""
        return self._done(statement, values, lambda cursor: max(0, int(cursor.rowcount)))

    def rows(self, statement: Any, *values: object) -> list[tuple[Any, ...]]:
        """The rows that a statement gives."""
        return self._done(statement, values, lambda cursor: list(cursor.fetchall()))

    def _done(self, statement: Any, values: Sequence[object], result: Callable[[Any], _Result]) -> _Result:
        text, marked = self.compiled(statement, values)
        self._settle()
        with _explained(self._shown), self._patience():
            return result(self._connection.execute(text, marked or None))

    def close(self) -> None:
        """Let go of the server, which drops the staging table; a batch that is on its way is cut off."""
        if self._filling is not None and not self._filling.done():
            self._cut()
        with suppress(OutputError):
            self._settle()
        self._pool.shutdown()
        if self._watch is not None:
            self._watch.close()
        with suppress(psycopg.Error):
            self._connection.close()

    @contextmanager
    def _patience(self) -> Iterator[None]:
        """End the connection of a server that does not answer; what waits for it then fails as if it had been cut."""
        timer = threading.Timer(ANSWER_SECONDS, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _cut(self) -> None:
        if self._connection.pgconn.status == pq.ConnStatus.OK:
            with suppress(OSError), socket.socket(fileno=os.dup(self._connection.fileno())) as ours:
                ours.shutdown(socket.SHUT_RDWR)


@contextmanager
def _explained(shown: str) -> Iterator[None]:
    try:
        yield
    except psycopg.Error as problem:
        raise _problem(shown, problem) from problem


def _problem(shown: str, problem: psycopg.Error) -> OutputError:
    return OutputError(f"{shown}: {_reason(problem, _said(problem))}")


def _said(problem: psycopg.Error) -> str:
    """The first line of what the server or its library says."""
    return (str(problem).splitlines() or [type(problem).__name__])[0].rstrip(".")[:300]


def _reason(problem: psycopg.Error, said: str) -> str:
    match problem:
        case errors.LockNotAvailable():
            return (
                f"another load of this table runs, still after {LOCK_SECONDS} s; wait for it, then run the load again."
            )
        case errors.InsufficientPrivilege() | errors.ReadOnlySqlTransaction():
            return f"the user may not do that ({said}); ask for the right to it, then run the load again."
        case errors.DiskFull():
            return f"the disk of the server is full ({said}); free some space, then run the load again."
        case errors.OperationalError() if not problem.sqlstate or problem.sqlstate[:2] in ("08", "57"):
            return (
                f"the server is down, did not answer, or ended the connection ({said}); nothing was changed, "
                "so run the load again when it is up."
            )
    return f"PostgreSQL could not take the rows ({said}); nothing was changed, so the load can be run again."
