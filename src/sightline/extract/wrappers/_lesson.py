"""A lesson: examples given one by one or all at once, and at any time the wrapper that they make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from sightline.errors import UsageError
from sightline.extract.wrappers._found import Checked, Training
from sightline.extract.wrappers._parallel_lists import (
    ITEMS,
    LEAST_TOGETHER,
    first_records,
    in_step,
    of_one,
    shares_items,
)
from sightline.extract.wrappers._wrapper import Wrapper
from sightline.extract.wrappers.patterns import (
    Hypothesis,
    LearnedPattern,
    Located,
    Pattern,
    Patterns,
    RecordExample,
    RecordShown,
    SearchSpan,
    Taught,
    TeachSettings,
    View,
    found_by,
    inside,
    items_of,
    key_of,
    label_key,
    learn_field,
    learn_set,
    located_node,
    located_point,
    located_text,
    mask_of,
    profile_of,
    read_patterns,
    texts_in,
    value_of,
)
from sightline.page import Node, Page

__all__ = ["Example", "Lesson", "Match", "Question"]

ASKED = 40  # of the best hypotheses have a say in what is asked next
POINT = 2  # numbers of a point
MANY_PLACES = 10  # of one text on a page, from which on it says little about which one is meant

Example: TypeAlias = str | int | Node | tuple[float, float]
"""A text as shown on the page, a node or its number, or a point of a rendered page in CSS pixels."""


class Match(NamedTuple):
    """One match of the current hypothesis."""

    node: int
    text: str
    xpath: str


class Question(NamedTuple):
    """The most useful thing to say next: whether this node is one; `share` of the hypotheses take it to be."""

    name: str
    page: Page
    node: int
    text: str
    share: float


@dataclass(frozen=True, eq=False)
class _Said:
    """One thing that was said: on which page, of which field, what is or is not one."""

    page: int
    name: str
    located: Located | None
    wanted: bool
    complete: bool = False


@dataclass(frozen=True, eq=False)
class _Shown:
    """Records that were shown on a page."""

    page: int
    name: str
    records: tuple[RecordExample, ...]


class Lesson:
    """Teach a wrapper by pointing; see what it would take after every example.

    >>> from sightline.testing import list_page
    >>> page = list_page(["Canon EOS 5D", "Nikon D850", "Pentax K-1", "Leica M11"])
    >>> lesson = Lesson(page)
    >>> [match.text for match in lesson.want("name", "Canon EOS 5D").matches("name")]
    ['Canon EOS 5D', 'Nikon D850', 'Pentax K-1', 'Leica M11']
    """

    def __init__(self, page: Page | None = None, *, settings: TeachSettings | None = None) -> None:
        self.settings = settings or TeachSettings()
        self._views: list[View] = []
        self._said: list[_Said | _Shown] = []
        self._undo: list[tuple[int, int]] = []
        self._lost: list[str] = []
        self._unlearned: list[str] = []
        self._learned: dict[str, LearnedPattern] = {}
        self._kept: dict[str, tuple[tuple[int, ...], LearnedPattern]] = {}
        self._listed: frozenset[str] | None = None
        self._current = -1
        if page is not None:
            self.on(page)

    # ------------------------------------------------------------------ examples

    def on(self, page: Page) -> "Lesson":
        """Go on with another page; what is said next is about it."""
        self._current = self._number(page)
        return self

    def want(self, name: str, example: Example, *, page: Page | None = None) -> "Lesson":
        """This is one: a text as shown on the page, a node, or a point."""
        return self._say(name, example, page, wanted=True)

    def reject(self, name: str, example: Example, *, page: Page | None = None) -> "Lesson":
        """This is none."""
        return self._say(name, example, page, wanted=False)

    def absent(self, name: str, *, page: Page | None = None) -> "Lesson":
        """The page has no such value: whatever is found there is wrong."""
        number = self._number(page)
        here = [own for own in self._said if own.page == number and own.name == name]
        if any(isinstance(own, _Said) and own.wanted for own in here):
            raise UsageError(
                f"“{name}” has an example on this page, so it is not absent there; take that back with undo()."
            )
        self._mark()
        self._tell(_Said(number, _named(name), None, wanted=False, complete=True))
        return self

    def show(
        self,
        page: Page,
        fields: Mapping[str, Sequence[str]] | None = None,
        records: Sequence[Mapping[str, Any]] = (),
        *,
        of: str = ITEMS,
    ) -> "Lesson":
        """Everything that is wanted of a page at once: for each field its texts, and the first of its records.

        A field that is shown on other pages and not on this one has no value here. An example that does not stand on
        the page is left out, and told in `notes`; none at all is an error. The records can hold records:
        `{"name": "EOS 5D", "shops": [{"shop": "A", "price": "$5"}, {"shop": "B", "price": "$6"}]}`.
        """
        number = self._number(page)
        self._current = number
        view = self._views[number]
        wanted = {_named(name): [texts] if isinstance(texts, str) else texts for name, texts in (fields or {}).items()}
        located, lost = self._located(view, wanted)
        if records and of in wanted:
            raise UsageError(f"“{of}” is the name of the records and of a field; call one of them otherwise, by of=….")
        shown = [own for record in records if (own := _standing(view, _record(record), lost))]
        if lost and not located and not shown:
            raise UsageError(lost[0])
        self._mark()
        self._lost += lost
        for name, one in located:
            self._tell(_Said(number, name, one, wanted=True, complete=True))
        self._tell(_Shown(number, of if shown else "", tuple(shown)))
        return self

    def _located(self, view: View, wanted: Mapping[str, Sequence[str]]) -> tuple[list[tuple[str, Located]], list[str]]:
        """Where examples stand, and what is wrong with those that do not."""
        located, lost = [], []
        for name, texts in wanted.items():
            for text in texts:
                try:
                    located.append((name, self._locate(view, text)))
                except UsageError as problem:
                    lost.append(f"{name}: {problem}")
        return located, lost

    def undo(self) -> "Lesson":
        """Take back what was said last."""
        if not self._undo:
            raise UsageError("There is nothing to undo; no example was given yet.")
        said, lost = self._undo.pop()
        del self._said[said:], self._lost[lost:]
        self._forget()
        return self

    # ------------------------------------------------------------------ what was learned

    @property
    def names(self) -> list[str]:
        """The fields and sets that examples were given of."""
        return list(dict.fromkeys(own.name for own in self._said if own.name))

    def pattern(self, name: str) -> Pattern:
        """The current hypothesis about a field."""
        return self._hypothesis(name).pattern

    def matches(self, name: str, page: Page | None = None) -> list[Match]:
        """Everything on a page that the current hypothesis takes."""
        return self._matches(name, self._view(page))

    def _matches(self, name: str, view: View) -> list[Match]:
        pattern = self.pattern(name)
        found = self._nodes(name, view)
        texts = [value_of(view, pattern, node) for node in found]
        kept = [(node, text) for node, text in zip(found, texts, strict=True) if text is not None]
        return [Match(node, text, view.page.xpath(node)) for node, text in kept]

    def _nodes(self, name: str, view: View) -> list[int]:
        """What the current hypothesis takes from a page."""
        spans = [SearchSpan(0, len(view.page))]
        path = name.split(".")
        for depth in range(1, len(path)):
            holder, own = self.pattern(".".join(path[:depth])), self.pattern(".".join(path[: depth + 1]))
            spans = [inside(own, item) for span in spans for item in items_of(view, holder, span)[0]]
        return [node for span in spans for node in found_by(view, self.pattern(name), span)[0].tolist()]

    @property
    def wrapper(self) -> Wrapper:
        """The wrapper that the examples make so far, checked on all pages of the lesson."""
        patterns = self._patterns()
        languages = [view.page.language for view in self._views if view.page.language]
        language = max(languages, key=languages.count, default=None)
        used = [self._views[number] for number in sorted({own.page for own in self._said})]
        readings = [(view, read_patterns(view, patterns)) for view in used]
        rules = Patterns(patterns, profile_of(patterns, readings, language))
        made = Wrapper(rules, rendered=any(view.page.kind == "rendered" for view in used), language=language)
        found = [made.read(view.page) for view in used]
        names = [view.page.url or view.page.title for view in used]
        checked = tuple(
            Checked(name, own.verdict, round(own.found, 4), round(own.known, 4))
            for name, own in zip(names, found, strict=True)
        )
        training = Training(len(used), len(used), sum(own.verdict == "ok" for own in found))
        return replace(made, training=training, checked=checked)

    @property
    def notes(self) -> list[str]:
        """What is worth knowing about the examples: what was left out, places that are many, rules seen on one page."""
        learned = self._all_patterns() if self.names else {}
        told = [f"Left out: {problem}" for problem in (*self._lost, *self._unlearned)]
        for own in self._said:
            if isinstance(own, _Said) and own.located and own.wanted and own.located.places >= MANY_PLACES:
                places = own.located.places
                told.append(
                    f"“{own.located.text}” stands in {places} places; if “{own.name}” takes the wrong one, point at "
                    "the right one by its node, or reject what is wrong."
                )
        once = [name for name, own in learned.items() if own.pages == 1]
        if once:
            told.append(f"Seen on one page only, so not checked on a second: {', '.join(once)}.")
        return told

    def _patterns(self) -> tuple[Pattern, ...]:
        """The patterns of all names; fields that repeat together are the fields of records."""
        if not self.names:
            raise UsageError("There is no example yet; show one with want().")
        learned = self._all_patterns()
        lists = [name for name, own in learned.items() if own.many and not own.fields and self._is_pointed(name)]
        if not lists:
            return tuple(learned.values())
        if len(learned) == 1:
            return (of_one(learned[lists[0]]),)
        together = self._together(lists)
        if not together:
            return tuple(learned.values())
        names = [own.name for own in together.fields]
        rest = [own for name, own in learned.items() if name not in names]
        return (*rest, together)

    def _all_patterns(self) -> dict[str, Pattern]:
        """The patterns of all names. Of what was shown all at once, a field that no rule is found for is left out."""
        found: dict[str, Pattern] = {}
        self._unlearned = []
        for name in self.names:
            try:
                found[name] = self._hypothesis(name).pattern
            except UsageError as problem:
                if self._is_pointed(name):
                    raise
                self._unlearned.append(str(problem))
        if not found:
            raise UsageError(self._unlearned[0])
        return found

    def _is_pointed(self, name: str) -> bool:
        """Whether a field was taught by single examples; who shows a whole page says what is a list."""
        return not any(own.complete for own in self._said if isinstance(own, _Said) and own.name == name)

    def _together(self, names: Sequence[str]) -> Pattern | None:
        """The records that lists make which go through a page in step, if they do."""
        shown, inside = [], set(names)
        for view in self._views:
            nodes = {name: self._nodes(name, view) for name in names}
            leading = max(names, key=lambda name: len(nodes[name]))
            steps = [name for name in names if in_step(nodes[leading], nodes[name])]
            if len(steps) < LEAST_TOGETHER or len(nodes[leading]) < LEAST_TOGETHER:
                continue
            inside &= set(steps)
            shown.append(RecordShown(view, tuple(first_records(view, {name: nodes[name] for name in steps}, leading))))
        inside_order = [name for name in names if name in inside]
        if not shown or len(inside_order) < LEAST_TOGETHER:
            return None
        kept = [
            replace(own, records=tuple({n: t for n, t in r.items() if n in inside} for r in own.records))
            for own in shown
        ]
        try:
            pattern = learn_set(ITEMS, kept, most=self.settings.conditions).pattern
        except UsageError:  # what goes in step is no record then; the lists stay lists
            return None
        return pattern

    def question(self, name: str | None = None, page: Page | None = None) -> Question | None:
        """The node on which the hypotheses that are left disagree most; None where they all agree."""
        view = self._view(page)
        asked = [question for own in ([name] if name else self.names) if (question := self._ask(own, view))]
        return min(asked, key=lambda own: abs(own.share - 0.5), default=None)

    def _ask(self, name: str, view: View) -> Question | None:
        learned = self._hypothesis(name)
        if learned.pattern.fields or learned.pattern.take != "text":
            return None
        best = learned.hypotheses[:ASKED]
        weights = np.exp([learned.hypotheses[0].cost - own.cost for own in best])
        votes = np.zeros(len(view.page))
        for own, weight in zip(best, weights.tolist(), strict=True):
            votes[_taken_by(view, own)] += weight
        shares = votes / weights.sum()
        known = [node for own in self._said if isinstance(own, _Said) and own.located for node in own.located.nodes]
        shares[known] = 0
        node = int(np.argmin(np.abs(shares - 0.5)))
        if not 0 < shares[node] < 1:
            return None
        return Question(name, view.page, node, view.text(node), float(shares[node]))

    # ------------------------------------------------------------------ within

    def _say(self, name: str, example: Example, page: Page | None, *, wanted: bool) -> "Lesson":
        number = self._number(page)
        view = self._views[number]
        located = self._locate(view, example)
        self._mark()
        self._current = number
        self._tell(_Said(number, _named(name), located, wanted=wanted))
        return self

    def _locate(self, view: View, example: Example) -> Located:
        if isinstance(example, Node):
            example = example.number
        if isinstance(example, tuple):
            if len(example) != POINT or not all(isinstance(own, int | float) for own in example):
                raise UsageError(f"A point on the page is two numbers, x and y, not {example!r:.60}.")
            return located_point(view, *example)
        if isinstance(example, str):
            return located_text(view, example, 0, len(view.page))
        if not isinstance(example, int | np.integer) or isinstance(example, bool):
            raise UsageError(f"An example is a text, a node, its number or a point (x, y), not {example!r:.60}.")
        return located_node(view, int(example))

    def _mark(self) -> None:
        self._undo.append((len(self._said), len(self._lost)))

    def _tell(self, said: "_Said | _Shown") -> None:
        self._said.append(said)
        self._forget()

    def _forget(self) -> None:
        """Another thing was said: what was learned before may no longer hold."""
        self._learned.clear()
        self._listed = None

    def _number(self, page: Page | None) -> int:
        """The number of a page in the lesson; a new one joins it."""
        if page is None:
            if self._current < 0:
                raise UsageError("The lesson has no page yet; begin with teach(page), or give one by page=….")
            return self._current
        if not isinstance(page, Page):
            raise UsageError(f"Wrappers are taught on pages, not on {page!r:.60}; open it first, with open().")
        for number, view in enumerate(self._views):
            if view.page is page:
                return number
        view = View(page)
        if not len(view.leaves):
            raise UsageError(f"{page.url or page.title or 'The page'} has no text that can be seen; open another page.")
        self._views.append(view)
        return len(self._views) - 1

    def _view(self, page: Page | None) -> View:
        """The columns of a page; of one that is not in the lesson they are made anew."""
        if page is None:
            return self._views[self._number(None)]
        known = [view for view in self._views if view.page is page]
        return known[0] if known else View(page)

    def _hypothesis(self, name: str) -> LearnedPattern:
        if name not in self._learned:
            self._learned[name] = self._learn(name)
        return self._learned[name]

    def _learn(self, name: str) -> LearnedPattern:
        holder, _, inner = name.rpartition(".")
        if holder:
            fields = {own.pattern.name: own for own in self._hypothesis(holder).fields}
            if inner not in fields:
                raise UsageError(f"There is no example of “{name}” yet; show one.")
            return fields[inner]
        records = [own for own in self._said if isinstance(own, _Shown) and own.name == name]
        if records:
            shown = [RecordShown(self._views[own.page], own.records) for own in records]
            return learn_set(name, shown, most=self.settings.conditions)
        if name not in self.names:
            raise UsageError(f"There is no example of “{name}” yet; show one with want().")
        taught = self._taught(name)
        if not self._is_single(name):
            return learn_field(name, taught, self._values, most=self.settings.conditions)
        free, many = self._free(name), name in self._lists
        if free.pattern.many == many:
            return free
        alone = [replace(own, complete=not many) for own in taught]
        return learn_field(name, alone, self._values, many=many, most=self.settings.conditions)

    def _is_single(self, name: str) -> bool:
        """Whether one value at most was pointed at on every page, which may stand for a list or for itself."""
        own = [one for one in self._said if isinstance(one, _Said) and one.name == name]
        wanted = [one.page for one in own if one.located and one.wanted]
        return not any(one.complete for one in own) and len(set(wanted)) == len(wanted)

    @property
    def _lists(self) -> frozenset[str]:
        """The fields whose single examples are of lists: several that go together, or the only one.

        A page about one thing has lists as well. So where one field alone seems to be of a list, beside others that are
        not, its example means itself.
        """
        if self._listed is None:
            single = [name for name in self.names if "." not in name and self._is_single(name)]
            free = {name: self._free(name) for name in single}
            lists = [name for name, own in free.items() if own.pattern.many]
            beside = [name for name in single if any(self._goes_with(free[name], free[other]) for other in lists)]
            together = frozenset((*lists, *beside))
            self._listed = together if len(together) > 1 or len(single) == 1 else frozenset()
        return self._listed

    def _free(self, name: str) -> LearnedPattern:
        """What the examples of a field mean if nothing is known of the others; kept until more is said of it."""
        said = tuple(id(own) for own in self._said if own.name == name)
        known = self._kept.get(name)
        if known is None or known[0] != said:
            learned = learn_field(name, self._taught(name), self._values, most=self.settings.conditions)
            known = self._kept[name] = (said, learned)
        return known[1]

    def _goes_with(self, learned: LearnedPattern, other: LearnedPattern) -> bool:
        """Whether the example of a field stands in an item of a list."""
        return any(
            shares_items(own.view, one.nodes[0], found_by(own.view, other.pattern, own.span)[0].tolist())
            for own in learned.taught
            for one in own.wanted
        )

    @property
    def _values(self) -> frozenset[str]:
        """The texts of all examples: none of them is a label."""
        single = [own.located.text for own in self._said if isinstance(own, _Said) and own.located and own.wanted]
        inside = [
            text for own in self._said if isinstance(own, _Shown) for record in own.records for text in texts_in(record)
        ]
        return frozenset(map(label_key, (*single, *inside)))

    def _taught(self, name: str) -> list[Taught]:
        """What was said of a field, page by page; a page that was shown as a whole counts even if it has none."""
        found = []
        for number, view in enumerate(self._views):
            here = [own for own in self._said if own.page == number]
            own = [one for one in here if isinstance(one, _Said) and one.name == name]
            whole = any(isinstance(one, _Shown) for one in here)
            if not own and not whole:
                continue
            wanted = tuple(one.located for one in own if one.located and one.wanted)
            unwanted = frozenset(node for one in own if one.located and not one.wanted for node in one.located.nodes)
            said = {key_of(one.text) for one in wanted}
            others = frozenset(
                node
                for one in here
                if isinstance(one, _Said) and one.name != name and one.wanted and one.located
                if one.located.places == 1 and key_of(one.located.text) not in said
                for node in one.located.nodes
            )
            complete = whole or any(one.complete for one in own)
            rejected = sum(one.located is not None and not one.wanted for one in own)
            found.append(Taught(view, SearchSpan(0, len(view.page)), wanted, unwanted, others, complete, rejected))
        return found


def _taken_by(view: View, hypothesis: Hypothesis) -> list[int]:
    nodes = view.candidates
    for condition in hypothesis.conditions:
        nodes = nodes[mask_of(view, condition)[nodes]]
    if hypothesis.pick == "first":
        nodes = nodes[:1]
    elif hypothesis.pick == "last":
        nodes = nodes[-1:]
    return [int(node) for node in nodes]


def _named(name: str) -> str:
    if not isinstance(name, str) or not name.strip():
        raise UsageError(f"A field has a name, not {name!r}; call it by what it is, such as price.")
    if "." in name:
        raise UsageError(
            f"{name!r} is no name for a field: a dot stands between a set and its fields; show records instead."
        )
    return name


def _record(record: Mapping[str, Any]) -> RecordExample:
    """A record of examples with the fields that it has."""
    found: dict[str, tuple[str | RecordExample, ...]] = {}
    for name, given in record.items():
        values = [given] if isinstance(given, str | Mapping) else given
        own = tuple(_record(one) if isinstance(one, Mapping) else _text(name, one) for one in values)
        if own:
            found[_named(name)] = own
    return found


def _standing(view: View, record: RecordExample, lost: list[str]) -> RecordExample:
    """A record with the texts that stand on a page; what is wrong with the others is told."""
    found: dict[str, tuple[str | RecordExample, ...]] = {}
    for name, values in record.items():
        kept: list[str | RecordExample] = []
        for own in values:
            if not isinstance(own, str):
                kept += [inner] if (inner := _standing(view, own, lost)) else []
                continue
            try:
                located_text(view, own, 0, len(view.page))
            except UsageError as problem:
                lost.append(f"{name}: {problem}")
            else:
                kept.append(own)
        if kept:
            found[name] = tuple(kept)
    return found


def _text(name: str, given: object) -> str:
    if not isinstance(given, str):
        raise UsageError(f"An example of “{name}” is a text or a record, not {given!r:.60}.")
    return given
