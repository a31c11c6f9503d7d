"""The column groups of a page: small frozen bundles of read-only arrays."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from sightline.arrays import IntArray, prefix_sum
from sightline.geometry import BoxArray

__all__ = [
    "ABSENT",
    "TEXT",
    "Attributes",
    "DrawnRules",
    "PageKind",
    "PagePart",
    "Words",
    "freeze_columns",
    "frozen",
    "is_without_boxes",
    "no_boxes",
    "no_edges",
    "no_ints",
]

PageKind: TypeAlias = Literal["rendered", "static", "pdf"]

TEXT = "#text"  # the tag of text nodes
ABSENT = -1  # an id that points at no string

# Columns of nothing are the beginning of one that all pages share, up to this length: it is filled once, and is known
# to be empty without a look at it. Together they take 1.3 MB.
SHARED_ROWS = 1 << 16

Array = TypeVar("Array", bound=npt.NDArray[Any])


def frozen(array: Array) -> Array:
    """The same array, read-only and contiguous from now on."""
    array = array if array.flags.c_contiguous else cast("Array", np.ascontiguousarray(array))
    array.setflags(write=False)
    return array


def no_ints(count: int = 0) -> IntArray:
    """An integer column of zeros."""
    return _zeros()[:count] if count <= SHARED_ROWS else frozen(np.zeros(count, dtype=np.int32))


def no_edges(count: int = 0) -> npt.NDArray[np.int8]:
    """An edge column of a page without shadow trees and frames."""
    return _zeros().view(np.int8)[:count] if count <= SHARED_ROWS else frozen(np.zeros(count, dtype=np.int8))


def no_boxes(count: int = 0) -> BoxArray:
    """A box column in which no row is a box."""
    return _nowhere()[:count] if count <= SHARED_ROWS else frozen(np.full((count, 4), np.nan, dtype=np.float32))


def is_without_boxes(boxes: BoxArray) -> bool:
    """Whether a column was made by `no_boxes`, as those of pages without layout; others may have no boxes, too."""
    return boxes.base is _nowhere()


@cache
def _zeros() -> IntArray:
    return frozen(np.zeros(SHARED_ROWS, dtype=np.int32))


@cache
def _nowhere() -> BoxArray:
    return frozen(np.full((SHARED_ROWS, 4), np.nan, dtype=np.float32))


def freeze_columns(bundle: object) -> None:
    """Make every array among the fields of a dataclass read-only; one that is so already stays the same object."""
    held = vars(bundle)
    for name, value in held.items():
        if isinstance(value, np.ndarray) and not _is_frozen(value):
            held[name] = frozen(value)


def _is_frozen(array: npt.NDArray[Any]) -> bool:
    return not array.flags.writeable and array.flags.c_contiguous


class _Columns:
    """Freezes every array field of the dataclass below it."""

    def __post_init__(self) -> None:
        freeze_columns(self)


@dataclass(frozen=True, eq=False, kw_only=True)
class Attributes(_Columns):
    """The attributes of all nodes, one after another; those of node i are rows `start[i]` to `start[i + 1]`."""

    start: IntArray
    name: IntArray
    value: IntArray

    @classmethod
    def empty(cls, nodes: int) -> "Attributes":
        """No attributes on this many nodes."""
        return cls(start=no_ints(nodes + 1), name=no_ints(), value=no_ints())

    def take(self, nodes: IntArray) -> "Attributes":
        """The attributes of these nodes, in their order."""
        counts = np.diff(self.start)[nodes]
        start = prefix_sum(counts).astype(np.int32)
        rows = np.repeat(self.start[nodes] - start[:-1], counts) + np.arange(start[-1])
        return Attributes(start=start, name=self.name[rows], value=self.value[rows])


@dataclass(frozen=True, eq=False, kw_only=True)
class Words(_Columns):
    """One row a word: its text node, its place in that node's text (characters), and its box."""

    node: IntArray
    start: IntArray
    end: IntArray
    box: BoxArray

    @classmethod
    @cache
    def empty(cls) -> "Words":
        """No words, as on a page without layout."""
        return cls(node=no_ints(), start=no_ints(), end=no_ints(), box=no_boxes())

    def __len__(self) -> int:
        return len(self.node)


@dataclass(frozen=True, eq=False, kw_only=True)
class DrawnRules(_Columns):
    """Drawn lines and rectangles, with the colour as an id into the page's strings."""

    box: BoxArray
    colour: IntArray

    @classmethod
    @cache
    def empty(cls) -> "DrawnRules":
        """Nothing drawn."""
        return cls(box=no_boxes(), colour=no_ints())


@dataclass(frozen=True, eq=False, kw_only=True)
class PagePart(_Columns):
    """What a part of a page remembers of the whole: its id, the nodes' numbers and positions, the XPath above."""

    page: str
    number: IntArray
    position: IntArray
    above: str
