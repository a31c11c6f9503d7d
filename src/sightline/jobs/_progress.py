"""How far long work has come: one kind of event for everything that takes time."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import TypeAlias

from sightline.errors import JobCancelled

__all__ = ["Cancel", "Meter", "OnProgress", "Progress"]


@dataclass(frozen=True)
class Progress:
    """One moment of a job: what it is doing, how much is done, and how fast.

    >>> Progress("Opening pages", done=3, total=12, seconds=6.0).remaining
    18.0
    """

    what: str
    done: int = 0
    total: int | None = None
    current: str | None = None
    failed: int = 0
    bytes: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float | None:
        """How many are done in a second; None before the first."""
        return self.done / self.seconds if self.done and self.seconds > 0 else None

    @property
    def remaining(self) -> float | None:
        """The seconds that the rest will take at this rate; None where nobody can tell."""
        return (self.total - self.done) / self.rate if self.total is not None and self.rate else None


OnProgress: TypeAlias = Callable[[Progress], None]
"""What a job calls with every event. It runs in the thread that iterates over the job, so it should return at once."""


class Meter:
    """Counts what is done and tells a listener.

    >>> events = []
    >>> meter = Meter("Learning", events.append, total=2)
    >>> meter.step(current="a.html")
    >>> [(event.done, event.total, event.current) for event in events]
    [(0, 2, None), (1, 2, 'a.html')]
    """

    def __init__(self, what: str, listener: OnProgress | None = None, *, total: int | None = None) -> None:
        self._what = what
        self._listener = listener
        self._total = total
        self._begin = monotonic()
        self.done = 0
        self.failed = 0
        self.bytes = 0
        self._tell(None)

    def step(self, *, current: str | None = None, failed: bool = False, bytes: int = 0) -> None:
        """Count one more; `bytes` is how much was read in all so far."""
        self.done += 1
        self.failed += failed
        self.bytes = max(self.bytes, bytes)
        self._tell(current)

    def at(self, done: int, *, what: str | None = None) -> None:
        """Set how many are done, where they are not done one by one."""
        self.done = done
        self._what = what or self._what
        self._tell(None)

    def _tell(self, current: str | None) -> None:
        if self._listener is None:
            return
        seconds = monotonic() - self._begin
        self._listener(Progress(self._what, self.done, self._total, current, self.failed, self.bytes, seconds))


# Asking long work to stop, from any thread.


class Cancel:
    """A request to stop, shared by whoever may ask for it and whatever does the work.

    >>> cancel = Cancel()
    >>> cancel.cancel()
    >>> cancel.requested
    True
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    @property
    def requested(self) -> bool:
        """Whether somebody asked to stop."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Ask to stop; asking twice does nothing more."""
        with self._lock:
            first = not self._event.is_set()
            self._event.set()
            callbacks = list(self._callbacks) if first else []
        for callback in callbacks:
            callback()

    def when_requested(self, callback: Callable[[], None]) -> None:
        """Call something as soon as somebody asks to stop, in the thread that asks; at once if that has happened."""
        with self._lock:
            self._callbacks.append(callback)
            late = self._event.is_set()
        if late:
            callback()

    def check(self, done: int = 0) -> None:
        """Raise `JobCancelled` if somebody asked to stop."""
        if self.requested:
            raise JobCancelled(done)
