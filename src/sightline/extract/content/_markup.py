"""How the parts of a main text are marked on their page: bold, italic, code, links, images, and what is around them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate

import numpy as np

from sightline.arrays import BoolArray, IntArray
from sightline.data import ContentImage, InlineText, PartMarkup, Placement
from sightline.extract.content._enclosures import Enclosures
from sightline.extract.content._images import PageImage, images_of
from sightline.page import Page, below, full_address, link_base, nearest
from sightline.signals import NodeNumbers, TextBlocks

__all__ = ["Markup"]

BOLD, ITALIC, CODE = ("b", "strong"), ("em", "i"), ("code", "kbd", "samp", "tt")
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

    def parts(self, texts: Sequence[str], told: Sequence[int]) -> list[PartMarkup]:
        """The markup of each part; `told` are the elements that say of what kind each is, or -1."""
        rows = self.rows
        return [
            PartMarkup(self._inline(row, text) if marked else (), self.enclosures.around(start, element), owner, place)
            for row, text, element, marked, start, owner, place in zip(
                rows.tolist(),
                texts,
                told,
                (self._is_marked | self._has_image)[rows].tolist(),
                self.blocks.start[rows].tolist(),
                self.blocks.owner[rows].tolist(),
                self._placements(),
                strict=True,
            )
        ]

    def images(self) -> tuple[ContentImage, ...]:
        """The images that stand between the parts."""
        numbers = self.page.number_list
        return tuple(
            ContentImage(image.address, image.text, numbers[image.node], self.enclosures.around(image.node))
            for image in self._images
            if not self._is_inside(image.node)
        )

    # ------------------------------------------------------------------ stretches

    def _inline(self, row: int, text: str) -> tuple[InlineText, ...]:
        """The stretches of a part in which something is marked; none if its nodes cannot be told."""
        images = self._images_between(int(self.blocks.start[row]), int(self.blocks.last[row]))
        located = self._located(row, text)
        if not located:
            return ()
        nodes, places = located
        done: list[InlineText] = []
        ends = [*places[1:], len(text)]
        for node, start, end in zip(nodes, places, ends, strict=True):
            while images and images[0].node < node:
                done += _image_stretches(images.pop(0), done[-1].text[-1:] if done else "")
            done.append(self._stretch(node, text[start:end]))
        return tuple(done)

    def _stretch(self, node: int, text: str) -> InlineText:
        bold, italic, code = (bool(column[node]) for column in self._marks)
        return InlineText(text, bold, italic, code, self._address(int(self._link[node])))

    def _located(self, row: int, text: str) -> tuple[list[int], list[int]] | None:
        """The text nodes of a part, and where each begins in its text; None if these cannot be the nodes."""
        low, high = int(self.blocks.start[row]), int(self.blocks.last[row]) + 1
        # Some texts on the page are shown but not read, such as those of pictures; then these are looked for as well.
        for chosen in (self.kept, self._shown):
            nodes = (np.flatnonzero(chosen[low:high]) + low).tolist()
            strings = [self.page.strings[number] for number in self.page.text[nodes].tolist()]
            starts = [0] if len(nodes) == 1 else _starts(strings, text) or _counted_starts(strings, text)
            if starts:
                return nodes, starts
        return None

    @cached_property
    def _shown(self) -> BoolArray:
        """Which nodes are texts that are shown."""
        shown: BoolArray = self.page.is_text & self.page.visible
        return shown

    @cached_property
    def _marks(self) -> tuple[BoolArray, BoolArray, BoolArray]:
        """Which nodes are bold, italic and code."""
        bold, italic, code = (below(self.page.mask(*names), self.page.end) for names in (BOLD, ITALIC, CODE))
        return bold, italic, code

    @cached_property
    def _link(self) -> IntArray:
        """The link that each node is in, or -1."""
        linked = self.page.mask("a") & (self._href >= 0)
        return nearest(self.page.parent, linked).astype(np.int32)

    @cached_property
    def _href(self) -> IntArray:
        return self.page.attribute("href")

    @cached_property
    def _is_marked(self) -> BoolArray:
        """Which blocks have a text that is marked in any way."""
        bold, italic, code = self._marks
        marked = (bold | italic | code | (self._link[:-1] >= 0))[self.blocks.nodes]
        return np.add.reduceat(marked.astype(np.int32), self.blocks.first[:-1]) > 0

    @cached_property
    def _has_image(self) -> BoolArray:
        """Which blocks have an image inside."""
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
