"""What all commands with sources share: flags, the loader, and what is reported about each source.

That is an entry of the JSON contract, messages for people, and an exit status.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Annotated, Any, TypeVar

import typer

from sightline.cli._console import complain, output, print_json, remark, showing_progress
from sightline.cli._flags import Flags, SettingsGroup, argument, kinds_of, switch
from sightline.cli._signals import asked_to_end
from sightline.cli._text import clean
from sightline.data import Verdict
from sightline.errors import SightlineError
from sightline.jobs import Job, Outcome, new_loader
from sightline.net import CrawlPolicy, Limits
from sightline.page import Page
from sightline.settings import Settings, describe, setting
from sightline.sources import BrowserSettings, Loader, PdfSettings

T = TypeVar("T")
OpeningT = TypeVar("OpeningT", bound="Opening")

Sources = Annotated[
    list[str],
    argument(
        metavar="SOURCE…", help="URLs, files, globs, folders, @FILE with one source a line, or - for standard input."
    ),
]
ALL = "print everything, not only the beginning"


@dataclass(frozen=True, kw_only=True)
class JsonFlags(Flags):
    """Whether a program reads the results."""

    json: bool = switch(help="print one JSON document on standard output, and nothing else")


@dataclass(frozen=True, kw_only=True)
class ShowingFlags(JsonFlags):
    """How much of the results is printed."""

    everything: bool = switch(help=ALL, names="--all")


@dataclass(frozen=True, kw_only=True)
class ReadingSettings(Settings):
    """How sources are read."""

    static: bool = setting(default=False, help="whether to use only the HTML, without a browser")


@dataclass(frozen=True, kw_only=True)
class Fetching(SettingsGroup):
    """How pages are fetched, for commands that take no documents."""

    browser: BrowserSettings
    limits: Limits
    policy: CrawlPolicy


@dataclass(frozen=True, kw_only=True)
class Opening(SettingsGroup):
    """How pages are opened, by a browser or without."""

    browser: BrowserSettings
    pdf: PdfSettings
    limits: Limits
    policy: CrawlPolicy

    def loading(self, *, static: bool) -> "SourceOpening":
        """The same for a command that has decided whether to use a browser."""
        own = {one.name: getattr(self, one.name) for one in fields(Opening)}
        return SourceOpening(reading=ReadingSettings(static=static), **own)

    def with_screenshot(self: OpeningT) -> OpeningT:
        """The same, with a screenshot of each page."""
        return replace(self, browser=replace(self.browser, screenshot=True))


@dataclass(frozen=True, kw_only=True)
class SourceOpening(Opening):
    """How sources are read and their pages opened."""

    reading: ReadingSettings

    def loader(self) -> Loader:
        """The loader that the flags of a command ask for."""
        return new_loader(
            static=self.reading.static,
            browser=self.browser,
            limits=self.limits,
            policy=self.policy,
            pdf=self.pdf,
        )


LOADING = kinds_of(SourceOpening)


def outcomes(sources: list[str], loading: SourceOpening, work: Callable[[Page, str], T]) -> Iterator[Outcome[T]]:
    """Apply a function to the pages of all sources, in order, with a progress bar on a terminal."""
    with loading.loader() as loader, showing_progress(lambda: loader.part) as on_progress:
        yield from Job(sources, work, loader, on_progress=on_progress)


def opened(sources: list[str], loading: SourceOpening) -> Iterator[Outcome[Page]]:
    """Open the pages of all sources, for commands that need them all together."""
    return outcomes(sources, loading, lambda page, _: page)


# What is reported about each source.

FAILED, SUSPICIOUS = 1, 3  # exit statuses

InFlags = Callable[[str], str]


def entry(
    source: str,
    kind: str,
    document: Any = None,
    verdict: Verdict = "ok",
    error: SightlineError | None = None,
    told: InFlags | None = None,
) -> dict[str, Any]:
    """One result of the JSON contract; `told` puts sentences into the words of the command line."""
    failure = {"type": type(error).__name__, "message": (told or in_flags)(error.message)} if error else None
    return {
        "source": source,
        "kind": kind,
        "verdict": "failed" if error else verdict,
        kind: document,
        "error": failure,
    }


def in_flags(text: str, besides: Collection[str] = (), *, of: tuple[type[Settings], ...] = ()) -> str:
    """A sentence that names settings, with the flags of the command line instead; words of `besides` stay.

    All commands know the settings of loading; `of` are those of the command beside them.

    >>> in_flags("is larger than 50 MB; raise document_bytes to read it."), in_flags("raise `nodes` to read all")
    ('is larger than 50 MB; raise --document-bytes to read it.', 'raise --nodes to read all')
    """

    def flag(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        return found[0] if name in besides else f"--{name.replace('_', '-')}"

    return _settings_in_text((*LOADING.values(), *of)).sub(flag, text)


@cache
def _settings_in_text(kinds: tuple[type[Settings], ...]) -> re.Pattern[str]:
    """In backquotes a name is a setting; otherwise only one that isn't a word of English."""
    names = sorted({declared.name for kind in kinds for declared in describe(kind)}, key=len, reverse=True)
    return re.compile(rf"`({'|'.join(names)})`|\b({'|'.join(name for name in names if '_' in name)})\b")


def exit_with(*verdicts: str | None) -> None:
    """Exit with status 1 if anything failed, 3 if anything is suspicious; otherwise return.

    Errors have been said by now. That something is suspicious is the last line of standard error: in a pipe, people see
    that line and not the status.
    """
    status = _status(verdicts)
    if status == SUSPICIOUS:
        remark("verdict: suspicious")
    if status:
        raise typer.Exit(status)


def _status(verdicts: Collection[str | None]) -> int:
    return FAILED if "failed" in verdicts else SUSPICIOUS if "suspicious" in verdicts else 0


class Reporter:
    """Collects the entries of all sources, in order."""

    def __init__(self, kind: str, *, json: bool, told: InFlags = in_flags, several: bool = True) -> None:
        """`told` puts sentences into the words of the command; one without `several` sources counts none."""
        self.kind = kind
        self.json = json
        self._told = told
        self._several = several
        self.entries: list[dict[str, Any]] = []
        self._gaps: tuple[str, ...] = ()  # of the page taken last
        self._cut = False  # whether something is missing from any page
        self._ended = 0  # the exit status, if the work was ended early

    def __enter__(self) -> "Reporter":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        """End the work early on Ctrl-C or `kill`, and keep the results of the sources that were finished by then."""
        self._ended = asked_to_end(error)
        if not self._ended:
            return False
        count = len(self.entries)
        if self._several:
            finished = f"{count:,} source{'s' * (count != 1)} finished"
            remark(f"Ended early: {finished}, the others are missing from the results.")
        return True

    @property
    def ended_early(self) -> bool:
        """Whether sources are missing because the work was interrupted."""
        return self._ended != 0

    @property
    def verdicts(self) -> list[str]:
        """The verdicts on all sources; what was learned from pages of which something is missing is suspicious."""
        return [entry["verdict"] for entry in self.entries] + ["suspicious"] * self._cut

    def take(self, outcome: Outcome[T]) -> tuple[Page, T] | None:
        """The page and its results; None if the source failed, which is then reported."""
        if outcome.error is not None or outcome.page is None or outcome.found is None:
            assert outcome.error is not None
            self.fail(outcome.source, outcome.error)
            return None
        for note in outcome.notes:
            remark(clean(self._told(note)), source=outcome.source)
        self._gaps = outcome.page.gaps
        self._cut |= bool(self._gaps)
        return outcome.page, outcome.found

    def found(self, outcomes: Iterable[Outcome[T]]) -> Iterator[tuple[str, Page, T]]:
        """Source, page and results, for every source that did not fail."""
        for outcome in outcomes:
            opened = self.take(outcome)
            if opened is not None:
                yield outcome.source, *opened

    def over(
        self, sources: list[str], loading: SourceOpening, work: Callable[[Page, str], T]
    ) -> Iterator[tuple[str, Page, T]]:
        """Source, page and what a function finds on the page, for every source that does not fail."""
        return self.found(outcomes(sources, loading, work))

    def pages(self, outcomes: Iterable[Outcome[Page]]) -> list[tuple[str, Page]]:
        """All pages that could be opened, each with its source."""
        return [(source, page) for source, page, _ in self.found(outcomes)]

    def fail(self, source: str, error: SightlineError) -> None:
        """Report that a source failed."""
        complain(self._told(error.message))
        self.entries.append(entry(source, self.kind, error=error, told=self._told))
        output.exit_status = _status(self.verdicts)

    def add(self, source: str, document: Any, verdict: Verdict = "ok") -> None:
        """Add the document of a source; if something is missing from its page, it is not `ok`."""
        gaps = [self._told(gap) for gap in self._gaps]
        told = entry(source, self.kind, document, "suspicious" if gaps and verdict == "ok" else verdict)
        self.entries.append({**told, "gaps": gaps} if gaps else told)
        output.exit_status = _status(self.verdicts)

    def finish(self) -> None:
        """Print the JSON document if wanted, and exit with the status that follows from the verdicts."""
        if self.json:
            print_json({"results": self.entries, **({"complete": False} if self._ended else {})})
        if self._ended:
            raise typer.Exit(self._ended)
        exit_with(*(entry["verdict"] for entry in self.entries))
