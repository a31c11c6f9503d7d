"""The days of a timetable: weekdays, every few weeks, or by their place in a month, quarter or year."""

from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, TypeAlias

__all__ = ["ALL_DAYS", "DAY_NAMES", "FIRST_WEEK", "ORDINALS", "PeriodDays", "TimetableDays", "WeekDays", "joined"]

DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ALL_DAYS = tuple(range(7))
WORKING, WEEKEND = ALL_DAYS[:5], ALL_DAYS[5:]
# The last one counts from the end.
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1}
# "Every 2 weeks" has to be counted from some week; this one begins with the Monday that begins a year.
FIRST_WEEK = date(2024, 1, 1)
MONTHS = {"month": 1, "quarter": 3, "year": 12}


@dataclass(frozen=True)
class WeekDays:
    """Days of the week (Monday is 0), in every week or in every few weeks, counted from the week of a date."""

    days: tuple[int, ...]
    weeks: int = 1
    counted_from: date = FIRST_WEEK

    def __contains__(self, day: date) -> bool:
        if day.weekday() not in self.days:
            return False
        begins = self.counted_from - timedelta(days=self.counted_from.weekday())
        return (day - begins).days // 7 % self.weeks == 0

    @property
    def text(self) -> str:
        """As it begins a timetable: `every weekday`."""
        if self.weeks > 1:
            return f"every {self.weeks} weeks on {joined([DAY_NAMES[day] for day in self.days])}"
        return f"every {self._named('day', 'weekday', 'weekend')}"

    @property
    def condition(self) -> str:
        """As it follows an interval: `on weekdays`."""
        if self.weeks > 1 or self.days == ALL_DAYS:
            return self.text if self.weeks > 1 else ""
        return f"on {self._named('', 'weekdays', 'weekends')}"

    @property
    def anchor(self) -> str:
        """The date that weeks are counted from, for the end of a timetable."""
        return f" counted from {self.counted_from}" if self.weeks > 1 else ""

    def _named(self, all_days: str, working: str, weekend: str) -> str:
        known = {ALL_DAYS: all_days, WORKING: working, WEEKEND: weekend}
        return known.get(self.days) or joined([DAY_NAMES[day] for day in self.days])


@dataclass(frozen=True)
class PeriodDays:
    """Days by their place among the days, weekdays (Monday to Friday), Mondays … of each month, quarter or year."""

    places: tuple[int, ...]
    kind: str  # "day", "weekday" or the name of a day
    period: Literal["month", "quarter", "year"]

    def __contains__(self, day: date) -> bool:
        if not self._counts(day):
            return False
        first, last = _bounds(day, MONTHS[self.period])
        return self._place(day, first) in self.places or (-1 in self.places and day + self._step(day) > last)

    def _place(self, day: date, first: date) -> int:
        """How many of these days there are from the first day of the period to this one."""
        weeks, rest = divmod((day - first).days + 1, 7)
        in_a_week = {"day": 7, "weekday": 5}.get(self.kind, 1)
        return weeks * in_a_week + sum(self._counts(day - timedelta(days=number)) for number in range(rest))

    def _step(self, day: date) -> timedelta:
        """How far it is to the next of these days."""
        if self.kind == "weekday":
            return timedelta(days=3 if day.weekday() == WORKING[-1] else 1)
        return timedelta(days=1 if self.kind == "day" else 7)

    def _counts(self, day: date) -> bool:
        if self.kind == "day":
            return True
        return day.weekday() in (WORKING if self.kind == "weekday" else (DAY_NAMES.index(self.kind),))

    @property
    def text(self) -> str:
        """Words, such as `on the first Monday of the month`."""
        return f"on the {joined([_ordinal(place) for place in self.places])} {self.kind} of the {self.period}"

    condition = text
    anchor = ""


TimetableDays: TypeAlias = WeekDays | PeriodDays


def _bounds(day: date, months: int) -> tuple[date, date]:
    """The first and last day of the period of so many months that a day is in."""
    begin = (day.month - 1) // months * months + 1
    end = begin + months - 1
    return date(day.year, begin, 1), date(day.year, end, monthrange(day.year, end)[1])


def _ordinal(place: int) -> str:
    for word, number in ORDINALS.items():
        if number == place:
            return word
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def joined(several: Sequence[str]) -> str:
    """Words as a sentence lists them.

    >>> joined(["6:30", "12:00", "18:00"])
    '6:30, 12:00 and 18:00'
    """
    return " and ".join([*([", ".join(several[:-1])] if several[1:] else []), several[-1]])
