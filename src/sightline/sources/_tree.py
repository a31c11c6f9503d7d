"""What every HTML reader gives: the tree, texts and attributes of a page in columns."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from sightline.page import Attributes, BoolArray, IntArray

__all__ = ["Tree", "collector_off"]


@contextmanager
def collector_off() -> Iterator[None]:
    """Reading a page makes very many objects that all stay: looking through them again and again doubles its time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@dataclass(frozen=True)
class Tree:
    """The columns of a page that need no layout."""

    strings: tuple[str, ...]
    parent: IntArray
    end: IntArray
    tag: IntArray
    text: IntArray
    attributes: Attributes

    def first(self, count: int) -> "Tree":
        """The first nodes in document order: always a tree, since a parent comes before its children."""
        return self.kept(np.arange(len(self.parent)) < count)

    def kept(self, keep: BoolArray) -> "Tree":
        """The nodes to keep; the parent of each must be among them."""
        before = np.concatenate([[0], np.cumsum(keep)]).astype(np.int32)
        parent = self.parent[keep]
        return Tree(
            strings=self.strings,
            parent=np.where(parent >= 0, before[parent], parent).astype(np.int32),
            end=before[self.end[keep]],
            tag=self.tag[keep],
            text=self.text[keep],
            attributes=self.attributes.take(np.flatnonzero(keep).astype(np.int32)),
        )
