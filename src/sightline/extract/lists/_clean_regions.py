"""What stands among records and is none, and what looks like records and is the cells of a table."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.extract.lists._page_signals import ITEMS, PLAIN, PageSignals
from sightline.extract.lists._region import Region
from sightline.signals import TextKind, text_kind

__all__ = ["CELLS", "RICH", "are_cells", "is_row", "without_unlike"]

CELLS = ("td", "th")
RICH = 2  # parts of a record; the cells of a data table have one
# How much a record must be made like the others together. Of 2,778 records of the truth 0.1 % are below it, and of
# the 55 others that stand among them 21 are.
LIKE_THE_REST = 0.35
# Of the records of a region: so many must have words for one without any to be none, and so many must be left.
MOSTLY_WORDS = 0.5
MOST_LIKE = 0.6
# Cells: how many there must be, the share of them that is a single text, and that of the numbers in a column.
FEWEST_CELLS = 6
MOST_SINGLE = 0.8
MOST_NUMBERS = 0.6


def without_unlike(seen: PageSignals, regions: list[Region], least: int) -> list[Region]:
    """The regions without what stands among their records and is none: a headline, "more results", an advertisement."""
    if not regions:
        return []
    start, stop = np.concatenate([one.start for one in regions]), np.concatenate([one.stop for one in regions])
    count = np.array([len(region) for region in regions], dtype=np.int64)
    bound = prefix_sum(count)
    owner = np.repeat(np.arange(len(regions), dtype=np.int64), count)
    rows = seen.profiles.of(start, stop)
    mean = np.add.reduceat(rows, bound[:-1], axis=0)
    length = np.maximum(np.linalg.norm(mean, axis=1), 1e-9)
    likeness = np.einsum("ij,ij->i", rows, mean[owner]) / length[owner]
    words = seen.below(start, stop, seen.tallies.words)
    wordy = np.bincount(owner, weights=words > 0) > MOSTLY_WORDS * count
    kept = (likeness >= LIKE_THE_REST) & ((words > 0) | ~wordy[owner])
    # What is called as the others are and only lacks parts that they have is a record all the same.
    parts = seen.leaves.searchsorted(stop) - seen.leaves.searchsorted(start)
    usual = np.bincount(owner, weights=parts) / count
    kept |= _same_class(seen, start, owner, count) & (words > 0) & (parts < usual[owner])
    return [
        _part_of(region, kept[low:high])
        if least <= (left := int(kept[low:high].sum())) < len(region) and left >= MOST_LIKE * len(region)
        else region
        for region, low, high in zip(regions, bound[:-1].tolist(), bound[1:].tolist(), strict=True)
    ]


def _same_class(
    seen: PageSignals, start: IntArray, owner: npt.NDArray[np.int64], count: npt.NDArray[np.int64]
) -> BoolArray:
    """Which records have the very class that most records of their region have: they say what they are."""
    classes = seen.classes[start]
    keys = owner * (len(seen.page.strings) + 1) + classes + 1
    _, place, number = np.unique(keys, return_inverse=True, return_counts=True)
    same: BoolArray = (classes >= 0) & (number[place] > count[owner] / 2)
    return same


def _part_of(region: Region, kept: BoolArray) -> Region:
    level = None if region.level is None else region.level[kept]
    return replace(region, start=region.start[kept], stop=region.stop[kept], level=level)


def is_row(seen: PageSignals, region: Region) -> bool:
    """Whether a region is a row of a data table: its cells have one part each, those of a grid of cards several."""
    if region.tag not in CELLS:
        return False
    parts = np.searchsorted(seen.leaves, region.stop) - np.searchsorted(seen.leaves, region.start)
    return bool(np.median(parts) < RICH)


def are_cells(seen: PageSignals, region: Region) -> bool:
    """Whether the records are cells of a table: single texts in rows and columns, words in some, numbers in others."""
    if region.how != "units" or region.tag in ITEMS or region.tag in PLAIN or len(region) < FEWEST_CELLS:
        return False
    first, last = seen.texts.searchsorted(region.start), seen.texts.searchsorted(region.stop)
    if (last - first > 1).mean() > 1 - MOST_SINGLE or not (last > first).all():
        return False
    box = seen.page.box[region.start]
    columns, place = np.unique(np.round(box[:, 0]), return_inverse=True)
    if np.isnan(box).any() or not 1 < len(columns) <= len(region) // 2:
        return False
    strings, text = seen.page.strings, seen.page.text
    is_number = np.array(
        [text_kind(strings[text[node]].strip()) == TextKind.NUMBER for node in seen.texts[first].tolist()]
    )
    share = np.bincount(place, weights=is_number) / np.bincount(place)
    return bool((share >= MOST_NUMBERS).any() and (share <= 1 - MOST_NUMBERS).any())
