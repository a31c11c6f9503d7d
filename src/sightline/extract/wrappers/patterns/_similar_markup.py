"""Elements of the same make as some records: the same tag and classes, and similar contents."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from typing import TypeAlias

import numpy as np

from sightline.arrays import BoolArray, LongArray
from sightline.extract.wrappers._found import Problem
from sightline.extract.wrappers.patterns._apply import ItemsRead, PatternReading
from sightline.extract.wrappers.patterns._pattern import Pattern
from sightline.extract.wrappers.patterns._view import View

__all__ = ["Kinds", "alike_among", "apart_from", "left_beside", "left_out", "same_look", "same_make", "telling_kinds"]

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


# Elements that look like some records: as wide, at the same level, with texts that look like the values.

LEAST_FIELDS = 2  # that records have whose look is their own
SAME_WIDTH = 2.0  # pixels that those may differ by which are equally wide
# The two below were chosen by `python -m bench.teach.fit_listings` over 625 lessons on 81 sites. With them 5 parts are
# said ok, without this check 13; 61 of 580 whole lists are doubted with it and without it. Verdicts are right on 0.892
# of a site left out of the choice, without this check on 0.876.
SHARED_LOOKS = 0.5  # of the fields: an element like the records has texts that look like their values
LEAST_ALIKE = 2  # that look like the records; a single one is as likely a note between them, and with 1, 69 are doubted


def same_look(view: View, records: LongArray, fields: Sequence[Sequence[int]]) -> LongArray:
    """The elements apart from some records that look like them; none if the page is not rendered.

    `fields` are the nodes of the values of each field. Elements are at the same level if the same tags lead to them.
    Records of a single field look like any other line of text, so nothing is like them.
    """
    page = view.page
    looks = [np.unique(view.look[list(values)]) for values in fields if len(values)]
    if page.kind != "rendered" or len(looks) < LEAST_FIELDS:
        return records[:0]
    nodes = np.flatnonzero(np.isin(page.path, page.path[records]) & (view.last > view.first))
    nodes = apart_from(view, nodes, records)
    nodes = nodes[_are_as_wide(view, nodes, records)]
    alike = np.array([node for node in nodes.tolist() if _shares(view, node, looks)], dtype=np.int64)
    return alike if len(alike) >= LEAST_ALIKE else alike[:0]


def _are_as_wide(view: View, nodes: LongArray, records: LongArray) -> BoolArray:
    width = view.page.box[:, 2] - view.page.box[:, 0]
    usual = np.nanmedian(width[records]) if np.isfinite(width[records]).any() else np.nan
    equal: BoolArray = np.abs(width[nodes] - usual) <= SAME_WIDTH
    return equal


def _shares(view: View, node: int, looks: Sequence[LongArray]) -> bool:
    """Whether an element has texts in the looks of enough of the fields."""
    own = view.look[view.leaves[int(view.first[node]) : int(view.last[node])]]
    return sum(bool(np.isin(own, known).any()) for known in looks) >= SHARED_LOOKS * len(looks)


# Whether a page has more of what was read: elements like the records that no rule took.

LEAST = 2  # records that others can be like
# Of all elements of one make or look; a single advertisement among twenty results says nothing. By `python -m
# bench.teach.fit_listings`, 0 is as good; with 0.1, 30 of 625 lessons end in a part that is said to be ok instead of 5.
MOST_LEFT_OUT = 0.05
MOST_VALUES = (
    12  # of a field beside which is looked: records are made alike, and the rest of a list is beside its first
)
MOST_KIDS = 100  # of an element that are looked at; a list with more is long enough to show whether it goes on


def left_out(view: View, patterns: Sequence[Pattern], reading: PatternReading) -> Iterator[Problem]:
    """A problem for each set of records that is only a part of the elements of one make, or of one look."""
    for pattern in patterns:
        items = reading.items.get(pattern.name)
        if pattern.dropped or pattern.flat or items is None or len(items.kept) < LEAST:
            continue
        if view.page.is_text[items.kept].any():
            continue
        values = [[value.node for value in reading.of(f"{pattern.name}.{field.name}")] for field in pattern.fields]
        for told, left in (
            ("of one make", _same_make(view, items, values)),
            ("that look alike", _same_look(view, items, values)),
        ):
            count = len(items.kept) + len(left)
            if len(left) > MOST_LEFT_OUT * count:
                what = f"“{pattern.name}”: only {len(items.kept)} of {count} elements {told} are taken"
                yield Problem(view.page.xpath(left[0]), f"{what}; “{view.text(left[0]):.40}” is not")
                break


def _same_make(view: View, items: ItemsRead, values: Sequence[Sequence[int]]) -> list[int]:
    """The elements of the records' make that are none."""
    kept, dropped = (np.array(nodes, dtype=np.int64) for nodes in (items.kept, items.dropped))
    lacking = alike_among(view, dropped, kept)
    kinds = [kinds for nodes in values if (kinds := telling_kinds(view, nodes))]
    beside: list[int] = np.union1d(lacking, same_make(view, kept, kinds)).tolist()
    return beside


def _same_look(view: View, items: ItemsRead, values: Sequence[Sequence[int]]) -> list[int]:
    """The elements that look like the records and are none."""
    alike: list[int] = same_look(view, np.array(items.kept, dtype=np.int64), values).tolist()
    return alike


def left_beside(view: View, reading: PatternReading, names: Set[str] | None = None) -> dict[str, list[int]]:
    """For each field the elements beside its values that are of their make, and that no field takes.

    A second paragraph beside the one that is taken may be a part of the value. Values of a list may go on in the next
    list of the same make, as the ingredients of a recipe do. With `names` only these fields are asked for.
    """
    nodes: dict[str, list[int]] = {}
    for value in reading.taken:
        if names is None or value.name in names:
            nodes.setdefault(value.name, []).append(value.node)
    every = np.array([value.node for value in reading.taken], dtype=np.int64)
    taken: set[int] = set()
    for first, last in zip(view.first[every].tolist(), view.last[every].tolist(), strict=True):
        taken.update(range(first, last))
    return {name: _beside(view, list(dict.fromkeys(own)), taken) for name, own in nodes.items()}


def _beside(view: View, nodes: Sequence[int], taken: Set[int]) -> list[int]:
    page = view.page
    values = [node for node in nodes[:MOST_VALUES] if not page.is_text[node] and page.parent[node] >= 0]
    makes = {_make(view, node) for node in values}
    holders = dict.fromkeys(int(page.parent[node]) for node in values)
    if len(values) > 1:
        alike = {_make(view, holder) for holder in holders}
        above = dict.fromkeys(int(page.parent[holder]) for holder in holders if page.parent[holder] >= 0)
        holders |= dict.fromkeys(kid for parent in above for kid in _kids(view, parent) if _make(view, kid) in alike)
    return [
        kid
        for holder in holders
        for kid in _kids(view, holder)
        if _make(view, kid) in makes
        and view.last[kid] > view.first[kid]
        and taken.isdisjoint(range(int(view.first[kid]), int(view.last[kid])))
    ]


def _make(view: View, node: int) -> tuple[int, int]:
    return int(view.page.tag[node]), int(view.attribute("class")[node])


def _kids(view: View, node: int) -> Iterator[int]:
    """The elements in an element, the first so many."""
    page = view.page
    kid, stop = node + 1, int(page.end[node])
    for _ in range(MOST_KIDS):
        if kid >= stop:
            return
        if not page.is_text[kid]:
            yield kid
        kid = int(page.end[kid])
