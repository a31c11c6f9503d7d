"""Dates with the name of a month, read by dateparser within tight bounds.

dateparser by itself takes `to` for a Thursday, asks the clock and needs a millisecond per string. Here it only sees
texts whose every word is a month, a weekday or a small word between them; it gets one language, strict parsing and
no relative dates; and it is asked once a layout: `15. April 2024` and `3. April 1999` are both `#. april @`.
"""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from functools import cache, lru_cache

from sightline.data._types._locale import calendar_words, locale_of, month_words

__all__ = ["choose_language", "has_month_name", "languages_of", "read_named", "without_weekday"]

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
