"""Lists that were split into several containers, such as columns, rows or groups, become one again."""

from dataclasses import replace

import numpy as np

from sightline.arrays import IntArray
from sightline.extract.lists._clean_regions import is_row
from sightline.extract.lists._page_signals import LINE, PLAIN, PageSignals
from sightline.extract.lists._region import Region

__all__ = ["joined"]

# Parts of a list lie in containers that meet after so many steps up, with so many words between them.
FAR = 3
MOST_BETWEEN = 12
SAME_CLASSES = 0.5  # of the classes of two containers, or of two records, for them to be of one make


def joined(seen: PageSignals, regions: list[Region]) -> list[Region]:
    """Lists that were split into several containers, such as columns or rows of cards, become one again."""
    by_make: dict[tuple[str, str, int], list[list[Region]]] = {}
    for region in sorted(regions, key=lambda region: int(region.start[0])):
        chains = by_make.setdefault((region.how, region.tag, int(seen.page.path[region.parent])), [])
        if chains and _goes_on(seen, chains[-1], region):
            chains[-1].append(region)
        else:
            chains.append([region])
    return [_chained(chain) for chains in by_make.values() for chain in chains]


def _goes_on(seen: PageSignals, chain: list[Region], other: Region) -> bool:
    """Whether a region is the next part of a list: close behind it, in a container of its make, nothing between."""
    one = chain[-1]
    if one.how != "units" or one.tag == LINE or one.parent == other.parent:
        return False
    page = seen.page
    start, stop = int(one.stop[-1]), int(other.start[0])
    if start > stop or _climb(page.parent, one.parent, other.parent) > FAR:
        return False
    headings, words = seen.headings[stop] - seen.headings[start], seen.tallies.words[stop] - seen.tallies.words[start]
    if headings:
        if headings > 1 or words > MOST_BETWEEN or not _is_grouped(seen, chain[0], one, other):
            return False
    elif words > (0 if one.tag in PLAIN else MOST_BETWEEN):
        return False
    if not _same_make(seen, one.parent, other.parent):
        return False
    return not is_row(seen, one)


def _is_grouped(seen: PageSignals, first: Region, one: Region, other: Region) -> bool:
    """Whether a heading between two parts only parts groups of one list.

    It does so when the records are called the same by their classes, or when the first of such headings stands right
    below a higher one, which then heads them all.
    """
    mine, others = seen.tokens(int(one.start[0])), seen.tokens(int(other.start[0]))
    if mine and len(mine & others) >= SAME_CLASSES * len(mine | others):
        return True
    nodes, levels = seen.heading_nodes, seen.heading_levels
    place = int(nodes.searchsorted(first.start[0])) - 1
    between = int(nodes.searchsorted(other.start[0])) - 1
    if place < 1 or levels[between] != levels[place] or not 1 < levels[place - 1] < levels[place]:
        return False
    low, high = seen.texts.searchsorted([seen.page.end[nodes[place - 1]], nodes[place]])
    return bool(low == high)


def _same_make(seen: PageSignals, one: int, other: int) -> bool:
    """Whether two containers, and those around them up to where they meet, have the same classes for the most part."""
    while one != other:
        mine, others = seen.tokens(one), seen.tokens(other)
        if len(mine & others) < SAME_CLASSES * len(mine | others):
            return False
        one, other = int(seen.page.parent[one]), int(seen.page.parent[other])
    return True


def _climb(parent: IntArray, one: int, other: int) -> int:
    """How many steps up two nodes of one depth meet."""
    steps = 0
    while one != other and steps <= FAR:
        one, other, steps = int(parent[one]), int(parent[other]), steps + 1
    return steps


def _chained(chain: list[Region]) -> Region:
    if len(chain) == 1:
        return chain[0]
    start, stop = np.concatenate([one.start for one in chain]), np.concatenate([one.stop for one in chain])
    return replace(chain[0], start=start, stop=stop, parents=tuple(one.parent for one in chain))
