"""When a flow is due, as words or as cron, in a time zone."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from difflib import get_close_matches
from itertools import islice
from typing import Literal, NoReturn, TypeVar, cast
from zoneinfo import ZoneInfo

from sightline.errors import UsageError
from sightline.flow.schedule._rules import (
    ALL_DAYS,
    DAY_NAMES,
    FIRST_WEEK,
    ORDINALS,
    AtTimes,
    ByCron,
    EveryInterval,
    PeriodDays,
    StepsOfDay,
    TimetableDays,
    TimetableRule,
    WeekDays,
    is_place,
    known_zone,
    local_zone,
    zone_error,
)

SHOWN = 3


@dataclass(frozen=True)
class Timetable:
    """When something is due: a rule, and the zone whose clock it goes by. `Timetable.read` makes one.

    >>> timetable = Timetable.read("weekdays at 6:30 am Europe/Vienna")
    >>> print(timetable)
    every weekday at 6:30 Europe/Vienna
    >>> friday = datetime(2026, 3, 27, 12, tzinfo=UTC)
    >>> print(timetable.next(friday))
    2026-03-30 06:30:00+02:00
    """

    rule: TimetableRule
    zone: ZoneInfo

    @classmethod
    def read(cls, text: str) -> "Timetable":
        """Read words or cron, with the name of a zone at the end or, for the local zone, without.

        UsageError if it is not understood, with the words that are known and what was probably meant.
        """
        *words, last = text.split() or [""]
        zone = known_zone(last)
        if zone is None and (is_place(last) or _looks_like_zone(last)):
            raise zone_error(last)
        if zone is None:
            return cls(read_rule(text), local_zone())
        return cls(read_rule(" ".join(words[:-1] if words[-1:] == ["in"] else words)), zone)

    def next(self, after: datetime) -> datetime:
        """The first due time after an instant, in the zone of the timetable.

        Python compares times of one zone by their clocks; to compare two of them as instants, bring both to UTC.
        """
        return self._next(_in_utc(after)).astimezone(self.zone)

    def _next(self, after: datetime) -> datetime:
        return self.rule.after(after, self.zone)

    def times(self, after: datetime, until: datetime | None = None) -> Iterator[datetime]:
        """All due times after one instant, up to and including another one."""
        due, end = self._next(_in_utc(after)), _in_utc(until) if until else None
        while end is None or due <= end:
            yield due.astimezone(self.zone)
            due = self._next(due)

    def describe(self, after: datetime, count: int = SHOWN) -> str:
        """The timetable and its next times.

        >>> Timetable.read("30 6 * * 1-5 Europe/Vienna").describe(datetime(2026, 10, 23, tzinfo=UTC), 2)
        '30 6 * * 1-5 Europe/Vienna; next: Fri 2026-10-23 06:30 CEST, Mon 2026-10-26 06:30 CET'
        """
        following = ", ".join(map(_shown, islice(self.times(after), count)))
        return f"{self}; next: {following}"

    def __str__(self) -> str:
        """The timetable in a form that reads to the same timetable; it always names the zone."""
        return f"{self.rule} {self.zone.key}"


def _in_utc(instant: datetime) -> datetime:
    if instant.tzinfo is None:
        raise UsageError(f"The time {instant} has no zone; give one, such as datetime.now(UTC).")
    return instant.astimezone(UTC)


def _shown(due: datetime) -> str:
    return f"{due:%a %Y-%m-%d %H:%M:%S %Z}" if due.second else f"{due:%a %Y-%m-%d %H:%M %Z}"


def _looks_like_zone(word: str) -> bool:
    """Whether it is made as `Europe/Vienna` is; the last field of cron may have a slash, too."""
    return "/" in word and word[0].isalpha()


# -- reads the words of a timetable into its rule -------------------------------------------------------------------
# A timetable is a row of clauses in any order: an interval, days, times, a window, the date that weeks are counted
# from. Each reader below takes the words of one clause off the front.

T = TypeVar("T")

KNOWN = (
    "every weekday at 6:30",
    "daily at 6:30 and 18:00",
    "every Monday and Thursday at 6:30 am",
    "every 15 minutes between 8:00 and 18:00 on weekdays",
    "every 2 weeks on Monday at 6:30",
    "on the last weekday of the month at 18:00",
    "30 6 * * 1-5",
)
SHORTHANDS = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
SECONDS = {"second": 1, "minute": 60, "hour": 3600}
MOST_SECONDS = 366 * 24 * 3600  # longer than a year is a slip of the keyboard
MOST_WEEKS = 53
# The days of the longest month, and the weekdays that even February has.
MOST_PLACES = {"day": 31, "weekday": 20}
DAYS = {
    "day": ALL_DAYS,
    "weekday": ALL_DAYS[:5],
    "weekend": ALL_DAYS[5:],
    **{name.lower(): (number,) for number, name in enumerate(DAY_NAMES)},
}
PERIODS = ("month", "quarter", "year")
NAMED_TIMES = {"noon": time(12), "midnight": time(0)}
WORDS = (
    *("every", "each", "on", "the", "at", "and", "between", "of", "week", "daily", "hourly", "weekly", "other"),
    *("counted", "from", *SECONDS, *DAYS, *PERIODS, *ORDINALS, *NAMED_TIMES, "am", "pm"),
)
SHORT_DAYS = {name.lower()[:3]: name.lower() for name in DAY_NAMES}
TIME = re.compile(r"(\d{1,2})(?::(\d{2}))?(am|pm)?")
CRON = re.compile(r"[\d*?/,#LW-]+", re.IGNORECASE)


def read_rule(text: str) -> TimetableRule:
    """The rule that words without a zone say.

    >>> print(read_rule("Mondays and Fridays at 6:30 pm"))
    every Monday and Friday at 18:30
    """
    plain = SHORTHANDS.get(text.strip().lower(), text)
    if _is_cron(plain):
        return ByCron.read(plain)
    clauses = _Clauses(text, _tokens(plain))
    while clauses.words:
        if not clauses.skip(","):
            _read_clause(clauses)
    return _combined(clauses)


def _tokens(text: str) -> list[str]:
    spaced = re.sub(r",", " , ", text.lower())
    spaced = re.sub(r"(?<=\d)\s+(?=[ap]\.?m\.?(\s|$))", "", spaced)
    return [re.sub(r"(?<=\d)([ap])\.?m\.?$", r"\1m", word) for word in spaced.split()]


@dataclass
class _Clauses:
    """The words that are not read yet, and what those before them said."""

    text: str
    words: list[str]
    seconds: int = 0
    days: TimetableDays | None = None
    times: tuple[time, ...] = ()
    window: tuple[time, time] | None = None
    counted_from: date | None = None
    weeks: int = 0
    seen: set[str] = field(default_factory=set)

    def peek(self, place: int = 0) -> str:
        return self.words[place] if place < len(self.words) else ""

    def take(self) -> str:
        return self.words.pop(0) if self.words else self.fail("it ends too early")

    def skip(self, *words: str) -> bool:
        """Whether one of these words came next; it is taken off."""
        if self.peek() in words:
            self.words.pop(0)
            return True
        return False

    def once(self, clause: str) -> None:
        if clause in self.seen:
            self.fail(f"it gives {clause} twice; use cron, or a second flow")
        self.seen.add(clause)

    def fail(self, problem: str) -> NoReturn:
        known = ", ".join(f"“{one}”" for one in KNOWN)
        end = "" if problem.endswith("?") else "."
        raise UsageError(f"“{self.text}” is not a timetable: {problem}{end} Timetables are written as {known}.")

    def unknown(self, word: str) -> NoReturn:
        if not word:
            self.fail("it ends too early")
        close = get_close_matches(word, WORDS, 1)
        self.fail(f"the word “{word}” is unknown" + (f"; did you mean “{close[0]}”?" if close else ""))


def _read_clause(clauses: _Clauses) -> None:
    word = clauses.peek()
    reader = READERS.get(word)
    if reader is None and (_day_word(word) or word in ORDINALS or _numbered(word)):
        reader = _read_days
    if reader is None:
        clauses.unknown(word)
    reader(clauses)


def _read_every(clauses: _Clauses) -> None:
    """`every 15 minutes`, `every 2 weeks`, `every weekday`, `every first Monday of the month`."""
    clauses.take()
    count, is_counted = _read_count(clauses)
    unit = clauses.peek().removesuffix("s")
    if unit in SECONDS:
        clauses.take()
        clauses.once("an interval")
        clauses.seconds = count * SECONDS[unit]
        if not 0 < clauses.seconds <= MOST_SECONDS:
            clauses.fail("an interval is at least a second and at most a year long")
    elif unit == "week":
        clauses.take()
        if not 0 < count <= MOST_WEEKS:
            clauses.fail(f"it can be every 1 to {MOST_WEEKS} weeks")
        clauses.once("weeks")
        clauses.weeks = count
    elif is_counted:
        _refuse_count(clauses, unit)
    else:
        _read_days(clauses)


def _refuse_count(clauses: _Clauses, unit: str) -> NoReturn:
    if unit in DAYS or unit in PERIODS:
        clauses.fail(f"every few {unit}s cannot be counted; count seconds, minutes, hours or weeks")
    clauses.unknown(clauses.peek())


def _read_count(clauses: _Clauses) -> tuple[int, bool]:
    if clauses.peek() == "other":
        clauses.take()
        return 2, True
    if clauses.peek().isdecimal():
        return int(clauses.take()[:12]), True
    return 1, False


def _read_on(clauses: _Clauses) -> None:
    clauses.take()
    _read_days(clauses)


def _read_daily(clauses: _Clauses) -> None:
    clauses.take()
    clauses.once("days")
    clauses.days = WeekDays(ALL_DAYS)


def _read_hourly(clauses: _Clauses) -> None:
    clauses.take()
    clauses.once("an interval")
    clauses.seconds = SECONDS["hour"]


def _read_weekly(clauses: _Clauses) -> None:
    clauses.take()
    clauses.once("weeks")
    clauses.weeks = 1


def _read_days(clauses: _Clauses) -> None:
    clauses.once("days")
    clauses.skip("the")
    if _place_of(clauses.peek()):
        clauses.days = _read_period(clauses)
        return
    words = _listed(clauses, _day_word)
    found = {day for word in words for day in DAYS[word]}
    if len(found) == 1 and clauses.skip("to", "through"):
        found = _days_until(found.pop(), DAYS[_read_one(clauses, _day_word)][0])
    clauses.days = WeekDays(tuple(sorted(found)))


def _days_until(first: int, last: int) -> set[int]:
    """`Friday to Monday` goes over the end of the week."""
    return {(first + number) % 7 for number in range((last - first) % 7 + 1)}


def _read_period(clauses: _Clauses) -> PeriodDays:
    places = sorted(set(_listed(clauses, _place_of)), key=lambda place: (place < 0, place))
    kind = "day" if clauses.peek() == "of" else _day_word(clauses.peek())
    if not kind or kind == "weekend":
        clauses.unknown(clauses.peek())
    clauses.skip(clauses.peek() if clauses.peek() != "of" else "")
    if not clauses.skip("of"):
        clauses.fail("after “first”, “last” and the like comes a day and “of the month”, “of the quarter” or so")
    clauses.skip("the", "every", "each")
    period = clauses.take()
    if period not in PERIODS:
        clauses.unknown(period)
    named = kind.capitalize() if len(DAYS[kind]) == 1 else kind
    most = MOST_PLACES.get(named, ORDINALS["fifth"])
    if max(places) > most:
        clauses.fail(f"a {named} of the {period} has a number up to {most}, or is the “last”")
    return PeriodDays(tuple(places), named, cast(Literal["month", "quarter", "year"], period))


def _read_at(clauses: _Clauses) -> None:
    clauses.take()
    clauses.once("times")
    clauses.times = tuple(sorted(set(_listed(clauses, _time_word))))


def _read_between(clauses: _Clauses) -> None:
    clauses.take()
    clauses.once("a window")
    first = _read_one(clauses, _time_word)
    if not clauses.skip("and", "to"):
        clauses.fail("“between” needs two times with “and” between them")
    last = _read_one(clauses, _time_word)
    if first == last:
        clauses.fail("the window ends when it begins")
    clauses.window = (first, last)


def _read_counted(clauses: _Clauses) -> None:
    clauses.take()
    if not clauses.skip("from"):
        clauses.unknown(clauses.peek())
    clauses.once("a date to count from")
    word = clauses.take()
    try:
        clauses.counted_from = date.fromisoformat(word)
    except ValueError:
        clauses.fail(f"“{word}” is not a date; write it as 2026-01-31")


READERS: dict[str, Callable[[_Clauses], None]] = {
    "every": _read_every,
    "each": _read_every,
    "on": _read_on,
    "the": _read_days,
    "daily": _read_daily,
    "hourly": _read_hourly,
    "weekly": _read_weekly,
    "at": _read_at,
    "between": _read_between,
    "from": _read_between,
    "counted": _read_counted,
}


def _listed(clauses: _Clauses, read: Callable[[str], T | None]) -> list[T]:
    """One or more words that can be read so, separated by commas and `and`."""
    found = [_read_one(clauses, read)]
    while size := _separator(clauses):
        if read(clauses.peek(size)) is None and clauses.peek() == ",":
            break
        del clauses.words[:size]
        found.append(_read_one(clauses, read))
    return found


def _read_one(clauses: _Clauses, read: Callable[[str], T | None]) -> T:
    value = read(clauses.peek())
    if value is None:
        _refuse_listed(clauses)
    clauses.take()
    return value


def _separator(clauses: _Clauses) -> int:
    """How many words part the next item of a list from the last."""
    return 2 if clauses.words[:2] == [",", "and"] else int(clauses.peek() in (",", "and"))


def _refuse_listed(clauses: _Clauses) -> NoReturn:
    word = clauses.peek()
    if re.fullmatch(r"\d{1,2}", word):
        clauses.fail(f"“{word}” could be a time in the morning or in the evening; write {word}:00 or {word} am")
    if word[:1].isdecimal():
        clauses.fail(f"“{word}” is not a time of the day; write it as 6:30, 18:00 or 6:30 pm")
    if word in WORDS:
        clauses.fail(f"“{word}” cannot stand where it does")
    clauses.unknown(word)


def _day_word(word: str) -> str | None:
    """The name of a day or of several; in the plural and in short as well."""
    single = word.removesuffix("s") if word.removesuffix("s") in DAYS else word
    single = SHORT_DAYS.get(single, single)
    return single if single in DAYS else None


def _numbered(word: str) -> int | None:
    found = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th)", word)
    return int(found[1]) or None if found else None


def _place_of(word: str) -> int | None:
    return ORDINALS.get(word) or _numbered(word)


def _time_word(word: str) -> time | None:
    """A time of the day; None if the word is something else, or a bare hour without am or pm."""
    if word in NAMED_TIMES:
        return NAMED_TIMES[word]
    found = TIME.fullmatch(word)
    if not found or not (found[2] or found[3]):
        return None
    hour, minute = int(found[1]), int(found[2] or 0)
    if found[3]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found[3] == "pm" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def _combined(clauses: _Clauses) -> TimetableRule:
    """The rule that all clauses say together."""
    days = _counted_weeks(clauses)
    if clauses.seconds and clauses.times:
        clauses.fail("it has an interval and times; “every 15 minutes” takes “between 8:00 and 18:00”, not “at”")
    if clauses.window and not clauses.seconds:
        clauses.fail("“between” needs an interval, such as “every 15 minutes between 8:00 and 18:00”")
    if clauses.seconds and (clauses.window or days not in (None, WeekDays(ALL_DAYS))):
        return StepsOfDay(clauses.seconds, days or WeekDays(ALL_DAYS), clauses.window)
    if clauses.seconds:
        return EveryInterval(clauses.seconds)
    if not clauses.times:
        clauses.fail("it does not say at what time; add one, such as “at 6:30”")
    return AtTimes(days or WeekDays(ALL_DAYS), clauses.times)


def _counted_weeks(clauses: _Clauses) -> TimetableDays | None:
    days, weeks = clauses.days, clauses.weeks
    if clauses.counted_from and weeks < 2:
        clauses.fail("only “every 2 weeks” and the like are counted from a date")
    if not weeks:
        return days
    if not isinstance(days, WeekDays):
        clauses.fail("weeks need their days, such as “every 2 weeks on Monday”")
    if weeks == 1:
        return days
    return WeekDays(days.days, weeks, clauses.counted_from or FIRST_WEEK)


def _is_cron(text: str) -> bool:
    """Whether somebody meant to write cron: most words are made of its signs."""
    words = text.split()
    return len(words) > 2 and all(CRON.fullmatch(word) for word in words[:3])
