"""Two published outlier scores: histograms, and the distance to the nearest neighbours."""

import numpy as np
import numpy.typing as npt

from sightline.arrays import FloatArray
from sightline.errors import UsageError

__all__ = ["hbos", "nearest_neighbours"]


AT_ONCE = 1_024  # rows whose distances to all others are in memory at a time: 40 MB for ten thousand rows


def hbos(matrix: FloatArray, bins: int | None = None) -> FloatArray:
    """The histogram-based outlier score (Goldstein & Dengel 2012): the sum over columns of how rare a row's bin is.

    There are √n bins of equal width by default; the highest bar of each column counts as 1.

    >>> hbos(np.array([[0.0], [0.0], [0.0], [9.0]])).round(2).tolist()
    [0.0, 0.0, 0.0, 1.1]
    """
    rows = len(matrix)
    if rows == 0 or matrix.shape[1] == 0:
        return np.zeros(rows)
    count = bins or max(2, int(np.sqrt(rows)))
    low, high = matrix.min(axis=0), matrix.max(axis=0)
    varied = high > low
    if not varied.any():
        return np.zeros(rows)
    inner = matrix[:, varied]
    width = (high - low)[varied] / count
    place = np.clip(((inner - low[varied]) / width).astype(np.int64), 0, count - 1)
    columns = np.arange(inner.shape[1])
    bars = np.bincount((place + columns * count).ravel(), minlength=count * inner.shape[1]).reshape(-1, count)
    score: FloatArray = np.log(bars.max(axis=1) / bars[columns, place]).sum(axis=1)
    return score


def nearest_neighbours(matrix: FloatArray, k: int, distance: str = "mean") -> FloatArray:
    """The Euclidean distance of each row to its k nearest neighbours: their mean, or that of the k-th.

    Equal rows are computed once: on real pages most rows are equal. If there are fewer than k others, all count.

    >>> nearest_neighbours(np.array([[0.0], [1.0], [3.0]]), k=2).tolist()
    [2.0, 1.5, 2.5]
    """
    if k < 1:
        raise UsageError(f"The number of neighbours must be at least 1, not {k}.")
    if distance not in ("mean", "kth"):
        raise UsageError(f"The distance to neighbours must be 'mean' or 'kth', not {distance!r:.60}.")
    rows = len(matrix)
    if rows < 2:
        return np.zeros(rows)
    distinct, place, count = np.unique(matrix, axis=0, return_inverse=True, return_counts=True)
    score = _neighbours(distinct - distinct.mean(axis=0), count, min(k, rows - 1), distance)
    found: FloatArray = score[place.reshape(-1)]
    return found


def _neighbours(rows: FloatArray, count: npt.NDArray[np.int64], k: int, distance: str) -> FloatArray:
    """The scores of distinct rows, each of which occurs `count` times."""
    square = (rows**2).sum(axis=1)
    score = np.empty(len(rows))
    most = min(k + 1, len(rows))  # every distinct row stands for at least one neighbour
    for start in range(0, len(rows), AT_ONCE):
        part = rows[start : start + AT_ONCE]
        far = square[start : start + AT_ONCE, None] + square[None, :] - 2 * part @ rows.T
        closest = (
            np.argpartition(far, most - 1, axis=1)[:, :most]
            if most < len(rows)
            else np.tile(np.arange(len(rows)), (len(part), 1))
        )
        away = np.sqrt(np.maximum(np.take_along_axis(far, closest, axis=1), 0))
        order = np.argsort(away, axis=1, kind="stable")
        away, times = np.take_along_axis(away, order, axis=1), count[np.take_along_axis(closest, order, axis=1)].copy()
        times[:, 0] -= 1  # a row is not its own neighbour, but is the closest
        until = np.minimum(np.cumsum(times, axis=1), k)
        used = np.diff(until, axis=1, prepend=0)
        if distance == "mean":
            score[start : start + AT_ONCE] = (away * used).sum(axis=1) / np.maximum(until[:, -1], 1)
        else:
            score[start : start + AT_ONCE] = np.where(used > 0, away, 0).max(axis=1)
    return score
