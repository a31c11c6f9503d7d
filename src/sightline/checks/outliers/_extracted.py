"""Extracted nodes grouped into blocks of text: a node is judged as part of the block that readers see."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import IntArray
from sightline.errors import UsageError
from sightline.page import Page, below, nearest, parting
from sightline.signals import block_starts

__all__ = ["ExtractedBlocks", "ExtractedNodes", "extracted_blocks"]

NOT_READ = ("head", "script", "style", "template", "title", "select", "iframe", "svg", "video", "audio", "textarea")


@dataclass(frozen=True, eq=False)
class ExtractedNodes:
    """Nodes extracted from a page by any extractor: numbers of texts or elements.

    Nodes that the page does not have are left out. `witness` may give, for every text node of the page in order, an
    independent likelihood that it is right (such as an extractor's score, from 0 to 1; NaN where unknown).

    >>> from sightline.testing import list_page
    >>> ExtractedNodes(list_page(["one", "two"]), [3, 99]).texts.tolist()
    [4]
    """

    page: Page
    nodes: Sequence[int]
    source: str = ""
    witness: npt.NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        """Reject anything that is not a page."""
        if not isinstance(self.page, Page):
            raise UsageError(f"ExtractedNodes needs a Page, not {self.page!r:.60}.")

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers without a node on the page."""
        return tuple(int(node) for node in self.nodes if not 0 <= int(node) < len(self.page))

    @cached_property
    def texts(self) -> IntArray:
        """The text nodes among and below them that are not blank."""
        page = self.page
        marked = np.zeros(len(page), dtype=bool)
        numbers = np.asarray([int(node) for node in self.nodes if 0 <= int(node) < len(page)], dtype=np.int64)
        marked[numbers] = True
        found: IntArray = np.flatnonzero(below(marked, page.end) & page.is_text & ~page.is_blank).astype(np.int32)
        return found


@dataclass(frozen=True, eq=False)
class ExtractedBlocks:
    """The blocks of a page: `start` is the first text node of each, `owner` the element around it.

    `letters` is how much text each has, `extracted` how much of that was extracted.
    """

    page: Page
    texts: IntArray
    block_of: npt.NDArray[np.intp]
    start: IntArray
    owner: IntArray
    letters: npt.NDArray[np.float64]
    extracted: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.start)

    @cached_property
    def rows(self) -> npt.NDArray[np.intp]:
        """The blocks with any extracted text."""
        return np.flatnonzero(self.extracted > 0)


def extracted_blocks(extracted: ExtractedNodes) -> ExtractedBlocks:
    """All blocks of a page, and how much of each was extracted."""
    page = extracted.page
    parts = parting(page)
    unread = page.mask(*NOT_READ)
    chosen = np.zeros(len(page), dtype=bool)
    chosen[extracted.texts] = True
    # Extracted text counts, even in elements that are not for reading.
    texts = np.flatnonzero(page.is_text & ~page.is_blank & (chosen | ~below(unread, page.end))).astype(np.int32)
    begins = block_starts(page, parts, texts)
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
