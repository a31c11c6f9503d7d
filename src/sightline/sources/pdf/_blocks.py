"""Step 3 of a PDF: from lines to blocks, and their reading order.

After Hassan's bottom-up clustering: lines one below the other are joined up to a distance, but no one distance suits a
page on which fonts, sizes and leading differ. So several are tried, from wide to narrow, and every cluster is kept at
the widest at which it is consistent: one leading, and no line with two neighbours on one side.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyFloats, AnyInts
from sightline.sources.pdf._lines import PdfLines

Edge: TypeAlias = tuple[int, int, float]

# Of the size, from foot to foot: how far apart two lines of one block may stand at most. Double-spaced manuscripts have
# 2.4, most text has 1.15 to 1.5.
FARTHEST = 2.6
EVEN = 1.12  # the widest leading of a block against its narrowest; footnote marks move a line by a tenth
SAME_SIZE = 0.9  # the smaller of two sizes against the larger one
OVERLAP = 0.3  # of the narrower line: how much of it two neighbours must share
MARK_GAP = 2.6  # of the size: how far the number of a heading or the mark of an item may stand from its text
BULLETS = frozenset("•·●○◦▪■□▫‣➢➤✓✔")
BULLET_GAP = 5.0  # the same for bullets, which can be nothing else
LONGEST_MARK = 7  # characters
EQUATION_GAP = 20.0  # of the size: how far an equation may stand before its number
DESCENT = 0.25  # of the usual size: boxes reach so far below the letters, and into the next row
GUTTER = 0.7  # of the usual size: the narrowest gap between two columns of text


@dataclass(frozen=True, eq=False)
class PdfBlocks:
    """The block of each line, and the lines of each block in reading order."""

    of: AnyInts
    lines: tuple[tuple[int, ...], ...]
    box: AnyFloats


def find_blocks(lines: PdfLines) -> PdfBlocks:
    """Clusters of lines in reading order; each rotated line is a separate block."""
    if not len(lines):
        return PdfBlocks(np.zeros(0, dtype=np.int32), (), np.zeros((0, 4), dtype=np.float32))
    marks = _marks(lines)
    below, distance = _neighbours(lines, marks)
    group = _clusters(lines, below, distance)
    for mark, text in marks.items():
        group[mark] = group[text]
    numbers, group = np.unique(group, return_inverse=True)
    box = _bounds(lines.line_box, group, len(numbers))
    order = reading_order(box, float(np.median(lines.line_size)))
    rank = np.argsort(order)
    of = rank[group].astype(np.int32)
    along = np.lexsort((lines.line_box[:, 0], np.round(lines.line_box[:, 3] / np.maximum(lines.line_size, 1)), of))
    members: list[list[int]] = [[] for _ in numbers]
    for line in along.tolist():
        members[of[line]].append(line)
    return PdfBlocks(of, tuple(map(tuple, members)), box[order])


# ------------------------------------------------------------------ neighbours


def _neighbours(lines: PdfLines, marks: dict[int, int]) -> tuple[AnyInts, AnyFloats]:
    """Pairs of lines (n, 2), the second right below the first and set alike, and how far apart in their sizes."""
    box, size = lines.line_box, lines.line_size
    down = lines.line_foot[None, :] - lines.line_foot[:, None]
    shared = np.minimum(box[:, None, 2], box[None, :, 2]) - np.maximum(box[:, None, 0], box[None, :, 0])
    narrow = np.minimum((box[:, 2] - box[:, 0])[:, None], (box[:, 2] - box[:, 0])[None, :])
    less, more = np.minimum(size[:, None], size[None, :]), np.maximum(size[:, None], size[None, :])
    upright = lines.line_angle == 0
    upright[list(marks)] = False
    near = (shared > OVERLAP * narrow) & (down > 0.5 * less) & (down < FARTHEST * more)
    near &= upright[:, None] & upright[None, :]
    first = np.where(near, down, np.inf).min(axis=1)
    near &= down < (first + 0.5 * size)[:, None]  # what stands behind the next line isn't a neighbour
    alike = (less >= SAME_SIZE * more) & _alike(lines)
    above, under = np.nonzero(near & alike)
    return np.stack([above, under], axis=1).astype(np.int32), (down / less)[above, under].astype(np.float32)


def _alike(lines: PdfLines) -> npt.NDArray[np.bool_]:
    """Which lines are set in one weight and colour, by most of what is in them."""
    width = np.maximum(lines.box[:, 2] - lines.box[:, 0], 0.01)
    look = np.array([[style.weight >= 600, style.colour] for style in lines.styles], dtype=np.int64)[lines.style]
    bold = np.bincount(lines.line, weights=width * look[:, 0], minlength=len(lines))
    whole = np.bincount(lines.line, weights=width, minlength=len(lines))
    heavy = bold > 0.5 * whole
    alike: npt.NDArray[np.bool_] = heavy[:, None] == heavy[None, :]
    return alike


# ------------------------------------------------------------------ clusters


def _clusters(lines: PdfLines, pairs: AnyInts, distance: AnyFloats) -> AnyInts:
    """A number for the cluster of each line: the widest grouping of those tried that is consistent.

    What is not consistent is parted where a line has two neighbours on one side, and else tried again at a distance
    that is smaller by as much as one leading may vary.
    """
    group = list(range(len(lines)))
    edges = [(int(a), int(b), float(gap)) for (a, b), gap in zip(pairs.tolist(), distance.tolist(), strict=True)]
    waiting = [edges]
    while waiting:
        for part in _components(waiting.pop()):
            plain = _plain(part)
            gaps = [gap for _, _, gap in part]
            least, most = min(gaps), max(gaps)
            if len(plain) < len(part):
                waiting.append(plain)
            elif most > EVEN * least:
                waiting.append([edge for edge in part if edge[2] < most / EVEN])
            else:
                members = {line for above, below, _ in part for line in (above, below)}
                first = min(members)
                for line in members:
                    group[line] = first
    return np.array(group, dtype=np.int32)


def _components(edges: Sequence[Edge]) -> list[list[Edge]]:
    """The edges of each connected part."""
    root: dict[int, int] = {}

    def find(line: int) -> int:
        while root.setdefault(line, line) != line:
            root[line] = line = root[root[line]]
        return line

    for above, below, _ in edges:
        root[find(below)] = find(above)
    parts: dict[int, list[Edge]] = {}
    for edge in edges:
        parts.setdefault(find(edge[0]), []).append(edge)
    return list(parts.values())


def _plain(edges: Sequence[Edge]) -> list[Edge]:
    """The edges that are the only ones of both their lines on that side."""
    down: dict[int, int] = {}
    up: dict[int, int] = {}
    for above, below, _ in edges:
        down[above] = down.get(above, 0) + 1
        up[below] = up.get(below, 0) + 1
    return [edge for edge in edges if down[edge[0]] == 1 == up[edge[1]]]


def _marks(lines: PdfLines) -> dict[int, int]:
    """The marks of items and numbers of headings, each with the line to the right of it that it belongs to."""
    length = np.bincount(lines.line, weights=[len(text) for text in lines.text], minlength=len(lines))
    box, size = lines.line_box, lines.line_size
    short = np.flatnonzero((length <= LONGEST_MARK) & (lines.line_angle == 0))
    if not len(short):
        return {}
    middle = (box[:, 1] + box[:, 3]) / 2
    level = np.abs(middle[short, None] - middle[None, :]) < 0.4 * size[short, None]
    gap = box[None, :, 0] - box[short, None, 2]
    numbers = _numbers_of_equations(lines, short, middle)
    level[numbers] = False
    bullet = np.array(
        [lines.text[piece] in BULLETS for piece in np.searchsorted(lines.line, short).tolist()], dtype=bool
    )
    reach = np.where(bullet, BULLET_GAP, MARK_GAP) * size[short]
    right = level & (gap > 0) & (gap < reach[:, None]) & (length > LONGEST_MARK)[None, :]
    nearest = np.where(right, gap, np.inf).argmin(axis=1)
    found = right.any(axis=1)
    return dict(zip(short[found].tolist(), nearest[found].tolist(), strict=True))


def _numbers_of_equations(lines: PdfLines, short: npt.NDArray[Any], middle: AnyFloats) -> npt.NDArray[np.bool_]:
    """Which short lines are numbers in brackets with something to the left of them: those belong to an equation."""
    box, size = lines.line_box, lines.line_size
    first = np.searchsorted(lines.line, short).tolist()
    bracket = np.array([lines.text[piece][:1] == "(" for piece in first], dtype=bool)
    if not bracket.any():
        return bracket
    gap = box[short, None, 0] - box[None, :, 2]
    beside = (gap > 0) & (gap < EQUATION_GAP * size[short, None])
    beside &= np.abs(middle[short, None] - middle[None, :]) < 1.2 * size[short, None]
    return bracket & beside.any(axis=1)


def _bounds(box: AnyFloats, group: npt.NDArray[Any], count: int) -> AnyFloats:
    bounds = np.empty((count, 4), dtype=np.float32)
    bounds[:, :2], bounds[:, 2:] = np.inf, -np.inf
    np.minimum.at(bounds[:, :2], group, box[:, :2])
    np.maximum.at(bounds[:, 2:], group, box[:, 2:])
    return bounds


# ------------------------------------------------------------------ reading order


def reading_order(box: AnyFloats, size: float) -> AnyInts:
    """The boxes in reading order: columns from left to right, each from top to bottom.

    Cuts the sheet recursively: along gutters that nothing crosses if there are any, else between rows; rows that one
    gutter goes through stay together, so that a title above two columns parts nothing but itself.
    """
    sides = box.tolist()
    order: list[int] = []
    waiting = [list(range(len(sides)))]
    while waiting:
        part = waiting.pop()
        pieces = _cut(sides, part, size) if len(part) > 1 else [part]
        if len(pieces) == 1:
            order += sorted(part, key=lambda number: (sides[number][1], sides[number][0]))
        else:
            waiting += pieces[::-1]
    return np.array(order, dtype=np.int32)


def _cut(sides: list[list[float]], part: list[int], size: float) -> list[list[int]]:
    """The parts of a part, in reading order; the part itself if it cannot be cut."""
    columns = _stretches([(sides[box][0], sides[box][2], box) for box in part], GUTTER * size)
    if len(columns) > 1:
        return columns
    strips = _stretches([(sides[box][1], sides[box][3] - DESCENT * size, box) for box in part], 0.0)
    joined = strips[:1]
    for strip in strips[1:]:
        both = [*joined[-1], *strip]
        if len(both) > 2 and len(_stretches([(sides[box][0], sides[box][2], box) for box in both], GUTTER * size)) > 1:
            joined[-1] = both
        else:
            joined.append(strip)
    return joined if len(joined) > 1 else strips


def _stretches(spans: list[tuple[float, float, int]], gap: float) -> list[list[int]]:
    """The boxes on each stretch of a line that they cover, separated by more than a gap."""
    found: list[list[int]] = []
    reach = -np.inf
    for low, high, box in sorted(spans):
        if low > reach + gap or not found:
            found.append([])
        found[-1].append(box)
        reach = max(reach, high)
    return found


# Figures: areas with many curved or slanted lines close together.

NEAR = 8.0  # CSS pixels: drawings so close belong to one figure
SMALLEST = 30.0  # CSS pixels, either way
FEWEST = 3  # drawings: a frame with round corners is one
MOST = 800  # drawings, the largest, that are looked at


def figures(drawings: AnyFloats) -> AnyFloats:
    """The boxes around groups of drawings that touch each other.

    >>> import numpy as np
    >>> figures(np.array([[0, 0, 40, 40], [30, 30, 60, 80], [45, 45, 50, 50], [300, 0, 310, 10]], dtype=np.float32))
    array([[ 0.,  0., 60., 80.]], dtype=float32)
    """
    if len(drawings) < FEWEST:
        return np.zeros((0, 4), dtype=np.float32)
    area = (drawings[:, 2] - drawings[:, 0]) * (drawings[:, 3] - drawings[:, 1])
    boxes = drawings[np.argsort(-area, kind="stable")[:MOST]].astype(np.float32)
    count = np.ones(len(boxes), dtype=np.int64)
    while True:  # each round joins what touches; the boxes grow, so that more may touch
        touch = (boxes[:, None, :2] <= boxes[None, :, 2:] + NEAR).all(axis=2)
        touch &= touch.T
        leader = touch.argmax(axis=1)
        heads = np.unique(leader)
        if len(heads) == len(boxes):
            break
        place = np.searchsorted(heads, leader)
        low = np.full((len(heads), 2), np.inf, dtype=np.float32)
        high = np.full((len(heads), 2), -np.inf, dtype=np.float32)
        np.minimum.at(low, place, boxes[:, :2])
        np.maximum.at(high, place, boxes[:, 2:])
        boxes = np.concatenate([low, high], axis=1)
        count = np.bincount(place, weights=count).astype(np.int64)
    large = (boxes[:, 2:] - boxes[:, :2] >= SMALLEST).all(axis=1) & (count >= FEWEST)
    return boxes[large]
