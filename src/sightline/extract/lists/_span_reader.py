"""Read the texts and places of many parts of a page at once; each is read only once, however many lists it is in."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from sightline.arrays import BoolArray, IntArray
from sightline.data import Origin, Value, origin_of, origins_at, values_at
from sightline.extract.lists._page_signals import PageSignals
from sightline.geometry import BoxArray

__all__ = ["NodeSpan", "SpanReader", "span_boxes"]

NodeSpan = tuple[int, int]
"""From one node up to, but not including, another."""


@dataclass(frozen=True, eq=False)
class SpanReader:
    """Reads spans of nodes in bulk and caches them."""

    signals: PageSignals
    _values: dict[NodeSpan, Value] = field(default_factory=dict)
    _later: list[NodeSpan] = field(default_factory=list)

    def read_later(self, spans: Iterable[NodeSpan]) -> None:
        """Read these spans along with the next: reading many costs little more than reading one."""
        self._later.extend(spans)

    def read(self, spans: Iterable[NodeSpan]) -> None:
        """Read all spans that have not been read yet."""
        fresh = list(dict.fromkeys(span for span in (*self._later, *spans) if span not in self._values))
        self._later.clear()
        if not fresh:
            return
        start, stop = np.ascontiguousarray(np.array(fresh, dtype=np.int64).T)
        texts = self.signals.page.texts_between(start, stop)
        self._values.update(zip(fresh, values_at(texts, self._origins(start, stop)), strict=True))

    def value(self, span: NodeSpan) -> Value:
        """The value read at a span."""
        return self._values[span]

    def place(self, node: int) -> Origin:
        """Where a node is."""
        return origin_of(self.signals.page, [node])

    def _origins(self, start: np.ndarray, stop: np.ndarray) -> list[Origin]:
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


def span_boxes(signals: PageSignals, start: IntArray, stop: IntArray) -> tuple[BoolArray, BoxArray]:
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
