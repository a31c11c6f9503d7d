"""One event loop in a thread of its own, so that plain calls work everywhere, also inside a running loop (notebooks)."""

import asyncio
import atexit
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

__all__ = ["LoopThread"]

T = TypeVar("T")

STOP_SECONDS = 10.0


class LoopThread:
    """Runs coroutines for callers who have no loop, or whose loop must not wait."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closers: list[Coroutine[Any, Any, None]] = []

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop, started when first asked for."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                thread = threading.Thread(target=self._loop.run_forever, name="sightline", daemon=True)
                thread.start()
            return self._loop

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine and return at once."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and wait for it; an interrupt cancels it."""
        future = self.submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def at_exit(self, work: Coroutine[Any, Any, None]) -> None:
        """Have a coroutine run when the interpreter ends."""
        if not self._closers:
            atexit.register(self._finish)
        self._closers.append(work)

    def _finish(self) -> None:
        for work in self._closers:
            try:
                self.submit(work).result(STOP_SECONDS)
            except TimeoutError:
                continue
