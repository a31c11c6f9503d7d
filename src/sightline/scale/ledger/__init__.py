"""The ledger of a batch, in SQLite or PostgreSQL: shards, leases, deaths and what is done."""

from sightline.scale.ledger._ledger import POSTGRES, Ledger, open_ledger
from sightline.scale.ledger._shapes import (
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
