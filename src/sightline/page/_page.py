"""The page model: everything that a reader could see, in frozen columns.

This is step 3 of docs/architecture.md: what every source produces and the only thing an extractor may know.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from sightline.errors import UsageError
from sightline.geometry import Box, as_box
from sightline.page import _canonical, _html, _parts, _text, _xpath, own_data
from sightline.page.own_data import OwnData


@dataclass(frozen=True, eq=False, kw_only=True, repr=False, init=False)  # that of its columns, not a second one
class Page(_text.ReadablePage):
    """A web page or PDF as seen: tree, texts, boxes, computed styles and words, all in read-only arrays.

    Nodes stand in document order, so the subtree of node `i` is the range `[i, end[i])`.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one", "two"])
    >>> [page.node(i).text for i in page.with_tag("li")]
    ['one', 'two']
    """

    def __repr__(self) -> str:
        where = self.url if len(self.url) <= 60 else self.url[:57] + "…"
        return f"<Page {self.kind} {len(self)} nodes, {len(self.words)} words, {self.title!r} {where}>"

    def _repr_html_(self) -> str:
        """The first lines of the page, for notebooks."""
        return _text.preview(self)

    # ------------------------------------------------------------------ identity

    @cached_property
    def id(self) -> str:
        """The hash of the page's content: equal captures have the same id."""
        return self.cached(_canonical.content_id)

    @cached_property
    def address(self) -> str:
        """The address on the web; of a saved page that which it calls its own. Empty if it has none.

        >>> from dataclasses import replace
        >>> from sightline.testing import element, page_of
        >>> saved = replace(page_of(element("link", rel="canonical", href="https://example.org/bees")), url="")
        >>> saved.address
        'https://example.org/bees'
        """
        return self.cached(_parts.own_address)

    @property
    def own_data(self) -> OwnData:
        """What the page says about itself for machines, read once.

        >>> from sightline.testing import element, page_of
        >>> page = page_of(element("meta", property="og:title", content="Bees"))
        >>> page.own_data.meta["og:title"]
        ('Bees',)
        """
        return self.cached(own_data.read_own_data)

    @property
    def whole_id(self) -> str:
        """The id of the captured page that this is, or is a part of."""
        return _canonical.whole_id(self)

    # ------------------------------------------------------------------ nodes

    def node(self, number: int) -> "Node":
        """A light view of one node.

        >>> from sightline.testing import list_page
        >>> list_page(["one"]).node(0)
        <Node 0 html>
        """
        if not 0 <= number < len(self):
            raise UsageError(f"The page has no node {number}; its nodes are numbered 0 to {len(self) - 1}.")
        return Node(self, number)

    @property
    def nodes(self) -> Iterator["Node"]:
        """All nodes in document order."""
        return (Node(self, number) for number in range(len(self)))

    def xpath(self, number: int) -> str:
        """The indexed XPath of a node, valid in the browser's own DOM; `>>` enters a frame or a shadow root."""
        return _xpath.of(self, number)

    def xpaths(self, numbers: Iterable[int]) -> list[str]:
        """As `xpath` for many nodes, much faster than one by one.

        >>> from sightline.testing import list_page
        >>> list_page(["one"]).xpaths([0, 1])
        ['/html[1]', '/html[1]/body[1]']
        """
        return _xpath.of_many(self, numbers)

    def find(self, xpath: str) -> int | None:
        """The number of the node that `xpath` (as written by `xpath()`) leads to, or None.

        >>> from sightline.testing import list_page
        >>> page = list_page(["one", "two"])
        >>> page.node(page.find("/html[1]/body[1]/ul[1]/li[2]")).text
        'two'
        """
        return _xpath.find(self, xpath)

    def to_html(self, number: int = 0) -> str:
        """A node and all below it as HTML, with shadow trees and frames in their places.

        >>> from sightline.testing import list_page
        >>> page = list_page(["one & two"])
        >>> page.to_html(page.with_tag("li")[0])
        '<li>one &amp; two</li>'
        """
        return _html.html_of(self, self.node(int(number)).number) if len(self) else ""

    def to_xhtml(self) -> str:
        """The page as clean, well-formed XHTML: texts and structure, without scripts, styles and pictures.

        >>> from sightline.testing import list_page
        >>> print(list_page(["one & two"]).to_xhtml().splitlines()[-2])
        <li>one &amp; two</li></ul></body>
        """
        return _html.xhtml_of(self)

    # ------------------------------------------------------------------ parts

    def subtree(self, number: int) -> "Page":
        """The part of the page below a node, that node its root."""
        return _parts.subtree(self, self.node(number).number)

    def region(self, box: Box) -> "Page":
        """The part of the page inside a box: the words that stand in it and the elements around them."""
        return _parts.region(self, box)

    def without(self, numbers: npt.ArrayLike) -> "Page":
        """The page without these nodes and all below them."""
        return _parts.without(self, np.asarray(numbers, dtype=np.int64))


@dataclass(frozen=True, slots=True)
class Node:
    """A view of one node, for people; algorithms use the columns. Just a page and a number, so cheap to create."""

    page: Page
    number: int

    def __repr__(self) -> str:
        return f"<Node {self.number} {self.tag}>"

    @property
    def tag(self) -> str:
        """The tag name in lower case, or `#text`."""
        return self.page.strings[int(self.page.tag[self.number])]

    @property
    def text(self) -> str:
        """The visible text of the node and all below it."""
        return self.page.text_of(self.number)

    @property
    def raw_text(self) -> str:
        """The text of a text node exactly as in the document; empty for an element."""
        text = self.page.text[self.number]
        return self.page.strings[text] if text >= 0 else ""

    @property
    def attributes(self) -> dict[str, str]:
        """The attributes by name."""
        columns, strings = self.page.attributes, self.page.strings
        rows = slice(columns.start[self.number], columns.start[self.number + 1])
        pairs = zip(columns.name[rows].tolist(), columns.value[rows].tolist(), strict=True)
        return {strings[name]: strings[value] if value >= 0 else "" for name, value in pairs}

    @property
    def parent(self) -> "Node | None":
        """The element around this node, or None at the root."""
        parent = int(self.page.parent[self.number])
        return Node(self.page, parent) if parent >= 0 else None

    @property
    def children(self) -> Iterator["Node"]:
        """The nodes directly below, in document order."""
        child, end = self.number + 1, int(self.page.end[self.number])
        while child < end:
            yield Node(self.page, child)
            child = int(self.page.end[child])

    @property
    def box(self) -> Box | None:
        """The border box in CSS pixels, or None when the node is not laid out."""
        return as_box(self.page.box[self.number])

    @property
    def style(self) -> dict[str, str]:
        """The computed style, property by property; empty on pages without layout."""
        row = self.page.styles[self.page.style_of[self.number]]
        pairs = zip(self.page.style_names, row, strict=True)
        return {name: self.page.strings[value] for name, value in pairs if value >= 0}

    @property
    def visible(self) -> bool:
        """Whether the node leaves ink."""
        return bool(self.page.visible[self.number])

    @property
    def xpath(self) -> str:
        """The indexed XPath, valid in the browser's own DOM."""
        return self.page.xpath(self.number)
