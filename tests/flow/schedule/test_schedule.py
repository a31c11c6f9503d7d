"""The service, on a clock that goes through hours and years at once."""

import os
import signal
import threading
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from sightline.errors import OutputError, SightlineError, UsageError
from sightline.flow.schedule import (
    ClockMoved,
    RunEnded,
    RunStarted,
    Schedule,
    ScheduledFlow,
    ScheduledRun,
    ScheduleEvent,
    ScheduleWaits,
    TimesSkipped,
    Timetable,
    TimetableChanged,
    schedule_history,
)

from ._services import BEGIN, DAY, HOUR, MINUTE, FakeClock, World, at, flow, unexplained


@pytest.fixture
def world(tmp_path: Path) -> World:
    """An empty store, on a Monday at 6:00 UTC."""
    return World(tmp_path)


class _Killed(BaseException):
    """What ends a process at once looks like this from inside."""


def test_flow_runs_when_it_is_due(world: World) -> None:
    """Each due time once, at that time, with the id of the time; the waits are never longer than a minute."""
    world.serve(flow("every weekday at 6:30 Europe/Vienna"), BEGIN + 3 * DAY)
    assert world.times() == ["03-03 05:30", "03-04 05:30", "03-05 05:30"]
    first = world.runs[0]
    assert (first.id, first.count, first.attempt) == ("prices-20260303T053000Z", 1, 1)
    assert str(first.due) == "2026-03-03 06:30:00+01:00"
    assert [entry.began for entry in schedule_history(world.store, "prices")] == [run.due for run in world.runs]
    assert world.clock.longest <= 60
    assert world.events[:3] == [
        ScheduleWaits("prices", first.due, first.due),
        RunStarted(first),
        RunEnded(first, "done", "fine", 0.0),
    ]


def test_several_flows_keep_their_own_times(world: World) -> None:
    """Flows of different zones run in the order of their times, one after the other."""
    flows = [flow("at 7:00 UTC", "a"), flow("at 7:30 Europe/Vienna", "b"), flow("every 6 hours UTC", "c")]
    world.serve(flows, BEGIN + DAY)
    assert [run.flow for run in world.runs] == ["b", "a", "c", "c", "c"]
    started = [entry.began for name in "abc" for entry in schedule_history(world.store, name)]
    assert started == [run.due for run in sorted(world.runs, key=lambda run: run.flow)]


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("at 2:30 and 3:15 Europe/Vienna", "2026-03-28", "2026-03-31"),
        ("at 2:30 and 3:15 Europe/Vienna", "2026-10-24", "2026-10-27"),
        ("every 20 minutes Australia/Lord_Howe", "2026-10-03", "2026-10-05"),
        ("at 6:30 and 18:00 Pacific/Apia", "2011-12-28", "2012-01-02"),
        ("on the last day of the year at 23:59 Asia/Kathmandu", "2027-12-30", "2028-01-02"),
        ("0 6 29 2 * UTC", "2028-02-01", "2028-03-02"),
    ],
)
def test_every_time_is_run_once_when_clocks_are_set(world: World, text: str, begin: str, end: str) -> None:
    """Over a set clock, a skipped day, year ends and leap days, the times that run are those of the timetable."""
    first, last = (datetime.fromisoformat(f"{day}T00:00Z") for day in (begin, end))
    world.clock.time = first
    world.serve(flow(text), last)
    assert [run.due for run in world.runs] == list(Timetable.read(text).times(first, last - MINUTE))
    assert unexplained(schedule_history(world.store, "prices"), Timetable.read(text), first, last - MINUTE) == []


@pytest.mark.parametrize(
    ("catch_up", "times", "entries"),
    [
        ("one", ["03-02 11:00"], [("covered", 4, "03-02 07:00"), ("done", 1, "03-02 11:00")]),
        ("none", [], [("skipped", 5, "03-02 07:00")]),
        (
            "all",
            ["03-02 09:00", "03-02 10:00", "03-02 11:00"],
            [("skipped", 2, "03-02 07:00"), *(("done", 1, f"03-02 {hour:02}:00") for hour in (9, 10, 11))],
        ),
    ],
)
def test_times_missed_while_it_was_down(
    world: World, catch_up: str, times: list[str], entries: list[tuple[str, int, str]]
) -> None:
    """Down from 6:10 to 11:30: each missed time is written down with what became of it."""
    hourly = flow("hourly UTC", catch_up=catch_up, catch_up_limit=3)
    world.serve(hourly, at("03-02 06:10"))
    world.clock.time = at("03-02 11:30")
    world.serve(hourly, at("03-02 11:50"))
    assert world.times() == times
    assert world.entries() == entries
    if catch_up == "one":
        assert (world.runs[0].count, world.runs[0].first) == (5, at("03-02 07:00"))


def test_sleep_of_the_machine_is_an_outage(world: World) -> None:
    """A clock that jumps by hours during a wait is told of, and the missed times follow the rule for catching up."""

    class Sleepy(FakeClock):
        def wait(self, seconds: float) -> None:
            super().wait(seconds)
            if self.time == at("03-02 06:30"):
                self.time = at("03-02 09:30")

    world.clock = Sleepy()
    world.serve([flow("hourly UTC", "a"), flow("hourly UTC", "b", catch_up="none")], at("03-02 10:30"))
    assert world.times("a") == ["03-02 09:00", "03-02 10:00"]
    assert world.times("b") == ["03-02 10:00"]
    assert world.entries("b")[0] == ("skipped", 3, "03-02 07:00")
    [moved] = world.told(ClockMoved)
    assert isinstance(moved, ClockMoved)
    assert moved.after == at("03-02 09:30")


def test_clock_that_is_set_back_repeats_nothing(world: World) -> None:
    """Due times that have run do not run again when the clock comes by them once more."""

    class Corrected(FakeClock):
        was_set = False

        def wait(self, seconds: float) -> None:
            super().wait(seconds)
            if self.time >= at("03-02 09:30") and not self.was_set:
                self.was_set = True
                self.time = at("03-02 07:30")

    world.clock = Corrected()
    world.serve(flow("hourly UTC"), at("03-02 10:30"))
    assert world.times() == ["03-02 07:00", "03-02 08:00", "03-02 09:00", "03-02 10:00"]
    assert len(world.told(ClockMoved)) == 1


@pytest.mark.parametrize(
    ("overlap", "times"),
    [("skip", ["07:00", "07:30", "08:00"]), ("queue", ["07:00", "07:15", "07:30", "08:00"])],
)
def test_flow_never_overlaps_itself(world: World, overlap: str, times: list[str]) -> None:
    """A run of 20 minutes every 15 minutes: the time that came meanwhile is skipped and noted, or runs right after."""
    world.takes = lambda _: 20 * MINUTE
    world.clock.time = at("03-02 06:50")
    world.serve(flow("every 15 minutes UTC", overlap=overlap), at("03-02 08:10"))
    assert [time[-5:] for time in world.times()][: len(times)] == times
    spans = [(entry.began, entry.ended) for entry in schedule_history(world.store, "prices") if entry.began]
    assert all(one[1] <= other[0] for one, other in pairwise(spans) if one[1] and other[0])
    if overlap == "skip":
        assert ("skipped", 1, "03-02 07:15") in world.entries()
        skipped = world.told(TimesSkipped)[0]
        assert isinstance(skipped, TimesSkipped)
        assert skipped.reason == "the flow was still running"


def test_flow_waits_for_another_one(world: World) -> None:
    """A flow whose time came while another ran starts right after; it has missed nothing."""
    world.takes = lambda run: 3 * HOUR if run.flow == "long" else timedelta()
    flows = [flow("at 7:00 UTC", "long"), flow("hourly UTC", catch_up="none")]
    world.clock.time = at("03-02 06:30")
    world.serve(flows, at("03-02 11:30"))
    assert world.entries() == [("covered", 3, "03-02 07:00"), ("done", 1, "03-02 10:00"), ("done", 1, "03-02 11:00")]


def test_jitter_delays_without_reordering(world: World) -> None:
    """With a jitter longer than the interval, all times still run in order, each equally late."""
    late = flow("every 15 minutes UTC", jitter=3600)
    world.serve(late, BEGIN + 6 * HOUR)
    entries = schedule_history(world.store, "prices")
    assert {entry.began - entry.due for entry in entries if entry.began} == {late.delay}
    assert [run.due for run in world.runs] == [
        *Timetable.read("every 15 minutes UTC").times(BEGIN, BEGIN + 6 * HOUR - late.delay - timedelta(seconds=1))
    ]


def test_failed_run_is_noted_and_the_next_one_runs(world: World) -> None:
    """An error of a run is not an error of the schedule."""

    def run(this: ScheduledRun) -> str:
        if this.due == at("03-02 07:00"):
            raise SightlineError("The shop is closed.")
        return ""

    Schedule([flow("hourly UTC")], world.store, run=run, clock=world.clock).serve(at("03-02 08:30"))
    first, second = schedule_history(world.store, "prices")
    assert (first.outcome, first.note, second.outcome) == ("failed", "The shop is closed.", "done")


def test_run_that_was_killed_goes_on_under_its_id(world: World) -> None:
    """The next start attempts the same run again; times missed meanwhile are caught up after it."""
    seen = []

    def killed(this: ScheduledRun) -> str:
        seen.append((this.id[-16:], this.attempt))
        if len(seen) == 1:
            raise _Killed
        return ""

    hourly = flow("hourly UTC")
    with pytest.raises(_Killed):
        Schedule([hourly], world.store, run=killed, clock=world.clock).serve()
    world.clock.time = at("03-02 09:30")
    Schedule([hourly], world.store, run=killed, clock=world.clock).serve(at("03-02 09:45"))
    assert seen == [("20260302T070000Z", 1), ("20260302T070000Z", 2), ("20260302T090000Z", 1)]
    assert world.entries() == [("done", 1, "03-02 07:00"), ("covered", 1, "03-02 08:00"), ("done", 1, "03-02 09:00")]
    assert [entry.attempts for entry in schedule_history(world.store, "prices")] == [2, 0, 1]


def test_times_are_told_in_the_zone_of_the_timetable(world: World) -> None:
    """Runs, also resumed ones, and skipped times show the clock that the timetable goes by."""

    def killed(this: ScheduledRun) -> str:
        world.runs.append(this)
        if this.attempt == 1:
            raise _Killed
        return ""

    daily = flow("hourly Asia/Kathmandu")
    for hours in (0, 5):
        world.clock.time = BEGIN + hours * HOUR
        with pytest.raises(_Killed):
            Schedule([daily], world.store, run=killed, on_event=world.events.append, clock=world.clock).serve()
    [skipped] = world.told(TimesSkipped)
    assert isinstance(skipped, TimesSkipped)
    shown = [*(run.due for run in world.runs), *(run.first for run in world.runs), skipped.first, skipped.last]
    assert {one.tzinfo for one in shown} == {daily.timetable.zone}
    assert [run.attempt for run in world.runs] == [1, 2, 1]


def test_schedule_runs_in_any_thread(world: World) -> None:
    """Outside the main thread, which alone gets signals, a schedule works as well."""
    thread = threading.Thread(target=world.serve, args=(flow("hourly UTC"), at("03-02 08:30")))
    thread.start()
    thread.join()
    assert world.times() == ["03-02 07:00", "03-02 08:00"]


def test_run_that_never_ends_is_given_up(world: World) -> None:
    """A run that kills its process each time is noted as failed, and the next time gets its turn."""

    def kills(this: ScheduledRun) -> str:
        world.runs.append(this)
        if this.due == at("03-02 07:00"):
            raise _Killed
        return ""

    for _ in range(2):
        with pytest.raises(_Killed):
            Schedule([flow("hourly UTC", attempts=2)], world.store, run=kills, clock=world.clock).serve()
    Schedule(
        [flow("hourly UTC", attempts=2)], world.store, run=kills, on_event=world.events.append, clock=world.clock
    ).serve(at("03-02 08:30"))
    assert world.times() == ["03-02 07:00", "03-02 07:00", "03-02 08:00"]
    assert world.entries() == [("failed", 1, "03-02 07:00"), ("done", 1, "03-02 08:00")]
    assert "given up after 2 attempts" in schedule_history(world.store, "prices")[0].note
    assert [event.outcome for event in world.events if isinstance(event, RunEnded)] == ["failed", "done"]


def test_changed_timetable_counts_from_now_on(world: World) -> None:
    """The times of the old one that were missed are noted; the new one has missed nothing."""
    world.serve(flow("hourly UTC"), at("03-02 07:30"))
    world.clock.time = at("03-02 10:30")
    world.serve(flow("every 30 minutes UTC"), at("03-02 11:10"))
    assert world.times() == ["03-02 07:00", "03-02 11:00"]
    assert ("skipped", 3, "03-02 08:00") in world.entries()
    assert world.told(TimetableChanged) == [TimetableChanged("prices", "every hour UTC", "every 30 minutes UTC")]


@pytest.mark.slow
def test_old_entries_move_to_files_of_their_own(world: World) -> None:
    """After a thousand runs the state is still small, and the history has every run once."""
    world.serve(flow("every 5 minutes UTC"), BEGIN + 5001 * MINUTE)
    state = world.store / "schedule" / "prices" / "state.json"
    assert state.stat().st_size < 100_000
    entries = schedule_history(world.store, "prices")
    assert [entry.number for entry in entries] == [*range(1, 1001)]
    assert unexplained(entries, Timetable.read("every 5 minutes UTC"), BEGIN, BEGIN + 5000 * MINUTE) == []


@pytest.mark.slow
def test_hundreds_of_thousands_of_missed_times(world: World) -> None:
    """An outage of days with a timetable of seconds ends in a few entries and one run."""
    secondly = flow("every second UTC")
    world.serve(secondly, BEGIN + timedelta(seconds=2))
    missed_from = world.clock.time
    world.clock.time += 3 * DAY
    world.serve(secondly, world.clock.time + timedelta(seconds=2))
    entries = schedule_history(world.store, "prices")
    assert len(world.runs) < 8
    assert len(entries) < 12
    assert sum(entry.count for entry in entries if entry.due >= missed_from) >= 3 * 24 * 3600


def test_schedule_that_runs_keeps_others_out(world: World) -> None:
    """A second schedule in the same store is refused while the first one runs, and not afterwards."""

    def other(_: ScheduledRun) -> str:
        world.serve(flow("hourly UTC"), at("03-02 08:30"))
        return ""

    Schedule([flow("hourly UTC")], world.store, run=other, clock=world.clock).serve(at("03-02 07:30"))
    [entry] = schedule_history(world.store, "prices")
    assert "A schedule already runs in" in entry.note
    assert world.runs == []
    world.serve(flow("hourly UTC"), at("03-02 08:30"))
    assert world.times() == ["03-02 08:00"]


@pytest.mark.parametrize("name", ["", " ", ".", "..", "x" * 201, "ü" * 40, "prices "])
def test_names_that_cannot_be_kept(name: str) -> None:
    """A name becomes a folder, so some are refused."""
    with pytest.raises(UsageError, match="cannot be the name"):
        ScheduledFlow(name, Timetable.read("hourly UTC"))


def test_names_with_slashes_stay_inside_the_store(world: World) -> None:
    """A name that is a path names a folder of the store, not one elsewhere."""
    world.serve(flow("hourly UTC", "../../flows/preise für ÖBB.yaml"), at("03-02 07:30"))
    assert len(schedule_history(world.store, "../../flows/preise für ÖBB.yaml")) == 1
    assert [path.name for path in world.store.iterdir()] == ["schedule"]


def test_flows_need_names_of_their_own(world: World) -> None:
    """Two flows of one name, also in another case, would share their state."""
    for flows in ([], [flow("hourly UTC", "a"), flow("hourly UTC", "A")]):
        with pytest.raises(UsageError, match="a name of its own"):
            Schedule(flows, world.store, run=world.run)


def test_damaged_state_is_named(world: World) -> None:
    """A state that something else wrote is an error with its path, not a fresh start that repeats runs."""
    world.serve(flow("hourly UTC"), at("03-02 07:30"))
    (world.store / "schedule" / "prices" / "state.json").write_bytes(b"{")
    with pytest.raises(UsageError, match=r"state\.json was not written by a schedule"):
        world.serve(flow("hourly UTC"), at("03-02 08:30"))


def test_store_that_cannot_be_made(world: World) -> None:
    """A store below a file is an error that says so."""
    (world.store / "file").write_text("")
    with pytest.raises(OutputError, match="choose another place"):
        Schedule([flow("hourly UTC")], world.store / "file", run=world.run, clock=world.clock).serve()


def test_history_of_an_unknown_flow_is_empty(tmp_path: Path) -> None:
    """Nothing was scheduled, so nothing became of it."""
    assert schedule_history(tmp_path, "prices") == []


def test_a_signal_while_an_event_is_told(world: World) -> None:
    """What it brings is told before or after that event: whoever writes a line isn't called again in the middle."""
    told: list[tuple[str, str]] = []

    def on_event(event: ScheduleEvent) -> None:
        told.append((type(event).__name__, "begins"))
        if isinstance(event, RunStarted):
            os.kill(os.getpid(), signal.SIGINT)
        told.append((type(event).__name__, "ends"))

    hourly = [flow("every hour UTC")]
    Schedule(hourly, world.store, run=lambda _: "fine", on_event=on_event, clock=world.clock).serve(BEGIN + DAY)
    assert sorted(name for name, _ in told[::2]) == ["RunEnded", "RunStarted", "ScheduleWaits", "StopRequested"]
    assert told == [(name, part) for name, _ in told[::2] for part in ("begins", "ends")]
