"""Classes of exactly k nodes with one tag path, and the items that they are parts of."""

from collections.abc import Iterator

import numpy as np

from sightline.arrays import IntArray
from sightline.extract.lists._page_signals import PageSignals

__all__ = ["expand_to_items", "path_classes", "path_lists"]


def path_classes(signals: PageSignals, counts: range) -> Iterator[IntArray]:
    """For each tag path with a visible node count in `counts`, its nodes."""
    nodes = signals.visible_nodes
    path = signals.page.path[nodes]
    order = np.argsort(path, kind="stable")
    bounds = np.flatnonzero(np.diff(path[order], prepend=-1, append=-1))
    size = np.diff(bounds)
    for place in np.flatnonzero((size >= counts.start) & (size < counts.stop)).tolist():
        yield nodes[order[bounds[place] : bounds[place + 1]]]


def expand_to_items(parent: IntArray, nodes: IntArray) -> IntArray:
    """The highest ancestors of some nodes of one depth, in their order, that are still different for each node.

    >>> expand_to_items(np.array([-1, 0, 1, 0, 3], dtype=np.int32), np.array([2, 4], dtype=np.int32)).tolist()
    [1, 3]
    """
    while True:
        above = parent[nodes]
        # Nodes of one depth are in the order of their parents, so equal parents are neighbours.
        if above[0] < 0 or (above[1:] == above[:-1]).any():
            return nodes
        nodes = above


def path_lists(signals: PageSignals, counts: range) -> dict[bytes, IntArray]:
    """All lists of items found from classes of so many nodes; classes within the same items give one list."""
    lists: dict[bytes, IntArray] = {}
    for nodes in path_classes(signals, counts):
        items = expand_to_items(signals.page.parent, nodes)
        lists.setdefault(items.tobytes(), items)
    return lists
