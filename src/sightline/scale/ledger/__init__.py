"""The ledger of a batch, in SQLite or PostgreSQL: shards, leases, deaths and what is done."""

from sightline.scale.ledger._databases import (
    Death,
    KnownInput,
    LedgerCounts,
    LedgerEvent,
    ListedPart,
    NewShard,
    ShardFacts,
    ShardLease,
    ShardRow,
)
from sightline.scale.ledger._ledger import POSTGRES, Ledger, open_ledger

__all__ = [
    "POSTGRES",
    "Death",
    "KnownInput",
    "Ledger",
    "LedgerCounts",
    "LedgerEvent",
    "ListedPart",
    "NewShard",
    "ShardFacts",
    "ShardLease",
    "ShardRow",
    "open_ledger",
]
