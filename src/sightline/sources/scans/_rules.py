"""Step 2 of a scan: lines that were drawn, such as the edges of tables. Letters are looked at without them."""

from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from sightline.sources.scans._ink import Gray

# By judgement, in sizes of the type; the whole is measured by `python -m bench.pdf.scans`.
LONG_ACROSS = 2.0  # a long dash measures 1.0
LONG_DOWN = 1.25  # a bracket measures 1.0, and the row of a table that is set tight as much as this
THICK = 0.3  # a bar that is thicker is a drawing
BROKEN = 0.12  # how wide a gap is that noise tears into a line
SLIM = 8.0  # how many times longer than thick a line is at least
AROUND = 2  # dots around a line that belong to its blurred edge


class DrawnLines(NamedTuple):
    """Boxes of lines in dots, x0, y0, x1, y1, and where their ink is."""

    boxes: npt.NDArray[np.float32]
    mask: Gray


def find_rules(ink: Gray, size: float) -> DrawnLines:
    """The lines across and down on a picture whose type has this size in dots."""
    across, mask_across = _along(ink, LONG_ACROSS * size, size)
    down, mask_down = _along(np.ascontiguousarray(ink.T), LONG_DOWN * size, size)
    boxes = np.concatenate([across, down[:, [1, 0, 3, 2]]])
    return DrawnLines(boxes, np.asarray(mask_across | mask_down.T, dtype=np.uint8))


def _along(ink: Gray, length: float, size: float) -> tuple[npt.NDArray[np.float32], Gray]:
    """The lines across, and their ink.

    A line that drifts by a dot or two, since the sheet isn't quite straight, is found as pieces that touch.
    """
    gap = max(round(BROKEN * size), 1)
    runs = _long_runs(ink, gap, max(round(length), 3))
    count, label, stats, _ = cv2.connectedComponentsWithStats(runs, connectivity=8)
    found: list[tuple[float, float, float, float]] = []
    is_line = np.zeros(count, dtype=np.uint8)
    for number, (left, top, wide, tall, area) in enumerate(stats[1:].tolist(), 1):
        thick = area / wide
        if thick > THICK * size or wide < SLIM * thick:
            continue
        is_line[number] = 1
        middle = top + tall / 2
        found.append((left, middle - thick / 2, left + wide, middle + thick / 2))
    mask = cv2.dilate(is_line[label], np.ones((2 * AROUND + 1, 2 * AROUND + 1), np.uint8)) if found else is_line[label]
    return np.array(found, dtype=np.float32).reshape(-1, 4), np.asarray(mask, dtype=np.uint8)


def _long_runs(ink: Gray, gap: int, least: int) -> Gray:
    """The ink of runs across of at least a length, over gaps narrower than another.

    What OpenCV has for this takes ten times as long, since it looks at every dot as often as a line is long.
    """
    tall, wide = ink.shape
    dots = np.zeros((tall, wide + 1), dtype=np.int8)  # with an empty one behind each row
    dots[:, :wide] = ink
    edges = np.flatnonzero(np.diff(dots.ravel(), prepend=0))
    starts, ends = edges[::2], edges[1::2]
    fresh = np.ones(len(starts), dtype=bool)
    fresh[1:] = (starts[1:] - ends[:-1] >= gap) | (starts[1:] // (wide + 1) != starts[:-1] // (wide + 1))
    first = np.flatnonzero(fresh)
    starts, ends = starts[first], ends[np.append(first[1:], len(starts)) - 1] if len(first) else ends
    is_long = ends - starts >= least
    steps = np.zeros(tall * (wide + 1), dtype=np.int8)
    steps[starts[is_long]], steps[ends[is_long]] = 1, -1
    return np.ascontiguousarray(np.cumsum(steps, dtype=np.int8).reshape(tall, wide + 1)[:, :wide]).astype(np.uint8)
