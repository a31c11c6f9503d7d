"""Threads that can be ended and waited for, wherever Ctrl-C strikes."""

import _thread
from collections.abc import Callable

__all__ = ["Aside"]

DOZE = 0.25  # seconds after which a wait looks again: a signal that comes just before it sleeps does not wake it


class Aside:
    """Work that is done beside the main thread.

    Ctrl-C is raised between any two instructions of the main thread, and `threading` is made of many: interrupted in
    `Thread.start`, it leaves a thread that runs and cannot be joined, or a lock that is released twice; in
    `Thread.is_alive`, Python before 3.13 takes a thread that runs for one that has ended. Here every step is one
    instruction, and work that has not begun when it is waited for never begins. Nothing waits for it when the program
    ends.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._turn = _thread.allocate_lock()  # for whoever comes first: the work, or the one who calls it off
        self._began, self._ended = _Mark(), _Mark()

    def start(self) -> None:
        """Begin; returns when the work has begun."""
        _thread.start_new_thread(self._run, ())
        self._began.wait()

    @property
    def has_ended(self) -> bool:
        """Whether the work is over."""
        return self._ended.is_set

    def join(self) -> None:
        """Wait until the work is over; if it has not begun yet, it never does."""
        if not self._turn.acquire(blocking=False):
            self._ended.wait()

    def _run(self) -> None:
        if not self._turn.acquire(blocking=False):
            return
        try:
            self._began.set()
            self._work()
        finally:
            self._ended.set()


class _Mark:
    """Whether something has happened: a `threading.Event` that an interrupted wait leaves whole."""

    def __init__(self) -> None:
        self.is_set = False
        self._bed = _thread.allocate_lock()
        self._bed.acquire()

    def set(self) -> None:
        """It has happened; whoever waits first wakes up at once, others soon."""
        self.is_set = True
        self._bed.release()

    def wait(self) -> None:
        """Return when it has happened."""
        while not self.is_set:
            self._bed.acquire(timeout=DOZE)
