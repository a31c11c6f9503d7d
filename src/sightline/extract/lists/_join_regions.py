"""Join lists that were split into several containers, such as columns, rows or groups."""

from dataclasses import replace

import numpy as np

from sightline.arrays import IntArray
from sightline.extract.lists._clean_regions import is_row
from sightline.extract.lists._page_signals import LINE, PLAIN, PageSignals
from sightline.extract.lists._region import Region

__all__ = ["join_regions"]

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
