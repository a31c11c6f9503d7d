"""Extracted nodes grouped into blocks of text: a node is judged as part of the block that readers see."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.arrays import IntArray
from sightline.errors import UsageError
from sightline.page import Page, below, nearest, parting
from sightline.signals import block_starts

__all__ = ["ExtractedBlocks", "ExtractedNodes", "extracted_blocks", "map_nodes"]

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


# Maps nodes of one capture of a page to another, such as from parsed HTML to the rendered page.
#
# Scripts and frames change a tree, so a node is looked up by its XPath and, if the text there differs, by its text; of
# several matches, the one nearest to its place wins.


def map_nodes(nodes: Sequence[int], page: Page, onto: Page) -> list[int | None]:
    """For each node of a page, the same node on another capture; None if that has nothing like it.

    >>> from sightline.testing import list_page
    >>> map_nodes([4, 6], list_page(["one", "two"]), list_page(["new", "one", "two"]))
    [6, 8]
    """
    by_text: dict[str, list[int]] = defaultdict(list)
    for node in onto.is_text.nonzero()[0].tolist():
        by_text[_text(onto, node)].append(node)
    return [_same(node, page, onto, by_text) if 0 <= node < len(page) else None for node in map(int, nodes)]


def _same(node: int, page: Page, onto: Page, by_text: dict[str, list[int]]) -> int | None:
    there = onto.find(page.xpath(node))
    wanted = _text(page, node)
    if there is not None and _text(onto, there) == wanted:
        return there
    texts = by_text.get(wanted, []) if page.is_text[node] else _elements(wanted, page, node, onto, by_text)
    place = node / max(1, len(page))
    return min(texts, key=lambda other: abs(other / max(1, len(onto)) - place), default=None)


def _elements(wanted: str, page: Page, node: int, onto: Page, by_text: dict[str, list[int]]) -> list[int]:
    """The elements of the same tag and text: ancestors of its first text, up to where they hold more text."""
    first = next(
        (other for other in range(node, int(page.end[node])) if page.is_text[other] and not page.is_blank[other]), None
    )
    if first is None:
        return []
    found = []
    for text in by_text.get(_text(page, first), []):
        around = int(onto.parent[text])
        while around >= 0 and len(_text(onto, around)) <= len(wanted):
            if _text(onto, around) == wanted and onto.strings[onto.tag[around]] == page.strings[page.tag[node]]:
                found.append(around)
                break
            around = int(onto.parent[around])
    return found


def _text(page: Page, node: int) -> str:
    """The text of a node, hidden or not, with single spaces."""
    below = page.text[node : page.end[node]]
    return " ".join("".join(page.strings[text] for text in below.tolist() if text >= 0).split())
