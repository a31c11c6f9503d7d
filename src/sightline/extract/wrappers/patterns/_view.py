"""A page as patterns see it: its texts in order, which of them every node contains, and what is around each node.

All columns are computed on first use and cached, so that a hypothesis costs only what is new in it.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any
from urllib.parse import urljoin

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, LongArray, prefix_sum
from sightline.extract.schemas import collapse_spaces
from sightline.extract.wrappers.patterns._expression import kinds_of
from sightline.page import Page
from sightline.signals import GridCell, grid_cells, looks_of, published_data, span_of, texts_of

BLOCKS = ("li", "p", "dd", "div")  # what several values in one block are in
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
LOOK = ("font-size", "font-weight", "color")
LINED_UP = 0.5  # of the smaller height or width, from which on two texts share a line or a column
FRAME = frozenset(("html", "head", "body"))  # never a value themselves
WIDEST_SPAN = 1_000  # columns of a cell, as browsers have it
LONGEST_LABEL = 60  # characters; anything longer is a text, not a label
_BLANKS = re.compile(r"\s+")
_FORMAT = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_LABEL_END = " :：*\u00a0"


def key_of(text: str) -> str:
    r"""A text as it is compared with examples: white space, case and variant forms of letters do not count.

    >>> key_of("Canon\n EOS 5D") == key_of("canon eos5d")
    True
    """
    if text.isascii():
        return _BLANKS.sub("", text).lower()
    return _BLANKS.sub("", _FORMAT.sub("", unicodedata.normalize("NFKC", text)).casefold())


def label_key(text: str) -> str:
    """A label as it is compared: without case and without a trailing colon.

    >>> label_key("Price :") == label_key("price")
    True
    """
    return collapse_spaces(text).casefold().strip(_LABEL_END)


def joined_address(base: str, address: str) -> str:
    """An absolute address; anything that is not an address stays as written."""
    try:
        return urljoin(base, address)
    except ValueError:
        return address


class View:
    """The columns of a page that conditions are tested on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.masks: dict[object, BoolArray] = {}
        self.proposed: dict[tuple[int, int], list[tuple[Any, float]]] = {}
        self.searches: dict[object, list[Any]] = {}

    # ------------------------------------------------------------------ texts

    @cached_property
    def leaves(self) -> LongArray:
        """The readable text nodes, in page order."""
        return np.flatnonzero(texts_of(self.page))

    @cached_property
    def texts(self) -> list[str]:
        """Their texts as shown."""
        strings = self.page.strings
        return [collapse_spaces(strings[text]) for text in self.page.text[self.leaves].tolist()]

    @cached_property
    def first(self) -> LongArray:
        """For each node, the number of its first text, or of the next one if it has none."""
        return np.searchsorted(self.leaves, np.arange(len(self.page)))

    @cached_property
    def last(self) -> LongArray:
        """For each node, the number after its last text."""
        return np.searchsorted(self.leaves, self.page.end)

    @cached_property
    def _keys(self) -> tuple[str, LongArray]:
        keys = [key_of(text) for text in self.texts]
        return "".join(keys), np.array([0, *accumulate(map(len, keys))])

    @cached_property
    def _ends(self) -> dict[int, int]:
        """The number of texts up to each place where one ends."""
        return {offset: number for number, offset in enumerate(self._keys[1].tolist())}

    def text(self, node: int) -> str:
        """The text of a node, on one line."""
        if self.last[node] - self.first[node] == 1:
            return self.texts[int(self.first[node])]
        if node not in self._long_texts:
            self._long_texts[node] = collapse_spaces(self.page.text_of(node))
        return self._long_texts[node]

    @cached_property
    def _long_texts(self) -> dict[int, str]:
        """What nodes with several texts say: putting it together takes long, and a lesson asks for it again."""
        return {}

    def all_texts(self, nodes: IntArray | LongArray) -> list[str]:
        """The texts of many nodes, each on one line."""
        first, last = self.first[nodes], self.last[nodes]
        long = np.flatnonzero(last - first != 1).tolist()
        texts = [self.texts[number] if number < len(self.texts) else "" for number in first.tolist()]
        known, new = self._long_texts, [place for place in long if int(nodes[place]) not in self._long_texts]
        if new:
            said = self.page.texts_of(nodes[new])
            known.update((int(nodes[place]), collapse_spaces(text)) for place, text in zip(new, said, strict=True))
        for place in long:
            texts[place] = known[int(nodes[place])]
        return texts

    # ------------------------------------------------------------------ where a text is

    def places(self, text: str) -> list[tuple[int, int]]:
        """The runs of texts, as numbers from and to, that together are exactly this text."""
        joined, offsets = self._keys
        wanted = key_of(text)
        ends, found = self._ends, []
        for start in _occurrences(joined, wanted):
            if start in ends and start + len(wanted) in ends:
                begin = int(np.searchsorted(offsets, start, side="right")) - 1
                found.append((begin, ends[start + len(wanted)]))
        return found

    def around(self, text: str) -> list[tuple[int, int]]:
        """The shortest runs of texts that contain this text."""
        joined, offsets = self._keys
        wanted = key_of(text)
        found = []
        for start in _occurrences(joined, wanted):
            begin = int(np.searchsorted(offsets, start, side="right")) - 1
            stop = int(np.searchsorted(offsets, start + len(wanted), side="left"))
            found.append((begin, stop))
        return found

    def nodes_of(self, begin: int, stop: int) -> list[int]:
        """The nodes that contain exactly these texts, the outermost first."""
        leaf = int(self.leaves[begin])
        found = []
        node = leaf
        while node >= 0 and self.first[node] == begin and self.last[node] <= stop:
            if self.last[node] == stop:
                found.append(node)
            node = int(self.page.parent[node])
        return [node for node in reversed(found) if self.may_be_value[node]]

    def holder(self, begin: int, stop: int) -> int:
        """The lowest element that contains these texts."""
        node = int(self.page.parent[self.leaves[begin]])
        while self.last[node] < stop:
            node = int(self.page.parent[node])
        return node

    @cached_property
    def may_be_value(self) -> BoolArray:
        """Which nodes can be a value: elements with a text, and texts beside others in one element."""
        page = self.page
        has_text = self.last > self.first
        frame = page.mask(*FRAME)
        frame[page.parent[self.leaves]] = False  # a body with nothing around its text
        alone = page.is_text & (self.last[page.parent] - self.first[page.parent] == 1)
        chosen: BoolArray = has_text & ~frame & ~alone
        return chosen

    @cached_property
    def candidates(self) -> LongArray:
        """The nodes that can be a value."""
        return np.flatnonzero(self.may_be_value)

    def with_attribute(self, name: str) -> LongArray:
        """The elements that have an attribute."""
        return np.flatnonzero(self.attribute(name) >= 0)

    # ------------------------------------------------------------------ what is around a node

    @cached_property
    def label_ids(self) -> dict[str, int]:
        """A number for every text that is short enough to be a label."""
        return {}

    @cached_property
    def labels(self) -> LongArray:
        """The number of each text as a label; 0 if it is too long to be one."""
        ids = self.label_ids
        numbers = [
            ids.setdefault(label_key(text), len(ids) + 1) if len(text) <= LONGEST_LABEL else 0 for text in self.texts
        ]
        return np.array([*numbers, 0], dtype=np.int64)  # the last one means "none"

    @cached_property
    def label_names(self) -> dict[int, str]:
        """The labels by number."""
        if not len(self.labels):
            return {}
        assert len(self.column_head)  # which adds headings that are made of two
        return {number: label for label, number in self.label_ids.items()}

    def label_id(self, label: str) -> int:
        """The number of a label on this page, or -1."""
        return self.label_ids.get(label_key(label), -1) if len(self.labels) else -1

    @cached_property
    def before(self) -> LongArray:
        """For each node, the number of the label just before its first text, in reading order."""
        before: LongArray = self.labels[np.where(self.first > 0, self.first, 0) - 1]
        return before

    @cached_property
    def heading(self) -> LongArray:
        """For each node, the number of the last heading before it, as a label."""
        nodes = self.heading_node
        return np.where(nodes >= 0, self.labels[self.first[np.maximum(nodes, 0)]], 0)

    @cached_property
    def heading_node(self) -> LongArray:
        """For each node, the last heading before it that is one text, or -1."""
        headings = self.page.with_tag(*HEADINGS)
        headings = headings[self.last[headings] - self.first[headings] == 1]
        if not len(headings):
            return np.full(len(self.page), -1, dtype=np.int64)
        above = np.searchsorted(headings, np.arange(len(self.page)), side="left") - 1
        last = headings[np.maximum(above, 0)]
        inside = np.arange(len(self.page)) < self.page.end[last]
        return np.where((above >= 0) & ~inside, last, -1)

    @cached_property
    def opener(self) -> LongArray:
        """For each text, the lowest node that begins with it and contains more, or -1."""
        page = self.page
        found = np.full(len(self.leaves), -1, dtype=np.int64)
        elements = np.flatnonzero(~page.is_text & (self.last - self.first > 1))
        found[self.first[elements]] = elements  # in document order, so the lowest with the same beginning stays
        return found

    @cached_property
    def follower(self) -> LongArray:
        """For each text, the highest node that begins right after it and is beside it or its container, or -1."""
        page = self.page
        found = np.full(len(self.leaves) + 1, -1, dtype=np.int64)
        nodes = np.flatnonzero(self.last > self.first)[::-1]
        nodes = nodes[(self.first[nodes] > 0) & (page.parent[nodes] >= 0)]
        nodes = nodes[self.first[page.parent[nodes]] < self.first[nodes]]
        found[self.first[nodes] - 1] = nodes  # from the end backwards, so the highest stays
        return found[:-1]

    @cached_property
    def column_head(self) -> LongArray:
        """For each table cell, the number of its column's heading, as a label; 0 elsewhere."""
        page = self.page
        found = np.zeros(len(page), dtype=np.int64)
        cells = page.with_tag("td", "th")
        rows = page.with_tag("tr")
        if not len(cells) or not len(rows):
            return found
        order = np.full(len(page), -1, dtype=np.int64)
        parents = page.parent[cells]
        starts = np.concatenate([[True], parents[1:] != parents[:-1]])
        index = np.arange(len(cells)) - np.maximum.accumulate(np.where(starts, np.arange(len(cells)), 0))
        order[cells] = index
        tables = page.with_tag("table")
        holder = np.searchsorted(tables, cells, side="right") - 1
        is_head = page.tag[cells] == page.string_id("th")
        spanning = self._spanning[cells]
        for table in np.unique(holder[is_head & (holder >= 0)]).tolist():
            in_table = cells[(holder == table)]
            first_row = in_table[page.parent[in_table] == page.parent[in_table[0]]]
            if (page.tag[first_row] != page.string_id("th")).any() or len(first_row) < 2:
                continue
            if spanning[holder == table].any():
                self._mark_spanned(in_table, found)
                continue
            heads = np.where(self.last[first_row] - self.first[first_row] >= 1, self.labels[self.first[first_row]], 0)
            body = in_table[len(first_row) :]
            place = order[body]
            found[body] = np.where(place < len(heads), heads[np.minimum(place, len(heads) - 1)], 0)
        return found

    @cached_property
    def _spanning(self) -> BoolArray:
        """Which cells have an attribute that says that they span rows or columns."""
        spanning: BoolArray = (self.attribute("colspan") >= 0) | (self.attribute("rowspan") >= 0)
        return spanning

    def _mark_spanned(self, cells: LongArray, found: LongArray) -> None:
        """Set the headings of the cells of a table in which some span several rows or columns."""
        page = self.page
        bounds = np.flatnonzero(np.diff(page.parent[cells])) + 1
        rows = [row.tolist() for row in np.split(cells, bounds)]
        placed = list(grid_cells(rows, self._span, widest=WIDEST_SPAN))
        head = page.string_id("th")
        count = next((at for at, row in enumerate(rows) if (page.tag[row] != head).any()), len(rows))
        heads = heads_of_columns(placed[:count], lambda node: label_key(self.text(node)))
        ids = self.label_ids
        numbers = {
            column: ids.setdefault(label, len(ids) + 1)
            for column, label in heads.items()
            if len(label) <= LONGEST_LABEL
        }
        for row in placed[count:]:
            for node, column, _ in row:
                found[node] = numbers.get(column, 0)

    def _span(self, node: int, name: str) -> int:
        number = int(self.attribute(name)[node])
        return span_of(self.page.strings[number]) if number >= 0 else 1

    @cached_property
    def blocks_before(self) -> LongArray:
        """For each node, how many elements before it may part a value: blocks and line breaks."""
        return prefix_sum(self.page.mask(*BLOCKS, "br"))

    # ------------------------------------------------------------------ attributes

    @cached_property
    def _columns(self) -> dict[str, IntArray]:
        return {}

    def attribute(self, name: str) -> IntArray:
        """The value of an attribute for every node, as string ids."""
        if name not in self._columns:
            self._columns[name] = self.page.attribute(name)
        return self._columns[name]

    def alike(self, node: int, other: int) -> bool:
        """Whether two elements have the same tag and classes."""
        classes = self.attribute("class")
        return bool(self.page.tag[node] == self.page.tag[other] and classes[node] == classes[other])

    def classes(self, node: int) -> frozenset[str]:
        """The class tokens of an element."""
        number = int(self.attribute("class")[node])
        return frozenset(self.page.strings[number].split()) if number >= 0 else frozenset()

    @cached_property
    def _tokens(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        values = np.unique(self.attribute("class"))
        for value in values[values >= 0].tolist():
            for token in self.page.strings[value].split():
                found.setdefault(token, []).append(value)
        return found

    def has_class(self, token: str) -> bool:
        """Whether any element has this class token."""
        return token in self._tokens

    @cached_property
    def paths(self) -> frozenset[str]:
        """The tag paths of the page."""
        return frozenset(self.page.path_names)

    def with_class(self, token: str) -> BoolArray:
        """Which nodes have this class token."""
        column = self.attribute("class")
        found = np.zeros(len(self.page), dtype=bool)
        for value in self._tokens.get(token, ()):
            found |= column == value
        return found

    def inside(self, marked: BoolArray) -> BoolArray:
        """Which nodes are strictly below the marked ones."""
        starts = np.flatnonzero(marked)
        size = len(self.page) + 2
        change = np.bincount(starts + 1, minlength=size) - np.bincount(
            np.maximum(self.page.end[starts], starts + 1), minlength=size
        )
        below: BoolArray = np.cumsum(change[: len(self.page)]) > 0
        return below

    def holding(self, marked: BoolArray) -> BoolArray:
        """Which nodes contain a marked one, at any depth."""
        total = prefix_sum(marked)
        found: BoolArray = total[self.page.end] - total[1:] > 0
        return found

    # ------------------------------------------------------------------ what texts say

    def sizes(self, nodes: IntArray | LongArray) -> LongArray:
        """The approximate number of characters in each of these nodes, without white space."""
        offsets = self._keys[1]
        sizes: LongArray = offsets[self.last[nodes]] - offsets[self.first[nodes]]
        return sizes

    @cached_property
    def _kinds(self) -> dict[str, list[str]]:
        return {}

    def kinds(self, text: str) -> list[str]:
        """The kinds that a text belongs to; cached, since many texts of a page are alike."""
        if text not in self._kinds:
            self._kinds[text] = kinds_of(text)
        return self._kinds[text]

    @cached_property
    def base(self) -> str:
        """The address that the page's links are relative to."""
        page = self.page
        bases = page.with_tag("base")
        hrefs = [int(number) for number in self.attribute("href")[bases] if number >= 0]
        return joined_address(page.url, page.strings[hrefs[0]]) if hrefs else page.url

    @cached_property
    def published(self) -> dict[str, list[str]]:
        """What the page's own data (JSON-LD, meta elements, title) says, by name."""
        return published_data(self.page)

    # ------------------------------------------------------------------ how nodes look

    @cached_property
    def look_ids(self) -> dict[str, int]:
        """A number for every look of a text: size, weight and colour."""
        return {}

    @cached_property
    def look(self) -> LongArray:
        """For each node, the look of its first text; 0 if the page is not rendered."""
        page = self.page
        if not page.style_names or not len(self.leaves):
            return np.zeros(len(page), dtype=np.int64)
        wanted = [page.style_names.index(name) for name in LOOK if name in page.style_names]
        looks = [" ".join(page.strings[number] for number in row if number >= 0) for row in page.styles[:, wanted]]
        numbers = np.array([self.look_ids.setdefault(look, len(self.look_ids) + 1) for look in looks])
        of_leaves = numbers[page.style_of[self.leaves]]
        return np.where(self.last > self.first, of_leaves[np.minimum(self.first, len(of_leaves) - 1)], 0)

    def look_of(self, node: int) -> str:
        """The look of a node in CSS terms, or nothing."""
        number = int(self.look[node])
        return next((look for look, look_id in self.look_ids.items() if look_id == number), "")

    @cached_property
    def larger(self) -> BoolArray:
        """Which nodes are larger, or as large and bolder, than everything beside them."""
        page = self.page
        stands_out = np.zeros(len(page), dtype=bool)
        if not page.style_names:
            return stands_out
        looks = looks_of(page)
        nodes = np.flatnonzero((self.last > self.first) & (page.parent >= 0))
        texts = self.leaves[self.first[nodes]]
        weight = looks.size[texts] * 2 + looks.bold[texts]
        order = np.lexsort((-weight, page.parent[nodes]))
        above = page.parent[nodes][order]
        begins = np.flatnonzero(np.concatenate([[True], above[1:] != above[:-1]]))
        begins = begins[(begins + 1 < len(order)) & (above[np.minimum(begins + 1, len(order) - 1)] == above[begins])]
        best = order[begins]
        stands_out[nodes[best[weight[best] > weight[order[begins + 1]]]]] = True
        return stands_out

    @cached_property
    def _leaf_boxes(self) -> npt.NDArray[np.float32]:
        return self.page.box[self.leaves]

    def _on_line(self, leaf: int) -> BoolArray:
        """Which texts share the line of a text, including itself."""
        y0, y1 = self._leaf_boxes[:, 1], self._leaf_boxes[:, 3]
        box = self._leaf_boxes[leaf]
        shared = np.minimum(y1, box[3]) - np.maximum(y0, box[1])
        found: BoolArray = shared > LINED_UP * np.minimum(y1 - y0, box[3] - box[1])
        return found

    def _on_column(self, leaf: int) -> BoolArray:
        """Which texts share most of their width with a text, including itself."""
        x0, x1 = self._leaf_boxes[:, 0], self._leaf_boxes[:, 2]
        box = self._leaf_boxes[leaf]
        shared = np.minimum(x1, box[2]) - np.maximum(x0, box[0])
        found: BoolArray = shared > LINED_UP * np.minimum(x1 - x0, box[2] - box[0])
        return found

    def right_of(self, leaf: int) -> int:
        """The nearest text to the right of a text on its line, or -1."""
        x0 = self._leaf_boxes[:, 0]
        return _nearest(self._on_line(leaf) & (x0 >= self._leaf_boxes[leaf, 2] - 1), x0)

    def left_of(self, leaf: int) -> int:
        """The nearest text to the left of a text on its line, or -1."""
        x1 = self._leaf_boxes[:, 2]
        return _nearest(self._on_line(leaf) & (x1 <= self._leaf_boxes[leaf, 0] + 1), -x1)

    def below(self, leaf: int) -> int:
        """The nearest text below a text in its column, or -1."""
        y0 = self._leaf_boxes[:, 1]
        return _nearest(self._on_column(leaf) & (y0 >= self._leaf_boxes[leaf, 3] - 1), y0)

    def above(self, leaf: int) -> int:
        """The nearest text above a text in its column, or -1."""
        y1 = self._leaf_boxes[:, 3]
        return _nearest(self._on_column(leaf) & (y1 <= self._leaf_boxes[leaf, 1] + 1), -y1)

    def head_of_row(self, leaf: int) -> int:
        """The first text on the line of a text, or -1 if that is the text itself."""
        x0 = self._leaf_boxes[:, 0]
        return _nearest(self._on_line(leaf) & (x0 < self._leaf_boxes[leaf, 0] - 1), x0)

    def head_of_column(self, leaf: int) -> int:
        """The topmost text in the column of a text, or -1 if that is the text itself."""
        y0 = self._leaf_boxes[:, 1]
        return _nearest(self._on_column(leaf) & (y0 < self._leaf_boxes[leaf, 1] - 1), y0)

    def in_row(self, leaf: int) -> LongArray:
        """The other texts on the line of a text."""
        found = np.flatnonzero(self._on_line(leaf))
        others: LongArray = found[found != leaf]
        return others

    def in_column(self, leaf: int) -> LongArray:
        """The texts below a text that share most of their width with it."""
        return np.flatnonzero(self._on_column(leaf) & (self._leaf_boxes[:, 1] >= self._leaf_boxes[leaf, 3] - 1))

    def leaves_saying(self, label: str) -> LongArray:
        """The texts that are this label."""
        number = self.label_id(label)
        return np.flatnonzero(self.labels[:-1] == number)

    def beginning_with(self, leaves: Iterable[int]) -> BoolArray:
        """Which nodes begin with one of these texts."""
        marked: BoolArray = np.isin(self.first, list(leaves)) & (self.last > self.first)
        return marked

    def nodes_saying(self, texts: Iterable[str]) -> BoolArray:
        """Which nodes have one of these texts as their whole text."""
        found = np.zeros(len(self.page), dtype=bool)
        for text in texts:
            for begin, stop in self.places(text):
                found[self.nodes_of(begin, stop)] = True
        return found


def _nearest(fits: BoolArray, distance: npt.NDArray[np.float32]) -> int:
    """The fitting text with the smallest distance, or -1."""
    return int(np.argmin(np.where(fits, distance, np.inf))) if fits.any() else -1


def _occurrences(text: str, wanted: str) -> Iterator[int]:
    place = text.find(wanted) if wanted else -1
    while place >= 0:
        yield place
        place = text.find(wanted, place + 1)


# The headings of the columns of a table whose cells span several of them.


def heads_of_columns(rows: Sequence[Sequence[GridCell]], label: Callable[[int], str]) -> dict[int, str]:
    """The heading of each column: the lowest; of columns that share it, with those above it.

    >>> rows = [[(1, 0, 1), (2, 1, 2), (3, 3, 2)], [(4, 1, 1), (5, 2, 1), (6, 3, 1), (7, 4, 1)]]
    >>> heads_of_columns(rows, {1: "name", 2: "sales", 3: "costs", 4: "2023", 5: "2024", 6: "2023", 7: "all"}.get)
    {0: 'name', 1: 'sales 2023', 2: '2024', 3: 'costs 2023', 4: 'all'}
    """
    above: dict[int, list[str]] = {}
    for row in rows:
        for node, first, width in row:
            text = label(node)
            for column in range(first, first + width) if text else ():
                above.setdefault(column, []).append(text)
    lowest = Counter(texts[-1] for texts in above.values())
    return {column: " ".join(texts) if lowest[texts[-1]] > 1 else texts[-1] for column, texts in sorted(above.items())}
