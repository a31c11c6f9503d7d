"""The words in and around each candidate: of its element and those above it, of its label, its heading and itself."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sightline.arrays import IntArray
from sightline.extract.about._candidates import HEADINGS, Candidates
from sightline.extract.about._concepts import with_concepts
from sightline.page import ABSENT, Page

ROLES = ("element", "parent", "above", "label", "after", "heading", "words")
ATTRIBUTES = ("class", "id", "rel", "data-testid", "data-test", "aria-label", "name", "data-role", "data-type")
ABOVE = 3  # elements above the parent whose names count
MOST_WORDS = 14  # of a text whose own words say what it is
MOST_TOKENS = 24
NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+")
WORDS = re.compile(r"[^\W\d_]+|\d+")
HREF_PARTS = re.compile(r"[a-z]{3,}")
MOST_LABEL_WORDS = 6
SHORT_HEADING = 80  # characters
MOST_KEPT = 20_000  # texts whose words are kept; the pages of a site have most of them in common


@dataclass(frozen=True, eq=False)
class WordContext:
    """For each role the distinct sets of words on a page, and which of them each candidate has."""

    words: dict[str, list[tuple[str, ...]]]
    of: dict[str, IntArray]


def context_of(found: Candidates) -> WordContext:
    """The words in and around all candidates.

    >>> from sightline.extract.about._candidates import candidates_of
    >>> from sightline.testing import list_page
    >>> context = context_of(candidates_of(list_page(["Price: $5"])))
    >>> context.words["label"][context.of["label"][1]]
    ('price', '#price')
    """
    page = found.page
    elements = _Elements(page, found.holder)
    headings = _headings(found)
    block = found.block.tolist()
    texts: dict[str, tuple[list[tuple[str, ...]], IntArray]] = {
        "element": elements.words(found.holder),
        "parent": elements.words(page.parent[found.holder]),
        "above": elements.words_above(page.parent[found.holder]),
        "label": _distinct([one.before for one in found.all], words_of),
        "after": _distinct([one.after for one in found.all], words_of),
        "heading": _distinct([headings[row] for row in block], words_of),
        "words": _distinct([one.text for one in found.all], own_words),
    }
    return WordContext(
        {role: words for role, (words, _) in texts.items()}, {role: of for role, (_, of) in texts.items()}
    )


def _distinct(texts: Sequence[str], words: Callable[[str], tuple[str, ...]]) -> tuple[list[tuple[str, ...]], IntArray]:
    """The words of each distinct text, and which of them each has."""
    number: dict[str, int] = {}
    of = [number.setdefault(text, len(number)) for text in texts]
    return [words(text) for text in number], np.array(of, dtype=np.int32)


class _Elements:
    """The words in the names that a page gives the elements that hold candidates, and those above them."""

    def __init__(self, page: Page, holders: IntArray) -> None:
        self.page = page
        level = np.unique(holders)
        levels = [level]
        for _ in range(ABOVE + 1):
            level = np.unique(page.parent[level[level >= 0]])
            levels.append(level)
        nodes = np.unique(np.concatenate(levels))
        nodes = nodes[nodes >= 0]
        columns = [page.tag[nodes], *(page.attribute(name)[nodes] for name in (*ATTRIBUTES, "href"))]
        rows = zip(*(column.tolist() for column in columns), strict=True)
        kept: dict[tuple[int, ...], tuple[str, ...]] = {}
        self.named = {-1: ()} | {
            node: kept[row] if row in kept else kept.setdefault(row, self._named(row))
            for node, row in zip(nodes.tolist(), rows, strict=True)
        }

    def _named(self, row: tuple[int, ...]) -> tuple[str, ...]:
        """The words of an element by the numbers of its tag, its names and its link."""
        strings, (tag, *names, href) = self.page.strings, row
        words = {f"<{strings[tag]}>": None}
        for number in names:
            if number != ABSENT:
                words |= dict.fromkeys(name_parts(strings[number]))
        if href != ABSENT:
            words |= dict.fromkeys(address_parts(strings[href]))
        return tuple(words)[:MOST_TOKENS]

    def words(self, nodes: IntArray) -> tuple[list[tuple[str, ...]], IntArray]:
        """The words of each distinct element, and which of them each has."""
        distinct, of = np.unique(nodes, return_inverse=True)
        return [self.named[node] for node in distinct.tolist()], of.astype(np.int32)

    def words_above(self, nodes: IntArray) -> tuple[list[tuple[str, ...]], IntArray]:
        """The same of the elements above each."""
        distinct, of = np.unique(nodes, return_inverse=True)
        chain = []
        at = distinct
        for _ in range(ABOVE):
            at = np.where(at >= 0, self.page.parent[at], -1)
            chain.append(at.tolist())
        several = [
            tuple(dict.fromkeys(word for node in nodes for word in self.named[node]))[: 2 * MOST_TOKENS]
            for nodes in zip(*chain, strict=True)
        ]
        return several, of.astype(np.int32)


@lru_cache(maxsize=MOST_KEPT)
def name_parts(name: str) -> tuple[str, ...]:
    """The words in the name of a class or an element, and the concepts that they mean.

    >>> name_parts("product-priceBox price_2")
    ('product', 'price', 'box', '#product', '#price')
    """
    parts = tuple(dict.fromkeys(part.casefold() for part in NAME_PARTS.findall(name[:200]) if len(part) > 1))
    return with_concepts(parts)


@lru_cache(maxsize=MOST_KEPT)
def address_parts(address: str) -> tuple[str, ...]:
    """The words in a link, but not those of its host.

    >>> address_parts("https://shop.example/brand/acme?x=1")
    ('@brand', '@acme')
    """
    path = re.sub(r"^\w+:(//[^/]*)?", "", address[:200]).casefold()
    if address.startswith(("mailto:", "tel:", "javascript:")):
        return (f"@{address.partition(':')[0]}",)
    return tuple(f"@{part}" for part in dict.fromkeys(HREF_PARTS.findall(path.partition("?")[0])))[:6]


@lru_cache(maxsize=MOST_KEPT)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a short text; figures are told by how many there are.

    >>> words_of("Art. no. 12")
    ('art', 'no', '00', '#number')
    """
    return with_concepts(plain_words_of(text))


def plain_words_of(text: str) -> tuple[str, ...]:
    """The same without the concepts that they mean."""
    words = WORDS.findall(text.casefold())[-MOST_LABEL_WORDS:]
    return tuple(dict.fromkeys("0" * len(word) if word.isdigit() else word for word in words))


@lru_cache(maxsize=MOST_KEPT)
def own_words(text: str) -> tuple[str, ...]:
    """The words of a text that is short enough for them to say what it is."""
    if len(text) > 12 * MOST_WORDS:
        return ()
    words = WORDS.findall(text.casefold())
    if len(words) > MOST_WORDS:
        return ()
    return with_concepts(tuple(dict.fromkeys("0" * len(word) if word.isdigit() else word for word in words)))


def _headings(found: Candidates) -> list[str]:
    """The heading above each block."""
    blocks = found.blocks
    is_heading = blocks.inside(found.page.with_tag(*HEADINGS)) & blocks.visible
    last, above = "", []
    for row, heads in enumerate(is_heading.tolist()):
        above.append(last)
        if heads and len(blocks.texts[row]) <= SHORT_HEADING:
            last = blocks.texts[row]
    return above
