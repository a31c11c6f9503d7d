"""What changed since the last good run: counts, fill, ranges, and dates that went backwards."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sightline.checks._report import Issue, Severity
from sightline.checks.records._coverage import check_count
from sightline.checks.records._fill import check_fill
from sightline.checks.records._ranges import check_ranges
from sightline.checks.records._run import FieldColumn, RecordRun, matched
from sightline.checks.records._run_profile import newest_of
from sightline.checks.records._settings import CheckSettings
from sightline.data import FieldProfile, Profile, Record, Value

__all__ = ["check_drift"]

ORDERS = ("DMY", "MDY")
MOSTLY = 0.9  # of the dates that an order must be able to read to be one


def check_drift(run: RecordRun, last: Profile, settings: CheckSettings) -> Iterator[Issue]:
    """Compare a run with the profile of the last good one."""
    yield from check_count(run, last, check="drift")
    yield from check_fill(run, last, settings, check="drift")
    yield from check_ranges(run, last, settings, check="drift")
    yield from _backwards(run, last)
    yield from _same(run, last)


def _backwards(run: RecordRun, last: Profile) -> Iterator[Issue]:
    """The newest date is older than it was: the pages are older ones."""
    for column, own in matched(run, last):
        if own.newest is None or not column.cells or own.type.kind != "date":
            continue
        newest = newest_of(column.typed(own.type))
        if newest is not None and newest < own.newest:
            reason = f"the newest is of {newest}, and there was one of {own.newest} before: the pages are older ones."
            severity: Severity = "suspicious" if _in_all_orders(column, own) else "notice"
            yield Issue("drift", severity, reason, field=column.name)


def _in_all_orders(column: FieldColumn, own: FieldProfile) -> bool:
    """Whether dates went backwards however they are read: of 11/12 nobody knows which is the month.

    An order that cannot read most of the dates, then or now, is none.
    """
    if not own.type.ambiguous:
        return True
    for order in ORDERS:
        kind = replace(own.type, date_order=order)
        then, now = [kind.parse(text) for text in own.examples], column.typed(kind)
        before, after = newest_of(then), newest_of(now)
        if min(_readable(then), _readable(now)) >= MOSTLY and before and after and after >= before:
            return False
    return True


def _readable(values: Sequence[object]) -> float:
    return sum(value is not None for value in values) / max(1, len(values))


def _same(run: RecordRun, last: Profile) -> Iterator[Issue]:
    """Everything is as it was. That is what most pages do between two runs, so it is only told."""
    known = [set(record.items()) for _, record in last.records]
    records = [record for own in run.taken for record in own.records][: len(known)]
    if known and len(records) == len(known) and all(set(_texts(own).items()) in known for own in records):
        yield Issue("drift", "notice", "the first records are the same as in the last run.")


def _texts(record: Record) -> dict[str, tuple[str, ...]]:
    return {name: (content.text,) for name, content in record.items() if isinstance(content, Value)}
