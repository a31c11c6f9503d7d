"""Step 3: lattices, the groups of edges that meet each other."""

from dataclasses import dataclass

import numpy as np

from sightline.arrays import BoolArray, IndexArray
from sightline.extract.structure._edges import Edges
from sightline.geometry import Box

__all__ = ["Lattice", "lattices_of"]

# Measured: F1 is the same from 4 to 8, and 0.999 at 2.
MEET = 4.0  # CSS pixels: how far an edge may end before the one that it meets


@dataclass(frozen=True, eq=False)
class Lattice:
    """Edges that meet, and the box around them."""

    box: Box
    edges: Edges

    @property
    def area(self) -> float:
        """How much of the sheet it covers."""
        x0, y0, x1, y1 = self.box
        return (x1 - x0) * (y1 - y0)


def lattices_of(edges: Edges) -> list[Lattice]:
    """The groups of edges that meet each other, the largest first."""
    if not len(edges.across) or not len(edges.down):
        return []
    group_across, group_down = _groups(_crossings(edges))
    found = []
    for number in np.unique(group_across).tolist():
        group = Edges(edges.across[group_across == number], edges.down[group_down == number])
        if len(group.down):
            found.append(Lattice(_hull(group), group))
    return sorted(found, key=lambda lattice: -lattice.area)


def _crossings(edges: Edges) -> BoolArray:
    """Which edges across (rows) meet which edges down (columns)."""
    across, down = edges.across[:, None], edges.down[None, :]
    meet: BoolArray = (across[..., 0] >= down[..., 1] - MEET) & (across[..., 0] <= down[..., 2] + MEET)
    meet &= (down[..., 0] >= across[..., 1] - MEET) & (down[..., 0] <= across[..., 2] + MEET)
    return meet


def _groups(meet: BoolArray) -> tuple[IndexArray, IndexArray]:
    """The group of each edge across and of each edge down: the smallest number of an edge across that it reaches."""
    none = len(meet)
    group_across, group_down = np.arange(none), np.full(meet.shape[1], none)
    while True:
        new_down = np.minimum(group_down, np.where(meet, group_across[:, None], none).min(axis=0))
        new_across = np.minimum(group_across, np.where(meet, new_down[None, :], none).min(axis=1))
        if (new_down == group_down).all() and (new_across == group_across).all():
            return group_across, group_down
        group_down, group_across = new_down, new_across


def _hull(edges: Edges) -> Box:
    across, down = edges.across, edges.down
    return (
        float(min(across[:, 1].min(), down[:, 0].min())),
        float(min(across[:, 0].min(), down[:, 1].min())),
        float(max(across[:, 2].max(), down[:, 0].max())),
        float(max(across[:, 0].max(), down[:, 2].max())),
    )
