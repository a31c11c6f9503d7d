"""Where the links of a page lead: addresses in full, also on a saved page that says where it comes from."""

from collections.abc import Iterator
from itertools import chain
from urllib.parse import urljoin

import numpy as np

from sightline.page._columns import ABSENT
from sightline.page._page_columns import PageColumns

__all__ = ["full_address", "link_base", "link_of", "own_address", "said_by"]

WEB = ("http://", "https://")
NO_LINK = ("javascript:", "data:", "blob:", "about:", "vbscript:")
LONGEST_SCHEME = max(map(len, NO_LINK))  # an image may be written out in a hundred thousand letters


def own_address(page: PageColumns) -> str:
    """The address of a page on the web; of a saved one that which it calls its own. Empty if it has none."""
    if page.url.startswith(WEB):
        return page.url
    said = (("link", "rel", "canonical", "href"), ("meta", "property", "og:url", "content"))
    own = chain.from_iterable(said_by(page, *names) for names in said)
    return next((address for _, address in own if address.startswith(WEB)), "")


def link_base(page: PageColumns) -> str:
    """The address that links are relative to; empty if it is unknown, for the folder of a saved page is not it."""
    own = page.cached(own_address)
    bases = page.with_tag("base").tolist()
    if not bases:
        return own
    hrefs = (page.attribute_of(node, "href") for node in bases)
    said = (page.strings[href] for href in hrefs if href != ABSENT)
    base = full_address(own, next(said, ""))
    return base if base.startswith(WEB) else own


def link_of(page: PageColumns, node: int) -> str:
    """Where the link leads that a node is or is in, or else the first link in it; empty if there is none.

    >>> from sightline.testing import element, page_of
    >>> page = page_of(element("li", element("a", "EOS 5D", href="https://shop.example/5d"), element("b", "$500")))
    >>> link_of(page, 2), link_of(page, 4), link_of(page, 0)  # the words in the link, those beside it, and the item
    ('https://shop.example/5d', '', 'https://shop.example/5d')
    """
    href = page.attribute("href")
    at = node
    while at >= 0:
        if href[at] >= 0:
            return full_address(link_base(page), page.strings[href[at]])
        at = int(page.parent[at])
    inside = range(node, int(page.end[node]))
    return next((full_address(link_base(page), page.strings[href[one]]) for one in inside if href[one] >= 0), "")


def full_address(base: str, address: str) -> str:
    """An address in full, or as written if it is not known from where; empty if it leads nowhere.

    >>> full_address("https://example.org/a/b", "../c"), full_address("https://example.org/", "javascript:void(0)")
    ('https://example.org/c', '')
    """
    written = address.strip()
    if written.startswith(WEB):
        return written
    if not written or written[:LONGEST_SCHEME].lower().startswith(NO_LINK):
        return ""
    try:
        return urljoin(base, written)
    except ValueError:  # no address at all, such as //[
        return ""


def said_by(page: PageColumns, tag: str, name: str, value: str, wanted: str) -> Iterator[tuple[int, str]]:
    """What a page says about itself: elements of a tag with an attribute of this value, and another attribute of each.

    >>> from sightline.testing import element, page_of
    >>> list(said_by(page_of(element("meta", name="author", content="Ada")), "meta", "name", "author", "content"))
    [(0, 'Ada')]
    """
    held, strings = page.attributes, page.strings
    for row in np.flatnonzero(held.name == page.attribute_id(name)).tolist():
        said = held.value[row]
        if said != ABSENT and strings[said].strip().lower() == value:
            node = int(np.searchsorted(held.start, row, side="right")) - 1
            number = page.attribute_of(node, wanted) if strings[page.tag[node]] == tag else ABSENT
            if number != ABSENT:
                yield node, strings[number].strip()
