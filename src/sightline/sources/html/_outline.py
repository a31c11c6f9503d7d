"""What a crawler needs of a page: where it leads, what it says of itself, and its skeleton, without a page model.

Building the columns of a page takes five times as long as parsing it. Most pages of a crawl are only passed through, so
they are read by few calls to the parser: one a link, one a tag, and one for each new step on the way to a link.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sightline.gc_paused import gc_paused
from sightline.net import Limits
from sightline.sources.html._parse import within_limits

_ANCHOR_TAGS = ("a", "area", "iframe", "frame")
_ANCHOR_TEXT = 200  # characters; the longest that say something are headlines
_UNKNOWN_TAGS_FROM = 4096  # names that the parser does not know are numbered by their address in memory
_UNKNOWN_TAG = 4095
_DOCUMENT = "-document"  # how the parser calls what is above the root
_FIRST_LETTER = 0x100  # beyond the control characters, so that skeletons can be printed

_LIMITS = Limits()

_Attributes: TypeAlias = dict[str, str | None]


class Anchor(NamedTuple):
    """A link as it stands on a page: `place` is the way to it, `html/body/div#main/ul.results wide/li`."""

    href: str
    text: str = ""
    place: str = ""
    rel: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class PageOutline:
    """The links of a page and what it says of itself; `skeleton` has one character for each of its tags."""

    title: str = ""
    language: str = ""
    base: str = ""
    canonical: str = ""
    robots: str = ""
    refresh: str = ""
    skeleton: str = ""
    anchors: tuple[Anchor, ...] = ()
    feeds: tuple[str, ...] = ()
    translations: tuple[tuple[str, str], ...] = ()
    """Pairs of language and address: the same page for other readers."""
    following: str = ""
    """The address that `<link rel="next">` names."""


def read_outline(text: str, *, limits: Limits | None = None) -> PageOutline:
    """The outline of an HTML text.

    >>> page = "<title>Stars</title><ul class=all><li><a href=/vega rel=nofollow>Vega</a>"
    >>> outline = read_outline(page)
    >>> outline.title, outline.anchors
    ('Stars', (Anchor(href='/vega', text='Vega', place='html/body/ul.all/li', rel='nofollow', title=''),))
    """
    parser = LexborHTMLParser(within_limits(text, "", limits or _LIMITS, []))
    root, head = parser.root, parser.head
    if root is None or head is None:
        return PageOutline()
    said = _said_by_links(head)
    title = head.css_first("title")
    with gc_paused():
        skeleton, anchors = _skeleton(root), _anchors(parser)
    return PageOutline(
        title=" ".join(title.text().split()) if title else "",
        language=(root.attributes.get("lang") or "").strip(),
        base=_attribute(head, "base[href]", "href"),
        canonical=said["canonical"][0][1] if said["canonical"] else "",
        robots=_meta(head, "name", "robots"),
        refresh=_meta(head, "http-equiv", "refresh"),
        skeleton=skeleton,
        anchors=anchors,
        feeds=tuple(address for _, address in said["feed"]),
        translations=tuple(said["translation"]),
        following=said["next"][0][1] if said["next"] else "",
    )


def _skeleton(root: LexborNode) -> str:
    """A letter for each element, in document order."""
    numbers = np.array([node.tag_id for node in root.traverse()], dtype=np.int64)
    known = np.where(numbers < _UNKNOWN_TAGS_FROM, numbers, _UNKNOWN_TAG)
    return (known + _FIRST_LETTER).astype("<u4").tobytes().decode("utf-32-le")


def _anchors(parser: LexborHTMLParser) -> tuple[Anchor, ...]:
    places = _Places()
    found = []
    for node in [node for tag in _ANCHOR_TAGS for node in parser.tags(tag)]:
        given = node.attributes
        href = (given.get("href") or given.get("src") or "").strip()
        if href and not href.startswith("#"):
            text = " ".join(node.text()[: 2 * _ANCHOR_TEXT].split())[:_ANCHOR_TEXT] or _picture_text(node)
            found.append(Anchor(href, text, places.of(node.parent), given.get("rel") or "", given.get("title") or ""))
    return tuple(found)


def _picture_text(node: LexborNode) -> str:
    """What a link without words shows instead."""
    if node.child is None:
        return node.attributes.get("alt") or node.attributes.get("aria-label") or ""
    picture = node.css_first("img[alt]")
    return ((picture.attributes.get("alt") or "") if picture else node.attributes.get("aria-label") or "").strip()


class _Places:
    """The ways from the root to elements; each step is read once."""

    def __init__(self) -> None:
        self._known: dict[int, str] = {}

    def of(self, node: LexborNode | None) -> str:
        known = self._known
        steps: list[tuple[int, str]] = []
        way = ""
        while node is not None:
            address = node.mem_id
            if address in known:
                way = known[address]
                break
            tag = node.tag or ""
            if tag == _DOCUMENT:
                break
            steps.append((address, _step(tag, node.attributes)))
            node = node.parent
        for address, step in reversed(steps):
            way = f"{way}/{step}" if way else step
            known[address] = way
        return way


def _step(tag: str, given: _Attributes) -> str:
    if not given:
        return tag
    name, own = given.get("class"), given.get("id")
    return f"{tag}{'#' + own if own else ''}{'.' + ' '.join(name.split()) if name else ''}"


def _said_by_links(head: LexborNode) -> dict[str, list[tuple[str, str]]]:
    """What the `<link>` elements name, by what it is: pairs of language and address."""
    said: dict[str, list[tuple[str, str]]] = {"canonical": [], "next": [], "feed": [], "translation": []}
    for node in head.css("link[rel][href]"):
        given = node.attributes
        kind = _kind_of_link(given)
        if kind:
            said[kind].append((given.get("hreflang") or "", (given.get("href") or "").strip()))
    return said


def _kind_of_link(given: _Attributes) -> str | None:
    relations = (given.get("rel") or "").lower().split()
    for name in ("canonical", "next"):
        if name in relations:
            return name
    if "alternate" not in relations:
        return None
    if (given.get("type") or "").lower() in ("application/rss+xml", "application/atom+xml", "application/feed+json"):
        return "feed"
    return "translation" if given.get("hreflang") else None


def _meta(head: LexborNode, name: str, value: str) -> str:
    return _attribute(head, f'meta[{name}="{value}" i]', "content")


def _attribute(head: LexborNode, selector: str, name: str) -> str:
    node = head.css_first(selector)
    return ((node.attributes.get(name) or "") if node else "").strip()
