"""Running flows on time: when they are due, and the service that runs them. docs/schedule.md describes it."""

from typing import TYPE_CHECKING

from sightline._lazy import lazily

if TYPE_CHECKING:
    from sightline.flow.schedule._timetable import Timetable

__all__ = ["Timetable"]

__getattr__ = lazily(__name__, {"_timetable": "Timetable"})
