"""Runs all checks on the records of a run and collects their issues in one report."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from sightline.checks._report import Issue, Report, Severity
from sightline.checks.records._advertisements import check_advertisements, check_appearance
from sightline.checks.records._column_shift import check_rows, check_shift
from sightline.checks.records._coverage import check_count, check_coverage, check_gaps
from sightline.checks.records._ranges import check_fees, check_fill, check_hollow, check_ranges, check_types
from sightline.checks.records._run import FieldColumn, PageRecords, RecordRun, matched_columns, run_of, values_of
from sightline.checks.records._run_profile import newest_of
from sightline.checks.records._settings import CheckSettings
from sightline.data import FieldProfile, Profile, Record, Value, verdict_of_pages
from sightline.errors import UsageError
from sightline.signals import wall_on

MOST_NAMED = 5  # pages named individually


def check_records(
    run: Sequence[PageRecords],
    profile: Profile | None = None,
    last: Profile | None = None,
    settings: CheckSettings | None = None,
    more: Iterable["RecordCheck"] = (),
) -> Report:
    """Check the records extracted from one or more pages; the report has the verdict and the reasons.

    `profile` describes what the wrapper read when it worked, `last` is the profile of the last good run; `more` are
    checks of others. Bad data never raises; only an argument of the wrong type does.

    >>> from sightline.data import Records
    >>> check_records([PageRecords(Records([]))]).verdict
    'failed'
    """
    run = _checked(run, profile, last, settings)
    settings = settings or CheckSettings()
    record_run = run_of(run)
    issues = [
        issue
        for name, check in _checks(record_run, profile, last, settings)
        if name not in settings.without
        for issue in check
    ]
    issues += [issue for check in more for issue in check.check(run, profile)]
    return Report(tuple(dict.fromkeys(issues)))


@dataclass(frozen=True)
class RecordCheck:
    """A check of others: its name, what it is about, and the issues it finds in the records of pages.

    The function gets the pages of a run, and what the wrapper read when it worked, if that is known.
    """

    name: str
    about: str
    check: Callable[[Sequence[PageRecords], Profile | None], Iterable[Issue]]


def _checks(
    run: RecordRun, profile: Profile | None, last: Profile | None, settings: CheckSettings
) -> Iterator[tuple[str, Iterable[Issue]]]:
    """All checks by name. They are generators, so those left out never start."""
    yield "count", _nothing(run)
    yield "reading", check_readings(run, settings)
    yield "walls", check_walls(run)
    yield "cuts", check_cuts(run)
    yield "coverage", check_coverage(run, profile, settings)
    yield "coverage", check_gaps(run, profile, settings)
    yield "rows", check_rows(run, profile)
    yield "advertisements", check_advertisements(run, profile)
    yield "duplicates", check_duplicates(run, profile, settings)
    yield "looks", check_appearance(run)
    if profile is not None:
        yield "count", check_count(run, profile)
        yield "fill", check_fill(run, profile, settings)
        yield "fill", check_hollow(run, profile)
        yield "types", check_types(run, profile, settings)
        yield "ranges", check_ranges(run, profile, settings)
        yield "fees", check_fees(run, profile, settings)
        yield "shift", check_shift(run, profile, settings)
    if last is not None:
        yield "drift", check_drift(run, last, settings)


def _nothing(run: RecordRun) -> Iterator[Issue]:
    """Pages without any records."""
    empty = [
        page_records for page_records in run.pages if not any(any(record.values()) for record in page_records.records)
    ]
    if len(empty) == len(run.pages):
        yield Issue("count", "failed", "nothing was extracted." if run.pages else "there are no pages.")
        return
    for page_records in empty[:MOST_NAMED]:
        reason = f"nothing was extracted from {len(empty)} of {len(run.pages)} pages."
        yield Issue("count", "suspicious", reason, source=page_records.name)


def _checked(
    run: Sequence[PageRecords], profile: Profile | None, last: Profile | None, settings: CheckSettings | None
) -> Sequence[PageRecords]:
    """Reject arguments of the wrong type."""
    if isinstance(run, PageRecords | str) or not isinstance(run, Sequence):
        raise UsageError(f"A run is a list of PageRecords, not {run!r:.60}.")
    for item in run:
        if not isinstance(item, PageRecords):
            raise UsageError(f"A run is a list of PageRecords, which {item!r:.60} is not.")
    for given in (profile, last):
        if given is not None and not isinstance(given, Profile):
            raise UsageError(f"Records are compared with a Profile, not {given!r:.60}.")
    if settings is not None and not isinstance(settings, CheckSettings):
        raise UsageError(f"The settings of checks must be CheckSettings, not {settings!r:.60}.")
    return run


# Repeated records: many times on a page, or under another address that returned the wrong page.

FEWEST = 4  # records of a page; a share of fewer says nothing
TELLING = 12  # characters in at least two values; shorter records may well coincide


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


# The wrapper's own verdicts on the pages, and pages that are walls instead of content.


def check_readings(run: RecordRun, settings: CheckSettings) -> Iterator[Issue]:
    """Report pages that the wrapper rejected or was unsure of; the name of this check marks extraction errors.

    Most uncertain pages are read correctly, but a run with one of them is not ok, as it is not when it is extracted.
    """
    verdict = verdict_of_pages([page.verdict for page in run.pages], most_suspicious=settings.most_suspicious)
    failed = [page_records for page_records in run.pages if page_records.verdict == "failed"]
    if failed:
        severity: Severity = "failed" if verdict == "failed" else "suspicious"
        count = f"{len(failed)} of {len(run.pages)} pages do not fit the wrapper" if len(run.pages) > 1 else ""
        for page_records in failed[:MOST_NAMED]:
            why = _why(page_records) or "the page does not fit the wrapper"
            yield Issue("reading", severity, f"{count}; {why}." if count else f"{why}.", source=page_records.name)
    unsure = [page_records for page_records in run.pages if page_records.verdict == "suspicious"]
    if unsure:
        reason = f"{len(unsure)} of {len(run.pages)} pages were read with doubts; {_why(unsure[0])}."
        yield Issue("reading", "notice" if verdict == "ok" else "suspicious", reason, source=unsure[0].name)


def check_cuts(run: RecordRun) -> Iterator[Issue]:
    """Report pages of which something is missing, such as rows beyond a limit: their records may be a part."""
    for page_records in run.pages:
        gaps = page_records.page.gaps if page_records.page is not None else ()
        if gaps:
            yield Issue("cuts", "suspicious", gaps[0], source=page_records.name)


def check_walls(run: RecordRun) -> Iterator[Issue]:
    """Report pages that are a wall instead of content; if all pages are, the run has failed."""
    walls = [
        (page_records, wall)
        for page_records in run.pages
        if page_records.page is not None and (wall := wall_on(page_records.page)) is not None
    ]
    severity: Severity = "failed" if len(walls) == len(run.pages) else "suspicious"
    for page_records, wall in walls[:MOST_NAMED]:
        yield Issue("walls", severity, f"this is a {wall.kind}: {wall.evidence}.", source=page_records.name)


def _why(page_records: PageRecords) -> str:
    return page_records.problems[0].rstrip(".") if page_records.problems else ""


# Changes since the last good run: counts, fill, ranges, and dates that went backwards.

ORDERS = ("DMY", "MDY")
MOSTLY = 0.9  # of the dates must be readable in an order for it to count


def check_drift(run: RecordRun, last: Profile, settings: CheckSettings) -> Iterator[Issue]:
    """Compare a run with the profile of the last good run."""
    yield from check_count(run, last, check="drift")
    yield from check_fill(run, last, settings, check="drift")
    yield from check_ranges(run, last, settings, check="drift")
    yield from _backwards(run, last)
    yield from _same(run, last)


def _backwards(run: RecordRun, last: Profile) -> Iterator[Issue]:
    """Fields whose newest date is older than before, which means that the pages are older."""
    for column, field in matched_columns(run, last):
        if field.newest is None or not column.cells or field.type.kind != "date":
            continue
        newest = newest_of(column.typed(field.type))
        if newest is not None and newest < field.newest:
            reason = f"the newest date is {newest}, but the last run had {field.newest}: the pages are older."
            severity: Severity = "suspicious" if _in_all_orders(column, field) else "notice"
            yield Issue("drift", severity, reason, field=column.name)


def _in_all_orders(column: FieldColumn, field: FieldProfile) -> bool:
    """Whether dates went backwards however they are read: in 11/12 either number may be the month.

    An order that cannot read most of the dates, then or now, does not count.
    """
    if not field.type.ambiguous:
        return True
    for order in ORDERS:
        kind = replace(field.type, date_order=order)
        then, now = [kind.parse(text) for text in field.examples], column.typed(kind)
        before, after = newest_of(then), newest_of(now)
        if min(_readable(then), _readable(now)) >= MOSTLY and before and after and after >= before:
            return False
    return True


def _readable(values: Sequence[object]) -> float:
    return sum(value is not None for value in values) / max(1, len(values))


def _same(run: RecordRun, last: Profile) -> Iterator[Issue]:
    """Nothing has changed. Most pages stay the same between two runs, so this is only a notice."""
    known = [set(record.items()) for _, record in last.records]
    records = [record for page_records in run.pages for record in page_records.records][: len(known)]
    if known and len(records) == len(known) and all(set(_texts(record).items()) in known for record in records):
        yield Issue("drift", "notice", "the first records are the same as in the last run.")


def _texts(record: Record) -> dict[str, tuple[str, ...]]:
    return {name: (content.text,) for name, content in record.items() if isinstance(content, Value)}
