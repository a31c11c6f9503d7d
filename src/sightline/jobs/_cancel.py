"""Asking long work to stop, from any thread."""

import threading
from collections.abc import Callable

from sightline.errors import JobCancelled

__all__ = ["Cancel"]


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
