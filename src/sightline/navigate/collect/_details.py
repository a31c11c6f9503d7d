"""The details pages that records lead to, joined to their rows."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from sightline.data import Field, Record, Records, Value
from sightline.errors import SightlineError, SourceError, UnreachableError
from sightline.extract.wrappers import Wrapper, induce
from sightline.jobs import Job, Outcome
from sightline.navigate._patience import OnWait
from sightline.navigate.collect._journal import CollectJournal, Kept, KeptDetails
from sightline.navigate.collect._paged_list import read_by
from sightline.navigate.collect._walk import turns_of
from sightline.page import Page
from sightline.sources import Loader

__all__ = ["AUTO", "Details", "DetailsTeller", "OnPage", "with_details"]

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
OnPage: TypeAlias = Callable[[Page], object]


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
    on_page: OnPage,
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
            on_page(outcome.found)
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
