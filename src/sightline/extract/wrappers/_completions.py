"""Conditions that people may choose from when they edit a rule by hand."""

from collections.abc import Sequence
from typing import NamedTuple

from sightline.extract.wrappers._gathered import Gathered
from sightline.extract.wrappers._learned_lesson import LearnedLesson
from sightline.extract.wrappers.patterns import (
    Condition,
    Pattern,
    Rule,
    SearchSpan,
    View,
    condition_in_words,
    conditions_on,
    found_by,
    items_of,
    mask_of,
    search_span_in,
)

__all__ = ["Completion", "completions_for"]

MOST = 60  # conditions that are offered; nobody reads more
MOST_EXAMPLES = 6  # of a field that conditions are taken from
MOST_NODES = 8  # with the text of one example


class Completion(NamedTuple):
    """A condition that may be part of a rule.

    `matches` is how many values it alone would give on the page, `keeps_examples` whether all examples have it.
    """

    condition: Condition
    words: str
    matches: int
    keeps_examples: bool


class _Place(NamedTuple):
    """The nodes of an example, any of which will do, on its page."""

    view: View
    nodes: tuple[int, ...]


def completions_for(gathered: Gathered, learned: LearnedLesson, name: str, view: View, query: str) -> list[Completion]:
    """The conditions that hold for examples of a field, or not for rejected ones, the most likely first."""
    wanted, rejected = _places(gathered, name, wanted=True), _places(gathered, name, wanted=False)
    if not wanted:  # a field of records that were shown, or the records: what is matched stands for examples
        wanted = _matched(learned, name, view)
    costs = _costs(wanted, gathered.values)
    for condition, cost in _costs(rejected, gathered.values).items():
        if condition not in costs:
            costs[Condition(condition.way, condition.test, condition.value, negated=True)] = cost + 1
    asked = query.casefold().split()
    in_words = [(condition, condition_in_words(condition)) for condition in sorted(costs, key=costs.__getitem__)]
    offered = [(condition, words) for condition, words in in_words if all(word in words.casefold() for word in asked)]
    spans, pattern = _spans(learned, name, view)
    found = [
        Completion(condition, words, _count(view, condition, pattern, spans), _keeps(condition, wanted))
        for condition, words in offered
    ]
    return sorted(found, key=lambda completion: not completion.keeps_examples)[:MOST]


def _places(gathered: Gathered, name: str, *, wanted: bool) -> list[_Place]:
    return [
        _Place(gathered.views[given.page], located.nodes)
        for given, located in gathered.located
        if given.name == name and given.wanted == wanted
    ]


def _matched(learned: LearnedLesson, name: str, view: View) -> list[_Place]:
    reading = learned.reading(view)
    records = reading.items.get(name)
    if records is not None:
        return [_Place(view, (node,)) for node in records.kept]
    last = name.rpartition(".")[2]
    return [_Place(view, (value.node,)) for value in reading.taken if value.name.rpartition(".")[2] == last]


def _costs(places: Sequence[_Place], values: frozenset[str]) -> dict[Condition, float]:
    found: dict[Condition, float] = {}
    for place in places[:MOST_EXAMPLES]:
        for node in place.nodes[:MOST_NODES]:
            for condition, cost in conditions_on(place.view, node, 0, values):
                found[condition] = min(cost, found.get(condition, cost))
    return found


def _keeps(condition: Condition, places: Sequence[_Place]) -> bool:
    return all(mask_of(place.view, condition)[list(place.nodes)].any() for place in places)


def _spans(learned: LearnedLesson, name: str, view: View) -> tuple[list[SearchSpan], Pattern]:
    """Where a field looks on a page, and what it takes there."""
    whole = [SearchSpan(0, len(view.page))]
    for pattern in learned.plain:
        if pattern.name == name:
            return whole, pattern
        for field in pattern.fields:
            if field.name == name.rpartition(".")[2]:
                return [search_span_in(field, item) for item in items_of(view, pattern, whole[0])[0]], field
    return whole, Pattern(name, ())


def _count(view: View, condition: Condition, pattern: Pattern, spans: Sequence[SearchSpan]) -> int:
    """How many values a condition alone would give: in records one each, elsewhere all."""
    alone = Pattern(pattern.name, (Rule((condition,)),), many=True, take=pattern.take)
    return sum(len(found_by(view, alone, span)[0]) for span in spans)
