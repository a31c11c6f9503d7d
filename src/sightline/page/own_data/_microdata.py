"""Microdata, by the HTML standard (https://html.spec.whatwg.org/multipage/microdata.html), with two licences.

A `content` attribute counts on every element that has no address, because search engines say it does; and an item that
claims to be the property of another one which does not exist is an outermost item.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from sightline.page._columns import ABSENT
from sightline.page.own_data._documents import OwnDocument
from sightline.page.own_data._items import MarkupItem, MarkupValue, documents_of, short_name, short_type
from sightline.page.own_data._markup import MarkupReader

WHAT = "microdata"
ADDRESS_ATTRIBUTES = {"a": "href", "area": "href", "link": "href", "object": "data"}
SOURCED = frozenset(("audio", "embed", "iframe", "img", "source", "track", "video"))
VALUED = frozenset(("data", "meter"))


@dataclass(eq=False)
class OpenItem:
    """An open item: where it ends, and what it holds."""

    end: int
    item: MarkupItem


def read_microdata(markup: MarkupReader) -> Iterator[OwnDocument]:
    """Every outermost item of a page.

    >>> from sightline.testing import element, page_of
    >>> from sightline.page.own_data._limits import OwnBudget
    >>> price = element("meta", itemprop="price", content="9.50")
    >>> page = page_of(element("div", price, itemscope="", itemtype="https://schema.org/Offer"))
    >>> [document.data for document in read_microdata(MarkupReader(page, OwnBudget()))]
    [{'@type': ['Offer'], 'price': ['9.50']}]
    """
    scopes = set(markup.having("itemscope"))
    if not scopes:
        return
    items = {node: _item(markup, node) for node in sorted(scopes)}
    named = markup.having("itemprop")
    owned = _fill(markup, items, named)
    owned |= _follow_references(markup, items, named)
    yield from documents_of([item for node, item in items.items() if node not in owned], "microdata", markup.budget)


def _item(markup: MarkupReader, node: int) -> MarkupItem:
    types = [short_type(name) for name in markup.words(node, "itemtype")]
    return MarkupItem(node, types, (markup.value(node, "itemid") or "").strip())


def _fill(markup: MarkupReader, items: dict[int, MarkupItem], named: list[int]) -> set[int]:
    """Give each property to the item around it; returns the items that are properties."""
    owned: set[int] = set()
    open_ones: list[OpenItem] = []
    for node in sorted({*items, *named}):
        while open_ones and open_ones[-1].end <= node:
            open_ones.pop()
        names = _names(markup, node)
        if names and open_ones:
            _give(markup, open_ones[-1].item, items, node)
            owned.update({node} & items.keys())
        if node in items:
            open_ones.append(OpenItem(markup.end(node), items[node]))
    return owned


def _give(markup: MarkupReader, owner: MarkupItem, items: dict[int, MarkupItem], node: int) -> None:
    value = items.get(node) or value_of(markup, node)
    owner.add(_names(markup, node), node, value)


def _names(markup: MarkupReader, node: int) -> list[str]:
    return list(dict.fromkeys(map(short_name, markup.words(node, "itemprop"))))


def _follow_references(markup: MarkupReader, items: dict[int, MarkupItem], named: list[int]) -> set[int]:
    """Give items what they refer to by `itemref`; returns the items that are properties by it."""
    owned: set[int] = set()
    referring = [node for node in markup.having("itemref") if node in items]
    if not referring:
        return owned
    by_id = {markup.value(node, "id") or "": node for node in reversed(markup.having("id"))}
    for node in referring:
        for target in dict.fromkeys(markup.words(node, "itemref")):
            known = {inner for _, inner, _ in items[node].properties}
            for inner in _free_properties(markup, by_id.get(target, ABSENT), items, named):
                if inner in known:
                    continue
                if not markup.budget.takes_values(1, f"A part of the {WHAT}"):
                    return owned
                _give(markup, items[node], items, inner)
                owned.update({inner} & items.keys())
    return owned


def _free_properties(markup: MarkupReader, root: int, items: dict[int, MarkupItem], named: list[int]) -> Iterator[int]:
    """The properties in an element that belong to no item in it."""
    if root == ABSENT:
        return
    place, end = bisect_left(named, root), markup.end(root)
    if root in items and named[place : place + 1] != [root]:
        return
    while place < len(named) and (node := named[place]) < end:
        yield node
        place = bisect_left(named, markup.end(node)) if node in items else place + 1


def value_of(markup: MarkupReader, node: int) -> MarkupValue:
    """What a property says, by the kind of its element."""
    tag = markup.tag(node)
    if tag == "meta":
        return (markup.value(node, "content") or "").strip()
    if tag in ADDRESS_ATTRIBUTES:
        written = markup.value(node, ADDRESS_ATTRIBUTES[tag])
        if written is not None:
            return markup.address(written)
    if tag in SOURCED and (source := markup.source(node)) is not None:
        return source
    attributes = ("value", "content") if tag in VALUED else ("datetime", "content") if tag == "time" else ("content",)
    said = markup.first(node, attributes)
    return said.strip() if said is not None else markup.text_of(node, WHAT)
