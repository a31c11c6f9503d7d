"""Where values are on their page: the elements around them and the text before them."""

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
LINKED = 4  # levels up in which to look for a link
HEIGHT = 2  # elements around a value that identify its place; outer ones differ from record to record
LONGEST_LABEL = 40  # characters; anything longer is a text in itself


class ValuePlaces:
    """The places of values on one page. Origins on other pages and unknown nodes have no place."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._signatures: dict[tuple[int, int], str] = {}
        self._places: dict[int, str] = {}

    def node(self, origin: Origin | None) -> int | None:
        """The first node of an origin, in this page's numbering."""
        found = self.nodes(origin)
        return found[0] if found else None

    def nodes(self, origin: Origin | None) -> list[int]:
        """The nodes of an origin, in this page's numbering."""
        if origin is None or not origin.nodes or origin.page != self.page.whole_id:
            return []
        if self.page.part is None:
            return [node for node in origin.nodes if 0 <= node < len(self.page)]
        numbers = self.page.numbers
        places = np.searchsorted(numbers, origin.nodes).tolist()
        pairs = zip(origin.nodes, places, strict=True)
        return [place for node, place in pairs if place < len(numbers) and numbers[place] == node]

    def element(self, node: int) -> int:
        """The element that contains a text node; an element is returned unchanged."""
        return self.parent[node] if self.page.is_text[node] and self.parent[node] >= 0 else node

    def signature(self, node: int) -> str:
        """The tag and classes of an element, without digits in the classes: `li.product`."""
        pair = self._tags[node], self._classes[node]
        if pair not in self._signatures:
            self._signatures[pair] = self._signature_of(*pair)
        return self._signatures[pair]

    def _signature_of(self, tag: int, classes: int) -> str:
        names = self.page.strings[classes].split() if classes >= 0 else []
        return ".".join([self.page.strings[tag], *sorted({_NUMBER.sub("", name) for name in names})])

    def place(self, node: int) -> str:
        """The elements around a value, outermost first: `li.product>p.price`."""
        element = self.element(node)
        if element not in self._places:
            self._places[element] = ">".join(
                reversed([self.signature(element_around) for element_around in self._upwards(element, HEIGHT)])
            )
        return self._places[element]

    def label(self, node: int) -> str | None:
        """The short text before a value, normalised for comparison: case-folded, without a trailing colon."""
        before = int(np.searchsorted(self.leaves, node)) - 1
        if before < 0:
            return None
        text = " ".join(self.page.strings[self.page.text[self.leaves[before]]].split())
        return text.casefold().strip(_LABEL_END) if len(text) <= LONGEST_LABEL else None

    def host(self, node: int) -> str | None:
        """The host that a value links to: empty for the page's own host, None if it is not a link."""
        for element in self._upwards(self.element(node), LINKED):
            if self._links[element] >= 0:
                found = _host_of(self.page.strings[self._links[element]])
                return "" if found == _host_of(self.page.url) else found
        return None

    def lowest_common(self, nodes: list[int]) -> int:
        """The lowest element around all these nodes."""
        first, last = min(nodes), max(nodes)
        element = self.element(first)
        while self.end[element] <= last and self.parent[element] >= 0:
            element = self.parent[element]
        return element

    def _upwards(self, node: int, most: int) -> Iterator[int]:
        for _ in range(most):
            if node < 0:
                return
            yield node
            node = self.parent[node]

    @cached_property
    def parent(self) -> list[int]:
        """The parents of all nodes, as a list: single lookups in an array are slow."""
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
