"""Remove what stands among records without being one, and regions that are really the cells of a table."""

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
# The least likeness of a record to the others together. Of 2,778 records of the truth 0.1 % are below it, and of the
# 55 other units that stand among them 21 are.
LIKE_THE_REST = 0.35
# Shares of a region's records: so many must have words before one without any is dropped, and so many must remain.
MOSTLY_WORDS = 0.5
MOST_LIKE = 0.6
# Cells: the least number of them, the share that is a single text, and the share of numbers in a column.
FEWEST_CELLS = 6
MOST_SINGLE = 0.8
MOST_NUMBERS = 0.6


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


def are_cells(signals: PageSignals, region: Region) -> bool:
    """Whether the records are cells of a table: single texts in rows and columns, words in some, numbers in others."""
    if region.how != "units" or region.tag in ITEMS or region.tag in PLAIN or len(region) < FEWEST_CELLS:
        return False
    first, last = signals.texts.searchsorted(region.start), signals.texts.searchsorted(region.stop)
    if (last - first > 1).mean() > 1 - MOST_SINGLE or not (last > first).all():
        return False
    box = signals.page.box[region.start]
    columns, place = np.unique(np.round(box[:, 0]), return_inverse=True)
    if np.isnan(box).any() or not 1 < len(columns) <= len(region) // 2:
        return False
    strings, text = signals.page.strings, signals.page.text
    is_number = np.array(
        [text_kind(strings[text[node]].strip()) == TextKind.NUMBER for node in signals.texts[first].tolist()]
    )
    share = np.bincount(place, weights=is_number) / np.bincount(place)
    return bool((share >= MOST_NUMBERS).any() and (share <= 1 - MOST_NUMBERS).any())
