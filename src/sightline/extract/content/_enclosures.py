"""The lists, quotations, tables and code around the parts of a main text, as the tags of the page say."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeAlias

import numpy as np

from sightline.arrays import BoolArray, IntArray
from sightline.data import Enclosure
from sightline.page import Page, nearest
from sightline.signals import grid_cells, span_of

__all__ = ["Enclosures"]

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
