"""A lesson: examples given one at a time or all at once, and at any point the wrapper learned from them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sightline.errors import UsageError
from sightline.extract.wrappers._found import Checked, Training
from sightline.extract.wrappers._gathered import Example, Gathered, locate_example
from sightline.extract.wrappers._given import GivenExample, ShownRecords, checked_name, keep_located, record_example
from sightline.extract.wrappers._meant import Meant
from sightline.extract.wrappers._parallel_lists import ITEMS
from sightline.extract.wrappers._question import Question, question_about
from sightline.extract.wrappers._untaken import mark_partial, untaken
from sightline.extract.wrappers._wrapper import Wrapper
from sightline.extract.wrappers.patterns import (
    Located,
    Pattern,
    Patterns,
    TeachSettings,
    View,
    profile_of,
    read_patterns,
    value_of,
)
from sightline.page import Page

__all__ = ["Example", "Lesson", "Match", "Question"]

MANY_PLACES = 10  # of one text on a page, from which on the text hardly tells which one is meant


class Match(NamedTuple):
    """One match of the current hypothesis."""

    node: int
    text: str
    xpath: str


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
        self._gathered = Gathered()
        self._meant = Meant(self._gathered, self.settings)
        self._current = -1
        if page is not None:
            self.on(page)

    # ------------------------------------------------------------------ examples

    def on(self, page: Page) -> "Lesson":
        """Continue with another page; the next examples are on it."""
        self._current = self._gathered.number(page)
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
        here = [given for given in self._gathered.given if given.page == number and given.name == name]
        if any(isinstance(given, GivenExample) and given.wanted for given in here):
            raise UsageError(
                f"“{name}” has an example on this page, so it cannot be absent; take the example back with undo()."
            )
        self._gathered.mark()
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

        A field that is shown on other pages but not on this one has no value here. Two records of a list, whichever
        they are, mean the list. Examples that are not on the page are left out and reported in `notes`; if none is on
        the page, that is an error. Records can hold records:
        `{"name": "EOS 5D", "shops": [{"shop": "A", "price": "$5"}, {"shop": "B", "price": "$6"}]}`.
        """
        number = self._current = self._gathered.number(page)
        view = self._gathered.views[number]
        wanted = {
            checked_name(name): [texts] if isinstance(texts, str) else texts for name, texts in (fields or {}).items()
        }
        located, lost = _located(view, wanted)
        if records and of in wanted:
            raise UsageError(f"“{of}” is the name of both the records and a field; rename the records with of=….")
        shown = [kept for record in records if (kept := keep_located(view, record_example(record), lost))]
        if lost and not located and not shown:
            raise UsageError(lost[0])
        self._gathered.mark()
        self._gathered.lost += lost
        for name, found in located:
            self._add(GivenExample(number, name, found, wanted=True, complete=True))
        self._add(ShownRecords(number, of if shown else "", tuple(shown)))
        return self

    def undo(self) -> "Lesson":
        """Take back the last example."""
        self._gathered.undo()
        self._meant.forget()
        return self

    def _add_example(self, name: str, example: Example, page: Page | None, *, wanted: bool) -> "Lesson":
        number = self._number(page)
        located = locate_example(self._gathered.views[number], example)
        self._gathered.mark()
        self._current = number
        self._add(GivenExample(number, checked_name(name), located, wanted=wanted))
        return self

    def _add(self, given: GivenExample | ShownRecords) -> None:
        self._gathered.given.append(given)
        self._meant.forget()

    def _number(self, page: Page | None) -> int:
        """The number of a page, or of the one that the lesson is at."""
        if page is not None:
            return self._gathered.number(page)
        if self._current < 0:
            raise UsageError("The lesson has no page yet; start with teach(page), or pass page=….")
        return self._current

    # ------------------------------------------------------------------ what was learned

    @property
    def names(self) -> list[str]:
        """The fields and sets that have examples."""
        return self._gathered.names

    def pattern(self, name: str) -> Pattern:
        """The current hypothesis about a field."""
        return self._meant.hypothesis(name).pattern

    def matches(self, name: str, page: Page | None = None) -> list[Match]:
        """Everything on a page that the current hypothesis matches."""
        view, pattern = self._view(page), self.pattern(name)
        found = self._meant.nodes(name, view)
        texts = [value_of(view, pattern, node) for node in found]
        kept = [(node, text) for node, text in zip(found, texts, strict=True) if text is not None]
        return [Match(node, text, view.page.xpath(node)) for node, text in kept]

    @property
    def wrapper(self) -> Wrapper:
        """The wrapper learned from the examples so far, checked on all pages of the lesson."""
        patterns, _ = self._patterns()
        languages = [view.page.language for view in self._gathered.views if view.page.language]
        language = max(languages, key=languages.count, default=None)
        used = self._gathered.used
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

    def _patterns(self) -> tuple[tuple[Pattern, ...], dict[str, str]]:
        """The patterns, those marked that do not take all of their examples, and the first example that each lacks."""
        patterns = self._meant.patterns()
        pages = {given.page for given in self._gathered.given}
        readings = {number: read_patterns(self._gathered.views[number], patterns) for number in pages}
        lost = untaken(self._gathered.given, patterns, readings)
        return tuple(mark_partial(pattern, lost) for pattern in patterns), lost

    @property
    def notes(self) -> list[str]:
        """Warnings about the examples: those left out, texts in many places, one of many, rules of one page only."""
        learned, unlearned = self._meant.by_name()
        notes = [f"Left out: {problem}" for problem in (*self._gathered.lost, *unlearned)]
        notes += [
            f"“{located.text}” is in {located.places} places on the page; if “{given.name}” takes the wrong "
            "one, point at the right node, or reject the wrong one."
            for given, located in self._gathered.located
            if given.wanted and located.places >= MANY_PLACES
        ]
        notes += [
            f"“{name}” takes one of several that look alike; give another example if all are meant."
            for name, pattern in learned.items()
            if pattern.lone
        ]
        if learned:
            notes += [f"“{name}” does not take its example “{text}”." for name, text in self._patterns()[1].items()]
        once = [name for name, pattern in learned.items() if pattern.pages == 1]
        if once:
            notes.append(f"Seen on one page only, so not checked on a second: {', '.join(once)}.")
        return notes

    def question(self, name: str | None = None, page: Page | None = None) -> Question | None:
        """The node on which the remaining hypotheses disagree most, or None if they all agree."""
        view = self._view(page)
        answered = [node for _, located in self._gathered.located for node in located.nodes]
        asked = [
            question
            for field in ([name] if name else self.names)
            if (question := question_about(field, self._meant.hypothesis(field), view, answered))
        ]
        return min(asked, key=lambda question: abs(question.share - 0.5), default=None)

    def _view(self, page: Page | None) -> View:
        """The view of a page, or of the one that the lesson is at."""
        return self._gathered.views[self._number(None)] if page is None else self._gathered.view(page)


def _located(view: View, wanted: Mapping[str, Sequence[str]]) -> tuple[list[tuple[str, Located]], list[str]]:
    """Where the examples are on the page, and what is wrong with those that are not."""
    located, lost = [], []
    for name, texts in wanted.items():
        for text in texts:
            try:
                located.append((name, locate_example(view, text)))
            except UsageError as problem:
                lost.append(f"{name}: {problem}")
    return located, lost
