"""The addresses on a page: where its texts lead, and its pictures, each with the elements that it is written as."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from sightline.extract.schemas import element_words
from sightline.page import ABSENT, Page, full_address, link_base, said_by
from sightline.signals import picture_address

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
        self._led: dict[int, str] = {}

    @cached_property
    def base(self) -> str:
        """From where addresses are told."""
        return link_base(self.page)

    def _leads(self, link: int) -> str:
        """What a link that leads away says; empty where an element leads nowhere."""
        if link not in self._led:
            number = self.page.attribute_of(link, "href")
            text = self.page.strings[number].strip() if number != ABSENT else ""
            self._led[link] = "" if text.lower().startswith(JUMPS) else text
        return self._led[link]

    @cached_property
    def _links(self) -> list[int]:
        links: list[int] = self.page.with_tag("a").tolist()
        return links

    def link(self, node: int, stop: int) -> AddressOnPage | None:
        """The link around a node, or else the first one from there up to another node."""
        page, link = self.page, self.page.tag_id("a")
        parent, tag = page.parent.data, page.tag.data  # whose numbers are plain ones, and a third as dear as an array's
        around = node
        while around >= 0:
            if tag[around] == link and self._leads(around):
                return self._full(around, self._leads(around))
            around = parent[around]
        for inside in self._links[bisect_left(self._links, node) :]:
            if inside >= stop:
                break
            if self._leads(inside):
                return self._full(inside, self._leads(inside))
        return None

    @cached_property
    def _pictures(self) -> list[int]:
        pictures: list[int] = self.page.with_tag("img").tolist()
        return pictures

    def pictures(self, start: int, stop: int) -> Iterator[Picture]:
        """The pictures from one node up to another."""
        nodes, parent = self._pictures, self.page.parent
        for node in nodes[bisect_left(nodes, start) : bisect_left(nodes, stop)]:
            written = picture_address(self.page, node)
            if written:
                yield Picture(node, written, self._called(int(parent[node])), self._called(node))

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
        for names in SAYING:
            for node, written in said_by(self.page, *names):
                return self._full(node, written)
        return None
