"""Elements of the same make as some records: the same tag and classes, and similar contents."""

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from sightline.arrays import LongArray
from sightline.extract.wrappers.patterns._view import View

__all__ = ["Kinds", "alike_among", "apart_from", "same_make", "telling_kinds"]

USUAL = 0.5  # of the records that have a kind of element, from which on it is usual
ALIKE = 0.5  # of what is usual, from which on an element is of the records' make
MOST_COMPARED = 100  # records that tell what is usual; more would not differ

Kinds: TypeAlias = frozenset[tuple[int, int]]
"""Kinds of elements: tags with classes, both as numbers of strings."""


def same_make(view: View, records: LongArray, fields: Sequence[Kinds]) -> LongArray:
    """The elements apart from some records that are of their make: beside them, or anywhere if they have a class.

    Each holds an element of the kinds that every field has. Records without a common class look like much else on a
    page, so only their siblings count.
    """
    page = view.page
    marked = (page.tag == page.tag[records[0]]) & (view.last > view.first)
    common = frozenset.intersection(*(view.classes(node) for node in records.tolist()))
    for token in common:
        marked &= view.with_class(token)
    nodes = np.flatnonzero(marked)
    if not common:
        nodes = nodes[np.isin(page.parent[nodes], page.parent[records])]
    nodes = apart_from(view, nodes, records)
    having = np.array([node for node in nodes.tolist() if _has_fields(view, node, fields)], dtype=np.int64)
    return alike_among(view, having, records)


def apart_from(view: View, nodes: LongArray, records: LongArray) -> LongArray:
    """Those of some elements that are in no record, have none in them, and are not in another one of them."""
    end = view.page.end
    number = np.searchsorted(records, nodes, side="right") - 1
    apart = (number < 0) | (nodes >= end[records[number]])
    apart &= np.searchsorted(records, end[nodes]) == number + 1
    nodes = nodes[apart]
    if not len(nodes):
        return nodes
    ends = np.maximum.accumulate(end[nodes])
    outer: LongArray = nodes[np.concatenate([[True], nodes[1:] >= ends[:-1]])]
    return outer


def _has_fields(view: View, node: int, fields: Sequence[Kinds]) -> bool:
    inside = kinds_at(view, slice(node, int(view.page.end[node])))
    return all(kinds & inside for kinds in fields)


def alike_among(view: View, nodes: LongArray, records: LongArray) -> LongArray:
    """Those of some elements that have most of what most records have in them."""
    if not len(nodes):
        return nodes
    some = records[:: -(-len(records) // MOST_COMPARED)].tolist()
    counts = Counter(kind for node in some for kind in kinds_in(view, node))
    usual = frozenset(kind for kind, count in counts.items() if count >= USUAL * len(some))
    alike = [node for node in nodes.tolist() if len(usual & kinds_in(view, node)) >= ALIKE * len(usual)]
    return np.array(alike, dtype=np.int64)


def kinds_in(view: View, node: int) -> Kinds:
    """The kinds of elements and texts in an element, by their tags and classes."""
    return kinds_at(view, slice(node + 1, int(view.page.end[node])))


def kinds_at(view: View, inside: slice | Sequence[int]) -> Kinds:
    """The kinds of some nodes."""
    return frozenset(zip(view.page.tag[inside].tolist(), view.attribute("class")[inside].tolist(), strict=True))


def telling_kinds(view: View, nodes: Sequence[int]) -> Kinds:
    """The kinds of some nodes that tell most about them: those with a class, if there are any."""
    kinds = kinds_at(view, nodes)
    return frozenset((tag, number) for tag, number in kinds if number >= 0) or kinds
