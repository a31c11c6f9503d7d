"""What runs in the actors of a Ray cluster: a supervisor, whose reading process is a child of the actor."""

import socket
import threading
from pathlib import Path

from sightline._version import __version__
from sightline.scale._station import Station
from sightline.scale._supervisor import supervise
from sightline.scale.engines._ray_checks import WorkerPlace

__all__ = ["RaySupervisor"]


class RaySupervisor:
    """An actor of two threads: one works, and the other answers meanwhile."""

    def __init__(self) -> None:
        self._over = threading.Event()

    def place(self, mark: str) -> WorkerPlace:
        """Which machine and version this is, and whether the file `mark` of the driver can be seen from here."""
        return WorkerPlace(socket.gethostname(), __version__, Path(mark).exists())

    def work(self, station: Station, name: str) -> None:
        """Supervise until no shard is left."""
        supervise(station, name, self._over.is_set)

    def cancel(self) -> None:
        """Have `work` give its shard back and return."""
        self._over.set()
