"""What `deliver` was asked for, as every kind of target sees it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from sightline.errors import UsageError
from sightline.flow.deliver._loads import DeliveryMode
from sightline.flow.deliver._target import DeliveryTarget
from sightline.settings import Settings

__all__ = ["KEYED", "Load", "instant", "no_batch"]

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
