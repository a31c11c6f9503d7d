"""Columns from the parser's tree.

A kernel in C scans the parser's own serialisation of the tree; without kernels, and where that text can be read in two
ways, the tree is asked node by node. A call to the parser costs a third of parsing a tag, so each is made once, only
for nodes that can have an answer, and everything that follows (the tree, the names, the numbers of strings) is computed
on whole columns.

Both number strings by first use in the order of a page in canonical form, so that ids need no other numbers.
"""

import sys
from itertools import chain, compress

import numpy as np
import numpy.typing as npt
from selectolax.lexbor import LexborHTMLParser, LexborNode

from sightline import native
from sightline.arrays import BoolArray, IntArray
from sightline.page import ABSENT, TEXT, Attributes, NumberedStrings, below, ends
from sightline.sources.html._tree import StringTable, Tree

__all__ = ["walk"]

NodeKinds = npt.NDArray[np.int64]

# The parser's own numbers for nodes that are no elements (lexbor, `tag/const.h`).
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
