"""Learning records whose region is known.

The rule for the items is learned from all of them. The rules for their fields are learned from the few values that were
given, and judged by how many of the items they fill.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from sightline.arrays import LongArray
from sightline.errors import UsageError
from sightline.extract.wrappers.patterns._conditions import mask_of
from sightline.extract.wrappers.patterns._learn import (
    LearnedPattern,
    Taught,
    fallbacks,
    learn_field,
    learn_rules,
    same_content,
)
from sightline.extract.wrappers.patterns._pattern import Rule, SearchSpan
from sightline.extract.wrappers.patterns._search import Hypothesis
from sightline.extract.wrappers.patterns._split import Located
from sightline.extract.wrappers.patterns._view import View, label_key
from sightline.signals import TextKind, text_kind

MOST_ITEMS = 60  # that the rule for the items is learned from, evenly spread; more would only take time
MOST_ALIGNED = 6  # items with a value built like the one that was given; more take time, and say nothing new
JUDGED = 60  # of the best hypotheses about a field
# The cost of a rule that finds nothing in any item. Chosen by `python -m bench.teach.fit_listings`: 4 and 8 are as good
# on sites left out of the choice, 2 and less are worse.
EMPTY = 4.0

Values: TypeAlias = Mapping[str, tuple[Located, ...]]
"""The values of a record that were given, by their field."""


Known: TypeAlias = dict[tuple[int, bytes], int]
"""How many of some nodes of a view have a text of the wanted kinds: many rules find the same nodes."""


@dataclass(frozen=True, eq=False)
class RegionShown:
    """A region of a page: the spans of its items, and by their numbers those that values were given of.

    If it is `flat`, an item extends from its node up to the next one's. `barred` are nodes that repeat in the same way
    and aren't items; `rejected` are nodes that aren't values of a field.
    """

    view: View
    items: tuple[SearchSpan, ...]
    flat: bool
    given: Mapping[int, Values]
    barred: frozenset[int] = frozenset()
    rejected: Mapping[str, frozenset[int]] = field(default_factory=dict)

    @cached_property
    def bounds(self) -> tuple[LongArray, LongArray]:
        """Where the items begin and stop."""
        return np.array([item.start for item in self.items]), np.array([item.stop for item in self.items])


def learn_region(name: str, shown: Sequence[RegionShown], *, most: int = 3) -> LearnedPattern:
    """A pattern for the items of a region, with one for each field that values were given of.

    If no rule tells rejected values from others, the items that they are in are none.
    """
    try:
        return _learn_items(name, shown, most)
    except UsageError:
        if not any(on_page.rejected for on_page in shown):
            raise
        return _learn_items(name, [_without_rejected(on_page) for on_page in shown], most)


def _without_rejected(shown: RegionShown) -> RegionShown:
    """The region without the items that have rejected values, unless values of them were given as well."""
    nodes = [node for several in shown.rejected.values() for node in several]
    gone = [
        number
        for number, item in enumerate(shown.items)
        if number not in shown.given and any(item.start <= node < item.stop for node in nodes)
    ]
    kept = [number for number in range(len(shown.items)) if number not in gone]
    return replace(
        shown,
        items=tuple(shown.items[number] for number in kept),
        given={kept.index(number): values for number, values in shown.given.items()},
        barred=shown.barred | {shown.items[number].start for number in gone},
        rejected={},
    )


def _learn_items(name: str, shown: Sequence[RegionShown], most: int) -> LearnedPattern:
    whole = [_items_taught(on_page) for on_page in shown]
    found = learn_rules(name, whole, frozenset(), many=True, most=most)
    if not found.pattern.rules:
        raise UsageError(f"No rule tells the records of “{name}” from the rest of the page; show more of them.")
    names = dict.fromkeys(name for on_page in shown for values in on_page.given.values() for name in values)
    fields = tuple(_learn_inner(field_name, shown, most) for field_name in names)
    flat = any(on_page.flat for on_page in shown)
    pattern = replace(found.pattern, fields=tuple(learned.pattern for learned in fields), flat=flat)
    return replace(found, pattern=pattern, fields=fields)


def _items_taught(shown: RegionShown) -> Taught:
    """All items as wanted ones; of very many, some."""
    view, step = shown.view, -(-len(shown.items) // MOST_ITEMS)
    some = sorted({*range(0, len(shown.items), step), *shown.given})
    nodes = [shown.items[number].start for number in some]
    wanted = tuple(Located("", (node,)) if shown.flat else item_at(view, node) for node in nodes)
    return Taught(view, SearchSpan(0, len(view.page)), wanted, shown.barred)


def item_at(view: View, node: int) -> Located:
    """An item as a place: its element, or any in it with the same text."""
    return Located(view.text(node), same_content(view, node))


def _learn_inner(name: str, shown: Sequence[RegionShown], most: int) -> LearnedPattern:
    """A field of the items: the rule that fits the values that were given, and finds something in most other items."""
    values = frozenset(
        label_key(located.text)
        for on_page in shown
        for given in on_page.given.values()
        for several in given.values()
        for located in several
    )
    taught = [item for on_page in shown for item in _taught(on_page, name)]
    whole = any(item.span.start in located.nodes for item in taught for located in item.wanted)
    aligned = [item for on_page in shown for item in _aligned(on_page, name)]
    if not whole:
        taught, aligned = map(_behind_own_nodes, (taught, aligned))
    learned = learn_field(name, [*taught, *aligned], values, most=most)
    if aligned and not _covers_all(learned):
        learned = learn_field(name, taught, values, most=most)
    learned = _that_fills(learned, shown, whole=whole)
    return replace(learned, pattern=replace(learned.pattern, whole=whole))


def _taught(shown: RegionShown, name: str) -> list[Taught]:
    """The items that say something about a field: a value was given, or rejected."""
    refused = shown.rejected.get(name, frozenset())
    found = []
    for number, item in enumerate(shown.items):
        unwanted = frozenset(node for node in refused if item.start <= node < item.stop)
        if number in shown.given or unwanted:
            wanted = shown.given.get(number, {}).get(name, ())
            found.append(Taught(shown.view, item, wanted, unwanted, rejected=len(unwanted)))
    return found


def _behind_own_nodes(taught: Sequence[Taught]) -> list[Taught]:
    return [replace(item, span=SearchSpan(item.span.start + 1, item.span.stop)) for item in taught]


def _covers_all(learned: LearnedPattern) -> bool:
    return bool(learned.hypotheses) and bool(learned.hypotheses[0].covered.all())


def _aligned(shown: RegionShown, name: str) -> list[Taught]:
    """Values in other items that are built exactly like one that was given: at the same place in the same tags.

    They keep out rules that hold for the given item alone, such as its number or the text before it.
    """
    view = shown.view
    number, located = next(
        ((number, given[name][0]) for number, given in shown.given.items() if len(given.get(name, ())) == 1), (-1, None)
    )
    if located is None or located.part or located.take != "text":
        return []
    node = located.nodes[0]
    wanted = _place_in(shown, number, node)
    others = [other for other in range(len(shown.items)) if other not in shown.given]
    step = -(-len(others) // MOST_ALIGNED) or 1
    found = []
    for other in others[::step]:
        item = shown.items[other]
        candidates = view.candidates
        inside = candidates[np.searchsorted(candidates, item.start) : np.searchsorted(candidates, item.stop)]
        match = [inner for inner in inside.tolist() if _place_in(shown, other, inner) == wanted]
        if len(match) == 1 and match[0] not in shown.rejected.get(name, ()):
            nodes = view.nodes_of(int(view.first[match[0]]), int(view.last[match[0]]))
            nodes = [inner for inner in nodes if item.start <= inner < item.stop] or match
            found.append(Taught(view, item, (Located(view.text(match[0]), tuple(nodes)),)))
    return found


def _place_in(shown: RegionShown, number: int, node: int) -> tuple[object, ...]:
    """Where a node is in an item: the tags from the item to it, its classes, and its place among its like."""
    page, start = shown.view.page, shown.items[number].start
    root = int(page.parent[start]) if shown.flat else start
    tags = []
    inner = node
    while inner > root:
        tags.append((int(page.tag[inner]), int(page.position[inner])))
        inner = int(page.parent[inner])
    if shown.flat and tags:
        tags[-1] = (tags[-1][0], 0)
    return (*tags, int(shown.view.attribute("class")[node]))


def _that_fills(learned: LearnedPattern, shown: Sequence[RegionShown], *, whole: bool) -> LearnedPattern:
    """The hypothesis that is best where the items without a value count against it."""
    if learned.pattern.cut or learned.pattern.take != "text" or not _covers_all(learned):
        return learned
    kinds = {text_kind(located.text) for taught in learned.taught for located in taught.wanted}
    judged = [hypothesis for hypothesis in learned.hypotheses[:JUDGED] if hypothesis.covered.all()]
    known: Known = {}
    shares = [_fill(hypothesis, shown, kinds, known, whole=whole) for hypothesis in judged]
    costs = [hypothesis.cost + EMPTY * (1 - share) for hypothesis, share in zip(judged, shares, strict=True)]
    order = sorted(range(len(judged)), key=costs.__getitem__)
    ranked = [replace(judged[place], cost=costs[place]) for place in order]
    best = ranked[0]
    rules = (Rule(best.conditions, best.pick), *fallbacks(ranked))
    optional = learned.pattern.optional or _fill(best, shown, None, {}, whole=whole) < 1
    return replace(learned, pattern=replace(learned.pattern, rules=rules, optional=optional), hypotheses=ranked)


def _fill(
    hypothesis: Hypothesis, shown: Sequence[RegionShown], kinds: set[TextKind] | None, known: Known, *, whole: bool
) -> float:
    """The share of all items in which a rule finds a value, of one of these kinds if any are named."""
    filled = sum(_filled(on_page, hypothesis, kinds, known, whole=whole) for on_page in shown)
    return filled / sum(len(on_page.items) for on_page in shown)


def _filled(
    shown: RegionShown, hypothesis: Hypothesis, kinds: set[TextKind] | None, known: Known, *, whole: bool
) -> int:
    view = shown.view
    nodes = view.candidates
    starts, stops = shown.bounds
    nodes = nodes[np.searchsorted(nodes, starts[0]) : np.searchsorted(nodes, stops[-1])]
    for condition in hypothesis.conditions:
        nodes = nodes[mask_of(view, condition)[nodes]]
    item = np.searchsorted(starts, nodes, side="right") - 1
    inside = (nodes < stops[item]) & (whole | (nodes > starts[item]))
    firsts = _picked(nodes[inside], item[inside], hypothesis.pick)
    if kinds is None:
        return len(firsts)
    same = id(view), firsts.tobytes()
    if same not in known:
        known[same] = sum(text_kind(text) in kinds for text in view.all_texts(firsts))
    return known[same]


def _picked(nodes: LongArray, item: LongArray, pick: str) -> LongArray:
    """Of the nodes in each item the first, or the last."""
    if not len(nodes):
        return nodes
    changes = item[1:] != item[:-1]
    edge = np.concatenate([changes, [True]]) if pick == "last" else np.concatenate([[True], changes])
    picked: LongArray = nodes[edge]
    return picked
