"""The column groups of a page: small frozen bundles of read-only arrays."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.geometry import BoxArray

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


# -- the tree in columns --------------------------------------------------------------------------------------------

# What stands between a node and its parent column (the column `edge`).
PLAIN = 0  # an ordinary child
INNER = 1  # the parent is a frame or a shadow host, this is the top of what is inside
SLOTTED = 2  # shown in a slot of a shadow tree; in the DOM it is a child of the host

ROOT = -1
SHALLOW = 2**15
STEP = np.uint64(0x9E3779B97F4A7C15)  # odd, with its bits well spread: 2**64 by the golden ratio


def depths(parent: IntArray) -> IntArray:
    """How many ancestors each node has, by pointer doubling: a few passes whatever the depth."""
    ancestor = np.append(parent, ROOT).astype(np.intp)  # the last row stands for "above the root" and points at itself
    depth = (ancestor >= 0).astype(np.int32)
    while ancestor.max(initial=ROOT) >= 0:
        depth += depth[ancestor]
        ancestor = ancestor[ancestor]
    return frozen(depth[:-1])


def levels(depth: IntArray) -> list[IntArray]:
    """The nodes of each depth, from the root downwards, each in document order."""
    if not len(depth):
        return []
    return np.split(_by_depth(depth).astype(np.int32), np.cumsum(np.bincount(depth))[:-1])


def _by_depth(depth: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.intp]:
    """The nodes sorted by depth; 16 bits, which nearly always suffice, are sorted by counting."""
    narrow = depth.astype(np.int16) if depth.max(initial=0) < SHALLOW else depth
    return np.argsort(narrow, kind="stable")


def ends(parent: IntArray) -> IntArray:
    """Where each subtree ends, from the parents of a pre-order.

    Between a node and the next, all is closed that is not above the next. So the depths tell how many nodes end where,
    and how deep these are; of the nodes of one depth the first to begin is the first to end, and sorting pairs them.
    """
    count = len(parent)
    depth = depths(parent).astype(np.int64)
    behind = np.append(depth[1:], 0)  # the depth of the node behind each; all ends at the end
    closed = depth - behind + 1
    last = np.cumsum(closed)
    at = np.repeat(np.arange(1, count + 1), closed)
    closed_depth = np.repeat(depth + last - closed, closed) - np.arange(len(at))
    end = np.empty(count, dtype=np.int32)
    end[_by_depth(depth)] = at[_by_depth(closed_depth)]
    return frozen(end)


def parents(depth: IntArray) -> IntArray:
    """Each node's parent from the depths of a pre-order: the last node before it that is one level up."""
    count = len(depth)
    order = _by_depth(depth)
    keys = depth[order].astype(np.int64) * count + order
    wanted = (depth.astype(np.int64) - 1) * count + np.arange(count)
    parent = order[np.searchsorted(keys, wanted) - 1].astype(np.int32)
    parent[depth == 0] = ROOT
    return frozen(parent)


def nearest(parent: IntArray, marked: BoolArray) -> npt.NDArray[np.intp]:
    """For each node the nearest marked one among itself and its ancestors, or -1; the last row, for -1, is -1."""
    link = np.append(parent, ROOT).astype(np.intp)
    chosen = np.flatnonzero(marked)
    link[chosen] = chosen  # who has arrived points at itself
    while not np.array_equal(farther := link.take(link), link):
        link = farther
    return link


def below(marked: BoolArray, end: IntArray) -> BoolArray:
    """The marked nodes and everything below them: ranges laid over each other."""
    starts = np.flatnonzero(marked)
    change = np.bincount(starts, minlength=len(end) + 1) - np.bincount(end[starts], minlength=len(end) + 1)
    return np.cumsum(change[:-1]) > 0


def subtree_counts(marked: np.ndarray, end: IntArray) -> IntArray:
    """How many marked nodes each subtree holds, itself included: one cumulative sum."""
    total = prefix_sum(marked)
    return frozen((total[end] - total[:-1]).astype(np.int32))


def positions(parent: IntArray, tag: IntArray) -> IntArray:
    """The 1-based position of each node among its siblings of the same tag, as XPath counts."""
    order = np.lexsort((np.arange(len(parent)), tag, parent))
    new_group = np.ones(len(parent), dtype=bool)
    new_group[1:] = (np.diff(parent[order]) != 0) | (np.diff(tag[order]) != 0)
    rank = np.arange(len(parent))
    start = np.maximum.accumulate(np.where(new_group, rank, 0))
    position = np.empty(len(parent), dtype=np.int32)
    position[order] = rank - start + 1
    return frozen(position)


def dom_positions(parent: IntArray, tag: IntArray, edge: npt.NDArray[np.int8]) -> IntArray:
    """The position of every node among the children of its DOM parent that have its tag and its side of the shadow."""
    slotted = np.flatnonzero(edge == SLOTTED)
    above = parent.copy()
    above[slotted] = [shadow_host(parent, edge, int(node))[0] for node in slotted]
    return positions(above * 2 + (edge == INNER).astype(np.int32), tag)


def shadow_host(parent: IntArray, edge: npt.NDArray[np.int8], slotted: int) -> tuple[int, int]:
    """The shadow host whose slot shows the node: climb to the top of the shadow tree, then one more.

    What is slotted on the way belongs to a host of its own, so each such adds a top to climb to. If the host is outside
    of a part, it is -1, and the second number says how many tops are.
    """
    tops = 1
    node = int(parent[slotted])
    while node >= 0:
        kind, above = edge[node], int(parent[node])
        if kind == SLOTTED and above >= 0:
            tops += 1
        elif kind == INNER and above >= 0:
            tops -= 1
            if not tops:
                return above, 0
        node = above
    return ROOT, tops


def path_ids(parent: IntArray, tag: IntArray) -> tuple[IntArray, list[tuple[int, int]]]:
    """A number for the tag path of each node, and for each number its (parent's number, tag).

    Paths are told apart by a hash of 64 bits, made level by level and sorted once: much faster than a sort a level.
    Numbers are given in the order in which paths first occur, so the path above has the smaller number.
    """
    mixed = _mixed(tag.astype(np.uint64) + np.uint64(1))
    key = np.zeros(len(parent) + 1, dtype=np.uint64)  # the last row stands for "above the root"
    for level in levels(depths(parent)):
        key[level] = key[parent[level]] * STEP + mixed[level]
    _, first, inverse = np.unique(key[:-1], return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    path = number[inverse]
    examples = first[order]
    above = np.where(parent[examples] >= 0, path[parent[examples]], ROOT)
    return frozen(path), list(zip(above.tolist(), tag[examples].tolist(), strict=True))


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Every bit of the result depends on every bit of the number (the finaliser of MurmurHash3)."""
    numbers = (numbers ^ (numbers >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    numbers = (numbers ^ (numbers >> np.uint64(33))) * np.uint64(0xC4CEB9FE1A85EC53)
    mixed: npt.NDArray[np.uint64] = numbers ^ (numbers >> np.uint64(33))
    return mixed
