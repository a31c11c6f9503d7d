"""What the values of a column are: identifiers, days, numbers, names of a few words, or texts."""

import re
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from statistics import median
from typing import Any, Literal, TypeAlias

import numpy as np

from sightline.arrays import FloatArray
from sightline.data import ColumnType, infer
from sightline.flow.match._texts import words_of

ValueKind: TypeAlias = Literal["code", "digits", "day", "number", "short", "text"]
"""`digits` are identifiers such as a phone number, which are alike if few digits differ, however large the number, and
`code` those with letters, such as model numbers."""

_MOSTLY = 0.8  # of the values: the others were typed wrongly
_LONG = 7  # digits; numbers of so many are counted by nobody
_MOST_WORDS = 5  # of a value that is compared letter by letter; slips of the pen are told in names, not in sentences
_SAMPLE = 500
_DAY = re.compile(r"(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_AMOUNT = re.compile(r"[^\d\-]{0,4}(-?\d+(?:[.,]\d+)*)\s*[^\d\s]{0,3}")
_NUMERIC = ("number", "money", "measure", "percentage", "rating")


def plain_text(value: str | None) -> str:
    """A value as it is compared: its words in small letters.

    >>> plain_text("  O'Neil,  JOHN ")
    'o neil john'
    """
    return " ".join(words_of(value)) if value else ""


def plain_identifier(value: str | None) -> str:
    """An identifier as it is compared: its letters and digits, whatever marks are between them.

    >>> plain_identifier("404/351 - 9533"), plain_identifier("KE-LZ14 2428")
    ('4043519533', 'kelz142428')
    """
    return "".join(character for character in (value or "").lower() if character.isalnum())


def kind_of_values(left: Sequence[str | None], right: Sequence[str | None]) -> ValueKind:
    """What the values of a column of both sides are.

    >>> kind_of_values(["19560409", "19481108"], ["19390212"]), kind_of_values(["404/351-9533"], ["212-752-1495"])
    ('day', 'digits')
    >>> kind_of_values(["6.00 %"], ["8 %"]), kind_of_values(["16-Jun-15"], ["June 16, 2015"])
    ('number', 'day')
    """
    known = [[value for value in side if value][:_SAMPLE] for side in (left, right)]
    both = [*known[0], *known[1]]
    if not both:
        return "text"
    if all(_share_of(days_in(side)) >= _MOSTLY for side in known if side):
        return "day"
    if _is_identifier(both):
        return "digits"
    if all(_share_of(numbers_in(side)) >= _MOSTLY for side in known if side):
        return "number"
    return "short" if median(len(words_of(value)) for value in both) <= _MOST_WORDS else "text"


def _is_identifier(values: Sequence[str]) -> bool:
    marks = [[character for character in value if character.isalnum()] for value in values]
    digits = [sum(character.isdigit() for character in own) for own in marks]
    share = sum(digits) / max(sum(map(len, marks)), 1)
    return share > _MOSTLY and median(digits) >= _LONG and not any("." in value for value in values)


def _share_of(read: FloatArray) -> float:
    return float(1 - np.isnan(read).mean()) if len(read) else 0.0


def days_in(values: Sequence[str | None]) -> FloatArray:
    """The day of each value as a number, NaN where there is none."""
    if sum(bool(value and _DAY.fullmatch(value)) for value in values) >= _MOSTLY * max(sum(map(bool, values)), 1):
        return _each(values, _compact_day)
    kind = _type_of(values)
    return _each(values, lambda text: _day(kind.parse(text))) if kind.kind in ("date", "datetime") else _none(values)


def numbers_in(values: Sequence[str | None]) -> FloatArray:
    """The number of each value, NaN where there is none; spans of time such as 4:26 are numbers, too."""
    kind = _type_of(values)
    if kind.kind in (*_NUMERIC, "time", "duration"):
        return _each(values, lambda text: _number(kind.parse(text)))
    return _each(values, _amount)


def _type_of(values: Sequence[str | None]) -> ColumnType:
    return infer([value for value in values if value][:_SAMPLE])


def _each(values: Sequence[str | None], read: Any) -> FloatArray:
    """Each different value is read once."""
    known: dict[str, float] = {}
    for value in values:
        if value and value not in known:
            found = read(value)
            known[value] = np.nan if found is None else float(found)
    return np.array([known[value] if value else np.nan for value in values], np.float64)


def _none(values: Sequence[str | None]) -> FloatArray:
    return np.full(len(values), np.nan)


def _compact_day(text: str) -> float | None:
    if not _DAY.fullmatch(text):
        return None
    try:
        return date(int(text[:4]), int(text[4:6]), int(text[6:])).toordinal()
    except ValueError:  # such as 30 February
        return None


def _day(value: Any) -> float | None:
    return value.toordinal() if isinstance(value, date) else None


def _number(value: Any) -> float | None:
    if isinstance(value, time):
        return value.hour * 3600 + value.minute * 60 + value.second
    if isinstance(value, datetime | str) or value is None:
        return None
    if hasattr(value, "total_seconds"):
        return float(value.total_seconds())
    return float(value) if isinstance(value, int | float | Decimal) else None


def _amount(text: str) -> float | None:
    """The number of a text that has little else in it, such as `$ 1.29`."""
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        return None
    digits = found[1]
    last = max(digits.rfind("."), digits.rfind(","))
    if last > 0 and digits.count(digits[last]) == 1 and len(digits) - last - 1 != 3:
        return float(f"{re.sub('[.,]', '', digits[:last])}.{digits[last + 1 :]}")
    return float(re.sub("[.,]", "", digits))
