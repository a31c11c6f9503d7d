"""How pages write values: a number with two decimals, a day with the name of its month, cents as euros.

A form is a short text, so that it can be kept in a file: `text`, `number:-2:2:.:,` or `day:en:d MMMM y`.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from itertools import product
from typing import Any

TEXT = "text"
_NUMERAL = re.compile(r"\d(?:[\d.,'’\u00a0\u202f ]*\d)?")
_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{1,12})?")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:T00:00:00(?:\.0+)?)?")
_GROUPS = ("", ",", ".", " ", "\u00a0", "\u202f", "'", "’")
_SCALES = (0, -2, 2)  # as it is, cents as whole units, a share as per cent
_DECIMALS = ("2", "0", "1", "3", "")  # "" for as many as it has
_MARKS = ".,"
# What pages write most, by CLDR's names and letters; the language is that of the page, or English.
_PATTERNS = (
    *("d MMMM y", "MMMM d, y", "d MMM y", "MMM d, y", "d. MMMM y", "dd.MM.y", "d.M.y", "dd/MM/y", "d/M/y", "MM/dd/y"),
    *("M/d/y", "dd-MM-y", "y-MM-dd", "y/MM/dd", "dd MMM y", "MMM y", "MMMM y", "y", "EEE, d MMM y", "MMM d", "d MMM"),
    *("short", "medium", "long", "full"),
)
_MOST_DIGITS = 24  # of a number in JSON as it is written
_MOST_PLACES = 15  # before or behind the decimal mark, beyond which no page writes a number in full


def plain(text: str) -> str:
    """A text as a page shows it: with single blanks."""
    return " ".join(text.split())


def written(value: Any, form: str) -> str | None:
    """A value of JSON as a page writes it by a form; None where it cannot be written so.

    >>> written(1234.5, "number:0:2:.:,"), written("2024-03-05", "day:en:d MMMM y"), written("x", "number:0:2::.")
    ('1.234,50', '5 March 2024', None)
    """
    return _writer(form)(value)


@lru_cache(maxsize=4096)
def _writer(form: str) -> Callable[[Any], str | None]:
    kind, _, rest = form.partition(":")
    if kind == "number":
        scale, decimals, group, mark = rest.split(":")
        return lambda value: _number(value, int(scale), decimals, group, mark)
    if kind == "day":
        language, _, pattern = rest.partition(":")
        return lambda value: _day(value, language, pattern)
    return _text


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return str(value)


_FORM = re.compile(
    rf"{TEXT}|number:(?:{'|'.join(map(str, _SCALES))}):(?:{'|'.join(_DECIMALS)}):[{''.join(_GROUPS)}]?:[{_MARKS}]"
    rf"|day:[A-Za-z0-9_-]{{0,40}}:(?:{'|'.join(map(re.escape, _PATTERNS))})"
)


def is_form(text: str) -> bool:
    """Whether a text from a file is a form.

    >>> is_form("number:-2:2:.:,"), is_form("day:en:d MMMM y"), is_form("number:9")
    (True, True, False)
    """
    return _FORM.fullmatch(text) is not None


def number_of(value: Any) -> Decimal | None:
    """The number that a value of JSON is, also one written as a text; None for any other value."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    text = repr(value) if isinstance(value, float) else str(value) if isinstance(value, int) else value.strip()
    if len(text) > _MOST_DIGITS:
        return None
    if isinstance(value, str) and not _NUMBER.fullmatch(text):
        return None
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() and (not found or abs(found.adjusted()) <= _MOST_PLACES) else None


def _number(value: Any, scale: int, decimals: str, group: str, mark: str) -> str | None:
    number = number_of(value)
    if number is None:
        return None
    number = number.scaleb(scale)
    if decimals:
        number = number.quantize(Decimal(1).scaleb(-int(decimals)), ROUND_HALF_UP)
    elif number == number.to_integral_value():
        number = number.to_integral_value()
    text = f"{number:,f}"
    return text.translate({ord(","): group, ord("."): mark})


def _day(value: Any, language: str, pattern: str) -> str | None:
    day = day_of(value)
    return None if day is None else plain(_formatted(day, language, pattern))


def day_of(value: Any) -> date | None:
    """The day that a value of JSON names; one with a time of day in it may be another where the page is read.

    >>> day_of("2024-03-05"), day_of("2024-03-05T22:30:00Z")
    (datetime.date(2024, 3, 5), None)
    """
    found = _DAY.fullmatch(value) if isinstance(value, str) else None
    if not found:
        return None
    try:
        return date(*map(int, found.groups()))
    except ValueError:
        return None


@lru_cache(maxsize=8192)
def _formatted(day: date, language: str, pattern: str) -> str:
    from babel import Locale, UnknownLocaleError  # its data takes a while to load, and few pages need it
    from babel.dates import format_date

    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):  # what a page calls its language may be none
        locale = Locale("en")
    return format_date(day, pattern, locale=locale)


def forms_in(value: Any, text: str, language: str) -> Iterator[str]:
    """The forms by which a value may stand in a text.

    >>> list(forms_in(1250, "12.50 EUR", "en"))[0]
    'number:-2:2::.'
    """
    if isinstance(value, bool) or value is None or isinstance(value, dict | list):
        return
    as_is = _text(value)
    if as_is and as_is in text:
        yield TEXT
    if "://" in text or text.startswith("/"):  # addresses are made of values as they are
        return
    if number_of(value) is not None:
        yield from _number_forms(value, text)
    elif day_of(value) is not None:
        yield from _day_forms(value, text, language)


def _number_forms(value: Any, text: str) -> Iterator[str]:
    numerals = _NUMERAL.findall(text)
    digits = {re.sub(r"\D", "", numeral) for numeral in numerals}
    for scale, decimals in product(_SCALES, _DECIMALS):
        bare = _number(value, scale, decimals, "", "")
        if bare is None or bare.lstrip("-") not in digits:
            continue
        marks = ((group, mark) for mark in _MARKS for group in _GROUPS if group != mark)
        for group, mark in marks:
            form = f"number:{scale}:{decimals}:{group}:{mark}"
            if (shown := written(value, form)) and shown.lstrip("-") in text:
                yield form


def _day_forms(value: Any, text: str, language: str) -> Iterator[str]:
    day = day_of(value)
    if day is None or not (str(day.year) in text or str(day.day) in text):
        return
    for spoken, pattern in product(dict.fromkeys((language, "en")), _PATTERNS):
        form = f"day:{spoken}:{pattern}"
        shown = written(value, form)
        if shown and len(shown) > 1 and shown in text:
            yield form
