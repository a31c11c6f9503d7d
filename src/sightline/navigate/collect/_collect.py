"""All records of a list over all its pages, each once."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Literal, TypeAlias, get_args

from sightline.data import ItemList, Records, Table, Verdict, join_records
from sightline.errors import UsageError
from sightline.extract.wrappers import Wrapper
from sightline.jobs import OnProgress, Progress
from sightline.navigate.collect._details import AUTO, Details, DetailsTeller, OnPage, with_details
from sightline.navigate.collect._journal import CollectJournal, Kept, KeptEnd, KeptPage, Task
from sightline.navigate.collect._paged_list import ReadRecords, RecordsOnPage, list_reader, table_reader, wrapper_reader
from sightline.navigate.collect._paged_top import read_top
from sightline.navigate.collect._walk import Stop, StopKind, Turns, Visited, Walk, turns_of
from sightline.page import Page
from sightline.sources import Loader

__all__ = ["MOST_PAGES", "Collection", "What", "collect"]

MOST_PAGES = 100
COMPLETE = ("counter", "end", "repeated")  # ends after which there is nothing to go on with

What: TypeAlias = Literal["lists", "tables", "top"]
"""What is collected: the page's main list, the rows of its main table, or the list that its title promises."""


@dataclass(frozen=True)
class Collection:
    """What was collected: the records, each once; the pages; why it stopped; and what may be wrong."""

    records: Records
    pages: tuple[Visited, ...]
    stop: Stop
    doubts: tuple[str, ...] = field(default=())
    retries: int = field(default=0, compare=False)

    @property
    def verdict(self) -> Verdict:
        """Whether all records were collected, as far as one can tell."""
        if not len(self.records):
            return "failed"
        return "suspicious" if self.doubts or self.stop.kind in ("budget", "failed") else "ok"


def collect(  # noqa: PLR0913 - one for each choice
    address: str,
    *,
    what: What = "lists",
    wrapper: Wrapper | None = None,
    details: Details | None = None,
    like: ItemList | Table | None = None,
    pages: int = MOST_PAGES,
    loader: Loader,
    journal: str | os.PathLike[str] | None = None,
    on_progress: OnProgress | None = None,
    on_page: OnPage | None = None,
) -> Collection:
    """All records of the list that begins at an address, over all its pages, each once.

    `like` is the list or table that is meant, as it was found on the page before; else the most important one is read.
    With `journal` an interrupted collection goes on where it was; whoever has stored the result removes the file.
    `on_page` gets every page from which something is read, before that counts as read.
    """
    if pages < 1:
        raise UsageError(f"{pages} pages cannot be read; give 1 or more.")
    if what not in get_args(What):
        raise UsageError(f"{what!r} cannot be collected; give one of {', '.join(get_args(What))}.")
    if wrapper is not None and what != "lists":
        raise UsageError(f"A wrapper says itself what is read; leave `wrapper` or `what={what!r}` out.")
    loader.keep_to(address)
    teller = _Teller(on_progress)
    keeper = CollectJournal(journal, Task(address, wrapper.dumps() if wrapper else what, _named(details)))
    kept = keeper.read()
    walked = _ended(kept)
    if walked is None:
        job = _ListJob(address, what, wrapper, like, pages, keeper, kept, teller, on_page or _nobody)
        with turns_of(loader, teller.waits) as turns:
            walked = job.run(turns)
    if details is None or not len(walked.records):
        return replace(walked, retries=teller.retries)
    told = DetailsTeller(teller.details, teller.waits)
    joined, doubts = with_details(walked.records, details, loader, keeper, kept, told, on_page or _nobody)
    return replace(walked, records=joined, doubts=(*walked.doubts, *doubts), retries=teller.retries)


def _named(details: Details | None) -> str:
    return "" if details is None else AUTO if details == AUTO else details.dumps()


def _ended(kept: Kept) -> Collection | None:
    """What an earlier run has collected, if it came to the end of the list."""
    if kept.end is None or kept.end.stop not in COMPLETE:
        return None
    return _collection(
        list(_visited(kept)), Stop(_kind(kept.end.stop), kept.end.why), [*_doubts(kept), *kept.end.doubts]
    )


def _kind(said: str) -> StopKind:
    return next(kind for kind in get_args(StopKind) if kind == said)


def _visited(kept: Kept) -> Iterator[Visited]:
    return (Visited(page.address, page.way, page.shown, page.records) for page in kept.pages)


def _doubts(kept: Kept) -> Iterator[str]:
    return (doubt for page in kept.pages for doubt in page.doubts)


def _collection(visited: Sequence[Visited], stop: Stop, doubts: Sequence[str]) -> Collection:
    records = join_records(one.records for one in visited if len(one.records))
    return Collection(records, tuple(visited), stop, tuple(dict.fromkeys(doubts)))


class _Teller:
    """Tells a listener how far the work has come."""

    def __init__(self, listener: OnProgress | None) -> None:
        self._listener = listener
        self._began = monotonic()
        self._last = Progress("Collecting")
        self.retries = 0

    def waits(self, seconds: float) -> None:
        """Before a pause that a site needs."""
        self.retries += 1
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


@dataclass(frozen=True, eq=False)
class _ListJob:
    """Reads the pages of a list and keeps each as soon as it is read."""

    address: str
    what: What
    wrapper: Wrapper | None
    like: ItemList | Table | None
    most: int
    journal: CollectJournal
    kept: Kept
    teller: _Teller
    on_page: OnPage

    def run(self, turns: Turns) -> Collection:
        """The records of all pages."""
        first = turns.open(self.address)
        if self.what == "top":
            return self._top(turns, first)
        walk = Walk(turns, self._reader(first), first.url or self.address, self.most, rows_repeat=self.what == "tables")
        earlier = list(_visited(self.kept))
        walk.resume(earlier)
        walk.doubts.extend(_doubts(self.kept))
        visited, told = list(earlier), len(walk.doubts)
        begin, where = (first, walk.start) if not earlier else _last(turns, earlier, first, walk.start)
        for one in walk.visits(begin, where):
            if len(one.records) or not earlier:
                visited.append(one)
                self.journal.add(KeptPage(one.address, one.way, one.shown, one.records, tuple(walk.doubts[told:])))
                told = len(walk.doubts)
            self.teller.pages(walk, one.address)
        assert walk.stop is not None
        self.journal.add(KeptEnd(*walk.stop, tuple(walk.doubts[told:])))
        return _collection(visited, walk.stop, walk.doubts)

    def _top(self, turns: Turns, first: Page) -> Collection:
        self.on_page(first)
        visited, stop = read_top(turns, first, first.url or self.address, self.most)
        for one in visited:
            self.journal.add(KeptPage(one.address, one.way, one.shown, one.records))
        self.journal.add(KeptEnd(*stop, ()))
        return _collection(visited, stop, first.gaps)

    def _reader(self, first: Page) -> ReadRecords:
        reader = self._plain_reader(first)

        def read(page: Page) -> RecordsOnPage:
            self.on_page(page)
            return reader(page)

        return read

    def _plain_reader(self, first: Page) -> ReadRecords:
        if self.wrapper is not None:
            return wrapper_reader(self.wrapper)
        if self.what == "lists":
            return list_reader(first, self.like if isinstance(self.like, ItemList) else None)
        return table_reader(first, self.like if isinstance(self.like, Table) else None)


def _nobody(_: Page) -> None:
    """Nobody wants the pages."""


def _last(turns: Turns, earlier: Sequence[Visited], first: Page, start: str) -> tuple[Page, str]:
    """The last page that was read before, to go on from."""
    address = earlier[-1].address
    return (first, start) if address == start else (turns.open(address), address)
