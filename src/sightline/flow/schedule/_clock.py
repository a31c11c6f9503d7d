"""The clock that a schedule goes by, and how it waits."""

import time
from datetime import UTC, datetime
from typing import Protocol

__all__ = ["ScheduleClock", "WallClock"]


class ScheduleClock(Protocol):
    """What a schedule needs of a clock; tests have one that goes through years in a second."""

    def now(self) -> datetime:
        """The present instant, in UTC."""

    def wait(self, seconds: float) -> None:
        """Return after so many seconds, or earlier."""


class WallClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """The present instant, in UTC."""
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)
