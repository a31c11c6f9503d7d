"""The blocks of a page: the laid-out boxes that are not part of a line of text, as a tree of their own.

Inline elements are how a text looks; blocks are where things stand. Everything that reasons about places starts here.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray
from sightline.geometry import BoxArray, is_box
from sightline.page import ABSENT, Page, nearest, subtree_counts

__all__ = ["LayoutBlocks", "Spread", "layout_blocks"]

INLINE = ("inline", "contents", "ruby", "ruby-text", "ruby-base")
# Invisible boxes that browsers still give a place: columns of a table are not rendered (CSS 2.1, 17.2).
UNSEEN = ("table-column", "table-column-group")
REPLACED = ("img", "svg", "canvas", "video", "object", "input", "select", "textarea", "button", "meter", "progress")
# An empty box thinner than this is a rule, a spacer or a cleared float, not an empty cell.
THINNEST_EMPTY = 4.0
# Neighbours may overlap by so many pixels and still count as side by side: shared borders, rounding.
OVERLAP = 2.0


@dataclass(frozen=True, eq=False)
class Spread:
    """How the children of each block are arranged: side by side, one below the other, or neither."""

    beside: BoolArray
    stacked: BoolArray


@dataclass(frozen=True, eq=False)
class LayoutBlocks:
    """The blocks in document order. `ink` counts words and pictures; `own_ink` those outside all child blocks."""

    node: IntArray
    end: IntArray
    box: BoxArray
    parent: IntArray
    ink: IntArray
    own_ink: IntArray
    caption: BoolArray

    def __len__(self) -> int:
        return len(self.node)

    @cached_property
    def children(self) -> tuple[IntArray, IntArray]:
        """All children, sorted by parent and then document order, and where those of each block start."""
        order = np.argsort(self.parent, kind="stable").astype(np.int32)
        start = np.searchsorted(self.parent[order], np.arange(len(self) + 1)).astype(np.int32)
        return order, start

    @cached_property
    def count(self) -> IntArray:
        """How many children each block has."""
        return np.diff(self.children[1]).astype(np.int32)

    @cached_property
    def only(self) -> IntArray:
        """The only child, if it contains everything that a block contains, or -1."""
        order, start = self.children
        lone = (self.count == 1) & (self.own_ink == 0)
        return np.where(lone, order[np.minimum(start[:-1], len(order) - 1)], -1).astype(np.int32)

    @cached_property
    def spread(self) -> Spread:
        """How the children of each block are arranged."""
        return Spread(beside=self._apart(0) & self._meet(1), stacked=self._apart(1))

    def _apart(self, axis: int) -> BoolArray:
        """Which blocks have two or more children that do not overlap along an axis."""
        inner = np.flatnonzero(self.parent >= 0)
        low, high, parent = self.box[inner, axis], self.box[inner, axis + 2], self.parent[inner]
        order = np.lexsort((low, parent))
        low, high, parent = low[order], high[order], parent[order]
        overlap = (parent[1:] == parent[:-1]) & (low[1:] < high[:-1] - OVERLAP)
        clash = np.bincount(parent[1:][overlap], minlength=len(self)) > 0
        apart: BoolArray = (self.count > 1) & ~clash
        return apart

    def _meet(self, axis: int) -> BoolArray:
        """Which blocks have children that all cross one line perpendicular to an axis."""
        inner = np.flatnonzero(self.parent >= 0)
        low = np.full(len(self), -np.inf, dtype=np.float32)
        high = np.full(len(self), np.inf, dtype=np.float32)
        np.maximum.at(low, self.parent[inner], self.box[inner, axis])
        np.minimum.at(high, self.parent[inner], self.box[inner, axis + 2])
        meet: BoolArray = low < high - OVERLAP
        return meet


def layout_blocks(page: Page) -> LayoutBlocks:
    """The blocks of a rendered page; a page without layout has none.

    >>> from sightline.testing import grid_page
    >>> blocks = layout_blocks(grid_page([["a", "b"], ["c", "d"]]))
    >>> [int(number) for number in blocks.count]
    [1, 1, 2, 2, 0, 0, 2, 0, 0]
    """
    within = subtree_counts(_ink(page), page.end)
    width, height = page.box[:, 2] - page.box[:, 0], page.box[:, 3] - page.box[:, 1]
    empty = page.visible & (np.minimum(width, height) >= THINNEST_EMPTY)
    # Anything that contains ink is a block even if it has no size, such as a row whose cells all float.
    chosen = is_box(page.box) & ~page.is_text & ~_is_no_block(page) & ((within > 0) | empty)
    node = np.flatnonzero(chosen).astype(np.int32)
    parent = _block_parents(page, chosen, node)
    ink = within[node]
    inner = np.flatnonzero(parent >= 0)
    given = np.bincount(parent[inner], weights=ink[inner], minlength=len(node))
    own_ink = np.maximum(ink - given.astype(np.int32), 0)
    caption = page.style_column("display")[node] == page.style_id("table-caption")
    return LayoutBlocks(
        node, page.end[node], page.box[node], parent, ink, own_ink, caption & (page.style_id("table-caption") >= 0)
    )


def _block_parents(page: Page, chosen: BoolArray, node: IntArray) -> IntArray:
    place = np.full(len(page) + 1, -1, dtype=np.int32)
    place[node] = np.arange(len(node), dtype=np.int32)
    above = nearest(page.parent, chosen)[page.parent[node]]
    parent: IntArray = place[above]
    return parent


def _is_no_block(page: Page) -> BoolArray:
    display = page.style_column("display")
    others = np.zeros(len(page.strings) + 1, dtype=bool)
    others[[page.style_id(name) for name in (*INLINE, *UNSEEN)]] = True
    others[ABSENT] = False
    return others[display]


def _ink(page: Page) -> npt.NDArray[np.int64]:
    """What is visible at each node: its words, or one picture or control."""
    words = np.bincount(page.words.node, minlength=len(page))
    words[page.with_tag(*REPLACED)] += 1
    return np.where(page.visible, words, 0)
