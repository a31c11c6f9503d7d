"""The addresses on a page: where its texts lead, and its pictures, each with the elements that it is written as."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from sightline.extract.schemas import element_words
from sightline.page import Page, full_address, link_base
from sightline.signals import pictures_of

__all__ = ["SAID", "AddressOnPage", "PageAddresses", "Picture"]

JUMPS = ("#", "javascript:")  # addresses that lead nowhere else
WHOLE = ("http://", "https://")  # needs no base, which takes a look at the whole page
SAID = "what the page says its picture is"  # the name of the picture in a page's meta elements
SAYING = (("meta", "property", "og:image", "content"), ("link", "rel", "image_src", "href"))
SEPARATOR = " > "


class AddressOnPage(NamedTuple):
    """An address in full, and the node that has it."""

    node: int
    address: str


class Picture(NamedTuple):
    """A picture: its address as written, and the words of the element around it and of its own."""

    node: int
    written: str
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
        self._words: dict[int, frozenset[str]] = {}

    @cached_property
    def base(self) -> str:
        """From where addresses are told."""
        return link_base(self.page)

    @cached_property
    def _links(self) -> dict[int, str]:
        """The links that lead away, in order, with what they say."""
        hrefs, strings = self.page.attribute("href"), self.page.strings
        links = self.page.with_tag("a")
        said = zip(links.tolist(), hrefs[links].tolist(), strict=True)
        written = {link: strings[number].strip() for link, number in said if number >= 0}
        return {link: text for link, text in written.items() if text and not text.lower().startswith(JUMPS)}

    @cached_property
    def _parent(self) -> memoryview:
        return self.page.parent.data  # whose numbers are plain ones, and a third as dear as those of an array

    @cached_property
    def _places_of_links(self) -> list[int]:
        return list(self._links)

    def link(self, node: int, stop: int) -> AddressOnPage | None:
        """The link around a node, or else the first one from there up to another node."""
        links, parent = self._links, self._parent
        found = node
        while found >= 0 and found not in links:
            found = parent[found]
        if found < 0:
            place = bisect_left(self._places_of_links, node)
            if place == len(links) or self._places_of_links[place] >= stop:
                return None
            found = self._places_of_links[place]
        return self._full(found, links[found])

    @cached_property
    def _pictures(self) -> tuple[list[int], list[str]]:
        nodes, written = pictures_of(self.page)
        return nodes.tolist(), written

    def pictures(self, start: int, stop: int) -> Iterator[Picture]:
        """The pictures from one node up to another."""
        nodes, written = self._pictures
        for place in range(bisect_left(nodes, start), bisect_left(nodes, stop)):
            node = nodes[place]
            yield Picture(node, written[place], self._called(int(self.page.parent[node])), self._called(node))

    def _called(self, node: int) -> frozenset[str]:
        if node not in self._words:
            self._words[node] = element_words(self.page, node)
        return self._words[node]

    def picture(self, elements: Sequence[str], start: int, stop: int) -> AddressOnPage | None:
        """The first picture of these elements from one node up to another."""
        if SAID in elements:
            return self.said
        for picture in self.pictures(start, stop):
            if any(picture.is_like(element) for element in elements):
                return self.shown(picture)
        return None

    def shown(self, picture: Picture) -> AddressOnPage | None:
        """The address of a picture in full."""
        return self._full(picture.node, picture.written)

    def _full(self, node: int, written: str) -> AddressOnPage | None:
        address = full_address("" if written.startswith(WHOLE) else self.base, written)
        return AddressOnPage(node, address) if address else None

    @cached_property
    def said(self) -> AddressOnPage | None:
        """The picture that the page itself says is what it shows."""
        page = self.page
        for tag, name, value, wanted in SAYING:
            names, values = page.attribute(name), page.attribute(wanted)
            for node in page.with_tag(tag).tolist():
                if names[node] >= 0 and values[node] >= 0 and page.strings[names[node]].strip().lower() == value:
                    return self._full(node, page.strings[values[node]].strip())
        return None
