"""Texts and places of many parts of a page at once: each is read only once, however many lists it is in."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from sightline.data import Origin, Value
from sightline.extract.lists._page_signals import PageSignals
from sightline.geometry import is_box

__all__ = ["NodeSpan", "SpanReader"]

NodeSpan = tuple[int, int]
"""From one node up to another."""


@dataclass(frozen=True, eq=False)
class SpanReader:
    """Reads spans of nodes in bulk and keeps what it has read."""

    seen: PageSignals
    _values: dict[NodeSpan, Value] = field(default_factory=dict)
    _later: list[NodeSpan] = field(default_factory=list)

    def read_later(self, spans: Iterable[NodeSpan]) -> None:
        """Read these spans with those that are read next: reading many costs little more than reading one."""
        self._later.extend(spans)

    def read(self, spans: Iterable[NodeSpan]) -> None:
        """Read all spans that are not known yet."""
        fresh = list(dict.fromkeys(span for span in (*self._later, *spans) if span not in self._values))
        self._later.clear()
        if not fresh:
            return
        start, stop = np.ascontiguousarray(np.array(fresh, dtype=np.int64).T)
        texts = self.seen.page.texts_between(start, stop)
        self._values.update(zip(fresh, map(Value, texts, [None] * len(fresh), self._origins(start, stop)), strict=True))

    def value(self, span: NodeSpan) -> Value:
        """What was read there."""
        return self._values[span]

    def place(self, node: int) -> Origin:
        """Where one node is."""
        page = self.seen.page
        x0, y0, x1, y1 = page.box[node].tolist()
        where = None if x0 != x0 else (x0, y0, x1, y1)
        return Origin(page.whole_id, (self.seen.numbers[node],), where, page.sheet_of(where))

    def _origins(self, start: np.ndarray, stop: np.ndarray) -> list[Origin]:
        """Where spans are: the node that is all of one, or else all texts and pictures of it."""
        page = self.seen.page
        first, last = np.searchsorted(self.seen.leaves, start), np.searchsorted(self.seen.leaves, stop)
        is_node = page.end[np.minimum(start, len(page) - 1)] == stop
        box = self._boxes(first, last)
        box[is_node] = page.box[start[is_node]]
        numbers, leaves, whole = self.seen.numbers, self.seen.leaf_list, page.whole_id
        boxes = [None if own[0] != own[0] else (own[0], own[1], own[2], own[3]) for own in box.tolist()]
        return [
            Origin(
                whole,
                (numbers[low],) if one else tuple([numbers[leaf] for leaf in leaves[begin:end]]),
                own,
                page.sheet_of(own),
            )
            for low, one, begin, end, own in zip(
                start.tolist(), is_node.tolist(), first.tolist(), last.tolist(), boxes, strict=True
            )
        ]

    def _boxes(self, first: np.ndarray, last: np.ndarray) -> np.ndarray:
        """The boxes around ranges of texts and pictures; NaN around nothing."""
        box = self.seen.page.box[self.seen.leaves]
        known = is_box(box)
        low = np.where(known[:, None], box[:, :2], np.inf)
        high = np.where(known[:, None], box[:, 2:], -np.inf)
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
