"""HTML to a page without a browser: the tree that a browser builds, without boxes.

The parser is lexbor (through selectolax): it agrees with Chromium's tree where others do not.
"""

import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain, compress, count

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sightline import native
from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.errors import LimitError
from sightline.gc_paused import gc_paused
from sightline.net import Limits
from sightline.page import (
    ABSENT,
    TEXT,
    Attributes,
    NumberedStrings,
    Page,
    Words,
    below,
    depths,
    ends,
    no_boxes,
    no_edges,
    no_ints,
    single_page_title,
)
from sightline.sources.html._guard import MOST_ATTRIBUTES, MOST_OPTIONS, Flattener, fewer_attributes

# The result of every HTML reader: the tree, texts and attributes of a page in columns.


@dataclass(frozen=True)
class Tree:
    """The columns of a page that need no layout.

    Where that is known, nothing in it is deeper than `deepest`, and `numbered` are the strings, numbered by first use.
    """

    strings: tuple[str, ...]
    parent: IntArray
    end: IntArray
    tag: IntArray
    text: IntArray
    attributes: Attributes
    deepest: int | None = None
    numbered: NumberedStrings | None = None

    def first(self, count: int) -> "Tree":
        """The first nodes in document order: always a tree, since a parent comes before its children."""
        return self.kept(np.arange(len(self.parent)) < count)

    def flattened(self, limit: int) -> "Tree":
        """The same nodes with none deeper than `limit`: deeper nodes move up to their ancestor one level above it."""
        if self.deepest is not None and self.deepest <= limit:
            return self
        parent = shallow(self.parent, limit)
        return self if parent is self.parent else replace(self, parent=parent, end=ends(parent), deepest=limit)

    def kept(self, keep: BoolArray) -> "Tree":
        """The nodes to keep; the parent of each must be among them."""
        before = prefix_sum(keep).astype(np.int32)
        parent = self.parent[keep]
        return Tree(
            strings=self.strings,
            parent=np.where(parent >= 0, before[parent], parent).astype(np.int32),
            end=before[self.end[keep]],
            tag=self.tag[keep],
            text=self.text[keep],
            attributes=self.attributes.take(np.flatnonzero(keep).astype(np.int32)),
        )


def shallow(parent: IntArray, limit: int) -> IntArray:
    """The parents in the tree with nothing deeper than `limit`; the same array when that is so already."""
    if len(parent) <= limit or (depth := depths(parent)).max(initial=0) <= limit:
        return parent
    above = np.maximum.accumulate(np.where(depth == limit - 1, np.arange(len(depth)), 0))
    return np.where(depth > limit, above, parent).astype(np.int32)


def too_deep(limit: int) -> str:
    """The note on a page that was flattened."""
    return f"The page nests deeper than {limit:,} levels; what is deeper was flattened (limit: depth)."


class StringTable:
    """Numbers strings by first appearance."""

    def __init__(self) -> None:
        self._number: defaultdict[str, int] = defaultdict(count().__next__)

    def numbers(self, strings: Iterable[str], amount: int) -> IntArray:
        """The number of each string."""
        return np.fromiter(map(self._number.__getitem__, strings), np.int32, amount)

    def table(self) -> tuple[str, ...]:
        """All strings by their number."""
        return tuple(self._number)


# Text between tags costs no tag of its own, so a page has at most twice as many nodes as tags, and the closing tags
# about halve that again; four tags a node is more than any real page has.
TAGS_PER_NODE = 4
# This many nested elements, or options, take the parser one second; beyond that the guards have to check.
HARMLESS_TAGS = 15_000


def parse(
    text: str, *, url: str = "", limits: Limits | None = None, notes: Iterable[str] = (), scripting: bool = True
) -> Page:
    """The page of an HTML text; without `scripting`, the content of `noscript` is part of it.

    `notes` are those of its document, which say what is missing from it.

    >>> parse("<title>Hi</title><p>one<p>two", url="https://example.org/").title
    'Hi'
    """
    limits = limits or Limits()
    flags: list[str] = []
    gaps = list(notes)
    text = within_limits(text, url, limits, flags)
    parser = LexborHTMLParser(text, scripting=scripting)
    with gc_paused():
        tree = walk(parser, scripting=scripting)
    if len(tree.parent) > limits.nodes:
        gaps.append(
            f"The page has {len(tree.parent):,} nodes; only {limits.nodes:,} were read; raise `nodes` to read all."
        )
        tree = tree.first(limits.nodes)
    shallow = tree.flattened(limits.depth)
    if shallow is not tree:
        flags.append(too_deep(limits.depth))
    return _page(shallow, url, tuple(dict.fromkeys((*gaps, *flags))), tuple(gaps))


def within_limits(text: str, url: str, limits: Limits, flags: list[str]) -> str:
    """Reject far too many tags; simplify what would take the parser minutes."""
    tags = text.count("<")
    if tags > TAGS_PER_NODE * limits.nodes:
        problem = f"has about {tags:,} tags, far more than {limits.nodes:,} nodes; raise the limit `nodes` to read it."
        raise LimitError(url or "the document", problem, limit="nodes")
    fewer = fewer_attributes(text)
    if len(fewer) < len(text):
        flags.append(f"A tag has more than {MOST_ATTRIBUTES:,} attributes; the rest of them was left out.")
    if tags <= HARMLESS_TAGS:
        return fewer
    simple = Flattener(limits.depth)
    flat = simple.read(fewer)
    if simple.too_deep:
        flags.append(too_deep(limits.depth))
    if simple.too_many_options:
        flags.append(f"A select element has more than {MOST_OPTIONS:,} options; only the text of the rest was read.")
    return flat


def _page(tree: Tree, url: str, notes: tuple[str, ...], gaps: tuple[str, ...]) -> Page:
    count = len(tree.parent)
    page = Page(
        strings=tree.strings,
        parent=tree.parent,
        end=tree.end,
        tag=tree.tag,
        text=tree.text,
        attributes=tree.attributes,
        box=no_boxes(count),
        style_of=no_ints(count),
        words=Words.empty(),
        edge=no_edges(count),
        url=url,
        title=single_page_title(tree.strings, tree.tag, tree.text),
        kind="static",
        notes=notes,
        gaps=gaps,
    )
    if tree.numbered:
        page.attach(tree.numbered)
    return page


# Saved pages whose scripts show nothing here: their version for readers without scripts is better.
#
# A script that cannot reach its server, or finds itself at another address, may leave an empty page, or none at all.
# The original content is still there, often in a `noscript` element.

# Of the 210 pages of the content benchmark eight show less than this; a menu and a notice have about 30 words.
FEW_WORDS = 50
LEAST_MARKUP = 1_000  # characters of markup with FEW_WORDS in it; most pages have some for counting their visitors
MUCH_MORE = 5  # times as many words; less is a notice to turn on JavaScript
PLAIN = "The page's scripts showed nothing here, so it was captured as readers without scripts see it."


def shows_more(text: str, page: Page, limits: Limits) -> bool:
    """Whether a document that shows next to nothing would show much more without its scripts.

    >>> text = "<body><noscript><p>" + "some words " * 100 + "</noscript>"
    >>> shows_more(text, parse(text), Limits())
    True
    """
    if len(page.words) >= FEW_WORDS or (page.kind == "static" and set_aside(page) < LEAST_MARKUP):
        return False
    shown = len(page.words) or words_of(page)
    if shown >= FEW_WORDS:
        return False
    plain = parse(text, url=page.url, limits=limits, scripting=False)
    return words_of(plain) >= max(FEW_WORDS, MUCH_MORE * shown)


def set_aside(page: Page) -> int:
    """How many characters a page has in `noscript`: all that a parser could show without scripts."""
    if page.tag_id("noscript") == ABSENT:  # as on most pages
        return 0
    apart = page.with_tag("noscript")
    texts = page.text[np.minimum(apart + 1, len(page) - 1)]
    return sum(len(page.strings[text]) for text in texts.tolist() if text >= 0)


def words_of(page: Page) -> int:
    """How many words of a page without layout are visible."""
    return len(page.text_of(0).split()) if len(page) else 0


# Columns from the parser's tree.
#
# A kernel in C scans the parser's own serialisation of the tree; without kernels, and where that text can be read in
# two ways, the tree is asked node by node. A call to the parser costs a third of parsing a tag, so each is made once,
# only for nodes that can have an answer, and everything that follows (the tree, the names, the numbers of strings) is
# computed on whole columns.
#
# Both number strings by first use in the order of a page in canonical form, so that ids need no other numbers.

NodeKinds = npt.NDArray[np.int64]

# The parser's own numbers for nodes that aren't elements (lexbor, `tag/const.h`).
TEXT_ID, COMMENT_ID, INSTRUCTION_ID = 2, 4, 0
# Names that the parser does not know are numbered by their address; known ones have small numbers.
UNKNOWN_FROM = 4096


def walk(parser: LexborHTMLParser, *, scripting: bool = True) -> Tree:
    """The tree of a parsed document; comments are not part of it, nor is the content of `<template>`.

    `scripting` is what the document was parsed with.
    """
    if native.kernels is not None and parser.root is not None:
        scanned = native.kernels.scan(parser.root.html or "", scripting)
        if scanned is not None:
            (strings, lengths, letters), deepest, *columns = scanned
            parent, end, tag, text, start, name, value = (np.frombuffer(column, dtype=np.int32) for column in columns)
            attributes = Attributes(start=start, name=name, value=value)
            numbered = NumberedStrings(strings, _as_little_endian(lengths), letters)
            return Tree(strings, parent, end, tag, text, attributes, deepest, numbered)
    return _asked(parser)


def _as_little_endian(numbers: bytes) -> bytes:
    return numbers if sys.byteorder == "little" else np.frombuffer(numbers, dtype=np.int32).astype("<i4").tobytes()


def _asked(parser: LexborHTMLParser) -> Tree:
    """The tree, asked node by node."""
    nodes = list(parser.root.traverse(include_text=True)) if parser.root else []
    kind = np.array([node.tag_id for node in nodes], dtype=np.int64)
    kept = (kind != COMMENT_ID) & (kind != INSTRUCTION_ID)
    if not kept.all():
        nodes, kind = _chosen(nodes, kept), kind[kept]
    is_text = kind == TEXT_ID
    elements = _chosen(nodes, ~is_text)
    parent = _parents(nodes, elements, np.flatnonzero(~is_text))
    end = ends(parent)
    strings = StringTable()
    text = np.full(len(nodes), ABSENT, dtype=np.int32)
    texts = [node.text_content or "" for node in _chosen(nodes, is_text)]
    text[is_text] = strings.numbers(texts, len(texts))
    held = [element.attributes for element in elements]
    value = _values(held, strings)
    tag = _tags(nodes, kind, end, strings)
    attributes = _attributes(held, is_text, value, strings)
    return Tree(strings=strings.table(), parent=parent, end=end, tag=tag, text=text, attributes=attributes)


def _chosen(nodes: list[LexborNode], which: BoolArray) -> list[LexborNode]:
    return list(compress(nodes, which.tobytes()))  # bytes are the fastest to go through


def _parents(nodes: list[LexborNode], elements: list[LexborNode], place: npt.NDArray[np.intp]) -> IntArray:
    """Each node's parent: the parser tells its address, which is looked up among those of the elements."""
    parent = np.full(len(nodes), ABSENT, dtype=np.int32)
    address = np.array([node.mem_id for node in elements], dtype=np.int64)
    wanted = np.array([node.parent.mem_id for node in nodes[1:]], dtype=np.int64)  # type: ignore[union-attr]
    order = np.argsort(address, kind="stable")  # nearly sorted already, which this kind of sorting makes use of
    parent[1:] = place[order[np.searchsorted(address[order], wanted)]]
    return parent


def _tags(nodes: list[LexborNode], kind: NodeKinds, end: IntArray, strings: StringTable) -> IntArray:
    """The number of each tag name, asked once for each kind of element."""
    unknown = kind >= UNKNOWN_FROM
    if unknown.any():
        kind[unknown] = UNKNOWN_FROM + np.unique(kind[unknown], return_inverse=True)[1]
    kinds, first = np.unique(kind, return_index=True)
    kinds = kinds[np.argsort(first)]
    names = [_name(nodes[place]) for place in np.sort(first).tolist()]
    number = np.empty(int(kind.max(initial=0)) + 1, dtype=np.int32)
    number[kinds] = strings.numbers(names, len(names))
    tag = number[kind]
    if "svg" in names:
        twice = _spelled_twice(kind, below(kind == kinds[names.index("svg")], end))
        tag[twice] = strings.numbers(map(_name, _chosen(nodes, twice)), int(twice.sum()))
    return tag


def _name(node: LexborNode) -> str:
    return TEXT if node.is_text_node else node.tag or ""


def _spelled_twice(kind: NodeKinds, in_svg: BoolArray) -> BoolArray:
    """The elements whose kind occurs in `<svg>`: there it may be spelled with capitals, and without them elsewhere."""
    occurs_in_svg = np.zeros(int(kind.max(initial=0)) + 1, dtype=bool)
    occurs_in_svg[kind[in_svg]] = True
    occurs_in_svg[TEXT_ID] = False
    return occurs_in_svg[kind]


def _values(held: list[dict[str, str | None]], strings: StringTable) -> IntArray:
    """The values of all attributes; one that is missing is empty."""
    values = [value or "" for one in held if one for value in one.values()]
    return strings.numbers(values, len(values))


def _attributes(
    held: list[dict[str, str | None]], is_text: BoolArray, value: IntArray, strings: StringTable
) -> Attributes:
    start = np.zeros(len(is_text) + 1, dtype=np.int32)
    start[1:][~is_text] = np.fromiter(map(len, held), np.int32, len(held))
    names = strings.numbers(chain.from_iterable(one for one in held if one), len(value))
    return Attributes(start=np.cumsum(start, dtype=np.int32), name=names, value=value)
