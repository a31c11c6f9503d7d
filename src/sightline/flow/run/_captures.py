"""What sources read, page by page, so that an interrupted run goes on, and a past day or a test reads the same again.

A source has its notes in `STEP.captures` of its run. The pages themselves are in the store, each once.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Protocol

import msgspec

from sightline.errors import UsageError
from sightline.flow.run._state import FlowStore, RunFolder, StepState
from sightline.flow.spec import CollectSource, FlowStep, PagesSource, PlaySource
from sightline.jobs import new_loader
from sightline.page import Page
from sightline.project import Journal, Project, page_info, read_journal
from sightline.sources import CapturedPages, CapturedVisit, Loader

OPENED = "opened"


class Capture(msgspec.Struct, frozen=True, omit_defaults=True):
    """A page that a source read, by its id, and the way to it; or why it could not be read."""

    source: str
    page: str = ""
    way: str = OPENED
    error: str = ""


class CaptureNotes:
    """The notes of one source in one run."""

    def __init__(self, path: Path, pages: Project) -> None:
        self._path = path
        self._pages = pages

    def add(self, page: Page, source: str, way: str = OPENED) -> str:
        """Keep a page that was read; returns its id."""
        page_id = self._pages.keep_page(page, page_info(page, source=source))
        self.note(Capture(source, page_id, way))
        return page_id

    def add_error(self, source: str, error: str) -> None:
        """Note that a page could not be read."""
        self.note(Capture(source, error=error))

    def forget(self) -> None:
        """Begin anew."""
        self._path.unlink(missing_ok=True)

    def note(self, *captures: Capture) -> None:
        """Note pages that are kept, and those that could not be read."""
        with Journal(self._path, sync=False) as journal:
            journal.add(*captures)

    def take_over(self, captures: Sequence[Capture]) -> None:
        """Have the notes of another run."""
        self.forget()
        self.note(*captures)

    @property
    def captures(self) -> list[Capture]:
        """What was read, in order; of a page that was read again, the last time counts."""
        found = read_journal(self._path).entries(Capture, "a page that was captured", "delete the file")
        last = {one.source: one for one in found if one.way == OPENED}
        return [one for one in found if one.way != OPENED or last[one.source] is one]


def pages_read(run: RunFolder, step: str) -> tuple[str, ...]:
    """The ids of the pages that a source read in a run, each once."""
    notes = read_journal(run.captures(step)).entries(Capture, "a page that was captured", "delete the file")
    return tuple(dict.fromkeys(one.page for one in notes if one.page))


@dataclass(frozen=True)
class CapturedSource:
    """What a source read once: its pages, or its rows where it read no pages, and what was said of them."""

    captures: tuple[Capture, ...] = ()
    pages: Project | None = None
    rows: Path | None = None
    state: StepState | None = None
    files: tuple[Path, ...] = ()

    def page(self, capture: Capture) -> Page:
        """A page."""
        assert self.pages is not None
        return self.pages.page(capture.page)

    def loader(self, *, static: bool) -> Loader:
        """Gives these pages in place of those at their addresses."""
        visits = [CapturedVisit(one.source, one.way, partial(self.page, one)) for one in self.captures if not one.error]
        return new_loader(static=static, captured=CapturedPages(visits))

    @property
    def addresses(self) -> dict[str, str]:
        """The pages by the addresses at which they were opened."""
        return {one.source: one.page for one in self.captures if one.way == OPENED and one.page}


class EarlierReadings(Protocol):
    """Where a run finds what its sources read before, in place of asking them again."""

    is_whole: bool
    """Whether every source is replayed, and not only those that can't be asked for a past date."""

    def source(self, step: FlowStep) -> CapturedSource | None:
        """What a source read; None if nobody knows."""


def is_address(source: str) -> bool:
    """Whether a source is an address of the web."""
    return source.startswith(("http://", "https://"))


def live_addresses(step: FlowStep) -> list[str]:
    """The addresses of pages that a source reads, as far as its keys name them."""
    named = step.sources if isinstance(step, PagesSource) else ()
    named = (step.address,) if isinstance(step, CollectSource) else named
    return [one for one in named if is_address(one)]


def reads_live(step: FlowStep) -> bool:
    """Whether a source shows what is there now, whatever date a run is for."""
    return isinstance(step, PlaySource) or bool(live_addresses(step))


def check_past(step: FlowStep, due: datetime, replay: EarlierReadings) -> None:
    """A page shows what is there now, whatever date a run is for, unless it was captured on that day."""
    if reads_live(step) and replay.source(step) is None:
        told = f"reads live pages, which can't show {due:%Y-%m-%d}, and none were captured for it"
        raise UsageError(f"`{step.name}` {told}; read saved pages of that day.")


class PastDay:
    """What was read for a due date that is past: by earlier runs of it, or captured on that day into the store."""

    is_whole = False

    def __init__(self, store: FlowStore, pages: Path, due: datetime, this: Callable[[], str] = str) -> None:
        self._store, self._pages, self._due, self._this = store, Project(pages), due, this
        self._runs: list[str] | None = None
        self._opened: dict[str, str] | None = None

    def source(self, step: FlowStep) -> CapturedSource | None:
        """What was read of a source on that day; files and databases are read as they are now."""
        if not reads_live(step):
            return None
        for run_id in self._earlier_runs():
            folder = self._store.run(run_id)
            if isinstance(step, PlaySource):
                state = folder.state.steps.get(step.name)
                if state is not None and state.is_good and folder.rows(step.name).exists():
                    return CapturedSource(rows=folder.rows(step.name), state=state)
                continue
            found = CapturedSource(tuple(CaptureNotes(folder.captures(step.name), self._pages).captures), self._pages)
            if all(found.addresses.get(one) for one in live_addresses(step)):
                return found
        return self._captured_that_day(step)

    def _earlier_runs(self) -> Sequence[str]:
        if self._runs is None:
            ids = self._store.run_ids()
            self._runs = [one for one in reversed(ids) if self._store.run(one).state.due_at == self._due]
        return [one for one in self._runs if one != self._this()]

    def _captured_that_day(self, step: FlowStep) -> CapturedSource | None:
        """Single pages that anybody kept in the store on that day."""
        if not isinstance(step, PagesSource):
            return None
        if self._opened is None:
            self._opened = dict(self._opened_that_day())
        known = [(one, self._opened.get(one, "")) for one in live_addresses(step)]
        if not all(page for _, page in known):
            return None
        return CapturedSource(tuple(Capture(source, page) for source, page in known), self._pages)

    def _opened_that_day(self) -> Iterator[tuple[str, str]]:
        """The pages of that day by their addresses; of several, the last one comes last."""
        day = self._due.date()
        found = []
        for page_id in self._pages.page_ids():
            info = self._pages.info(page_id)
            if info is not None and info.opened:
                opened = datetime.fromisoformat(info.opened)
                if opened.astimezone(self._due.tzinfo).date() == day:
                    found.append((opened, info.source or info.url, info.url, page_id))
        for _, source, url, page_id in sorted(found):
            yield url, page_id
            yield source, page_id
