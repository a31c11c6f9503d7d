"""Days as people write them, in the languages of most of the web: `3 March 2024`, `2024年3月5日`, `05.03.2024`.

The names of months in `months.json` are those of Unicode's CLDR for some sixty languages; a name that means different
months in two of them has the meaning that more people know.
"""

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

import orjson

FIRST_YEAR, LAST_YEAR = 1980, 2099
DIGITS = str.maketrans("٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९০১২৩৪৫৬৭৮৯๐๑๒๓๔๕๖๗๘๙", "0123456789" * 5)
BUDDHIST = 543  # years by which the calendar of Thailand is ahead
# What may stand between the day, the month and the year.
_GAP = r"[\s\u00a0,.'’-]{0,3}(?:(?:de|del|of|di|da)\s+)?"
_LETTER = r"(?:[^\W\d_]|[\u0900-\u0963\u0970-\u0dff\u0e00-\u0e4f])"  # to `re`, the marks of vowels are no letters
NAMED = re.compile(
    rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th|er|º|ª|-?a|η|ος)?{_GAP}(?P<month>{_LETTER}{{2,16}})\.?{_GAP}(?P<year>(?:19|20|25)\d\d)(?!\d)"
    rf"|(?P<month2>{_LETTER}{{3,16}})\.?{_GAP}(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?[\s\u00a0,.]{{1,3}}(?P<year2>(?:19|20|25)\d\d)(?!\d)"
    rf"|(?<!\d)(?P<year3>(?:19|20|25)\d\d)\.?{_GAP}(?P<month3>{_LETTER}{{3,16}})\.?{_GAP}(?P<day3>\d{{1,2}})(?!\d)"
)
NUMBERED = re.compile(
    r"(?<![\d./-])(?P<year>(?:19|20)\d\d)(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?!\d)"
    r"|(?<![\d./-])(?P<first>\d{1,2})(?P<mark2>[/.-])\s?(?P<second>\d{1,2})(?P=mark2)\s?(?P<year2>(?:19|20)\d\d|\d\d(?=\D|$))(?![\d]|[./]\d)"
    r"|(?P<year3>(?:19|20)\d\d)\s?[年년]\s?(?P<month3>\d{1,2})\s?[月월]\s?(?P<day3>\d{1,2})\s?[日일]"
)


@dataclass(frozen=True, slots=True)
class WrittenDay:
    """A day, and where in its text it is written."""

    day: datetime.date
    start: int
    stop: int


def days_in(text: str, language: str | None = None) -> Iterator[WrittenDay]:
    """The days that a text names; of two numbers the first is the day, unless the language or its size says otherwise.

    >>> [found.day.isoformat() for found in days_in("3 mars 2024, 2024年5月1日")]
    ['2024-03-03', '2024-05-01']
    >>> [found.day.isoformat() for found in days_in("5/4/2024", "en-US")]
    ['2024-05-04']
    """
    plain = text.translate(DIGITS)
    for found in NAMED.finditer(plain):
        year, month, day = (found[name] or found[f"{name}2"] or found[f"{name}3"] for name in ("year", "month", "day"))
        number = months().get(month.casefold().strip("."))
        if number and (day_of := _day(int(year), number, int(day))):
            yield WrittenDay(day_of, found.start(), found.end())
    for found in NUMBERED.finditer(plain):
        if day_of := _numbered(found, language):
            yield WrittenDay(day_of, found.start(), found.end())


def _numbered(found: re.Match[str], language: str | None) -> datetime.date | None:
    for suffix in ("", "3"):
        if found[f"year{suffix}"]:
            return _day(*(int(found[f"{name}{suffix}"]) for name in ("year", "month", "day")))
    day, month, year = int(found["first"]), int(found["second"]), int(found["year2"])
    is_american = language is not None and language.casefold() in ("en", "en-us", "en_us") and found["mark2"] == "/"
    if (is_american and day <= 12) or month > 12:
        day, month = month, day
    return _day(year + 2000 if year < 100 else year, month, day)


def _day(year: int, month: int, day: int) -> datetime.date | None:
    year -= BUDDHIST if year > LAST_YEAR else 0
    if not (FIRST_YEAR <= year <= LAST_YEAR and 1 <= month <= 12):
        return None
    try:
        return datetime.date(year, month, day)
    except ValueError:  # the 31st of February is no day
        return None


@cache
def months() -> dict[str, int]:
    """The number of each month by its names, in lower case."""
    names: dict[str, int] = orjson.loads(resources.files("sightline.signals").joinpath("months.json").read_bytes())
    return names
