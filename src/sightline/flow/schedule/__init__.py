"""Running flows on time: when they are due, and the service that runs them. docs/schedule.md describes it."""

from typing import TYPE_CHECKING

from sightline._lazy import lazily

if TYPE_CHECKING:
    from sightline.flow.schedule._clock import ScheduleClock, WallClock
    from sightline.flow.schedule._events import (
        ClockMoved,
        RunEnded,
        RunStarted,
        ScheduleEvent,
        ScheduleWaits,
        StopRequested,
        TimesSkipped,
        TimetableChanged,
    )
    from sightline.flow.schedule._flows import ScheduledFlow, ScheduledRun, ScheduleSettings
    from sightline.flow.schedule._schedule import Schedule
    from sightline.flow.schedule._store import ScheduleEntry, schedule_history
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

__getattr__ = lazily(
    __name__,
    {
        "_clock": "ScheduleClock WallClock",
        "_events": "ClockMoved RunEnded RunStarted ScheduleEvent ScheduleWaits StopRequested TimesSkipped"
        " TimetableChanged",
        "_flows": "ScheduleSettings ScheduledFlow ScheduledRun",
        "_schedule": "Schedule",
        "_store": "ScheduleEntry schedule_history",
        "_timetable": "Timetable",
    },
)
