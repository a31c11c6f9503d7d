"""The result of every HTML reader: the tree, texts and attributes of a page in columns."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.page import Attributes, NumberedStrings, depths, ends

__all__ = ["StringTable", "Tree", "shallow", "too_deep"]


@dataclass(frozen=True)
class Tree:
    """The columns of a page that need no layout.

    Where that is known, nothing in it is deeper than `deepest`, and `numbered` are the strings, numbered by first use.
    """

    strings: tuple[str, ...]
    parent: IntArray
    end: IntArray
    tag: IntArray
    text: IntArray
    attributes: Attributes
    deepest: int | None = None
    numbered: NumberedStrings | None = None

    def first(self, count: int) -> "Tree":
        """The first nodes in document order: always a tree, since a parent comes before its children."""
        return self.kept(np.arange(len(self.parent)) < count)

    def flattened(self, limit: int) -> "Tree":
        """The same nodes with none deeper than `limit`: deeper nodes move up to their ancestor one level above it."""
        if self.deepest is not None and self.deepest <= limit:
            return self
        parent = shallow(self.parent, limit)
        return self if parent is self.parent else replace(self, parent=parent, end=ends(parent), deepest=limit)

    def kept(self, keep: BoolArray) -> "Tree":
        """The nodes to keep; the parent of each must be among them."""
        before = prefix_sum(keep).astype(np.int32)
        parent = self.parent[keep]
        return Tree(
            strings=self.strings,
            parent=np.where(parent >= 0, before[parent], parent).astype(np.int32),
            end=before[self.end[keep]],
            tag=self.tag[keep],
            text=self.text[keep],
            attributes=self.attributes.take(np.flatnonzero(keep).astype(np.int32)),
        )


def shallow(parent: IntArray, limit: int) -> IntArray:
    """The parents in the tree with nothing deeper than `limit`; the same array when that is so already."""
    if len(parent) <= limit or (depth := depths(parent)).max(initial=0) <= limit:
        return parent
    above = np.maximum.accumulate(np.where(depth == limit - 1, np.arange(len(depth)), 0))
    return np.where(depth > limit, above, parent).astype(np.int32)


def too_deep(limit: int) -> str:
    """The note on a page that was flattened."""
    return f"The page nests deeper than {limit:,} levels; what is deeper was flattened (limit: depth)."


class StringTable:
    """Numbers strings by first appearance."""

    def __init__(self) -> None:
        self._number: defaultdict[str, int] = defaultdict(count().__next__)

    def numbers(self, strings: Iterable[str], amount: int) -> IntArray:
        """The number of each string."""
        return np.fromiter(map(self._number.__getitem__, strings), np.int32, amount)

    def table(self) -> tuple[str, ...]:
        """All strings by their number."""
        return tuple(self._number)
