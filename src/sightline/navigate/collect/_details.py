"""The details pages that records lead to, joined to their rows."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

from sightline.data import Field, Record, Records, Value
from sightline.errors import SightlineError, UsageError
from sightline.extract.wrappers import Wrapper, induce
from sightline.jobs import Job, Outcome
from sightline.navigate.collect._paged_list import read_by
from sightline.page import Page
from sightline.sources import Loader

__all__ = ["AUTO", "Details", "with_details"]

AUTO: Literal["auto"] = "auto"
LINK = "link"
OK = "ok"
STATUS = "details"  # the column that says what became of each row's page
OF_DETAILS = "{} (details)"  # a field of the details page whose name the list has, too
TRAINED_ON = 6  # pages that a wrapper is induced from
WEB = ("http://", "https://")

Details: TypeAlias = Wrapper | Literal["auto"]
OnDetails: TypeAlias = Callable[[int, int], None]
"""Called with how many details pages were read, and how many there are."""


def with_details(
    records: Records, details: Details, loader: Loader, on_details: OnDetails | None = None
) -> tuple[Records, list[str]]:
    """Records with the fields of the pages they lead to, and a status for each; and what may be wrong.

    With `auto` a wrapper is induced from the first pages, and verified on all.
    """
    addresses = [_address(record) for record in records]
    wanted = list(dict.fromkeys(address for address in addresses if address))
    if not wanted:
        raise UsageError("No record has a link, so there are no details pages; leave `details` out.")
    outcomes = _opened(wanted, loader, on_details)
    wrapper = _induced(outcomes) if details == AUTO else details
    found = {outcome.source: _read(outcome, wrapper) for outcome in outcomes}
    names = {name for record in records for name in record}
    results = [found[address] if address else (None, "missing") for address in addresses]
    rows = [
        Record({**record, **_joined(detail, names), STATUS: Value(status)})
        for record, (detail, status) in zip(records, results, strict=True)
    ]
    without = sum(status != OK for _, status in results)
    told = f"{without:,} of {len(rows):,} rows lack details or are doubtful; the column “{STATUS}” says why"
    return Records(rows, language=records.language), [told] if without else []


def _address(record: Record) -> str:
    value = record.get(LINK)
    return value.text if isinstance(value, Value) and value.text.startswith(WEB) else ""


def _opened(addresses: Sequence[str], loader: Loader, on_details: OnDetails | None) -> list[Outcome[Page]]:
    outcomes: list[Outcome[Page]] = []
    for outcome in Job(addresses, lambda page, _: page, loader):
        outcomes.append(outcome)
        if on_details:
            on_details(len(outcomes), len(addresses))
    return outcomes


def _induced(outcomes: Iterable[Outcome[Page]]) -> Wrapper:
    pages = [outcome.found for outcome in outcomes if outcome.found is not None][:TRAINED_ON]
    return induce(pages)


def _read(outcome: Outcome[Page], wrapper: Wrapper) -> tuple[Record | None, str]:
    """What a details page holds, and a status."""
    if outcome.found is None:
        return None, f"failed: {outcome.error.message if outcome.error else 'no page'}"
    try:
        records, doubt = read_by(wrapper, outcome.found)
    except SightlineError as problem:
        return None, f"failed: {problem.message}"
    if not len(records):
        return None, "missing"
    doubts = [doubt, *outcome.found.gaps, f"first of {len(records)} records" if len(records) > 1 else ""]
    return records[0], next((f"suspicious: {one}" for one in doubts if one), OK)


def _joined(record: Record | None, names: set[str]) -> dict[str, Field]:
    """The fields of a details page under names that the list does not have."""
    return {} if record is None else {_free(name, names): value for name, value in record.items()}


def _free(name: str, names: set[str]) -> str:
    return OF_DETAILS.format(name) if name in names or name == STATUS else name
