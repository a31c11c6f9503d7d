"""Dates to ISO 8601, in the order of day, month and year that the whole column shows."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, TypeAlias

from sightline.data import ColumnType, Value, infer
from sightline.errors import UsageError
from sightline.flow.normalise._normalised import Normalised, normalised, quoted, texts_of
from sightline.flow.normalise._settings import DateSettings

__all__ = ["Days", "date_type", "days_of", "normalise_dates", "undecided_dates"]

Days: TypeAlias = Sequence[date | str | None]
"""The day of each row, why it could not be read, or None where there is none."""

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.{0,24})?", re.ASCII)
_ORDERS = {"DMY": "day first", "MDY": "month first", "YMD": "year first"}


def normalise_dates(
    values: Sequence[Any], settings: DateSettings | None = None, *, type: ColumnType | None = None
) -> Normalised:
    """A column of dates as ISO 8601 texts, or as dates of Python.

    The order is decided once for the column: from days above 12, the language, or the settings. If nothing decides it,
    `notes` says how it was taken.

    >>> found = normalise_dates(["15/4/2024", "2/5/2024", "n/a", "soon"])
    >>> found.values, found.problems
    (['2024-04-15', '2024-05-02', None, None], {3: "'soon' is not a date (day first)."})
    """
    chosen = settings or DateSettings()
    texts = texts_of([None if isinstance(value, date) else value for value in values])
    decided = date_type(Counter(text for text in texts if text is not None), chosen, type)
    read = {text: decided.parse(text) for text in dict.fromkeys(texts) if text is not None}
    found = [
        value if isinstance(value, date) else read.get(text or "") for value, text in zip(values, texts, strict=True)
    ]
    problems = {
        row: _problem(text, decided, is_read=day is not None)
        for row, (text, day) in enumerate(zip(texts, found, strict=True))
        if _is_problem(text, day, decided, chosen)
    }
    written = [None if row in problems or day is None else _written(day, chosen) for row, day in enumerate(found)]
    return normalised(chosen, values, written, problems, decided.ambiguous, decided)


def date_type(texts: Mapping[str, int], settings: DateSettings, given: ColumnType | None = None) -> ColumnType:
    """The order of the dates among these texts, each with its count, unless it is given."""
    if given is not None and given.kind != "date":
        raise UsageError(f"The type of the column is {given}, and not date; give a column of dates.")
    decided = given or _inferred(texts, settings)
    if settings.order is None:
        return decided
    settled = tuple(doubt for doubt in decided.ambiguous if not doubt.startswith("date order"))
    return replace(decided, date_order=settings.order, ambiguous=settled)


def _inferred(texts: Mapping[str, int], settings: DateSettings) -> ColumnType:
    """Decide from all texts; if few are dates, or they have several orders, from those that are."""
    decided = infer(texts, settings.language, year=settings.year)
    if decided.kind == "date":
        return decided
    alone = {text: infer([text], settings.language, year=settings.year) for text in texts if text}
    dates = {text: count for text, count in texts.items() if text and alone[text].kind == "date"}
    decided = infer(dates, settings.language, year=settings.year)
    return decided if decided.kind == "date" else _commonest([alone[text] for text in dates], dates, settings)


def _commonest(types: Sequence[ColumnType], dates: Mapping[str, int], settings: DateSettings) -> ColumnType:
    """The order in which most dates exist, for a column in which too many have another."""
    together = ColumnType(
        kind="date",
        language=next((type.language for type in types if type.language), settings.language),
        year=settings.year,
        with_time=any(type.with_time for type in types),
        zoned=any(type.zoned for type in types),
        ambiguous=("date order: written both ways",) if dates else (),
    )
    orders = [replace(together, date_order=order) for order in _ORDERS]
    return max(orders, key=lambda one: sum(count for text, count in dates.items() if one.parse(text) is not None))


def _is_problem(text: str | None, day: Any, type: ColumnType, settings: DateSettings) -> bool:
    if day is None:
        return text is not None and not type.is_whole(text, None)
    return settings.form == "date" and isinstance(day, str)


def _problem(text: str | None, type: ColumnType, *, is_read: bool) -> str:
    if is_read:
        return f"{quoted(text)} has no year; name it by year."
    return f"{quoted(text)} is not a date ({_ORDERS[type.date_order or 'DMY']})."


def _written(day: Any, settings: DateSettings) -> Any:
    return day.isoformat() if settings.form == "text" and isinstance(day, date) else day


def days_of(
    dates: Sequence[Any] | date | str, count: int, type: ColumnType | None = None
) -> tuple[Days, tuple[str, ...]]:
    """The day of each of so many rows, from a column or one date for all; and what is ambiguous about them.

    Of a moment, the day is the one that is written, whatever its time zone.
    """
    if isinstance(dates, date | str):
        days, notes = _read_days([dates], type)
        if not isinstance(days[0], date):
            raise UsageError(f"{quoted(str(dates))} is not a date; write it as 2024-05-03.")
        return days * count, notes
    if len(dates) != count:
        raise UsageError(
            f"There are {count} values, but {len(dates)} dates; give one for each row, or one date for all."
        )
    return _read_days(dates, type)


def undecided_dates(dates: Sequence[Any]) -> list[str]:
    """Those of a column whose day depends on the order of the whole column, as texts, each once."""
    plain = [value.text if isinstance(value, Value) else value for value in dates]
    others = [value for value in dict.fromkeys(plain) if value is not None and _plain_day(value) is None]
    return [text for text in texts_of(others) if text is not None]


def _read_days(
    dates: Sequence[Any], given: ColumnType | None = None
) -> tuple[list[date | str | None], tuple[str, ...]]:
    if set(map(type, dates)) == {date}:
        return list(dates), ()
    plain = [value.text if isinstance(value, Value) else value for value in dates]
    known = {value: _plain_day(value) for value in dict.fromkeys(plain)}
    others = [value for value, day in known.items() if day is None and value is not None]
    if not others:
        return [known[value] for value in plain], ()
    found = normalise_dates(others, DateSettings(form="date"), type=given)
    for row, (value, day) in enumerate(zip(others, found.values, strict=True)):
        known[value] = found.problems.get(row) if day is None else _day(day)
    return [known[value] for value in plain], found.notes


def _plain_day(value: Any) -> date | str | None:
    """The day of what needs no decision."""
    if isinstance(value, date):
        return _day(value)
    if isinstance(value, str) and _ISO.fullmatch(value):
        try:
            return date.fromisoformat(value[:10])
        except ValueError:
            return None
    return None


def _day(value: Any) -> date | str | None:
    return value.date() if isinstance(value, datetime) else value
