"""All records of a list over all its pages, each once."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from time import monotonic

from sightline.data import Records, Verdict, join_records
from sightline.errors import UsageError
from sightline.extract.wrappers import Wrapper
from sightline.jobs import OnProgress, Progress
from sightline.navigate.collect._details import Details, with_details
from sightline.navigate.collect._journal import Journal, JournalPage, Task
from sightline.navigate.collect._paged_list import ReadRecords, list_reader, wrapper_reader
from sightline.navigate.collect._turns import Turns, turns_of
from sightline.navigate.collect._walk import Stop, Visited, Walk
from sightline.page import Page
from sightline.sources import Loader

__all__ = ["MOST_PAGES", "Collection", "collect"]

MOST_PAGES = 100


@dataclass(frozen=True)
class Collection:
    """What was collected: the records, each once; the pages; why it stopped; and what may be wrong."""

    records: Records
    pages: tuple[Visited, ...]
    stop: Stop
    doubts: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> Verdict:
        """Whether all records were collected, as far as one can tell."""
        if not len(self.records):
            return "failed"
        return "suspicious" if self.doubts or self.stop.kind in ("budget", "failed") else "ok"


def collect(  # noqa: PLR0913 - one for each choice
    address: str,
    *,
    wrapper: Wrapper | None = None,
    details: Details | None = None,
    pages: int = MOST_PAGES,
    loader: Loader,
    journal: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
) -> Collection:
    """All records of the list that begins at an address, over all its pages, each once.

    With `journal` an interrupted collection goes on where it was; whoever has stored the result removes the file.
    """
    if pages < 1:
        raise UsageError(f"{pages} pages cannot be read; give 1 or more.")
    teller = _Teller(on_progress)
    walked = _walked(address, wrapper, pages, loader, journal, teller)
    if details is None or not len(walked.records):
        return walked
    joined, doubts = with_details(walked.records, details, loader, teller.details)
    return replace(walked, records=joined, doubts=(*walked.doubts, *doubts))


class _Teller:
    """Tells a listener how far the work has come."""

    def __init__(self, listener: OnProgress | None) -> None:
        self._listener = listener
        self._began = monotonic()
        self._last = Progress("Collecting")

    def waits(self, seconds: float) -> None:
        """Before a pause that a busy site asks for."""
        if self._listener:
            self._listener(replace(self._last, what=f"The site is busy, waiting {seconds:,.0f} s"))

    def pages(self, walk: Walk, address: str) -> None:
        """After a page of the list."""
        what = f"Collecting, {len(walk.known):,} record{'s' * (len(walk.known) != 1)}"
        self._tell(what, len(walk.seen), walk.counted.total, address)

    def details(self, done: int, total: int) -> None:
        """After a details page."""
        if done <= 1:
            self._began = monotonic()  # their pace is their own
        self._tell("Reading details", done, total, None)

    def _tell(self, what: str, done: int, total: int | None, current: str | None) -> None:
        if self._listener:
            total = total if total is None or total >= done else None
            self._last = Progress(what, done, total, current, seconds=monotonic() - self._began)
            self._listener(self._last)


def _walked(
    address: str,
    wrapper: Wrapper | None,
    most: int,
    loader: Loader,
    path: str | os.PathLike[str] | None,
    teller: _Teller,
) -> Collection:
    """The records of all pages."""
    journal = Journal(path, Task(address, wrapper.dumps() if wrapper else "lists"))
    earlier = [Visited(*page) for page in journal.read()]
    with turns_of(loader, teller.waits) as turns:
        first = turns.open(address)
        read: ReadRecords = wrapper_reader(wrapper) if wrapper else list_reader(first)
        walk = Walk(turns, read, first.url or address, most)
        walk.resume(earlier)
        if not earlier:
            journal.begin()
        visited = list(earlier)
        begin, where = (first, walk.start) if not earlier else _last(turns, earlier, first, walk.start)
        for one in walk.visits(begin, where):
            if len(one.records) or not earlier:
                visited.append(one)
                journal.add(JournalPage(one.address, one.way, one.shown, one.records))
            teller.pages(walk, one.address)
    assert walk.stop is not None
    records = join_records(one.records for one in visited if len(one.records))
    return Collection(records, tuple(visited), walk.stop, tuple(walk.doubts))


def _last(turns: Turns, earlier: Sequence[Visited], first: Page, start: str) -> tuple[Page, str]:
    """The last page that was read before, to go on from."""
    address = earlier[-1].address
    return (first, start) if address == start else (turns.open(address), address)
