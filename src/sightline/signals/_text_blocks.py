"""The text blocks of a page: what is read as one piece, from one block border to the next.

Hidden texts are blocks too: an article that unfolds on a click is still the article, and whoever renders a saved page
may miss the script that shows it. What is seen and what is not never share a block.
"""

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray
from sightline.geometry import Box, as_box, is_box
from sightline.page import Page, below, nearest, parting

NodeNumbers: TypeAlias = npt.NDArray[np.integer[Any]]

# Elements without text for readers. `noscript` is not among them: if it was parsed as elements, it is shown.
NOT_READ = (
    *("head", "script", "style", "template", "title", "meta", "link", "datalist", "option", "optgroup", "select"),
    *("iframe", "canvas", "svg", "video", "audio", "object", "textarea", "noembed", "noframes"),
)


@dataclass(frozen=True, eq=False)
class TextBlocks:
    """The blocks in document order: block `i` has the text nodes `nodes[first[i]:first[i + 1]]`."""

    page: Page
    nodes: IntArray
    first: IntArray
    visible: BoolArray
    is_block: BoolArray

    def __len__(self) -> int:
        return len(self.first) - 1

    @cached_property
    def start(self) -> IntArray:
        """The first text node of each block."""
        return self.nodes[self.first[:-1]]

    @cached_property
    def last(self) -> IntArray:
        """The last text node of each block."""
        return self.nodes[self.first[1:] - 1]

    @cached_property
    def block_of(self) -> npt.NDArray[np.intp]:
        """The block of each of the text nodes."""
        return np.repeat(np.arange(len(self)), np.diff(self.first))

    @cached_property
    def owner(self) -> IntArray:
        """The innermost block element around each block; the root if there is none."""
        return np.maximum(nearest(self.page.parent, self.is_block)[self.start], 0).astype(np.int32)

    @cached_property
    def boxes(self) -> npt.NDArray[np.float64]:
        """The box around the texts of each block; NaN if it is not laid out."""
        if not len(self):
            return np.zeros((0, 4))
        box = self.page.box[self.nodes].astype(np.float64)
        laid_out = is_box(self.page.box[self.nodes])[:, None]
        begin = self.first[:-1]
        low = np.minimum.reduceat(np.where(laid_out, box[:, :2], np.inf), begin)
        high = np.maximum.reduceat(np.where(laid_out, box[:, 2:], -np.inf), begin)
        around = np.concatenate([low, high], axis=1)
        return np.where(np.isfinite(around), around, np.nan)

    def box(self, row: int) -> Box | None:
        """The box around a block, if it is laid out."""
        return as_box(self.boxes[row])

    @cached_property
    def tokens(self) -> list[list[str]]:
        """The text of each block, split at white space."""
        strings, ids = self.page.strings, self.page.text[self.nodes].tolist()
        ranges = pairwise(self.first.tolist())
        return [
            (strings[ids[low]] if high - low == 1 else "".join([strings[text] for text in ids[low:high]])).split()
            for low, high in ranges
        ]

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block, in one line."""
        return [" ".join(words) for words in self.tokens]

    def inside(self, elements: NodeNumbers) -> BoolArray:
        """Which blocks begin in one of these elements."""
        return within(self.start, elements, self.page.end)


def within(places: NodeNumbers, elements: NodeNumbers, end: IntArray) -> BoolArray:
    """Which of some places, in order, are inside one of these elements.

    >>> within(np.array([2, 5, 9]), np.array([1, 8]), np.array([10, 4, 4, 4, 8, 8, 8, 8, 9, 10]))
    array([ True, False, False])
    """
    size = len(places) + 1
    begins = np.bincount(np.searchsorted(places, elements), minlength=size)
    ends = np.bincount(np.searchsorted(places, end[elements]), minlength=size)
    inside: BoolArray = np.cumsum((begins - ends)[:-1]) > 0
    return inside


def text_blocks(page: Page) -> TextBlocks:
    """The text blocks of a page.

    >>> from sightline.testing import list_page
    >>> text_blocks(list_page(["one", "two"])).texts
    ['one', 'two']
    """
    is_block = parting(page)
    unread = page.mask(*NOT_READ)
    apart = page.with_tag("noscript")
    unread[apart[page.end[apart] - apart <= 2]] = True  # parsed as one text where scripts run
    chosen = page.is_text & ~below(unread, page.end)
    inked = np.flatnonzero(chosen & ~page.is_blank)
    if not len(inked):
        none = np.zeros(0, dtype=np.int32)
        return TextBlocks(page, none, np.zeros(1, dtype=np.int32), none.astype(bool), is_block)
    starts = np.flatnonzero(block_starts(page, is_block, inked))
    nodes, first = _with_blanks(page, chosen, inked, starts)
    return TextBlocks(page, nodes, first, page.visible[inked[starts]], is_block)


def block_starts(page: Page, is_block: BoolArray, texts: NodeNumbers) -> BoolArray:
    """Which text nodes, in order, begin a block: after a block border, or where text turns visible or hidden."""
    closing = np.bincount(page.end[is_block], minlength=len(page) + 1)[: len(page)]
    border = np.cumsum(is_block + closing)[texts]
    shown = page.visible[texts]
    begins = np.ones(len(texts), dtype=bool)
    begins[1:] = (border[1:] != border[:-1]) | (shown[1:] != shown[:-1])
    return begins


def _with_blanks(page: Page, chosen: BoolArray, inked: NodeNumbers, starts: NodeNumbers) -> tuple[IntArray, IntArray]:
    """The text nodes of the blocks, with the blank ones between them, which separate words."""
    low = inked[starts]
    high = inked[np.append(starts[1:], len(inked)) - 1]
    change = np.bincount(low, minlength=len(page) + 1) - np.bincount(high + 1, minlength=len(page) + 1)
    nodes = np.flatnonzero(chosen & (np.cumsum(change[:-1]) > 0)).astype(np.int32)
    first = np.append(np.searchsorted(nodes, low), len(nodes)).astype(np.int32)
    return nodes, first


# The kind of a text, judged cheaply from its characters: enough to see whether cells are alike.

MOST_TEXTS = 8192  # whose kinds are remembered: about a megabyte
LONG = 60  # characters; the longest names and titles are shorter, sentences are not

NUMBER = r"[^\w]{0,3}\d[\d.,'’\s]*[^\w]{0,3}(?:[a-zA-Z%°$€£¥µ²³/]{1,4})?[^\w]*"
# A number, a digit, a letter: the group that matches is the kind. Tables ask for every cell, and one search is fastest.
KIND = re.compile(rf"({NUMBER}\Z)|(\D*\d)|([\W_]*[^\W_])")


class TextKind(IntEnum):
    """Kinds of text, from nothing to prose."""

    EMPTY = 0
    NUMBER = 1
    DIGITS = 2
    WORDS = 3
    PROSE = 4


KINDS = tuple(TextKind)


def text_kind(text: str) -> TextKind:
    """The kind of a text.

    >>> [text_kind(text).name for text in ("", "$1,200.50", "12 May 1999", "Canon", "−4.1 %")]
    ['EMPTY', 'NUMBER', 'DIGITS', 'WORDS', 'NUMBER']
    """
    return TextKind.PROSE if len(text) > LONG else _short_kind(text)


@lru_cache(maxsize=MOST_TEXTS)  # labels come again on every page of a site
def _short_kind(text: str) -> TextKind:
    found = KIND.match(text)
    return KINDS[found.lastindex or 0] if found else TextKind.EMPTY
