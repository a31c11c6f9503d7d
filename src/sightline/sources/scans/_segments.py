"""Step 3 of a scan: where text stands. A *segment* is a line of text as far as no wide gap is in it, such as a cell.

Letters are connected ink. The middle of each, made a little wider, touches that of the next in its line and none of
the lines above and below: what touches is a segment. Points, dashes and accents belong to the segment around them.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from sightline.geometry import around
from sightline.sources.scans._ink import Gray

# By judgement, in sizes of the type unless they say otherwise; measured as a whole by `python -m bench.pdf.scans`.
LETTER = 0.62  # how high a letter is, on the whole: small ones measure 0.5, capitals 0.7
SMALLEST_LETTER, LARGEST_LETTER = 0.28, 1.3  # how high they are
HIGHEST = 6.0  # how high a letter of a title is
GAP = 0.75  # room between words of one segment; between columns is mostly more
BAND = 0.5  # of the height of a letter: its middle, that must touch the middle of the next
ABOVE, BELOW, BESIDE = 0.45, 0.35, 0.6  # how far from a segment small marks belong to it
MARK = 0.1  # marks are as wide or high, at least: less is dust
FLATTEST = 30.0  # times wider than high: no letter, but what is left of a line
LEAST_DOTS = 3  # of a letter's height: smaller type can't be read

Boxes = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Segment:
    """A piece of text in dots: its box, and the boxes of the letters in it."""

    box: tuple[int, int, int, int]
    letters: Boxes


def parts_of(ink: Gray) -> Boxes:
    """The boxes of all connected ink, x0, y0, x1, y1."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    boxes = stats[1:count, :4].astype(np.int32)
    boxes[:, 2:] += boxes[:, :2]
    return np.asarray(boxes, dtype=np.int32)


def type_size(parts: Boxes) -> float:
    """The size of most of the type, in dots; 0 where there is none."""
    wide, tall = (parts[:, 2] - parts[:, 0]), (parts[:, 3] - parts[:, 1])
    letter = (tall >= LEAST_DOTS) & (wide >= 2) & (wide < 3 * tall) & (tall < 12 * wide)
    if not letter.any():
        return 0.0
    height = tall[letter].astype(np.float64)
    order = np.argsort(height, kind="stable")
    weight = np.cumsum(height[order])  # high letters count for more: of dust there may be more than of letters
    typical = float(height[order][np.searchsorted(weight, weight[-1] / 2)])
    return typical / LETTER


def find_segments(parts: Boxes, size: float, shape: tuple[int, int]) -> list[Segment]:
    """The segments of a picture of this shape (height, width)."""
    wide, tall = parts[:, 2] - parts[:, 0], parts[:, 3] - parts[:, 1]
    flat = wide > FLATTEST * tall
    letter = (tall >= max(SMALLEST_LETTER * size, LEAST_DOTS)) & (tall <= LARGEST_LETTER * size) & ~flat
    groups = _groups(parts[letter], size, shape)
    high = (tall > LARGEST_LETTER * size) & (tall <= HIGHEST * size) & (wide <= 2 * HIGHEST * size)
    high[high] = ~_joins_lines(parts[high], _hulls(groups))
    if high.any():
        groups = _groups(parts[letter | high], size, shape)
    mark = (tall < max(SMALLEST_LETTER * size, LEAST_DOTS)) & (np.maximum(wide, tall) >= MARK * size)
    mark &= (wide <= 3 * size) & ~flat | (tall >= MARK * size)
    groups, left = _with_marks(groups, parts[mark & ~high], size)
    groups += _groups(left, size, shape, _stretched(left, size))
    return [_segment(group) for group in groups]


def _groups(parts: Boxes, size: float, shape: tuple[int, int], stretched: Boxes | None = None) -> list[Boxes]:
    """Parts that stand close together on one height; they may be stretched, to touch."""
    if not len(parts):
        return []
    painted = np.zeros(shape, dtype=np.uint8)
    x0, y0, x1, y1 = parts.T if stretched is None else stretched.T
    reach = np.maximum(GAP * np.maximum(size, (y1 - y0) * (y1 - y0 > LARGEST_LETTER * size) / LETTER), 1).astype(
        np.int32
    )
    inset = ((y1 - y0) * (1 - BAND) / 2).astype(np.int32)
    tops, ends = y0 + inset, np.maximum(y1 - inset, y0 + inset + 1)
    for left, top, right, bottom in zip(x0.tolist(), tops.tolist(), (x1 + reach).tolist(), ends.tolist(), strict=True):
        painted[top:bottom, left:right] = 1
    _, label = cv2.connectedComponents(painted, connectivity=8)
    number = label[(tops + ends) // 2, np.minimum((x0 + x1) // 2, shape[1] - 1)]
    order = np.argsort(number, kind="stable")
    cuts = np.flatnonzero(np.diff(number[order])) + 1
    return [parts[group] for group in np.split(order, cuts)]


def _hulls(groups: list[Boxes]) -> Boxes:
    return np.array([around(group.tolist()) for group in groups], dtype=np.int32).reshape(-1, 4)


def _joins_lines(high: Boxes, hulls: Boxes) -> npt.NDArray[np.bool_]:
    """Which high parts are letters of two lines that touch: beside them lines stand above each other."""
    found = np.zeros(len(high), dtype=bool)
    for number, (x0, y0, x1, y1) in enumerate(high.tolist()):
        tall = y1 - y0
        near = (hulls[:, 0] < x1 + tall) & (hulls[:, 2] > x0 - tall)
        middle = (hulls[:, 1] + hulls[:, 3]) / 2
        near &= (middle > y0) & (middle < y1)
        beside = hulls[near]
        found[number] = len(beside) > 1 and int(beside[:, 3].min()) <= int(beside[:, 1].max())
    return found


def _owner(parts: Boxes, hulls: Boxes, across: float, above: float, below: float) -> npt.NDArray[np.int64]:
    """Around which box the middle of each part stands, -1 for none; of several, the nearest in height."""
    owner = np.full(len(parts), -1, dtype=np.int64)
    if not len(hulls) or not len(parts):
        return owner
    x, y = (parts[:, 0] + parts[:, 2]) / 2, (parts[:, 1] + parts[:, 3]) / 2
    order = np.argsort(y, kind="stable")
    ys = y[order]
    distance = np.full(len(parts), np.inf)
    for number, (x0, y0, x1, y1) in enumerate(hulls.tolist()):
        first, last = np.searchsorted(ys, (y0 - above, y1 + below))
        near = order[first:last]
        near = near[(x[near] >= x0 - across) & (x[near] <= x1 + across)]
        off = np.abs(y[near] - (y0 + y1) / 2)
        closer = near[off < distance[near]]
        owner[closer] = number
        distance[closer] = np.abs(y[closer] - (y0 + y1) / 2)
    return owner


def _with_marks(groups: list[Boxes], marks: Boxes, size: float) -> tuple[list[Boxes], Boxes]:
    """The groups with the points, dashes and accents that belong to them, and the marks that belong to none."""
    owner = _owner(marks, _hulls(groups), BESIDE * size, ABOVE * size, BELOW * size)
    if not len(marks):
        return groups, marks
    for number in np.unique(owner[owner >= 0]).tolist():
        groups[number] = np.concatenate([groups[number], marks[owner == number]])
    return groups, marks[owner < 0]


def _stretched(marks: Boxes, size: float) -> Boxes:
    """Marks as high as letters, so that those of one line touch: rows of dots, and dashes in cells."""
    middle = (marks[:, 1] + marks[:, 3]) // 2
    half = max(round(LETTER * size / 2), 1)
    return np.stack([marks[:, 0], np.maximum(middle - half, 0), marks[:, 2], middle + half], axis=1).astype(np.int32)


def _segment(letters: Boxes) -> Segment:
    return Segment(around(letters.tolist()), letters)
