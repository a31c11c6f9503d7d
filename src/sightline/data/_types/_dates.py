"""Dates in figures: deciding the order of day, month and year once for a column, and reading by it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import cache, lru_cache

from sightline.data._types._lexicon import calendar_words, date_order, locale_of, month_words

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


# Times of day, alone or at the end of a date.

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


# Dates with the name of a month, read by dateparser within tight bounds.
#
# dateparser by itself takes `to` for a Thursday, asks the clock and needs a millisecond per string. Here it only sees
# texts whose every word is a month, a weekday or a small word between them; it gets one language, strict parsing and no
# relative dates; and it is asked once a layout: `15. April 2024` and `3. April 1999` are both `#. april @`.

# Tried in this order when the page names no language; the commonest on the web that write months as words.
_LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl", "pl", "ru", "sv", "cs", "tr")
_SMALL = "of the th st nd rd de del den der d le er e dem di do г года року r ta a o ti"
_SMALL_WORDS = frozenset(_SMALL.split())
_MOST_WORDS = 6
_SHORTEST_PREFIX = 3

_WORD = re.compile(r"[^\W\d_]+")
_WEEKDAY = re.compile(r"([^\W\d_]{2,12})\.?,?\s(?=\d)")
_NUMBER = re.compile(r"\d+", re.ASCII)
_FIXED = {
    "STRICT_PARSING": True,
    "PARSERS": ["absolute-time"],
    "TIMEZONE": "UTC",
    "RETURN_AS_TIMEZONE_AWARE": False,
    "RELATIVE_BASE": datetime(2000, 1, 1),
    "PREFER_DAY_OF_MONTH": "first",
}
# Three numbers that cannot be taken for one another: a year in two spellings, and a day.
_PROBE_YEAR, _PROBE_SHORT_YEAR, _PROBE_DAY = 2004, 98, 15

DayMonthYear = tuple[int | None, int, int]


def without_weekday(day: str) -> str:
    """A date in figures without the day of the week in front of it.

    >>> without_weekday("Mo, 15.04.2024"), without_weekday("Nr. 15.04.2024")
    ('15.04.2024', 'Nr. 15.04.2024')
    """
    match = _WEEKDAY.match(day)
    if match is None or not any(match[1].casefold() in calendar_words(language) for language in _LANGUAGES):
        return day
    return day[match.end() :]


def has_month_name(day: str, languages: Sequence[str] = _LANGUAGES) -> bool:
    """Whether a text is made of one or two numbers, a month's name, and nothing but calendar words.

    >>> has_month_name("15. April 2024"), has_month_name("Chapter 15 March 2024")
    (True, False)
    """
    words = _words(day)
    return bool(words) and any(_is_calendar(words, language) for language in languages)


def _words(day: str) -> tuple[str, ...]:
    """The words of a text, none if there are too many of them or too many numbers."""
    if not 1 <= len(_NUMBER.findall(day)) <= 2:
        return ()
    words = _WORD.findall(day.casefold())
    return tuple(words) if len(words) <= _MOST_WORDS else ()


@lru_cache(maxsize=4096)
def _is_calendar(words: tuple[str, ...], language: str) -> bool:
    months = [word for word in words if _is_month(word, language)]
    return len(months) == 1 and all(
        word in _SMALL_WORDS or word in calendar_words(language) for word in words if word not in months
    )


def _is_month(word: str, language: str) -> bool:
    known = month_words(language)
    return word in known or (len(word) >= _SHORTEST_PREFIX and any(name.startswith(word) for name in known))


@cache
def languages_of(language: str | None) -> tuple[str, ...]:
    """The languages in which months are looked for: the page's own and English, or the commonest where none is known.

    >>> languages_of("fi-FI")
    ('fi', 'en')
    """
    locale = locale_of(language)
    return tuple(dict.fromkeys([locale.language, "en"])) if locale else _LANGUAGES


def choose_language(days: Sequence[str], language: str | None) -> str | None:
    """The one language in which a column's months are read: whichever reads most of them."""
    if not days:
        return None
    counted = Counter(map(_words, days))
    candidates = languages_of(language)
    return max(candidates, key=lambda name: sum(count for words, count in counted.items() if _is_calendar(words, name)))


def read_named(day: str, language: str | None, order: str) -> DayMonthYear | None:
    """Year (None when not written), month and day of a text with a month's name."""
    words = _words(day)
    if language is None or not words or not _is_calendar(words, language):
        return None
    numbers = _NUMBER.findall(day)
    skeleton = _NUMBER.sub(lambda match: _SIZES.get(len(match.group()), "?"), day.casefold())
    layout = _layout(skeleton, language, order)
    if layout is None:
        return None
    month, day_index, year_index = layout
    return (None if year_index is None else int(numbers[year_index])), month, int(numbers[day_index])


_SIZES = {1: "#", 2: "#", 4: "@"}


@cache
def _layout(skeleton: str, language: str, order: str) -> tuple[int, int, int | None] | None:
    """The month of a layout, and which of its numbers are the day and the year."""
    marks = [character for character in skeleton if character in "#@?"]
    if marks not in (["#"], ["#", "@"], ["@", "#"], ["#", "#"]):
        return None
    day_index = marks.index("#")
    year_index = marks.index("@") if "@" in marks else 1 if len(marks) == 2 else None
    probe = (
        skeleton.replace("#", str(_PROBE_DAY), 1).replace("#", str(_PROBE_SHORT_YEAR)).replace("@", str(_PROBE_YEAR))
    )
    found = _ask(probe if year_index is not None else f"{probe} {_PROBE_YEAR}", language, order)
    expected = 1900 + _PROBE_SHORT_YEAR if marks == ["#", "#"] else _PROBE_YEAR
    if found is None or (found.year, found.day) != (expected, _PROBE_DAY):
        return None
    return found.month, day_index, year_index


def _ask(text: str, language: str, order: str) -> datetime | None:
    import dateparser  # slow to import, and most tables name no month

    try:
        found = dateparser.parse(text, languages=[language], settings={**_FIXED, "DATE_ORDER": order})
    except ValueError:  # a language that CLDR has and dateparser has not
        return None
    return found if isinstance(found, datetime) else None
