"""Flatten records nested in records of their own kind, such as a thread of comments or a tree of topics.

Each record keeps its own part, up to where the first record in it begins, and its depth.
"""

from bisect import bisect_left
from dataclasses import replace

import numpy as np

from sightline.arrays import IntArray
from sightline.extract.lists._page_signals import PageSignals
from sightline.extract.lists._region import Region

__all__ = ["flatten_threads"]


def flatten_threads(signals: PageSignals, regions: list[Region]) -> list[Region]:
    """The regions, with those that hold records of their own kind flattened, and without the lists of these records."""
    result: list[Region] = []
    flattened: set[int] = set()
    for region in sorted(regions, key=lambda region: (int(region.start[0]), -int(region.stop[-1]))):
        if int(region.start[0]) in flattened:
            continue
        inner = _same_kind(signals, region)
        flat = _flatten(signals, region, inner) if len(inner) else region
        if flat is not region:
            flattened.update(inner.tolist())
        result.append(flat)
    return result


def _same_kind(signals: PageSignals, region: Region) -> IntArray:
    """Nodes inside a region's records that have the tag and classes of those records."""
    page = signals.page
    nothing = region.start[:0]
    tag = page.tag_id(region.tag)
    if region.how != "units" or tag < 0 or signals.classes[region.start[0]] < 0:
        return nothing
    of_tag = signals.nodes_with(tag)
    low, high = bisect_left(of_tag, int(region.start[0])), bisect_left(of_tag, int(region.stop[-1]))
    if high - low <= len(region):
        return nothing
    nodes = np.array(of_tag[low:high], dtype=np.int32)
    place = region.start.searchsorted(nodes, side="right") - 1
    inside = (nodes != region.start[place]) & (nodes < region.stop[place])
    nodes = nodes[inside & (signals.classes[nodes] >= 0)]
    if not len(nodes):
        return nothing
    records = region.start.tolist()
    common = frozenset.intersection(*(signals.tokens(node) for node in records))
    if not common:
        return nothing
    openings = {_opening(signals, node) for node in records}
    values = signals.classes[nodes].tolist()
    shares = {value: 2 * len(common & signals.class_tokens(value)) >= len(common) for value in set(values)}
    alike = [
        node
        for node, value in zip(nodes.tolist(), values, strict=True)
        if shares[value] and _opening(signals, node) in openings
    ]
    return np.array(alike, dtype=np.int32)


def _opening(signals: PageSignals, node: int) -> tuple[int, int]:
    """Tag and class of a node's first element: nested wrappers share a class, but begin with different things."""
    page = signals.page
    child = node + 1
    while child < page.end[node] and page.is_text[child]:
        child += 1
    return (int(page.tag[child]), signals.class_list[child]) if child < page.end[node] else (-1, -1)


def _flatten(signals: PageSignals, region: Region, inner: IntArray) -> Region:
    start = np.sort(np.concatenate([region.start, inner])).astype(np.int32)
    stop = signals.page.end[start]
    following = np.append(start[1:], len(signals.page))
    # A record ends where the next begins, whether behind it or inside it.
    own_stop = np.minimum(stop, following).astype(np.int32)
    if (signals.leaves.searchsorted(own_stop) == signals.leaves.searchsorted(start)).any():
        return region  # nested wrappers with no content of their own
    return replace(region, start=start, stop=own_stop, level=np.array(_levels(start, stop), dtype=np.int32))


def _levels(start: IntArray, stop: IntArray) -> list[int]:
    """How many of the other ranges each nested range lies in."""
    levels: list[int] = []
    around: list[int] = []
    for first, last in zip(start.tolist(), stop.tolist(), strict=True):
        while around and around[-1] <= first:
            around.pop()
        levels.append(len(around))
        around.append(last)
    return levels
