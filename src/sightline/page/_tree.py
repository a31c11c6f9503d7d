"""The tree in columns: depths, ends, positions among siblings, tag paths. All functions take and give arrays."""

import numpy as np

from sightline.page._columns import IntArray, frozen

__all__ = ["depths", "ends", "levels", "path_ids", "positions", "subtree_counts"]

ROOT = -1


def depths(parent: IntArray) -> IntArray:
    """How many ancestors each node has, by pointer doubling: a few passes whatever the depth."""
    depth = (parent >= 0).astype(np.int32)
    ancestor = np.append(parent, ROOT)  # the last row stands for "above the root" and points at itself
    depth = np.append(depth, 0)
    while (ancestor[:-1] >= 0).any():
        depth = depth + depth[ancestor]
        ancestor = ancestor[ancestor]
    return frozen(depth[:-1])


def levels(depth: IntArray) -> list[IntArray]:
    """The nodes of each depth, from the root downwards, each in document order."""
    if not len(depth):
        return []
    order = np.argsort(depth, kind="stable").astype(np.int32)
    return np.split(order, np.cumsum(np.bincount(depth))[:-1])


def ends(parent: IntArray) -> IntArray:
    """Where each subtree ends, from the parents of a pre-order.

    A subtree ends at the next node of the same depth, or where the parent's ends, whichever comes first.
    """
    count = len(parent)
    end = np.full(count, count, dtype=np.int32)
    for level in levels(depths(parent)):
        following = np.append(level[1:], np.int32(count))
        above = parent[level]
        limit = np.where(above >= 0, end[above], count)
        end[level] = np.minimum(following, limit)
    return frozen(end)


def subtree_counts(marked: np.ndarray, end: IntArray) -> IntArray:
    """How many marked nodes each subtree holds, itself included: one cumulative sum."""
    total = np.concatenate([[0], np.cumsum(marked)])
    return frozen((total[end] - total[:-1]).astype(np.int32))


def positions(parent: IntArray, tag: IntArray) -> IntArray:
    """The 1-based position of each node among its siblings of the same tag, as XPath counts."""
    order = np.lexsort((np.arange(len(parent)), tag, parent))
    new_group = np.ones(len(parent), dtype=bool)
    new_group[1:] = (np.diff(parent[order]) != 0) | (np.diff(tag[order]) != 0)
    rank = np.arange(len(parent))
    start = np.maximum.accumulate(np.where(new_group, rank, 0))
    position = np.empty(len(parent), dtype=np.int32)
    position[order] = rank - start + 1
    return frozen(position)


def path_ids(parent: IntArray, tag: IntArray) -> tuple[IntArray, list[tuple[int, int]]]:
    """A number for the tag path of each node, and for each number its (parent's number, tag)."""
    path = np.zeros(len(parent), dtype=np.int32)
    table: list[tuple[int, int]] = []
    width = int(tag.max(initial=0)) + 1
    for level in levels(depths(parent)):
        above = np.where(parent[level] >= 0, path[parent[level]], ROOT).astype(np.int64)
        keys, inverse = np.unique((above + 1) * width + tag[level], return_inverse=True)
        path[level] = inverse + len(table)
        table.extend((int(key) // width - 1, int(key) % width) for key in keys)
    return frozen(path), table
