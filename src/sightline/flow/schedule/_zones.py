"""Time zones: their names, and which instant a time on the clock means.

The instant of a time on the clock is the first one at which the clock shows this time or a later one. A time that the
clock skips (2:30 on the day when it goes from 2:00 to 3:00) is therefore the moment after the gap, and a time that it
shows twice is the first of the two.
"""

from bisect import bisect_left
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import tzlocal

from sightline.errors import UsageError

__all__ = ["instant_of", "is_place", "known_zone", "local_zone", "next_shift", "zone_error"]

SECOND, DAY = timedelta(seconds=1), timedelta(days=1)


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
        end = min(begin + DAY, until)
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
