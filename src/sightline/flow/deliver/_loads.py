"""What a load did, and the table beside the target that remembers it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["LOADS", "LOADS_COLUMNS", "Delivered", "DeliveryMode"]

DeliveryMode: TypeAlias = Literal["append", "replace", "upsert", "history"]
"""What becomes of the rows that the target has: they stay, go, are updated by key, or are closed and kept."""

LOADS = "_sightline_loads"
"""In the database of the target; a load whose row is here is done, in whatever way its connection ended."""

LOADS_COLUMNS = ("load_id", "table_name", "mode", "rows", "inserted", "updated", "unchanged", "closed")


@dataclass(frozen=True)
class Delivered:
    """What a load did.

    `rows` came, and are `inserted + updated + unchanged`; in history, `updated` rows were closed and opened anew, and
    `closed` are those whose keys did not come again. `was_done` says that this load had been delivered before, and that
    nothing was done now. `schema_changes` are the statements that changed the table.
    """

    rows: int = 0
    inserted: int = 0
    updated: int = 0
    unchanged: int = 0
    closed: int = 0
    was_done: bool = False
    schema_changes: tuple[str, ...] = ()
