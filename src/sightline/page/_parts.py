"""Parts of a page: each is itself a page, and remembers where its nodes are in the whole."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import TypeVar
from urllib.parse import urljoin

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.errors import UsageError
from sightline.geometry import Box, BoxArray, is_box
from sightline.page._canonical import whole_id
from sightline.page._columns import ABSENT, INNER, PagePart, Words, below, subtree_counts
from sightline.page._page_columns import PageColumns
from sightline.page._xpath import ENTER, of

AnyPage = TypeVar("AnyPage", bound=PageColumns)


def subtree(page: AnyPage, number: int) -> AnyPage:
    """The nodes of one subtree; its root keeps its place in the whole."""
    keep = np.zeros(len(page), dtype=bool)
    keep[number : page.end[number]] = True
    return _take(page, keep)


def without(page: AnyPage, numbers: npt.NDArray[np.int64]) -> AnyPage:
    """All nodes but the named ones and what is below them."""
    if len(numbers) and not ((numbers >= 0) & (numbers < len(page))).all():
        raise UsageError(f"Some nodes to leave out are not on the page; its nodes are numbered 0 to {len(page) - 1}.")
    marked = np.zeros(len(page), dtype=bool)
    marked[numbers] = True
    return _take(page, ~below(marked, page.end))


def region(page: AnyPage, box: Box) -> AnyPage:
    """What has its middle inside the box: words, then leaves without words, and the elements around them."""
    word_kept = _middle_inside(page.words.box, box)
    leaf = (page.end == np.arange(1, len(page) + 1)) & _middle_inside(page.box, box)
    worded = np.zeros(len(page), dtype=bool)
    worded[page.words.node] = True
    leaf &= ~worded
    leaf[page.words.node[word_kept]] = True
    keep = np.asarray(subtree_counts(leaf, page.end) > 0)
    return _take(page, keep, word_kept)


def _middle_inside(boxes: BoxArray, box: Box) -> BoolArray:
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    inside = (middle >= box[:2]).all(axis=1) & (middle <= box[2:]).all(axis=1)
    return np.asarray(inside & is_box(boxes))


def _take(page: AnyPage, keep: BoolArray, word_kept: BoolArray | None = None) -> AnyPage:
    """The kept nodes as a page; with each its parent must be kept too, save for one root."""
    kept = np.flatnonzero(keep).astype(np.int32)
    before = prefix_sum(keep).astype(np.int32)
    parent = page.parent[kept]
    inside = (parent >= 0) & keep[parent]
    return replace(
        page,
        parent=np.where(inside, before[parent], -1).astype(np.int32),
        end=before[page.end[kept]],
        tag=page.tag[kept],
        text=page.text[kept],
        attributes=page.attributes.take(kept),
        box=page.box[kept],
        style_of=page.style_of[kept],
        words=_take_words(page.words, keep, before, word_kept),
        edge=page.edge[kept],
        part=PagePart(
            page=whole_id(page), number=page.numbers[kept], position=page.position[kept], above=_above(page, kept)
        ),
    )


def _above(page: PageColumns, kept: IntArray) -> str:
    """The path that leads to the root of the part."""
    outer = page.part.above if page.part else ""
    if not len(kept) or page.parent[kept[0]] < 0:
        return outer
    root = int(kept[0])
    host = of(page, int(page.parent[root]))
    if page.edge[root] == INNER:
        return host + ENTER
    return of(page, root).rpartition("/")[0]


def _take_words(words: Words, keep: BoolArray, before: IntArray, chosen: BoolArray | None) -> Words:
    rows = keep[words.node] if chosen is None else keep[words.node] & chosen
    return Words(node=before[words.node[rows]], start=words.start[rows], end=words.end[rows], box=words.box[rows])


# -- what stands inside of an element -------------------------------------------------------------------------------


def rows_of(page: PageColumns, table: int) -> list[int]:
    """The rows of a table, in document order, those of a table inside of it among them.

    >>> from sightline.testing import element, page_of
    >>> page = page_of(element("table", element("tbody", element("tr", "a"), element("tr", "b"))), kind="static")
    >>> [page.text_of(row) for row in rows_of(page, int(page.with_tag("table")[0]))]
    ['a', 'b']
    """
    every = page.with_tag("tr")
    first, last = np.searchsorted(every, (table, page.end[table])).tolist()
    rows: list[int] = every[first:last].tolist()
    return rows


# -- where the links of a page lead ---------------------------------------------------------------------------------

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
