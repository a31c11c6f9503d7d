"""Parts of a page: each is itself a page, and remembers where its nodes are in the whole."""

from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.errors import UsageError
from sightline.geometry import Box, BoxArray, is_box
from sightline.page._canonical import whole_id
from sightline.page._columns import PagePart, Words
from sightline.page._page_columns import PageColumns
from sightline.page._tree import INNER, below, subtree_counts
from sightline.page._xpath import ENTER, of

__all__ = ["region", "subtree", "without"]

AnyPage = TypeVar("AnyPage", bound=PageColumns)


def subtree(page: AnyPage, number: int) -> AnyPage:
    """The nodes of one subtree; its root keeps its place in the whole."""
    keep = np.zeros(len(page), dtype=bool)
    keep[number : page.end[number]] = True
    return _take(page, keep)


def without(page: AnyPage, numbers: npt.NDArray[np.int64]) -> AnyPage:
    """All nodes but the named ones and what is below them."""
    if len(numbers) and not ((numbers >= 0) & (numbers < len(page))).all():
        raise UsageError(f"Some nodes to leave out are not on the page; its nodes are numbered 0 to {len(page) - 1}.")
    marked = np.zeros(len(page), dtype=bool)
    marked[numbers] = True
    return _take(page, ~below(marked, page.end))


def region(page: AnyPage, box: Box) -> AnyPage:
    """What has its middle inside the box: words, then leaves without words, and the elements around them."""
    word_kept = _middle_inside(page.words.box, box)
    leaf = (page.end == np.arange(1, len(page) + 1)) & _middle_inside(page.box, box)
    worded = np.zeros(len(page), dtype=bool)
    worded[page.words.node] = True
    leaf &= ~worded
    leaf[page.words.node[word_kept]] = True
    keep = np.asarray(subtree_counts(leaf, page.end) > 0)
    return _take(page, keep, word_kept)


def _middle_inside(boxes: BoxArray, box: Box) -> BoolArray:
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    inside = (middle >= box[:2]).all(axis=1) & (middle <= box[2:]).all(axis=1)
    return np.asarray(inside & is_box(boxes))


def _take(page: AnyPage, keep: BoolArray, word_kept: BoolArray | None = None) -> AnyPage:
    """The kept nodes as a page; with each its parent must be kept too, save for one root."""
    kept = np.flatnonzero(keep).astype(np.int32)
    before = prefix_sum(keep).astype(np.int32)
    parent = page.parent[kept]
    inside = (parent >= 0) & keep[parent]
    return replace(
        page,
        parent=np.where(inside, before[parent], -1).astype(np.int32),
        end=before[page.end[kept]],
        tag=page.tag[kept],
        text=page.text[kept],
        attributes=page.attributes.take(kept),
        box=page.box[kept],
        style_of=page.style_of[kept],
        words=_take_words(page.words, keep, before, word_kept),
        edge=page.edge[kept],
        part=PagePart(
            page=whole_id(page), number=page.numbers[kept], position=page.position[kept], above=_above(page, kept)
        ),
    )


def _above(page: PageColumns, kept: IntArray) -> str:
    """The path that leads to the root of the part."""
    outer = page.part.above if page.part else ""
    if not len(kept) or page.parent[kept[0]] < 0:
        return outer
    root = int(kept[0])
    host = of(page, int(page.parent[root]))
    if page.edge[root] == INNER:
        return host + ENTER
    return of(page, root).rpartition("/")[0]


def _take_words(words: Words, keep: BoolArray, before: IntArray, chosen: BoolArray | None) -> Words:
    rows = keep[words.node] if chosen is None else keep[words.node] & chosen
    return Words(node=before[words.node[rows]], start=words.start[rows], end=words.end[rows], box=words.box[rows])
