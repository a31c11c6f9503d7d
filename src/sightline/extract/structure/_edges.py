"""Drawn lines: from loose rectangles to long straight edges, and the lattices that they make."""

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyFloats
from sightline.extract.structure._layout import Sheet
from sightline.page import Page

__all__ = ["Edges", "Lattice", "edges_of", "lattices"]


THIN = 4.5  # CSS pixels: a rectangle no thicker than this is a line
ALIGNED = 2.5  # CSS pixels: lines so close are one line, drawn twice or in pieces
GAP = 4.0  # CSS pixels: pieces of a line may leave such gaps, dotted lines do
TOUCH = 1.5  # CSS pixels: fills so close touch
SHORTEST = 9.0  # CSS pixels
MEET = 4.0  # CSS pixels: how far a line may end before the one that it meets
WHITE = 248  # of 255: fills and lines lighter than this in all channels are paper
WHOLE = 0.9  # of both sides of the sheet: a fill that is larger is the background
SMALLEST_FILL = 6.0  # CSS pixels
RGB = re.compile(r"rgb\((\d+), (\d+), (\d+)\)")


@dataclass(frozen=True, eq=False)
class Edges:
    """Straight lines: for horizontal ones y, x0, x1; for vertical ones x, y0, y1."""

    across: AnyFloats
    down: AnyFloats

    @cached_property
    def upright(self) -> list[list[float]]:
        """The vertical lines as plain numbers."""
        found: list[list[float]] = self.down.tolist()
        return found


@dataclass(frozen=True, eq=False)
class Lattice:
    """Lines that meet: the box around them and the lines themselves."""

    box: tuple[float, float, float, float]
    across: AnyFloats
    down: AnyFloats


def edges_of(page: Page, sheet: Sheet) -> Edges:
    """The long lines of a sheet, from drawn lines, from thin rectangles and from the sides of filled ones."""
    box = sheet.rules
    none = np.zeros((0, 3))
    if not len(box):
        return Edges(none, none)
    inked = ~_is_paper(page, sheet.colours)
    box, sheet_colours = box[inked], sheet.colours[inked]
    wide, tall = box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]
    x0, y0, x1, y1 = sheet.box
    whole = (wide > WHOLE * (x1 - x0)) & (tall > WHOLE * (y1 - y0))
    flat, upright = (tall <= THIN) & ~whole, (wide <= THIN) & ~whole
    fill = ~flat & ~upright & ~whole & (wide >= SMALLEST_FILL) & (tall >= SMALLEST_FILL)
    sides = _visible_sides(box[fill], sheet_colours[fill])
    middle_y, middle_x = (box[:, 1] + box[:, 3]) / 2, (box[:, 0] + box[:, 2]) / 2
    across = [np.stack([middle_y, box[:, 0], box[:, 2]], axis=1)[flat]]
    across += [box[fill][:, [side, 0, 2]][sides[:, side]] for side in (1, 3)]
    down = [np.stack([middle_x, box[:, 1], box[:, 3]], axis=1)[upright]]
    down += [box[fill][:, [side, 1, 3]][sides[:, side]] for side in (0, 2)]
    return Edges(_merged(np.concatenate(across)), _merged(np.concatenate(down)))


def _visible_sides(box: AnyFloats, colour: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Which sides of filled rectangles can be seen: not those that another one of the same colour goes on at."""
    seen = np.ones((len(box), 4), dtype=bool)
    same = colour[:, None] == colour[None, :]
    np.fill_diagonal(same, val=False)
    for side, along in ((0, 1), (1, 0), (2, 1), (3, 0)):
        place = box[:, None, side]
        spans = np.minimum(box[:, None, along + 2], box[None, :, along + 2]) - np.maximum(
            box[:, None, along], box[None, :, along]
        )
        long = spans >= 0.9 * (box[:, along + 2] - box[:, along])[:, None]
        reach = (box[None, :, side % 2] <= place + TOUCH) & (box[None, :, side % 2 + 2] >= place - TOUCH)
        beyond = box[None, :, side] < place - TOUCH if side < 2 else box[None, :, side] > place + TOUCH
        seen[:, side] = ~(same & long & reach & beyond).any(axis=1)
    return seen


def _is_paper(page: Page, colours: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Which colours are as good as white."""
    light = {}
    for value in set(colours.tolist()):
        match = RGB.fullmatch(page.strings[value])
        light[value] = match is not None and min(int(part) for part in match.groups()) >= WHITE
    return np.array([light[value] for value in colours.tolist()], dtype=bool)


def _merged(edges: AnyFloats) -> AnyFloats:
    """Pieces on one line as one, long ones only; rows are place, start, end."""
    if not len(edges):
        return np.zeros((0, 3))
    edges = edges[np.argsort(edges[:, 0], kind="stable")].astype(np.float64)
    level = np.cumsum(np.diff(edges[:, 0], prepend=edges[0, 0]) > ALIGNED)
    edges = edges[np.lexsort((edges[:, 1], level))]
    level = np.sort(level)
    found: list[list[float]] = []
    last = -1
    for (place, start, end), number in zip(edges.tolist(), level.tolist(), strict=True):
        if number == last and start <= found[-1][2] + GAP:
            found[-1][2] = max(found[-1][2], end)
        else:
            found.append([place, start, end])
            last = number
    merged = np.array(found)
    long: AnyFloats = merged[merged[:, 2] - merged[:, 1] >= SHORTEST]
    return long


def lattices(edges: Edges) -> list[Lattice]:
    """The groups of lines that meet each other."""
    across, down = edges.across, edges.down
    if not len(across) or not len(down):
        return []
    meet = (across[:, None, 0] >= down[None, :, 1] - MEET) & (across[:, None, 0] <= down[None, :, 2] + MEET)
    meet &= (down[None, :, 0] >= across[:, None, 1] - MEET) & (down[None, :, 0] <= across[:, None, 2] + MEET)
    group_across = np.arange(len(across))
    group_down = np.full(len(down), len(across))
    while True:
        rounds = np.where(meet, group_across[:, None], len(across)).min(axis=0)
        new_down = np.minimum(group_down, rounds)
        new_across = np.minimum(group_across, np.where(meet, new_down[None, :], len(across)).min(axis=1))
        if (new_down == group_down).all() and (new_across == group_across).all():
            break
        group_down, group_across = new_down, new_across
    found = []
    for number in np.unique(group_across).tolist():
        h, v = across[group_across == number], down[group_down == number]
        if len(h) and len(v):
            box = (
                min(h[:, 1].min(), v[:, 0].min()),
                min(h[:, 0].min(), v[:, 1].min()),
                max(h[:, 2].max(), v[:, 0].max()),
                max(h[:, 0].max(), v[:, 2].max()),
            )
            found.append(Lattice(tuple(map(float, box)), h, v))  # type: ignore[arg-type]
    return found
