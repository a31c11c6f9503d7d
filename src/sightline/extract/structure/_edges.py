"""Step 2: straight edges, from drawn lines, thin rectangles and the sides of filled ones.

All constants are in CSS pixels unless they say otherwise.
"""

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np

from sightline.arrays import AnyFloats, BoolArray, IndexArray, IntArray
from sightline.extract.structure._layout import SheetLines
from sightline.geometry import Box

__all__ = ["Edges", "Lattice", "edges_of", "lattices_of"]

THIN = 4.5  # a rectangle no thicker than this is a line
ALIGNED = 2.5  # lines this close are one line, drawn twice or in pieces
# Measured: no figure changes from 2 to 8.
GAP = 4.0  # pieces of one line may leave gaps this wide, as dotted lines do
TOUCH = 1.5  # fills this close touch
SHORTEST = 9.0  # shorter edges are ticks, dashes and parts of letters
PAPER = 248  # of 255: fills and lines whose red, green and blue are all lighter than this cannot be seen
BACKGROUND = 0.9  # share of both sides of the sheet: a larger rectangle is the background
SMALLEST_FILL = 6.0  # smaller filled rectangles are bullets and marks
ALONG = 0.9  # share of the side of a fill: a neighbour of the same colour this long hides it


@dataclass(frozen=True, eq=False)
class Edges:
    """Straight lines: rows of y, x0, x1 for those that run across, of x, y0, y1 for those that run down."""

    across: AnyFloats
    down: AnyFloats

    @cached_property
    def upright(self) -> list[list[float]]:
        """The lines that run down, as plain numbers."""
        found: list[list[float]] = self.down.tolist()
        return found


def edges_of(sheet: SheetLines) -> Edges:
    """The edges of a sheet that are long enough to part something."""
    inked = ~(sheet.lightness >= PAPER)
    box, colours = sheet.rules[inked], sheet.colours[inked]
    if not len(box):
        return Edges(np.zeros((0, 3)), np.zeros((0, 3)))
    wide, tall = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    x0, y0, x1, y1 = sheet.box
    background = (wide > BACKGROUND * (x1 - x0)) & (tall > BACKGROUND * (y1 - y0))
    flat, upright = (tall <= THIN) & ~background, (wide <= THIN) & ~background
    filled = ~flat & ~upright & ~background & (wide >= SMALLEST_FILL) & (tall >= SMALLEST_FILL)
    fills = box[filled]
    visible = _visible_sides(fills, colours[filled])
    across = [_middle_lines(box[flat], 1), *(fills[:, [side, 0, 2]][visible[:, side]] for side in (1, 3))]
    down = [_middle_lines(box[upright], 0), *(fills[:, [side, 1, 3]][visible[:, side]] for side in (0, 2))]
    return Edges(_merged(np.concatenate(across)), _merged(np.concatenate(down)))


def _middle_lines(box: AnyFloats, axis: int) -> AnyFloats:
    """Thin rectangles as lines: the middle of their short side (`axis` is 0 for x, 1 for y), start and end."""
    middle = (box[:, axis] + box[:, axis + 2]) / 2
    return np.stack([middle, box[:, 1 - axis], box[:, 3 - axis]], axis=1)


def _visible_sides(box: AnyFloats, colour: IntArray) -> BoolArray:
    """Which sides of filled rectangles show; a side disappears where another fill of the same colour continues."""
    seen = np.ones((len(box), 4), dtype=bool)
    if len(box) < 2:
        return seen
    same = colour[:, None] == colour[None, :]
    np.fill_diagonal(same, val=False)
    for side, along in ((0, 1), (1, 0), (2, 1), (3, 0)):
        place = box[:, None, side]
        shared = np.minimum(box[:, None, along + 2], box[None, :, along + 2]) - np.maximum(
            box[:, None, along], box[None, :, along]
        )
        long = shared >= ALONG * (box[:, along + 2] - box[:, along])[:, None]
        reaches = (box[None, :, side % 2] <= place + TOUCH) & (box[None, :, side % 2 + 2] >= place - TOUCH)
        beyond = box[None, :, side] < place - TOUCH if side < 2 else box[None, :, side] > place + TOUCH
        seen[:, side] = ~(same & long & reaches & beyond).any(axis=1)
    return seen


def _merged(edges: AnyFloats) -> AnyFloats:
    """Pieces on one line as one edge, the short ones dropped; rows are place, start, end."""
    if not len(edges):
        return np.zeros((0, 3))
    found: list[list[float]] = []
    for level in _levels(edges):
        open_until = float("-inf")
        for place, start, end in sorted(level, key=itemgetter(1)):
            if start <= open_until + GAP:
                open_until = found[-1][2] = max(open_until, end)
            else:
                found.append([place, start, end])
                open_until = end
    return np.array([edge for edge in found if edge[2] - edge[1] >= SHORTEST]).reshape(-1, 3)


def _levels(edges: AnyFloats) -> list[list[list[float]]]:
    """The edges on each line, from the first line to the last: those that are close to the one before."""
    found: list[list[list[float]]] = []
    before = float("-inf")
    for edge in sorted(edges.tolist(), key=itemgetter(0)):
        if edge[0] - before > ALIGNED:
            found.append([])
        found[-1].append(edge)
        before = edge[0]
    return found


# Step 3: lattices, the groups of edges that meet each other.

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
