"""Remove what stands among records without being one, and regions that are really the row of a table."""

from bisect import bisect_left
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.extract.lists._page_signals import LINE, PLAIN, PageSignals
from sightline.extract.lists._region import Region

CELLS = ("td", "th")
RICH = 2  # parts of a record; the cells of a data table have one
# The least likeness of a record to the others together. Of 2,778 records of the truth 0.1 % are below it, and of the
# 55 other units that stand among them 21 are.
LIKE_THE_REST = 0.35
# Shares of a region's records: so many must have words before one without any is dropped, and so many must remain.
MOSTLY_WORDS = 0.5
MOST_LIKE = 0.6


def without_unlike(signals: PageSignals, regions: list[Region], least: int) -> list[Region]:
    """The regions without units that only stand among their records: a headline, "more results", an advertisement."""
    if not regions:
        return []
    start, stop = (
        np.concatenate([region.start for region in regions]),
        np.concatenate([region.stop for region in regions]),
    )
    count = np.array([len(region) for region in regions], dtype=np.int64)
    bound = prefix_sum(count)
    owner = np.repeat(np.arange(len(regions), dtype=np.int64), count)
    rows = signals.profiles.of(start, stop)
    mean = np.add.reduceat(rows, bound[:-1], axis=0)
    length = np.maximum(np.linalg.norm(mean, axis=1), 1e-9)
    likeness = np.einsum("ij,ij->i", rows, mean[owner]) / length[owner]
    words = signals.below(start, stop, signals.tallies.words)
    wordy = np.bincount(owner, weights=words > 0) > MOSTLY_WORDS * count
    kept = (likeness >= LIKE_THE_REST) & ((words > 0) | ~wordy[owner])
    # A unit with the others' class that only lacks some of their parts is a record all the same.
    parts = signals.leaves.searchsorted(stop) - signals.leaves.searchsorted(start)
    usual = np.bincount(owner, weights=parts) / count
    kept |= _same_class(signals, start, owner, count) & (words > 0) & (parts < usual[owner])
    return [
        _select(region, kept[low:high])
        if least <= (left := int(kept[low:high].sum())) < len(region) and left >= MOST_LIKE * len(region)
        else region
        for region, low, high in zip(regions, bound[:-1].tolist(), bound[1:].tolist(), strict=True)
    ]


def _same_class(
    signals: PageSignals, start: IntArray, owner: npt.NDArray[np.int64], count: npt.NDArray[np.int64]
) -> BoolArray:
    """Which records have exactly the class that most records of their region have."""
    classes = signals.classes[start]
    keys = owner * (len(signals.page.strings) + 1) + classes + 1
    _, place, number = np.unique(keys, return_inverse=True, return_counts=True)
    same: BoolArray = (classes >= 0) & (number[place] > count[owner] / 2)
    return same


def _select(region: Region, kept: BoolArray) -> Region:
    level = None if region.level is None else region.level[kept]
    return replace(region, start=region.start[kept], stop=region.stop[kept], level=level)


def is_row(signals: PageSignals, region: Region) -> bool:
    """Whether a region is a row of a data table: its cells have one part each, those of a grid of cards several."""
    if region.tag not in CELLS:
        return False
    parts = np.searchsorted(signals.leaves, region.stop) - np.searchsorted(signals.leaves, region.start)
    return bool(np.median(parts) < RICH)


# Join lists that were split into several containers, such as columns, rows or groups.

# Parts of a list are in containers that meet within so many steps up, with at most so many words between them.
FAR = 3
MOST_BETWEEN = 12
SAME_CLASSES = 0.5  # of the classes of two containers, or of two records, for them to be of one kind


def join_regions(signals: PageSignals, regions: list[Region]) -> list[Region]:
    """Join lists that were split into several containers, such as columns or rows of cards."""
    by_make: dict[tuple[str, str, int], list[list[Region]]] = {}
    for region in sorted(regions, key=lambda region: int(region.start[0])):
        chains = by_make.setdefault((region.how, region.tag, int(signals.page.path[region.parent])), [])
        if chains and _continues_list(signals, chains[-1], region):
            chains[-1].append(region)
        else:
            chains.append([region])
    return [_concatenate(chain) for chains in by_make.values() for chain in chains]


def _continues_list(signals: PageSignals, chain: list[Region], other: Region) -> bool:
    """Whether a region is the next part of a list: close behind it, in a similar container, with nothing between."""
    last_part = chain[-1]
    if last_part.how != "units" or last_part.tag == LINE or last_part.parent == other.parent:
        return False
    page = signals.page
    start, stop = int(last_part.stop[-1]), int(other.start[0])
    if start > stop or _steps_to_meeting(page.parent, last_part.parent, other.parent) > FAR:
        return False
    headings, words = (
        signals.headings[stop] - signals.headings[start],
        signals.tallies.words[stop] - signals.tallies.words[start],
    )
    if headings:
        if headings > 1 or words > MOST_BETWEEN or not _is_grouped(signals, chain[0], last_part, other):
            return False
    elif words > (0 if last_part.tag in PLAIN else MOST_BETWEEN):
        return False
    if not _same_make(signals, last_part.parent, other.parent):
        return False
    return not is_row(signals, last_part)


def _is_grouped(signals: PageSignals, first: Region, last_part: Region, other: Region) -> bool:
    """Whether a heading between two parts only separates groups of one list.

    It does when the records have the same classes, or when the first of these headings stands right below a higher
    one, which then heads them all.
    """
    classes, other_classes = signals.tokens(int(last_part.start[0])), signals.tokens(int(other.start[0]))
    if classes and len(classes & other_classes) >= SAME_CLASSES * len(classes | other_classes):
        return True
    nodes, levels = signals.heading_nodes, signals.heading_levels
    place = int(nodes.searchsorted(first.start[0])) - 1
    between = int(nodes.searchsorted(other.start[0])) - 1
    if place < 1 or levels[between] != levels[place] or not 1 < levels[place - 1] < levels[place]:
        return False
    low, high = signals.texts.searchsorted([signals.page.end[nodes[place - 1]], nodes[place]])
    return bool(low == high)


def _same_make(signals: PageSignals, first: int, other: int) -> bool:
    """Whether two containers, and those around them up to where they meet, share most of their classes."""
    while first != other:
        classes, other_classes = signals.tokens(first), signals.tokens(other)
        if len(classes & other_classes) < SAME_CLASSES * len(classes | other_classes):
            return False
        first, other = int(signals.page.parent[first]), int(signals.page.parent[other])
    return True


def _steps_to_meeting(parent: IntArray, first: int, other: int) -> int:
    """The number of steps up at which two nodes of one depth meet."""
    steps = 0
    while first != other and steps <= FAR:
        first, other, steps = int(parent[first]), int(parent[other]), steps + 1
    return steps


def _concatenate(chain: list[Region]) -> Region:
    if len(chain) == 1:
        return chain[0]
    start, stop = np.concatenate([part.start for part in chain]), np.concatenate([part.stop for part in chain])
    return replace(chain[0], start=start, stop=stop, parents=tuple(part.parent for part in chain))


# Flatten records nested in records of their own kind, such as a thread of comments or a tree of topics.
#
# Each record keeps its own part, up to where the first record in it begins, and its depth.


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
