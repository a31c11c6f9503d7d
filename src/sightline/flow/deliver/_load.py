"""What `deliver` was asked for, as every kind of target sees it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from sightline.errors import UsageError
from sightline.flow.deliver._target import DeliveryTarget
from sightline.settings import Settings

__all__ = ["KEYED", "LOADS", "LOADS_COLUMNS", "Delivered", "DeliveryMode", "Load", "instant", "no_batch"]
__all__ += ["SHOWN", "numbered_rows"]

# What a load did, and the table beside the target that remembers it.

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


KEYED = ("upsert", "history")


@dataclass(frozen=True)
class Load:
    """One call of `deliver`; `options` are those of the target's kind.

    A load that is not `complete` says nothing about keys that did not come.
    """

    target: DeliveryTarget
    id: str
    mode: DeliveryMode
    key: tuple[str, ...]
    at: str
    allowed: bool
    options: Settings = field(default_factory=Settings)
    complete: bool = True

    @property
    def is_keyed(self) -> bool:
        """Whether the mode tells rows apart by their key."""
        return self.mode in KEYED


def instant(at: datetime | None) -> str:
    """An instant as all databases read it, and as those that keep it as a text can order it."""
    return (at or datetime.now(UTC)).astimezone(UTC).isoformat(" ", "microseconds")


def no_batch(load: Load) -> UsageError:
    """The error for a load that would end all rows though not even a batch without rows came."""
    return UsageError(
        f"{load.target}: no batch came, which would end all rows that are there; if that is meant, "
        "deliver one batch that has columns and no rows."
    )


SHOWN = 5  # rows that an error names


def numbered_rows(rows: Sequence[int]) -> str:
    """The first rows that something is wrong with, in words.

    >>> numbered_rows([1]), numbered_rows([1, 3])
    ('row 1', 'rows 1 and 3')
    """
    numbers = [str(number) for number in rows[:SHOWN]]
    if len(numbers) == 1:
        return f"row {numbers[0]}"
    if len(numbers) == SHOWN:
        return f"rows {', '.join(numbers)}, …"
    return f"rows {', '.join(numbers[:-1])} and {numbers[-1]}"
