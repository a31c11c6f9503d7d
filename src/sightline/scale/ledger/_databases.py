"""The ledger in one SQLite file, for workers on one machine."""

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sightline.errors import MissingExtra, OutputError, UsageError

if TYPE_CHECKING:
    import psycopg

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


# -- what goes into the ledger and comes out of it, as plain values -------------------------------------------------


class NewShard(NamedTuple):
    """A shard to be worked on: its id and number, how many documents it has, and their references, packed."""

    id: str
    number: int
    documents: int
    references: bytes


class ListedPart(NamedTuple):
    """Shards of an input; when they are the last ones, how many documents it has, and how many of them are damaged."""

    source: int
    shards: Sequence[NewShard]
    documents: int | None = None
    damaged: int = 0


class KnownInput(NamedTuple):
    """An input as the ledger knows it."""

    number: int
    name: str
    identity: str
    told: bytes
    documents: int
    damaged: int
    listed: bool


class ShardLease(NamedTuple):
    """The right to work on a shard, until somebody else gets a higher `fence` for it."""

    shard: str
    number: int
    fence: int
    owner: str
    attempts: int
    input: bytes
    documents: int
    references: bytes


class ShardFacts(NamedTuple):
    """What the ledger keeps of a shard that is done: counts to add up, and `told`, the facts about its files."""

    ok: int
    suspicious: int
    failed: int
    quarantined: int
    rows: int
    document_bytes: int
    seconds: float
    cpu_seconds: float
    told: bytes


class ShardRow(NamedTuple):
    """A shard as the audit and the summary see it."""

    id: str
    number: int
    input: str
    documents: int
    done: bool
    attempts: int
    done_at: float
    references: bytes
    told: bytes


class Death(NamedTuple):
    """A process that died over a document."""

    document: str
    cause: str
    alone: bool


class LedgerEvent(NamedTuple):
    """A line of what happened."""

    at: float
    what: str
    shard: str
    owner: str
    text: str


class LedgerCounts(NamedTuple):
    """How a job is getting on."""

    inputs: int
    documents: int
    damaged: int
    shards: int
    done_shards: int
    leased_shards: int
    done_documents: int
    ok: int
    suspicious: int
    failed: int
    quarantined: int
    rows: int
    document_bytes: int
    seconds: float
    cpu_seconds: float
    deaths: int
    attempts: int
    listed: bool
    stopped: str

    @property
    def finished(self) -> bool:
        """Whether every document of every input has its outcome."""
        return self.listed and self.done_shards == self.shards


# The tables of the ledger, in SQL that SQLite and PostgreSQL both understand.
#
# References stand apart from their shards: counting reads all shards, and must not read those.

WAITING, LEASED, DONE = 0, 1, 2

TABLES = (
    """CREATE TABLE IF NOT EXISTS batch_job (
      id TEXT PRIMARY KEY, digest TEXT NOT NULL, told {blob} NOT NULL, created {real} NOT NULL,
      listed INTEGER NOT NULL DEFAULT 0, stopped TEXT NOT NULL DEFAULT '')""",
    """CREATE TABLE IF NOT EXISTS batch_input (
      job TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, identity TEXT NOT NULL, told {blob} NOT NULL,
      documents BIGINT NOT NULL DEFAULT 0, damaged BIGINT NOT NULL DEFAULT 0, listed INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (job, number), UNIQUE (job, name))""",
    """CREATE TABLE IF NOT EXISTS batch_shard (
      job TEXT NOT NULL, id TEXT NOT NULL, number BIGINT NOT NULL, input INTEGER NOT NULL, documents INTEGER NOT NULL,
      state INTEGER NOT NULL DEFAULT 0, fence INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
      owner TEXT NOT NULL DEFAULT '', lease_until {real} NOT NULL DEFAULT 0, done_at {real} NOT NULL DEFAULT 0,
      ok INTEGER NOT NULL DEFAULT 0, suspicious INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0,
      quarantined INTEGER NOT NULL DEFAULT 0, rows_made BIGINT NOT NULL DEFAULT 0, bytes BIGINT NOT NULL DEFAULT 0,
      seconds {real} NOT NULL DEFAULT 0, cpu_seconds {real} NOT NULL DEFAULT 0, told {blob},
      PRIMARY KEY (job, id))""",
    "CREATE INDEX IF NOT EXISTS batch_shard_state ON batch_shard (job, state, number)",
    """CREATE TABLE IF NOT EXISTS batch_references (
      job TEXT NOT NULL, shard TEXT NOT NULL, packed {blob} NOT NULL, PRIMARY KEY (job, shard))""",
    """CREATE TABLE IF NOT EXISTS batch_death (
      job TEXT NOT NULL, shard TEXT NOT NULL, document TEXT NOT NULL, cause TEXT NOT NULL, alone INTEGER NOT NULL,
      at {real} NOT NULL)""",
    "CREATE INDEX IF NOT EXISTS batch_death_shard ON batch_death (job, shard)",
    """CREATE TABLE IF NOT EXISTS batch_event (
      job TEXT NOT NULL, at {real} NOT NULL, what TEXT NOT NULL, shard TEXT NOT NULL, owner TEXT NOT NULL,
      text TEXT NOT NULL)""",
)
