"""Step 2: straight edges, from drawn lines, thin rectangles and the sides of filled ones.

All constants are in CSS pixels unless they say otherwise.
"""

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import numpy as np

from sightline.arrays import AnyFloats, BoolArray, IntArray
from sightline.extract.structure._layout import SheetLines

__all__ = ["Edges", "edges_of"]

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
