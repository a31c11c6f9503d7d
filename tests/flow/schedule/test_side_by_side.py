"""Several flows at once: which runs overlap, which never do, and what one that dies does to the others."""

import threading
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random

import pytest

from sightline.errors import SightlineError, UsageError
from sightline.flow.schedule import (
    RunDied,
    RunEnded,
    RunStarted,
    Schedule,
    ScheduledFlow,
    ScheduledRun,
    ScheduleEvent,
    Timetable,
    WallClock,
    WorkerDied,
    schedule_history,
)

from ..._wait import BOUND, LONG
from ._services import BEGIN, HOUR, MINUTE, World, at, flow, unexplained
from ._shared_clock import SharedClock


class Busy(World):
    """A world in which several runs may go on at once."""

    def __init__(self, store: Path) -> None:
        super().__init__(store)
        self.shared = SharedClock()

    def run(self, this: ScheduledRun) -> str:
        """Take as long as a run of this flow takes."""
        self.runs.append(this)
        if duration := self.takes(this):
            self.shared.take(duration)
        return "fine"

    def on_event(self, event: ScheduleEvent) -> None:
        """Keep it, and have the clock know of it."""
        self.events.append(event)
        self.shared.on_event(event)

    def schedule(self, *flows: ScheduledFlow, workers: int = 2) -> Schedule:
        """A schedule of these flows."""
        return Schedule(flows, self.store, run=self.run, on_event=self.on_event, clock=self.shared, workers=workers)

    def spans(self, name: str) -> list[tuple[datetime, datetime]]:
        """From when to when the flow ran."""
        history = schedule_history(self.store, name)
        return [(entry.began, entry.ended) for entry in history if entry.began and entry.ended]

    def started(self) -> list[tuple[str, str]]:
        """The flows that ran, and when, in the order of their beginnings."""
        names = dict.fromkeys(run.flow for run in self.runs)
        spans = sorted((began, name) for name in names for began, _ in self.spans(name))
        return [(f"{began:%H:%M}", name) for began, name in spans]


@pytest.fixture
def busy(tmp_path: Path) -> Busy:
    """An empty store, on a Monday at 6:00 UTC."""
    return Busy(tmp_path)


def _overlap(one: tuple[datetime, datetime], other: tuple[datetime, datetime]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def test_two_flows_run_at_once(busy: Busy) -> None:
    """Each run waits until the other one is under way; one after the other, they would wait for ever."""
    meeting = threading.Barrier(2)

    def meet(this: ScheduledRun) -> str:
        meeting.wait(BOUND)
        return this.flow

    busy.run = meet  # type: ignore[method-assign]
    busy.schedule(flow("at 7:00 UTC", "a"), flow("at 7:00 UTC", "b")).serve(at("03-02 08:00"))
    assert [entry.note for name in "ab" for entry in schedule_history(busy.store, name)] == ["a", "b"]


def test_never_two_runs_of_one_flow_nor_more_than_there_are_workers(busy: Busy) -> None:
    """Five flows for eight hours, whose runs take longer than there is time: every due time has one entry."""
    chance = Random(22)
    lengths = {name: chance.randint(5, 50) * MINUTE for name in "abcde"}
    busy.takes = lambda this: lengths[this.flow]
    texts = {name: f"every {chance.choice((10, 15, 30))} minutes UTC" for name in "abcde"}
    busy.schedule(*(flow(text, name) for name, text in texts.items()), workers=3).serve(BEGIN + 8 * HOUR)
    spans = {name: busy.spans(name) for name in texts}
    for name, text in texts.items():
        assert not any(_overlap(one, other) for one in spans[name] for other in spans[name] if one is not other)
        history = schedule_history(busy.store, name)
        assert unexplained(history, Timetable.read(text), BEGIN + timedelta(seconds=1), history[-1].until) == []
    every = [span for several in spans.values() for span in several]
    at_once = [sum(began <= moment < ended for began, ended in every) for moment, _ in every]
    assert max(at_once) == 3


@pytest.mark.parametrize(
    ("overlap", "times"),
    [("skip", ["07:00", "07:30", "08:00"]), ("queue", ["07:00", "07:15", "07:30", "08:00"])],
)
def test_times_that_come_while_the_flow_runs(busy: Busy, overlap: str, times: list[str]) -> None:
    """They follow the rule for overlaps, whatever runs beside; a run ends exactly when it ends, not a minute later."""
    busy.shared.time = at("03-02 06:50")
    busy.takes = lambda this: 20 * MINUTE if this.flow == "prices" else 7 * MINUTE
    flows = [flow("every 15 minutes UTC", overlap=overlap), flow("every 10 minutes UTC", "b")]
    busy.schedule(*flows).serve(at("03-02 08:10"))
    assert [time[-5:] for time in busy.times()][: len(times)] == times
    assert {ended - began for began, ended in busy.spans("prices")} == {20 * MINUTE}
    assert {ended - began for began, ended in busy.spans("b")} == {7 * MINUTE}


def test_the_flow_that_is_due_for_longest_goes_first(busy: Busy) -> None:
    """Three flows come while all workers are busy; the first that becomes free takes the first of them."""
    busy.takes = lambda this: {"x": 30, "y": 40}.get(this.flow, 5) * MINUTE
    names = {"x": "7:00", "y": "7:00", "a": "7:12", "b": "7:11", "c": "7:13"}
    busy.schedule(*(flow(f"at {time} UTC", name) for name, time in names.items())).serve(at("03-02 08:00"))
    order = [("07:00", "x"), ("07:00", "y"), ("07:30", "b"), ("07:35", "a"), ("07:40", "c")]
    assert busy.started() == order


def test_flows_that_share_something_are_kept_apart(busy: Busy) -> None:
    """Of two that ask the same host one waits, and leaves its place to a third one."""
    busy.takes = lambda _: 10 * MINUTE
    shop = frozenset({"host shop.example"})
    flows = [flow("at 7:00 UTC", name) for name in "abc"]
    busy.schedule(replace(flows[0], apart=shop), replace(flows[1], apart=shop), flows[2]).serve(at("03-02 08:00"))
    assert busy.started() == [("07:00", "a"), ("07:00", "c"), ("07:10", "b")]


def test_a_worker_that_dies_is_replaced_and_the_other_flow_goes_on(busy: Busy) -> None:
    """The run is attempted again at once, under its id, and the other run knows nothing of it."""

    def dies_once(this: ScheduledRun) -> str:
        busy.runs.append(this)
        busy.shared.take(10 * MINUTE)
        if this.flow == "a" and this.attempt == 1:
            raise WorkerDied("its process was ended by SIGKILL")
        return "fine"

    busy.run = dies_once  # type: ignore[method-assign]
    busy.schedule(flow("at 7:00 UTC", "a"), flow("at 7:05 UTC", "b")).serve(at("03-02 08:00"))
    [a], [b] = (schedule_history(busy.store, name) for name in "ab")
    assert (a.outcome, a.attempts, a.began, a.ended) == ("done", 2, at("03-02 07:10"), at("03-02 07:20"))
    assert (b.outcome, b.attempts, b.began, b.ended) == ("done", 1, at("03-02 07:05"), at("03-02 07:15"))
    assert [(event.run.attempt, event.why) for event in busy.events if isinstance(event, RunDied)] == [
        (1, "its process was ended by SIGKILL")
    ]


def test_times_that_come_while_a_run_that_dies_is_attempted_are_those_of_one_run(busy: Busy) -> None:
    """The flow was still running, whichever attempt it was."""

    def dies_once(this: ScheduledRun) -> str:
        busy.runs.append(this)
        busy.shared.take(20 * MINUTE if len(busy.runs) < 3 else MINUTE)
        if len(busy.runs) == 1:
            raise WorkerDied("gone")
        return "fine"

    busy.run = dies_once  # type: ignore[method-assign]
    busy.schedule(flow("every 15 minutes between 7:00 and 8:00 UTC")).serve(at("03-02 07:50"))
    assert busy.entries() == [("done", 1, "03-02 07:00"), ("skipped", 2, "03-02 07:15"), ("done", 1, "03-02 07:45")]
    assert schedule_history(busy.store, "prices")[1].note == "the flow was still running"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("kind", [WorkerDied, RuntimeError])
def test_a_run_that_always_dies_is_given_up(busy: Busy, kind: type[Exception]) -> None:
    """After its attempts it counts as failed; neither it nor a flow that fails keeps a third one from its runs."""

    def run(this: ScheduledRun) -> str:
        if this.flow == "a":
            raise kind("it fell over")
        if this.flow == "b":
            raise SightlineError("The shop is closed.")
        return "fine"

    busy.run = run  # type: ignore[method-assign]
    flows = (flow("at 7:00 UTC", "a"), flow("at 7:00 UTC", "b"), flow("every 20 minutes UTC", "c"))
    busy.schedule(*flows).serve(at("03-02 08:10"))
    [a], [b] = (schedule_history(busy.store, name) for name in "ab")
    assert (a.outcome, a.attempts) == ("failed", 3)
    assert a.note.startswith("given up after 3 attempts that did not end")
    assert (b.outcome, b.note) == ("failed", "The shop is closed.")
    assert [f"{began:%H:%M}" for began, _ in busy.spans("c")] == ["06:20", "06:40", "07:00", "07:20", "07:40", "08:00"]
    assert sum(isinstance(event, RunEnded) and event.run.flow == "a" for event in busy.events) == 1


def test_with_one_worker_a_run_that_died_is_attempted_again_as_well(busy: Busy) -> None:
    """Whatever does the runs may say that its process is gone."""

    def dies_once(this: ScheduledRun) -> str:
        if this.attempt == 1:
            raise WorkerDied("gone")
        return "fine"

    Schedule([flow("at 7:00 UTC", "a")], busy.store, run=dies_once, clock=busy.clock).serve(at("03-02 08:00"))
    [entry] = schedule_history(busy.store, "a")
    assert (entry.outcome, entry.attempts) == ("done", 2)


def test_a_schedule_that_is_stopped_waits_for_all_runs(busy: Busy) -> None:
    """What runs is noted when it has ended, and what came meanwhile is left for the next start."""

    def stops(this: ScheduledRun) -> str:
        busy.runs.append(this)
        busy.shared.take({"a": 5, "b": 2 * 60}[this.flow] * MINUTE)
        schedule.stop()
        return "fine"

    busy.run = stops  # type: ignore[method-assign]
    schedule = busy.schedule(flow("hourly UTC", "a"), flow("hourly UTC", "b"))
    schedule.serve()
    assert [busy.entries(name) for name in "ab"] == [[("done", 1, "03-02 07:00")]] * 2
    assert busy.spans("b") == [(at("03-02 07:00"), at("03-02 09:00"))]


def test_runs_that_were_killed_with_the_schedule_go_on_side_by_side(busy: Busy) -> None:
    """Both were under way; after the start both are attempted again, before anything that is due."""

    class Killed(BaseException):
        """The end of the process, as seen from inside."""

    over = threading.Event()

    def first(_: ScheduledRun) -> str:
        over.wait(BOUND)
        return ""

    def killed(event: ScheduleEvent) -> None:
        busy.on_event(event)
        if len(busy.told(RunStarted)) == 2:
            raise Killed

    flows = (flow("hourly UTC", "a"), flow("hourly UTC", "b"))
    with pytest.raises(Killed):
        Schedule(flows, busy.store, run=first, on_event=killed, clock=busy.shared, workers=2).serve()
    over.set()
    again = Busy(busy.store)
    again.shared.time = busy.shared.time + HOUR
    again.takes = lambda _: MINUTE
    again.schedule(*flows).serve(again.shared.time + 10 * MINUTE)
    assert [(run.flow, run.attempt) for run in again.runs if run.attempt > 1] == [("a", 2), ("b", 2)]
    assert _overlap(again.spans("a")[0], again.spans("b")[0])


def test_the_clock_of_the_machine_can_be_woken() -> None:
    """The end of a run ends the wait of the schedule, also if it comes just before."""
    clock = WallClock()
    clock.wake()
    clock.wait(LONG)
    waiter = threading.Timer(0.0, clock.wake)
    waiter.start()
    clock.wait(LONG)
    waiter.join()


def test_a_schedule_has_at_least_one_worker(tmp_path: Path) -> None:
    """None at all would run nothing, without a word."""
    with pytest.raises(UsageError, match="at least one worker, not 0"):
        Schedule([flow("hourly UTC")], tmp_path, run=lambda _: None, workers=0)
