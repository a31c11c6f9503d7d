"""What goes into the ledger and comes out of it, as plain values."""

from collections.abc import Sequence
from typing import NamedTuple

__all__ = [
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
