"""What a schedule tells while it runs."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from sightline.flow.schedule._flows import ScheduledRun

__all__ = [
    "ClockMoved",
    "RunEnded",
    "RunStarted",
    "ScheduleEvent",
    "ScheduleWaits",
    "StopRequested",
    "TimesSkipped",
    "TimetableChanged",
]


@dataclass(frozen=True)
class ScheduleWaits:
    """Nothing is due; this flow is the next one, for its time `due`, at `start` (which is later if it has a jitter)."""

    flow: str
    due: datetime
    start: datetime


@dataclass(frozen=True)
class RunStarted:
    """A run begins, or begins again after it was killed (`run.attempt` is then 2 or more)."""

    run: ScheduledRun


@dataclass(frozen=True)
class RunEnded:
    """A run is over, and noted. `note` is what it returned, or the error."""

    run: ScheduledRun
    outcome: Literal["done", "failed"]
    note: str
    seconds: float


@dataclass(frozen=True)
class TimesSkipped:
    """`count` due times from `first` to `last` get no run of their own; if another run stands for them, it is `run`."""

    flow: str
    first: datetime
    last: datetime
    count: int
    reason: str
    run: str = ""


@dataclass(frozen=True)
class TimetableChanged:
    """A flow has another timetable than when it was last scheduled; its times count from now on."""

    flow: str
    before: str
    after: str


@dataclass(frozen=True)
class ClockMoved:
    """The clock of the machine was set, or the machine was asleep: it showed `before`, and now it shows `after`."""

    before: datetime
    after: datetime


@dataclass(frozen=True)
class StopRequested:
    """Ctrl-C or SIGTERM came; the schedule ends after the current run. It is told from the handler of the signal."""


ScheduleEvent: TypeAlias = (
    ScheduleWaits | RunStarted | RunEnded | TimesSkipped | TimetableChanged | ClockMoved | StopRequested
)
