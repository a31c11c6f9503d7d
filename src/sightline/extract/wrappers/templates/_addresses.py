"""The addresses on a page: where its texts lead, and its pictures, each with the elements that it is written as."""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sightline.extract.schemas import element_words
from sightline.page import Page, full_address, link_base, nearest
from sightline.signals import pictures_of

__all__ = ["SAID", "AddressOnPage", "PageAddresses", "Picture"]

JUMPS = ("#", "javascript:")  # addresses that lead nowhere else
SAID = "what the page says its picture is"  # the name of the picture in a page's meta elements
SAYING = (("meta", "property", "og:image", "content"), ("link", "rel", "image_src", "href"))
SEPARATOR = " > "


class AddressOnPage(NamedTuple):
    """An address in full, and the node that has it."""

    node: int
    address: str


class Picture(NamedTuple):
    """A picture: its address, and the words of the element around it and of its own."""

    node: int
    address: str
    around: frozenset[str]
    own: frozenset[str]

    def is_like(self, element: str) -> bool:
        """Whether it is written as a kind of element, such as `a .thumb > img .photo`, and perhaps more."""
        around, _, own = element.partition(SEPARATOR)
        return self.around.issuperset(around.split()) and self.own.issuperset(own.split())


class PageAddresses:
    """The links and pictures of one page; what nobody asks for is never computed."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._chosen: dict[tuple[str, ...], list[AddressOnPage]] = {}

    @cached_property
    def base(self) -> str:
        """From where addresses are told."""
        return link_base(self.page)

    @cached_property
    def _links(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """The links that lead away, and the one around each node, or -1."""
        hrefs = self.page.attribute("href")
        found = [node for node in self.page.with_tag("a").tolist() if hrefs[node] >= 0 and self._leads_away(node)]
        marked = np.zeros(len(self.page), dtype=bool)
        marked[found] = True
        return np.array(found, dtype=np.intp), nearest(self.page.parent, marked)

    def _leads_away(self, node: int) -> bool:
        written = self.page.strings[self.page.attribute("href")[node]].strip()
        return bool(written) and not written.lower().startswith(JUMPS)

    def link(self, node: int, stop: int) -> AddressOnPage | None:
        """The link around a node, or else the first one from there up to another node."""
        links, around = self._links
        found = int(around[node])
        if found < 0:
            place = int(np.searchsorted(links, node))
            if place == len(links) or links[place] >= stop:
                return None
            found = int(links[place])
        address = full_address(self.base, self.page.strings[self.page.attribute("href")[found]])
        return AddressOnPage(found, address) if address else None

    @cached_property
    def pictures(self) -> list[Picture]:
        """The pictures in order."""
        nodes, written = pictures_of(self.page)
        own, around = element_words(self.page, nodes), element_words(self.page, self.page.parent[nodes])
        found = [
            Picture(node, full_address(self.base, address), *words)
            for node, address, *words in zip(nodes.tolist(), written, around, own, strict=True)
        ]
        return [picture for picture in found if picture.address]

    def picture(self, elements: Sequence[str], start: int, stop: int) -> AddressOnPage | None:
        """The first picture of these elements from one node up to another."""
        if SAID in elements:
            return self.said
        key = tuple(elements)
        if key not in self._chosen:
            self._chosen[key] = [
                AddressOnPage(picture.node, picture.address)
                for picture in self.pictures
                if any(picture.is_like(element) for element in elements)
            ]
        chosen = self._chosen[key]
        place = bisect_left(chosen, (start,))
        return chosen[place] if place < len(chosen) and chosen[place].node < stop else None

    @cached_property
    def said(self) -> AddressOnPage | None:
        """The picture that the page itself says is what it shows."""
        page = self.page
        for tag, name, value, wanted in SAYING:
            names, values = page.attribute(name), page.attribute(wanted)
            for node in page.with_tag(tag).tolist():
                if names[node] >= 0 and values[node] >= 0 and page.strings[names[node]].strip().lower() == value:
                    address = full_address(self.base, page.strings[values[node]])
                    return AddressOnPage(node, address) if address else None
        return None
