"""The beginning of a text on its page: where title, byline and date are looked for."""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from sightline.arrays import BoolArray
from sightline.data import Value, origin_at
from sightline.geometry import as_box, union_of
from sightline.page import Page
from sightline.signals import NodeNumbers, TextBlocks

__all__ = ["SEARCHED", "Beginning"]

SEARCHED = 40  # blocks before and after the beginning of the text in which names and dates are looked for


class Beginning:
    """The blocks around the beginning of a text."""

    def __init__(self, blocks: TextBlocks, kept: BoolArray) -> None:
        self.blocks, self.kept = blocks, kept
        self.page: Page = blocks.page

    @cached_property
    def first(self) -> int:
        """The first block of the text."""
        return int(np.argmax(self.kept)) if self.kept.any() else 0

    @cached_property
    def last(self) -> int:
        """The last block of the text."""
        return len(self.kept) - 1 - int(np.argmax(self.kept[::-1])) if self.kept.any() else 0

    @cached_property
    def begin(self) -> int:
        """The block with which the text, or its heading, begins."""
        above = self.first_headings[self.first_headings <= self.first]
        return int(above[-1]) if len(above) else self.first

    @cached_property
    def first_headings(self) -> NodeNumbers:
        """Visible headings of the first level, in order."""
        return np.flatnonzero(self.blocks.inside(self.page.with_tag("h1")) & self.blocks.visible)

    @cached_property
    def around(self) -> NodeNumbers:
        """The blocks near the beginning of the text: those closest after it first, then those before it."""
        rows = np.arange(max(0, self.begin - SEARCHED), min(len(self.blocks), self.begin + SEARCHED + 1))
        far = np.where(rows >= self.begin, rows - self.begin, 2 * (self.begin - rows))
        nearest_first: NodeNumbers = rows[np.argsort(far, kind="stable")]
        return nearest_first

    def near(self, wanted: Callable[[str], bool]) -> Iterator[int]:
        """The blocks near the beginning with a wanted text; hidden ones only if none is visible."""
        rows = self.around
        yield from self.seen_first(rows[[wanted(self.blocks.texts[row]) for row in rows.tolist()]])

    def seen_first(self, rows: NodeNumbers) -> Iterator[int]:
        """The visible ones of some blocks; all of them if none is."""
        visible = rows[self.blocks.visible[rows]]
        yield from (visible if len(visible) else rows).tolist()

    def row_of(self, node: int) -> int:
        """The block at a node, or the next after it."""
        return int(np.searchsorted(self.blocks.start, node))

    def value(self, rows: Sequence[int], text: str) -> Value:
        """A text that is read in some blocks, or in a part of them, with its place."""
        blocks = self.blocks
        nodes = np.concatenate([blocks.nodes[blocks.first[row] : blocks.first[row + 1]] for row in rows])
        box = union_of(map(as_box, blocks.boxes[list(rows)]))
        return Value(text, None, origin_at(self.page, nodes[~self.page.is_blank[nodes]], box))
