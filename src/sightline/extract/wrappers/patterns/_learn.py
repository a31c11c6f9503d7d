"""Learning patterns from examples: a rule for each field, disjunctions if one rule is not enough, cuts, records."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.errors import UsageError
from sightline.extract.wrappers.patterns._conditions import RELATIONS, Condition
from sightline.extract.wrappers.patterns._pattern import Pattern, Rule, SearchSpan, found_by, matches_of
from sightline.extract.wrappers.patterns._records import Items, item_span, items_from, nearest_places, repeated_element
from sightline.extract.wrappers.patterns._search import Aim, Context, Hypothesis, WantedValue, search
from sightline.extract.wrappers.patterns._split import (
    PROSE,
    Located,
    learn_cut,
    locate_text,
    parts_of,
    run_of,
    separators_like,
)
from sightline.extract.wrappers.patterns._view import View, key_of, label_key
from sightline.settings import Settings, setting
from sightline.signals import text_kind

MOST_RULES = 4  # of a disjunction; examples that need more have nothing in common
FALLBACK = 1.4  # a further rule may cost so much more than the first
UNCOVERED = 3.0  # one rule is not enough
PART = 0.6  # the cost of cutting a value out of a text, compared with one that stands alone
# A rule for a whole list is chosen if it costs so much less than one that tells the example from the others, ...
LISTED = 0.2
# ... and at most so much more than one that picks the first or last: people who mean a list point at its first item.
FIRST_OF_LIST = 0.5
# A rule that takes nothing but what was shown may cost so much more; on the sites, 0.5 to 5 give the same.
TIGHTENED = 2.0
MOST_EXCEPTIONS = 1  # that may be rejected from what is still considered a list
ALIKE = 0.75  # of the items of a list are of one kind; an advertisement may be among them
LEAST_LISTED = 3  # more of the same that a list has at least
Names = frozenset[str]


@dataclass(frozen=True, eq=False)
class Taught:
    """The examples of one field in one place: what is a value there, and what is not.

    `others` are the values of other fields there; `complete`: the wanted values are all there are. `rejected` counts
    the rejected examples.
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
        """The same, as input for the search."""
        wanted = tuple(WantedValue(located.nodes) for located in self.wanted)
        return Context(self.view, self.span.start, self.span.stop, wanted, self.unwanted, self.others, self._container)

    @property
    def _container(self) -> int | None:
        """For a single example, the element that holds its list, if it is in one."""
        if len(self.wanted) != 1 or self.wanted[0].take != "text":
            return None
        return int(self.view.page.parent[repeated_element(self.view, self.wanted[0].nodes[0])])


@dataclass(frozen=True, eq=False)
class LearnedPattern:
    """A pattern, the hypotheses it was chosen from, and the examples it was learned from."""

    pattern: Pattern
    hypotheses: list[Hypothesis] = field(default_factory=list)
    taught: tuple[Taught, ...] = ()
    fields: "tuple[LearnedPattern, ...]" = ()


# ---------------------------------------------------------------- fields


def learn_field(
    name: str, taught: Sequence[Taught], values: Names = frozenset(), *, many: bool = False, most: int = 3
) -> LearnedPattern:
    """A pattern that matches what is wanted and nothing that is not; `many` values, even if only one is given."""
    _check(name, taught)
    several = many or any(len(on_page.wanted) > 1 for on_page in taught)
    if several and (in_one_text := _as_text(name, taught, values, most)):
        return in_one_text
    best = learn_rules(name, taught, values, many=several, most=most)
    if several:
        best = _tightened(best, values, most)
    if not several and not all(on_page.complete for on_page in taught):
        best = _as_list(best, values, most) or best
    if any(located.part for on_page in taught for located in on_page.wanted):
        best = _as_part_of(name, taught, values, most)
    elif not _is_one_rule(best):
        best = min((*_as_parts(name, taught, values, most), best), key=_cost)
    if not best.pattern.rules:
        raise UsageError(f"No rule tells the examples of “{name}” from the rest; take some back, or point at others.")
    return best


def _as_text(name: str, taught: Sequence[Taught], values: Names, most: int) -> LearnedPattern | None:
    """The pattern of a text whose parts are the values, if on every page the values are in one text."""
    shown = [on_page for on_page in taught if on_page.wanted]
    if not any(len(on_page.wanted) > 1 and any(one.part for one in on_page.wanted) for on_page in shown):
        return None
    runs = {id(on_page): run_of(on_page.view, on_page.wanted) for on_page in shown}
    if not all(runs.values()):
        return None
    whole = [
        replace(on_page, wanted=(run.located,), complete=True) if (run := runs.get(id(on_page))) else on_page
        for on_page in taught
    ]
    try:
        learned = learn_field(name, whole, values, most=most)
    except UsageError:  # no rule finds the text: then the values are learned one by one
        return None
    shown_marks = {mark for run in runs.values() if run for mark in run.separators}
    split = separators_like(shown_marks, [one.text for on_page in shown for one in on_page.wanted])
    pattern = replace(learned.pattern, many=True, joined=False, lined=False, split=split)
    return replace(learned, pattern=pattern)


def _tightened(loose: LearnedPattern, values: Names, most: int) -> LearnedPattern:
    """A pattern that takes nothing but the values of pages of which all were shown, if a rule for that costs little.

    What else it takes of these pages is as good as rejected.
    """
    if not loose.hypotheses or not loose.hypotheses[0].extras or not _is_one_rule(loose):
        return loose
    refused = [_with_refused(on_page, loose.pattern) for on_page in loose.taught]
    if all(new is old for new, old in zip(refused, loose.taught, strict=True)):
        return loose
    tight = learn_rules(loose.pattern.name, refused, values, many=True, most=most)
    if not _is_one_rule(tight) or tight.hypotheses[0].cost > loose.hypotheses[0].cost + TIGHTENED:
        return loose
    # What is anything but a `div` is a heading on the next page; of the redesigns, four are read better without that.
    if any(condition.negated and (condition.way, condition.test) == ("self", "tag") for condition in _first(tight)):
        return loose
    return replace(tight, taught=loose.taught)


def _first(learned: LearnedPattern) -> tuple[Condition, ...]:
    return learned.hypotheses[0].conditions


def _with_refused(taught: Taught, pattern: Pattern) -> Taught:
    """The examples of a page of which all values were shown, with everything else that a pattern takes as unwanted."""
    if not taught.complete or not taught.wanted:
        return taught
    view = taught.view
    leaves = {
        leaf for located in taught.wanted for leaf in range(view.first[located.nodes[0]], view.last[located.nodes[0]])
    }
    found = found_by(view, pattern, taught.span)[0].tolist()
    extra = [node for node in found if leaves.isdisjoint(range(view.first[node], view.last[node]))]
    chains = {same for node in extra for same in view.nodes_of(int(view.first[node]), int(view.last[node]))}
    return replace(taught, unwanted=taught.unwanted | chains) if extra else taught


def _check(name: str, taught: Sequence[Taught]) -> None:
    """Reject examples that contradict each other, and name them."""
    for on_page in taught:
        for located in on_page.wanted:
            if on_page.unwanted and on_page.unwanted.issuperset(located.nodes):
                raise UsageError(
                    f"“{located.text}” was both wanted and rejected as “{name}”; take one of the two back with undo()."
                )
    if not any(on_page.wanted for on_page in taught):
        raise UsageError(f"There is no example of “{name}” yet; give one with want().")


def _is_one_rule(learned: LearnedPattern) -> bool:
    return bool(learned.hypotheses) and bool(learned.hypotheses[0].covered.all())


def _cost(learned: LearnedPattern) -> float:
    if not learned.hypotheses or not learned.pattern.rules:
        return np.inf
    cut, several = learned.pattern.cut is not None, not _is_one_rule(learned)
    return learned.hypotheses[0].cost + PART * cut + UNCOVERED * several


def _as_list(single: LearnedPattern, values: Names, most: int) -> LearnedPattern | None:
    """The pattern of the list that single examples belong to, if they do.

    A rejected example does not count against a list: it may be an exception. With more of them, a list is not meant.
    """
    name, taught = single.pattern.name, single.taught
    rejected = sum(on_page.rejected for on_page in taught)
    if rejected > MOST_EXCEPTIONS:
        return None
    plain = [replace(on_page, unwanted=frozenset()) for on_page in taught] if rejected else list(taught)
    alone = learn_rules(name, plain, values, many=False, most=most) if rejected else single
    listed = learn_rules(name, plain, values, many=True, most=most)
    if not _is_list(alone, listed):
        return None
    return learn_rules(name, taught, values, many=True, most=most, more=True) if rejected else listed


def _is_list(single: LearnedPattern, listed: LearnedPattern) -> bool:
    """Whether an example is one of a list: similar ones are beside it, and a rule for it alone costs more.

    It must be what its item begins with: something after another text may be the value of a label.
    """
    if not listed.hypotheses or listed.hypotheses[0].extras < LEAST_LISTED:
        return False
    cost = listed.hypotheses[0].cost
    if single.hypotheses and cost > single.hypotheses[0].cost + FIRST_OF_LIST:
        return False
    shown = [on_page for on_page in listed.taught if on_page.wanted]
    view = shown[0].view
    around = int(view.page.parent[repeated_element(view, shown[0].wanted[0].nodes[0])])
    begin, end = int(view.first[around]), int(view.last[around])
    # Including what is just before the list and above it: the first item follows that.
    within = set(map(label_key, view.texts[max(begin - 1, 0) : end]))
    within.add(view.label_names.get(int(view.heading[around]), ""))
    if any(
        hypothesis.pick == "all"
        and hypothesis.cost <= cost + LISTED
        and not _only_counts(hypothesis.conditions, within)
        for hypothesis in single.hypotheses
    ):
        return False
    return all(_is_item(on_page, listed.pattern) for on_page in shown)


def _is_item(taught: Taught, pattern: Pattern) -> bool:
    """Whether a page's example is what an item begins with, and all matches of a pattern are of one kind."""
    view, node = taught.view, taught.wanted[0].nodes[0]
    found = found_by(view, pattern, taught.span)[0]
    kinds = Counter(text_kind(text) for text in view.all_texts(found))
    alike = kinds.most_common(1)[0][1] >= ALIKE * len(found)
    return bool(view.first[repeated_element(view, node)] == view.first[node]) and alike and len(found) >= LEAST_LISTED


def _only_counts(conditions: Sequence[Condition], within: set[str]) -> bool:
    """Whether conditions only tell which item of a list it is: by its position, or by other texts in the list."""
    return any(
        condition.test in ("place", "last", "text") or (condition.test in RELATIONS and condition.value in within)
        for condition in conditions
    )


def learn_rules(
    name: str, taught: Sequence[Taught], values: Names, *, many: bool, most: int, more: bool = False
) -> LearnedPattern:
    """The cheapest rules for some examples, taken as whole texts; the pattern has none if nothing fits."""
    contexts = [on_page.context for on_page in taught]
    wanted = [located for on_page in taught for located in on_page.wanted]
    known = values | {label_key(located.text) for located in wanted}
    take = next((located.take for located in wanted if located.take != "text"), "text")
    complete = all(on_page.complete for on_page in taught)
    aim = Aim(name, known, single=not many, most=most, take=take, more=more, complete=complete)
    ranked = search(aim, contexts)
    pattern = Pattern(
        name,
        tuple(_disjunction(aim, contexts, ranked)),
        many,
        optional=any(not on_page.wanted for on_page in taught),
        take=take,
        needs_all=bool(ranked) and not ranked[0].covered.all(),
        pages=len({id(on_page.view) for on_page in taught if on_page.wanted}),
    )
    if take == "text":
        pattern = _with_lines(pattern, taught)
    if not many and take == "text":
        pattern = _with_joined_values(pattern, taught)
    return LearnedPattern(pattern, ranked, tuple(taught))


def _with_lines(pattern: Pattern, taught: Sequence[Taught]) -> Pattern:
    """The pattern, marked if each of its values is one block."""
    shown = [(on_page.view, located.nodes[0]) for on_page in taught for located in on_page.wanted]
    short = not pattern.many
    several = any(parts_of(view, node, short=short) or (short and not _is_short(view, node)) for view, node in shown)
    return replace(pattern, lined=not several)


def _is_short(view: View, node: int) -> bool:
    return bool(view.sizes(np.array([node]))[0] <= PROSE)


def _with_joined_values(pattern: Pattern, taught: Sequence[Taught]) -> Pattern:
    """The pattern that also takes values joined by a comma, unless an example shows that it should not."""
    joined = replace(pattern, joined=True)
    alone = all(len(found_by(on_page.view, joined, on_page.span)[0]) <= 1 for on_page in taught)
    return joined if alone else pattern


def _as_part_of(name: str, taught: Sequence[Taught], values: Names, most: int) -> LearnedPattern:
    """The pattern for examples some of which are only parts of texts: it must cut them out."""
    found = _as_parts(name, taught, values, most)
    if not found:
        texts = [located.text for on_page in taught for located in on_page.wanted if located.part]
        raise UsageError(
            f"“{texts[0]}” is part of a longer text, and nothing tells where it begins and ends; give another "
            f"example of “{name}”, or take the whole text."
        )
    return found[0]


def _as_parts(name: str, taught: Sequence[Taught], values: Names, most: int) -> list[LearnedPattern]:
    """The pattern if the examples are parts of longer texts, with the cut that extracts them, if there is one."""
    if any(located.take != "text" for on_page in taught for located in on_page.wanted):
        return []
    wider = [
        replace(on_page, wanted=tuple(_as_part(on_page, located) for located in on_page.wanted)) for on_page in taught
    ]
    found = learn_rules(name, wider, values, many=any(len(on_page.wanted) > 1 for on_page in taught), most=most)
    pairs = [
        (on_page.view.text(node), located.text)
        for on_page in wider
        for located in on_page.wanted
        if (node := _matched_node(on_page, located, found.pattern.rules)) is not None
    ]
    if all(key_of(text) == key_of(value) for text, value in pairs):
        return []
    cut = learn_cut(pairs) if pairs else None
    return [replace(found, pattern=replace(found.pattern, cut=cut))] if cut else []


def _as_part(taught: Taught, example: Located) -> Located:
    """Where an example is, including as part of texts."""
    return locate_text(taught.view, example.text, taught.span.start, taught.span.stop, parts=True)


def _matched_node(taught: Taught, example: Located, rules: Sequence[Rule]) -> int | None:
    """Which of the nodes of an example the rules match."""
    for rule in rules:
        nodes = matches_of(taught.view, rule, taught.span, taught.view.candidates)
        hit: set[int] = set(nodes.tolist()) & set(example.nodes)
        if hit:
            return min(hit)
    return None


def _disjunction(aim: Aim, contexts: list[Context], ranked: list[Hypothesis]) -> list[Rule]:
    """The best rule; if it leaves out examples, the best for those; else fallbacks based on other evidence."""
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
        rules += fallbacks(ranked)
    return rules


def _uncovered(contexts: list[Context], covered: npt.NDArray[np.bool_]) -> list[Context]:
    """The contexts with the examples that no rule matches yet."""
    left, place = [], 0
    for context in contexts:
        missing = [wanted for number, wanted in enumerate(context.wanted, start=place) if not covered[number]]
        place += len(context.wanted)
        if missing:
            left.append(replace(context, wanted=tuple(missing)))
    return left


def fallbacks(ranked: list[Hypothesis]) -> list[Rule]:
    """Rules that match the same by other evidence; they count if the first finds nothing."""
    best = ranked[0]
    used = set(best.conditions)
    rules: list[Rule] = []
    for hypothesis in ranked[1:]:
        if hypothesis.cost > best.cost + FALLBACK or hypothesis.extras > best.extras or not hypothesis.covered.all():
            continue
        if used.isdisjoint(hypothesis.conditions):
            used |= set(hypothesis.conditions)
            rules.append(Rule(hypothesis.conditions, hypothesis.pick))
        if len(rules) + 1 == MOST_RULES:
            break
    return rules


# ---------------------------------------------------------------- records


RecordExample: TypeAlias = Mapping[str, tuple["str | RecordExample", ...]]
"""An example record: the texts of each field; for a nested set, records again."""


@dataclass(frozen=True, eq=False)
class RecordShown:
    """Records of one page, or inside one of its records, in order.

    `from_start`: they are the first ones of their list, so nothing before them is a record.
    """

    view: View
    records: tuple[RecordExample, ...]
    from_start: bool = True
    span: SearchSpan | None = None

    @property
    def where(self) -> SearchSpan:
        """The span that they are in."""
        return self.span or SearchSpan(0, len(self.view.page))


def learn_set(name: str, shown: Sequence[RecordShown], *, most: int = 3) -> LearnedPattern:
    """A pattern for records, with one for each of their fields."""
    places = [(on_page, _items(on_page)) for on_page in shown if on_page.records]
    if not places:
        raise UsageError(f"There is no example of a record of “{name}” yet; give one.")
    flat = any(items.flat for _, items in places)
    if flat:
        places = [(on_page, items if items.flat else _items(on_page, flat=True)) for on_page, items in places]
    whole = [_whole_items(on_page, items) for on_page, items in places]
    alone = all(len(on_page.wanted) == 1 for on_page in whole)
    found = learn_rules(name, whole, frozenset(), many=True, most=most, more=alone)
    if not found.pattern.rules:
        raise UsageError(f"No rule tells the records of “{name}” from the rest of the page; show more of them.")
    names = dict.fromkeys(field_name for on_page, _ in places for record in on_page.records for field_name in record)
    inside = tuple(_learn_inner(field_name, places, most) for field_name in names)
    pattern = replace(found.pattern, fields=tuple(learned.pattern for learned in inside), flat=flat)
    return replace(found, pattern=pattern, fields=inside)


def _learn_inner(name: str, places: Sequence[tuple[RecordShown, Items]], most: int) -> LearnedPattern:
    """A field of records, or a nested set of records."""
    nested = [
        RecordShown(shown.view, records, shown.from_start, span)
        for shown, record, span in _each_item(places)
        if (records := tuple(value for value in record.get(name, ()) if not isinstance(value, str)))
    ]
    if nested:
        return learn_set(name, nested, most=most)
    values = frozenset(label_key(text) for shown, _ in places for record in shown.records for text in texts_in(record))
    taught = []
    for shown, record, span in _each_item(places):
        texts = [text for text in record.get(name, ()) if isinstance(text, str)]
        located = [place for text in texts if (place := _locate_inside(shown.view, text, span))]
        taught.append(Taught(shown.view, span, tuple(located)))
    whole = any(item.span.start in located.nodes for item in taught for located in item.wanted)
    if not whole:
        taught = [replace(item, span=SearchSpan(item.span.start + 1, item.span.stop)) for item in taught]
    learned = learn_field(name, taught, values, most=most)
    return replace(learned, pattern=replace(learned.pattern, whole=whole))


def _each_item(places: Sequence[tuple[RecordShown, Items]]) -> Iterator[tuple[RecordShown, RecordExample, SearchSpan]]:
    """Every record that is shown, with its span."""
    for shown, items in places:
        for number, record in enumerate(shown.records[: len(items.nodes)]):
            yield shown, record, item_span(shown.view, items, number)


def texts_in(record: RecordExample) -> Iterator[str]:
    """All texts of a record, including those of nested records."""
    for values in record.values():
        for value in values:
            if isinstance(value, str):
                yield value
            else:
                yield from texts_in(value)


def _items(shown: RecordShown, *, flat: bool = False) -> Items:
    """The elements that are the records of a page, found from where their values are nearest to each other."""
    view, where = shown.view, shown.where
    nodes: list[list[int]] = []
    taken: set[int] = set()
    for record in shown.records:
        located = [[locate_text(view, text, where.start, where.stop)] for text in texts_in(record)]
        chosen = nearest_places(view, located, frozenset(taken))
        if chosen:
            nodes.append(chosen)
            taken.update(chosen)
    return items_from(view, nodes, flat=flat)


def _whole_items(shown: RecordShown, items: Items) -> Taught:
    view = shown.view
    wanted = tuple(Located("", same_content(view, node)) for node in items.nodes)
    before: frozenset[int] = frozenset()
    if shown.from_start and len(items.nodes) > 1:
        page = view.page
        parent = int(page.parent[items.nodes[0]])
        inside = np.arange(parent + 1, items.nodes[-1])
        item_nodes = [node for found in wanted for node in found.nodes]
        siblings = inside[(page.parent[inside] == parent) & ~np.isin(inside, item_nodes)]
        before = frozenset(siblings[np.isin(page.tag[siblings], page.tag[list(items.nodes)])].tolist())
    return Taught(view, shown.where, wanted, before)


def same_content(view: View, node: int) -> tuple[int, ...]:
    """An element and those inside it that contain everything it contains."""
    chain = view.nodes_of(int(view.first[node]), int(view.last[node]))
    return tuple(inner for inner in chain if inner >= node) or (node,)


def _locate_inside(view: View, text: str, span: SearchSpan) -> Located | None:
    """Where a value is in its record; None if the record turned out to be smaller."""
    try:
        return locate_text(view, text, span.start, span.stop)
    except UsageError:
        return None


# Settings for teaching.


@dataclass(frozen=True, kw_only=True)
class TeachSettings(Settings):
    """How patterns are learned from examples."""

    conditions: int = setting(
        3, help="most conditions in a rule; few are more general and easier to read", minimum=1, maximum=3
    )
