"""Read the texts and places of many parts of a page at once; each is read only once, however many lists it is in."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from sightline.arrays import AnyInts, BoolArray, LongArray
from sightline.data import Origin, Value, origins_at, values_at
from sightline.extract.lists._page_signals import PageSignals
from sightline.geometry import BoxArray

NodeSpan = tuple[int, int]
"""From one node up to, but not including, another."""


@dataclass(frozen=True, eq=False)
class SpanReader:
    """Reads spans of nodes in bulk and caches them: their texts, and where they are once that matters."""

    signals: PageSignals
    _texts: dict[NodeSpan, str] = field(default_factory=dict)
    _values: dict[NodeSpan, Value] = field(default_factory=dict)

    def read(self, spans: Iterable[NodeSpan]) -> None:
        """Read the texts of all spans that have not been read yet."""
        fresh = [span for span in dict.fromkeys(spans) if span not in self._texts]
        if fresh:
            self._texts.update(zip(fresh, self.signals.page.texts_between(*_bounds(fresh)), strict=True))

    def locate(self, spans: Iterable[NodeSpan]) -> None:
        """Look up where spans that have been read are, for all that have no value yet."""
        fresh = [span for span in dict.fromkeys(spans) if span not in self._values]
        if fresh:
            texts = [self._texts[span] for span in fresh]
            self._values.update(zip(fresh, values_at(texts, self._origins(*_bounds(fresh))), strict=True))

    def text(self, span: NodeSpan) -> str:
        """The text read at a span."""
        return self._texts[span]

    def value(self, span: NodeSpan) -> Value:
        """The text read at a span, with its place."""
        return self._values[span]

    def values(self, spans: Sequence[NodeSpan]) -> list[Value]:
        """The values at some spans."""
        return list(map(self._values.__getitem__, spans))

    def _origins(self, start: LongArray, stop: LongArray) -> list[Origin]:
        """Where spans are: the node that is all of a span, or else all texts and pictures in it."""
        leaves = self.signals.leaf_list
        first, last = np.searchsorted(self.signals.leaves, start), np.searchsorted(self.signals.leaves, stop)
        is_node, box = span_boxes(self.signals, start, stop)
        boxes = [None if edges[0] != edges[0] else (edges[0], edges[1], edges[2], edges[3]) for edges in box.tolist()]
        nodes = [
            (low,) if is_whole else leaves[begin:end]
            for low, is_whole, begin, end in zip(
                start.tolist(), is_node.tolist(), first.tolist(), last.tolist(), strict=True
            )
        ]
        return origins_at(self.signals.page, nodes, boxes)


def _bounds(spans: Sequence[NodeSpan]) -> tuple[LongArray, LongArray]:
    """Where spans begin and end."""
    start, stop = zip(*spans, strict=True)
    return np.array(start, dtype=np.int64), np.array(stop, dtype=np.int64)


def span_boxes(signals: PageSignals, start: AnyInts, stop: AnyInts) -> tuple[BoolArray, BoxArray]:
    """Which spans are all of their first node, and the box of each: the node's, or around the texts and pictures."""
    page = signals.page
    is_node: BoolArray = page.end[np.minimum(start, len(page) - 1)] == stop
    box = np.full((len(start), 4), np.nan, dtype=np.float32)
    box[is_node] = page.box[start[is_node]]
    others = np.flatnonzero(~is_node)
    first, last = signals.leaves.searchsorted(start[others]), signals.leaves.searchsorted(stop[others])
    some = np.flatnonzero(last > first)
    if len(some):
        low, high = signals.leaf_corners
        bounds = np.column_stack([first[some], last[some]]).ravel()
        around = np.concatenate([np.minimum.reduceat(low, bounds)[::2], np.maximum.reduceat(high, bounds)[::2]], axis=1)
        around[~np.isfinite(around).all(axis=1)] = np.nan
        box[others[some]] = around
    return is_node, box


# -- numbers that count items: "7.", "#7 –", "Tip 7:", read from the texts of all items together --------------------
# A number at the start of one text may be part of it ("7 Cups"); numbers of a whole list that count 1, 2, 3 or 10, 9,
# 8 are not.

_NUMBER = re.compile(
    r"[^\w$€£¥]{0,4}(?:(?P<word>[^\W\d_]{1,14})\.?\s{0,3})?(?:[#№]\s?)?(?P<number>\d{1,4})"
    r"(?P<mark>(?:st|nd|rd|th)?\s?(?:[.):/\]|>ᐅ·•…](?!\d)|[-–—](?![^\W_]))[\s.):/\]|>\-–—ᐅ·•…]*|\s+|\Z)",
)
# Share of the items; a few may lack their number or have a wrong one.
MOST_COUNT = 0.6


def read_number(text: str) -> tuple[int | None, str]:
    """The number at the start of a text, and the text behind it.

    >>> read_number("#7 – Osprey Atmos"), read_number("Step 3: Rinse"), read_number("Osprey 65 pack")
    ((7, 'Osprey Atmos'), (3, 'Rinse'), (None, 'Osprey 65 pack'))
    """
    found = _NUMBER.match(text)
    if not found or (found["word"] and not _is_mark(found)):
        return None, text
    return int(found["number"]), text[found.end() :].strip()


def _is_mark(found: re.Match[str]) -> bool:
    """After a word a number counts only with a mark after it or a sign before it: "Tip 3:", "Tip #3", not "Area 51"."""
    return bool(found["mark"].strip()) or "#" in found[0] or not found["mark"]


def are_counting(numbers: Sequence[int | None]) -> bool:
    """Whether the numbers of a list count its items, up or down, with few slips.

    >>> are_counting([1, 2, 3]), are_counting([3, 2, 1]), are_counting([1, None, 3, 4])
    (True, True, True)
    >>> are_counting([5, 5, 5]), are_counting([7])
    (False, False)
    """
    numbered = [(place, number) for place, number in enumerate(numbers) if number is not None]
    if len(numbered) < 2 or len(numbered) < MOST_COUNT * len(numbers):
        return False
    offsets = [number - place for place, number in numbered], [number + place for place, number in numbered]
    best = max(max(Counter(differences).values()) for differences in offsets)
    return best >= max(2, MOST_COUNT * len(numbers))


def without_numbers(texts: Sequence[str]) -> tuple[list[int | None], list[str]]:
    """The numbers that count the texts, and the texts without them; unchanged texts if nothing counts them.

    >>> without_numbers(["2. Rigel", "1. Sirius"])
    ([2, 1], ['Rigel', 'Sirius'])
    >>> without_numbers(["7 Cups", "4 Houses"])
    ([None, None], ['7 Cups', '4 Houses'])
    """
    read = [read_number(text) for text in texts]
    if not are_counting([number for number, _ in read]):
        return [None] * len(texts), list(texts)
    return [number for number, _ in read], [rest or text for (_, rest), text in zip(read, texts, strict=True)]
