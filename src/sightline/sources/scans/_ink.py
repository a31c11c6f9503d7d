"""Step 1 of a scan: what is ink on a picture, and how far the sheet lies askew."""

import math
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

Gray: TypeAlias = npt.NDArray[np.uint8]
"""A picture, (height, width), 0 for black."""

# By judgement, on sheets of 150 to 300 dots an inch; the whole is measured by `python -m bench.pdf.scans`.
COARSE = 8  # light and shade are looked at on a picture so many times smaller
SHADE = 9  # dots of the small picture: the surroundings in which some paper is seen between the letters
DARKEST_PAPER = 40  # lightness: darker surroundings are a picture, not paper
LEAST_INK, MOST_INK = 90, 190  # lightness: where an empty or a dark sheet would set the threshold elsewhere
FILLED = 0.6  # of the dots of a box that are dark: it is filled, and what is written in it is light
LEAST_FILL = 3  # dots of the small picture: how high and wide such a box is at least
EDGE = 0.85  # of the dots of a row or column that are dark, at the edge of such a box: letters have no such edge
DARK = 185  # lightness of a filled box at most
DISTINCT = 40  # how much lighter or darker than the box the letters in it are

MOST_SKEW = 6.0  # degrees; a sheet that lies further askew was laid so on purpose
COARSE_STEP, FINE_STEP = 0.25, 0.02  # degrees
LEAST_SKEW = 0.03  # degrees: along a line of 2,000 dots, a drift of one
MOST_POINTS = 60_000  # of the ink, from which the skew is read
SURE = 1.02  # how much sharper the rows must be at another angle than as the sheet lies


def gray_of(picture: npt.NDArray[np.uint8]) -> Gray:
    """The lightness of a picture in red, green and blue."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), dtype=np.uint8)


class Leveled(NamedTuple):
    """A picture with white paper and dark letters everywhere, and the filled boxes that were on it."""

    picture: Gray
    fills: npt.NDArray[np.float32]


def leveled(gray: Gray) -> Leveled:
    """The picture without shade, and without colours behind the text."""
    gray, fills = _without_fills(gray)
    small = _small(gray)
    lightest = cv2.dilate(small, np.ones((SHADE, SHADE), np.uint8))
    paper = np.maximum(cv2.blur(lightest, (SHADE, SHADE)), DARKEST_PAPER)
    shade = cv2.resize(paper, gray.shape[::-1], interpolation=cv2.INTER_LINEAR)
    return Leveled(np.asarray(cv2.divide(gray, shade, scale=255), dtype=np.uint8), fills)


def ink_of(level: Gray) -> Gray:
    """Where ink is, 1 or 0, on a picture that was leveled."""
    otsu, _ = cv2.threshold(level, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    threshold = min(max(otsu, LEAST_INK), MOST_INK)
    return np.asarray(level < threshold, dtype=np.uint8)


def _small(gray: Gray) -> Gray:
    """The picture without details: each dot the lightest of its surroundings, since letters are dark."""
    tall, wide = (max(side // COARSE, 1) for side in gray.shape)
    small = cv2.resize(gray, (wide, tall), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def _without_fills(gray: Gray) -> tuple[Gray, npt.NDArray[np.float32]]:
    """The picture with white in place of filled boxes, such as the dark heading of a table, and these boxes."""
    dark = (_small(gray) < DARK).astype(np.uint8)
    closed = cv2.morphologyEx(dark, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    boxes = np.asarray(cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((LEAST_FILL,) * 2, np.uint8)), dtype=np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(boxes, connectivity=4)
    turned, found = gray, list[tuple[int, int, int, int]]()
    for left, top, wide, tall, area in stats[1:count].tolist():
        if area < FILLED * wide * tall:
            continue
        box = _trimmed(gray, [side * COARSE for side in (left - 1, top - 1, left + wide + 1, top + tall + 1)])
        if box is None:
            continue
        turned = gray.copy() if turned is gray else turned
        found.append(box)
        x0, y0, x1, y1 = box
        turned[y0:y1, x0:x1] = _on_white(gray[y0:y1, x0:x1])
    return turned, np.array(found, dtype=np.float32).reshape(-1, 4)


def _on_white(box: Gray) -> Gray:
    """A filled box as dark letters on white, whether these were darker or lighter than what it is filled with."""
    fill = int(np.median(box))
    light, dark = int((box > fill + DISTINCT).sum()), int((box < fill - DISTINCT).sum())
    white = (255 - box.astype(np.float32)) / max(255 - fill, 1) if light > dark else box / np.float32(max(fill, 1))
    return np.asarray((white * 255).clip(0, 255), dtype=np.uint8)


def _trimmed(gray: Gray, box: list[int]) -> tuple[int, int, int, int] | None:
    """A box from its first to its last row and column that are filled; None if there are none."""
    x0, y0 = max(box[0], 0), max(box[1], 0)
    dark = gray[y0 : max(box[3], 0), x0 : max(box[2], 0)] < DARK
    if not dark.size:
        return None
    rows, columns = (np.flatnonzero(dark.mean(axis=axis) > FILLED / 2) for axis in (1, 0))
    if not len(rows) or not len(columns):
        return None
    inner = dark[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    rows, columns = (
        first + np.flatnonzero(inner.mean(axis=axis) > EDGE) for first, axis in ((rows[0], 1), (columns[0], 0))
    )
    if len(rows) < LEAST_FILL or len(columns) < LEAST_FILL:
        return None
    return x0 + int(columns[0]), y0 + int(rows[0]), x0 + int(columns[-1]) + 1, y0 + int(rows[-1]) + 1


# ------------------------------------------------------------------ skew


def skew_of(ink: Gray) -> float:
    """By how many degrees, clockwise, the lines of text lie off the horizontal; 0 where that is not clear."""
    y, x = np.nonzero(ink)
    if len(y) < 2:
        return 0.0
    chosen = np.linspace(0, len(y) - 1, min(len(y), MOST_POINTS)).astype(np.int64)
    points = x[chosen].astype(np.float32) - ink.shape[1] / 2, y[chosen].astype(np.float32)
    bin_size = max(ink.shape[0] / 1600, 1.0)  # finer than a third of a line of text
    coarse = np.arange(-MOST_SKEW, MOST_SKEW + COARSE_STEP / 2, COARSE_STEP)
    best = _sharpest(points, coarse, bin_size)
    fine = np.arange(best - COARSE_STEP, best + COARSE_STEP + FINE_STEP / 2, FINE_STEP)
    best = _sharpest(points, fine, bin_size)
    if abs(best) < LEAST_SKEW or abs(best) >= MOST_SKEW:
        return 0.0
    return best if _sharpness(points, best, bin_size) > SURE * _sharpness(points, 0.0, bin_size) else 0.0


def _sharpest(
    points: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]], angles: npt.NDArray[np.float64], bin_size: float
) -> float:
    scores = [_sharpness(points, angle, bin_size) for angle in angles.tolist()]
    return float(angles[int(np.argmax(scores))])


def _sharpness(points: tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]], angle: float, bin_size: float) -> float:
    """How much the ink gathers in some rows, if rows lie at this angle."""
    x, y = points
    row = (y - x * np.float32(math.tan(math.radians(angle)))) / np.float32(bin_size)
    row -= row.min()
    counts = np.bincount(row.astype(np.int32)).astype(np.float64)
    return float((counts * counts).sum())


def moved(boxes: npt.NDArray[np.float32], angle: float, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Where boxes are on a picture of this shape after it was straightened; they keep their size."""
    centre = np.array([shape[1] / 2, shape[0] / 2], dtype=np.float32)
    middle, half = (boxes[:, :2] + boxes[:, 2:]) / 2 - centre, (boxes[:, 2:] - boxes[:, :2]) / 2
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    middle = middle @ np.array([[cos, -sin], [sin, cos]], dtype=np.float32) + centre
    return np.concatenate([middle - half, middle + half], axis=1).astype(np.float32)


def straightened(gray: Gray, angle: float) -> Gray:
    """The picture turned against the clock by some degrees, in its old size, with white corners."""
    if not angle:
        return gray
    tall, wide = gray.shape
    turn = cv2.getRotationMatrix2D((wide / 2, tall / 2), angle, 1.0)
    turned = cv2.warpAffine(gray, turn, (wide, tall), flags=cv2.INTER_LINEAR, borderValue=255.0)
    return np.asarray(turned, dtype=np.uint8)
