"""Classes of nodes with one tag path, exactly k of them, grown up to the items that they are parts of."""

from collections.abc import Iterator

import numpy as np

from sightline.arrays import IntArray
from sightline.extract.lists._page_signals import PageSignals

__all__ = ["grown", "path_classes", "path_lists"]


def path_classes(seen: PageSignals, counts: range) -> Iterator[IntArray]:
    """The nodes of each tag path that so many nodes with something to see have."""
    nodes = seen.inked
    path = seen.page.path[nodes]
    order = np.argsort(path, kind="stable")
    bounds = np.flatnonzero(np.diff(path[order], prepend=-1, append=-1))
    size = np.diff(bounds)
    for place in np.flatnonzero((size >= counts.start) & (size < counts.stop)).tolist():
        yield nodes[order[bounds[place] : bounds[place + 1]]]


def grown(parent: IntArray, nodes: IntArray) -> IntArray:
    """The highest ancestors of some nodes of one depth, in their order, that are still one for each of them.

    >>> grown(np.array([-1, 0, 1, 0, 3], dtype=np.int32), np.array([2, 4], dtype=np.int32)).tolist()
    [1, 3]
    """
    while True:
        above = parent[nodes]
        # Nodes of one depth stand in the order of their parents, so that equal ones are neighbours.
        if above[0] < 0 or (above[1:] == above[:-1]).any():
            return nodes
        nodes = above


def path_lists(seen: PageSignals, counts: range) -> dict[bytes, IntArray]:
    """All lists that classes of so many nodes grow up to; classes that are parts of the same items give one list."""
    lists: dict[bytes, IntArray] = {}
    for nodes in path_classes(seen, counts):
        items = grown(seen.page.parent, nodes)
        lists.setdefault(items.tobytes(), items)
    return lists
