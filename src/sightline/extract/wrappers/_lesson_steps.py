"""The steps of a lesson: pages, examples and edits, in the order in which people gave them, to be undone and saved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

from sightline.errors import UsageError
from sightline.extract.wrappers._gathered import (
    FORMAT,
    VERSION,
    DoneStep,
    Example,
    GivenExample,
    LessonStep,
    ShownRecords,
    check_lesson,
    checked_name,
    gather,
    keep_located,
    locate_example,
    record_example,
    step_from_json,
)
from sightline.extract.wrappers._learned_lesson import LearnedLesson, title_of
from sightline.extract.wrappers._listings import ITEMS, Listing
from sightline.extract.wrappers.patterns import Located, Rule, TeachSettings, View
from sightline.page import Node, Page


class LessonSteps:
    """What people have said so far; whatever was learned from it follows from the steps that count."""

    def __init__(self, page: Page | None = None, *, settings: TeachSettings | None = None) -> None:
        self.settings: TeachSettings = settings or TeachSettings()
        self._views: list[View] = []
        self._next: View | None = None  # of a page that joins with the next step, if that is done
        self._listings: dict[View, list[Listing]] = {}
        self._begun: list[int] = []
        self._done: list[DoneStep] = []
        self._at = 0
        self._current = -1
        self._forget()
        if page is not None:
            self.on(page)

    def _forget(self) -> None:
        """Work out anew what the steps amount to: after another one it may differ."""
        self._gathered = gather(self._done[: self._at], self._views, self._listings)
        self._learned = LearnedLesson(self._gathered, self.settings)

    # ------------------------------------------------------------------ pages

    @property
    def pages(self) -> list[Page]:
        """The pages of the lesson, in the order in which they came."""
        numbers = dict.fromkeys((*self._begun, *self._gathered.added))
        return [self._views[number].page for number in numbers if number not in self._gathered.removed]

    def on(self, page: Page) -> Self:
        """Continue with another page; the next examples are on it."""
        self._current, view = self._place(page)
        if self._current == len(self._views):
            self._views.append(view)
        if self._current not in self._begun:
            self._begun.append(self._current)
        return self

    def add(self, page: Page) -> Self:
        """Add a page, to see what the rules match there; unlike `on`, this is a step that can be undone."""
        number, _ = self._place(page)
        return self._do(DoneStep(LessonStep("add page", page.id), number))

    def remove(self, page: Page) -> Self:
        """Remove a page, and the examples on it."""
        number = next((number for number, view in enumerate(self._views) if view.page.id == page.id), -1)
        if number < 0 or self._views[number].page not in self.pages:
            raise UsageError("The page is not in the lesson, so it cannot be removed.")
        if len(self.pages) == 1:
            raise UsageError("A lesson needs a page; add another one before this one is removed.")
        return self._do(DoneStep(LessonStep("remove page", page.id), number))

    def _place(self, page: Page | None) -> tuple[int, View]:
        """The number and the view of a page, or of the one that the lesson is at; a new page joins by a step."""
        if page is None:
            if self._current < 0:
                raise UsageError("The lesson has no page yet; start with teach(page), or pass page=….")
            return self._current, self._views[self._current]
        if not isinstance(page, Page):
            raise UsageError(f"A wrapper is taught on pages, not on {page!r:.60}; open it first with open().")
        for number, view in enumerate(self._views):
            if view.page is page:
                return number, view
        if self._next is None or self._next.page is not page:
            self._next = View(page)
        if not len(self._next.leaves):
            raise UsageError(f"{page.url or page.title or 'The page'} has no visible text; open another page.")
        return len(self._views), self._next

    def _view(self, page: Page | None) -> View:
        """The view of a page, or of the one that the lesson is at."""
        return self._place(None)[1] if page is None else self._gathered.view(page)

    # ------------------------------------------------------------------ examples

    def want(self, name: str, example: Example, *, page: Page | None = None) -> Self:
        """Give an example of a value: a text as shown on the page, a node, or a point."""
        return self._do(self._example(name, example, page, wanted=True))

    def reject(self, name: str, example: Example, *, page: Page | None = None) -> Self:
        """Give an example of what is not a value of the field."""
        return self._do(self._example(name, example, page, wanted=False))

    def absent(self, name: str, *, page: Page | None = None) -> Self:
        """Say that the page has no such value, so anything found there is wrong."""
        (number, view), first = self._place(page), self._first_name(name)
        if any(given.wanted for given in self._gathered.of(first) if given.page == number):
            raise UsageError(
                f"“{name}” has an example on this page, so it cannot be absent; take the example back with undo()."
            )
        given = GivenExample(number, first, None, wanted=False, complete=True)
        step = LessonStep("absent", view.page.id, name)
        return self._do(DoneStep(step, number, {first: name}, (given,)))

    def only(self, name: str, *, page: Page | None = None) -> Self:
        """Say that the page has no other value of the field than those that were shown, so anything else is wrong."""
        (number, view), first = self._place(page), self._known_name(name)
        shown = [given for given in self._gathered.of(first) if given.page == number and given.wanted]
        if not shown:
            raise UsageError(f"“{name}” has no example on this page; give one first with want().")
        given = GivenExample(number, first, None, wanted=False, complete=True)
        return self._do(DoneStep(LessonStep("only", view.page.id, name), number, {}, (given,)))

    def show(
        self,
        page: Page,
        fields: Mapping[str, Sequence[str]] | None = None,
        records: Sequence[Mapping[str, Any]] = (),
        *,
        of: str = ITEMS,
    ) -> Self:
        """Show everything that is wanted from a page at once: the texts of each field, and the first of its records.

        A field that is shown on other pages but not on this one has no value here. Two records of a list, whichever
        they are, mean the list. Examples that are not on the page are left out and reported in `notes`; if none is on
        the page, that is an error. Records can hold records:
        `{"name": "EOS 5D", "shops": [{"shop": "A", "price": "$5"}, {"shop": "B", "price": "$6"}]}`.
        """
        number, view = self._place(page)
        values = {name: [texts] if isinstance(texts, str) else texts for name, texts in (fields or {}).items()}
        titles = {self._first_name(name): name for name in values}
        wanted = {first: values[name] for first, name in titles.items()}
        located, lost = _located(view, wanted)
        if records and of in wanted:
            raise UsageError(f"“{of}” is the name of both the records and a field; rename the records with of=….")
        shown = [kept for record in records if (kept := keep_located(view, record_example(record), lost))]
        if lost and not located and not shown:
            raise UsageError(lost[0])
        examples = [GivenExample(number, name, found, wanted=True, complete=True) for name, found in located]
        given: tuple[GivenExample | ShownRecords, ...] = tuple(examples)
        given += (ShownRecords(number, of if shown else "", tuple(shown)),)
        step = LessonStep("show", page.id, values=values, records=tuple(records), into=of)
        return self._do(DoneStep(step, number, titles, given, tuple(lost)))

    def _example(self, name: str, example: Example, page: Page | None, *, wanted: bool) -> DoneStep:
        """An example as a step; nothing is changed if it is not on the page."""
        number, view = self._place(page)
        located = locate_example(view, example)
        first = self._first_name(name)
        if isinstance(example, Node):
            example = example.number
        node = int(example) if not isinstance(example, str | tuple) else None
        step = LessonStep(
            "want" if wanted else "reject",
            view.page.id,
            name,
            node,
            example if isinstance(example, str) else None,
            (float(example[0]), float(example[1])) if isinstance(example, tuple) else None,
            said=located.text,
        )
        return DoneStep(step, number, {first: name}, (GivenExample(number, first, located, wanted=wanted),))

    # ------------------------------------------------------------------ edits

    def rename(self, old: str, new: str) -> Self:
        """Rename a field or a set; its rules stay as they are."""
        first = self._known_name(old)
        checked_name(new)
        if new in self._titles and self._titles[new] != first:
            raise UsageError(f"There is already a field {new!r}; drop it, or choose another name.")
        return self._do(DoneStep(LessonStep("rename", field=old, to=new), titles={first: ""}))

    def drop(self, name: str) -> Self:
        """Drop a field, or a set with all its fields, and take back their examples."""
        first = self._known_name(name)
        inside = self._gathered.groups.get(first, ())
        implied = first == self._gathered.records_name
        names = (first, *inside, *(self._fields_of(first) if implied else ()))
        return self._do(DoneStep(LessonStep("drop", field=name), titles=dict.fromkeys(names, "")))

    def group(self, names: Sequence[str], into: str) -> Self:
        """Make fields the fields of records: each group is learned by itself.

        A group can hold other groups, which gives nested records.
        """
        checked_name(into)
        first = tuple(dict.fromkeys(self._known_name(name) for name in names))
        if not first or into in first:
            raise UsageError(f"Records named {into!r} need at least one field with another name.")
        known = self._titles.get(into)
        if known is not None and known not in self._gathered.groups and known != self._gathered.records_name:
            raise UsageError(f"There is already a field {into!r}; choose another name for the records.")
        if any(not self._gathered.of(name) and name not in self._gathered.groups for name in first):
            raise UsageError("Only fields with examples of their own can be grouped; give one example of each.")
        return self._do(DoneStep(LessonStep("group", fields=tuple(names), into=into), titles=dict.fromkeys(first, "")))

    def edit(self, name: str, rules: Sequence[Rule]) -> Self:
        """Write the rules of a field, or of the records, by hand; they hold until the field gets another example."""
        first = self._known_name(name)
        if not rules:
            raise UsageError(f"“{name}” needs at least one rule; undo the edit to have those that were learned.")
        return self._do(DoneStep(LessonStep("rule", field=name, rules=tuple(rules)), titles={first: ""}))

    @property
    def edited(self) -> list[str]:
        """The fields whose rules were edited by hand."""
        first = {first: title for title, first in reversed(self._titles.items())}
        return [first.get(name, name) for name in self._gathered.rules]

    # ------------------------------------------------------------------ names

    @property
    def names(self) -> list[str]:
        """The fields and sets that have examples."""
        return [self._gathered.titles.get(name, name) for name in self._gathered.names]

    @property
    def _titles(self) -> dict[str, str]:
        """The first names of fields, groups and sets by the names that they have now."""
        gathered = self._gathered
        found = dict.fromkeys((*gathered.names, *gathered.groups, *gathered.implied_names, *gathered.titles))
        return {title_of(first, gathered.titles): first for first in found}

    def _first_name(self, name: str) -> str:
        """The first name of a field that an example is given of; a new field gets one that no other has."""
        first = self._known(name)
        gathered = self._gathered
        implied = first == gathered.records_name
        if first in gathered.groups or (implied and first in gathered.titles):
            raise UsageError(f"“{name}” is the name of the records; give the field another name.")
        if first is not None and not implied:
            return first
        checked_name(name)
        taken = {*self._gathered.names, *self._gathered.groups, *self._gathered.titles}
        return next(free for free in (name, *(f"{name} {number}" for number in range(2, 1000))) if free not in taken)

    def _known_name(self, name: str) -> str:
        first = self._known(name)
        if first is None:
            raise UsageError(f"There is no field {name!r}; the fields are {', '.join(self._titles) or 'none yet'}.")
        return first

    def _known(self, name: str) -> str | None:
        """The first name of a field, which may be named with the set that it is in."""
        titles = self._titles
        if name in titles:
            return titles[name]
        return titles.get(name.rpartition(".")[2]) if isinstance(name, str) and "." in name else None

    def _fields_of(self, holder: str) -> list[str]:
        """The fields of records that the examples imply."""
        patterns = self._learned.plain
        return [field.name for pattern in patterns if pattern.name == holder for field in pattern.fields]

    # ------------------------------------------------------------------ steps

    @property
    def steps(self) -> tuple[LessonStep, ...]:
        """All steps, including those that were undone and can be done again."""
        return tuple(done.step for done in self._done)

    @property
    def at(self) -> int:
        """How many of the steps count."""
        return self._at

    def do(self, step: LessonStep, page: Page | None = None) -> Self:
        """Do a step, as it may come from a file; `page` is the one that it names."""
        example: Example | None = step.node if step.node is not None else step.text or step.point
        if step.action in ("want", "reject"):
            if example is None:
                raise UsageError(f"An example of “{step.field}” is a node, a text or a point; give one of them.")
            return (self.want if step.action == "want" else self.reject)(step.field, example, page=page)
        if step.action in ("absent", "only", "show", "add page", "remove page") and page is None:
            raise UsageError(f"The step “{step.action}” needs a page.")
        if page is not None and step.action == "show":
            return self.show(page, step.values, step.records, of=step.into or ITEMS)
        if page is not None and step.action in ("add page", "remove page"):
            return self.add(page) if step.action == "add page" else self.remove(page)
        actions: dict[str, Callable[[], Self]] = {
            "absent": lambda: self.absent(step.field, page=page),
            "only": lambda: self.only(step.field, page=page),
            "rename": lambda: self.rename(step.field, step.to),
            "drop": lambda: self.drop(step.field),
            "group": lambda: self.group(step.fields, step.into),
            "rule": lambda: self.edit(step.field, step.rules),
        }
        return actions[step.action]()

    def _do(self, done: DoneStep) -> Self:
        """Add a step behind those that count; what was undone is gone, and so are pages that joined by it."""
        del self._done[self._at :]
        used = max((*self._begun, *(earlier.page for earlier in self._done)), default=-1)
        if done.page < len(self._views):
            del self._views[max(used, done.page) + 1 :]
        elif self._next is not None:
            del self._views[used + 1 :]
            done = _renumbered(done, len(self._views))
            self._views.append(self._next)
        self._current = min(self._current, len(self._views) - 1)
        self._done.append(done)
        if done.page >= 0 and done.step.action not in ("add page", "remove page"):
            self._current = done.page
        return self.go_to(len(self._done))

    def go_to(self, at: int) -> Self:
        """Go back, or forward again, to where so many of the steps count."""
        if not 0 <= at <= len(self._done):
            raise UsageError(f"The lesson has {len(self._done)} steps, so it cannot go to {at}.")
        self._at = at
        self._forget()
        return self

    def undo(self) -> Self:
        """Take back the last step."""
        if not self._at:
            raise UsageError("There is nothing to undo; no example has been given yet.")
        return self.go_to(self._at - 1)

    def redo(self) -> Self:
        """Do the step again that was undone last."""
        if self._at == len(self._done):
            raise UsageError("There is nothing to do again; no step was undone.")
        return self.go_to(self._at + 1)

    def to_json(self) -> dict[str, Any]:
        """The lesson as plain values: the ids of its pages, its steps, and how many of them count."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "settings": {"conditions": self.settings.conditions},
            "pages": [self._views[number].page.id for number in self._begun],
            "at": self._at,
            "steps": [step.to_json() for step in self.steps],
        }

    @classmethod
    def from_json(cls, document: Any, page: Callable[[str], Page]) -> Self:
        """The inverse of `to_json`; `page` gives the page of an id."""
        check_lesson(document)
        known: dict[str, Page] = {}

        def opened(page_id: str) -> Page:
            if page_id not in known:
                known[page_id] = page(page_id)
            return known[page_id]

        settings = {"conditions": 3} | document.get("settings", {})
        lesson = cls(settings=TeachSettings(conditions=settings["conditions"]))
        for page_id in document.get("pages", ()):
            lesson.on(opened(page_id))
        for step in map(step_from_json, document.get("steps", ())):
            lesson.do(step, opened(step.page) if step.page else None)
        return lesson.go_to(document["at"])


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


def _renumbered(done: DoneStep, page: int) -> DoneStep:
    """A step on a page that has another number."""
    return replace(done, page=page, given=tuple(replace(given, page=page) for given in done.given))
