"""The double topographical grid of VENTrec: the lines of all boxes, and which boxes are neighbours in which direction.

After Gatterbauer and Bohunsky, "Table Extraction Using Spatial Reasoning on the CSS2 Visual Box Model" (AAAI 2006).
"""

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray
from sightline.geometry import Box, BoxArray

__all__ = ["ADJACENT", "Direction", "Neighbours", "Relation", "Topography", "relations"]

# Pixels between adjacent boxes, and by which edges on one line may differ; the paper says 0 to 3.
ADJACENT = 3.0

Floats = npt.NDArray[np.float32]


class Direction(Enum):
    """The direction of a neighbour, in the order in which the expansion circulates."""

    RIGHT = (2, 0)
    DOWN = (3, 1)
    LEFT = (0, 2)
    UP = (1, 3)

    @property
    def facing(self) -> int:
        """The box's own edge in this direction, as a column of a box."""
        return self.value[0]

    @property
    def meeting(self) -> int:
        """The edge of the neighbour that meets the box's own edge."""
        return self.value[1]

    @property
    def across(self) -> int:
        """The axis on which neighbours are projected: 1 for right and left, 0 for down and up."""
        return 1 - self.value[0] % 2


class Relation(IntEnum):
    """How the projection of a neighbour relates to that of the box."""

    NONE = 0
    TWIN = 1
    SMALLER = 2
    BIGGER = 3
    STEP = 4


class Neighbours(NamedTuple):
    """Boxes by number, and the relation of each."""

    numbers: IntArray
    relations: IntArray

    def of(self, relation: Relation) -> IntArray:
        """The numbers of the boxes in one relation."""
        numbers: IntArray = self.numbers[self.relations == relation]
        return numbers


@dataclass(frozen=True, eq=False)
class Topography:
    """Boxes and their lines: for each of x0, y0, x1 and y1 all boxes in ascending order, and where their edges are.

    >>> topography = Topography.of(np.float32([[0, 0, 50, 20], [50, 0, 90, 20], [0, 20, 90, 40]]))
    >>> topography.lines(0).tolist(), topography.lines(3).tolist()
    ([0.0, 50.0], [20.0, 40.0])
    >>> below = topography.neighbours((0, 0, 50, 20), Direction.DOWN)
    >>> [(int(number), Relation(relation).name) for number, relation in zip(*below)]
    [(2, 'BIGGER')]
    """

    box: BoxArray
    order: tuple[IntArray, ...]
    edges: tuple[Floats, ...]

    @classmethod
    def of(cls, box: BoxArray) -> "Topography":
        """The topography of some boxes."""
        order = tuple(np.argsort(box[:, edge], kind="stable").astype(np.int32) for edge in range(4))
        return cls(box, order, tuple(box[by_edge, edge] for edge, by_edge in enumerate(order)))

    def __len__(self) -> int:
        return len(self.box)

    def lines(self, edge: int) -> Floats:
        """The distinct lines on which some box has its left (0), upper (1), right (2) or lower (3) edge."""
        return np.unique(self.edges[edge])

    def neighbours(self, box: Box, direction: Direction) -> Neighbours:
        """The boxes that are adjacent to a box or to any rectangle."""
        numbers = self._meeting(direction.meeting, box[direction.facing])
        found = relations(box, self.box[numbers], direction)
        return Neighbours(numbers[found > 0], found[found > 0])

    def _meeting(self, edge: int, line: float) -> IntArray:
        first = np.searchsorted(self.edges[edge], line - ADJACENT)
        last = np.searchsorted(self.edges[edge], line + ADJACENT, side="right")
        return self.order[edge][first:last]


def relations(box: Box, others: BoxArray, direction: Direction) -> IntArray:
    """The relation of each of some boxes to a box, in a direction.

    >>> others = np.float32([[10, 0, 20, 9], [10, 0, 20, 30], [10, 4, 20, 30], [50, 0, 60, 9]])
    >>> [Relation(code).name for code in relations((0, 0, 10, 9), others, Direction.RIGHT)]
    ['TWIN', 'BIGGER', 'STEP', 'NONE']
    """
    low, high = others[:, direction.across], others[:, direction.across + 2]
    start, end = box[direction.across], box[direction.across + 2]
    within = (low >= start - ADJACENT) & (high <= end + ADJACENT)
    around = (low <= start + ADJACENT) & (high >= end - ADJACENT)
    codes: IntArray = _CODES[2 * within + around] * _adjacent(box, others, direction)
    return codes


# By whether a projection lies within that of the box (2) and around it (1).
_CODES = np.array([Relation.STEP, Relation.BIGGER, Relation.SMALLER, Relation.TWIN], dtype=np.int32)


def _adjacent(box: Box, others: BoxArray, direction: Direction) -> BoolArray:
    """Which boxes are close to an edge and overlap it by more than a corner."""
    across = direction.across
    shared = np.minimum(others[:, across + 2], box[across + 2]) - np.maximum(others[:, across], box[across])
    apart = np.abs(others[:, direction.meeting] - box[direction.facing])
    adjacent: BoolArray = (apart <= ADJACENT) & (shared > ADJACENT)
    return adjacent
