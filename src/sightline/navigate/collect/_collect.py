"""All records of a list over all its pages, each once."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import msgspec

from sightline.data import Field, ItemList, Record, Records, Table, Value, Verdict, join_records
from sightline.errors import SightlineError, SourceError, UnreachableError, UnreadableError, UsageError
from sightline.extract.wrappers import Wrapper, induce
from sightline.files import writing
from sightline.jobs import Job, OnProgress, Outcome, Progress
from sightline.navigate._patience import OnWait
from sightline.navigate.collect._by_data import shortcut
from sightline.navigate.collect._paged_list import (
    ReadRecords,
    list_reader,
    read_by,
    table_reader,
    wrapper_reader,
)
from sightline.navigate.collect._walk import (
    COMPLETE,
    OnTurn,
    Stop,
    StopKind,
    Turns,
    Visited,
    Walk,
    _nobody,
    read_top,
    turns_of,
)
from sightline.page import Page
from sightline.project import Journal, read_journal
from sightline.sources import Loader

# -- what was collected so far, in a file, so that an interrupted collection can go on where it was -----------------
# The first entry says what is collected; each other one is a page of the list, why the list ended, the wrapper that
# was learned for details, or what a details page holds.


class Task(NamedTuple):
    """What is collected: from where, how records are read, and how their details; "" for none."""

    start: str
    reader: str
    details: str = ""


class KeptPage(NamedTuple):
    """A page that was read: its address, how it was reached, how many records it shows, the new ones, and doubts."""

    address: str
    way: str
    shown: int
    records: Records
    doubts: tuple[str, ...] = ()


class KeptEnd(NamedTuple):
    """Why the list ended, and what may be missing from it."""

    stop: str
    why: str
    doubts: tuple[str, ...]


class KeptDetails(NamedTuple):
    """What a details page holds, and what became of it."""

    details: str
    record: Record | None
    status: str


_Entry: TypeAlias = KeptPage | KeptEnd | KeptDetails | str


@dataclass
class Kept:
    """What an earlier run of the same task left."""

    pages: list[KeptPage] = field(default_factory=list)
    end: KeptEnd | None = None
    details: list[KeptDetails] = field(default_factory=list)
    wrapper: str | None = None

    def take(self, entry: _Entry) -> None:
        """Add a line of the journal; of several ends the last one counts."""
        if isinstance(entry, KeptPage):
            self.pages.append(entry)
        elif isinstance(entry, KeptDetails):
            self.details.append(entry)
        elif isinstance(entry, KeptEnd):
            self.end = entry
        else:
            self.wrapper = entry


class CollectJournal:
    """Keeps what was collected; `path` None keeps nothing."""

    def __init__(self, path: str | os.PathLike[str] | None, task: Task) -> None:
        self._path = Path(path) if path is not None else None
        self._task = task
        self._begun = False

    def read(self) -> Kept:
        """What an earlier run of the same task left; nothing if there was no such run."""
        if self._path is None or not self._path.exists():
            return Kept()
        try:
            content = read_journal(self._path)
            head = msgspec.json.decode(content.lines[0], type=_Head)
        except (IndexError, msgspec.DecodeError, OSError) as problem:
            told = f"{self._path} is not what an interrupted collection left; name another file."
            raise UsageError(told) from problem
        if head.collects != tuple(self._task):
            start = head.collects[0]
            of = f"of {start}" if start != self._task.start else "with other choices"
            raise UsageError(
                f"{self._path} was left by another collection, {of}; remove it to collect {self._task.start}."
            )
        kept = Kept()
        try:
            for document in content.entries(dict[str, Any], "an entry")[1:]:
                kept.take(_entry(document))
        except (UnreadableError, KeyError, TypeError, AttributeError) as problem:
            raise UsageError(f"{self._path} is damaged; remove it to collect {self._task.start} anew.") from problem
        self._begun = True
        return kept

    def add(self, entry: KeptPage | KeptEnd | KeptDetails) -> None:
        """Add a page of the list, its end, or a details page."""
        document = entry._asdict()
        if isinstance(entry, KeptPage):
            document["records"] = entry.records.to_dicts()
        elif isinstance(entry, KeptDetails):
            document["record"] = Records([entry.record]).to_dicts()[0] if entry.record is not None else None
        self._append(document)

    def add_wrapper(self, wrapper: str) -> None:
        """Add the wrapper that was learned for the details pages."""
        self._append({"wrapper": wrapper})

    def _append(self, document: dict[str, Any]) -> None:
        if self._path is None:
            return
        head = [] if self._begun else [_Head(tuple(self._task))]
        with writing(self._path), Journal(self._path, sync=False) as journal:
            journal.add(*head, document)
        self._begun = True


class _Head(msgspec.Struct, frozen=True):
    """What is collected, as the first line of the file says."""

    collects: tuple[str, ...]


def _entry(document: dict[str, Any]) -> _Entry:
    if "wrapper" in document:
        return str(document["wrapper"])
    if "stop" in document:
        return KeptEnd(document["stop"], document["why"], tuple(document["doubts"]))
    if "details" in document:
        record = document["record"]
        return KeptDetails(document["details"], _record(record) if record is not None else None, document["status"])
    records = Records([_record(record) for record in document["records"]])
    doubts = tuple(document.get("doubts", ()))
    return KeptPage(document["address"], document["way"], document["shown"], records, doubts)


def _record(document: dict[str, Any]) -> Record:
    return Record({name: _field(value) for name, value in document.items()})


def _field(value: Any) -> Any:
    """A field of a record from plain values."""
    if isinstance(value, str):
        return Value(value)
    if isinstance(value, dict):
        return _record(value)
    return tuple(map(_field, value)) if isinstance(value, Sequence) else None


# -- all records of a list over all its pages, each once ------------------------------------------------------------

# -- the details pages that records lead to, joined to their rows ---------------------------------------------------

AUTO: Literal["auto"] = "auto"
LINK = "link"
OK = "ok"
FAILED = "failed: "
STATUS = "details"  # the column that says what became of each row's page
OF_DETAILS = "{} (details)"  # a field of the details page whose name the list has, too
TRAINED_ON = 6  # pages that a wrapper is induced from
WEB = ("http://", "https://")
_TOO_MANY = re.compile(r"\b429\b")  # in what an error says of a page that asks for a person as well

Details: TypeAlias = Wrapper | Literal["auto"]


class DetailsTeller(NamedTuple):
    """Who is told how many details pages were read of how many, and that a busy site is waited for."""

    read: Callable[[int, int], None]
    wait: OnWait


def with_details(  # noqa: PLR0913 - what a collection consists of
    records: Records,
    details: Details,
    loader: Loader,
    journal: CollectJournal,
    kept: Kept,
    teller: DetailsTeller,
    on_page: OnTurn,
) -> tuple[Records, list[str]]:
    """Records with the fields of the pages they lead to, and a status for each; and what may be wrong.

    With `auto` a wrapper is induced from the first pages, and verified on all. Pages that an earlier run has read are
    not opened again; those that failed are.
    """
    addresses = [_address(record) for record in records]
    wanted = list(dict.fromkeys(address for address in addresses if address))
    if not wanted:
        return records, ["no record has a link, so there are no details pages; leave `details` out"]
    learned = Wrapper.loads(kept.wrapper) if kept.wrapper else None
    reading = _Reading(learned if details == AUTO else details, journal)
    reading.found.update((one.details, (one.record, one.status)) for one in kept.details)
    missing = [address for address in wanted if address not in reading.found]
    for number, outcome in enumerate(_opened(missing, loader, teller.wait), start=1):
        if outcome.found is not None:
            on_page(outcome.found, outcome.source, "opened")
        reading.take(outcome)
        teller.read(len(wanted) - len(missing) + number, len(wanted))
    reading.finish()
    return _joined_to(records, addresses, reading.found)


@dataclass(eq=False)
class _Reading:
    """Reads details pages as they come; those before the wrapper is learned wait for it."""

    wrapper: Wrapper | None
    journal: CollectJournal
    found: dict[str, tuple[Record | None, str]] = field(default_factory=dict)
    waiting: list[Outcome[Page]] = field(default_factory=list)

    def take(self, outcome: Outcome[Page]) -> None:
        """Read a page, now or as soon as the wrapper is there."""
        if self.wrapper is not None:
            self._read(outcome, self.wrapper)
            return
        self.waiting.append(outcome)
        if sum(one.found is not None for one in self.waiting) >= TRAINED_ON:
            self.finish()

    def finish(self) -> None:
        """Learn the wrapper from the pages that there are, and read them; if none can be learned, each row says why."""
        waiting, self.waiting = self.waiting, []
        if not waiting:
            return
        try:
            wrapper = induce([outcome.found for outcome in waiting if outcome.found is not None])
        except SightlineError as problem:
            for outcome in waiting:
                error = outcome.error or problem
                self.found[outcome.source] = None, FAILED + error.message
            return
        self.wrapper = wrapper
        self.journal.add_wrapper(wrapper.dumps())
        for outcome in waiting:
            self._read(outcome, wrapper)

    def _read(self, outcome: Outcome[Page], wrapper: Wrapper) -> None:
        record, status = self.found[outcome.source] = _read(outcome, wrapper)
        if not status.startswith(FAILED):
            self.journal.add(KeptDetails(outcome.source, record, status))


def _address(record: Record) -> str:
    value = record.get(LINK)
    return value.text if isinstance(value, Value) and value.text.startswith(WEB) else ""


def _opened(addresses: Sequence[str], loader: Loader, on_wait: OnWait) -> Iterator[Outcome[Page]]:
    """The pages; a busy site is waited for until patience has ended once."""
    is_patient = True
    for outcome in Job(addresses, lambda page, _: page, loader):
        if is_patient and _may_pass(outcome.error):
            again = _again(outcome.source, loader, on_wait)
            is_patient = again.error is None
            yield again
        else:
            yield outcome


def _may_pass(problem: SightlineError | None) -> bool:
    """Whether a page may be there a little later."""
    if isinstance(problem, UnreachableError):
        return problem.passing
    return isinstance(problem, SourceError) and _TOO_MANY.search(problem.problem) is not None


def _again(address: str, loader: Loader, on_wait: OnWait) -> Outcome[Page]:
    """A page of a busy site, after as long as it wishes."""
    try:
        with turns_of(loader, on_wait) as turns:
            page = turns.open(address)
    except SightlineError as problem:
        return Outcome(address, error=problem)
    return Outcome(address, page, page)


def _read(outcome: Outcome[Page], wrapper: Wrapper) -> tuple[Record | None, str]:
    """What a details page holds, and a status."""
    if outcome.found is None:
        return None, FAILED + (outcome.error.message if outcome.error else "no page")
    try:
        records, doubt = read_by(wrapper, outcome.found)
    except SightlineError as problem:
        return None, FAILED + problem.message
    if not len(records):
        return None, "missing"
    doubts = [doubt, *outcome.found.gaps, f"first of {len(records)} records" if len(records) > 1 else ""]
    return records[0], next((f"suspicious: {one}" for one in doubts if one), OK)


def _joined_to(
    records: Records, addresses: Sequence[str], found: dict[str, tuple[Record | None, str]]
) -> tuple[Records, list[str]]:
    names = {name for record in records for name in record}
    results = [found[address] if address else (None, "missing") for address in addresses]
    rows = [
        Record({**record, **_joined(detail, names), STATUS: Value(status)})
        for record, (detail, status) in zip(records, results, strict=True)
    ]
    without = sum(status != OK for _, status in results)
    told = f"{without:,} of {len(rows):,} rows lack details or are doubtful; the column “{STATUS}” says why"
    return Records(rows, language=records.language), [told] if without else []


def _joined(record: Record | None, names: set[str]) -> dict[str, Field]:
    """The fields of a details page under names that the list does not have."""
    return {} if record is None else {_free(name, names): value for name, value in record.items()}


def _free(name: str, names: set[str]) -> str:
    return OF_DETAILS.format(name) if name in names or name == STATUS else name


# -- all records of a list over all its pages, each once ------------------------------------------------------------

MOST_PAGES = 100

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
    road: str = field(default="", compare=False)
    """Which pages came without the browser, from the data behind them; or why none did."""

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
    on_page: OnTurn | None = None,
    behind: bool = True,
) -> Collection:
    """All records of the list that begins at an address, over all its pages, each once.

    `like` is the list or table that is meant, as it was found on the page before; else the most important one is read.
    With `journal` an interrupted collection goes on where it was; whoever has stored the result removes the file.
    `on_page` gets every page that is opened or turned to, with its address and the way to it, before it is read; all
    pages are opened for it. Otherwise those after the first ones come without the browser where the data behind them
    gives the same records, unless `behind` is False.
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
        job = _ListJob(address, what, wrapper, like, pages, keeper, kept, teller, behind and on_page is None)
        with turns_of(loader, teller.waits, on_page or _nobody) as turns:
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
    behind: bool

    def run(self, turns: Turns) -> Collection:
        """The records of all pages."""
        by_data = shortcut(turns, self.teller.pages, wanted=self.behind and self.what != "top")
        first = turns.open(self.address)
        if self.what == "top":
            return self._top(turns, first)
        walk = Walk(turns, self._reader(first), first.url or self.address, self.most, rows_repeat=self.what == "tables")
        earlier = list(_visited(self.kept))
        walk.resume(earlier)
        walk.doubts.extend(_doubts(self.kept))
        visited, told, further = list(earlier), len(walk.doubts), None
        begin, where = (first, walk.start) if not earlier else _last(turns, earlier, first, walk.start)
        for one in walk.visits(begin, where):
            if len(one.records) or not earlier:
                visited.append(one)
                self.journal.add(KeptPage(one.address, one.way, one.shown, one.records, tuple(walk.doubts[told:])))
                told = len(walk.doubts)
            self.teller.pages(walk, one.address)
            further = by_data.after(walk, one) if by_data else None
            if further is not None:
                visited += further
                break
        assert walk.stop is not None
        if further is None or walk.stop.kind in COMPLETE:  # pages without an address of their own are not gone on from
            for one in further or ():
                self.journal.add(KeptPage(one.address, one.way, one.shown, one.records))
            self.journal.add(KeptEnd(*walk.stop, tuple(walk.doubts[told:])))
        return replace(_collection(visited, walk.stop, walk.doubts), road=by_data.told if by_data else "")

    def _top(self, turns: Turns, first: Page) -> Collection:
        visited, stop = read_top(turns, first, first.url or self.address, self.most)
        for one in visited:
            self.journal.add(KeptPage(one.address, one.way, one.shown, one.records))
        self.journal.add(KeptEnd(*stop, ()))
        return _collection(visited, stop, first.gaps)

    def _reader(self, first: Page) -> ReadRecords:
        if self.wrapper is not None:
            return wrapper_reader(self.wrapper)
        if self.what == "lists":
            return list_reader(first, self.like if isinstance(self.like, ItemList) else None)
        return table_reader(first, self.like if isinstance(self.like, Table) else None)


def _last(turns: Turns, earlier: Sequence[Visited], first: Page, start: str) -> tuple[Page, str]:
    """The last page that was read before, to go on from."""
    address = earlier[-1].address
    return (first, start) if address == start else (turns.open(address), address)
