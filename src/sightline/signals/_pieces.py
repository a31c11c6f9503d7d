"""The texts of a page as people take them in: lines, and the pieces of a line that lead to different places.

A line goes on until a block, a cell or a break parts it. A piece of it is one link, or what stands
between links or wide gaps.
What only makes letters bold or slanted parts nothing. Columns of records are made of pieces that have one make.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.page import Page, nearest
from sightline.signals._leaves import texts_of
from sightline.signals._units import borders_of

__all__ = ["DECORATION", "Pieces"]

# Tags that change how a text looks but not what it is.
DECORATION = (
    *("b", "strong", "em", "i", "mark", "u", "small", "big", "font", "wbr", "sup", "sub", "nobr", "code", "ins"),
    *("abbr", "cite", "q", "tt", "kbd", "samp", "var", "bdi", "bdo", "center"),
)
# Of the height of a line. A space is about a quarter of it wide; at twice that people see two things.
GAP = 0.5


@dataclass(frozen=True, eq=False)
class Pieces:
    """The texts that can be read, in order, and for each the line and the piece that it is in, and where it hangs.

    >>> from sightline.testing import list_page
    >>> pieces = Pieces(list_page(["one", "two"]))
    >>> pieces.text.tolist(), (pieces.line - pieces.line[0]).tolist()
    ([4, 6], [0, 2])
    """

    page: Page

    @cached_property
    def text(self) -> IntArray:
        """The readable text nodes."""
        return np.flatnonzero(texts_of(self.page)).astype(np.int32)

    @cached_property
    def line(self) -> IntArray:
        """A number for the line of each text."""
        return borders_of(self.page)[self.text]

    @cached_property
    def link(self) -> IntArray:
        """The link that each text is in, or -1."""
        return nearest(self.page.parent, self._tagged("a"))[self.text].astype(np.int32)

    @cached_property
    def piece(self) -> IntArray:
        """A number for the piece of each text."""
        changes = (np.diff(self.line) != 0) | (np.diff(self.link) != 0) | (np.diff(self._struck) != 0) | self._apart
        return prefix_sum(changes)[: len(self.text)].astype(np.int32)

    @cached_property
    def _struck(self) -> IntArray:
        """The element that strikes out each text, or -1: an old price is not part of the new one."""
        return nearest(self.page.parent, self._tagged("s", "del", "strike"))[self.text].astype(np.int32)

    @cached_property
    def _apart(self) -> BoolArray:
        """Where two neighbouring texts of different elements are further apart on their line than words are."""
        words = self.page.words
        if len(self.text) < 2 or not len(words):
            return np.zeros(max(0, len(self.text) - 1), dtype=bool)
        first = np.minimum(np.searchsorted(words.node, self.text), len(words) - 1)
        last = np.searchsorted(words.node, self.text, side="right") - 1
        before, after = words.box[last[:-1]], words.box[first[1:]]
        height = np.minimum(before[:, 3] - before[:, 1], after[:, 3] - after[:, 1])
        apart: BoolArray = (after[:, 0] - before[:, 2] > GAP * height) & (np.diff(self.holder) != 0)
        return apart

    @cached_property
    def holder(self) -> IntArray:
        """The element that makes each text what it is: the nearest that does more than decorate it."""
        holds = ~(self.page.is_text | self._tagged(*DECORATION))
        return nearest(self.page.parent, holds)[self.text].astype(np.int32)

    def _tagged(self, *names: str) -> BoolArray:
        return self.page.mask(*names)
