"""The symbols of a set of pages: elements by tag and descriptive attributes, and texts that occur on several pages.

A class or id that only one page has tells that page from the others and nothing about their template; so symbols are
made of what at least two pages share, and a page read later is written in the same symbols.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import IntArray, prefix_sum
from sightline.page import ABSENT, Page
from sightline.signals import texts_of

__all__ = [
    "ATTRIBUTES",
    "CELLS",
    "SHARED",
    "SPREAD",
    "TEXT_SYMBOL",
    "Alphabet",
    "alphabet_of",
    "collapse_spaces",
    "element_words",
    "is_mute",
    "raw_elements",
    "readable",
]

TEXT_SYMBOL = 0  # the symbol of every text
SHARED = 2  # pages; what two have in common may be their template, what only one has may not

# Tags and attributes are hashed into one number of 64 bits, mixed by this odd one; collisions are never seen.
SPREAD = np.uint64(0x9E3779B97F4A7C15)
HEAD, HEAD_WORD = -1, "head"
ATTRIBUTES = ("class", "id", "itemprop")
CELLS = ("td", "th")
MOST_WORDS = 4096  # elements whose words are remembered; a site has a few dozen of those that are asked for
MOST_RAW = 50_000  # elements as pages write them, whose symbols are remembered; some sites give every element an id
_TEXT = "#text"
_DIGITS = re.compile(r"\d+")
# Separators between values that mean nothing themselves: punctuation, arrows, lines, and the words that join a list.
_MUTE = re.compile(
    r"(?:[\s!-#%-/:-@\[-`{-~\u00a0-\u00a3\u00ab\u00b7\u00bb\u2010-\u203a\u2190-\u21ff\u2500-\u257f\u25a0-\u25ff"
    r"\ufeff\u200b-\u200f]|\b(?:and|or|und|oder|et|ou|y|e|en|og|och)\b)*"
)

Raw: TypeAlias = tuple[str, ...]
"""An element as the page writes it: tag, class, id, itemprop, and its place in a table."""


is_mute = _MUTE.fullmatch


def collapse_spaces(text: str) -> str:
    """A text with its white space collapsed, as people see it."""
    return " ".join(text.split())


def readable(page: Page) -> IntArray:
    """The text nodes that can be read and mean something; punctuation does so only if it is alone.

    >>> from sightline.testing import element, page_of
    >>> lines = element("p", "one", element("b", "two"), " | "), element("p", "-")
    >>> len(readable(page_of(element("body", *lines), kind="static")))
    3
    """
    is_text = texts_of(page)
    texts = np.flatnonzero(is_text)
    numbers = page.text[texts]
    used = np.unique(numbers)
    says = np.zeros(len(page.strings), dtype=bool)
    says[used] = [is_mute(page.strings[number]) is None for number in used.tolist()]
    counts = prefix_sum(is_text)
    above = page.parent[texts]
    alone = counts[page.end[above]] - counts[above] == 1
    kept: IntArray = texts[says[numbers] | alone].astype(np.int32)
    return kept


@dataclass(frozen=True, eq=False)
class Alphabet:
    """Symbols of elements by name, and numbers of texts that several pages share.

    A name is the tag with the words that pages share: class tokens, id, itemprop.

    >>> alphabet = Alphabet(frozenset({("li", ".product")}))
    >>> alphabet.names[alphabet.symbol(("li", "product p17", "x93", "", ""))]
    'li .product'
    """

    tokens: frozenset[tuple[str, str]]
    names: list[str] = field(default_factory=lambda: [_TEXT])
    texts: dict[str, int] = field(default_factory=dict)
    _symbols: dict[str, int] = field(default_factory=lambda: {_TEXT: TEXT_SYMBOL})
    symbols: dict[Raw, int] = field(default_factory=dict)

    def symbol(self, raw: Raw) -> int:
        """The symbol of an element."""
        symbol = self.symbols.get(raw)
        if symbol is None:
            if len(self.symbols) >= MOST_RAW:
                self.symbols.clear()
            symbol = self.symbols[raw] = self.named(self._name(raw))
        return symbol

    def named(self, name: str) -> int:
        """The symbol with this name."""
        symbol = self._symbols.get(name)
        if symbol is None:
            symbol = self._symbols[name] = len(self.names)
            self.names.append(name)
        return symbol

    def tag(self, symbol: int) -> str:
        """The tag of a symbol."""
        return self.names[symbol].partition(" ")[0]

    def words(self, symbol: int) -> frozenset[str]:
        """The class tokens, id and itemprop of a symbol."""
        return frozenset(self.names[symbol].split()[1:])

    def text(self, text: str) -> int:
        """The number of a shared text; 0 for any other."""
        return self.texts.get(text, 0)

    def share(self, text: str) -> int:
        """Make a text a shared one, and return its number."""
        return self.texts.setdefault(text, len(self.texts) + 1)

    def _name(self, raw: Raw) -> str:
        tag = raw[0]
        words = {self._known(tag, token) for token in _tokens(raw)}
        return " ".join((tag, *sorted(word for word in words if word)))

    def _known(self, tag: str, token: str) -> str:
        """A word as the pages share it: as it is, or else with its digits replaced."""
        if (tag, token) in self.tokens:
            return token
        word = _digits_replaced(token)
        return word if (tag, word) in self.tokens else ""


def _tokens(raw: Raw) -> list[str]:
    """The attributes of an element, one word each: `.class`, `#id`, `@itemprop`, `:` and its place in a table."""
    words = ["." + word for word in raw[1].split()]
    return words + [mark + "_".join(text.split()) for mark, text in zip("#@:", raw[2:], strict=True) if text.strip()]


def raw_elements(page: Page, nodes: IntArray) -> tuple[list[Raw], npt.NDArray[np.int64]]:
    """The distinct elements among these nodes, and which of them each node is."""
    columns = [page.tag[nodes], *(page.attribute(name)[nodes] for name in ATTRIBUTES), _places(page)[nodes]]
    key = columns[0].astype(np.uint64)
    for column in columns[1:]:
        key = key * SPREAD + (column + 1).astype(np.uint64)
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    *rows, place = (column[first].tolist() for column in columns)
    raw = [["" if number == ABSENT else page.strings[number] for number in row] for row in rows]
    raw.append([HEAD_WORD if number == HEAD else str(number) if number else "" for number in place])
    return list(zip(*raw, strict=True)), which.astype(np.int64)


def element_words(page: Page, node: int) -> frozenset[str]:
    """What an element is called: its tag, and the words of its attributes, numbers in them made the same.

    >>> from sightline.testing import element, page_of
    >>> page = page_of(element("body", element("img", class_="p17")), kind="static")
    >>> sorted(element_words(page, int(page.with_tag("img")[0])))
    ['.p0', 'img']
    """
    numbers = [page.attribute_of(node, name) for name in ATTRIBUTES]
    words = ["" if number == ABSENT else page.strings[number] for number in numbers]
    return _words_of(page.strings[page.tag[node]], *words)


@lru_cache(maxsize=MOST_WORDS)
def _words_of(tag: str, *attributes: str) -> frozenset[str]:
    return frozenset([tag, *map(_digits_replaced, _tokens((tag, *attributes, "")))])


def _digits_replaced(token: str) -> str:
    """A token with every number in it made the same."""
    return _DIGITS.sub("0", token)


def _places(page: Page) -> IntArray:
    """The role of nodes in tables: the place of a cell in its row, HEAD for a row of nothing but heading cells.

    Empty cells count, so that the cells after them stay in their column.
    """
    found = np.zeros(len(page), dtype=np.int32)
    cells = page.with_tag(*CELLS)
    cells = cells[page.parent[cells] >= 0]  # the root of a part has no row
    if not len(cells):
        return found
    order = np.argsort(page.parent[cells], kind="stable")
    rows = page.parent[cells][order]
    new = np.concatenate([[True], rows[1:] != rows[:-1]])
    start = np.maximum.accumulate(np.where(new, np.arange(len(rows)), 0))
    found[cells[order]] = np.arange(len(rows)) - start + 1
    plain = np.zeros(len(page) + 1, dtype=bool)
    plain[page.parent[page.with_tag("td")]] = True
    heads = np.unique(rows)
    found[heads[~plain[heads]]] = HEAD
    return found


def alphabet_of(pages: Sequence[Page], kept: Iterable[IntArray]) -> Alphabet:
    """The alphabet of these pages, considering only the nodes kept."""
    pages_with: Counter[tuple[str, str]] = Counter()
    for page, nodes in zip(pages, kept, strict=True):
        raws, _ = raw_elements(page, nodes[page.text[nodes] < 0])
        words = {(raw[0], token) for raw in raws for token in _tokens(raw)}
        pages_with.update(words | {(tag, _digits_replaced(token)) for tag, token in words})
    return Alphabet(frozenset(token for token, count in pages_with.items() if count >= SHARED))
