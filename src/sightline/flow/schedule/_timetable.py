"""When a flow is due, as words or as cron, in a time zone."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from zoneinfo import ZoneInfo

from sightline.errors import UsageError
from sightline.flow.schedule._rules import TimetableRule, is_place, known_zone, local_zone, zone_error
from sightline.flow.schedule._words import read_rule

__all__ = ["Timetable"]

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
