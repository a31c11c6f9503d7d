"""Repeated records: many times on a page, or under another address that returned the wrong page."""

from collections import Counter
from collections.abc import Iterator

from sightline.checks._report import Issue
from sightline.checks.records._run import PageRecords, RecordRun, values_of
from sightline.checks.records._settings import CheckSettings
from sightline.data import Profile, Record

__all__ = ["check_duplicates"]

FEWEST = 4  # records of a page; a share of fewer says nothing
TELLING = 12  # characters in at least two values; shorter records may well coincide
MOST_NAMED = 5


def check_duplicates(run: RecordRun, profile: Profile | None, settings: CheckSettings) -> Iterator[Issue]:
    """Report pages that repeat a record many times, and pages that duplicate another."""
    yield from _on_pages(run, profile, settings)
    yield from _across(run)


def _on_pages(run: RecordRun, profile: Profile | None, settings: CheckSettings) -> Iterator[Issue]:
    for group in run.lists(profile):
        keys = [key for record in group.records if _is_telling(key := _key(record))]
        again = len(keys) - len(set(keys))
        if len(keys) >= FEWEST and again > settings.most_duplicates * len(group.records):
            most = Counter(keys).most_common(1)[0][1]
            reason = f"{again} of {len(group.records)} records repeat another; one appears {most} times."
            yield Issue("duplicates", "suspicious", reason, group.scope or None, run.pages[group.page].name)


def _across(run: RecordRun) -> Iterator[Issue]:
    """Different addresses with the same records: the server returned the page of another address."""
    first_with: dict[object, PageRecords] = {}
    for page_records in run.pages:
        whole = tuple(map(_key, page_records.records))
        if not whole or not _is_telling(tuple(text for key in whole for text in key)):
            continue
        first = first_with.setdefault(whole, page_records)
        if first is not page_records and page_records.name != first.name and _same_page(page_records, first):
            what = f"those of {first.name}" if first.name else "those of another page of the run"
            reason = f"the records are the same as {what}: the page is stale, or the server returned the wrong one."
            yield Issue("duplicates", "suspicious", reason, source=page_records.name)


def _same_page(page_records: PageRecords, other: PageRecords) -> bool:
    """Whether two pages have the same text; without the pages, equal records must do."""
    if page_records.page is None or other.page is None or page_records.page.id == other.page.id:
        return True
    return page_records.page.text_of() == other.page.text_of()


def _key(record: Record) -> tuple[str, ...]:
    return tuple(value.text for value in values_of(record))


def _is_telling(key: tuple[str, ...]) -> bool:
    return len(key) >= 2 and sum(map(len, key)) >= TELLING
