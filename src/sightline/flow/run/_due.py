"""Which due dates are meant by a text, by a day, or by a span of days; and running a flow for each of them."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import TYPE_CHECKING

from sightline.errors import JobCancelled, SightlineError, UsageError
from sightline.flow.run._state import FlowStore
from sightline.flow.schedule import Timetable
from sightline.flow.spec import Flow

if TYPE_CHECKING:
    from sightline.flow.run._engine import FlowRun

MOST_DUES = 10_000
"""Due dates of one backfill; more are probably a mistake in a date."""

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def due_meant(text: str, flow: Flow, store: FlowStore, named: str = "") -> datetime:
    """The due date that a text means: a time, or the only due date of a day; `named` is what asked for it.

    A time without a zone is, as days are, of the schedule's time zone, or of UTC.
    """
    if _DAY.fullmatch(text):
        return due_on_day(flow, store, read_day(text, named))
    return day_or_time(text, named, _zone(flow))


def read_day(text: str, named: str = "") -> date:
    """A day, such as `2026-11-01`; `named` is what asked for it, such as a flag."""
    try:
        return date.fromisoformat(text)
    except ValueError as problem:
        raise UsageError(f"{_asked(named, text)} isn't a day; write it as 2026-11-01.") from problem


def day_or_time(text: str, named: str = "", zone: tzinfo = UTC) -> datetime:
    """A time; if it has no zone it is of this one, and a day means its beginning."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError as problem:
        told = f"{_asked(named, text)} isn't a date; write it as 2026-11-01 or 2026-11-01T06:30+01:00."
        raise UsageError(told) from problem
    return found if found.tzinfo else found.replace(tzinfo=zone)


def _asked(named: str, text: str) -> str:
    return f"{named} {text}" if named else f"“{text:.40}”"


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
    flow: Flow, store: FlowStore, first: date, last: date | None = None, *, now: datetime, missing: bool = False
) -> tuple[datetime, ...]:
    """The due dates from one day to another, or to today, that have come: those of the schedule, or one each day.

    Without a schedule, a day on which the flow has run has the due dates of its runs. With `missing`, only those that
    have no complete run yet.
    """
    zone = _zone(flow)
    last = last or now.astimezone(zone).date()
    if last < first:
        raise UsageError(f"There is no day from {first} to {last}; give the earlier one first.")
    if flow.schedule:
        found = _scheduled(flow, first, last)
    else:
        if (last - first).days >= MOST_DUES:
            raise _too_many(first, last)
        known: dict[date, set[datetime]] = {}
        for state in store.runs():
            due = state.due_at.astimezone(zone)
            known.setdefault(due.date(), set()).add(due)
        days = (first + timedelta(days=number) for number in range((last - first).days + 1))
        found = [due for day in days for due in sorted(known.get(day) or {_begin(day, zone)})]
    come = tuple(due for due in found if due <= now)
    return missing_dates(store, come) if missing else come


def missing_dates(store: FlowStore, dues: Iterable[datetime]) -> tuple[datetime, ...]:
    """Those of some due dates that have no complete run yet."""
    done = {state.due_at for state in store.runs() if state.is_complete}
    return tuple(due for due in dues if due not in done)


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


# -- a backfill: a flow that is run for many due dates, one after the other -----------------------------------------


@dataclass(frozen=True)
class DueRun:
    """What became of one due date: its run, or why it could not begin."""

    due: datetime
    run: "FlowRun | None" = None
    problem: SightlineError | None = None


def run_dates(dues: Iterable[datetime], run: "Callable[[datetime], FlowRun]") -> Iterator[DueRun]:
    """Run a flow for each due date; one that fails or is refused does not stop the others."""
    for due in dues:
        try:
            found = run(due)
        except JobCancelled:
            raise
        except SightlineError as problem:
            yield DueRun(due, problem=problem)
        else:
            yield DueRun(due, found)


def nothing_due(flow: Flow, dues: Sequence[datetime], first: date, last: date | None) -> str:
    """Why a backfill has nothing to do; empty if it has."""
    until = f"to {last}" if last else "on"
    return "" if dues else f"{flow.name} has no due date from {first} {until} that is left to be run"
