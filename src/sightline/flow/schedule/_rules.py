"""The rules of a timetable: at times of the clock, in steps of elapsed time, or by cron. Instants here are in UTC."""

from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from difflib import get_close_matches
from functools import cache
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import tzlocal
from cronsim import CronSim, CronSimError

from sightline.errors import UsageError

# The days of a timetable: weekdays, every few weeks, or by their place in a month, quarter or year.

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


DAY = timedelta(days=1)
# Where intervals are counted from: the midnight of the zone on this day, so that "every hour" is at full hours.
INTERVALS_FROM = datetime(2000, 1, 1)
SOME_DAY = datetime(2000, 1, 1)  # cronsim gives up after fifty years, in which any day of the calendar comes
CRON_FIELDS = "its five fields are minute, hour, day of the month, month and day of the week, such as 30 6 * * 1-5"
UNITS = (("hour", 3600), ("minute", 60), ("second", 1))


@dataclass(frozen=True)
class AtTimes:
    """At the same times of the clock on certain days."""

    days: TimetableDays
    times: tuple[time, ...]

    def after(self, instant: datetime, zone: ZoneInfo) -> datetime:
        """The first due instant after another one."""
        found = (
            instant_of(datetime.combine(day, at), zone) for day in _days(instant, zone, self.days) for at in self.times
        )
        return next(due for due in found if due > instant)

    def __str__(self) -> str:
        return f"{self.days.text} at {joined([clock_text(at) for at in self.times])}{self.days.anchor}"


@dataclass(frozen=True)
class EveryInterval:
    """Whenever so many seconds have elapsed, whatever the clock shows."""

    seconds: int

    def after(self, instant: datetime, zone: ZoneInfo) -> datetime:
        """The first due instant after another one."""
        step = timedelta(seconds=self.seconds)
        begin = instant_of(INTERVALS_FROM, zone)
        return begin + ((instant - begin) // step + 1) * step

    def __str__(self) -> str:
        return interval_text(self.seconds)


@dataclass(frozen=True)
class StepsOfDay:
    """In steps of elapsed time on certain days: from one time of the clock to another, both included, or all day."""

    seconds: int
    days: TimetableDays
    window: tuple[time, time] | None

    def after(self, instant: datetime, zone: ZoneInfo) -> datetime:
        """The first due instant after another one."""
        step = timedelta(seconds=self.seconds)
        for day in _days(instant, zone, self.days):
            begin, end = self._bounds(day, zone)
            due = max(begin, begin + ((instant - begin) // step + 1) * step)
            if instant < due and (due < end or (due == end and self.window)):
                return due
        raise AssertionError("the days never end")

    def _bounds(self, day: date, zone: ZoneInfo) -> tuple[datetime, datetime]:
        first, last = self.window or (time(), time())
        end_day = day if first < last else day + DAY
        return instant_of(datetime.combine(day, first), zone), instant_of(datetime.combine(end_day, last), zone)

    def __str__(self) -> str:
        between = f"between {clock_text(self.window[0])} and {clock_text(self.window[1])}" if self.window else ""
        return " ".join(filter(None, (interval_text(self.seconds), between, self.days.condition))) + self.days.anchor


@dataclass(frozen=True)
class ByCron:
    """By the five fields of cron.

    With `*` for the hour, it is due whenever the clock shows a minute that fits. Otherwise it names times of the clock,
    which are treated as those of `AtTimes`. cronsim finds the times on a clock without a zone: with one, it skips
    some where the clock is set by half an hour.
    """

    fields: str

    @classmethod
    def read(cls, text: str) -> "ByCron":
        """Check the five fields, and that they come at all."""
        fields = " ".join(text.upper().split())
        if (count := len(fields.split())) != 5:
            raise UsageError(f"“{text}” has {count} fields, and cron has five; {CRON_FIELDS}.")
        try:
            next(CronSim(fields, SOME_DAY))
        except CronSimError as problem:
            raise UsageError(f"“{text}” is not cron ({str(problem).lower()}); {CRON_FIELDS}.") from problem
        except StopIteration:
            raise UsageError(f"“{text}” never comes, since no month has such a day; {CRON_FIELDS}.") from None
        return cls(fields)

    def after(self, instant: datetime, zone: ZoneInfo) -> datetime:
        """The first due instant after another one."""
        return self._shown_after(instant, zone) if self._is_hourly else self._named_after(instant, zone)

    @property
    def _is_hourly(self) -> bool:
        return self.fields.split()[1] == "*"

    def _named_after(self, instant: datetime, zone: ZoneInfo) -> datetime:
        walls = CronSim(self.fields, _wall(instant, zone))  # an earlier time of the clock is an earlier instant
        return next(due for wall in walls if (due := instant_of(wall, zone)) > instant)

    def _shown_after(self, instant: datetime, zone: ZoneInfo) -> datetime:
        """Until its offset changes, the clock of the zone goes as one without a zone does."""
        begin = instant
        while True:
            wall = _wall(begin, zone)
            offset = wall - begin.replace(tzinfo=None)
            due = (next(CronSim(self.fields, wall)) - offset).replace(tzinfo=UTC)
            shift = next_shift(begin, due, zone)
            if shift is None:
                return due
            if _fits(self.fields, _wall(shift, zone)):
                return shift
            begin = shift

    def __str__(self) -> str:
        return self.fields


TimetableRule: TypeAlias = AtTimes | EveryInterval | StepsOfDay | ByCron


def _wall(instant: datetime, zone: ZoneInfo) -> datetime:
    return instant.astimezone(zone).replace(tzinfo=None, fold=0)


def _fits(fields: str, wall: datetime) -> bool:
    return next(CronSim(fields, wall - timedelta(seconds=1))) == wall


def _days(instant: datetime, zone: ZoneInfo, days: TimetableDays) -> Iterator[date]:
    """The days of a timetable, from the day before an instant on, whose window may reach into the next."""
    day = _wall(instant, zone).date() - DAY
    while True:
        if day in days:
            yield day
        day += DAY


def clock_text(at: time) -> str:
    """A time of the clock, such as 6:30."""
    return f"{at.hour}:{at.minute:02}"


def interval_text(seconds: int) -> str:
    """Seconds in words, by the largest unit that fits.

    >>> interval_text(900), interval_text(3600)
    ('every 15 minutes', 'every hour')
    """
    unit, size = next((unit, size) for unit, size in UNITS if seconds % size == 0)
    count = seconds // size
    return f"every {count} {unit}s" if count > 1 else f"every {unit}"


# Time zones: their names, and which instant a time on the clock means.
#
# The instant of a time on the clock is the first one at which the clock shows this time or a later one. A time that the
# clock skips (2:30 on the day when it goes from 2:00 to 3:00) is therefore the moment after the gap, and a time that it
# shows twice is the first of the two.

SECOND, WHOLE_DAY = timedelta(seconds=1), timedelta(days=1)


@cache
def _names() -> dict[str, str]:
    """All names of zones, by their lower-case form."""
    return {name.lower(): name for name in sorted(available_timezones())}


def known_zone(name: str) -> ZoneInfo | None:
    """The zone of that name, in any case; None if there is none.

    >>> known_zone("europe/vienna")
    zoneinfo.ZoneInfo(key='Europe/Vienna')
    """
    return ZoneInfo(_names()[name.lower()]) if name.lower() in _names() else None


def zone_error(name: str) -> UsageError:
    """What to say of a zone that does not exist.

    >>> print(zone_error("Europe/Viena"))
    There is no time zone 'Europe/Viena'; did you mean Europe/Vienna?
    """
    known = _cities() | _names()
    close = get_close_matches(name.lower(), known, 1)
    meant = f"did you mean {known[close[0]]}?" if close else "write one such as Europe/Vienna."
    return UsageError(f"There is no time zone {name!r}; {meant}")


def is_place(name: str) -> bool:
    """Whether a zone is named after this place."""
    return name.lower() in _cities()


@cache
def _cities() -> dict[str, str]:
    """The zones that are named after a place, by that place."""
    return {key.rpartition("/")[2]: name for key, name in _names().items() if "/" in key}


def local_zone() -> ZoneInfo:
    """The zone of this machine."""
    try:
        return ZoneInfo(tzlocal.get_localzone_name())
    except (ZoneInfoNotFoundError, LookupError, ValueError) as problem:
        raise UsageError(
            "The time zone of this machine has no name; write one after the times, such as Europe/Vienna."
        ) from problem


def instant_of(wall: datetime, zone: ZoneInfo) -> datetime:
    """The first instant, in UTC, at which the clock of a zone shows `wall` or a later time.

    >>> instant_of(datetime(2026, 3, 29, 2, 30), ZoneInfo("Europe/Vienna")).astimezone(ZoneInfo("Europe/Vienna"))
    datetime.datetime(2026, 3, 29, 3, 0, tzinfo=zoneinfo.ZoneInfo(key='Europe/Vienna'))
    """
    first = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if first.astimezone(zone).replace(tzinfo=None) == wall:
        return first
    # In a gap, fold 1 counts by the offset that holds after it, which gives an instant before it (PEP 495).
    return _shift_between(wall.replace(tzinfo=zone, fold=1).astimezone(UTC), first, zone)


def next_shift(after: datetime, until: datetime, zone: ZoneInfo) -> datetime | None:
    """The first instant later than `after` and not later than `until` from which on the zone has another offset."""
    offset = after.astimezone(zone).utcoffset()
    begin = after
    while begin < until:
        end = min(begin + WHOLE_DAY, until)
        if end.astimezone(zone).utcoffset() != offset:
            return _shift_between(begin, end, zone)
        begin = end
    return None


def _shift_between(begin: datetime, end: datetime, zone: ZoneInfo) -> datetime:
    """The instant of the only shift of a zone in a span of time."""
    offset = begin.astimezone(zone).utcoffset()
    seconds = range(int((end - begin) / SECOND) + 1)

    def has_shifted(second: int) -> int:
        return int((begin + SECOND * second).astimezone(zone).utcoffset() != offset)

    return begin + SECOND * bisect_left(seconds, 1, key=has_shifted)
