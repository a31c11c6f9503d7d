"""One event loop in a separate thread, so that blocking calls work everywhere, even in a notebook's running loop."""

import asyncio
import atexit
import os
import threading
import weakref
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, Protocol, TypeVar

T = TypeVar("T")

STOP_SECONDS = 10.0


class Closing(Protocol):
    """Something to close in the loop before the interpreter exits."""

    async def shut(self) -> None:
        """Close it; it may already be closed."""


class LoopThread:
    """Runs coroutines for callers who have no loop, or whose loop must not wait.

    A forked child has no copy of the thread: there it starts anew, and a changed `generation` tells owners of things
    that live in the loop that theirs are gone.
    """

    def __init__(self) -> None:
        self.generation = 0
        self._begin()
        atexit.register(self._finish)
        os.register_at_fork(after_in_child=self._begin_again)

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing: weakref.WeakSet[Closing] = weakref.WeakSet()

    def _begin_again(self) -> None:
        self.generation += 1
        self._abandoned = self._loop  # kept, since its end would close descriptors that the parent still uses
        self._begin()

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop, started on first use."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                thread = threading.Thread(target=self._loop.run_forever, name="sightline", daemon=True)
                thread.start()
            return self._loop

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine and return at once."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def run(self, work: Coroutine[Any, Any, T], seconds: float | None = None) -> T:
        """Run a coroutine and wait for it; an interrupt cancels it."""
        future = self.submit(work)
        try:
            return future.result(seconds)
        finally:
            future.cancel()

    def close_at_exit(self, owner: Closing) -> None:
        """Close `owner` when the interpreter exits, if it still exists."""
        self._closing.add(owner)

    def _finish(self) -> None:
        for owner in list(self._closing):
            try:
                self.run(owner.shut(), STOP_SECONDS)
            except TimeoutError:
                continue


RUNTIME = LoopThread()
"""The one loop of the process; loaders and sessions share it."""
