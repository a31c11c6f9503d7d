"""What goes into the ledger and comes out of it, as plain values."""

from collections.abc import Sequence
from typing import NamedTuple

__all__ = [
    "DONE",
    "LEASED",
    "TABLES",
    "WAITING",
    "Death",
    "KnownInput",
    "LedgerCounts",
    "LedgerEvent",
    "ListedPart",
    "NewShard",
    "ShardFacts",
    "ShardLease",
    "ShardRow",
]


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
