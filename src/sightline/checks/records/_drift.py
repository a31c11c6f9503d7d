"""Changes since the last good run: counts, fill, ranges, and dates that went backwards."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sightline.checks._report import Issue, Severity
from sightline.checks.records._coverage import check_count
from sightline.checks.records._fill import check_fill
from sightline.checks.records._ranges import check_ranges
from sightline.checks.records._run import FieldColumn, RecordRun, matched_columns
from sightline.checks.records._run_profile import newest_of
from sightline.checks.records._settings import CheckSettings
from sightline.data import FieldProfile, Profile, Record, Value

__all__ = ["check_drift"]

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
