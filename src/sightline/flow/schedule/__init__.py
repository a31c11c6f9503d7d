"""Running flows on time: when they are due, and the service that runs them. docs/schedule.md describes it."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.flow.schedule._schedule import Schedule, ScheduleClock, WallClock
    from sightline.flow.schedule._store import (
        ClockMoved,
        RunEnded,
        RunStarted,
        ScheduledFlow,
        ScheduledRun,
        ScheduleEntry,
        ScheduleEvent,
        ScheduleSettings,
        ScheduleWaits,
        StopRequested,
        TimesSkipped,
        TimetableChanged,
        schedule_history,
    )
    from sightline.flow.schedule._timetable import Timetable

__all__ = [
    "ClockMoved",
    "RunEnded",
    "RunStarted",
    "Schedule",
    "ScheduleClock",
    "ScheduleEntry",
    "ScheduleEvent",
    "ScheduleSettings",
    "ScheduleWaits",
    "ScheduledFlow",
    "ScheduledRun",
    "StopRequested",
    "TimesSkipped",
    "Timetable",
    "TimetableChanged",
    "WallClock",
    "schedule_history",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_schedule": "ScheduleClock WallClock Schedule",
        "_store": "ClockMoved RunEnded RunStarted ScheduleEntry ScheduleEvent ScheduleSettings ScheduleWaits"
        " ScheduledFlow ScheduledRun StopRequested TimesSkipped TimetableChanged schedule_history",
        "_timetable": "Timetable",
    },
)
