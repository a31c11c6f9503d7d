"""Times of day, alone or at the end of a date."""

import re
from collections.abc import Mapping
from datetime import UTC, time, timedelta, timezone

__all__ = ["decide_time", "looks_like_time", "read_time", "split_time"]

_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?:[:h](?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?)?"
    r"\s?(?P<half>[ap]\.?m\.?)?\s?(?:Uhr|h|hrs)?\s?(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2})?",
    re.ASCII | re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?<=[\s,T\d])(?<!\d)\d{1,2}[:h]\d{2}(?:[:.,+\-]\d{1,9}|\s?[ap]\.?m\.?|\s?(?:Uhr|h|hrs|Z|UTC|GMT))*\Z",
    re.IGNORECASE,
)
_JOINTS = re.compile(r"(?:\s*,)?\s*(?:T|at|um|à|às|alle|o|kl\.?|om|в|-|\|)?\s*\Z", re.IGNORECASE)
_CLOCK_WORDS = re.compile(r"[ap]\.?m|Uhr|hrs|\d\s?h", re.IGNORECASE)


def split_time(plain: str) -> tuple[str, time | None]:
    """Cut a time of day off the end of a date.

    >>> split_time("15 April 2024, 14:30"), split_time("15 April 2024")
    (('15 April 2024', datetime.time(14, 30)), ('15 April 2024', None))
    """
    match = _TAIL.search(plain) if ":" in plain or "h" in plain else None
    moment = read_time(match.group()) if match else None
    if match is None or moment is None or not match.start():
        return plain, None
    return _JOINTS.sub("", plain[: match.start()], count=1), moment


def looks_like_time(plain: str) -> bool:
    """Whether a text has the shape of a time of day."""
    return read_time(plain) is not None


def read_time(plain: str) -> time | None:
    """The time of day in a plain text.

    >>> read_time("9:05 pm"), read_time("14h30"), read_time("25:00"), read_time("3")
    (datetime.time(21, 5), datetime.time(14, 30), None, None)
    """
    match = _TIME.fullmatch(plain)
    if match is None or not (match["minute"] or match["half"]):
        return None
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    if match["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if match["half"][0] in "pP" else 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    microsecond = int((match["fraction"] or "0").ljust(6, "0")[:6])
    return time(hour, minute, second, microsecond, tzinfo=_zone(match["zone"]))


def _zone(written: str | None) -> timezone | None:
    if not written:
        return None
    if written[0] not in "+-":
        return UTC
    minutes = int(written[1:3]) * 60 + int(written[-2:])
    if minutes >= 24 * 60:
        return None
    return timezone(timedelta(minutes=-minutes if written[0] == "-" else minutes))


def decide_time(texts: Mapping[str, int]) -> tuple[str, ...]:
    """What is undecided about a column of times: without am, pm or a leading zero they may be durations."""
    if any(_CLOCK_WORDS.search(text) or text[:2].isdecimal() for text in texts):
        return ()
    return ("time: of the day, or a duration",)
