"""Which due date is meant by a day, and which due dates lie between two days."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from sightline.errors import UsageError
from sightline.flow.run._state import FlowStore
from sightline.flow.schedule import Timetable
from sightline.flow.spec import Flow

MOST_DUES = 10_000
"""Due dates of one backfill; more are probably a mistake in a date."""


def due_on_day(flow: Flow, store: FlowStore, day: date) -> datetime:
    """The due date that is meant by a day: that of its run, else that of the schedule, else the day's beginning.

    Days are those of the schedule's time zone, or of UTC.
    """
    zone = _zone(flow)
    known = {state.due_at for state in store.runs_due(lambda due: due.astimezone(zone).date() == day)}
    found = sorted(known or _scheduled(flow, day, day))
    if len(found) > 1:
        times = ", ".join(f"{due.astimezone(zone):%H:%M}" for due in found[:5])
        raise UsageError(
            f"{flow.name} was due {len(found)} times on {day} ({times}{', …' * (len(found) > 5)}); give the time as "
            f"well, such as {found[0].astimezone(zone).isoformat()}."
        )
    return found[0].astimezone(zone) if found else _begin(day, zone)


def due_dates(
    flow: Flow, store: FlowStore, first: date, last: date, *, now: datetime, missing: bool = False
) -> tuple[datetime, ...]:
    """The due dates from one day to another that have come: those of the schedule, or one each day.

    With `missing`, only those that have no complete run yet.
    """
    if last < first:
        raise UsageError(f"There is no day from {first} to {last}; give the earlier one first.")
    if flow.schedule:
        found = _scheduled(flow, first, last)
    else:
        if (last - first).days >= MOST_DUES:
            raise _too_many(first, last)
        days = (first + timedelta(days=number) for number in range((last - first).days + 1))
        found = [due_on_day(flow, store, day) for day in days]
    if missing:
        done = {state.due_at for state in store.runs() if state.is_complete}
        found = [due for due in found if due not in done]
    return tuple(due for due in found if due <= now)


def _scheduled(flow: Flow, first: date, last: date) -> list[datetime]:
    if not flow.schedule:
        return []
    timetable = Timetable.read(flow.schedule)
    begin, end = _begin(first, timetable.zone), _begin(last + timedelta(days=1), timetable.zone)
    return list(
        _bounded(timetable.times(begin - timedelta(microseconds=1), end - timedelta(microseconds=1)), first, last)
    )


def _bounded(times: Iterator[datetime], first: date, last: date) -> Iterator[datetime]:
    for number, due in enumerate(times):
        if number >= MOST_DUES:
            raise _too_many(first, last)
        yield due


def _too_many(first: date, last: date) -> UsageError:
    return UsageError(f"There are more than {MOST_DUES:,} due dates from {first} to {last}; take fewer days at a time.")


def _begin(day: date, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(), zone)


def _zone(flow: Flow) -> tzinfo:
    return Timetable.read(flow.schedule).zone if flow.schedule else UTC
