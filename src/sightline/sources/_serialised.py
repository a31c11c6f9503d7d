"""Columns from the parser's own serialisation of its tree.

Serialised HTML is regular: every `<` begins a tag, a comment or raw text, every `>` ends one, all else is escaped, and
each element that may have content is closed. Cut at every `<`, a page is a list of short pieces (a tag and the text
behind it) most of which occur many times; so each distinct piece is looked at once and the tree is built by
sorting. Whatever is not regular (an attribute's name with a quotation mark in it) makes `read` decline.
"""

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sightline.page import ABSENT, TEXT, Attributes, BoolArray, IntArray
from sightline.sources._tree import Tree

__all__ = ["read"]

# Elements that are serialised without an end tag (HTML standard, "Serializing HTML fragments").
VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)
# Elements whose text is serialised as it is, `<` and all.
RAW = frozenset("script style xmp iframe noembed noframes noscript plaintext".split())
RAW_STARTS = ("!--", *sorted(RAW))
ATTRIBUTE = re.compile(r' ([^\s"=]+)="([^"]*)"')
# Stands between the attributes of two tags while all are searched at once; no parsed name has a NUL in it.
BORDER_NAME = "\0"
BORDER = f' {BORDER_NAME}=""'

SKIP, OPEN, CLOSE, ALONE = 0, 1, 2, 3
DEEPEST = 2**15  # levels that fit 16 bits; deeper pages are read the plain way


def read(html: str) -> Tree | None:
    """The tree of a serialised document, or None when the text is not regular."""
    pieces = html.split("<")[1:]
    _join_raw_text(pieces)
    distinct = list(dict.fromkeys(pieces))
    numbers = dict(zip(distinct, range(len(distinct)), strict=True))
    order = np.fromiter(map(numbers.__getitem__, pieces), np.int32, len(pieces))
    table = _table(distinct)
    return _tree(table, order) if table else None


def _join_raw_text(pieces: list[str]) -> None:
    """Put raw text and comments together again where a `<` inside them was cut at; what was joined becomes empty."""
    behind = 0
    for place in [place for place, piece in enumerate(pieces) if piece.startswith(RAW_STARTS)]:
        if place < behind:
            continue
        piece = pieces[place]
        behind = last = place
        if piece.startswith("!--"):
            while last < len(pieces) - 1 and "-->" not in pieces[last]:
                last += 1
        elif (name := _name(piece)) in RAW:
            closing = f"/{name}>"
            while last < len(pieces) - 1 and not pieces[last + 1].startswith(closing):
                last += 1
        if last > place:
            pieces[place] = "<".join(pieces[place : last + 1])
            pieces[place + 1 : last + 1] = [""] * (last - place)
            behind = last


def _name(piece: str) -> str:
    return piece.partition(">")[0].partition(" ")[0]


@dataclass(frozen=True)
class _Table:
    """What each distinct piece stands for: a tag's action, name and attributes, and the text behind it."""

    strings: dict[str, int]
    action: IntArray
    name: IntArray
    text: IntArray
    attribute_set: IntArray
    attributes: Attributes


def _table(pieces: list[str]) -> _Table | None:
    parts = [piece.partition(">") for piece in pieces]
    for place in [place for place, piece in enumerate(pieces) if piece.startswith("!")]:
        parts[place] = ("", "", pieces[place].partition("-->" if pieces[place].startswith("!--") else ">")[2])
    heads = dict.fromkeys([part[0] for part in parts])
    split = [head.partition(" ") for head in heads]
    attributes = _attribute_sets([part[2] for part in split], strings := {})
    if attributes is None:
        return None
    add = strings.setdefault
    numbers = dict(zip(heads, range(len(heads)), strict=True))
    head = np.array([numbers[part[0]] for part in parts], dtype=np.int32)
    return _Table(
        strings=strings,
        action=np.array([_action(part[0]) for part in split], dtype=np.int32)[head],
        name=np.array([add(part[0].removeprefix("/"), len(strings)) for part in split], dtype=np.int32)[head],
        text=np.array([add(text, len(strings)) if text else ABSENT for text in _texts(parts)], dtype=np.int32),
        attribute_set=head,
        attributes=attributes,
    )


def _action(name: str) -> int:
    first = name[:1]
    if first == "/":
        return CLOSE
    return SKIP if not first else ALONE if name in VOID else OPEN


def _texts(parts: list[tuple[str, str, str]]) -> list[str]:
    """The text behind each piece, with its characters restored; raw text was never escaped."""
    texts = [part[2] for part in parts]
    for place in [place for place, text in enumerate(texts) if "&" in text]:
        if parts[place][0].partition(" ")[0] not in RAW:
            texts[place] = _unescaped(texts[place])
    return texts


def _attribute_sets(heads: list[str], strings: dict[str, int]) -> Attributes | None:
    """The attributes of every distinct head, all found by one search; None when something else stands there."""
    joined = "".join([f" {rest}{BORDER}" if rest else BORDER for rest in heads])
    found = ATTRIBUTE.findall(joined)
    names = [pair[0] for pair in found]
    values = [pair[1] for pair in found]
    if sum(map(len, names)) + sum(map(len, values)) + 4 * len(found) != len(joined):
        return None
    if "&" in joined:
        values = [_unescaped(value) if "&" in value else value for value in values]
    add = strings.setdefault
    name = np.array([add(one, len(strings)) for one in names], dtype=np.int32)
    value = np.array([add(one, len(strings)) for one in values], dtype=np.int32)
    border = name == strings[BORDER_NAME]
    start = np.concatenate([[0], np.cumsum(~border)[border]]).astype(np.int32)
    return Attributes(start=start, name=name[~border], value=value[~border])


def _unescaped(text: str) -> str:
    text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&nbsp;", "\xa0").replace("&quot;", '"')
    return text.replace("&amp;", "&")


def _tree(table: _Table, order: IntArray) -> Tree | None:
    action = table.action[order]
    opens, closes = action == OPEN, action == CLOSE
    level = np.cumsum(opens.view(np.int8) - closes.view(np.int8), dtype=np.int32)  # elements open behind each piece
    is_node = opens | (action == ALONE)
    has_text = (table.text[order] >= 0) & (level > 0)
    behind = np.cumsum(is_node.view(np.int8) + has_text.view(np.int8), dtype=np.int32)
    before = behind - is_node - has_text  # nodes before each piece
    name = table.name[order]
    matched = _match(opens, closes, level, name)
    if matched is None or not len(order) or not behind[-1] or level[-1] != 0:
        return None
    count = int(behind[-1])
    element, text_node = before[is_node], (before + is_node)[has_text]
    depth = _scattered(count, element, (level - opens)[is_node], text_node, level[has_text])
    end = np.arange(1, count + 1, dtype=np.int32)
    end[before[matched[0]]] = before[matched[1]]
    attribute_set = table.attribute_set[order][is_node]
    owners = _scattered(count, element, attribute_set, text_node, len(table.attributes.start) - 1)
    return _without_templates(
        Tree(
            strings=(*table.strings, TEXT),
            parent=_parents(depth, before[matched[0]]),
            end=end,
            tag=_scattered(count, element, name[is_node], text_node, len(table.strings)),
            text=_scattered(count, element, ABSENT, text_node, table.text[order][has_text]),
            attributes=_with_nothing(table.attributes).take(owners),
        )
    )


def _with_nothing(attributes: Attributes) -> Attributes:
    """The sets with an empty one behind, which text nodes have."""
    start = np.append(attributes.start, attributes.start[-1])
    return Attributes(start=start, name=attributes.name, value=attributes.value)


def _scattered(
    count: int, element: IntArray, of_elements: npt.ArrayLike, text_node: IntArray, of_texts: npt.ArrayLike
) -> IntArray:
    """One column from its values for elements and for text nodes."""
    column = np.empty(count, dtype=np.int32)
    column[element] = of_elements
    column[text_node] = of_texts
    return column


def _match(opens: BoolArray, closes: BoolArray, level: IntArray, name: IntArray) -> tuple[IntArray, IntArray] | None:
    """The pieces that open an element and those that close it; None when they do not fit each other."""
    place = np.flatnonzero(opens | closes)
    own_level = (level - opens)[place]
    if not len(place) or own_level.min() < 0 or own_level.max() >= DEEPEST:
        return None
    by_level = place[np.argsort(own_level.astype(np.int16), kind="stable")]  # 16 bits are sorted by counting
    first, last = by_level[::2], by_level[1::2]
    if len(first) != len(last) or not (opens[first].all() and closes[last].all() and (name[first] == name[last]).all()):
        return None
    return first, last


def _parents(depth: IntArray, element: IntArray) -> IntArray:
    """Each node's parent: the last element before it that is one level up.

    The elements come sorted by depth and then by number, so one search in their joint keys finds it.
    """
    count = len(depth)
    keys = depth[element].astype(np.int64) * count + element
    wanted = (depth.astype(np.int64) - 1) * count + np.arange(count)
    parent = element[np.searchsorted(keys, wanted) - 1]
    parent[0] = ABSENT
    return parent


def _without_templates(tree: Tree) -> Tree:
    """The content of `<template>` is not part of the document."""
    if "template" not in tree.strings:
        return tree
    inside = np.zeros(len(tree.parent) + 1, dtype=np.int32)
    templates = np.flatnonzero(tree.tag == tree.strings.index("template"))
    np.add.at(inside, templates + 1, 1)
    np.add.at(inside, tree.end[templates], -1)
    return tree.kept(np.cumsum(inside[:-1]) == 0)
