"""What stands one after another inside each element: its blocks, and the lines of text between them.

Repetition is looked for among these. A line is a run of texts and inline elements that no block parts, so that a word
in bold is no unit of its own; a break (`<br>`) begins a new line.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sightline.arrays import BoolArray, IntArray
from sightline.page import Page, subtree_counts
from sightline.signals._leaves import leaves_of

__all__ = ["Units", "borders_of", "units_of"]


@dataclass(frozen=True, eq=False)
class Units:
    """All units, those of one element together and in order: from node `start` up to `stop`.

    `line` tells lines of text from blocks, `first` is where the units of each of the `parent`s begin.
    """

    start: IntArray
    stop: IntArray
    line: BoolArray
    parent: IntArray
    first: IntArray

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def of(self) -> dict[int, int]:
        """The index of each parent's units in `first`."""
        return {parent: place for place, parent in enumerate(self.parent.tolist())}


def units_of(page: Page) -> Units:
    """The units of a page.

    >>> from sightline.testing import list_page
    >>> units = units_of(list_page(["one", "two"]))
    >>> units.start.tolist(), units.parent.tolist()
    ([1, 2, 3, 5, 4, 6], [0, 1, 2, 3, 5])
    """
    inked = subtree_counts(leaves_of(page), page.end) > 0
    child = np.flatnonzero(inked & (page.parent >= 0))
    child = child[np.argsort(page.parent[child], kind="stable")]
    parent = page.parent[child]
    blocks = page.is_block | page.is_cell
    line = subtree_counts(blocks, page.end)[child] == 0
    borders = borders_of(page)
    same = (parent[1:] == parent[:-1]) & line[1:] & line[:-1] & (borders[child[1:]] == borders[child[:-1]])
    begins = np.concatenate([[True], ~same])[: len(child)]
    head = np.flatnonzero(begins)
    last = np.append(head[1:], len(child))[: len(head)] - 1
    holder = parent[head]
    first = np.flatnonzero(np.concatenate([[True], holder[1:] != holder[:-1]])[: len(holder)])
    return Units(
        start=child[head].astype(np.int32),
        stop=page.end[child[last]],
        line=line[head],
        parent=holder[first].astype(np.int32),
        first=np.append(first, len(head)).astype(np.int32),
    )


def borders_of(page: Page) -> IntArray:
    """How many blocks and cells have begun or ended up to each node; texts with one number are read as one line."""
    blocks, cells = page.borders
    return blocks + cells
