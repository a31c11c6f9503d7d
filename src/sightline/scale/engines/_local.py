"""The local engine: each worker is a child process, and a thread of this process supervises it."""

import threading
from functools import partial

from sightline.scale._station import Station
from sightline.scale._supervisor import supervise
from sightline.scale._threads import Aside

__all__ = ["LocalEngine"]


class LocalEngine:
    """Workers on this machine. It needs nothing that is not installed."""

    def __init__(self) -> None:
        self._threads: list[Aside] = []
        self._problems: list[BaseException] = []
        self._over = threading.Event()

    def start(self, station: Station, workers: int) -> None:
        """Begin one thread for each worker."""
        for number in range(1, workers + 1):
            thread = Aside(partial(self._supervise, station, f"w{number}"))
            self._threads.append(thread)
            thread.start()

    def _supervise(self, station: Station, name: str) -> None:
        try:
            supervise(station, name, self._over.is_set)
        except BaseException as problem:  # noqa: BLE001 - it is raised again by `check`, in the thread of the driver
            self._problems.append(problem)
            self._over.set()

    def check(self) -> None:
        """Raise what ended a worker; the others stop then, since it would end them as well."""
        if self._problems:
            self.stop()
            raise self._problems[0]

    def idle(self) -> bool:
        """Whether all threads have ended."""
        return all(thread.has_ended for thread in self._threads)

    def stop(self) -> None:
        """End all workers, and wait for them."""
        self._over.set()
        for thread in self._threads:
            thread.join()
