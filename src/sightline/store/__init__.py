"""A project folder: pages by their id, runs with their verdicts, and what good runs looked like."""

from sightline.store._history import History
from sightline.store._store import Store, StoredRun

__all__ = [
    "History",
    "Store",
    "StoredRun",
]
