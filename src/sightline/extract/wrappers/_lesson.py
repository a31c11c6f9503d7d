"""A lesson: examples given one at a time or all at once, and at any point the wrapper learned from them."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from sightline.errors import UsageError
from sightline.extract.wrappers._found import Found
from sightline.extract.wrappers._gathered import Example, Gathered, gather
from sightline.extract.wrappers._hypotheses import MANY_PLACES
from sightline.extract.wrappers._learned_lesson import LearnedLesson, title_of
from sightline.extract.wrappers._lesson_steps import LessonSteps
from sightline.extract.wrappers._wrapper import Wrapper
from sightline.extract.wrappers.patterns import (
    Condition,
    Hypothesis,
    LearnedPattern,
    Pattern,
    PatternReading,
    Rule,
    SearchSpan,
    View,
    condition_in_words,
    conditions_on,
    found_by,
    items_of,
    mask_of,
    pattern_in_words,
    search_span_in,
    values_of,
)
from sightline.page import Page

# Conditions that people may choose from when they edit a rule by hand.

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


# The most useful question about a field: the node on which what may have been meant disagrees most.

ASKED = 40  # of the best hypotheses vote on the next question


class Question(NamedTuple):
    """The most useful question to answer next: is this node a value? `share` of the hypotheses say yes."""

    name: str
    page: Page
    node: int
    text: str
    share: float


def question_about(name: str, learned: LearnedPattern, view: View, answered: Collection[int]) -> Question | None:
    """The node of a page on which the hypotheses about a field disagree most; None if they all agree."""
    if learned.pattern.fields or learned.pattern.take != "text" or not learned.hypotheses:
        return None
    best = learned.hypotheses[:ASKED]
    weights = np.exp([learned.hypotheses[0].cost - hypothesis.cost for hypothesis in best])
    votes = np.zeros(len(view.page))
    for hypothesis, weight in zip(best, weights.tolist(), strict=True):
        votes[_nodes_matching(view, hypothesis)] += weight
    shares = votes / weights.sum()
    shares[list(answered)] = 0
    node = int(np.argmin(np.abs(shares - 0.5)))
    if not 0 < shares[node] < 1:
        return None
    return Question(name, view.page, node, view.text(node), float(shares[node]))


def _nodes_matching(view: View, hypothesis: Hypothesis) -> list[int]:
    nodes = view.candidates
    for condition in hypothesis.conditions:
        nodes = nodes[mask_of(view, condition)[nodes]]
    if hypothesis.pick == "first":
        nodes = nodes[:1]
    elif hypothesis.pick == "last":
        nodes = nodes[-1:]
    return [int(node) for node in nodes]


class Match(NamedTuple):
    """One match of the current hypothesis."""

    node: int
    text: str
    xpath: str


class Preview(NamedTuple):
    """What an example would do if it were given: the matches on its page, and the rule in words."""

    matches: list[Match]
    words: str


class TaughtExample(NamedTuple):
    """An example as it was given: its page, the node if it is one place, its text, and whether it is wanted.

    An empty text that is not wanted says that the page has no such value.
    """

    page: Page
    node: int | None
    text: str
    wanted: bool


class Lesson(LessonSteps):
    """Teach a wrapper by example; after every example, see what it would extract.

    >>> from sightline.testing import list_page
    >>> page = list_page(["Canon EOS 5D", "Nikon D850", "Pentax K-1", "Leica M11"])
    >>> lesson = Lesson(page)
    >>> [match.text for match in lesson.want("name", "Canon EOS 5D").matches("name")]
    ['Canon EOS 5D', 'Nikon D850', 'Pentax K-1', 'Leica M11']
    >>> Lesson.from_json(lesson.to_json(), {page.id: page}.__getitem__).names
    ['name']
    """

    # ------------------------------------------------------------------ what was learned

    def pattern(self, name: str) -> Pattern:
        """The current hypothesis about a field."""
        return self._learned.meanings.hypothesis(self._path(name)).pattern

    def matches(self, name: str, page: Page | None = None) -> list[Match]:
        """Everything on a page that the current hypothesis matches."""
        view, pattern = self._view(page), self.pattern(name)
        found = self._learned.meanings.nodes(self._path(name), view)
        return [Match(node, text, view.page.xpath(node)) for node in found for text in values_of(view, pattern, node)]

    def _path(self, name: str) -> str:
        """A name as it was first given; one that has no example is an error that names it."""
        return self._known(name) or name

    def preview(self, name: str, example: Example, page: Page | None = None, *, wanted: bool = True) -> Preview:
        """What an example would give, without giving it."""
        done = self._example(name, example, page, wanted=wanted)
        views = self._views if self._next is None or done.page < len(self._views) else [*self._views, self._next]
        gathered = gather([*self._done[: self._at], done], views, self._listings)
        meanings, first = LearnedLesson(gathered, self.settings).meanings, done.names[0]
        view, pattern = views[done.page], meanings.hypothesis(first).pattern
        texts = [(node, text) for node in meanings.nodes(first, view) for text in values_of(view, pattern, node)]
        matches = [Match(node, text, view.page.xpath(node)) for node, text in texts]
        return Preview(matches, pattern_in_words(pattern).partition(": ")[2])

    def completions(self, name: str, page: Page | None = None, query: str = "") -> list[Completion]:
        """Conditions for a rule of a field that hold for its examples, the most likely first.

        Each comes with its words, what it alone would match on the page, and whether it keeps all examples; `query`
        filters them by words.
        """
        first = self._known_name(name)
        return completions_for(self._gathered, self._learned, first, self._view(page), query)

    @property
    def wrapper(self) -> Wrapper:
        """The wrapper learned from the examples so far, checked on all pages of the lesson."""
        return self._learned.wrapper

    @property
    def draft(self) -> Wrapper | None:
        """The wrapper of the fields that can be learned so far; None if none can. `problems` says why not."""
        return self._learned.draft

    @property
    def problems(self) -> dict[str, str]:
        """What is wrong with fields, or groups, that no rule was found for, by their names."""
        return {title_of(name, self._gathered.titles): problem for name, problem in self._learned.problems.items()}

    def found(self, page: Page | None = None) -> Found | None:
        """What the draft finds on a page, with the verdict; None if there is nothing to find yet."""
        return self._learned.found(self._view(page))

    def reading(self, page: Page | None = None) -> PatternReading:
        """Every value that the draft takes on a page, with its field, its record and its node."""
        return self._learned.reading(self._view(page))

    def examples(self, name: str) -> list[TaughtExample]:
        """The examples of a field, in the order in which they were given."""
        return [
            TaughtExample(
                self._views[given.page].page,
                given.located.nodes[0] if given.located else None,
                given.located.text if given.located else "",
                given.wanted,
            )
            for given in self._gathered.of(self._path(name))
        ]

    @property
    def notes(self) -> list[str]:
        """Warnings about the examples: those left out, texts in many places, one of many, rules of one page only."""
        gathered, title = self._gathered, self._gathered.titles
        notes = [f"Left out: {problem}" for problem in (*gathered.lost, *self._learned.meanings.unlearned())]
        notes += [
            f"“{located.text}” is in {located.places} places on the page; if “{title.get(given.name, given.name)}” "
            "takes the wrong one, point at the right node, or reject the wrong one."
            for given, located in gathered.located
            if given.wanted and located.places >= MANY_PLACES
        ]
        learned = self._learned.by_name
        notes += [
            f"“{title.get(name, name)}” takes one of several that look alike; give another example if all are meant."
            for name, pattern in learned.items()
            if pattern.lone
        ]
        if learned:
            lost = self._learned.strict[1]
            notes += [f"“{name}” does not take its example “{text}”." for name, text in lost.items()]
        if shrunk := self._learned.shrunk:
            notes.append(
                f"The first examples alone take {shrunk[0]} values, all of them together only {shrunk[1]}: are they in "
                "one list? If not, teach each list by itself; if so, give an example among those that are lost."
            )
        once = [title.get(name, name) for name, pattern in learned.items() if pattern.pages == 1]
        if once:
            notes.append(f"Seen on one page only, so not checked on a second: {', '.join(once)}.")
        return notes

    def question(self, name: str | None = None, page: Page | None = None) -> Question | None:
        """The node on which the remaining hypotheses disagree most, or None if they all agree."""
        view = self._view(page)
        here = [number for number, own in enumerate(self._views) if own is view]
        answered = [node for given, located in self._gathered.located if given.page in here for node in located.nodes]
        learned = {self._path(name): self._learned.meanings.asked(self._path(name))} if name else self._hypotheses
        # Of a field whose values on this page are all known, nothing is left to ask there.
        known = {given.name for given in self._gathered.examples if given.complete and given.page in here}
        asked = [
            question
            for field, hypothesis in learned.items()
            if field not in known and (question := question_about(field, hypothesis, view, answered))
        ]
        best = min(asked, key=lambda question: abs(question.share - 0.5), default=None)
        return best._replace(name=title_of(best.name, self._gathered.titles)) if best else None

    @property
    def _hypotheses(self) -> dict[str, LearnedPattern]:
        """What was learned about each field that something could be learned about, by first names."""
        found = {}
        for field in self._gathered.names:
            try:
                found[field] = self._learned.meanings.asked(field)
            except UsageError:  # `problems` says what is wrong
                continue
        return found
