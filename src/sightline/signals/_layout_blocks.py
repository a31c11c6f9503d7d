"""The blocks of a page: the laid-out boxes that are not part of a line of text, as a tree of their own.

Inline elements are how a text looks; blocks are where things stand. Everything that reasons about places starts here.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray
from sightline.geometry import BoxArray, is_box
from sightline.page import ABSENT, Page, nearest, subtree_counts

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


# The cells of a table by its tags, with the columns that they take where some span several.

MOST_ROWS = 65_534  # that a cell spans, as browsers have it
LONGEST_SPAN = 6  # digits; whoever writes more does not mean it

GridCell = tuple[int, int, int]
"""A cell: its node, its first column, and how many columns it spans."""


def grid_cells(
    rows: Sequence[Sequence[int]], span: Callable[[int, str], int], *, widest: int
) -> Iterator[list[GridCell]]:
    """The cells of each row with their columns, heeding those that reach down from rows above.

    `span` tells how many a cell spans by `colspan` or `rowspan`, and `widest` is the most columns of one.

    >>> def span(node, name):
    ...     return 2 if node == 1 else 1
    >>> [[column for _, column, _ in row] for row in grid_cells([[1, 2], [3, 4]], span, widest=100)]
    [[0, 2], [2, 3]]
    """
    reaching: dict[int, int] = {}  # by column, for how many rows more it is taken
    for row in rows:
        placed: list[GridCell] = []
        column = 0
        taken = {place: left - 1 for place, left in reaching.items() if left > 1}
        for node in row:
            while column in reaching:
                column += 1
            width = min(max(span(node, "colspan"), 1), widest)
            height = min(max(span(node, "rowspan"), 1), MOST_ROWS)
            placed.append((node, column, width))
            if height > 1:
                taken |= dict.fromkeys(range(column, column + width), height - 1)
            column += width
        reaching = taken
        yield placed


def span_of(text: str) -> int:
    """How many rows or columns an attribute says; 1 if it says no number, or an absurd one.

    >>> span_of(" 3 "), span_of("all"), span_of("")
    (3, 1, 1)
    """
    digits = text.strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= LONGEST_SPAN else 1
