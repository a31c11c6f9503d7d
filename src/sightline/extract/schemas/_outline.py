"""A page as its readable texts and the elements around them, written in the symbols of an alphabet.

This is step 1 of the induction: the leaves of each page, with their place in the tree, their text and its type.
Everything is computed in columns; what the recursive steps read one by one is kept as lists.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from sightline import native
from sightline.arrays import IntArray, prefix_sum
from sightline.page import ABSENT, Page, subtree_counts
from sightline.signals import TextKind, text_kind, texts_of

# -- the symbols of a set of pages ----------------------------------------------------------------------------------
# A class or id that only one page has tells that page from the others and nothing about their template; so symbols are
# made of what at least two pages share, and a page read later is written in the same symbols.

TEXT_SYMBOL = 0  # the symbol of every text
SHARED = 2  # pages; what two have in common may be their template, what only one has may not

# Tags and attributes are hashed into one number of 64 bits, mixed by this odd one; collisions are never seen.
SPREAD = np.uint64(0x9E3779B97F4A7C15)
RECORD = (
    "0record"  # the class of rows and cells of tables on sheets; with a digit before letters, nothing is named by it
)
_RECORD_WORD = f" .{RECORD}"
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

    def is_record(self, symbol: int) -> bool:
        """Whether an element is known to be a record, or a cell of one: below the headings of a table on a sheet."""
        return _RECORD_WORD in self.names[symbol]

    def place(self, symbol: int) -> str:
        """The place of a cell in its row, as a word; empty for all else."""
        return next((word for word in self.words(symbol) if word[0] == ":"), "")

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


# -- A page as its readable texts and the elements around them, written in the symbols of an alphabet ---------------

# A base for hashes of ranges, odd so that it has an inverse modulo 2 to the 64th.
BASE = np.uint64(0xD1342543DE82EF95)
BASE_INVERSE = np.uint64(pow(0xD1342543DE82EF95, -1, 1 << 64))
ONE = np.uint64(1)
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, eq=False)
class Outline:
    """The nodes of a page that are or contain readable text, in document order.

    `first` and `last` are the range of leaves below each node; `content` is the number of its first text if several
    pages share that text, else 0. `kid[kid_start[i]:kid_start[i + 1]]` are the children of node `i`.
    """

    page: Page
    alphabet: Alphabet
    node: IntArray
    symbol: list[int]
    end: list[int]
    first: list[int]
    last: list[int]
    kid_start: list[int]
    kid: list[int]
    leaf: list[int]
    texts: list[str]
    shared: list[int]
    content: list[int]
    token: list[int]

    def __len__(self) -> int:
        return len(self.symbol)

    def kids(self, number: int) -> list[int]:
        """The children of a node."""
        return self.kid[self.kid_start[number] : self.kid_start[number + 1]]

    def size(self, number: int) -> int:
        """How many leaves a node has."""
        return self.last[number] - self.first[number]

    @cached_property
    def shape(self) -> list[int]:
        """A hash of each node's structure, all the way down: its symbols, their depths and the shared texts.

        In document order with depths the nodes below are the whole tree, so it is the hash of a range of a sequence.
        """
        count = len(self)
        closed = np.cumsum(np.bincount(self.end, minlength=count + 1))[:-1]
        depth = np.arange(1, count + 1) - closed
        letter = np.array(self.token, dtype=np.uint64) * SPREAD + depth.astype(np.uint64) + ONE
        letter = (letter ^ (letter >> np.uint64(29))) * SPREAD
        power = np.cumprod(np.full(count, BASE, dtype=np.uint64), dtype=np.uint64)
        back = np.cumprod(np.full(count, BASE_INVERSE, dtype=np.uint64), dtype=np.uint64)
        sums = prefix_sum(letter * power, np.uint64)
        ranges: list[int] = ((sums[self.end] - sums[:-1]) * back).tolist()
        return ranges

    @cached_property
    def kinds(self) -> "LazyTextKinds":
        """What kind of text each leaf is."""
        return LazyTextKinds(self.texts)

    @cached_property
    def words(self) -> "LazyFirstWords":
        """The first word of each leaf, with every number in it made the same."""
        return LazyFirstWords(self.texts)


class LazyTextKinds(dict[int, TextKind]):
    """The kinds of texts, computed on first use."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, leaf: int) -> TextKind:
        kind = self[leaf] = text_kind(self._texts[leaf])
        return kind


class LazyFirstWords(dict[int, str]):
    """The first words of texts, looked up on first use."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__()
        self._texts = texts

    def __missing__(self, leaf: int) -> str:
        word = self._texts[leaf].partition(" ")[0].lower()
        word = self[leaf] = word if word.isalpha() else _NUMBERS.sub("0", word)
        return word


def kept_nodes(page: Page) -> tuple[IntArray, IntArray]:
    """The readable texts of a page, and all nodes that are or contain one."""
    texts = readable(page)
    marked = np.zeros(len(page), dtype=bool)
    marked[texts] = True
    return texts, np.flatnonzero(subtree_counts(marked, page.end) > 0).astype(np.int32)


def outlines_of(pages: Sequence[Page]) -> list[Outline]:
    """The outlines of pages to learn from, in an alphabet of what they share.

    >>> from sightline.testing import list_page
    >>> one, two = outlines_of([list_page(["Home", "A"]), list_page(["Home", "B"])])
    >>> one.texts, one.shared
    (['Home', 'A'], [1, 0])
    """
    kept = [kept_nodes(page) for page in pages]
    alphabet = alphabet_of(pages, [nodes for _, nodes in kept])
    pages_with: Counter[str] = Counter()
    for page, (texts, _) in zip(pages, kept, strict=True):
        pages_with.update({collapse_spaces(page.strings[number]) for number in np.unique(page.text[texts]).tolist()})
    for text, count in pages_with.items():
        if count >= SHARED:
            alphabet.share(text)
    if native.kernels is not None:
        return [_compiled_outline(page, alphabet, native.kernels) for page in pages]
    return [_outline(page, alphabet, *nodes) for page, nodes in zip(pages, kept, strict=True)]


def outline_of(page: Page, alphabet: Alphabet) -> Outline:
    """The outline of a further page, in known symbols."""
    if native.kernels is not None:
        return _compiled_outline(page, alphabet, native.kernels)
    return _outline(page, alphabet, *kept_nodes(page))


def _compiled_outline(page: Page, alphabet: Alphabet, kernels: native.Kernels) -> Outline:
    held = page.attributes
    columns = (page.parent, page.end, page.tag, page.text, held.start, held.name, held.value, page.visible)
    words = (*map(page.attribute_id, ATTRIBUTES), *map(page.tag_id, CELLS))
    node, *lists, shape, texts = kernels.outline(
        page.strings, columns, words, is_mute, alphabet.symbol, alphabet.symbols, alphabet.texts
    )
    symbol, end, first, last, kid_start, kid, leaf, shared, content, token = lists
    made = Outline(
        *(page, alphabet, np.frombuffer(node, dtype=np.int32), symbol, end, first, last),
        *(kid_start, kid, leaf, texts, shared, content, token),
    )
    vars(made)["shape"] = shape  # what the property of that name would compute
    return made


def _outline(page: Page, alphabet: Alphabet, texts: IntArray, kept: IntArray) -> Outline:
    is_text = page.text[kept] >= 0
    symbol = np.full(len(kept), TEXT_SYMBOL, dtype=np.int64)
    if not is_text.all():
        raws, which = raw_elements(page, kept[~is_text])
        symbol[~is_text] = np.array([alphabet.symbol(raw) for raw in raws], dtype=np.int64)[which]
    numbers, which = np.unique(page.text[texts], return_inverse=True)
    strings = [collapse_spaces(page.strings[number]) for number in numbers.tolist()]
    shared = np.array([alphabet.text(text) for text in strings], dtype=np.int64)[which]
    first, last = np.searchsorted(texts, kept), np.searchsorted(texts, page.end[kept])
    content = shared[first]
    above = np.searchsorted(kept, page.parent[kept[1:]])
    order = np.argsort(above, kind="stable")
    return Outline(
        page=page,
        alphabet=alphabet,
        node=kept,
        symbol=symbol.tolist(),
        end=np.searchsorted(kept, page.end[kept]).tolist(),
        first=first.tolist(),
        last=last.tolist(),
        kid_start=np.searchsorted(above[order], np.arange(len(kept) + 1)).tolist(),
        kid=(order + 1).tolist(),
        leaf=np.flatnonzero(is_text).tolist(),
        texts=[strings[number] for number in which.tolist()],
        shared=shared.tolist(),
        content=content.tolist(),
        token=(symbol * (len(alphabet.texts) + 1) + content).tolist(),
    )


# Instances: the children of one element on one page, or a run of them, which all steps of the induction compare.


class Instance(NamedTuple):
    """Children of one element, or a run of them, on one page."""

    outline: Outline
    page: int
    kids: list[int]

    @property
    def symbols(self) -> list[int]:
        """The symbols of the children."""
        symbol = self.outline.symbol
        return [symbol[kid] for kid in self.kids]

    @property
    def contents(self) -> list[int]:
        """The shared first texts of the children, or 0."""
        content = self.outline.content
        return [content[kid] for kid in self.kids]

    @property
    def leaves(self) -> range:
        """The texts below the children."""
        if not self.kids:
            return range(0)
        return range(self.outline.first[self.kids[0]], self.outline.last[self.kids[-1]])

    @property
    def inside(self) -> list[int]:
        """The symbols of all nodes: the children and everything in them."""
        return self.outline.symbol[self.kids[0] : self.outline.end[self.kids[-1]]] if self.kids else []


class LearningStep(NamedTuple):
    """A decision about an element, and the rule behind it."""

    path: str
    rule: str
    what: str


@dataclass(frozen=True, eq=False)
class Learning:
    """What all steps share: the alphabet, the rules that are switched off, and the decisions made."""

    alphabet: Alphabet
    without: frozenset[str] = frozenset()
    trace: list[LearningStep] | None = None
    path: list[str] = field(default_factory=list)

    def allows(self, rule: str) -> bool:
        """Whether a rule is in use."""
        return rule not in self.without

    def tell(self, rule: str, what: str) -> None:
        """Record a decision."""
        if self.trace is not None:
            self.trace.append(LearningStep("/".join(self.path), rule, what))

    def texts(self, numbers: Sequence[int]) -> list[str]:
        """Shared texts by number."""
        by_number = list(self.alphabet.texts)
        return [by_number[number - 1] for number in numbers]


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0
