"""Read the texts and places of many parts of a page at once; each is read only once, however many lists it is in."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from sightline.data import Origin, Value, origin_of, origins_at
from sightline.extract.lists._page_signals import PageSignals
from sightline.geometry import is_box

__all__ = ["NodeSpan", "SpanReader"]

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
        self._values.update(zip(fresh, map(Value, texts, [None] * len(fresh), self._origins(start, stop)), strict=True))

    def value(self, span: NodeSpan) -> Value:
        """The value read at a span."""
        return self._values[span]

    def place(self, node: int) -> Origin:
        """Where a node is."""
        return origin_of(self.signals.page, [node])

    def _origins(self, start: np.ndarray, stop: np.ndarray) -> list[Origin]:
        """Where spans are: the node that is all of a span, or else all texts and pictures in it."""
        page = self.signals.page
        first, last = np.searchsorted(self.signals.leaves, start), np.searchsorted(self.signals.leaves, stop)
        is_node = page.end[np.minimum(start, len(page) - 1)] == stop
        box = self._boxes(first, last)
        box[is_node] = page.box[start[is_node]]
        leaves = self.signals.leaf_list
        boxes = [None if edges[0] != edges[0] else (edges[0], edges[1], edges[2], edges[3]) for edges in box.tolist()]
        nodes = [
            (low,) if is_whole else leaves[begin:end]
            for low, is_whole, begin, end in zip(
                start.tolist(), is_node.tolist(), first.tolist(), last.tolist(), strict=True
            )
        ]
        return origins_at(page, nodes, boxes)

    def _boxes(self, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """The boxes around ranges of texts and pictures; NaN around nothing."""
        box = self.signals.page.box[self.signals.leaves]
        has_box = is_box(box)
        low = np.where(has_box[:, None], box[:, :2], np.inf)
        high = np.where(has_box[:, None], box[:, 2:], -np.inf)
        result = np.full((len(first), 4), np.nan, dtype=np.float32)
        some = np.flatnonzero(last > first)
        if not len(some):
            return result
        bounds = np.column_stack([first[some], last[some]]).ravel()
        ceiling = np.vstack([low, [[np.inf, np.inf]]]), np.vstack([high, [[-np.inf, -np.inf]]])
        result[some, :2] = np.minimum.reduceat(ceiling[0], bounds)[::2]
        result[some, 2:] = np.maximum.reduceat(ceiling[1], bounds)[::2]
        result[~np.isfinite(result).all(axis=1)] = np.nan
        return result
