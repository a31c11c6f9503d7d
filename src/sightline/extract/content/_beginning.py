"""The beginning of a text on its page: where title, byline and date are looked for."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Any

import numpy as np

from sightline.arrays import BoolArray, IntArray
from sightline.data import Value, origin_at
from sightline.geometry import as_box, union_of
from sightline.page import Page
from sightline.signals import NodeNumbers, TextBlocks, json_ld

SEARCHED = 40  # blocks before and after the beginning of the text in which names and dates are looked for


class Beginning:
    """The blocks around the beginning of a text."""

    def __init__(self, blocks: TextBlocks, kept: BoolArray) -> None:
        self.blocks: TextBlocks = blocks
        self.kept: BoolArray = kept
        self.page: Page = blocks.page

    @cached_property
    def first(self) -> int:
        """The first block of the text."""
        return int(np.argmax(self.kept)) if self.kept.any() else 0

    @cached_property
    def last(self) -> int:
        """The last block of the text."""
        return len(self.kept) - 1 - int(np.argmax(self.kept[::-1])) if self.kept.any() else 0

    @cached_property
    def begin(self) -> int:
        """The block with which the text, or its heading, begins."""
        above = self.first_headings[self.first_headings <= self.first]
        return int(above[-1]) if len(above) else self.first

    @cached_property
    def first_headings(self) -> NodeNumbers:
        """Visible headings of the first level, in order."""
        return np.flatnonzero(self.blocks.inside(self.page.with_tag("h1")) & self.blocks.visible)

    @cached_property
    def around(self) -> NodeNumbers:
        """The blocks near the beginning of the text: those closest after it first, then those before it."""
        rows = np.arange(max(0, self.begin - SEARCHED), min(len(self.blocks), self.begin + SEARCHED + 1))
        far = np.where(rows >= self.begin, rows - self.begin, 2 * (self.begin - rows))
        nearest_first: NodeNumbers = rows[np.argsort(far, kind="stable")]
        return nearest_first

    def near(self, wanted: Callable[[str], bool]) -> Iterator[int]:
        """The blocks near the beginning with a wanted text; hidden ones only if none is visible."""
        rows = self.around
        yield from self.seen_first(rows[[wanted(self.blocks.texts[row]) for row in rows.tolist()]])

    def seen_first(self, rows: NodeNumbers) -> Iterator[int]:
        """The visible ones of some blocks; all of them if none is."""
        visible = rows[self.blocks.visible[rows]]
        yield from (visible if len(visible) else rows).tolist()

    def row_of(self, node: int) -> int:
        """The block at a node, or the next after it."""
        return int(np.searchsorted(self.blocks.start, node))

    def value(self, rows: Sequence[int], text: str) -> Value:
        """A text that is read in some blocks, or in a part of them, with its place."""
        blocks = self.blocks
        nodes = np.concatenate([blocks.nodes[blocks.first[row] : blocks.first[row + 1]] for row in rows])
        box = union_of(map(as_box, blocks.boxes[list(rows)]))
        return Value(text, None, origin_at(self.page, nodes[~self.page.is_blank[nodes]], box))


# Weighing of candidates: how much speaks for one, by weights that were fitted over the pages of the benchmark.


def worth(parts: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """How much speaks for a candidate: the sum of its weighted parts.

    >>> worth({"seen": 1.0, "close": 0.5}, {"seen": 2.0, "close": 1.0, "site": -1.0})
    2.5
    """
    return sum(weights[name] * value for name, value in parts.items() if name in weights)


# What a page says about itself: the things of its JSON-LD, its meta elements, and its title.

DEEPEST = 12  # levels of things within things
# Keys that lead from a thing to another that the page is about as well.
SAME = frozenset(["@graph", "mainEntity", "mainEntityOfPage"])
ARTICLE = re.compile("article$|posting$|^question$|^report$|^recipe$|^review$|^howto$|^podcastepisode$")
WEB_PAGE = re.compile("page$")
UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")


def cleaned(text: str) -> str:
    r"""A text in one line, without soft hyphens and other characters that nobody sees.

    >>> cleaned("Assis\u00adtance &amp; more ")
    'Assistance & more'
    """
    text = unescape(unescape(text))
    return " ".join((text if text.isascii() else UNSEEN.sub("", text)).split())


@dataclass(frozen=True, eq=False)
class DescribedThing:
    """A thing in the JSON-LD of a page; `rank` says what it is to the page: `article`, `page`, `other` or `inner`."""

    values: Mapping[str, Any]
    rank: str

    @property
    def is_maker(self) -> bool:
        """Whether it is a site or an organization."""
        kinds = str(self.values.get("@type"))
        return "WebSite" in kinds or "Organization" in kinds

    @property
    def is_product(self) -> bool:
        """Whether it is something to buy, and not only a part of another thing."""
        return self.rank == "other" and "Product" in str(self.values.get("@type"))

    def texts(self, key: str) -> list[str]:
        """The texts under a key."""
        value = self.values.get(key)
        return [text for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)]


class Said:
    """What a page says about itself; every part is read once, when it is asked for."""

    def __init__(self, page: Page, page_kind: str = "") -> None:
        self.page = page
        self.page_kind = page_kind  # what the page was judged to be, if it was
        self._columns: dict[str, IntArray] = {}

    def attribute(self, name: str) -> IntArray:
        """The column of an attribute, as `page.attribute`, made only once."""
        if name not in self._columns:
            self._columns[name] = self.page.attribute(name)
        return self._columns[name]

    @cached_property
    def address(self) -> str:
        """The address of the page."""
        return self.page.address

    @cached_property
    def title(self) -> str:
        """The title of the page."""
        return cleaned(self.page.title)

    @cached_property
    def meta(self) -> dict[str, list[str]]:
        """The contents of the meta elements by their names, in lower case."""
        page, by_name = self.page, dict[str, list[str]]()
        nodes = page.with_tag("meta")
        named, called, said, contents = (
            self.attribute(name)[nodes].tolist() for name in ("name", "property", "itemprop", "content")
        )
        for first, second, third, content in zip(named, called, said, contents, strict=True):
            number = first if first >= 0 else second if second >= 0 else third
            if number >= 0 and content >= 0 and (text := cleaned(page.strings[content])):
                by_name.setdefault(page.strings[number].lower(), []).append(text)
        return by_name

    @cached_property
    def things(self) -> list[DescribedThing]:
        """The things of the JSON-LD; those that are given twice, by reference, only once."""
        return [thing for document in json_ld(self.page) for thing in _things(document, "", 0)]

    @cached_property
    def by_id(self) -> dict[str, Mapping[str, Any]]:
        """The fullest description of every thing that has an identifier."""
        found: dict[str, Mapping[str, Any]] = {}
        for thing in self.things:
            name = thing.values.get("@id")
            if isinstance(name, str) and len(thing.values) > len(found.get(name, ())):
                found[name] = thing.values
        return found

    @cached_property
    def makers(self) -> list[str]:
        """The names of the site and of organizations in the JSON-LD."""
        return [name for thing in self.things if thing.is_maker for name in thing.texts("name")]


def _things(value: Any, under: str, depth: int) -> Iterator[DescribedThing]:
    """The things in a document, `under` being what they are to the page if they are only a part of it."""
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        for inner in value:
            yield from _things(inner, under, depth + 1)
    elif isinstance(value, dict):
        yield DescribedThing(value, under or _rank(value))
        for key, inner in value.items():
            if isinstance(inner, dict | list):
                yield from _things(inner, under if key in SAME else "inner", depth + 1)


def _rank(value: Mapping[str, Any]) -> str:
    kinds = value.get("@type")
    names = [kind.lower() for kind in (kinds if isinstance(kinds, list) else [kinds]) if isinstance(kind, str)]
    if any(map(ARTICLE.search, names)):
        return "article"
    return "page" if not names or any(map(WEB_PAGE.search, names)) else "other"
