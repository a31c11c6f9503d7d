"""The clock that a schedule goes by, and how it waits."""

from contextlib import suppress
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from typing import Protocol


class ScheduleClock(Protocol):
    """What a schedule needs of a clock; tests have one that goes through years in a second."""

    def now(self) -> datetime:
        """The present instant, in UTC."""

    def wait(self, seconds: float) -> None:
        """Return after so many seconds, or earlier; at once if `wake` was called since the last wait."""

    def wake(self) -> None:
        """End the wait, or the next one if nobody waits; other threads call it when a run has ended."""


class WallClock:
    """The clock of the machine."""

    def __init__(self) -> None:
        # Its `get` is a single call into C, which an exception from the handler of a signal leaves whole.
        self._woken: SimpleQueue[None] = SimpleQueue()

    def now(self) -> datetime:
        """The present instant, in UTC."""
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        """Sleep until then, or until somebody calls `wake`."""
        with suppress(Empty):
            self._woken.get(timeout=seconds)

    def wake(self) -> None:
        """End the wait."""
        self._woken.put(None)
