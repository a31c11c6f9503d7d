"""Learning patterns from examples: a rule for each field, disjunctions where one rule is not enough, cuts, records."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.errors import UsageError
from sightline.extract.wrappers.patterns._conditions import RELATIONS, Condition
from sightline.extract.wrappers.patterns._cut import learned_cut
from sightline.extract.wrappers.patterns._locate import Located, located_text
from sightline.extract.wrappers.patterns._pattern import Pattern, Rule, SearchSpan, found_by, matches_of
from sightline.extract.wrappers.patterns._records import Items, item_span, items_from, nearest_places, repeated
from sightline.extract.wrappers.patterns._search import Aim, Context, Hypothesis, WantedValue, search
from sightline.extract.wrappers.patterns._view import View, key_of, label_key
from sightline.signals import text_kind

__all__ = ["LearnedPattern", "RecordExample", "RecordShown", "Taught", "learn_field", "learn_set", "texts_in"]

MOST_RULES = 4  # of a disjunction; examples that need more have nothing in common
FALLBACK = 1.4  # a further rule may cost so much more than the first
UNCOVERED = 3.0  # one rule is not enough
PART = 0.6  # what it costs to cut a value out of a text, against one that stands alone
LISTED = (
    0.2  # a rule for a whole list is taken if it costs so much less than one that tells the example from the others
)
FIRST_OF_LIST = (
    0.5  # and no more above one that takes the first or last of them; who points at a list points at its first
)
MOST_EXCEPTIONS = 1  # that may be rejected from what is still taken to be a list
ALIKE = 0.75  # of the items of a list are of one kind; an advertisement may stand among them
LEAST_LISTED = 3  # more of the same that a list has at least
Names = frozenset[str]


@dataclass(frozen=True, eq=False)
class Taught:
    """What was shown of one field in one place: what it is there, and what it is not.

    `others` are the values of other fields there; `complete`: what is wanted is all there is. `rejected` counts
    what was said not to be one.
    """

    view: View
    span: SearchSpan
    wanted: tuple[Located, ...] = ()
    unwanted: frozenset[int] = frozenset()
    others: frozenset[int] = frozenset()
    complete: bool = True
    rejected: int = 0

    @property
    def context(self) -> Context:
        """The same, as the search takes it."""
        wanted = tuple(WantedValue(one.nodes) for one in self.wanted)
        return Context(self.view, self.span.start, self.span.stop, wanted, self.unwanted, self.others, self._container)

    @property
    def _container(self) -> int | None:
        """Of a single example the element that holds its list, should it be in one."""
        if len(self.wanted) != 1 or self.wanted[0].take != "text":
            return None
        return int(self.view.page.parent[repeated(self.view, self.wanted[0].nodes[0])])


@dataclass(frozen=True, eq=False)
class LearnedPattern:
    """A pattern with the hypotheses that it was chosen from, and what it takes to take all that was shown."""

    pattern: Pattern
    hypotheses: list[Hypothesis] = field(default_factory=list)
    taught: tuple[Taught, ...] = ()
    fields: "tuple[LearnedPattern, ...]" = ()


# ---------------------------------------------------------------- fields


def learn_field(
    name: str, taught: Sequence[Taught], values: Names = frozenset(), *, many: bool = False, most: int = 3
) -> LearnedPattern:
    """A pattern that takes what is wanted and nothing that is not; `many` values, even if only one is shown."""
    _check(name, taught)
    several = many or any(len(own.wanted) > 1 for own in taught)
    best = _learned(name, taught, values, many=several, most=most)
    if not several and not all(own.complete for own in taught):
        best = _as_list(best, values, most) or best
    if any(one.part for own in taught for one in own.wanted):
        best = _as_part_of(name, taught, values, most)
    elif not _is_one_rule(best):
        best = min((*_as_parts(name, taught, values, most), best), key=_cost)
    if not best.pattern.rules:
        raise UsageError(
            f"No rule tells the examples of “{name}” from what it is not; take some back, or point at others."
        )
    return best


def _check(name: str, taught: Sequence[Taught]) -> None:
    """Refuse examples that contradict each other, and name them."""
    for own in taught:
        for one in own.wanted:
            if own.unwanted and own.unwanted.issuperset(one.nodes):
                raise UsageError(
                    f"“{one.text}” was wanted and rejected as “{name}”; take one of the two back with undo()."
                )
    if not any(own.wanted for own in taught):
        raise UsageError(f"There is no example of “{name}” yet; show one with want().")


def _is_one_rule(learned: LearnedPattern) -> bool:
    return bool(learned.hypotheses) and bool(learned.hypotheses[0].covered.all())


def _cost(learned: LearnedPattern) -> float:
    if not learned.hypotheses or not learned.pattern.rules:
        return np.inf
    cut, several = learned.pattern.cut is not None, not _is_one_rule(learned)
    return learned.hypotheses[0].cost + PART * cut + UNCOVERED * several


def _as_list(single: LearnedPattern, values: Names, most: int) -> LearnedPattern | None:
    """The pattern of the list that single examples are of, if they are.

    What was rejected has no say in whether they are: it may be an exception. Who rejects more does not mean a list.
    """
    name, taught = single.pattern.name, single.taught
    rejected = sum(own.rejected for own in taught)
    if rejected > MOST_EXCEPTIONS:
        return None
    plain = [replace(own, unwanted=frozenset()) for own in taught] if rejected else list(taught)
    alone = _learned(name, plain, values, many=False, most=most) if rejected else single
    listed = _learned(name, plain, values, many=True, most=most)
    if not _is_list(alone, listed):
        return None
    return _learned(name, taught, values, many=True, most=most, more=True) if rejected else listed


def _is_list(single: LearnedPattern, listed: LearnedPattern) -> bool:
    """Whether an example is one of a list: more like it stand beside it, and a rule for it alone costs more.

    It has to be what its item begins with: what stands behind another text may be the value of a label.
    """
    if not listed.hypotheses or listed.hypotheses[0].extras < LEAST_LISTED:
        return False
    cost = listed.hypotheses[0].cost
    if single.hypotheses and cost > single.hypotheses[0].cost + FIRST_OF_LIST:
        return False
    shown = [own for own in listed.taught if own.wanted]
    view = shown[0].view
    around = int(view.page.parent[repeated(view, shown[0].wanted[0].nodes[0])])
    begin, end = int(view.first[around]), int(view.last[around])
    # With what stands just before the list and above it: behind that comes the first item.
    within = set(map(label_key, view.texts[max(begin - 1, 0) : end]))
    within.add(view.label_names.get(int(view.heading[around]), ""))
    if any(
        one.pick == "all" and one.cost <= cost + LISTED and not _counts(one.conditions, within)
        for one in single.hypotheses
    ):
        return False
    return all(_is_item(own, listed.pattern) for own in shown)


def _is_item(taught: Taught, pattern: Pattern) -> bool:
    """Whether the example of a page is what an item begins with, and all that a pattern takes is of its kind."""
    view, node = taught.view, taught.wanted[0].nodes[0]
    found = found_by(view, pattern, taught.span)[0]
    kinds = Counter(text_kind(text) for text in view.all_texts(found))
    alike = kinds.most_common(1)[0][1] >= ALIKE * len(found)
    return bool(view.first[repeated(view, node)] == view.first[node]) and alike and len(found) >= LEAST_LISTED


def _counts(conditions: Sequence[Condition], within: set[str]) -> bool:
    """Whether conditions only tell which one of a list it is: by its place, or by what else stands in the list."""
    return any(
        own.test in ("place", "last", "text") or (own.test in RELATIONS and own.value in within) for own in conditions
    )


def _learned(
    name: str, taught: Sequence[Taught], values: Names, *, many: bool, most: int, more: bool = False
) -> LearnedPattern:
    contexts = [own.context for own in taught]
    known = values | {label_key(one.text) for own in taught for one in own.wanted}
    take = next((one.take for own in taught for one in own.wanted if one.take != "text"), "text")
    complete = all(own.complete for own in taught)
    aim = Aim(name, known, single=not many, most=most, take=take, more=more, complete=complete)
    ranked = search(aim, contexts)
    pattern = Pattern(
        name,
        tuple(_disjunction(aim, contexts, ranked)),
        many,
        optional=any(not own.wanted for own in taught),
        take=take,
        needs_all=bool(ranked) and not ranked[0].covered.all(),
        pages=len({id(own.view) for own in taught if own.wanted}),
    )
    if not many and take == "text":
        pattern = _maybe_joined(pattern, taught)
    return LearnedPattern(pattern, ranked, tuple(taught))


def _maybe_joined(pattern: Pattern, taught: Sequence[Taught]) -> Pattern:
    """The pattern that takes what a comma joins to a value as well, unless an example shows that it should not."""
    joined = replace(pattern, joined=True)
    alone = all(len(found_by(own.view, joined, own.span)[0]) <= 1 for own in taught)
    return joined if alone else pattern


def _as_part_of(name: str, taught: Sequence[Taught], values: Names, most: int) -> LearnedPattern:
    """The pattern of examples some of which are only parts of texts: it has to cut them out."""
    found = _as_parts(name, taught, values, most)
    if not found:
        texts = [one.text for own in taught for one in own.wanted if one.part]
        raise UsageError(
            f"“{texts[0]}” is a part of a longer text, and nothing tells where it begins and ends; give another "
            f"example of “{name}”, or take the whole text."
        )
    return found[0]


def _as_parts(name: str, taught: Sequence[Taught], values: Names, most: int) -> list[LearnedPattern]:
    """The pattern where the examples are parts of longer texts, with what cuts them out, if anything does."""
    if any(one.take != "text" for own in taught for one in own.wanted):
        return []
    wider = [replace(own, wanted=tuple(_as_part(own, one) for one in own.wanted)) for own in taught]
    found = _learned(name, wider, values, many=any(len(own.wanted) > 1 for own in taught), most=most)
    pairs = [
        (own.view.text(node), one.text)
        for own in wider
        for one in own.wanted
        if (node := _taken(own, one, found.pattern.rules)) is not None
    ]
    if all(key_of(text) == key_of(value) for text, value in pairs):
        return []
    cut = learned_cut(pairs) if pairs else None
    return [replace(found, pattern=replace(found.pattern, cut=cut))] if cut else []


def _as_part(taught: Taught, one: Located) -> Located:
    """Where an example stands, as a part of texts as well."""
    return located_text(taught.view, one.text, taught.span.start, taught.span.stop, parts=True)


def _taken(own: Taught, one: Located, rules: Sequence[Rule]) -> int | None:
    """Which of the nodes of an example the rules take."""
    for rule in rules:
        nodes = matches_of(own.view, rule, own.span, own.view.candidates)
        hit: set[int] = set(nodes.tolist()) & set(one.nodes)
        if hit:
            return min(hit)
    return None


def _disjunction(aim: Aim, contexts: list[Context], ranked: list[Hypothesis]) -> list[Rule]:
    """The best rule; where it leaves examples out, the best for those; else others that say the same otherwise."""
    rules: list[Rule] = []
    left = contexts
    while ranked and len(rules) < MOST_RULES:
        best = ranked[0]
        rules.append(Rule(best.conditions, best.pick))
        if best.covered.all():
            break
        left = _uncovered(left, best.covered)
        ranked = search(aim, left)
    if len(rules) == 1 and ranked:
        rules += _fallbacks(ranked)
    return rules


def _uncovered(contexts: list[Context], covered: npt.NDArray[np.bool_]) -> list[Context]:
    """The contexts with the examples that no rule takes yet."""
    left, place = [], 0
    for own in contexts:
        missing = [wanted for number, wanted in enumerate(own.wanted, start=place) if not covered[number]]
        place += len(own.wanted)
        if missing:
            left.append(replace(own, wanted=tuple(missing)))
    return left


def _fallbacks(ranked: list[Hypothesis]) -> list[Rule]:
    """Rules that take the same by other evidence; they count where the first finds nothing."""
    best = ranked[0]
    used = set(best.conditions)
    rules: list[Rule] = []
    for own in ranked[1:]:
        if own.cost > best.cost + FALLBACK or own.extras > best.extras or not own.covered.all():
            continue
        if used.isdisjoint(own.conditions):
            used |= set(own.conditions)
            rules.append(Rule(own.conditions, own.pick))
        if len(rules) + 1 == MOST_RULES:
            break
    return rules


# ---------------------------------------------------------------- records


RecordExample: TypeAlias = Mapping[str, tuple["str | RecordExample", ...]]
"""A record that is shown: for each field its texts; for a set in it, records again."""


@dataclass(frozen=True, eq=False)
class RecordShown:
    """Records of one page, or of one record of it, in their order.

    `from_start`: they are the first ones of their list, so nothing before them is a record.
    """

    view: View
    records: tuple[RecordExample, ...]
    from_start: bool = True
    span: SearchSpan | None = None

    @property
    def where(self) -> SearchSpan:
        """The span that they stand in."""
        return self.span or SearchSpan(0, len(self.view.page))


def learn_set(name: str, shown: Sequence[RecordShown], *, most: int = 3) -> LearnedPattern:
    """A pattern for records, and in it one for each of their fields."""
    places = [(own, _items(own)) for own in shown if own.records]
    if not places:
        raise UsageError(f"There is no example of a record of “{name}” yet; show one.")
    flat = any(items.flat for _, items in places)
    if flat:
        places = [(own, items if items.flat else _items(own, flat=True)) for own, items in places]
    whole = [_whole_items(own, items) for own, items in places]
    alone = all(len(own.wanted) == 1 for own in whole)
    found = _learned(name, whole, frozenset(), many=True, most=most, more=alone)
    if not found.pattern.rules:
        raise UsageError(f"No rule tells the records of “{name}” from the rest of the page; show more of them.")
    names = dict.fromkeys(field_name for own, _ in places for record in own.records for field_name in record)
    inside = tuple(_learned_in(own, places, most) for own in names)
    pattern = replace(found.pattern, fields=tuple(own.pattern for own in inside), flat=flat)
    return replace(found, pattern=pattern, fields=inside)


def _learned_in(name: str, places: Sequence[tuple[RecordShown, Items]], most: int) -> LearnedPattern:
    """A field of records, or a set of records in them."""
    nested = [
        RecordShown(shown.view, records, shown.from_start, span)
        for shown, record, span in _each_item(places)
        if (records := tuple(own for own in record.get(name, ()) if not isinstance(own, str)))
    ]
    if nested:
        return learn_set(name, nested, most=most)
    values = frozenset(label_key(text) for shown, _ in places for record in shown.records for text in texts_in(record))
    taught = []
    for shown, record, span in _each_item(places):
        texts = [text for text in record.get(name, ()) if isinstance(text, str)]
        located = [own for text in texts if (own := _inside(shown.view, text, span))]
        taught.append(Taught(shown.view, span, tuple(located)))
    whole = any(own.span.start in one.nodes for own in taught for one in own.wanted)
    if not whole:
        taught = [replace(own, span=SearchSpan(own.span.start + 1, own.span.stop)) for own in taught]
    learned = learn_field(name, taught, values, most=most)
    return replace(learned, pattern=replace(learned.pattern, whole=whole))


def _each_item(places: Sequence[tuple[RecordShown, Items]]) -> Iterator[tuple[RecordShown, RecordExample, SearchSpan]]:
    """Every record that is shown, and where it stands."""
    for shown, items in places:
        for number, record in enumerate(shown.records[: len(items.nodes)]):
            yield shown, record, item_span(shown.view, items, number)


def texts_in(record: RecordExample) -> Iterator[str]:
    """All texts of a record, also those of records in it."""
    for values in record.values():
        for own in values:
            if isinstance(own, str):
                yield own
            else:
                yield from texts_in(own)


def _items(shown: RecordShown, *, flat: bool = False) -> Items:
    """The elements that the records of a page are, by where their values stand nearest to each other."""
    view, where = shown.view, shown.where
    nodes: list[list[int]] = []
    taken: set[int] = set()
    for record in shown.records:
        located = [[located_text(view, text, where.start, where.stop)] for text in texts_in(record)]
        chosen = nearest_places(view, located, frozenset(taken))
        if chosen:
            nodes.append(chosen)
            taken.update(chosen)
    return items_from(view, nodes, flat=flat)


def _whole_items(shown: RecordShown, items: Items) -> Taught:
    view = shown.view
    wanted = tuple(Located("", _same(view, node)) for node in items.nodes)
    before: frozenset[int] = frozenset()
    if shown.from_start and len(items.nodes) > 1:
        page = view.page
        parent = int(page.parent[items.nodes[0]])
        inside = np.arange(parent + 1, items.nodes[-1])
        own = [one for found in wanted for one in found.nodes]
        siblings = inside[(page.parent[inside] == parent) & ~np.isin(inside, own)]
        before = frozenset(siblings[np.isin(page.tag[siblings], page.tag[list(items.nodes)])].tolist())
    return Taught(view, shown.where, wanted, before)


def _same(view: View, node: int) -> tuple[int, ...]:
    """An element and those in it that hold all that it holds."""
    chain = view.nodes_of(int(view.first[node]), int(view.last[node]))
    return tuple(own for own in chain if own >= node) or (node,)


def _inside(view: View, text: str, span: SearchSpan) -> Located | None:
    """Where a value stands in its record; None where the record turned out to be smaller."""
    try:
        return located_text(view, text, span.start, span.stop)
    except UsageError:
        return None
