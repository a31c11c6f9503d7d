"""How the parts of a main text are marked on their page: bold, italic, code, links, images, and what is around them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TypeAlias

import numpy as np

from sightline.arrays import BoolArray, IntArray, LongArray, prefix_sum
from sightline.data import ContentImage, InlineText, PartMarkup, Placement, part_markups
from sightline.extract.content._enclosures import Enclosures
from sightline.page import Page, below, full_address, link_base, nearest
from sightline.signals import NodeNumbers, TextBlocks

__all__ = ["Markup"]

# The images that belong to a main text.

# CSS pixels; what is smaller is an icon, an emoticon or a pixel that counts visitors.
SMALLEST = 32
# Of the letters around an image; it belongs to the text if at least so many do.
SHARE = 0.5
# Where pages put the address of an image that is loaded when it comes into view.
ADDRESSES = ("src", "data-src", "data-original", "data-lazy-src")


@dataclass(frozen=True)
class PageImage:
    """An image of a page: its node, address, and the text that stands for it."""

    node: int
    address: str
    text: str


def images_of(page: Page, base: str, kept: BoolArray) -> list[PageImage]:
    """The images whose surroundings are mostly main text, each address once.

    >>> from sightline.testing import element, page_of
    >>> page = page_of(element("p", "Bees", element("img", src="bee.png", alt="A bee")))
    >>> [image.text for image in images_of(page, "https://example.org/", page.is_text)]
    ['A bee']
    """
    nodes = page.with_tag("img")
    if not len(nodes):
        return []
    texts = np.flatnonzero(page.is_text & ~page.is_blank)
    sizes = np.zeros(len(page), dtype=np.int64)
    sizes[texts] = [len(page.strings[text]) for text in page.text[texts].tolist()]
    among, all_of = prefix_sum(sizes * kept), prefix_sum(sizes)
    low = _surroundings(page, nodes, all_of)
    high = page.end[low]
    letters = all_of[high] - all_of[low]
    found: dict[str, PageImage] = {}
    for node in nodes[(letters > 0) & (among[high] - among[low] >= SHARE * letters)].tolist():
        attributes = page.node(node).attributes
        address = _address(attributes, base)
        if address and address not in found and not _is_small(page, node, attributes):
            found[address] = PageImage(node, address, " ".join(attributes.get("alt", "").split()))
    return list(found.values())


def _address(attributes: Mapping[str, str], base: str) -> str:
    """The address of an image; what is only a place for it to load has none."""
    return next(filter(None, (full_address(base, attributes.get(name, "")) for name in ADDRESSES)), "")


def _surroundings(page: Page, nodes: IntArray, letters: LongArray) -> IntArray:
    """The nearest element around each node that has text; the root if none has."""
    around = page.parent[nodes]
    while (bare := (page.parent[around] >= 0) & (letters[page.end[around]] == letters[around])).any():
        around = np.where(bare, page.parent[around], around)
    return around


def _is_small(page: Page, node: int, attributes: Mapping[str, str]) -> bool:
    """Whether an image is an icon, by its box or else by its attributes."""
    box = page.node(node).box
    if box:
        return min(box[2] - box[0], box[3] - box[1]) < SMALLEST
    said = (attributes.get(name, "").strip().removesuffix("px") for name in ("width", "height"))
    return any(text.isascii() and text.isdigit() and int(text) < SMALLEST for text in said)


BOLD, ITALIC, CODE = ("b", "strong"), ("em", "i"), ("code", "kbd", "samp", "tt")
KEPT, SHOWN = "kept", "shown"  # text nodes
# Text nodes, their texts, and whether each is bold, italic or code, and the link it is in or -1.
MarkedTexts: TypeAlias = tuple[list[int], list[str], list[tuple[bool, bool, bool, int]]]
# What is counted to find the place of a node in the text of its part: texts differ from their nodes in blanks and
# hyphens, and nothing else.
INK = re.compile("[^\\s\u00ad]")


class Markup:
    """The markup of some blocks of a page, of which the `kept` text nodes were taken."""

    def __init__(self, blocks: TextBlocks, rows: NodeNumbers, kept: BoolArray) -> None:
        self.blocks = blocks
        self.page: Page = blocks.page
        self.rows = rows
        self.kept = kept & self.page.is_text & ~self.page.is_blank
        self.enclosures = Enclosures(self.page, self.kept)
        self._found_texts: dict[str, MarkedTexts] = {}

    def parts(self, texts: Sequence[str], told: Sequence[int], kinds: Sequence[str]) -> list[PartMarkup]:
        """The markup of each part; `told` are the elements that say of what kind each is, or -1."""
        starts = self.blocks.start[self.rows].tolist()
        around = map(self.enclosures.around, starts, told, kinds)
        owners = self.blocks.owner[self.rows].tolist()
        return part_markups(self._stretches(texts), list(around), owners, self._placements())

    def images(self) -> tuple[ContentImage, ...]:
        """The images that stand between the parts."""
        numbers = self.page.number_list
        return tuple(
            ContentImage(image.address, image.text, numbers[image.node], self.enclosures.around(image.node))
            for image in self._images
            if not self._is_inside(image.node)
        )

    # ------------------------------------------------------------------ stretches

    def _stretches(self, texts: Sequence[str]) -> list[tuple[InlineText, ...]]:
        """The stretches of each part in which something is marked; none if its nodes cannot be told."""
        rows = self.rows
        begins, ends = self.blocks.start[rows].tolist(), (self.blocks.last[rows] + 1).tolist()
        stretches: list[tuple[InlineText, ...]] = [()] * len(texts)
        for place in np.flatnonzero((self._is_marked | self._has_image)[rows]).tolist():
            stretches[place] = self._inline(begins[place], ends[place], texts[place])
        return stretches

    def _inline(self, low: int, high: int, text: str) -> tuple[InlineText, ...]:
        """The stretches of a part, from one node up to another."""
        images = self._images_between(low, high - 1)
        # Some texts on the page are shown but not read, such as those of pictures; then these are looked for as well.
        for which in (KEPT, SHOWN):
            nodes, strings, marks = self._texts(which)
            own = slice(bisect_left(nodes, low), bisect_left(nodes, high))
            count = own.stop - own.start
            starts = [0] if count == 1 else _starts(strings[own], text) or _counted_starts(strings[own], text)
            if starts:
                ends = (*starts[1:], len(text))
                pieces = [text[start:end] for start, end in zip(starts, ends, strict=True)]
                stretches = map(self._stretch, pieces, marks[own])
                return _with_images(nodes[own], stretches, images) if images else tuple(stretches)
        return ()

    def _stretch(self, text: str, marks: tuple[bool, bool, bool, int]) -> InlineText:
        bold, italic, code, link = marks
        return InlineText(text, bold, italic, code, self._address(link))

    def _texts(self, which: str) -> MarkedTexts:
        """The texts that were kept, or all that are shown, and how they are marked; found once."""
        if which not in self._found_texts:
            page = self.page
            nodes = np.flatnonzero(self.kept if which == KEPT else page.is_text & page.visible)
            strings = [page.strings[number] for number in page.text[nodes].tolist()]
            marks = zip(*(column[nodes].tolist() for column in (*self._marks, self._link)), strict=True)
            self._found_texts[which] = nodes.tolist(), strings, list(marks)
        return self._found_texts[which]

    @cached_property
    def _marks(self) -> tuple[BoolArray, BoolArray, BoolArray]:
        """Which nodes are bold, italic and code."""
        bold, italic, code = (below(self.page.mask(*names), self.page.end) for names in (BOLD, ITALIC, CODE))
        return bold, italic, code

    @cached_property
    def _link(self) -> IntArray:
        """The link that each node is in, or -1."""
        page = self.page
        linked = page.mask("a") & (self._href >= 0)
        links = np.flatnonzero(linked)
        if (page.end[links[:-1]] > links[1:]).any():  # one inside another, as no parser makes them
            return nearest(page.parent, linked)[:-1].astype(np.int32)
        last = np.maximum.accumulate(np.where(linked, np.arange(len(page), dtype=np.int32), -1))
        return np.where(below(linked, page.end), last, -1)

    @cached_property
    def _href(self) -> IntArray:
        return self.page.attribute("href")

    @cached_property
    def _is_marked(self) -> BoolArray:
        """Which blocks have a text that is marked in any way."""
        bold, italic, code = self._marks
        marked = (bold | italic | code | (self._link >= 0))[self.blocks.nodes]
        return np.add.reduceat(marked.astype(np.int32), self.blocks.first[:-1]) > 0

    @cached_property
    def _has_image(self) -> BoolArray:
        """Which blocks have an image inside."""
        if not self._images:
            return np.zeros(len(self.blocks), dtype=bool)
        begins = np.searchsorted(self._image_nodes, self.blocks.start, side="right")
        has: BoolArray = np.searchsorted(self._image_nodes, self.blocks.last, side="left") > begins
        return has

    def _address(self, link: int) -> str:
        """The address of a link, found once for all of its texts."""
        if link not in self._addresses:
            self._addresses[link] = full_address(self._base, self.page.strings[self._href[link]])
        return self._addresses[link]

    @cached_property
    def _addresses(self) -> dict[int, str]:
        return {-1: ""}

    @cached_property
    def _base(self) -> str:
        return link_base(self.page)

    # ------------------------------------------------------------------ images

    @cached_property
    def _images(self) -> list[PageImage]:
        return images_of(self.page, self._base, self.kept)

    @cached_property
    def _image_nodes(self) -> list[int]:
        return [image.node for image in self._images]

    def _images_between(self, first: int, last: int) -> list[PageImage]:
        if not self._images:
            return []
        return self._images[bisect_right(self._image_nodes, first) : bisect_left(self._image_nodes, last)]

    def _is_inside(self, node: int) -> bool:
        """Whether a node is inside one of the parts."""
        place = int(np.searchsorted(self.blocks.start[self.rows], node)) - 1
        return place >= 0 and node < self.blocks.last[self.rows[place]]

    # ------------------------------------------------------------------ lines

    def _placements(self) -> list[Placement]:
        """How each part follows the one before, if both are in one element."""
        if not len(self.rows):
            return []
        rows, before = self.rows[1:], self.rows[:-1]
        breaks = np.cumsum(self.page.mask("br")).astype(np.int32)
        between: IntArray = breaks[self.blocks.start[rows]] - breaks[self.blocks.last[before]]
        same = self.blocks.owner[rows] == self.blocks.owner[before]
        # Without a break, a block ends where text turns visible or hidden; a part left out was one line at least.
        turned = (between == 0) & (rows == before + 1) & (self.blocks.visible[rows] != self.blocks.visible[before])
        line = (between == 1) | ((between == 0) & (rows > before + 1))
        placed: list[Placement] = ["apart"]
        for is_same, is_turned, is_line in zip(same.tolist(), turned.tolist(), line.tolist(), strict=True):
            placed.append("space" if is_same and is_turned else "line" if is_same and is_line else "apart")
        return placed


def _with_images(
    nodes: Sequence[int], stretches: Iterable[InlineText], images: Sequence[PageImage]
) -> tuple[InlineText, ...]:
    """The stretches of some nodes with the images that stand between them."""
    done: list[InlineText] = []
    left = list(images)
    for node, stretch in zip(nodes, stretches, strict=True):
        while left and left[0].node < node:
            done += _image_stretches(left.pop(0), done[-1].text[-1:] if done else "")
        done.append(stretch)
    return tuple(done)


def _starts(strings: Sequence[str], text: str) -> list[int]:
    r"""Where each of some strings begins in a text that has them one after another; none if it does not.

    >>> _starts(["See ", " the\n", "map"], "See the map")
    [0, 4, 8]
    """
    starts, place = [], 0
    for string in strings:
        words = " ".join(string.split())
        place += text.startswith(" ", place)
        if not text.startswith(words, place):
            return []
        starts.append(place)
        place += len(words)
    return starts if place == len(text) else []


def _counted_starts(strings: Sequence[str], text: str) -> list[int]:
    """The same by counting letters, for texts of which some are written differently, such as 10⁸.

    >>> _counted_starts(["10", "8", " stars"], "10⁸ stars")
    [0, 2, 4]
    """
    ink = [found.start() for found in INK.finditer(text)]
    sizes = [len(INK.findall(string)) for string in strings]
    if sum(sizes) != len(ink):
        return []
    ends = [*ink, len(text)]
    return [ends[size] for size in accumulate(sizes[:-1], initial=0)]


def _image_stretches(image: PageImage, before: str) -> list[InlineText]:
    """An image within a text; the blank before it stands behind it as well, since texts have one for both."""
    own = InlineText(image.text, image=image.address)
    return [own, InlineText(" ")] if before.isspace() else [own]
