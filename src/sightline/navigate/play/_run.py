"""What the steps of one run share: the tab, the variables, and what was extracted so far."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Protocol

from sightline.data import Field, Record, Records, Value, join_records, named_values
from sightline.errors import SightlineError, UsageError
from sightline.geometry import Box
from sightline.navigate.collect import Fingerprint, ReadRecords, RecordsOnPage, fingerprint, list_reader
from sightline.navigate.play._browsing import Browsing, TargetError, TargetPlace
from sightline.navigate.play._page_records import ListMissing, records_of
from sightline.navigate.play._secrets import Secrets
from sightline.navigate.play._trace import Ended, Played
from sightline.navigate.script import VARIABLE, RecordSource, Script, SecretName
from sightline.navigate.targets import Target
from sightline.page import Page
from sightline.sources import Download, Session

# The variables that a step can use: those of the script, and in loops those of the record.


class RecordFinder(Protocol):
    """Knows the record that a loop is at."""

    label: str

    def __call__(self) -> tuple[int, int] | None:
        """The nodes of the record on the page as it is now; None if it is not on it."""


@dataclass
class Scope:
    """Variables by name; those of an inner scope come first. In a loop, `record` finds the record that it is at."""

    values: dict[str, Field] = field(default_factory=dict)
    outer: "Scope | None" = None
    record: RecordFinder | None = None

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> "Scope":
        """The variables that a script begins with."""
        return cls({name: Value(text) for name, text in variables.items()})

    def get(self, name: str) -> Field:
        """The value of a variable; None if it has none."""
        if name in self.values:
            return self.values[name]
        return self.outer.get(name) if self.outer else None

    def text(self, name: str) -> str | None:
        """The text of a variable; of several values, joined by commas."""
        value = self.get(name)
        return None if value is None else ", ".join(one.text for _, one in named_values(value))

    def put_in_record(self, name: str, value: Field) -> None:
        """Give the record of the innermost loop a field; outside of loops, a variable a value."""
        if self.record is None and self.outer is not None:
            self.outer.put_in_record(name, value)
        else:
            self.values[name] = value

    @property
    def current(self) -> RecordFinder | None:
        """Finds the record that the innermost loop is at."""
        return self.record or (self.outer.current if self.outer else None)

    def fill(self, text: str) -> str:
        """A text with the values of its variables."""
        return VARIABLE.sub(lambda found: self._text_of(found[1]), text)

    def fill_target(self, target: Target) -> Target:
        """A target with the values of its variables."""
        inside = self.fill_target(target.inside) if isinstance(target.inside, Target) else target.inside
        named = {key: self.fill(getattr(target, key)) for key in ("name", "css", "xpath", "field", "wrapper")}
        return replace(target, inside=inside, **named)  # type: ignore[arg-type]

    def _text_of(self, name: str) -> str:
        text = self.text(name)
        if text is None:
            raise UsageError(f"The variable `{name}` has no value here; `set` it before, or use `if present`.")
        return text


class StopAsked(Exception):
    """A step said to stop."""


class StepError(UsageError):
    """A step could not be done; `cause` is why."""

    def __init__(self, message: str, *, cause: SightlineError) -> None:
        super().__init__(message)
        self.cause = cause


@dataclass(eq=False)
class Run:
    """One run of a script."""

    script: Script
    session: Session
    secrets: Secrets
    scope: Scope
    outputs: dict[str, list[Records | Record]] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    downloads: list[Download] = field(default_factory=list)
    done: int = 0  # steps
    how: str = ""  # the way in which the target of the latest step was found
    box: Box | None = None  # and where in the window it was
    note: str = ""  # what the latest step did in particular
    new_tab: str = ""  # the step that opened a tab which the script has not gone on in
    readers: dict[int, ReadRecords] = field(default_factory=dict)  # of lists, by the lines of the steps that read them
    known: dict[int, set[Fingerprint]] | None = None  # in `next pages`: what each step has read on earlier pages
    on_page: Callable[[Page], object] | None = None  # who gets the pages that something is read from

    def __post_init__(self) -> None:
        """Know the tab."""
        self.browsing: Browsing = Browsing(self.session, self.script.folder, self._record_span)

    # ------------------------------------------------------------------ acting

    def place(self, target: Target, *roles: str) -> TargetPlace:
        """Where a target is, for an action on it; `roles` are those that the action is for."""
        place = self.browsing.locate(self.scope.fill_target(target), roles)
        self.how = place.how
        self.box = self.browsing.check(place)
        return place

    def acted(self, action: Callable[[], object]) -> None:
        """Do something to the page; whatever comes of it, the page may have changed."""
        try:
            action()
        finally:
            self.browsing.changed()

    def typed(self, text: str | SecretName) -> str:
        """What is typed: a text with its variables, or a secret."""
        return self.secrets.get(text.name) if isinstance(text, SecretName) else self.scope.fill(text)

    def return_to(self, address: str) -> None:
        """Be on a page again that steps may have left."""
        if self.browsing.address.partition("#")[0] != address.partition("#")[0]:
            self.browsing.goto(address)

    # ------------------------------------------------------------------ records

    def records(self, source: RecordSource, line: int) -> Records:
        """The records of the page, for the step in a line; on later pages of a list, those that no earlier page had.

        What speaks against them is a doubt.
        """
        page = self.browsing.data_page
        self.saw(page)
        found = self.read(page, source, line)
        self.doubt(found.doubt)
        if not self._is_paged:
            return found.records
        marks = [fingerprint(record) for record in found.records]
        before = self.known.setdefault(line, set()) if self.known is not None else set()
        fresh = [record for record, mark in zip(found.records, marks, strict=True) if mark not in before]
        before.update(marks)
        return Records(fresh, found.records.schema, found.records.language)

    def saw(self, page: Page) -> None:
        """Hand on a page that something is read from."""
        if self.on_page is not None:
            self.on_page(page)

    def read(self, page: Page, source: RecordSource, line: int) -> RecordsOnPage:
        """What a page shows, for the step in a line; the list of earlier pages is found again with fewer records."""
        if source.kind != "lists" or source.number is not None:
            return records_of(page, source, self.browsing.wrapper)
        if self._is_paged and line in self.readers:
            return self.readers[line](page)
        try:
            reader = self.readers[line] = list_reader(page)
        except UsageError:
            raise ListMissing(page.url) from None
        return reader(page)

    @property
    def _is_paged(self) -> bool:
        """Whether the page is one of several of a list."""
        return self.known is not None and not self.browsing.is_aside

    # ------------------------------------------------------------------ variables

    @contextmanager
    def inner(self, values: dict[str, Field], record: RecordFinder | None = None) -> Iterator[None]:
        """Variables of their own for some steps; in a loop over records, those of the record."""
        outer = self.scope
        self.scope = Scope(values, outer, record)
        try:
            yield
        finally:
            self.scope = outer

    def _record_span(self) -> tuple[int, int]:
        """The nodes of the record that a step is limited to."""
        finder = self.scope.current
        if finder is None:
            raise UsageError("`in: record` means nothing outside of `for each`.")
        span = finder()
        if span is None:
            raise TargetError("The record is not on this page; leave out `in: record`, or go `back` first.")
        return span

    # ------------------------------------------------------------------ what came of it

    def put_out(self, output: str, found: Records | Record) -> None:
        """Add records to an output."""
        self.outputs.setdefault(output, []).append(found)

    def doubt(self, doubt: str) -> None:
        """Keep what speaks against the page as it is: something said of it, and what is missing from it."""
        self.doubts += [f"{self.browsing.address}: {one}" for one in (doubt, *self.browsing.page.gaps) if one]

    def played(self, ended: Ended, why: str = "") -> Played:
        """What there is so far."""
        outputs = {name: self._joined(parts) for name, parts in self.outputs.items()}
        doubts = tuple(dict.fromkeys(self.secrets.redact(doubt) for doubt in self.doubts))
        return Played(outputs, ended, self.secrets.redact(why), doubts, self.done, tuple(self.downloads))

    def _joined(self, parts: list[Records | Record]) -> Records:
        """All records of an output; a secret that a page repeats stays out of it."""
        whole: list[Records] = []
        rows: list[Record] = []
        for part in [*parts, None]:
            if isinstance(part, Record):
                rows.append(self.secrets.blacken_record(part))
                continue
            if rows:
                whole.append(Records(rows))
                rows = []
            if part is not None:
                whole.append(self._blackened(part))
        return join_records(whole)

    def _blackened(self, records: Records) -> Records:
        clean = [self.secrets.blacken_record(one) for one in records]
        same = all(one is old for one, old in zip(clean, records, strict=True))
        return records if same else Records(clean, language=records.language)
