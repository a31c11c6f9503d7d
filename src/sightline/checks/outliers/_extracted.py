"""What was extracted, as the blocks of text that it is: a node is judged as part of the block that people see."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import IntArray
from sightline.errors import UsageError
from sightline.page import Page, below, nearest, parting

__all__ = ["ExtractedBlocks", "ExtractedNodes", "extracted_blocks"]

NOT_READ = ("head", "script", "style", "template", "title", "select", "iframe", "svg", "video", "audio", "textarea")


@dataclass(frozen=True, eq=False)
class ExtractedNodes:
    """Nodes that were extracted from a page, by whatever extractor: numbers of texts or of elements.

    Nodes that the page does not have are left out. `witness` may say, for every text node of the page in order, how
    likely it is to be right for reasons of its own (an extractor's own score, from 0 to 1; NaN where it says nothing).

    >>> from sightline.testing import list_page
    >>> ExtractedNodes(list_page(["one", "two"]), [3, 99]).texts.tolist()
    [4]
    """

    page: Page
    nodes: Sequence[int]
    source: str = ""
    witness: npt.NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        """Refuse what is no page."""
        if not isinstance(self.page, Page):
            raise UsageError(f"Extracted nodes belong to a page, not to {self.page!r:.60}.")

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers that the page has no node for."""
        return tuple(int(node) for node in self.nodes if not 0 <= int(node) < len(self.page))

    @cached_property
    def texts(self) -> IntArray:
        """The text nodes among and below them that say something."""
        page = self.page
        marked = np.zeros(len(page), dtype=bool)
        numbers = np.asarray([int(node) for node in self.nodes if 0 <= int(node) < len(page)], dtype=np.int64)
        marked[numbers] = True
        found: IntArray = np.flatnonzero(below(marked, page.end) & page.is_text & ~page.is_blank).astype(np.int32)
        return found


@dataclass(frozen=True, eq=False)
class ExtractedBlocks:
    """The blocks of a page: `start` is the first text node of each, `owner` the element around it.

    `letters` is how much text each has and `taken` how much of that was extracted.
    """

    page: Page
    texts: IntArray
    block_of: npt.NDArray[np.intp]
    start: IntArray
    owner: IntArray
    letters: npt.NDArray[np.float64]
    taken: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def rows(self) -> npt.NDArray[np.intp]:
        """The blocks of which something was extracted."""
        return np.flatnonzero(self.taken > 0)


def extracted_blocks(seen: ExtractedNodes) -> ExtractedBlocks:
    """All blocks of a page, and what was extracted of each."""
    page = seen.page
    parts = parting(page)
    unread = page.mask(*NOT_READ)
    chosen = np.zeros(len(page), dtype=bool)
    chosen[seen.texts] = True
    # What was extracted counts, even where nobody should read.
    texts = np.flatnonzero(page.is_text & ~page.is_blank & (chosen | ~below(unread, page.end))).astype(np.int32)
    closing = np.bincount(page.end[parts], minlength=len(page) + 1)[: len(page)]
    border = np.cumsum(parts + closing)[texts]
    begins = np.ones(len(texts), dtype=bool)
    begins[1:] = (np.diff(border) != 0) | (np.diff(page.visible[texts].astype(np.int8)) != 0)
    block_of = np.cumsum(begins) - 1
    start = texts[begins]
    size = np.array([len(page.strings[text]) for text in page.text[texts].tolist()], dtype=np.float64)
    return ExtractedBlocks(
        page,
        texts,
        block_of,
        start,
        nearest(page.parent, parts)[start].astype(np.int32),
        np.bincount(block_of, weights=size, minlength=len(start)).astype(np.float64),
        np.bincount(block_of, weights=size * chosen[texts], minlength=len(start)).astype(np.float64),
    )
