"""The service that runs flows when they are due, one after the other.

What makes each due time run once: before a run begins, one file says that its time is decided and its run underway;
when it has ended, the same file says what came of it. Whoever reads the file after a kill knows which it was.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Literal, Protocol

from sightline.errors import SightlineError, UsageError
from sightline.flow.schedule._store import (
    ClockMoved,
    FlowState,
    RunEnded,
    RunStarted,
    ScheduledFlow,
    ScheduledRun,
    ScheduleEntry,
    ScheduleEvent,
    ScheduleStore,
    ScheduleWaits,
    StopRequested,
    TimesSkipped,
    TimetableChanged,
    run_id,
)
from sightline.flow.schedule._timetable import Timetable

# Which of the due times that have come get a run, and why the others do not. No clock, no file: values only.

# How late a run may begin without its time being missed: twice the longest wait, so that a busy machine misses nothing.
GRACE = timedelta(minutes=2)

STILL_RUNNING = "the flow was still running"
NOT_CAUGHT_UP = "missed, and the flow does not catch up"
OVER_THE_LIMIT = "missed, and over the limit of what is caught up"
ONE_FOR_ALL = "one run stands for all that were missed"


@dataclass(frozen=True)
class Situation:
    """What is known when due times have come, in UTC."""

    now: datetime
    awake_since: datetime  # since when the schedule has been running without a pause
    last_run: tuple[datetime, datetime] | None = None  # when the flow last ran, if it has since then


@dataclass(frozen=True)
class SkippedTimes:
    """Times in a row that get no run of their own."""

    times: tuple[datetime, ...]
    reason: str


@dataclass(frozen=True)
class DueDecision:
    """The time that is run, those that it stands for, and those that are skipped, which are all earlier."""

    run: datetime | None
    covered: tuple[datetime, ...] = ()
    skipped: tuple[SkippedTimes, ...] = ()


def decide(flow: ScheduledFlow, times: Sequence[datetime], situation: Situation) -> DueDecision:
    """Decide on times that have come and are not decided yet, in order; with `all`, on the first of them."""
    overlapped = _overlapped(flow, times, situation)
    rest = times[len(overlapped) :]
    skipped = _reasoned(overlapped, STILL_RUNNING)
    missed = [due for due in rest if _is_missed(due + flow.delay, situation)]
    late = rest[len(missed) :]
    match flow.settings.catch_up:
        case "none":
            return _last_of(late, (*skipped, *_reasoned(missed, NOT_CAUGHT_UP)))
        case "one":
            return _last_of(rest, skipped)
    over = missed[: -flow.settings.catch_up_limit]
    wanted = rest[len(over) :]
    return DueDecision(wanted[0] if wanted else None, (), (*skipped, *_reasoned(over, OVER_THE_LIMIT)))


def _overlapped(flow: ScheduledFlow, times: Sequence[datetime], situation: Situation) -> Sequence[datetime]:
    """The first times, if they came while the flow ran; those that come while others are caught up wait their turn."""
    if flow.settings.overlap == "queue" or situation.last_run is None:
        return ()
    began, ended = situation.last_run
    count = 0
    while count < len(times) and began < times[count] + flow.delay <= ended:
        count += 1
    return times[:count]


def _is_missed(start: datetime, situation: Situation) -> bool:
    """Whether nothing ran at that time; a time that had to wait for another flow is only late."""
    return start < situation.awake_since and situation.now - start > GRACE


def _last_of(times: Sequence[datetime], skipped: tuple[SkippedTimes, ...]) -> DueDecision:
    return DueDecision(times[-1], tuple(times[:-1]), skipped) if times else DueDecision(None, (), skipped)


def _reasoned(times: Sequence[datetime], reason: str) -> tuple[SkippedTimes, ...]:
    return (SkippedTimes(tuple(times), reason),) if times else ()


# The clock that a schedule goes by, and how it waits.


class ScheduleClock(Protocol):
    """What a schedule needs of a clock; tests have one that goes through years in a second."""

    def now(self) -> datetime:
        """The present instant, in UTC."""

    def wait(self, seconds: float) -> None:
        """Return after so many seconds, or earlier."""


class WallClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """The present instant, in UTC."""
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)


LONGEST_WAIT = timedelta(minutes=1)  # so that a clock that is set, or a machine that slept, is noticed soon
MOST_AT_ONCE = 100_000  # missed times that are decided together, which takes a second; more are skipped
TOO_MANY = f"missed, with more than {MOST_AT_ONCE:,} others"
CHANGED = "missed, and then the timetable changed"
SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Interrupted(Exception):
    """A signal came while nothing ran."""


@dataclass
class _Tracked:
    """A flow, what is known of it, and when it starts next."""

    flow: ScheduledFlow
    state: FlowState
    due: datetime
    last_run: tuple[datetime, datetime] | None = None

    @property
    def start(self) -> datetime:
        return self.due + self.flow.delay


class Schedule:
    """Runs flows when they are due, until it is stopped.

    `run` is called with a `ScheduledRun` and returns a note for the history, or None. A SightlineError that it raises
    is noted as a failed run; any other exception ends the schedule, and the run is attempted again at the next start.

    >>> import tempfile
    >>> from sightline.flow.schedule import Schedule, ScheduledFlow, ScheduledRun, ScheduleSettings, Timetable
    >>> def run(this: ScheduledRun) -> str:
    ...     return "12 rows"
    >>> prices = ScheduledFlow("prices", Timetable.read("every second UTC"), ScheduleSettings(catch_up="none"))
    >>> seen = []
    >>> def on_event(event: ScheduleEvent) -> None:
    ...     seen.append(event)
    ...     if isinstance(event, RunEnded):
    ...         schedule.stop()
    >>> with tempfile.TemporaryDirectory() as store:
    ...     schedule = Schedule([prices], Path(store), run=run, on_event=on_event)
    ...     schedule.serve()
    >>> [type(event).__name__ for event in seen], seen[-1].note
    (['ScheduleWaits', 'RunStarted', 'RunEnded'], '12 rows')
    """

    def __init__(
        self,
        flows: Sequence[ScheduledFlow],
        store: Path,
        *,
        run: Callable[[ScheduledRun], str | None],
        on_event: Callable[[ScheduleEvent], None] = lambda _: None,
        clock: ScheduleClock | None = None,
    ) -> None:
        names = [flow.name.lower() for flow in flows]
        if not names or len({*names}) < len(names):
            raise UsageError("A schedule needs at least one flow, and each under a name of its own.")
        self._flows = flows
        self._store = ScheduleStore(store)
        self._run = run
        self._tell = on_event
        self._clock = clock or WallClock()
        self._is_stopping = self._is_waiting = False
        self._awaited: tuple[str, datetime] | None = None

    def stop(self) -> None:
        """End after the current run."""
        self._is_stopping = True

    def serve(self, until: datetime | None = None) -> None:
        """Run what is due, until `stop`, Ctrl-C, SIGTERM, or an instant; a second Ctrl-C interrupts the current run."""
        with self._store.locked(), self._signals_handled():
            self._awake_since = self._looked = self._clock.now()
            self._tracked = [self._begun(flow) for flow in self._flows]
            self._resume()
            coming = self._coming()
            while not self._is_stopping:
                self._look()
                if until is not None and self._looked >= until:
                    break
                if coming.start <= self._looked:
                    self._come(coming)
                    coming = self._coming()
                else:
                    self._wait(coming, until)

    # ------------------------------------------------------------------ beginning

    def _begun(self, flow: ScheduledFlow) -> _Tracked:
        """A flow with its state; a new one is due from now on."""
        now, timetable = self._looked, str(flow.timetable)
        state = self._store.read(flow.name)
        if state is None:
            state = self._store.write(FlowState(flow.name, timetable, now))
        elif state.timetable != timetable:
            state = self._changed(flow, state)
        if state.decided > now + GRACE:
            self._tell(ClockMoved(state.decided, now))
        return _Tracked(flow, state, _next(flow, state))

    def _changed(self, flow: ScheduledFlow, state: FlowState) -> FlowState:
        """With another timetable; times of the old one that were missed are noted."""
        now, timetable = max(self._looked, state.decided), str(flow.timetable)
        missed = tuple(_times(Timetable.read(state.timetable), state.decided, now))
        skipped = (SkippedTimes(missed, CHANGED),) if missed else ()
        written = self._store.write(replace(_with_skipped(state, skipped), timetable=timetable, decided=now))
        self._tell_skipped(flow, skipped)
        self._tell(TimetableChanged(state.flow, state.timetable, timetable))
        return written

    def _resume(self) -> None:
        """Go on with the runs that were killed, unless that has happened too often."""
        for tracked in self._tracked:
            run = tracked.state.underway
            if run is None or self._is_stopping:
                continue
            run = _in_zone(run, tracked.flow.timetable.zone)
            if run.attempt < tracked.flow.settings.attempts:
                self._perform(tracked, replace(run, attempt=run.attempt + 1))
            else:
                note = f"given up after {run.attempt} attempt{'s' * (run.attempt > 1)} that did not end"
                self._end(tracked, "failed", note)
                self._tell(RunEnded(run, "failed", note, 0.0))

    # ------------------------------------------------------------------ due times

    def _look(self) -> None:
        """Look at the clock, and notice if it moved by more than the waiting."""
        now = self._clock.now()
        if abs(now - self._looked) > GRACE:
            self._tell(ClockMoved(self._looked, now))
            self._awake_since = now
        self._looked = now

    def _coming(self) -> _Tracked:
        """The flow that starts next."""
        return min(self._tracked, key=lambda one: (one.start, one.flow.name))

    def _come(self, tracked: _Tracked) -> None:
        """Decide on the due times of a flow that have come; run one of them, if any is to be run."""
        flow, state = tracked.flow, tracked.state
        times = list(islice(_times(flow.timetable, state.decided, self._looked - flow.delay), MOST_AT_ONCE))
        if len(times) == MOST_AT_ONCE:
            # The last one stays, so that there is one to catch up.
            self._note(tracked, DueDecision(None, (), (SkippedTimes(tuple(times[:-1]), TOO_MANY),)))
            return
        decision = decide(flow, times, Situation(self._looked, self._awake_since, tracked.last_run))
        if decision.run is None:
            self._note(tracked, decision)
            return
        due, zone = decision.run, flow.timetable.zone
        first = (*decision.covered, due)[0].astimezone(zone)
        run = ScheduledRun(run_id(flow.name, due), flow.name, due.astimezone(zone), first, len(decision.covered) + 1)
        self._perform(tracked, run, decision)

    def _note(self, tracked: _Tracked, decision: DueDecision) -> None:
        """Write down times that get no run."""
        state = _with_skipped(tracked.state, decision.skipped)
        self._keep(tracked, replace(state, decided=decision.skipped[-1].times[-1]))
        self._tell_skipped(tracked.flow, decision.skipped)

    def _perform(self, tracked: _Tracked, run: ScheduledRun, decision: DueDecision | None = None) -> None:
        """Run a flow; what was decided is written down before, what came of it afterwards."""
        due, began = run.due.astimezone(UTC), self._clock.now()
        state = replace(
            tracked.state, underway=_in_zone(run, UTC), began=began, decided=max(due, tracked.state.decided)
        )
        skipped = decision.skipped if decision else ()
        covered = (SkippedTimes(decision.covered, ONE_FOR_ALL),) if decision and decision.covered else ()
        self._keep(tracked, _with_skipped(_with_skipped(state, skipped), covered, run.id))
        self._tell_skipped(tracked.flow, skipped)
        self._tell_skipped(tracked.flow, covered, run.id)
        self._tell(RunStarted(run))
        outcome: Literal["done", "failed"] = "done"
        try:
            note = self._run(run) or ""
        except SightlineError as problem:
            outcome, note = "failed", problem.message
        self._end(tracked, outcome, note)
        ended = self._looked = self._clock.now()  # that a run took long isn't a jump of the clock
        tracked.last_run = (began, ended)
        self._tell(RunEnded(run, outcome, note, max((ended - began).total_seconds(), 0.0)))

    def _end(self, tracked: _Tracked, outcome: Literal["done", "failed"], note: str) -> None:
        state, run = tracked.state, tracked.state.underway
        assert run is not None
        entry = ScheduleEntry(
            0, outcome, run.due, run.due, 1, run.id, note, state.began, self._clock.now(), run.attempt
        )
        self._keep(tracked, replace(state, underway=None, began=None).with_entry(entry))

    def _keep(self, tracked: _Tracked, state: FlowState) -> None:
        tracked.state = self._store.write(state)
        tracked.due = _next(tracked.flow, state)

    def _tell_skipped(self, flow: ScheduledFlow, skipped: Sequence[SkippedTimes], run: str = "") -> None:
        for one in skipped:
            first, last = (due.astimezone(flow.timetable.zone) for due in (one.times[0], one.times[-1]))
            self._tell(TimesSkipped(flow.name, first, last, len(one.times), one.reason, run))

    # ------------------------------------------------------------------ waiting and stopping

    def _wait(self, coming: _Tracked, until: datetime | None) -> None:
        """Wait for the next flow, but never long: the clock may be set meanwhile."""
        if (awaited := (coming.flow.name, coming.due)) != self._awaited:
            self._awaited = awaited
            zone = coming.flow.timetable.zone
            self._tell(ScheduleWaits(coming.flow.name, coming.due.astimezone(zone), coming.start.astimezone(zone)))
        end = coming.start if until is None else min(coming.start, until)
        pause = min(end - self._looked, LONGEST_WAIT).total_seconds()
        try:
            self._is_waiting = True
            if not self._is_stopping:
                self._clock.wait(pause)
            self._is_waiting = False
        except _Interrupted:
            return

    def _on_signal(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - what Python hands over
        if self._is_stopping:
            raise KeyboardInterrupt
        self._is_stopping = True
        self._tell(StopRequested())
        if self._is_waiting:
            self._is_waiting = False
            raise _Interrupted

    @contextmanager
    def _signals_handled(self) -> Iterator[None]:
        """Handle signals, where that is possible: only the main thread gets them."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _next(flow: ScheduledFlow, state: FlowState) -> datetime:
    """The first due time that is not decided."""
    return flow.timetable.next(state.decided).astimezone(UTC)


def _times(timetable: Timetable, after: datetime, until: datetime) -> Iterator[datetime]:
    return (due.astimezone(UTC) for due in timetable.times(after, until))


def _in_zone(run: ScheduledRun, zone: tzinfo) -> ScheduledRun:
    return replace(run, due=run.due.astimezone(zone), first=run.first.astimezone(zone))


def _with_skipped(state: FlowState, skipped: Sequence[SkippedTimes], run: str = "") -> FlowState:
    """With an entry for times that get no run of their own; those of a run are covered by it."""
    for one in skipped:
        outcome: Literal["covered", "skipped"] = "covered" if run else "skipped"
        state = state.with_entry(
            ScheduleEntry(0, outcome, one.times[0], one.times[-1], len(one.times), run, one.reason)
        )
    return state
