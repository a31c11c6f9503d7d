"""Running flows on time: when they are due, and the service that runs them. docs/schedule.md describes it."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.flow.schedule._clock import ScheduleClock, WallClock
    from sightline.flow.schedule._flow_runs import FlowOrder, do_flow_run, kept_apart
    from sightline.flow.schedule._schedule import Schedule
    from sightline.flow.schedule._store import (
        ClockMoved,
        RunDied,
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
        WorkerDied,
        schedule_history,
    )
    from sightline.flow.schedule._timetable import Timetable
    from sightline.flow.schedule._workers import FlowWorkers

__all__ = [
    "ClockMoved",
    "FlowOrder",
    "FlowWorkers",
    "RunDied",
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
    "WorkerDied",
    "do_flow_run",
    "kept_apart",
    "schedule_history",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_clock": "ScheduleClock WallClock",
        "_flow_runs": "FlowOrder do_flow_run kept_apart",
        "_schedule": "Schedule",
        "_store": "ClockMoved RunDied RunEnded RunStarted ScheduleEntry ScheduleEvent ScheduleSettings ScheduleWaits"
        " ScheduledFlow ScheduledRun StopRequested TimesSkipped TimetableChanged WorkerDied schedule_history",
        "_timetable": "Timetable",
        "_workers": "FlowWorkers",
    },
)
