"""The same record again: many times on a page, or from another address, whose answer was then another's."""

from collections import Counter
from collections.abc import Iterator

from sightline.checks._report import Issue
from sightline.checks.records._run import PageRecords, RecordRun, values_of
from sightline.checks.records._settings import CheckSettings
from sightline.data import Profile, Record

__all__ = ["check_duplicates"]

FEWEST = 4  # records of a page, from which on a share of them says something
TELLING = 12  # characters in at least two values; less may well be the same in two places
MOST_TOLD = 5


def check_duplicates(run: RecordRun, profile: Profile | None, settings: CheckSettings) -> Iterator[Issue]:
    """Tell pages that have a record many times, and pages that are another's."""
    yield from _on_pages(run, profile, settings)
    yield from _across(run)


def _on_pages(run: RecordRun, profile: Profile | None, settings: CheckSettings) -> Iterator[Issue]:
    for group in run.lists(profile):
        keys = [key for record in group.records if _is_telling(key := _key(record))]
        again = len(keys) - len(set(keys))
        if len(keys) >= FEWEST and again > settings.most_duplicates * len(group.records):
            most = Counter(keys).most_common(1)[0][1]
            reason = f"{again} of {len(group.records)} records repeat another; one stands there {most} times."
            yield Issue("duplicates", "suspicious", reason, group.scope or None, run.taken[group.page].called)


def _across(run: RecordRun) -> Iterator[Issue]:
    """Different addresses with the same records: the server answered one of them with the page of another."""
    seen: dict[object, PageRecords] = {}
    for own in run.taken:
        whole = tuple(map(_key, own.records))
        if not whole or not _is_telling(tuple(text for key in whole for text in key)):
            continue
        first = seen.setdefault(whole, own)
        if first is not own and own.called != first.called and _same_page(own, first):
            told = f"as {first.called}" if first.called else "as another page of the run"
            reason = f"the records are the same {told}: it is a stale page, or the address was answered with another."
            yield Issue("duplicates", "suspicious", reason, source=own.called)


def _same_page(own: PageRecords, other: PageRecords) -> bool:
    """Whether two pages say the same; records alone must do where a page is not at hand."""
    if own.page is None or other.page is None or own.page.id == other.page.id:
        return True
    return own.page.text_of() == other.page.text_of()


def _key(record: Record) -> tuple[str, ...]:
    return tuple(value.text for value in values_of(record))


def _is_telling(key: tuple[str, ...]) -> bool:
    return len(key) >= 2 and sum(map(len, key)) >= TELLING
