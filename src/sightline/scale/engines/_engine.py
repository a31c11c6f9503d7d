"""What an engine is: something that keeps a number of supervisors at work."""

from typing import Protocol

from sightline.scale._station import Station

__all__ = ["BatchEngine"]


class BatchEngine(Protocol):
    """Runs `supervise` in several places at once. It knows nothing of shards: the ledger shares them out."""

    def start(self, station: Station, workers: int) -> None:
        """Begin, with this many workers."""

    def check(self) -> None:
        """Replace workers that died, and raise what ended one for good."""

    def idle(self) -> bool:
        """Whether all workers have returned."""

    def stop(self) -> None:
        """End all workers now; what they held is given back, or goes to others when their leases end."""
