"""Records in records of their own kind: a thread of comments, a tree of topics. All of them become one list.

Each record keeps what is its own, up to where the first record in it begins, and how deep it stands.
"""

from dataclasses import replace

import numpy as np

from sightline.arrays import IntArray
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._region import Region

__all__ = ["unfolded"]


def unfolded(seen: PageSignals, regions: list[Region]) -> list[Region]:
    """The regions, with those that hold records of their own kind laid out flat, and without the lists of these."""
    result: list[Region] = []
    taken: set[int] = set()
    for region in sorted(regions, key=lambda one: (int(one.start[0]), -int(one.stop[-1]))):
        if int(region.start[0]) in taken:
            continue
        inner = _same_kind(seen, region)
        flat = _flat(seen, region, inner) if len(inner) else region
        if flat is not region:
            taken.update(inner.tolist())
        result.append(flat)
    return result


def _same_kind(seen: PageSignals, region: Region) -> IntArray:
    """The nodes in a region's records that are called what all of its records are called."""
    page = seen.page
    nothing = region.start[:0]
    tag = page.string_id(region.tag)
    if region.how != "units" or tag < 0 or seen.classes[region.start[0]] < 0:
        return nothing
    first, last = int(region.start[0]), int(region.stop[-1])
    nodes = np.flatnonzero(page.tag[first:last] == tag).astype(np.int32) + first
    if len(nodes) <= len(region):
        return nothing
    nodes = nodes[~np.isin(nodes, region.start) & (seen.classes[nodes] >= 0)]
    place = np.searchsorted(region.start, nodes, side="right") - 1
    nodes = nodes[nodes < region.stop[place]]
    if not len(nodes):
        return nothing
    records = region.start.tolist()
    common = frozenset.intersection(*(seen.tokens(node) for node in records))
    openings = {_opening(seen, node) for node in records}
    alike = [
        node
        for node in nodes.tolist()
        if common and 2 * len(common & seen.tokens(node)) >= len(common) and _opening(seen, node) in openings
    ]
    return np.array(alike, dtype=np.int32)


def _opening(seen: PageSignals, node: int) -> tuple[int, int]:
    """Tag and class of the first element in a node: frames in frames share a class, and begin with different things."""
    page = seen.page
    child = node + 1
    while child < page.end[node] and page.is_text[child]:
        child += 1
    return (int(page.tag[child]), seen.class_list[child]) if child < page.end[node] else (-1, -1)


def _flat(seen: PageSignals, region: Region, inner: IntArray) -> Region:
    start = np.sort(np.concatenate([region.start, inner])).astype(np.int32)
    stop = seen.page.end[start]
    following = np.append(start[1:], len(seen.page))
    # A record ends where the next begins, be it behind it or in it.
    own = np.minimum(stop, following).astype(np.int32)
    if (seen.leaves.searchsorted(own) == seen.leaves.searchsorted(start)).any():
        return region  # frames in frames, which show nothing of their own
    return replace(region, start=start, stop=own, level=np.array(_levels(start, stop), dtype=np.int32))


def _levels(start: IntArray, stop: IntArray) -> list[int]:
    """In how many others each of some nested ranges lies."""
    levels: list[int] = []
    around: list[int] = []
    for first, last in zip(start.tolist(), stop.tolist(), strict=True):
        while around and around[-1] <= first:
            around.pop()
        levels.append(len(around))
        around.append(last)
    return levels
