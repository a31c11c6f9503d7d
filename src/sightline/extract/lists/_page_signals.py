"""Signals that the search for lists reads from a page, each computed once, on first use."""

from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, FloatArray, IndexArray, IntArray, prefix_sum
from sightline.extract.lists._inline_fields import InlineElements, inline_elements, inline_fields
from sightline.extract.lists._region import Region
from sightline.geometry import BoxArray, is_box
from sightline.page import ABSENT, Page, Words, below, nearest, no_ints, subtree_counts
from sightline.signals import PICTURE_SOURCES, Looks, Pieces, TagProfiles, Tallies, Units, leaves_of, looks_of, units_of

LINE = "#line"
# Tags that by themselves mean one of several.
ITEMS = frozenset(("li", "tr", "dt", "dd", "article", "option", "figure"))
# Tags whose class says little; they are told apart by how their text looks.
PLAIN = frozenset(("p", "h1", "h2", "h3", "h4", "h5", "h6", LINE, "blockquote", "pre", "b", "strong", "center"))
# Words; a bold line that is no longer than this heads what follows it.
SHORT = 8
NAMELESS = -2  # the name of an attribute that nothing looks up; -1 is the id of every string that a page lacks
MOST_HIDDEN = 0.4  # of the words; see `readable`
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


@dataclass(frozen=True)
class UnitLists:
    """The units of a page as plain lists, which are faster to read in small parts."""

    start: list[int]
    stop: list[int]
    tag: list[str]
    look: list[tuple[float, bool]]
    is_heading: list[bool]


@dataclass(frozen=True, eq=False)
class PageSignals:
    """A page and the signals read from it."""

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
        """How nodes look; without styles, tags tell what is bold."""
        looks = looks_of(self.page)
        if self.page.style_names:
            return looks
        marked = self.page.mask("b", "strong", "th", *HEADINGS)
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
        """Which nodes are headings or inside one."""
        return below(self.page.mask(*HEADINGS), self.page.end)

    @cached_property
    def heading_nodes(self) -> IntArray:
        """The visible headings."""
        nodes = self.page.with_tag(*HEADINGS)
        return nodes[self.page.visible[nodes]]

    @cached_property
    def heading_levels(self) -> IntArray:
        """The level of each of these headings."""
        strings, tag = self.page.strings, self.page.tag
        return np.array([int(strings[tag[node]][1]) for node in self.heading_nodes.tolist()], dtype=np.int32)

    @cached_property
    def headings(self) -> npt.NDArray[np.int64]:
        """Running count of visible headings."""
        marked = np.zeros(len(self.page), dtype=np.int64)
        marked[self.heading_nodes] = 1
        return prefix_sum(marked)

    @cached_property
    def visible_nodes(self) -> IntArray:
        """The nodes with something visible in them."""
        marked = np.zeros(len(self.page), dtype=bool)
        marked[self.leaves] = True
        return np.flatnonzero(subtree_counts(marked, self.page.end) > 0).astype(np.int32)

    @cached_property
    def leaves(self) -> IntArray:
        """The visible texts and pictures; a drawing with texts in it counts as these texts."""
        page = self.page
        is_leaf = leaves_of(page)
        return np.flatnonzero(is_leaf & (subtree_counts(is_leaf, page.end) == 1)).astype(np.int32)

    @cached_property
    def leaf_corners(self) -> tuple[BoxArray, BoxArray]:
        """The upper left and the lower right corners of these leaves, infinite where one has no box and at the end."""
        box = self.page.box[self.leaves]
        has_box = is_box(box)[:, None]
        low = np.full((len(box) + 1, 2), np.inf, dtype=np.float32)
        high = np.full((len(box) + 1, 2), -np.inf, dtype=np.float32)
        low[:-1], high[:-1] = np.where(has_box, box[:, :2], np.inf), np.where(has_box, box[:, 2:], -np.inf)
        return low, high

    @cached_property
    def area_sums(self) -> FloatArray:
        """Running sum of the area of the visible texts and pictures, as shares of the page."""
        bounds = self.page.bounds
        box = self.page.box[self.leaves].astype(np.float64)
        box[np.isnan(box)] = 0.0
        whole = max(1.0, (bounds[2] - bounds[0]) * (bounds[3] - bounds[1])) if bounds else 1.0
        return prefix_sum((box[:, 2] - box[:, 0]) * (box[:, 3] - box[:, 1])) / whole

    @cached_property
    def _unit_texts(self) -> tuple[IndexArray, IndexArray]:
        """The places of the first text of each unit and of the first behind it."""
        return self.texts.searchsorted(self.units.start), self.texts.searchsorted(self.units.stop)

    @cached_property
    def first_text(self) -> IntArray:
        """For each unit, the first readable text in it, or the unit's own node."""
        starts, stops = self.units.start, self.units.stop
        if not len(self.texts):
            return starts
        first = self.texts[np.minimum(self._unit_texts[0], len(self.texts) - 1)]
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
        """Which units are bold throughout."""
        return self._wholly(self.looks.bold)

    @cached_property
    def all_heading(self) -> BoolArray:
        """Which units are headings and nothing else."""
        return self._wholly(self.in_heading)

    def _wholly(self, marked: BoolArray) -> BoolArray:
        """Which units have only marked texts."""
        sums = prefix_sum(marked[self.texts])
        first, last = self._unit_texts
        whole: BoolArray = (last > first) & (sums[last] - sums[first] == last - first)
        return whole

    @cached_property
    def classes(self) -> IntArray:
        """The class attribute of each node, as a string id; -1 if it has none."""
        return self.page.attribute("class")

    @cached_property
    def name_attributes(self) -> tuple[IntArray, IntArray, IntArray]:
        """Class, id and role of each node, as string ids; -1 if it has none."""
        return self.classes, self.page.attribute("id"), self.page.attribute("role")

    def names_with(self, words: tuple[str, ...]) -> IntArray:
        """The classes, ids and roles, as string ids, that contain one of the words."""
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
        """All names joined into one text, so that they can be searched in one go, and where each begins."""
        used = np.zeros(len(self.page.strings) + 1, dtype=bool)  # the last row serves the id -1
        for column in self.name_attributes:
            used[column] = True
        names: list[int] = np.flatnonzero(used[:-1]).tolist()
        texts = [self.page.strings[name].lower() + "\n" for name in names]
        return names, [0, *accumulate(map(len, texts))], "".join(texts)

    @cached_property
    def site(self) -> str:
        """The start of every address on the page's site; empty for pages without a site."""
        parts = urlsplit(self.page.url)
        return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""

    @cached_property
    def itemprops(self) -> IntArray:
        """The microdata property of each node, as a string id; -1 if it has none."""
        return self.page.attribute("itemprop")

    @cached_property
    def hrefs(self) -> IntArray:
        """The address that each node links to, as a string id; -1 if it isn't a link."""
        return self.page.attribute("href")

    @cached_property
    def links(self) -> IntArray:
        """The visible links to other pages."""
        return self.all_links[self.leads_away]

    @cached_property
    def all_links(self) -> IntArray:
        """The visible links."""
        links = self.page.with_tag("a")
        return links[self.page.visible[links] & (self.hrefs[links] >= 0)]

    @cached_property
    def leads_away(self) -> BoolArray:
        """Which of these links do more than jump within the page or run a script."""
        addresses = self.hrefs[self.all_links].tolist()
        away = [not self.page.strings[address].lstrip().startswith(("#", "javascript:")) for address in addresses]
        return np.array(away, dtype=bool)

    @cached_property
    def images(self) -> IntArray:
        """The visible pictures."""
        images = self.page.with_tag("img")
        return images[self.page.visible[images]]

    @cached_property
    def image_sources(self) -> list[IntArray]:
        """The attributes that may hold a picture's address, the likeliest first."""
        return [self.page.attribute(name) for name in PICTURE_SOURCES]

    # Single values are faster to read from lists than from arrays.

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers of the nodes in the captured page."""
        numbers: list[int] = self.page.numbers.tolist()
        return numbers

    @cached_property
    def away(self) -> frozenset[int]:
        """Like `links`, for membership tests."""
        return frozenset(self.links_in_order)

    @cached_property
    def links_in_order(self) -> list[int]:
        """Like `links`."""
        links: list[int] = self.links.tolist()
        return links

    @cached_property
    def images_in_order(self) -> list[int]:
        """Like `images`."""
        images: list[int] = self.images.tolist()
        return images

    @cached_property
    def leaf_list(self) -> list[int]:
        """Like `leaves`."""
        leaves: list[int] = self.leaves.tolist()
        return leaves

    @cached_property
    def sizes(self) -> list[float]:
        """The font size of each node."""
        sizes: list[float] = self.looks.size.tolist()
        return sizes

    @cached_property
    def bold_list(self) -> list[bool]:
        """Which nodes are bold."""
        bold: list[bool] = self.looks.bold.tolist()
        return bold

    @cached_property
    def heading_list(self) -> list[bool]:
        """Like `in_heading`."""
        headings: list[bool] = self.in_heading.tolist()
        return headings

    @cached_property
    def text_list(self) -> list[int]:
        """Like `texts`."""
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
        """The block or cell that holds each text."""
        page = self.page
        return nearest(page.parent, (page.is_block | page.is_cell) & ~page.is_text)[self.texts].astype(np.int32)

    @cached_property
    def frame_list(self) -> list[int]:
        """Like `frames`."""
        frames: list[int] = self.frames.tolist()
        return frames

    @cached_property
    def frame_paths(self) -> list[int]:
        """The tag path of the block or cell that holds each text."""
        paths: list[int] = self.page.path[self.frames].tolist()
        return paths

    @cached_property
    def holder_paths(self) -> list[int]:
        """The tag path of the holder of each text."""
        paths: list[int] = self.page.path[self.pieces.holder].tolist()
        return paths

    @cached_property
    def cells(self) -> list[int]:
        """The table cell that each node is in, or -1."""
        marked = self.page.mask("td", "th")
        cells: list[int] = nearest(self.page.parent, marked)[:-1].tolist()
        return cells

    @cached_property
    def cell_places(self) -> dict[int, int]:
        """The place of each cell in its row, from 1; a cell takes as many places as it spans."""
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
    def property_list(self) -> list[int]:
        """For each text the element of the microdata property whose value it is part of, or -1.

        The value of a property is all text in its element, unless that is an item with properties of its own. An
        element with a heading in it is more than a value, whatever its markup says.
        """
        named = self.itemprops >= 0
        if not named.any():
            return [-1] * len(self.texts)
        count, nodes = prefix_sum(named), np.flatnonzero(named & (self.page.attribute("itemscope") < 0))
        end = self.page.end[nodes]
        is_value = np.zeros(len(self.page), dtype=bool)
        is_value[nodes[(count[end] - count[nodes] == 1) & (self.headings[end] == self.headings[nodes])]] = True
        values: list[int] = nearest(self.page.parent, is_value)[self.texts].tolist()
        return values

    @cached_property
    def inline_elements(self) -> InlineElements:
        return inline_elements(self.page, self.pieces, self.classes, self.itemprops)

    def inline_fields(self, region: Region) -> dict[int, int]:
        """The texts, by their place, that are in an inline part of a region's records, and the part of each."""
        return inline_fields(self.page, self.pieces, self.inline_elements, region)

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

    def nodes_with(self, tag: int) -> list[int]:
        """The nodes with a tag, given as a string id, in order."""
        nodes = self._by_tag.get(tag)
        if nodes is None:
            nodes = self._by_tag[tag] = np.flatnonzero(self.page.tag == tag).tolist()
        return nodes

    @cached_property
    def _by_tag(self) -> dict[int, list[int]]:
        return {}

    def tokens(self, node: int) -> frozenset[str]:
        """The tokens of a node's class attribute."""
        return self.class_tokens(self.class_list[node])

    def class_tokens(self, value: int) -> frozenset[str]:
        """The tokens of a class attribute, given as a string id."""
        tokens = self._tokens.get(value)
        if tokens is None:
            tokens = self._tokens[value] = frozenset(self.page.strings[value].split())
        return tokens

    def words_of_class(self, node: int) -> tuple[str, ...]:
        """Like `tokens`, in order, so that the first one wins whatever the hashes are."""
        value = self.class_list[node]
        words = self._class_words.get(value)
        if words is None:
            words = self._class_words[value] = tuple(dict.fromkeys(self.page.strings[value].split()))
        return words

    @cached_property
    def _class_words(self) -> dict[int, tuple[str, ...]]:
        return {ABSENT: ()}

    @cached_property
    def _tokens(self) -> dict[int, frozenset[str]]:
        return {ABSENT: frozenset()}

    def below(self, starts: IntArray, stops: IntArray, sums: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """How much of something each range of nodes contains."""
        amount: npt.NDArray[np.int64] = sums[stops] - sums[starts]
        return amount


def readable(page: Page) -> Page:
    """The page as it looks once its scripts have run, if it hides most of itself until then.

    Saved pages often wait for a script to fade them in. On 345 pages the share of visible words was below a quarter on
    two, which did so, and above a half on all others.
    """
    if page.kind == "static":
        return page
    if not len(page.words):
        return _markup_only(page) if page.is_text.any() else page
    return page if page.visible[page.words.node].mean() >= MOST_HIDDEN else _without_transparency(page)


def _markup_only(page: Page) -> Page:
    """The page as its markup alone describes it."""
    styles = np.full((1, 0), ABSENT, dtype=np.int32)
    return replace(page, kind="static", style_names=(), styles=styles, style_of=no_ints(len(page)), words=Words.empty())


def with_hidden_shown(page: Page) -> Page:
    """The page with everything hidden on it made visible: the other slides of a slide show, folded parts."""
    hiding = [page.attribute_id(name) for name in ("style", "hidden") if page.attribute_id(name) != ABSENT]
    names = np.where(np.isin(page.attributes.name, hiding), NAMELESS, page.attributes.name).astype(np.int32)
    return _markup_only(replace(page, attributes=replace(page.attributes, name=names)))


def _without_transparency(page: Page) -> Page:
    """The page with nothing transparent."""
    if "opacity" not in page.style_names:
        return page
    styles, column = page.styles.copy(), page.style_names.index("opacity")
    styles[styles[:, column] == page.style_id("0"), column] = ABSENT
    return replace(page, styles=styles)
