"""Three years of schedules in six zones, with outages and kills: `python -m bench.flow.schedule`.

The clock is a simulated one. What should have run is found without the timetables of Sightline: from what the clock of
each zone shows at every minute of the three years. In them Apia skips a day, Santiago and New York set their clocks at
midnight and at two, Lord Howe by half an hour, Kathmandu never, and 2012 has a leap day.

The process is killed at the begin and at the end of runs and wherever it tells an event, which is between any two
things that it writes, or because the power fails at any instant. Then it is down for minutes or days.
"""

import tempfile
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from bench.frame import Figure, tell
from sightline.flow.schedule import (
    RunEnded,
    Schedule,
    ScheduledFlow,
    ScheduledRun,
    ScheduleEntry,
    ScheduleEvent,
    ScheduleSettings,
    Timetable,
    schedule_history,
)

ZONES = (
    "Europe/Vienna",
    "America/New_York",
    "America/Santiago",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Pacific/Apia",
)
BEGIN, DAYS = datetime(2010, 9, 20, tzinfo=UTC), 3 * 365  # in the first month some clocks are set
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
LOOKED_AT = 15  # the minutes between two looks at the offset of a zone; clocks are set at quarters of an hour
KILLED = 1 / 500  # the chance at each event, and at the begin and the end of each run
BEYOND = 2 * DAY
LONGEST_UP = 30 * 24 * 60  # minutes
OUTAGES = (1, 10, 120, 1440, 4320)
Dues = list[datetime]


class _Killed(BaseException):
    """The process ends here."""


class _ZoneClock:
    """What the clock of a zone shows at every minute of the three years, in minutes since 1970."""

    def __init__(self, zone: str, minutes: int) -> None:
        instants = [BEGIN + number * LOOKED_AT * MINUTE for number in range(minutes // LOOKED_AT + 1)]
        offsets = [(one.astimezone(ZoneInfo(zone)).utcoffset() or timedelta()) // MINUTE for one in instants]
        first = int(BEGIN.timestamp()) // 60
        shown = first + np.arange(minutes) + np.repeat(np.array(offsets), LOOKED_AT)[:minutes]
        self._latest: NDArray[np.int64] = np.maximum.accumulate(shown)

    def at(self, days: Iterable[date], times: Iterable[time]) -> Dues:
        """The first instants at which it shows these times or later ones; the same instant comes once."""
        walls = sorted(datetime.combine(day, at, UTC) for day in days for at in times)
        places = np.searchsorted(self._latest, [int(wall.timestamp()) // 60 for wall in walls])
        return [BEGIN + int(place) * MINUTE for place in np.unique(places) if 0 < place < len(self._latest)]


def _dates(days: int) -> list[date]:
    return [BEGIN.date() + number * DAY for number in range(-1, days + 2)]


def _last_weekdays(days: list[date]) -> list[date]:
    weekdays = [day for day in days if day.weekday() < 5]
    return [one for one, other in pairwise(weekdays) if one.month != other.month]


def _in_steps(clock: _ZoneClock, days: list[date]) -> Dues:
    """Every 20 minutes from 1:00 to 4:00."""
    found = []
    for day in days:
        ends = clock.at([day], [time(1)]), clock.at([day], [time(4)])
        if all(ends):
            span = (ends[1][0] - ends[0][0]) // (20 * MINUTE)
            found += [ends[0][0] + number * 20 * MINUTE for number in range(span + 1)]
    return found


def _expected(clock: _ZoneClock, days: list[date]) -> dict[str, Dues]:
    """Words, and the times that they mean."""
    weekdays = [day for day in days if day.weekday() < 5]
    sundays = [day for day in days if day.weekday() == 6]
    return {
        "every day at 0:15 and 2:15": clock.at(days, [time(0, 15), time(2, 15)]),
        "every weekday at 6:30 and 18:00": clock.at(weekdays, [time(6, 30), time(18)]),
        "on the last weekday of the month at 23:30": clock.at(_last_weekdays(days), [time(23, 30)]),
        "45 1-3 * * *": clock.at(days, [time(1, 45), time(2, 45), time(3, 45)]),
        "every 20 minutes between 1:00 and 4:00 on Sunday": _in_steps(clock, sundays),
    }


@dataclass
class _World:
    """The simulated machine: its clock, its fate, and what ran on it."""

    random: Random
    time: datetime = BEGIN
    down_at: datetime = BEGIN
    kills: int = 0
    noted: set[str] = field(default_factory=set)
    calls: list[ScheduledRun] = field(default_factory=list)
    twice: int = 0
    early: int = 0

    def now(self) -> datetime:
        """The time; looking at it may be the last thing that the process does."""
        if self.time >= self.down_at:
            raise _Killed
        return self.time

    def wait(self, seconds: float) -> None:
        """Go on to that time."""
        self.time += timedelta(seconds=seconds)

    def wake(self) -> None:
        """With one worker, no run ends while it waits."""

    def run(self, this: ScheduledRun) -> str:
        """A run of some minutes, which may be killed in its middle and at its end."""
        self.twice += this.id in self.noted
        self.early += this.due.astimezone(UTC) > self.time
        self.calls.append(this)
        self._risk()
        self.time += self.random.choice((0, 0, 1, 3, 8)) * MINUTE
        self._risk()
        return ""

    def tell(self, event: ScheduleEvent) -> None:
        """Note what has ended."""
        if isinstance(event, RunEnded):
            self.noted.add(event.run.id)
        self._risk()

    def _risk(self) -> None:
        if self.random.random() < KILLED:
            raise _Killed

    def boot(self) -> None:
        """Be up for some time, until the power fails at any instant."""
        self.down_at = self.time + self.random.randrange(60, LONGEST_UP * 60) * timedelta(seconds=1)

    def fail(self) -> None:
        """Be down for a while."""
        self.kills += 1
        self.time += self.random.randrange(1, self.random.choice(OUTAGES) + 1) * MINUTE


def schedule_figures(days: int = DAYS, seed: int = 22) -> list[Figure]:
    """Runs twice, runs too early, and times without one entry that says what became of them."""
    end = BEGIN + days * DAY
    minutes = (end - BEGIN) // MINUTE
    world = _World(Random(seed))
    expected: dict[str, Dues] = {}
    flows = []
    policies: list[dict[str, object]] = [{}, {"catch_up": "none"}, {"catch_up": "all", "jitter": 300}]
    for zone in ZONES:
        # Two days more than are simulated, so that the last night is known as a whole: some times of it are due before
        # the end, and those that come later only say when it is over.
        clock = _ZoneClock(zone, minutes + BEYOND // MINUTE)
        for number, (text, dues) in enumerate(_expected(clock, _dates(days)).items()):
            name = f"{zone} {text.replace('*', 'any')}"
            settings = ScheduleSettings(attempts=5, **policies[number % len(policies)])  # type: ignore[arg-type]
            flows.append(ScheduledFlow(name, Timetable.read(f"{text} {zone}"), settings))
            expected[name] = dues
    with tempfile.TemporaryDirectory(dir=_fast_folder()) as folder:
        _live(world, flows, Path(folder), end)
        histories = {flow.name: schedule_history(Path(folder), flow.name) for flow in flows}
    return _figures(world, expected, histories, end)


def _fast_folder() -> str | None:
    """Memory, if there is some: the disk is not what is measured."""
    return "/dev/shm" if Path("/dev/shm").is_dir() else None


def _live(world: _World, flows: list[ScheduledFlow], store: Path, end: datetime) -> None:
    while world.time < end:
        world.boot()
        try:
            Schedule(flows, store, run=world.run, on_event=world.tell, clock=world).serve(end)
        except _Killed:
            world.fail()


def _figures(
    world: _World, expected: dict[str, Dues], histories: dict[str, Iterable[ScheduleEntry]], end: datetime
) -> list[Figure]:
    unexplained = sum(_unexplained(dues, histories[name], end) for name, dues in expected.items())
    ran = sum(entry.outcome == "done" for history in histories.values() for entry in history)
    times = sum(due <= end - DAY for dues in expected.values() for due in dues)
    return [
        Figure.of("schedule, 3 years: runs twice", world.twice, 0, "lower"),
        Figure.of("schedule, 3 years: missed unexplained", unexplained, 0, "lower"),
        Figure.of("schedule, 3 years: runs before they are due", world.early, 0, "lower"),
        Figure.of("schedule, 3 years: due times", times, None, "higher"),
        Figure.of("schedule, 3 years: of them with a run of their own", ran, None, "higher"),
        Figure.of("schedule, 3 years: kills", world.kills, None, "higher"),
    ]


def _unexplained(dues: Dues, history: Iterable[ScheduleEntry], end: datetime) -> int:
    """Due times without exactly one entry, and entries for other times than they count.

    The last day is left out: what was due shortly before the end may still wait for another flow.
    """
    seen: Counter[datetime] = Counter()
    wrong = 0
    for entry in history:
        within = _between(dues, entry.due, entry.until)
        wrong += abs(len(within) - entry.count)
        seen.update(within)
    return wrong + sum(seen[due] != 1 for due in dues if due <= end - DAY)


def _between(dues: Dues, first: datetime, last: datetime) -> Dues:
    return dues[bisect_left(dues, first) : bisect_right(dues, last)]


if __name__ == "__main__":
    tell(schedule_figures())
