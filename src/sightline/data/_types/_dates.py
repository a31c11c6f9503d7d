"""Dates in figures: deciding the order of day, month and year once for a column, and reading by it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from sightline.data._types._locale import date_order
from sightline.data._types._month_names import (
    choose_language,
    has_month_name,
    languages_of,
    read_named,
    without_weekday,
)
from sightline.data._types._times import split_time

__all__ = ["DateRules", "decide_dates", "read_date"]

# As in POSIX: 69 to 99 are of the last century. It cannot follow the year of reading, since no clock is read here.
_FIRST_YEAR_OF_LAST_CENTURY = 69
# Stands in for a year that is not written, so that 29 February is a day.
_LEAP_YEAR = 2000

_FIGURES = re.compile(r"(\d{1,4})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{1,4})\.?", re.ASCII)
_EAST_ASIAN = re.compile(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]", re.ASCII)
_NO_YEAR = re.compile(r"(\d{1,2})(?:/(\d{1,2})|\.\s?(\d{1,2})\.)", re.ASCII)


@dataclass(frozen=True, slots=True)
class DateRules:
    """All that a column of dates has decided; `year` is that of dates written without one."""

    order: str
    language: str | None = None
    with_time: bool = False
    zoned: bool = False
    year: int | None = None
    without_year: bool = False
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Shape:
    """A date split into its parts, before it is decided what the figures mean."""

    figures: tuple[str, str, str]
    mark: str

    @property
    def is_year_first(self) -> bool:
        return len(self.figures[0]) == 4

    @property
    def numbers(self) -> tuple[int, int, int]:
        first, second, third = self.figures
        return int(first), int(second), int(third or 0)


def _shape(day: str) -> _Shape | None:
    if not day[:1].isdecimal():
        day = without_weekday(day)
    if match := _EAST_ASIAN.fullmatch(day):
        return _Shape((match[1], match[2], match[3]), "-")
    if match := _FIGURES.fullmatch(day):
        first, mark, second, third = match.groups()
        return _Shape((first, second, third), mark) if _is_sized(first, third) else None
    if match := _NO_YEAR.fullmatch(day):
        return _Shape((match[1], match[2] or match[3], ""), "/" if match[2] else ".")
    return None


def _is_sized(first: str, third: str) -> bool:
    return (len(first) <= 2 and len(third) in (2, 4)) or (len(first) == 4 and len(third) <= 2)


def decide_dates(texts: Mapping[str, int], language: str | None, year: int | None = None) -> DateRules | None:
    """Decide the order, and the language of month names, of a column; None when it holds no dates.

    >>> decide_dates({"15/4": 1, "16/4": 1, "2/5": 1}, "en").order
    'DMY'
    >>> decide_dates({"1/2/2024": 1}, "en")
    DateRules(order='MDY', ..., doubts=('date order: 1/2/2024 is month first (as in en) or day first',))
    """
    cut = [(*split_time(text), count) for text, count in texts.items()]
    shapes = {day: shape for day, _, _ in cut if (shape := _shape(day))}
    languages = languages_of(language)
    named = {day for day, _, _ in cut if day not in shapes and has_month_name(day, languages)}
    if not shapes and not named:
        return None
    if not _are_dates(shapes.values()):
        return None
    order, doubts = _decide_order({shapes[day]: count for day, _, count in cut if day in shapes}, language)
    names = choose_language(list(named), language)
    no_year = [not shape.figures[2] for shape in shapes.values()]
    no_year += [found[0] is None for day in named if (found := read_named(day, names, order))]
    zoned = [bool(moment.tzinfo) for day, moment, _ in cut if moment and (day in shapes or day in named)]
    if any(zoned) and not all(zoned):
        doubts.append("time zone: some times have none and are taken as UTC")
    if any(shape.mark == "/" and not shape.figures[2] and max(shape.numbers) < 13 for shape in shapes.values()):
        doubts.append("date: or a fraction")
    if any(no_year) and year is None:
        doubts.append("year: not written")
    return DateRules(order, names, bool(zoned), any(zoned), year, bool(no_year) and all(no_year), tuple(doubts))


def _are_dates(shapes: Iterable[_Shape]) -> bool:
    """Two numbers and a stroke may be a fraction or a mark (4/5); a day above 12, or parts that vary, make a date."""
    pairs = [shape.numbers[:2] for shape in shapes if not shape.figures[2]]
    if not pairs or any(max(pair) > 12 for pair in pairs):
        return True
    if all(first < second for first, second in pairs):
        return False
    firsts, seconds = zip(*pairs, strict=True)
    return len(set(firsts)) > 1 and len(set(seconds)) > 1


def _decide_order(shapes: Mapping[_Shape, int], language: str | None) -> tuple[str, list[str]]:
    """The order under which most dates exist; the language decides between equals, which is then a doubt."""
    open_ones = {shape: count for shape, count in shapes.items() if not shape.is_year_first}
    usual = date_order(language)
    if not open_ones:
        return "YMD" if shapes else usual, []
    if any(shape.mark == "." for shape in open_ones) and usual == "MDY":
        usual = "DMY"  # dates with points are written day first wherever they are written at all
    has_long_year_first = any(shape.numbers[0] > 31 for shape in open_ones)
    candidates = ["DMY", "MDY"] + ["YMD"] * (usual == "YMD" or has_long_year_first)
    valid = {order: _count_valid(order, open_ones) for order in candidates}
    best = [order for order in candidates if valid[order] == max(valid.values())]
    chosen = usual if usual in best else best[0]
    if len(best) == 1:
        is_mixed = valid[chosen] < max(_count_valid_under_any(candidates, open_ones), 1)
        return chosen, ["date order: written both ways"] if is_mixed else []
    doubtful = next((shape for shape in open_ones if shape.numbers[0] != shape.numbers[1]), None)
    return chosen, [_doubt(doubtful, chosen, language)] if doubtful else []


def _count_valid(order: str, shapes: Mapping[_Shape, int]) -> int:
    return sum(count for shape, count in shapes.items() if _is_valid(order, shape))


def _count_valid_under_any(orders: Iterable[str], shapes: Mapping[_Shape, int]) -> int:
    return sum(count for shape, count in shapes.items() if any(_is_valid(order, shape) for order in orders))


def _is_valid(order: str, shape: _Shape) -> bool:
    first, second, third = shape.numbers
    if order == "YMD":
        return len(shape.figures[2]) == 2 and second <= 12 and third <= 31
    day, month = (first, second) if order == "DMY" else (second, first)
    return day <= 31 and month <= 12


def _doubt(shape: _Shape, order: str, language: str | None) -> str:
    names = {"DMY": "day first", "MDY": "month first", "YMD": "year first"}
    other = "month first" if order == "DMY" else "day first"
    because = f"as in {language}" if language else "no language known"
    return f"date order: {shape.mark.join(filter(None, shape.figures))} is {names[order]} ({because}) or {other}"


def read_date(plain: str, rules: DateRules) -> date | datetime | str | None:
    """The date in a plain text under a column's rules; "--04-15", as in ISO 8601, when no year is known."""
    day, moment = split_time(plain)
    shape = _shape(day)
    found = _in_figures(shape, rules) if shape else read_named(day, rules.language, rules.order)
    return _at(found, moment, rules) if found else None


def _in_figures(shape: _Shape, rules: DateRules) -> tuple[int | None, int, int] | None:
    first, second, third = shape.numbers
    if not shape.figures[2]:
        day, month = (second, first) if rules.order == "MDY" else (first, second)
        return None, month, day
    if shape.is_year_first:
        return first, second, third
    if rules.order == "YMD":
        return (_century(first), second, third) if len(shape.figures[2]) == 2 else (third, second, first)
    year = _century(third) if len(shape.figures[2]) == 2 else third
    return (year, first, second) if rules.order == "MDY" else (year, second, first)


def _century(year: int) -> int:
    return year + (1900 if year >= _FIRST_YEAR_OF_LAST_CENTURY else 2000)


def _at(found: tuple[int | None, int, int], moment: time | None, rules: DateRules) -> date | datetime | str | None:
    year, month, day = found
    if year is not None and year < 100:
        year = _century(year)
    try:
        whole = date(_LEAP_YEAR if year is None and rules.year is None else year or rules.year or 0, month, day)
        if year is None and rules.year is None:
            return f"--{month:02}-{day:02}" if rules.without_year else None
        if not rules.with_time:
            return whole
        stamp = datetime.combine(whole, moment or time())
        return _in_utc(stamp) if rules.zoned else stamp
    except (ValueError, OverflowError):
        return None


def _in_utc(stamp: datetime) -> datetime:
    return stamp.astimezone(UTC) if stamp.tzinfo else stamp.replace(tzinfo=UTC)
