"""A lesson: examples given one at a time or all at once, and at any point the wrapper learned from them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from sightline.errors import UsageError
from sightline.extract.wrappers._found import Checked, Training
from sightline.extract.wrappers._given import (
    GivenExample,
    ShownRecords,
    checked_name,
    examples_by_name,
    keep_located,
    locate_record,
    nodes_of,
    record_example,
)
from sightline.extract.wrappers._listings import Listing, items_beside, listings_of, rows_of, shown_in_listing
from sightline.extract.wrappers._lone import is_lone
from sightline.extract.wrappers._parallel_lists import (
    ITEMS,
    LEAST_TOGETHER,
    first_records,
    in_step,
    shares_items,
    single_field_records,
)
from sightline.extract.wrappers._wrapper import Wrapper
from sightline.extract.wrappers.patterns import (
    Hypothesis,
    LearnedPattern,
    Located,
    Pattern,
    Patterns,
    RecordShown,
    RegionShown,
    SearchSpan,
    Taught,
    TeachSettings,
    View,
    found_by,
    is_whole_item,
    item_at,
    items_of,
    key_of,
    label_key,
    learn_field,
    learn_region,
    learn_set,
    locate_node,
    locate_point,
    locate_text,
    mask_of,
    profile_of,
    read_patterns,
    search_span_in,
    texts_in,
    value_of,
)
from sightline.page import Node, Page

__all__ = ["Example", "Lesson", "Match", "Question"]

ASKED = 40  # of the best hypotheses vote on the next question
POINT = 2  # numbers of a point
LEAST_BESIDE = 3  # items of a list beside a single example; with fewer, it may as well be one of a few different things
MANY_PLACES = 10  # of one text on a page, from which on the text hardly tells which one is meant

Example: TypeAlias = str | int | Node | tuple[float, float]
"""A text as shown on the page, a node or its number, or a point of a rendered page in CSS pixels."""


class Match(NamedTuple):
    """One match of the current hypothesis."""

    node: int
    text: str
    xpath: str


class Question(NamedTuple):
    """The most useful question to answer next: is this node a value? `share` of the hypotheses say yes."""

    name: str
    page: Page
    node: int
    text: str
    share: float


class Lesson:
    """Teach a wrapper by example; after every example, see what it would extract.

    >>> from sightline.testing import list_page
    >>> page = list_page(["Canon EOS 5D", "Nikon D850", "Pentax K-1", "Leica M11"])
    >>> lesson = Lesson(page)
    >>> [match.text for match in lesson.want("name", "Canon EOS 5D").matches("name")]
    ['Canon EOS 5D', 'Nikon D850', 'Pentax K-1', 'Leica M11']
    """

    def __init__(self, page: Page | None = None, *, settings: TeachSettings | None = None) -> None:
        self.settings = settings or TeachSettings()
        self._views: list[View] = []
        self._given: list[GivenExample | ShownRecords] = []
        self._undo: list[tuple[int, int]] = []
        self._lost: list[str] = []
        self._unlearned: list[str] = []
        self._learned: dict[str, LearnedPattern] = {}
        self._free_patterns: dict[str, tuple[tuple[int, ...], LearnedPattern]] = {}
        self._listed: frozenset[str] | None = None
        self._listings: dict[int, list[Listing]] = {}
        self._listing: LearnedPattern | None = None
        self._is_listing: bool | None = None
        self._current = -1
        if page is not None:
            self.on(page)

    # ------------------------------------------------------------------ examples

    def on(self, page: Page) -> "Lesson":
        """Continue with another page; the next examples are on it."""
        self._current = self._number(page)
        return self

    def want(self, name: str, example: Example, *, page: Page | None = None) -> "Lesson":
        """Give an example of a value: a text as shown on the page, a node, or a point."""
        return self._add_example(name, example, page, wanted=True)

    def reject(self, name: str, example: Example, *, page: Page | None = None) -> "Lesson":
        """Give an example of what is not a value of the field."""
        return self._add_example(name, example, page, wanted=False)

    def absent(self, name: str, *, page: Page | None = None) -> "Lesson":
        """Say that the page has no such value, so anything found there is wrong."""
        number = self._number(page)
        here = [given for given in self._given if given.page == number and given.name == name]
        if any(isinstance(given, GivenExample) and given.wanted for given in here):
            raise UsageError(
                f"“{name}” has an example on this page, so it cannot be absent; take the example back with undo()."
            )
        self._mark()
        self._add(GivenExample(number, checked_name(name), None, wanted=False, complete=True))
        return self

    def show(
        self,
        page: Page,
        fields: Mapping[str, Sequence[str]] | None = None,
        records: Sequence[Mapping[str, Any]] = (),
        *,
        of: str = ITEMS,
    ) -> "Lesson":
        """Show everything that is wanted from a page at once: the texts of each field, and the first of its records.

        A field that is shown on other pages but not on this one has no value here. Examples that are not on the page
        are left out and reported in `notes`; if none is on the page, that is an error. Records can hold records:
        `{"name": "EOS 5D", "shops": [{"shop": "A", "price": "$5"}, {"shop": "B", "price": "$6"}]}`.
        """
        number = self._number(page)
        self._current = number
        view = self._views[number]
        wanted = {
            checked_name(name): [texts] if isinstance(texts, str) else texts for name, texts in (fields or {}).items()
        }
        located, lost = self._located(view, wanted)
        if records and of in wanted:
            raise UsageError(f"“{of}” is the name of both the records and a field; rename the records with of=….")
        shown = [kept for record in records if (kept := keep_located(view, record_example(record), lost))]
        if lost and not located and not shown:
            raise UsageError(lost[0])
        self._mark()
        self._lost += lost
        for name, found in located:
            self._add(GivenExample(number, name, found, wanted=True, complete=True))
        self._add(ShownRecords(number, of if shown else "", tuple(shown)))
        return self

    def _located(self, view: View, wanted: Mapping[str, Sequence[str]]) -> tuple[list[tuple[str, Located]], list[str]]:
        """Where the examples are on the page, and what is wrong with those that are not."""
        located, lost = [], []
        for name, texts in wanted.items():
            for text in texts:
                try:
                    located.append((name, self._locate(view, text)))
                except UsageError as problem:
                    lost.append(f"{name}: {problem}")
        return located, lost

    def undo(self) -> "Lesson":
        """Take back the last example."""
        if not self._undo:
            raise UsageError("There is nothing to undo; no example has been given yet.")
        given, lost = self._undo.pop()
        del self._given[given:], self._lost[lost:]
        self._forget()
        return self

    # ------------------------------------------------------------------ what was learned

    @property
    def names(self) -> list[str]:
        """The fields and sets that have examples."""
        return list(dict.fromkeys(given.name for given in self._given if given.name))

    def pattern(self, name: str) -> Pattern:
        """The current hypothesis about a field."""
        return self._hypothesis(name).pattern

    def matches(self, name: str, page: Page | None = None) -> list[Match]:
        """Everything on a page that the current hypothesis matches."""
        return self._matches(name, self._view(page))

    def _matches(self, name: str, view: View) -> list[Match]:
        pattern = self.pattern(name)
        found = self._nodes(name, view)
        texts = [value_of(view, pattern, node) for node in found]
        kept = [(node, text) for node, text in zip(found, texts, strict=True) if text is not None]
        return [Match(node, text, view.page.xpath(node)) for node, text in kept]

    def _nodes(self, name: str, view: View) -> list[int]:
        """The nodes of a page that the current hypothesis matches."""
        spans = [SearchSpan(0, len(view.page))]
        if listing := self._listing_with(name):
            field = self.pattern(name)
            spans = [search_span_in(field, item) for item in items_of(view, listing.pattern, spans[0])[0]]
            return [node for span in spans for node in found_by(view, field, span)[0].tolist()]
        path = name.split(".")
        for depth in range(1, len(path)):
            holder, field = self.pattern(".".join(path[:depth])), self.pattern(".".join(path[: depth + 1]))
            spans = [search_span_in(field, item) for span in spans for item in items_of(view, holder, span)[0]]
        return [node for span in spans for node in found_by(view, self.pattern(name), span)[0].tolist()]

    @property
    def wrapper(self) -> Wrapper:
        """The wrapper learned from the examples so far, checked on all pages of the lesson."""
        patterns = self._patterns()
        languages = [view.page.language for view in self._views if view.page.language]
        language = max(languages, key=languages.count, default=None)
        used = [self._views[number] for number in sorted({given.page for given in self._given})]
        readings = [(view, read_patterns(view, patterns)) for view in used]
        rules = Patterns(patterns, profile_of(patterns, readings, language))
        made = Wrapper(rules, rendered=any(view.page.kind == "rendered" for view in used), language=language)
        found = [made.read(view.page) for view in used]
        names = [view.page.url or view.page.title for view in used]
        checked = tuple(
            Checked(name, reading.verdict, round(reading.found, 4), round(reading.known, 4))
            for name, reading in zip(names, found, strict=True)
        )
        training = Training(len(used), len(used), sum(reading.verdict == "ok" for reading in found))
        return replace(made, training=training, checked=checked)

    @property
    def notes(self) -> list[str]:
        """Warnings about the examples: those left out, texts in many places, one of many, rules of one page only."""
        learned = self._marked(self._all_patterns()) if self.names else {}
        notes = [f"Left out: {problem}" for problem in (*self._lost, *self._unlearned)]
        for given in self._given:
            if isinstance(given, GivenExample) and given.located and given.wanted:
                places = given.located.places
                if places >= MANY_PLACES:
                    notes.append(
                        f"“{given.located.text}” is in {places} places on the page; if “{given.name}” takes the wrong "
                        "one, point at the right node, or reject the wrong one."
                    )
        notes += [
            f"“{name}” takes one of several that look alike; give another example if all are meant."
            for name, pattern in learned.items()
            if pattern.lone
        ]
        once = [name for name, pattern in learned.items() if pattern.pages == 1]
        if once:
            notes.append(f"Seen on one page only, so not checked on a second: {', '.join(once)}.")
        return notes

    def _patterns(self) -> tuple[Pattern, ...]:
        """The patterns of all names; fields that repeat together become the fields of records."""
        if not self.names:
            raise UsageError("There is no example yet; give one with want().")
        learned = self._marked(self._all_patterns())
        if listing := self._listing_with(self.names[0]):
            return (listing.pattern,)
        lists = [
            name
            for name, pattern in learned.items()
            if pattern.many and not pattern.fields and self._is_given_singly(name)
        ]
        if not lists:
            return tuple(learned.values())
        if len(learned) == 1:
            return (single_field_records(learned[lists[0]]),)
        together = self._records_from_lists(lists)
        if not together:
            return tuple(learned.values())
        names = [pattern.name for pattern in together.fields]
        rest = [pattern for name, pattern in learned.items() if name not in names]
        return (*rest, together)

    def _marked(self, learned: dict[str, Pattern]) -> dict[str, Pattern]:
        """The patterns, those marked that take one of many where nobody has said that only one is meant."""
        return {
            name: replace(pattern, lone=True) if self._is_lone(name, pattern) else pattern
            for name, pattern in learned.items()
        }

    def _is_lone(self, name: str, pattern: Pattern) -> bool:
        one_value = not pattern.many and not pattern.fields and pattern.take == "text"
        if not one_value or pattern.pages > 1 or not self._is_given_singly(name):
            return False
        pages = [given.page for given in self._given if given.name == name]
        return is_lone(self._views[pages[0]], self._listings_of(pages[0]), pattern)

    def _all_patterns(self) -> dict[str, Pattern]:
        """The patterns of all names, leaving out fields of pages shown as a whole for which no rule is found."""
        found: dict[str, Pattern] = {}
        self._unlearned = []
        for name in self.names:
            try:
                found[name] = self._hypothesis(name).pattern
            except UsageError as problem:
                if self._is_given_singly(name):
                    raise
                self._unlearned.append(str(problem))
        if not found:
            raise UsageError(self._unlearned[0])
        return found

    def _is_given_singly(self, name: str) -> bool:
        """Whether a field was taught by single examples; a page shown as a whole tells what is a list."""
        return not any(
            given.complete for given in self._given if isinstance(given, GivenExample) and given.name == name
        )

    def _records_from_lists(self, names: Sequence[str]) -> Pattern | None:
        """The records made of lists that run through a page in step, if any do."""
        shown, in_all = [], set(names)
        for view in self._views:
            nodes = {name: self._nodes(name, view) for name in names}
            leading = max(names, key=lambda name: len(nodes[name]))
            steps = [name for name in names if in_step(nodes[leading], nodes[name])]
            if len(steps) < LEAST_TOGETHER or len(nodes[leading]) < LEAST_TOGETHER:
                continue
            in_all &= set(steps)
            shown.append(RecordShown(view, tuple(first_records(view, {name: nodes[name] for name in steps}, leading))))
        in_all_order = [name for name in names if name in in_all]
        if not shown or len(in_all_order) < LEAST_TOGETHER:
            return None
        kept = [
            replace(
                on_page,
                records=tuple(
                    {name: texts for name, texts in record.items() if name in in_all} for record in on_page.records
                ),
            )
            for on_page in shown
        ]
        try:
            pattern = learn_set(ITEMS, kept, most=self.settings.conditions).pattern
        except UsageError:  # lists in step are not records then, and stay lists
            return None
        return pattern

    def question(self, name: str | None = None, page: Page | None = None) -> Question | None:
        """The node on which the remaining hypotheses disagree most, or None if they all agree."""
        view = self._view(page)
        asked = [question for field in ([name] if name else self.names) if (question := self._ask(field, view))]
        return min(asked, key=lambda question: abs(question.share - 0.5), default=None)

    def _ask(self, name: str, view: View) -> Question | None:
        learned = self._hypothesis(name)
        if learned.pattern.fields or learned.pattern.take != "text":
            return None
        best = learned.hypotheses[:ASKED]
        weights = np.exp([learned.hypotheses[0].cost - hypothesis.cost for hypothesis in best])
        votes = np.zeros(len(view.page))
        for hypothesis, weight in zip(best, weights.tolist(), strict=True):
            votes[_nodes_matching(view, hypothesis)] += weight
        shares = votes / weights.sum()
        answered = [
            node
            for given in self._given
            if isinstance(given, GivenExample) and given.located
            for node in given.located.nodes
        ]
        shares[answered] = 0
        node = int(np.argmin(np.abs(shares - 0.5)))
        if not 0 < shares[node] < 1:
            return None
        return Question(name, view.page, node, view.text(node), float(shares[node]))

    # ------------------------------------------------------------------ within

    def _add_example(self, name: str, example: Example, page: Page | None, *, wanted: bool) -> "Lesson":
        number = self._number(page)
        view = self._views[number]
        located = self._locate(view, example)
        self._mark()
        self._current = number
        self._add(GivenExample(number, checked_name(name), located, wanted=wanted))
        return self

    def _locate(self, view: View, example: Example) -> Located:
        if isinstance(example, Node):
            example = example.number
        if isinstance(example, tuple):
            if len(example) != POINT or not all(isinstance(coordinate, int | float) for coordinate in example):
                raise UsageError(f"A point on the page must be two numbers (x, y), not {example!r:.60}.")
            return locate_point(view, *example)
        if isinstance(example, str):
            return locate_text(view, example, 0, len(view.page))
        if not isinstance(example, int | np.integer) or isinstance(example, bool):
            raise UsageError(f"An example must be a text, a node, its number or a point (x, y), not {example!r:.60}.")
        return locate_node(view, int(example))

    def _mark(self) -> None:
        self._undo.append((len(self._given), len(self._lost)))

    def _add(self, given: GivenExample | ShownRecords) -> None:
        self._given.append(given)
        self._forget()

    def _forget(self) -> None:
        """Discard what was learned: after another example it may no longer hold."""
        self._learned.clear()
        self._listed = None
        self._is_listing = None

    def _number(self, page: Page | None) -> int:
        """The number of a page in the lesson; a new page is added."""
        if page is None:
            if self._current < 0:
                raise UsageError("The lesson has no page yet; start with teach(page), or pass page=….")
            return self._current
        if not isinstance(page, Page):
            raise UsageError(f"A wrapper is taught on pages, not on {page!r:.60}; open it first with open().")
        for number, view in enumerate(self._views):
            if view.page is page:
                return number
        view = View(page)
        if not len(view.leaves):
            raise UsageError(f"{page.url or page.title or 'The page'} has no visible text; open another page.")
        self._views.append(view)
        return len(self._views) - 1

    def _view(self, page: Page | None) -> View:
        """The view of a page; a page outside the lesson gets a new one."""
        if page is None:
            return self._views[self._number(None)]
        in_lesson = [view for view in self._views if view.page is page]
        return in_lesson[0] if in_lesson else View(page)

    def _hypothesis(self, name: str) -> LearnedPattern:
        if name not in self._learned:
            self._learned[name] = self._learn(name)
        return self._learned[name]

    def _learn(self, name: str) -> LearnedPattern:
        holder, _, inner = name.rpartition(".")
        if holder:
            fields = {learned.pattern.name: learned for learned in self._hypothesis(holder).fields}
            if inner not in fields:
                raise UsageError(f"There is no example of “{name}” yet; give one.")
            return fields[inner]
        records = [given for given in self._given if isinstance(given, ShownRecords) and given.name == name]
        if records:
            shown = [RecordShown(self._views[given.page], given.records) for given in records]
            return self._region_shown(name, records) or learn_set(name, shown, most=self.settings.conditions)
        if listing := self._listing_with(name):
            return next(learned for learned in listing.fields if learned.pattern.name == name)
        if name not in self.names:
            raise UsageError(f"There is no example of “{name}” yet; give one with want().")
        taught = self._taught(name)
        if not self._is_single(name):
            several = list(map(self._with_siblings, taught))
            return learn_field(name, several, self._values, most=self.settings.conditions)
        free, many = self._free(name), name in self._lists
        if free.pattern.many == many:
            return free
        alone = [self._with_siblings(replace(on_page, complete=not many)) for on_page in taught]
        return learn_field(name, alone, self._values, many=many, most=self.settings.conditions)

    # ------------------------------------------------------------------ pages of results

    def _listings_of(self, number: int) -> list[Listing]:
        """The repeated regions of a page of the lesson, found once."""
        if number not in self._listings:
            self._listings[number] = listings_of(self._views[number])
        return self._listings[number]

    def _listing_with(self, name: str) -> LearnedPattern | None:
        """The records that the examples of a field, with those of all others, are in: a region that repeats."""
        if self._is_listing is None:
            self._listing = self._learn_listing()
            self._is_listing = self._listing is not None
        return self._listing if self._is_listing and name in self.names else None

    def _learn_listing(self) -> LearnedPattern | None:
        """The records of the region that all examples are in, if there are several fields."""
        given = [given for given in self._given if isinstance(given, GivenExample)]
        wanted = [one for one in given if one.wanted]
        if len(given) < len(self._given) or any(one.complete for one in given):
            return None
        if len({one.name for one in wanted}) < LEAST_TOGETHER:
            return None
        shown = []
        for number in sorted({one.page for one in wanted}):
            examples, rejected = (examples_by_name(given, number, wanted=kind) for kind in (True, False))
            found = shown_in_listing(self._views[number], self._listings_of(number), rows_of(examples))
            if found is None:
                return None
            refused = {name: frozenset(nodes_of(several)) for name, several in rejected.items()}
            shown.append(replace(found, rejected=refused))
        return self._learned_region(ITEMS, shown)

    def _with_siblings(self, taught: Taught) -> Taught:
        """Examples that are whole items of a list, with all its other items: a field with many values."""
        if taught.complete or taught.rejected:
            return taught
        others = self._siblings(taught)
        return replace(taught, wanted=(*taught.wanted, *(item_at(taught.view, node) for node in others)))

    def _siblings(self, taught: Taught) -> list[int]:
        """The other items of the list whose whole items the examples are; none if there is no such list.

        Nor if another field has one of them: then the items are different things.
        """
        view = taught.view
        if not taught.wanted or not all(is_whole_item(view, located.nodes[0]) for located in taught.wanted):
            return []
        number = self._number(view.page)
        found = items_beside(view, self._listings_of(number), taught.wanted)
        given = [one for one in self._given if isinstance(one, GivenExample)]
        taken = [
            node for several in examples_by_name(given, number, wanted=True).values() for node in nodes_of(several)
        ]
        return [] if any(start <= node < view.page.end[start] for start in found for node in taken) else found

    def _region_shown(self, name: str, given: Sequence[ShownRecords]) -> LearnedPattern | None:
        """The records of a set, if those that were shown are in a region that repeats."""
        shown = []
        for on_page in given:
            view = self._views[on_page.page]
            records = [values for record in on_page.records if (values := locate_record(view, record))]
            if len(records) < max(len(on_page.records), LEAST_TOGETHER):
                return None
            found = shown_in_listing(view, self._listings_of(on_page.page), records, from_start=True)
            if found is None:
                return None
            shown.append(found)
        return self._learned_region(name, shown)

    def _learned_region(self, name: str, shown: Sequence[RegionShown]) -> LearnedPattern | None:
        if not shown or len({on_page.flat for on_page in shown}) > 1:
            return None
        try:
            return learn_region(name, shown, most=self.settings.conditions)
        except UsageError:  # no rule tells its records from the rest, so the examples mean something else
            return None

    def _is_single(self, name: str) -> bool:
        """Whether at most one value was given on every page, which may stand for a list or for itself."""
        examples = [given for given in self._given if isinstance(given, GivenExample) and given.name == name]
        wanted = [given.page for given in examples if given.located and given.wanted]
        return not any(given.complete for given in examples) and len(set(wanted)) == len(wanted)

    @property
    def _lists(self) -> frozenset[str]:
        """The fields whose single examples stand for lists: several that belong together, or the only one.

        A page about one thing has lists as well. So if only one field seems to be a list, beside others that are not,
        its example stands for itself.
        """
        if self._listed is None:
            single = [name for name in self.names if "." not in name and self._is_single(name)]
            free = {name: self._free(name) for name in single}
            lists = [name for name, learned in free.items() if learned.pattern.many or self._is_item(name, learned)]
            beside = [name for name in single if any(self._goes_with(free[name], free[other]) for other in lists)]
            together = frozenset((*lists, *beside))
            self._listed = together if len(together) > 1 or len(single) == 1 else frozenset()
        return self._listed

    def _is_item(self, name: str, learned: LearnedPattern) -> bool:
        """Whether a field's example is a whole item of a list, told from the others by nothing but its position."""
        pages = [taught for taught in learned.taught if taught.wanted]
        if len(pages) != 1 or pages[0].rejected or len(self._siblings(pages[0])) < LEAST_BESIDE:
            return False
        return self._is_lone(name, learned.pattern)

    def _free(self, name: str) -> LearnedPattern:
        """What a field's examples mean without regard to other fields; cached until it gets another example."""
        examples = tuple(id(given) for given in self._given if given.name == name)
        cached = self._free_patterns.get(name)
        if cached is None or cached[0] != examples:
            learned = learn_field(name, self._taught(name), self._values, most=self.settings.conditions)
            cached = self._free_patterns[name] = (examples, learned)
        return cached[1]

    def _goes_with(self, learned: LearnedPattern, other: LearnedPattern) -> bool:
        """Whether the example of a field is in an item of a list."""
        return any(
            shares_items(taught.view, example.nodes[0], found_by(taught.view, other.pattern, taught.span)[0].tolist())
            for taught in learned.taught
            for example in taught.wanted
        )

    @property
    def _values(self) -> frozenset[str]:
        """The texts of all examples: none of them is a label."""
        single = [
            given.located.text
            for given in self._given
            if isinstance(given, GivenExample) and given.located and given.wanted
        ]
        inside = [
            text
            for given in self._given
            if isinstance(given, ShownRecords)
            for record in given.records
            for text in texts_in(record)
        ]
        return frozenset(map(label_key, (*single, *inside)))

    def _taught(self, name: str) -> list[Taught]:
        """The examples of a field, page by page; a page shown as a whole counts even if it has none."""
        found = []
        for number, view in enumerate(self._views):
            here = [given for given in self._given if given.page == number]
            examples = [given for given in here if isinstance(given, GivenExample) and given.name == name]
            whole = any(isinstance(given, ShownRecords) for given in here)
            if not examples and not whole:
                continue
            wanted = tuple(given.located for given in examples if given.located and given.wanted)
            unwanted = frozenset(
                node for given in examples if given.located and not given.wanted for node in given.located.nodes
            )
            texts = {key_of(located.text) for located in wanted}
            others = frozenset(
                node
                for given in here
                if isinstance(given, GivenExample) and given.name != name and given.wanted and given.located
                if given.located.places == 1 and key_of(given.located.text) not in texts
                for node in given.located.nodes
            )
            complete = whole or any(given.complete for given in examples)
            rejected = sum(given.located is not None and not given.wanted for given in examples)
            found.append(Taught(view, SearchSpan(0, len(view.page)), wanted, unwanted, others, complete, rejected))
        return found


def _nodes_matching(view: View, hypothesis: Hypothesis) -> list[int]:
    nodes = view.candidates
    for condition in hypothesis.conditions:
        nodes = nodes[mask_of(view, condition)[nodes]]
    if hypothesis.pick == "first":
        nodes = nodes[:1]
    elif hypothesis.pick == "last":
        nodes = nodes[-1:]
    return [int(node) for node in nodes]
