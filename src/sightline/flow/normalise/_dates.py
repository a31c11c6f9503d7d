"""Dates to ISO 8601, in the order of day, month and year that the whole column shows; and the day of each row."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, TypeAlias

import pyarrow as pa

from sightline.data import ColumnType, infer
from sightline.errors import UsageError
from sightline.flow.normalise._cells import CellColumn, Labels
from sightline.flow.normalise._normalised import Read, quoted, text_of
from sightline.flow.normalise._normaliser import BatchCells, DistinctNormaliser
from sightline.flow.normalise._sample import SampledText, TextSample, sampled_texts
from sightline.flow.normalise._settings import DateSettings
from sightline.flow.normalise._steps import DateStep, FromColumn

Day: TypeAlias = date | str | None
"""A day, why it could not be read, or None where there is none."""

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}.{0,24})?", re.ASCII)
_ORDERS = {"DMY": "day first", "MDY": "month first", "YMD": "year first"}
_AS_DATES = DateSettings(form="date")
# Of a column in which every date says its own order.
_PLAIN_DATES = ColumnType(kind="date", date_order="YMD")
_MICROSECONDS = pa.timestamp("us")
_MOMENTS = pa.timestamp("us", "UTC")


class DateNormaliser(DistinctNormaliser):
    """Dates to ISO 8601."""

    step: DateStep

    def __init__(self, step: DateStep) -> None:
        given = None if step.type is None else _date_type({}, step.settings, step.type)
        super().__init__(step, given, is_decided=given is not None)

    def sample(self, batch: BatchCells) -> bool:
        """Count the texts, of which each day counts; what is a date already decides nothing."""
        if _is_temporal(batch.cells(self.name)):
            return False
        labels = batch.labels(self.name)
        texts = [None if isinstance(value, date) else text_of(value) for value in labels.values]
        self.seen.add(sampled_texts(texts, labels.ids))
        return True

    def decide(self) -> None:
        """The order of the dates."""
        self.type = self.report.type = _date_type(self.seen.texts, self.step.settings)
        super().decide()

    @property
    def notes(self) -> tuple[str, ...]:
        """What is ambiguous about the order."""
        return (*(self.type.ambiguous if self.type else ()), *super().notes)

    def read(self, value: Any) -> Read:
        """A date, as the settings want it written."""
        return _dated(value, self.type or _PLAIN_DATES, self.step.settings)

    def arrow_type(self, column: CellColumn) -> Any:
        """Texts or dates."""
        if self.step.settings.form == "text":
            return pa.string()
        if _is_temporal(column):
            kind = column.cells.type
            return kind if not pa.types.is_timestamp(kind) else pa.timestamp("us", kind.tz)
        return date_storage(self.type or _PLAIN_DATES)


def _is_temporal(column: CellColumn) -> bool:
    kind = column.cells.type
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def date_storage(type: ColumnType) -> Any:
    """How Arrow stores dates of a type; as the exports of tables do."""
    return pa.date32() if not type.with_time else _MOMENTS if type.zoned else _MICROSECONDS


def _date_type(texts: Mapping[str, int], settings: DateSettings, given: ColumnType | None = None) -> ColumnType:
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


def _dated(value: Any, type: ColumnType, settings: DateSettings) -> Read:
    """A date of Python or a text as ISO 8601, or as a date; a text without a year isn't one."""
    text = None if isinstance(value, date) else text_of(value)
    day = value if text is None else type.parse(text)
    if day is None:
        is_nothing = text is None or type.is_whole(text, None)
        return None, None if is_nothing else f"{quoted(text)} is not a date ({_ORDERS[type.date_order or 'DMY']})."
    if settings.form == "text":
        return day.isoformat() if isinstance(day, date) else day, None
    return (day, None) if isinstance(day, date) else (None, f"{quoted(text)} has no year; name it by year.")


# The day of each row, for what has a rate of its day.


class DayReader:
    """The day of each row: from a column, whose order is decided once, or one for all.

    Of a moment, the day is the one that is written, whatever its time zone.
    """

    def __init__(self, dates: FromColumn | date | str, type: ColumnType | None) -> None:
        self.dates, self.type = dates, None if type is None else _date_type({}, _AS_DATES, type)
        self.is_decided = type is not None or not isinstance(dates, FromColumn)
        self.seen = TextSample()
        self._one: Day = None
        self._notes: tuple[str, ...] = ()
        if not isinstance(dates, FromColumn):
            self._one, self._notes = _one_day(dates)

    def sample(self, batch: BatchCells) -> bool:
        """Look at a batch; whether more has to be seen."""
        if self.is_decided or not isinstance(self.dates, FromColumn):
            return False
        if pa.types.is_temporal(batch.cells(self.dates.name).cells.type):
            return False
        texts = (text_of(value) for value in batch.labels(self.dates.name).values if _plain_day(value) is None)
        self.seen.add(SampledText(text, 1) for text in texts if text is not None)
        return True

    def decide(self) -> None:
        """The order of the dates that do not say it themselves, each counted once."""
        if not self.is_decided:
            texts = dict.fromkeys(self.seen.texts, 1)
            self.type = _date_type(texts, _AS_DATES) if texts else _PLAIN_DATES
            self.is_decided = True

    def read(self, batch: BatchCells) -> tuple[Labels[Day], tuple[str, ...]]:
        """The days of a batch, and what is ambiguous about them."""
        if not isinstance(self.dates, FromColumn):
            return Labels.same(self._one, batch.rows), self._notes
        type, labels = self.type or _PLAIN_DATES, batch.labels(self.dates.name)
        is_in_order = any(value is not None and _plain_day(value) is None for value in labels.values)
        return labels.mapped(lambda value: _day_of(value, type)), type.ambiguous if is_in_order else ()


def _one_day(day: date | str) -> tuple[date, tuple[str, ...]]:
    """The day for all rows."""
    type = _PLAIN_DATES if _plain_day(day) else _date_type({str(day): 1}, _AS_DATES)
    found = _day_of(day, type)
    if not isinstance(found, date):
        raise UsageError(f"{quoted(str(day))} is not a date; write it as 2024-05-03.")
    return found, type.ambiguous


def _day_of(value: Any, type: ColumnType) -> Day:
    if (plain := _plain_day(value)) is not None:
        return plain
    day, problem = _dated(value, type, _AS_DATES)
    return problem if day is None else _plain_day(day)


def _plain_day(value: Any) -> date | None:
    """The day of what needs no decision."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, str) and _ISO.fullmatch(value):
        try:
            return date.fromisoformat(value[:10])
        except ValueError:
            return None
    return None
