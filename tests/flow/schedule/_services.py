"""Schedules on a clock that goes as fast as it is looked at, and what they leave behind."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sightline.flow.schedule import (
    Schedule,
    ScheduledFlow,
    ScheduledRun,
    ScheduleEntry,
    ScheduleEvent,
    ScheduleSettings,
    Timetable,
    schedule_history,
)

BEGIN = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)  # a Monday
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def at(text: str) -> datetime:
    """An instant, such as `03-02 07:00`, of 2026 in UTC."""
    return datetime.fromisoformat(f"2026-{text}+00:00")


@dataclass
class FakeClock:
    """A clock that moves when somebody waits."""

    time: datetime = BEGIN
    longest: float = 0.0

    def now(self) -> datetime:
        """What it shows."""
        return self.time

    def wait(self, seconds: float) -> None:
        """Move on at once."""
        assert seconds > 0
        self.longest = max(self.longest, seconds)
        self.time += timedelta(seconds=seconds)

    def wake(self) -> None:
        """Nobody ever waits."""


@dataclass
class World:
    """A store, a clock, and all that was run and told."""

    store: Path
    clock: FakeClock = field(default_factory=FakeClock)
    runs: list[ScheduledRun] = field(default_factory=list)
    events: list[ScheduleEvent] = field(default_factory=list)
    takes: Callable[[ScheduledRun], timedelta] = lambda _: timedelta()

    def run(self, this: ScheduledRun) -> str:
        """Take as long as a run of this flow takes."""
        self.runs.append(this)
        self.clock.time += self.takes(this)
        return "fine"

    def serve(self, flows: ScheduledFlow | Sequence[ScheduledFlow], until: datetime) -> None:
        """Serve from now on until an instant."""
        several = [flows] if isinstance(flows, ScheduledFlow) else flows
        Schedule(several, self.store, run=self.run, on_event=self.events.append, clock=self.clock).serve(until)

    def times(self, flow: str = "prices") -> list[str]:
        """The due times that were run."""
        return [f"{run.due.astimezone(UTC):%m-%d %H:%M}" for run in self.runs if run.flow == flow]

    def told(self, kind: type) -> list[ScheduleEvent]:
        """The events of a kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def entries(self, flow: str = "prices") -> list[tuple[str, int, str]]:
        """What became of the times, in short."""
        return [
            (entry.outcome, entry.count, f"{entry.due:%m-%d %H:%M}") for entry in schedule_history(self.store, flow)
        ]


def flow(text: str, name: str = "prices", **settings: object) -> ScheduledFlow:
    """A flow with a timetable in words."""
    return ScheduledFlow(name, Timetable.read(text), ScheduleSettings(**settings))  # type: ignore[arg-type]


def unexplained(entries: Iterable[ScheduleEntry], timetable: Timetable, begin: datetime, end: datetime) -> list[str]:
    """Due times that no entry speaks of, or more than one, or entries that count other times than they say."""
    seen: Counter[datetime] = Counter()
    wrong = []
    for entry in entries:
        times = [due.astimezone(UTC) for due in timetable.times(entry.due - timedelta(microseconds=1), entry.until)]
        seen.update(times)
        if len(times) != entry.count:
            wrong.append(f"{entry} counts {len(times)}")
    due = [one.astimezone(UTC) for one in timetable.times(begin, end)]
    return [*wrong, *(f"{one}: {seen[one]} entries" for one in due if seen[one] != 1)]
