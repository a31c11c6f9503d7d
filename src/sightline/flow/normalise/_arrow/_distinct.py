"""Units, dates, countries, texts and types in batches: the functions for columns read each different value once."""

from abc import abstractmethod
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sightline.data import ColumnType, infer
from sightline.flow.normalise._arrow._cells import CellColumn, Labels
from sightline.flow.normalise._arrow._normaliser import BatchCells, Normaliser, StepColumn, sample_into
from sightline.flow.normalise._arrow._scaled import PRECISION, Bools, Scaled, ShapeReader, decimal_array, words_of
from sightline.flow.normalise._countries import normalise_countries
from sightline.flow.normalise._dates import date_type, normalise_dates
from sightline.flow.normalise._normalised import Normalised, quoted
from sightline.flow.normalise._settings import TextSettings
from sightline.flow.normalise._shapes import LONGEST, TextSample
from sightline.flow.normalise._steps import CountryStep, DateStep, TextStep, TypingStep, UnitStep
from sightline.flow.normalise._typing import clean_texts, type_column
from sightline.flow.normalise._units import convert_units, measure_type

__all__ = ["CountryNormaliser", "DateNormaliser", "TextNormaliser", "TypingNormaliser", "UnitNormaliser"]

# Digits behind the point of typed money where no sample says how many there are; what has more is a problem.
_MOST_SCALE = 10
# No decimal of so many digits is changed by a float, nor is its quotient by a power of ten.
_FLOAT_DIGITS = 15
_LARGEST_INTEGER = 2**63 - 1
# Texts that are remembered from batch to batch, of at most 200 characters each: some 20 MB at worst.
_MOST_REMEMBERED = 65_536
_MICROSECONDS = pa.timestamp("us")
_MOMENTS = pa.timestamp("us", "UTC")


class _DistinctNormaliser(Normaliser):
    """A normaliser that reads each different value of a batch once."""

    by_shape = True

    def __init__(self, step: Any, *, is_decided: bool) -> None:
        super().__init__(step, getattr(step, "type", None), is_decided=is_decided)
        self._sample = TextSample()
        self._known: dict[str, tuple[Any, str | None]] = {}
        self._notes: tuple[str, ...] = ()
        self.report.type = self.type

    def sample(self, batch: BatchCells) -> bool:
        """Count the texts."""
        sample_into(self._sample, batch, self.name, by_shape=self.by_shape)
        return True

    def apply(self, batch: BatchCells) -> StepColumn:
        """Read the different values, then give each row its own."""
        return self._by_distinct(batch.labels(self.name), self._arrow_type(batch.cells(self.name)))

    def _by_distinct(self, labels: Labels[Any], type: Any) -> StepColumn:
        values = self._remembered(labels.values, type)
        column = _array([value for value, _ in values], type).take(pa.array(labels.ids))
        told = labels.replaced([problem for _, problem in values])
        return StepColumn(column, told, (*self._notes, *self._sample.notes))

    def _remembered(self, values: Sequence[Any], type: Any) -> list[tuple[Any, str | None]]:
        """What each value becomes, and its problem; most texts were met in the batches before."""
        if len(self._known) > _MOST_REMEMBERED:
            self._known = {}
        new = [value for value in values if value not in self._known]
        if not new:
            return [self._known[value] for value in values]
        found = self._read(new)
        stored, problems = _stored(found, type)
        self._notes = tuple(dict.fromkeys((*self._notes, *found.notes)))
        pairs = [(value, problems.get(number)) for number, value in enumerate(stored)]
        if len(new) == len(values):
            made = pairs
        else:
            fresh = dict(zip(new, pairs, strict=True))
            made = [fresh.get(value) or self._known[value] for value in values]
        self._known.update(
            (text, pair)
            for text, pair in zip(new, pairs, strict=True)
            if isinstance(text, str) and len(text) <= LONGEST
        )
        return made

    @abstractmethod
    def _read(self, values: Sequence[Any]) -> Normalised:
        """The function for columns."""

    def _arrow_type(self, _column: CellColumn) -> Any:
        return pa.string()


class _DecidingNormaliser(_DistinctNormaliser):
    """A normaliser that decides a type for the column."""

    def decide(self) -> None:
        """The type of the column, from all that was seen."""
        self.type = self.report.type = self._decided(self._sample.texts)
        super().decide()

    @abstractmethod
    def _decided(self, texts: dict[str, int]) -> ColumnType:
        """The type that these texts, each with its count, have together."""


class UnitNormaliser(_DecidingNormaliser):
    """Measures to one unit."""

    step: UnitStep

    def __init__(self, step: UnitStep, *, of_numbers: bool) -> None:
        super().__init__(step, is_decided=of_numbers or step.type is not None)

    def sample(self, batch: BatchCells) -> bool:
        """Count the texts; numbers decide nothing."""
        return batch.cells(self.name).is_text and super().sample(batch)

    def _decided(self, texts: dict[str, int]) -> ColumnType:
        return measure_type(texts, self.step.settings)

    def _read(self, values: Sequence[Any]) -> Normalised:
        return convert_units(values, self.step.settings, type=self.type)

    def _arrow_type(self, _column: CellColumn) -> Any:
        return pa.float64()


class DateNormaliser(_DecidingNormaliser):
    """Dates to ISO 8601."""

    step: DateStep
    by_shape = False  # of dates, each day counts

    def __init__(self, step: DateStep) -> None:
        super().__init__(step, is_decided=step.type is not None)

    def sample(self, batch: BatchCells) -> bool:
        """Count the texts; what is a date already decides nothing."""
        return not _is_temporal(batch.cells(self.name)) and super().sample(batch)

    def _decided(self, texts: dict[str, int]) -> ColumnType:
        return date_type(texts, self.step.settings)

    def _read(self, values: Sequence[Any]) -> Normalised:
        return normalise_dates(values, self.step.settings, type=self.type)

    def _arrow_type(self, column: CellColumn) -> Any:
        if self.step.settings.form == "text":
            return pa.string()
        if _is_temporal(column):
            kind = column.cells.type
            return kind if not pa.types.is_timestamp(kind) else pa.timestamp("us", kind.tz)
        return _date_storage(self.type, is_text_without_year=False)


class CountryNormaliser(_DistinctNormaliser):
    """Countries to ISO 3166."""

    step: CountryStep

    def __init__(self, step: CountryStep) -> None:
        super().__init__(step, is_decided=True)

    def _read(self, values: Sequence[Any]) -> Normalised:
        return normalise_countries(values, self.step.settings)


class TextNormaliser(_DistinctNormaliser):
    """Clean texts; those with nothing to clean stay as they are."""

    step: TextStep

    def __init__(self, step: TextStep) -> None:
        super().__init__(step, is_decided=True)
        self._unclean = _unclean(step.settings)

    def _read(self, values: Sequence[Any]) -> Normalised:
        return clean_texts(values, self.step.settings)

    def _arrow_type(self, column: CellColumn) -> Any:
        return column.cells.type if column.is_text else pa.string()

    def apply(self, batch: BatchCells) -> StepColumn:
        """Clean the texts that need it."""
        column = batch.cells(self.name)
        if not column.is_text:
            return super().apply(batch)
        is_unclean = pc.fill_null(pc.match_substring_regex(column.cells, self._unclean), fill_value=False)
        plain = _CASES[self.step.settings.case](column.cells)
        rows = pc.indices_nonzero(is_unclean)
        if not len(rows):
            return StepColumn(plain, Labels.same(None, batch.rows))
        cleaned = self._by_distinct(Labels.of(column.cells.take(rows)), column.cells.type).values
        return StepColumn(pc.replace_with_mask(plain, is_unclean, cleaned), Labels.same(None, batch.rows))


_CASES = {
    "keep": lambda texts: texts,
    "lower": pc.ascii_lower,
    "upper": pc.ascii_upper,
    "fold": pc.ascii_lower,
}


def _unclean(settings: TextSettings) -> str:
    """What a text that may change has, besides the case of plain letters: anything else than the signs of ASCII."""
    blanks = "|^ |  | $" if settings.blanks else r"|[^\x00-\x7f]"
    return r"^$|[^ -~]" + blanks + ("|&" if settings.entities else "")


class TypingNormaliser(_DecidingNormaliser):
    """Typed values; numbers by their shapes."""

    step: TypingStep

    def __init__(self, step: TypingStep) -> None:
        super().__init__(step, is_decided=step.type is not None)
        self._scale = _MOST_SCALE
        if step.type is not None:
            self._settle(step.type)

    def _decided(self, texts: dict[str, int]) -> ColumnType:
        settings = self.step.settings
        decided = infer(texts, settings.language, year=settings.year, unit=settings.unit)
        self._settle(decided)
        if decided.kind == "money" and self._sample.is_whole:
            values = (decided.parse(text) for text in texts)
            scales = (-int(value.as_tuple().exponent) for value in values if isinstance(value, Decimal))
            self._scale = min(max(scales, default=0), _MOST_SCALE) if texts else 0
            self._scale = max(self._scale, 0)
        return decided

    def _settle(self, type: ColumnType) -> None:
        self._reader = ShapeReader(lambda text: _certain(text, type), type.decimal or ".")

    def _read(self, values: Sequence[Any]) -> Normalised:
        return type_column(values, self.step.settings, type=self.type)

    def _arrow_type(self, column: CellColumn) -> Any:
        type = self.type or ColumnType()
        match type.kind:
            case "number":
                return pa.int64() if type.integer else pa.float64()
            case "money":
                return pa.decimal128(PRECISION, self._scale)
            case "measure":
                return pa.float64()
            case "date":
                return _date_storage(type, is_text_without_year=True)
            case "time":
                return pa.time64("us")
        return pa.large_string() if pa.types.is_large_string(column.cells.type) else pa.string()

    def apply(self, batch: BatchCells) -> StepColumn:
        """Numbers all at once where their digits say all."""
        column = batch.cells(self.name)
        if column.is_text and self.type is not None and self.type.kind == "text":
            return self._texts(column)
        if not column.is_text or self.type is None or self.type.kind not in ("number", "money"):
            return super().apply(batch)
        numbers, _ = self._reader.read(column.filled)
        quick, good = self._quick(numbers)
        rows = np.flatnonzero(~good)
        if not len(rows):
            return StepColumn(quick, Labels.same(None, batch.rows), (*self.type.ambiguous, *self._sample.notes))
        rest = self._by_distinct(Labels.of(column.cells.take(rows)), quick.type)
        ids = np.zeros(batch.rows, np.int64)
        ids[rows] = rest.problems.ids + 1
        values = pc.replace_with_mask(quick, pa.array(~good), rest.values)
        return StepColumn(values, Labels(ids, [None, *rest.problems.values]), rest.notes)

    def _texts(self, column: CellColumn) -> StepColumn:
        """Texts as they are; only one without a digit may say that there is no value."""
        may_be_nothing = pc.invert(pc.fill_null(pc.match_substring_regex(column.cells, "[0-9]"), fill_value=True))
        rest = self._by_distinct(Labels.of(column.cells.filter(may_be_nothing)), column.cells.type)
        values = pc.replace_with_mask(column.cells, may_be_nothing, rest.values)
        return StepColumn(values, Labels.same(None, len(values)), rest.notes)

    def _quick(self, numbers: Scaled) -> tuple[Any, Bools]:
        """Numbers as the type stores them, and which of them could be."""
        whole, power = numbers.numbers, 10**numbers.scale
        if self.type is not None and self.type.kind == "money":
            good = numbers.good & (numbers.scale <= self._scale)
            step = 10 ** max(self._scale - numbers.scale, 0)
            good &= np.abs(whole) < 10**18 // step
            return _decimals(np.where(good, whole, 0) * step, good, self._scale), good
        good = numbers.good & (np.abs(whole) < 10**_FLOAT_DIGITS)
        if self.type is not None and self.type.integer:
            good &= whole % power == 0
            return pa.array(np.where(good, whole // power, 0)), good
        return pa.array(np.where(good, whole, 0) / float(power)), good


def _array(values: Sequence[Any], type: Any) -> Any:
    """Values as a column; decimals word by word, since Arrow refuses some of their spellings (0E+39)."""
    if not pa.types.is_decimal(type):
        return pa.array(values, type)
    known = np.array([value is not None for value in values], np.bool_)
    rows = np.arange(len(values))
    return decimal_array(np.zeros(len(values), np.int64), known, type.scale, rows, words_of(values, type.scale))


def _decimals(numbers: Any, good: Bools, scale: int) -> Any:
    none = np.zeros(0, np.int64)
    return decimal_array(numbers, good, scale, none, words_of([], scale))


def _certain(text: str, type: ColumnType) -> tuple[Decimal, None] | None:
    """The number of a text that says no more than it."""
    value = type.parse(text)
    if not isinstance(value, int | float | Decimal) or not type.is_whole(text, value):
        return None
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value), None


def _is_temporal(column: CellColumn) -> bool:
    kind = column.cells.type
    return bool(pa.types.is_date(kind) or pa.types.is_timestamp(kind))


def _date_storage(type: ColumnType | None, *, is_text_without_year: bool) -> Any:
    """How Arrow stores dates of a type; as the exports of tables do."""
    if type is None or (is_text_without_year and type.without_year and type.year is None):
        return pa.string()
    return pa.date32() if not type.with_time else _MOMENTS if type.zoned else _MICROSECONDS


def _stored(found: Normalised, type: Any) -> tuple[list[Any], dict[int, str]]:
    """The values as the column stores them; what it has no room for is a problem."""
    problems = dict(found.problems)
    values = list(found.values)
    for number, value in enumerate(values):
        if value is not None and (problem := _misfit(value, type)):
            values[number], problems[number] = None, f"{quoted(str(found.originals[number]))} {problem}"
    if pa.types.is_timestamp(type):
        values = [_moment(value, type) for value in values]
    return values, problems


def _misfit(value: Any, type: Any) -> str | None:
    if pa.types.is_integer(type) and abs(value) > _LARGEST_INTEGER:
        return "does not fit into 64 bits."
    if pa.types.is_decimal(type) and isinstance(value, Decimal):
        exponent = int(value.as_tuple().exponent)
        if -exponent > type.scale and value != round(value, type.scale):
            return f"has more than {type.scale} digits behind the point."
        if value and value.adjusted() + type.scale >= PRECISION:
            return f"has more than {PRECISION} digits."
    return None


def _moment(value: Any, type: Any) -> Any:
    if value is None or not isinstance(value, date):
        return value
    moment = value if isinstance(value, datetime) else datetime.combine(value, time())
    if type.tz is None:
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
