"""Links between nodes that stand alike, and sums along links: what the box columns are predicted with.

A link leads from a row to an earlier one, or to -1. Keys are hashes: where two unlike rows share one, a prediction is
bad, and nothing else, since writer and reader make the same.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Keys", "at", "mixed", "path_keys", "previous", "summed"]

Keys = npt.NDArray[np.uint64]
Links = npt.NDArray[np.intp]

# Odd numbers without pattern (the golden ratio, and a mixer's constant).
STEP, SPREAD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
FOLD = np.uint64(29)


def mixed(values: npt.NDArray[Any]) -> Keys:
    """Numbers spread over all 64 bits."""
    spread = (values.astype(np.uint64) + np.uint64(1)) * SPREAD
    return spread ^ (spread >> FOLD)


def path_keys(parent: npt.NDArray[Any], tag: npt.NDArray[Any]) -> Keys:
    """A key for the tag path of each node, by pointer doubling."""
    ancestor = np.append(parent, -1).astype(np.intp)
    key = np.append(mixed(tag), np.uint64(0))
    step = np.array([STEP])  # as an array, it may overflow
    while ancestor.max(initial=-1) >= 0:
        key = key + key[ancestor] * step
        ancestor = ancestor[ancestor]
        step = step * step
    return key[:-1]


def previous(keys: npt.NDArray[Any]) -> Links:
    """The last row before each that has its key, or -1."""
    order = np.argsort(keys, kind="stable")
    same = keys[order[1:]] == keys[order[:-1]]
    link = np.full(len(keys), -1, dtype=np.intp)
    link[order[1:][same]] = order[:-1][same]
    return link


def at(values: npt.NDArray[np.int64], link: Links) -> npt.NDArray[np.int64]:
    """The value where each link leads; 0 where it leads nowhere."""
    return np.append(values, 0)[link]


def summed(values: npt.NDArray[np.int64], link: Links) -> npt.NDArray[np.int64]:
    """For each row the sum of its value and those along its links, by pointer doubling."""
    total = np.append(values, 0)
    link = np.append(link, -1)
    while link.max(initial=-1) >= 0:
        total = total + total[link]
        link = link[link]
    return total[:-1]
