"""A page as its readable texts and the elements around them, written in the symbols of an alphabet.

This is step 1 of the induction: the leaves of each page, with their place in the tree, their text and its type.
Everything is computed in columns; what the recursive steps read one by one is kept as lists.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sightline import native
from sightline.arrays import IntArray, prefix_sum
from sightline.extract.schemas._alphabet import (
    ATTRIBUTES,
    CELLS,
    SHARED,
    SPREAD,
    TEXT_SYMBOL,
    Alphabet,
    alphabet_of,
    collapse_spaces,
    is_mute,
    raw_elements,
    readable,
)
from sightline.page import Page, subtree_counts
from sightline.signals import TextKind, text_kind

__all__ = ["Instance", "Learning", "LearningStep", "Outline", "mean", "outline_of", "outlines_of"]

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
