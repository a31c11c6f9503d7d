"""Where values stand on their page: the elements around them, and the text before them."""

import re
from collections.abc import Iterator
from functools import cached_property
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from sightline.data import Origin
from sightline.page import Page

__all__ = ["ValuePlaces"]

_NUMBER = re.compile(r"\d+")
_LABEL_END = " \t\n:：;=-–—|•·»>.?"
LINKED = 4  # elements upwards that a link is looked for
HEIGHT = 2  # elements around a value that tell its place; more of them differ from record to record
LONGEST_LABEL = 40  # characters; what is longer is a text of its own


class ValuePlaces:
    """The places of values on one page. Origins of other pages, and nodes that it does not have, have no place."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._makes: dict[tuple[int, int], str] = {}
        self._places: dict[int, str] = {}

    def node(self, origin: Origin | None) -> int | None:
        """The first node of an origin, as this page numbers it."""
        found = self.nodes(origin)
        return found[0] if found else None

    def nodes(self, origin: Origin | None) -> list[int]:
        """The nodes of an origin, as this page numbers them."""
        if origin is None or not origin.nodes or origin.page != self.page.whole_id:
            return []
        if self.page.part is None:
            return [node for node in origin.nodes if 0 <= node < len(self.page)]
        numbers = self.page.numbers
        places = np.searchsorted(numbers, origin.nodes).tolist()
        pairs = zip(origin.nodes, places, strict=True)
        return [place for node, place in pairs if place < len(numbers) and numbers[place] == node]

    def element(self, node: int) -> int:
        """The element that a text node stands in; an element itself."""
        return self.parent[node] if self.page.is_text[node] and self.parent[node] >= 0 else node

    def make(self, node: int) -> str:
        """The tag of an element and its classes, numbers in them left out."""
        pair = self._tags[node], self._classes[node]
        if pair not in self._makes:
            self._makes[pair] = self._made(*pair)
        return self._makes[pair]

    def _made(self, tag: int, classes: int) -> str:
        names = self.page.strings[classes].split() if classes >= 0 else []
        return ".".join([self.page.strings[tag], *sorted({_NUMBER.sub("", own) for own in names})])

    def place(self, node: int) -> str:
        """The elements around a value, the outer first: `li.product>p.price`."""
        element = self.element(node)
        if element not in self._places:
            self._places[element] = ">".join(reversed([self.make(own) for own in self._upwards(element, HEIGHT)]))
        return self._places[element]

    def label(self, node: int) -> str | None:
        """The short text before a value, as labels are compared: without case and the colon behind it."""
        before = int(np.searchsorted(self.leaves, node)) - 1
        if before < 0:
            return None
        text = " ".join(self.page.strings[self.page.text[self.leaves[before]]].split())
        return text.casefold().strip(_LABEL_END) if len(text) <= LONGEST_LABEL else None

    def host(self, node: int) -> str | None:
        """The host that a value links to: an empty text for its page's own, None where it is no link."""
        for own in self._upwards(self.element(node), LINKED):
            if self._links[own] >= 0:
                found = _host_of(self.page.strings[self._links[own]])
                return "" if found == _host_of(self.page.url) else found
        return None

    def lowest_common(self, nodes: list[int]) -> int:
        """The lowest element around all these nodes."""
        first, last = min(nodes), max(nodes)
        own = self.element(first)
        while self.end[own] <= last and self.parent[own] >= 0:
            own = self.parent[own]
        return own

    def _upwards(self, node: int, most: int) -> Iterator[int]:
        for _ in range(most):
            if node < 0:
                return
            yield node
            node = self.parent[node]

    @cached_property
    def parent(self) -> list[int]:
        """The parents of all nodes, as a list: nodes are looked up one by one here, which is slow in an array."""
        found: list[int] = self.page.parent.tolist()
        return found

    @cached_property
    def end(self) -> list[int]:
        """The ends of all nodes, as a list."""
        found: list[int] = self.page.end.tolist()
        return found

    @cached_property
    def _tags(self) -> list[int]:
        found: list[int] = self.page.tag.tolist()
        return found

    @cached_property
    def _classes(self) -> list[int]:
        found: list[int] = self.page.attribute("class").tolist()
        return found

    @cached_property
    def _links(self) -> list[int]:
        found: list[int] = self.page.attribute("href").tolist()
        return found

    @cached_property
    def leaves(self) -> npt.NDArray[np.intp]:
        """The texts of the page that are not blank."""
        return np.flatnonzero(self.page.is_text & ~self.page.is_blank)


def _host_of(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").removeprefix("www.")
    except ValueError:
        return ""
