"""How the parts of a main text are marked on their page: bold, italic, code, links, images, and what is around them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from typing import TypeAlias

import numpy as np

from sightline.arrays import BoolArray, IntArray, LongArray, prefix_sum
from sightline.data import ContentImage, Enclosure, InlineText, PartMarkup, Placement, part_markups
from sightline.page import Page, below, full_address, link_base, nearest
from sightline.signals import NodeNumbers, TextBlocks, grid_cells, span_of

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


# -- the lists, quotations, tables and code around the parts of a main text, as the tags of the page say ------------

# The cells of a table by its tags: in which column each begins, and which are headings.

SpansByCell: TypeAlias = Mapping[tuple[int, str], int]

# Cells that span more columns than this mean all that there are. Browsers allow 1,000, which a hostile page may use.
WIDEST_SPAN = 100


@dataclass(frozen=True)
class Cells:
    """The column of each cell, the cells that are headings, and how many columns there are."""

    column: dict[int, int]
    headings: frozenset[int]
    columns: int


def spans_of(page: Page) -> SpansByCell:
    """How many columns and rows the cells of a page span, by node and attribute, of those that say so."""
    spans = {}
    for name in ("colspan", "rowspan"):
        column = page.attribute(name)
        for node in np.flatnonzero(column >= 0).tolist():
            spans[node, name] = span_of(page.strings[column[node]])
    return spans


def cells_of(page: Page, table: int, own: BoolArray, spans: SpansByCell) -> Cells:
    """The cells of a table, `own` of whose nodes are in no table inside of it.

    Columns are counted where cells begin, so a cell that spans too many adds none.

    >>> from sightline.testing import element, page_of
    >>> rows = [element("tr", element("td", "a"), element("td", "b")), element("tr", element("td", "c"))]
    >>> page = page_of(element("table", *rows))
    >>> cells_of(page, int(page.with_tag("table")[0]), np.ones(len(page), dtype=bool), {}).columns
    2
    """
    tags = page.tag[table : int(page.end[table])]
    wanted = {page.tag_id(name): name for name in ("tr", "td", "th", "thead")}
    rows: list[list[int]] = [[]]  # the first is for cells outside of any row
    headings: set[int] = set()
    head = 0
    for offset in np.flatnonzero(own[: len(tags)] & np.isin(tags, list(wanted))).tolist():
        node, name = table + offset, wanted[int(tags[offset])]
        if name == "thead":
            head = int(page.end[node])
        elif name == "tr":
            rows.append([])
        else:
            rows[-1].append(node)
            if name == "th" or node < head:
                headings.add(node)
    placed = chain.from_iterable(grid_cells(rows, lambda *asked: spans.get(asked, 1), widest=WIDEST_SPAN))
    return _numbered({node: column for node, column, _ in placed}, headings)


def _numbered(starts: dict[int, int], headings: set[int]) -> Cells:
    number = {place: column for column, place in enumerate(sorted(set(starts.values())))}
    return Cells({node: number[place] for node, place in starts.items()}, frozenset(headings), len(number))


LISTS = {"ul": "ul", "ol": "ol", "menu": "ul", "dir": "ul"}
CELLS = ("td", "th")
CONTAINERS = (*LISTS, "li", "dd", "blockquote", "table", "tr", *CELLS)
# What cannot contain another block in Markdown; these are around a part only if they say what it is.
FLAT = ("h1", "h2", "h3", "h4", "h5", "h6", "dt", "pre")
# Elements inside one another; text that is nested more deeply is written as if it were not. No real page comes near.
DEEPEST = 40
LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?|highlight(?:-source|-text)?)-([\w+#.]+)|\bbrush:\s*([\w+#]+)")
NO_LANGUAGE = ("default", "none", "plain", "plaintext", "text", "auto")
NEAR = 2  # elements around code, and nodes inside, that may name its language, as Sphinx and GitHub do
SOFT_HYPHEN = "\u00ad"


class Enclosures:
    """The enclosures of the nodes of a page; `kept` are the text nodes that belong to the main text."""

    def __init__(self, page: Page, kept: BoolArray) -> None:
        self.page = page
        self.kept = kept
        self._chains: dict[int, tuple[Enclosure, ...]] = {-1: ()}
        self._cells: dict[int, Cells] = {}
        self._numbers: dict[int, dict[int, int]] = {}
        self._code: dict[int, Enclosure] = {}

    @cached_property
    def above(self) -> list[int]:
        """The nearest container of each node, itself included, or -1; so for the last, which stands for none."""
        found: list[int] = nearest(self.page.parent, self.page.mask(*CONTAINERS)).tolist()
        return found

    @cached_property
    def _table_of(self) -> IntArray:
        return nearest(self.page.parent, self.page.mask("table")).astype(np.int32)

    @cached_property
    def _spans(self) -> SpansByCell:
        return spans_of(self.page)

    @cached_property
    def _breaks(self) -> IntArray:
        """How many line breaks there are up to each node."""
        return np.cumsum(self.page.mask("br")).astype(np.int32)

    def around(self, node: int, told: int = -1, kind: str = "") -> tuple[Enclosure, ...]:
        """What is around a node, from the outside in; `told` is the element that says of what kind its part is."""
        chain = self._chain(self.above[node])
        if told < 0 or kind not in FLAT:
            return chain
        return (*chain, self._code_of(told) if kind == "pre" else Enclosure(kind, told))

    def _chain(self, container: int) -> tuple[Enclosure, ...]:
        """The enclosures that a container and those around it make."""
        unknown = []
        while container not in self._chains:
            unknown.append(container)
            container = self.above[self.page.parent[container]]
        chain = self._chains[container]
        for inner in reversed(unknown):
            chain = self._chains[inner] = (*chain, *self._own(inner, chain))
        return chain

    def _own(self, node: int, chain: Sequence[Enclosure]) -> tuple[Enclosure, ...]:
        """What a container adds to the enclosures around it; nothing where it is not in its place."""
        tag, outer = self._tag(node), chain[-1].kind if chain else ""
        if len(chain) >= DEEPEST:
            return ()
        if tag in ("li", "dd"):
            return self._item(node, tag, outer, chain)
        if tag == "tr":
            return (Enclosure(tag, node),) if outer == "table" else ()
        if tag in CELLS:
            return self._cell(node, chain) if outer == "tr" else ()
        if tag == "table":
            return (Enclosure(tag, node, self._cells_of(node).columns),)
        return (Enclosure(LISTS.get(tag, tag), node),)

    def _item(self, node: int, tag: str, outer: str, chain: Sequence[Enclosure]) -> tuple[Enclosure, ...]:
        """An item, in a list of its own if it is in none; a definition is the item of such a list."""
        if tag == "li" and outer == "ol":
            return (Enclosure("li", node, self._number(node, chain[-1].node)),)
        if tag == "li" and outer == "ul":
            return (Enclosure("li", node),)
        return Enclosure("ul", int(self.page.parent[node])), Enclosure("li", node)

    def _cell(self, node: int, chain: Sequence[Enclosure]) -> tuple[Enclosure, ...]:
        cells = self._cells_of(chain[-2].node)
        if node not in cells.column:
            return ()
        return (Enclosure("th" if node in cells.headings else "td", node, cells.column[node]),)

    def _cells_of(self, table: int) -> Cells:
        if table not in self._cells:
            own = self._table_of[table : int(self.page.end[table])] == table
            self._cells[table] = cells_of(self.page, table, own, self._spans)
        return self._cells[table]

    def _number(self, item: int, parent: int) -> int:
        """The number of an item in an ordered list."""
        if parent not in self._numbers:
            items = [node for node in _children(self.page, parent) if self._tag(node) == "li"]
            self._numbers[parent] = self._numbered(parent, items)
        return self._numbers[parent].get(item, 1)

    def _numbered(self, parent: int, items: Sequence[int]) -> dict[int, int]:
        """The numbers of items as browsers count them: from `start` on, backwards if `reversed`, anew from `value`."""
        attributes = self.page.node(parent).attributes
        step = -1 if "reversed" in attributes else 1
        number = _integer(attributes.get("start", ""), len(items) if step < 0 else 1)
        numbers = {}
        for item in items:
            number = _integer(self.page.node(item).attributes.get("value", ""), number)
            numbers[item] = number
            number += step
        return numbers

    # ------------------------------------------------------------------ code

    def _code_of(self, node: int) -> Enclosure:
        if node not in self._code:
            self._code[node] = Enclosure("pre", node, 0, self._language(node), self._code_text(node))
        return self._code[node]

    def _code_text(self, node: int) -> str:
        """Code with its blanks; what the page shows on a line of its own, it has here as well."""
        page = self.page
        inside = np.arange(node, int(page.end[node]))
        texts = inside[page.is_text[inside] & (self.kept[inside] | page.is_blank[inside])]
        breaks, lines = self._breaks[texts].tolist(), page.borders[0][texts].tolist()
        code, before = "", int(self._breaks[node])
        for place, text in enumerate(page.text[texts].tolist()):
            parted = place > 0 and lines[place] > lines[place - 1] and not code.endswith("\n")
            code += "\n" * max(breaks[place] - before, int(parted)) + page.strings[text].replace("\r\n", "\n")
            before = breaks[place]
        written = (line.rstrip() for line in code.replace("\r", "\n").replace(SOFT_HYPHEN, "").split("\n"))
        return "\n".join(written).strip("\n")

    def _language(self, node: int) -> str:
        """The language of code, by a class of its element, of the `code` inside or of what is close around."""
        inside = range(node, min(node + NEAR + 1, int(self.page.end[node])))
        outside = [int(self.page.parent[node])]
        while len(outside) < NEAR and outside[-1] >= 0:
            outside.append(int(self.page.parent[outside[-1]]))
        for place in (*inside, *outside):
            found = LANGUAGE.search(self.page.node(place).attributes.get("class", "")) if place >= 0 else None
            name = (found[1] or found[2]).lower() if found else ""
            if name and name not in NO_LANGUAGE:
                return name
        return ""

    def _tag(self, node: int) -> str:
        return self.page.strings[int(self.page.tag[node])]


def _children(page: Page, node: int) -> list[int]:
    return [child.number for child in page.node(node).children]


def _integer(text: str, otherwise: int) -> int:
    """The number that an attribute says.

    >>> _integer(" 7 ", 1), _integer("x", 1)
    (7, 1)
    """
    digits = text.strip().removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else otherwise
