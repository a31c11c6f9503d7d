"""The local engine: each worker is a child process, and a thread of this process supervises it."""

import threading
from functools import partial
from typing import Protocol

from sightline.scale._process import Aside
from sightline.scale._spec import WorkerConfig
from sightline.scale._supervisor import supervise


class LocalEngine:
    """Workers on this machine. It needs nothing that is not installed."""

    def __init__(self) -> None:
        self._threads: list[Aside] = []
        self._problems: list[BaseException] = []
        self._over = threading.Event()

    def start(self, station: WorkerConfig, workers: int) -> None:
        """Begin one thread for each worker."""
        for number in range(1, workers + 1):
            thread = Aside(partial(self._supervise, station, f"w{number}"))
            self._threads.append(thread)
            thread.start()

    def _supervise(self, station: WorkerConfig, name: str) -> None:
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


# What an engine is: something that keeps a number of supervisors at work.


class BatchEngine(Protocol):
    """Runs `supervise` in several places at once. It knows nothing of shards: the ledger shares them out."""

    def start(self, station: WorkerConfig, workers: int) -> None:
        """Begin, with this many workers."""

    def check(self) -> None:
        """Replace workers that died, and raise what ended one for good."""

    def idle(self) -> bool:
        """Whether all workers have returned."""

    def stop(self) -> None:
        """End all workers now; what they held is given back, or goes to others when their leases end."""
