"""Records from examples: which places belong together, and what a record is on the page."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from sightline.arrays import BoolArray, LongArray
from sightline.extract.wrappers._found import Problem
from sightline.extract.wrappers.patterns._apply import ItemsRead, PatternReading
from sightline.extract.wrappers.patterns._conditions import HOLDS_COLUMN, Condition, mask_of
from sightline.extract.wrappers.patterns._look_alikes import LEFT_OUT, apart_from, look_alikes
from sightline.extract.wrappers.patterns._pattern import Pattern, SearchSpan
from sightline.extract.wrappers.patterns._split import Located
from sightline.extract.wrappers.patterns._view import View

CELL_TAGS = frozenset(("td", "th"))
CONTAINER_TAGS = frozenset(("dl", "ul", "ol", "table", "tbody"))
ITEM_TAGS = frozenset(("li", "tr", "article", "dd", "option"))


@dataclass(frozen=True, slots=True)
class Items:
    """The nodes that records begin with, and whether a record extends up to the next one's."""

    nodes: tuple[int, ...]
    flat: bool


def nearest_places(view: View, examples: Sequence[Sequence[Located]], taken: frozenset[int]) -> list[int]:
    """For the values of one record, the nodes that belong together: in the smallest element, and nearest to each other.

    The value with the fewest places is the centre. Nodes of other records are not used again, but nodes with the same
    tag path as these are preferred.
    """
    path = view.page.path
    alike = frozenset(path[list(taken)].tolist())
    starts = [[node for node in located.nodes if node not in taken] for values in examples for located in values]
    starts = [[node for node in nodes if int(path[node]) in alike] or nodes for nodes in starts if nodes]
    if not starts:
        return []
    middle = min(starts, key=lambda nodes: len({int(view.first[node]) for node in nodes}))
    return min((_nearest_to(view, node, starts) for node in middle), key=lambda candidate: candidate[:2])[2]


def _nearest_to(view: View, node: int, starts: list[list[int]]) -> tuple[int, int, list[int]]:
    """The size of the smallest element around a node that holds all values, how far they are apart, and the values."""
    page = view.page
    holder = node
    while page.parent[holder] >= 0 and not all(
        any(holder <= other < page.end[holder] for other in nodes) for nodes in starts
    ):
        holder = int(page.parent[holder])
    centre = int(view.first[node])
    inside = [[other for other in nodes if holder <= other < page.end[holder]] or nodes for nodes in starts]
    chosen = [min(nodes, key=lambda other: (abs(int(view.first[other]) - centre), other)) for nodes in inside]
    firsts = [int(view.first[other]) for other in chosen]
    return int(view.last[holder] - view.first[holder]), max(firsts) - min(firsts), chosen


def items_from(view: View, records: Sequence[Sequence[int]], *, flat: bool = False) -> Items:
    """What the records are, given the nodes of each one's values: elements of their own, or runs of siblings.

    `flat` says that they are such runs on other pages; a single record cannot show that.
    """
    spans = [_covering(view, nodes) for nodes in records]
    if len(spans) == 1:
        if flat or view.page.strings[int(view.page.tag[spans[0]])] in CONTAINER_TAGS:
            return Items((_child_of(view, spans[0], min(records[0])),), flat=True)
        return Items((_single_record(view, spans[0]),), flat=False)
    others = [[*(node for other in records if other is not nodes for node in other)] for nodes in records]
    apart = [_highest_without(view, span, rest) for span, rest in zip(spans, others, strict=True)]
    if all(node >= 0 for node in apart):
        return Items(tuple(apart), flat=False)
    shared = _covering(view, [node for nodes in records for node in nodes])
    return Items(tuple(_child_of(view, shared, min(nodes)) for nodes in records), flat=True)


def item_span(view: View, items: Items, number: int) -> SearchSpan:
    """The span of one of the records."""
    node = items.nodes[number]
    page = view.page
    if not items.flat:
        return SearchSpan(node, int(page.end[node]))
    last = int(page.end[page.parent[node]])
    behind = items.nodes[number + 1] if number + 1 < len(items.nodes) else _next_alike(view, node)
    return SearchSpan(node, min(behind, last))


def _next_alike(view: View, node: int) -> int:
    """The next sibling with a node's tag: where the next record begins, as far as can be told."""
    page = view.page
    end = int(page.end[page.parent[node]])
    following = int(page.end[node])
    while following < end and page.tag[following] != page.tag[node]:
        following = int(page.end[following])
    return following


def _covering(view: View, nodes: Sequence[int]) -> int:
    """The lowest element that contains all of some nodes."""
    low, high = min(nodes), max(nodes)
    while view.page.end[low] <= high:
        low = int(view.page.parent[low])
    return low


def _highest_without(view: View, node: int, others: Sequence[int]) -> int:
    """The highest element from a node upwards that contains none of the others; -1 if the node itself contains one."""
    page = view.page
    if any(node <= other < page.end[node] for other in others):
        return -1
    parent = int(page.parent[node])
    while parent >= 0 and not any(parent <= other < page.end[parent] for other in others):
        node, parent = parent, int(page.parent[parent])
    return node


def _child_of(view: View, parent: int, node: int) -> int:
    while int(view.page.parent[node]) != parent:
        node = int(view.page.parent[node])
    return node


def _single_record(view: View, node: int) -> int:
    """The only record known: the element around its values, or a list item around that with no other text."""
    page = view.page
    element = node
    while (
        page.parent[element] >= 0 and view.first[element] == view.first[node] and view.last[element] == view.last[node]
    ):
        if page.strings[int(page.tag[element])] in ITEM_TAGS or has_alike(view, element):
            return element
        element = int(page.parent[element])
    return node


def repeated_element(view: View, node: int) -> int:
    """The lowest element from a node upwards that has similar siblings; the node itself if there is none.

    The cells of a table are not items, but fields of its rows.
    """
    element = node
    while view.page.parent[element] >= 0:
        if view.page.strings[int(view.page.tag[element])] not in CELL_TAGS and has_alike(view, element):
            return element
        element = int(view.page.parent[element])
    return node


def is_whole_item(view: View, node: int) -> bool:
    """Whether a node has all the text of the lowest element around it that has similar siblings."""
    item = repeated_element(view, node)
    return has_alike(view, item) and bool(view.first[item] == view.first[node] and view.last[item] == view.last[node])


def has_alike(view: View, node: int) -> bool:
    """Whether an element has a sibling with its tag and classes that also has text."""
    page = view.page
    sibling, end = int(page.parent[node]) + 1, int(page.end[page.parent[node]])
    while sibling < end:
        if sibling != node and view.alike(sibling, node) and view.last[sibling] > view.first[sibling]:
            return True
        sibling = int(page.end[sibling])
    return False


# -- elements of the same make as some records: the same tag and classes, and similar contents ----------------------

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
# Times as many elements like the values of every field as there are values. Of 105 lists taught by one record, in one
# the records were runs of siblings that hold several; none of the others is doubted.
CROWDED = 2
MOST_VALUES = (
    12  # of a field beside which is looked: records are made alike, and the rest of a list is beside its first
)
MOST_KIDS = 100  # of an element that are looked at; a list with more is long enough to show whether it goes on


def left_out(view: View, patterns: Sequence[Pattern], reading: PatternReading) -> Iterator[Problem]:
    """A problem for each set of records that is only a part of the elements of one make, or of one look."""
    for pattern in patterns:
        items = reading.items.get(pattern.name)
        if pattern.dropped or items is None or len(items.kept) < LEAST or view.page.is_text[items.kept].any():
            continue
        values = [[value.node for value in reading.of(f"{pattern.name}.{field.name}")] for field in pattern.fields]
        if pattern.flat:
            yield from _crowded(view, pattern, items, values)
            continue
        for told, left in (
            ("of one make", _same_make(view, items, values)),
            ("that look alike", _same_look(view, items, values)),
        ):
            left = _without_sums(view, pattern, left)
            count = len(items.kept) + len(left)
            if len(left) > MOST_LEFT_OUT * count:
                what = f"“{pattern.name}”: only {len(items.kept)} of {count} elements {told} are taken"
                yield Problem(view.page.xpath(left[0]), f"{what}; “{view.text(left[0]):.40}” is not")
                break
        else:
            if pattern.watched:
                yield from _look_alikes(view, pattern, items, values)


def _without_other_rows(view: View, pattern: Pattern, nodes: LongArray) -> LongArray:
    """Nodes without the rows that records of sheets are told from: sums, and rows of tables with other headings."""
    kept = np.array(_without_sums(view, pattern, nodes.tolist()), dtype=np.int64)
    wanted = [one for rule in pattern.rules for one in rule.conditions if (one.way, one.test) == HOLDS_COLUMN]
    if not wanted:
        return kept
    is_row = view.page.tag == view.page.string_id("tr")
    below: LongArray = kept[~is_row[kept] | mask_of(view, wanted[0])[kept]]
    return below


def _without_sums(view: View, pattern: Pattern, nodes: list[int]) -> list[int]:
    """The nodes that are not in rows of sums, if the pattern leaves these out."""
    if not any(condition.test == "sum" for rule in pattern.rules for condition in rule.conditions):
        return nodes
    sums = mask_of(view, Condition("self", "sum"))
    return [node for node in nodes if not sums[node]]


def to_watch(view: View, patterns: Sequence[Pattern], reading: PatternReading) -> set[str]:
    """The records whose look-alikes on a page of their lesson are none.

    To look for these takes a third of the time of reading, so on other pages it is done only where it helps.
    """
    watched = [replace(pattern, watched=True) for pattern in patterns if pattern.fields]
    return {pattern.name for pattern in watched if any(left_out(view, [pattern], reading))}


def _crowded(view: View, pattern: Pattern, items: ItemsRead, values: Sequence[Sequence[int]]) -> Iterator[Problem]:
    """A problem if runs of siblings have several elements like the value of every field: each holds several records."""
    page, begin = view.page, min(items.kept)
    inside = np.arange(begin, max(page.end[page.parent[items.kept]]))
    keys = view.page.path.astype(np.int64) * len(page.strings) + view.attribute("class")
    filled = [np.unique(nodes) for nodes in values if nodes]
    counts = [int((np.isin(keys[inside], keys[nodes]) & (view.last > view.first)[inside]).sum()) for nodes in filled]
    if filled and all(count >= CROWDED * len(nodes) for count, nodes in zip(counts, filled, strict=True)):
        what = f"“{pattern.name}”: {len(items.kept)} are taken, but there are {min(counts)} values like theirs in them"
        yield Problem(page.xpath(begin), f"{what}; each may hold several records: give an example of another one")


def _look_alikes(view: View, pattern: Pattern, items: ItemsRead, values: Sequence[Sequence[int]]) -> Iterator[Problem]:
    """A problem if elements that resemble the records, as a fitted model says, are none."""
    kept = np.array(sorted(items.kept), dtype=np.int64)
    likely = [group for group in look_alikes(view, kept, values) if group.chance >= LEFT_OUT]
    others = [replace(group, nodes=_without_other_rows(view, pattern, group.nodes)) for group in likely]
    left = [group for group in others if len(group.nodes)]
    count = sum(len(group.nodes) for group in left)
    if count >= LEAST_ALIKE:
        likeliest = max(left, key=lambda group: group.chance)
        first = int(likeliest.nodes[0])
        told = f"{len(kept)} are taken, and {count} more look like them, such as “{view.text(first):.40}”"
        what = f"“{pattern.name}”: {told}"
        yield Problem(view.page.xpath(first), f"{what}; to have these as well, give an example of one")


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
