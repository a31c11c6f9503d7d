"""Boxes: plain functions on arrays of x0, y0, x1, y1 (CSS pixels, origin top left, y downwards).

A missing box is NaN in all four places; every function here says whether it propagates or ignores NaN.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

__all__ = [
    "NO_BOX",
    "Box",
    "BoxArray",
    "area",
    "around",
    "as_box",
    "contains",
    "intersection",
    "is_box",
    "union",
    "union_of",
]

N = TypeVar("N", int, float)

Box: TypeAlias = tuple[float, float, float, float]
BoxArray: TypeAlias = npt.NDArray[np.float32]

NO_BOX: Box = (float("nan"),) * 4


def as_box(row: npt.ArrayLike) -> Box | None:
    """One row as a plain tuple, or None if it is not a box.

    >>> as_box([0, 0, 10.5, 2])
    (0.0, 0.0, 10.5, 2.0)
    """
    x0, y0, x1, y1 = (float(value) for value in np.asarray(row, dtype=np.float64))
    return None if x0 != x0 else (x0, y0, x1, y1)


def is_box(boxes: BoxArray) -> npt.NDArray[np.bool_]:
    """Which rows are boxes."""
    return ~np.isnan(boxes[..., 0])


def area(boxes: BoxArray) -> npt.NDArray[np.float32]:
    """The area of every row; NaN where there is no box.

    >>> float(area(np.float32([0, 0, 4, 2])))
    8.0
    """
    result: npt.NDArray[np.float32] = (boxes[..., 2] - boxes[..., 0]) * (boxes[..., 3] - boxes[..., 1])
    return result


def union(boxes: BoxArray) -> Box | None:
    """The smallest box around all rows that are boxes, or None when none is.

    >>> union(np.float32([[0, 0, 1, 1], [5, 5, 6, 7]]))
    (0.0, 0.0, 6.0, 7.0)
    """
    present = boxes[is_box(boxes)]
    if not len(present):
        return None
    return as_box(np.concatenate([present[:, :2].min(axis=0), present[:, 2:].max(axis=0)]))


def union_of(boxes: Iterable[Box | None]) -> Box | None:
    """As `union`, for a few plain boxes.

    >>> union_of([(0, 0, 1, 1), None, (5, 5, 6, 7)])
    (0, 0, 6, 7)
    """
    known = [box for box in boxes if box is not None]
    return around(known) if known else None


def around(boxes: Iterable[Sequence[N]]) -> tuple[N, N, N, N]:
    """The smallest box around some plain boxes, at least one and none of them missing; whole numbers stay whole.

    >>> around([(0, 0, 1, 1), (5, 5, 6, 7)])
    (0, 0, 6, 7)
    """
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def intersection(boxes: BoxArray, other: BoxArray) -> BoxArray:
    """The intersection of each row with `other` (one box or as many); may have negative width or height."""
    return np.concatenate(
        [np.maximum(boxes[..., :2], other[..., :2]), np.minimum(boxes[..., 2:], other[..., 2:])], axis=-1
    )


def contains(outer: BoxArray, inner: BoxArray, *, slack: float = 0.0) -> npt.NDArray[np.bool_]:
    """Whether `outer` contains `inner`, row by row, with `slack` pixels of tolerance; False if a box is missing."""
    result: npt.NDArray[np.bool_] = (
        (outer[..., 0] <= inner[..., 0] + slack)
        & (outer[..., 1] <= inner[..., 1] + slack)
        & (outer[..., 2] >= inner[..., 2] - slack)
        & (outer[..., 3] >= inner[..., 3] - slack)
    )
    return result
