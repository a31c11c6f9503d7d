"""What the search for lists knows of a page, each worked out once, when it is first asked for."""

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.page import ABSENT, Page, Words, below, nearest, no_ints, subtree_counts
from sightline.signals import Looks, Pieces, TagProfiles, Tallies, Units, leaves_of, looks_of, units_of

__all__ = ["HEADINGS", "ITEMS", "LINE", "PLAIN", "PageSignals", "readable", "shown"]

# Pages that load their pictures late keep the address in an attribute of their own.
IMAGE_SOURCES = ("data-src", "data-lazy-src", "data-original", "src")
LINE = "#line"
# Tags that say by themselves that they are one of several.
ITEMS = frozenset(("li", "tr", "dt", "dd", "article", "option", "figure"))
# Tags whose class tells little; they are told apart by how their text looks.
PLAIN = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6", LINE, "blockquote", "pre", "b", "strong", "center"))
# Words; a line of bold text that is not longer heads what follows it.
SHORT = 8
NAMELESS = -2  # the name of an attribute that nobody asks for; -1 is the id of every string that a page lacks
MOST_HIDDEN = 0.4  # of the words; see `readable`
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True)
class UnitLists:
    """The units of a page as plain lists: small parts of them are read faster so."""

    start: list[int]
    stop: list[int]
    tag: list[str]
    look: list[tuple[float, bool]]
    is_heading: list[bool]


@dataclass(frozen=True, eq=False)
class PageSignals:
    """A page and the signals that are read from it."""

    page: Page

    @cached_property
    def units(self) -> Units:
        return units_of(self.page)

    @cached_property
    def profiles(self) -> TagProfiles:
        return TagProfiles(self.page)

    @cached_property
    def tallies(self) -> Tallies:
        return Tallies(self.page)

    @cached_property
    def looks(self) -> Looks:
        """How nodes look; where no styles are known, tags tell what is bold."""
        looks = looks_of(self.page)
        if self.page.style_names:
            return looks
        marked = np.zeros(len(self.page), dtype=bool)
        marked[self.page.with_tag("b", "strong", "th", *HEADINGS)] = True
        return replace(looks, bold=below(marked, self.page.end))

    @cached_property
    def pieces(self) -> Pieces:
        return Pieces(self.page)

    @property
    def texts(self) -> IntArray:
        """The text nodes that can be read."""
        return self.pieces.text

    @cached_property
    def in_heading(self) -> BoolArray:
        """Which nodes are headings or stand in one."""
        marked = np.zeros(len(self.page), dtype=bool)
        marked[self.page.with_tag(*HEADINGS)] = True
        return nearest(self.page.parent, marked)[:-1] >= 0

    @cached_property
    def heading_nodes(self) -> IntArray:
        """The headings that can be seen."""
        nodes = self.page.with_tag(*HEADINGS)
        return nodes[self.page.visible[nodes]]

    @cached_property
    def heading_levels(self) -> IntArray:
        """The level of each of these headings."""
        strings, tag = self.page.strings, self.page.tag
        return np.array([int(strings[tag[node]][1]) for node in self.heading_nodes.tolist()], dtype=np.int32)

    @cached_property
    def headings(self) -> npt.NDArray[np.int64]:
        """Running sum of headings that can be seen."""
        marked = np.zeros(len(self.page), dtype=np.int64)
        marked[self.heading_nodes] = 1
        return prefix_sum(marked)

    @cached_property
    def inked(self) -> IntArray:
        """The nodes in which something can be seen."""
        marked = np.zeros(len(self.page), dtype=bool)
        marked[self.leaves] = True
        return np.flatnonzero(subtree_counts(marked, self.page.end) > 0).astype(np.int32)

    @cached_property
    def leaves(self) -> IntArray:
        """The texts and pictures that can be seen; a drawing with texts in it is these texts."""
        page = self.page
        seen = leaves_of(page)
        return np.flatnonzero(seen & (subtree_counts(seen, page.end) == 1)).astype(np.int32)

    @cached_property
    def first_text(self) -> IntArray:
        """For each unit, the first text in it that can be read, or the unit's own node."""
        starts, stops = self.units.start, self.units.stop
        if not len(self.texts):
            return starts
        first = self.texts[np.minimum(np.searchsorted(self.texts, starts), len(self.texts) - 1)]
        return np.where((first >= starts) & (first < stops), first, starts).astype(np.int32)

    @cached_property
    def unit_lists(self) -> "UnitLists":
        """The columns of the units as lists."""
        units, page = self.units, self.page
        tags = page.tag[units.start].tolist()
        names = [LINE if line else page.strings[tag] for line, tag in zip(units.line.tolist(), tags, strict=True)]
        is_heading = self.all_heading | (self.all_bold & (self.unit_words <= SHORT))
        size = self.looks.size[self.first_text]
        return UnitLists(
            units.start.tolist(),
            units.stop.tolist(),
            names,
            list(zip(size.tolist(), self.all_bold.tolist(), strict=True)),
            is_heading.tolist(),
        )

    @cached_property
    def unit_words(self) -> npt.NDArray[np.int64]:
        """How many words each unit has."""
        return self.below(self.units.start, self.units.stop, self.tallies.words)

    @cached_property
    def all_bold(self) -> BoolArray:
        """Which units are bold from their first to their last letter."""
        return self._wholly(self.looks.bold)

    @cached_property
    def all_heading(self) -> BoolArray:
        """Which units are headings and nothing else."""
        return self._wholly(self.in_heading)

    def _wholly(self, marked: BoolArray) -> BoolArray:
        """Which units have only texts that are marked."""
        sums = prefix_sum(marked[self.texts])
        first, last = np.searchsorted(self.texts, self.units.start), np.searchsorted(self.texts, self.units.stop)
        whole: BoolArray = (last > first) & (sums[last] - sums[first] == last - first)
        return whole

    @cached_property
    def classes(self) -> IntArray:
        """The class attribute of each node, as an id of a string; -1 where there is none."""
        return self.page.attribute("class")

    @cached_property
    def callings(self) -> tuple[IntArray, IntArray, IntArray]:
        """What each node is called by class, id and role, as ids of strings; -1 where it is not."""
        return self.classes, self.page.attribute("id"), self.page.attribute("role")

    def names_with(self, words: tuple[str, ...]) -> IntArray:
        """The classes, ids and roles, as ids of strings, in which one of the words stands."""
        names, begins, text = self._names
        hits: set[int] = set()
        for word in words:
            place = text.find(word)
            while place >= 0:
                number = bisect_right(begins, place) - 1
                hits.add(names[number])
                place = text.find(word, begins[number + 1])
        return np.array(sorted(hits), dtype=np.int32)

    @cached_property
    def _names(self) -> tuple[list[int], list[int], str]:
        """All names one after another, so that they are searched in one go, and where each begins."""
        known = np.unique(np.concatenate(self.callings))
        names: list[int] = known[known >= 0].tolist()
        texts = [self.page.strings[name].lower() + "\n" for name in names]
        return names, [0, *accumulate(map(len, texts))], "".join(texts)

    @cached_property
    def site(self) -> str:
        """The beginning of every address of the page's site; empty for pages of no site."""
        parts = urlsplit(self.page.url)
        return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""

    @cached_property
    def itemprops(self) -> IntArray:
        """What the page's microdata call each node, as an id of a string; -1 where they do not."""
        return self.page.attribute("itemprop")

    @cached_property
    def hrefs(self) -> IntArray:
        """Where each node leads, as an id of a string; -1 where it leads nowhere."""
        return self.page.attribute("href")

    @cached_property
    def links(self) -> IntArray:
        """The links that can be seen and lead to another page."""
        return self.all_links[self.leads_away]

    @cached_property
    def all_links(self) -> IntArray:
        """The links that can be seen."""
        links = self.page.with_tag("a")
        return links[self.page.visible[links] & (self.hrefs[links] >= 0)]

    @cached_property
    def leads_away(self) -> BoolArray:
        """Which of these links do not only jump on the page or run a script."""
        addresses = self.hrefs[self.all_links].tolist()
        away = [not self.page.strings[address].lstrip().startswith(("#", "javascript:")) for address in addresses]
        return np.array(away, dtype=bool)

    @cached_property
    def images(self) -> IntArray:
        """The pictures that can be seen."""
        images = self.page.with_tag("img")
        return images[self.page.visible[images]]

    @cached_property
    def image_sources(self) -> list[IntArray]:
        """The attributes that tell where a picture is, the likeliest first."""
        return [self.page.attribute(name) for name in IMAGE_SOURCES]

    # Single values are read faster from lists than from arrays.

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers of the nodes in the captured page."""
        numbers: list[int] = self.page.numbers.tolist()
        return numbers

    @cached_property
    def away(self) -> frozenset[int]:
        """As `links`, to ask for one."""
        return frozenset(self.links_in_order)

    @cached_property
    def links_in_order(self) -> list[int]:
        """As `links`."""
        links: list[int] = self.links.tolist()
        return links

    @cached_property
    def images_in_order(self) -> list[int]:
        """As `images`."""
        images: list[int] = self.images.tolist()
        return images

    @cached_property
    def leaf_list(self) -> list[int]:
        """As `leaves`."""
        leaves: list[int] = self.leaves.tolist()
        return leaves

    @cached_property
    def sizes(self) -> list[float]:
        """The size of each node's letters."""
        sizes: list[float] = self.looks.size.tolist()
        return sizes

    @cached_property
    def bold_list(self) -> list[bool]:
        """Which nodes are bold."""
        bold: list[bool] = self.looks.bold.tolist()
        return bold

    @cached_property
    def heading_list(self) -> list[bool]:
        """As `in_heading`."""
        headings: list[bool] = self.in_heading.tolist()
        return headings

    @cached_property
    def text_list(self) -> list[int]:
        """As `texts`."""
        texts: list[int] = self.texts.tolist()
        return texts

    @cached_property
    def line_list(self) -> list[int]:
        """The line of each text."""
        lines: list[int] = self.pieces.line.tolist()
        return lines

    @cached_property
    def piece_list(self) -> list[int]:
        """The piece of each text."""
        pieces: list[int] = self.pieces.piece.tolist()
        return pieces

    @cached_property
    def holder_list(self) -> list[int]:
        """The holder of each text."""
        holders: list[int] = self.pieces.holder.tolist()
        return holders

    @cached_property
    def frames(self) -> IntArray:
        """The block or cell that each text stands in."""
        page = self.page
        return nearest(page.parent, (page.is_block | page.is_cell) & ~page.is_text)[self.texts].astype(np.int32)

    @cached_property
    def frame_list(self) -> list[int]:
        """As `frames`."""
        frames: list[int] = self.frames.tolist()
        return frames

    @cached_property
    def frame_paths(self) -> list[int]:
        """The tag path of the block or cell that each text stands in."""
        paths: list[int] = self.page.path[self.frames].tolist()
        return paths

    @cached_property
    def holder_paths(self) -> list[int]:
        """The tag path of the holder of each text."""
        paths: list[int] = self.page.path[self.pieces.holder].tolist()
        return paths

    @cached_property
    def cells(self) -> list[int]:
        """The cell of a table that each node is in, or -1."""
        marked = np.zeros(len(self.page), dtype=bool)
        marked[self.page.with_tag("td", "th")] = True
        cells: list[int] = nearest(self.page.parent, marked)[:-1].tolist()
        return cells

    @cached_property
    def cell_places(self) -> dict[int, int]:
        """The place of each cell in its row, from 1 on; cells that span several take so many places."""
        spans = self.page.attribute("colspan")
        places: dict[int, int] = {}
        free: dict[int, int] = {}
        for cell in self.page.with_tag("td", "th").tolist():
            row = int(self.page.parent[cell])
            places[cell] = free.get(row, 1)
            span = self.page.strings[spans[cell]] if spans[cell] >= 0 else "1"
            free[row] = places[cell] + (int(span) if span.isdecimal() and len(span) < 4 else 1)
        return places

    @cached_property
    def class_list(self) -> list[int]:
        """The class of each node."""
        classes: list[int] = self.classes.tolist()
        return classes

    @cached_property
    def link_list(self) -> list[int]:
        """The link of each text."""
        links: list[int] = self.pieces.link.tolist()
        return links

    def tokens(self, node: int) -> frozenset[str]:
        """The words of a node's class attribute."""
        value = self.class_list[node]
        known = self._tokens.get(value)
        if known is None:
            known = self._tokens[value] = frozenset(self.page.strings[value].split())
        return known

    def words_of_class(self, node: int) -> list[str]:
        """As `tokens`, in their order, so that what comes first wins whatever the hashes are."""
        value = self.class_list[node]
        return list(dict.fromkeys(self.page.strings[value].split())) if value >= 0 else []

    @cached_property
    def _tokens(self) -> dict[int, frozenset[str]]:
        return {ABSENT: frozenset()}

    def below(self, starts: IntArray, stops: IntArray, sums: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """How much of something is in each range of nodes."""
        amount: npt.NDArray[np.int64] = sums[stops] - sums[starts]
        return amount


def readable(page: Page) -> Page:
    """The page as it is once its scripts have run, where it hides most of itself until then.

    Saved pages often wait for a script to fade them in. On 345 pages the share of the words that can be seen was
    below a quarter on two, which did so, and above a half on all others.
    """
    if page.kind == "static":
        return page
    if not len(page.words):
        return _markup(page) if page.is_text.any() else page
    return page if page.visible[page.words.node].mean() >= MOST_HIDDEN else _unfaded(page)


def _markup(page: Page) -> Page:
    """What the markup says alone."""
    styles = np.full((1, 0), ABSENT, dtype=np.int32)
    return replace(page, kind="static", style_names=(), styles=styles, style_of=no_ints(len(page)), words=Words.empty())


def shown(page: Page) -> Page:
    """The page with all that is hidden on it: the slides of a slide show that are not on, folded parts."""
    hiding = [page.string_id(name) for name in ("style", "hidden") if page.string_id(name) >= 0]
    names = np.where(np.isin(page.attributes.name, hiding), NAMELESS, page.attributes.name).astype(np.int32)
    return _markup(replace(page, attributes=replace(page.attributes, name=names)))


def _unfaded(page: Page) -> Page:
    """The page with nothing see-through."""
    if "opacity" not in page.style_names:
        return page
    styles, column = page.styles.copy(), page.style_names.index("opacity")
    styles[styles[:, column] == page.string_id("0"), column] = ABSENT
    return replace(page, styles=styles)
