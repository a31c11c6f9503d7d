"""The service that runs flows when they are due: one after the other, or several side by side.

What makes each due time run once: before a run begins, one file says that its time is decided and its run underway;
when it has ended, the same file says what came of it. Whoever reads the file after a kill knows which it was. All such
files are written by one thread, the one that serves; other threads only do the runs, and tell it when they have ended.
"""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice
from pathlib import Path
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Literal, TypeAlias

from sightline.errors import SightlineError, UsageError
from sightline.flow.schedule._clock import ScheduleClock, WallClock
from sightline.flow.schedule._decide import GRACE, ONE_FOR_ALL, DueDecision, Situation, SkippedTimes, decide
from sightline.flow.schedule._store import (
    ClockMoved,
    FlowState,
    RunDied,
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
    WorkerDied,
    run_id,
)
from sightline.flow.schedule._timetable import Timetable

LONGEST_WAIT = timedelta(minutes=1)  # so that a clock that is set, or a machine that slept, is noticed soon
MOST_AT_ONCE = 100_000  # missed times that are decided together, which takes a second; more are skipped
TOO_MANY = f"missed, with more than {MOST_AT_ONCE:,} others"
CHANGED = "missed, and then the timetable changed"
UNEXPECTED = "an error that was not expected ended it"
SIGNALS = (signal.SIGINT, signal.SIGTERM)
_Outcome: TypeAlias = Literal["done", "failed", "died"]


class _Interrupted(Exception):
    """A signal came while nothing ran."""


@dataclass
class _Tracked:
    """A flow, what is known of it, and when it starts next."""

    flow: ScheduledFlow
    state: FlowState
    due: datetime
    start: datetime
    last_run: tuple[datetime, datetime] | None = None
    has_to_resume: bool = False  # its run underway died, with the schedule or with a process of its own
    why: str = ""  # what is known about that
    since: datetime | None = None  # when the first attempt of the run began, if one has died
    is_running: bool = False

    @property
    def rank(self) -> tuple[bool, datetime, str]:
        """What goes first: a run that died, then the flow that has been due for longest."""
        return not self.has_to_resume, self.start, self.flow.name


@dataclass(frozen=True)
class _Ended:
    """A run that another thread has done."""

    tracked: _Tracked
    outcome: _Outcome
    note: str


class Schedule:
    """Runs flows when they are due, until it is stopped.

    `run` is called with a `ScheduledRun` and returns a note for the history, or None. A SightlineError that it raises
    is noted as a failed run; after a WorkerDied, the run is attempted again at once. Any other exception ends the
    schedule, and the run is attempted again at the next start.

    Up to `workers` flows run at once, never two runs of one flow. With more than one, `run` is called in threads, and
    there any other exception counts as a WorkerDied, so that the other flows go on.

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
        workers: int = 1,
    ) -> None:
        names = [flow.name.lower() for flow in flows]
        if not names or len({*names}) < len(names):
            raise UsageError("A schedule needs at least one flow, and each under a name of its own.")
        if workers < 1:
            raise UsageError(f"A schedule needs at least one worker, not {workers}.")
        self._flows = flows
        self._store = ScheduleStore(store)
        self._run = run
        self._on_event = on_event
        self._telling = threading.Lock()
        self._signalled: SimpleQueue[ScheduleEvent | None] = SimpleQueue()
        self._clock = clock or WallClock()
        self._workers = workers
        self._ended: SimpleQueue[_Ended] = SimpleQueue()
        self._is_stopping = self._is_waiting = False
        self._awaited: tuple[str, datetime] | None = None

    def stop(self) -> None:
        """End after the current runs."""
        self._is_stopping = True

    def serve(self, until: datetime | None = None) -> None:
        """Run what is due, until `stop`, Ctrl-C, SIGTERM, or an instant; a second Ctrl-C doesn't wait for runs."""
        with self._store.locked(), self._signals_handled():
            self._awake_since = self._looked = self._clock.now()
            self._tracked = [self._begun(flow) for flow in self._flows]
            while True:
                self._take_ended()
                self._look()
                if self._is_stopping or (until is not None and self._looked >= until):
                    break
                coming = self._coming()
                if coming is not None and (coming.has_to_resume or coming.start <= self._looked):
                    self._come(coming)
                else:
                    self._wait(coming, until)
            while self._running():
                self._clock.wait(LONGEST_WAIT.total_seconds())
                self._take_ended()

    def _tell(self, event: ScheduleEvent) -> None:
        with self._telling:
            self._on_event(event)

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
        due = _next(flow, state)
        return _Tracked(flow, state, due, due + flow.delay, has_to_resume=state.underway is not None)

    def _changed(self, flow: ScheduledFlow, state: FlowState) -> FlowState:
        """With another timetable; times of the old one that were missed are noted."""
        now, timetable = max(self._looked, state.decided), str(flow.timetable)
        missed = tuple(_times(Timetable.read(state.timetable), state.decided, now))
        skipped = (SkippedTimes(missed, CHANGED),) if missed else ()
        written = self._store.write(replace(_with_skipped(state, skipped), timetable=timetable, decided=now))
        self._tell_skipped(flow, skipped)
        self._tell(TimetableChanged(state.flow, state.timetable, timetable))
        return written

    # ------------------------------------------------------------------ due times

    def _look(self) -> None:
        """Look at the clock, and notice if it moved by more than the waiting."""
        now = self._clock.now()
        if abs(now - self._looked) > GRACE:
            self._tell(ClockMoved(self._looked, now))
            self._awake_since = now
        self._looked = now

    def _running(self) -> list[_Tracked]:
        return [one for one in self._tracked if one.is_running]

    def _coming(self) -> _Tracked | None:
        """The flow that starts next; none if all workers are busy, or all flows run or are kept apart from one."""
        running = self._running()
        if len(running) >= self._workers:
            return None
        in_use = {name for one in running for name in one.flow.apart}
        able = (one for one in self._tracked if not one.is_running and in_use.isdisjoint(one.flow.apart))
        return min(able, key=lambda one: one.rank, default=None)

    def _come(self, tracked: _Tracked) -> None:
        """Go on with a run that died, or decide on the due times that have come; at most one of them gets a run."""
        if tracked.has_to_resume:
            self._resume(tracked)
            return
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
        if self._workers == 1:
            outcome, note = self._outcome(run)
            self._conclude(_Ended(tracked, outcome, note))
            self._looked = self._clock.now()  # that a run took long isn't a jump of the clock
        else:
            tracked.is_running = True
            # A daemon, since nothing ends a thread: a second Ctrl-C must not wait for it.
            threading.Thread(target=self._run_aside, args=(tracked, run), name=run.id, daemon=True).start()

    def _resume(self, tracked: _Tracked) -> None:
        """Go on with a run that died, unless that has happened too often."""
        assert tracked.state.underway is not None
        run = _in_zone(tracked.state.underway, tracked.flow.timetable.zone)
        tracked.has_to_resume = False
        if run.attempt < tracked.flow.settings.attempts:
            self._perform(tracked, replace(run, attempt=run.attempt + 1))
            return
        tracked.since = None
        note = f"given up after {run.attempt} attempt{'s' * (run.attempt > 1)} that did not end"
        self._end(tracked, run, "failed", f"{note}: {tracked.why}" if tracked.why else note, 0.0)

    # ------------------------------------------------------------------ runs and their ends

    def _outcome(self, run: ScheduledRun) -> tuple[_Outcome, str]:
        """Do a run."""
        try:
            return "done", self._run(run) or ""
        except SightlineError as problem:
            return "failed", problem.message
        except WorkerDied as problem:
            return "died", str(problem)

    def _run_aside(self, tracked: _Tracked, run: ScheduledRun) -> None:
        """Do a run in a thread of its own."""
        ended = _Ended(tracked, "died", UNEXPECTED)
        try:
            ended = _Ended(tracked, *self._outcome(run))
        finally:  # the loop hears of the end whatever ends it; Python itself shows an exception that nobody expects
            self._ended.put(ended)
            self._clock.wake()

    def _take_ended(self) -> None:
        """Note what came of the runs that have ended."""
        while True:
            try:
                ended = self._ended.get_nowait()
            except Empty:
                return
            ended.tracked.is_running = False
            self._conclude(ended)

    def _conclude(self, ended: _Ended) -> None:
        tracked = ended.tracked
        assert tracked.state.underway is not None
        run = _in_zone(tracked.state.underway, tracked.flow.timetable.zone)
        if ended.outcome == "died":
            tracked.has_to_resume, tracked.why = True, ended.note
            tracked.since = tracked.since or tracked.state.began
            self._tell(RunDied(run, ended.note))
            return
        began = tracked.state.began or self._looked
        now = self._clock.now()
        tracked.last_run, tracked.since = (tracked.since or began, now), None
        self._end(tracked, run, ended.outcome, ended.note, max((now - began).total_seconds(), 0.0))

    def _end(
        self, tracked: _Tracked, run: ScheduledRun, outcome: Literal["done", "failed"], note: str, seconds: float
    ) -> None:
        """Write down what came of a run, and tell it."""
        state, due = tracked.state, run.due.astimezone(UTC)
        entry = ScheduleEntry(0, outcome, due, due, 1, run.id, note, state.began, self._clock.now(), run.attempt)
        self._keep(tracked, replace(state, underway=None, began=None).with_entry(entry))
        self._tell(RunEnded(run, outcome, note, seconds))

    def _keep(self, tracked: _Tracked, state: FlowState) -> None:
        tracked.state = self._store.write(state)
        tracked.due = _next(tracked.flow, state)
        tracked.start = tracked.due + tracked.flow.delay

    def _tell_skipped(self, flow: ScheduledFlow, skipped: Sequence[SkippedTimes], run: str = "") -> None:
        for one in skipped:
            first, last = (due.astimezone(flow.timetable.zone) for due in (one.times[0], one.times[-1]))
            self._tell(TimesSkipped(flow.name, first, last, len(one.times), one.reason, run))

    # ------------------------------------------------------------------ waiting and stopping

    def _wait(self, coming: _Tracked | None, until: datetime | None) -> None:
        """Wait for the next flow or the end of a run, but never long: the clock may be set meanwhile."""
        end = self._looked + LONGEST_WAIT
        if coming is not None:
            self._tell_awaited(coming)
            end = min(end, coming.start)
        if until is not None:
            end = min(end, until)
        pause = (end - self._looked).total_seconds()
        try:
            self._is_waiting = True
            if not self._is_stopping:
                self._clock.wait(pause)
            self._is_waiting = False
        except _Interrupted:
            return

    def _tell_awaited(self, coming: _Tracked) -> None:
        if (awaited := (coming.flow.name, coming.due)) != self._awaited:
            self._awaited = awaited
            zone = coming.flow.timetable.zone
            self._tell(ScheduleWaits(coming.flow.name, coming.due.astimezone(zone), coming.start.astimezone(zone)))

    def _on_signal(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - what Python hands over
        if self._is_stopping:
            raise KeyboardInterrupt
        self._is_stopping = True
        self._signalled.put(StopRequested())
        if self._is_waiting:
            self._is_waiting = False
            raise _Interrupted

    @contextmanager
    def _signals_handled(self) -> Iterator[None]:
        """Handle signals, where that is possible: only the main thread gets them."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        # A signal may come in the middle of a line that is being written, where nothing else can be: a thread tells it.
        teller = threading.Thread(target=self._tell_signals, name="signals", daemon=True)
        teller.start()
        before = {number: signal.signal(number, self._on_signal) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            self._signalled.put(None)
            teller.join()

    def _tell_signals(self) -> None:
        while (event := self._signalled.get()) is not None:
            self._tell(event)


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
