"""A region: records that repeat."""

from dataclasses import dataclass

from sightline.arrays import IntArray

__all__ = ["Region"]


@dataclass(frozen=True, eq=False)
class Region:
    """Records that repeat: each spans the nodes from `start` up to `stop`, within one element or several."""

    start: IntArray
    stop: IntArray
    parent: int
    how: str
    tag: str
    parents: tuple[int, ...] = ()
    level: IntArray | None = None

    def __len__(self) -> int:
        return len(self.start)
