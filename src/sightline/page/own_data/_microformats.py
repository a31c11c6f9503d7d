"""Microformats, of the second version (https://microformats.org/wiki/microformats2-parsing) and the classic ones.

Only known roots count: style sheets have classes such as `h-full`, too.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final

import numpy as np

from sightline.page._columns import ABSENT
from sightline.page.own_data._classic_formats import CLASSIC_PROPERTIES, CLASSIC_ROOTS, Property, property_of
from sightline.page.own_data._documents import OwnDocument
from sightline.page.own_data._items import MarkupItem, MarkupValue, documents_of
from sightline.page.own_data._markup import MarkupReader
from sightline.page.own_data._vocabularies import MICROFORMAT_TYPES

WHAT: Final = "microformats"
ROOTS = frozenset(MICROFORMAT_TYPES)
PROPERTY = re.compile(r"(?:p|u|dt|e)-[a-z]+(?:-[a-z\d]+)*")
VALUE_CLASSES = frozenset(("value", "value-title", "average"))
CLASSIC_NAMES = frozenset((*VALUE_CLASSES, *CLASSIC_ROOTS, *chain.from_iterable(CLASSIC_PROPERTIES.values())))
CHILDREN = "children"
MOST_CHILDREN = 50  # an item with more is no link or picture in disguise
TAG_OF = {"tag": ("p", "category"), "bookmark": ("u", "url")}
SOURCED = frozenset(("img", "audio", "video", "source", "iframe"))


@dataclass(eq=False)
class OpenFormat:
    """An item whose element is open, and how its properties are written."""

    end: int
    item: MarkupItem
    classic: Mapping[str, Property] | None
    """The classes of its properties; None for microformats2, where the prefix tells them."""
    is_named: bool = False
    """Whether it has a property that speaks against taking its whole text for its name."""


def read_microformats(markup: MarkupReader) -> Iterator[OwnDocument]:
    """Every outermost item.

    >>> from sightline.testing import element, page_of
    >>> from sightline.page.own_data._limits import OwnBudget
    >>> card = element("a", "Ada", href="https://ada.example/", **{"class": "h-card"})
    >>> [document.data for document in read_microformats(MarkupReader(page_of(card), OwnBudget()))]
    [{'@type': ['h-card'], 'name': ['Ada'], 'url': ['https://ada.example/']}]
    """
    reading = _Reading(markup)
    if reading.has_roots:
        yield from documents_of(reading.items(), WHAT, markup.budget)


class _Reading:
    """One reading of the classes of a page."""

    def __init__(self, markup: MarkupReader) -> None:
        self.markup = markup
        held = markup.page.attributes
        self.used: list[int] = np.unique(held.value[held.name == markup.page.attribute_id("class")]).tolist()

    @cached_property
    def has_roots(self) -> bool:
        """Whether any class begins an item."""
        strings = self.markup.page.strings
        words = " ".join([strings[number] for number in self.used if number != ABSENT]).split()
        return not ROOTS.isdisjoint(words) or not CLASSIC_ROOTS.keys().isdisjoint(words)

    def items(self) -> list[MarkupItem]:
        """The outermost items with all that is in them."""
        outermost: list[MarkupItem] = []
        open_ones: list[OpenFormat] = []
        for node in self._candidates:
            while open_ones and open_ones[-1].end <= node:
                self._imply(open_ones.pop())
            words = self.markup.words(node, "class")
            types, is_classic = _roots(words)
            around = open_ones[-1] if open_ones else None
            if not types:
                if around is not None:
                    self._add_values(node, words, around)
                continue
            item = MarkupItem(node, types)
            if around is None:
                outermost.append(item)
            else:
                self._add_item(item, words, around)
            classic = _classic_table(types) if is_classic else None
            open_ones.append(OpenFormat(self.markup.end(node), item, classic))
        for one in reversed(open_ones):
            self._imply(one)
        return outermost

    @cached_property
    def _candidates(self) -> list[int]:
        """The elements whose classes, or relations, may mean something."""
        page = self.markup.page
        told = np.zeros(len(page.strings) + 1, dtype=bool)  # the last row serves the id -1
        told[[number for number in self.used if number != ABSENT and _tells(page.strings[number].split())]] = True
        links = [
            node for node in self.markup.having("rel") if not TAG_OF.keys().isdisjoint(self.markup.words(node, "rel"))
        ]
        nodes: list[int] = np.union1d(np.flatnonzero(told[page.attribute("class")]), links).astype(int).tolist()
        return nodes

    def _properties(self, node: int, words: list[str], around: OpenFormat) -> list[Property]:
        if around.classic is None:
            return [property_of(word) for word in dict.fromkeys(words) if PROPERTY.fullmatch(word)]
        found = [around.classic[word] for word in dict.fromkeys(words) if word in around.classic]
        if self.markup.tag(node) == "a" and "category" in around.classic:
            found += [TAG_OF[word] for word in self.markup.words(node, "rel") if word in TAG_OF]
        return list(dict.fromkeys(found))

    def _add_values(self, node: int, words: list[str], around: OpenFormat) -> None:
        for prefix, name in self._properties(node, words, around):
            around.is_named |= name == "name" or prefix in ("p", "e")
            around.item.add([name], node, self._value(node, prefix))

    def _add_item(self, item: MarkupItem, words: list[str], around: OpenFormat) -> None:
        names = [name for _, name in self._properties(item.node, words, around)]
        around.is_named = True
        around.item.add(names or [CHILDREN], item.node, item)

    # ------------------------------------------------------------------ values

    def _value(self, node: int, prefix: str) -> MarkupValue:
        """What an element says, by how the property is read."""
        markup, tag = self.markup, self.markup.tag(node)
        if prefix == "u" and (address := self._address(node, tag)) is not None:
            return address
        if prefix == "dt" and tag in ("time", "ins", "del") and (time := markup.value(node, "datetime")) is not None:
            return time.strip()
        if prefix in ("p", "dt") and (parts := self._parts(node, " " if prefix == "dt" else "")) is not None:
            return parts
        said = self._said(node, tag) if prefix != "e" else None
        return markup.text_of(node, WHAT) if said is None else said.strip()

    def _address(self, node: int, tag: str) -> str | None:
        markup = self.markup
        if tag in SOURCED:
            return markup.source(node)
        written = markup.value(node, "data" if tag == "object" else "href")
        return markup.address(written) if written is not None else None

    def _said(self, node: int, tag: str) -> str | None:
        """What an attribute says in place of the text."""
        if tag in ("abbr", "link"):
            return self.markup.value(node, "title")
        if tag in ("data", "input"):
            return self.markup.value(node, "value")
        return self.markup.value(node, "alt") if tag in ("img", "area") else None

    def _parts(self, node: int, between: str) -> str | None:
        """The value that parts of an element say by the class `value`; None where there are none."""
        inside: list[str] = []
        at = bisect_left(self._valued, node + 1)
        while at < len(self._valued) and (part := self._valued[at]) < self.markup.end(node):
            inside.append(self._part(part))
            at = bisect_left(self._valued, self.markup.end(part))
        return between.join(inside) if inside else None

    def _part(self, node: int) -> str:
        if "value-title" in self.markup.words(node, "class"):
            return (self.markup.value(node, "title") or "").strip()
        said = self._said(node, self.markup.tag(node))
        return self.markup.text_of(node, WHAT) if said is None else said.strip()

    @cached_property
    def _valued(self) -> list[int]:
        return [node for node in self._candidates if not VALUE_CLASSES.isdisjoint(self.markup.words(node, "class"))]

    # ------------------------------------------------------------------ what is implied

    def _imply(self, one: OpenFormat) -> None:
        """Give an item of the second version the name, address and picture that go without saying."""
        if one.classic is not None:
            return
        item, markup = one.item, self.markup
        known = {name for name, _, _ in item.properties}
        tag = markup.tag(item.node)
        if not one.is_named and "name" not in known:
            name = self._said(item.node, tag)
            item.add(["name"], item.node, markup.text_of(item.node, WHAT) if name is None else name.strip())
        for name, tags in (("url", ("a", "area")), ("photo", ("img", "object"))):
            bearer = item.node if tag in tags else self._only_child(item.node, tags)
            if name not in known and bearer is not None and (address := self._address(bearer, markup.tag(bearer))):
                item.add([name], bearer, address)

    def _only_child(self, node: int, tags: Iterable[str]) -> int | None:
        """The one child element with one of these tags, if no other child has one."""
        markup, found = self.markup, None
        child, end, seen = node + 1, markup.end(node), 0
        while child < end and seen < MOST_CHILDREN:
            if markup.tag(child) in tags:
                if found is not None:
                    return None
                found = child
            child, seen = markup.end(child), seen + 1
        return found


def _roots(words: list[str]) -> tuple[list[str], bool]:
    """The types of the item that some classes begin, and whether they are classic ones."""
    types = [word for word in dict.fromkeys(words) if word in ROOTS]
    if types:
        return types, False
    return list(dict.fromkeys(CLASSIC_ROOTS[word] for word in words if word in CLASSIC_ROOTS)), True


def _tells(words: list[str]) -> bool:
    return not CLASSIC_NAMES.isdisjoint(words) or any(word in ROOTS or PROPERTY.fullmatch(word) for word in words)


def _classic_table(types: list[str]) -> Mapping[str, Property]:
    return {name: known for kind in types for name, known in CLASSIC_PROPERTIES[kind].items()}
