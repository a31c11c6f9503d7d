"""Money and tax in batches: what 64 bits hold is computed for all rows at once, the rest by distinct rows in Python."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from sightline.data import ColumnType, read_price
from sightline.flow.normalise._arrow._cells import CellColumn, Ints, Labels
from sightline.flow.normalise._arrow._normaliser import (
    BatchCells,
    DayReader,
    Normaliser,
    StepColumn,
    column_or,
    sample_into,
    texts_in,
)
from sightline.flow.normalise._arrow._scaled import (
    NO_PARTS,
    PRECISION,
    Bools,
    Parts,
    Scaled,
    ShapeReader,
    decimal_array,
    divided,
    parts_of,
    scaled,
    words_of,
)
from sightline.flow.normalise._countries import country_codes
from sightline.flow.normalise._money import (
    TOO_LARGE,
    Amounts,
    MoneyRules,
    code_texts,
    converted,
    minor_units,
    money_notes,
    money_type,
    priced,
    quote,
    resolver,
    settled_currency,
)
from sightline.flow.normalise._normalised import items_of
from sightline.flow.normalise._settings import MoneySettings, TaxSettings
from sightline.flow.normalise._shapes import ShapedTexts, TextSample
from sightline.flow.normalise._steps import BatchStep, FromColumn, MoneyStep, TaxStep
from sightline.flow.normalise._tax import multiplied, tax_factor

__all__ = ["MoneyNormaliser", "TaxNormaliser"]

_By: TypeAlias = tuple[Fraction, int] | None
_Results: TypeAlias = tuple[list[Decimal | None], dict[int, str]]
# The most minor units that CLDR has (CLF): room for any currency where it is not known which ones there are.
_MOST_UNITS = 4
# Remembered factors; three currencies and a year are a thousand.
_MOST_FACTORS = 100_000


class _AmountNormaliser(Normaliser):
    """What money and tax share: amounts with their signs, times a factor that other columns decide."""

    step: MoneyStep | TaxStep

    def __init__(self, step: MoneyStep | TaxStep, *, of_numbers: bool) -> None:
        self.days = DayReader(step.dates, step.date_type)
        self._is_typed = of_numbers or step.type is not None
        super().__init__(step, step.type, is_decided=self._is_typed and self.days.is_decided)
        self._sample = TextSample()
        self._is_sampled = False
        self._parts: dict[Any, Parts] = {}
        self._scale: int | None = None
        if self.is_decided:
            self._settle()

    def sample(self, batch: BatchCells) -> bool:
        """Count the shapes of texts, and the dates that need an order."""
        is_text = not self._is_typed and batch.cells(self.name).is_text
        if is_text:
            sample_into(self._sample, batch, self.name, by_shape=True)
        self._is_sampled = self.step.type is None
        return self.days.sample(batch) or is_text

    @property
    def sampled_names(self) -> tuple[str, ...]:
        """The column, unless its type is known, and that of the dates."""
        dates = self.step.dates
        return (*(() if self._is_typed else (self.name,)), *((dates.name,) if isinstance(dates, FromColumn) else ()))

    def decide(self) -> None:
        """The number format of the column."""
        self.days.decide()
        self._settle()
        super().decide()

    def _settle(self) -> None:
        settings = self.step.settings
        self.type = money_type(self._sample.texts, settings.language, settings.decimal, self.step.type)
        self.report.type, self.report.date_type = self.type, self.days.type
        self.rules = self._rules(self.type)
        self._resolve = resolver(self.rules)
        self._reader = ShapeReader(self._price, self.type.decimal or ".")

    @abstractmethod
    def _rules(self, type: ColumnType) -> MoneyRules:
        """How signs are understood."""

    def _price(self, text: str) -> tuple[Decimal, str] | None:
        price = read_price(text, self.rules.type)
        return (price.number, price.sign) if price else None

    def settled(self) -> BatchStep:
        """The step with both types."""
        return replace(self.step, type=self.type, date_type=self.days.type)

    def apply(self, batch: BatchCells) -> StepColumn:
        """Quick rows all at once, and the others by what is different about them."""
        column = batch.cells(self.name)
        days, doubts = self.days.read(batch)
        beside = self._beside(batch).joined(days)
        numbers, signs = self._numbers(column, batch.rows)
        scale = self._scale = self._scale_of(column) if self._scale is None else self._scale
        by = signs.joined(beside).mapped(lambda key: self._remembered(key, numbers.scale, scale))
        results, good = divided(numbers, by, self.step.settings.rounding)
        rows = np.flatnonzero(~good)
        notes = (*money_notes(self.rules.type, doubts), *self._sample.notes)
        cells = Labels.of(column.cells.take(rows)).joined(beside.at(rows))
        rest = _Rest(rows, cells.ids, *_fitting(*self._slow(cells.values), scale))
        return StepColumn(_column(results, good, rest, scale), _told(rest, batch.rows), notes)

    def _numbers(self, column: CellColumn, rows: int) -> tuple[Scaled, Labels[str | None]]:
        if column.is_text:
            return self._reader.read(column.filled)
        return scaled(column.cells), Labels.same("", rows)

    def _remembered(self, key: Any, own: int, scale: int) -> Parts:
        known = self._parts.get((own, key))
        if known is None:
            if len(self._parts) >= _MOST_FACTORS:
                self._parts.clear()
            by = self._by(key)
            known = self._parts[own, key] = parts_of(by[0], own, by[1], scale) if by else NO_PARTS
        return known

    @abstractmethod
    def _beside(self, batch: BatchCells) -> Labels[Any]:
        """What other columns say, but the day."""

    @abstractmethod
    def _by(self, key: Any) -> _By:
        """The factor and the digits for a sign and what is beside it; None where there is a problem to tell."""

    @abstractmethod
    def _slow(self, cells: Sequence[Any]) -> _Results:
        """The values and problems of rows, each a cell with what is beside it."""

    @abstractmethod
    def _scale_of(self, column: CellColumn) -> int:
        """How many digits the new column has behind the point."""

    def _priced(self, cells: Sequence[Any], currencies: Sequence[Any] | None) -> Amounts:
        items = items_of(cells)
        texts = ShapedTexts.of([item for item in items if isinstance(item, str)])
        return priced(items, texts, self.rules, currencies)


class MoneyNormaliser(_AmountNormaliser):
    """Money to one currency."""

    step: MoneyStep

    @property
    def _settings(self) -> MoneySettings:
        return self.step.settings

    def _rules(self, type: ColumnType) -> MoneyRules:
        currency = self._settings.from_currency or settled_currency(type)
        return MoneyRules(type, currency, self._settings.meanings, is_needed=True)

    def _scale_of(self, _column: CellColumn) -> int:
        digits = self._settings.digits
        return minor_units(self._settings.currency) if digits is None else digits

    def _beside(self, batch: BatchCells) -> Labels[str | None]:
        if self.step.currencies is None:
            return Labels.same(None, batch.rows)
        labels = batch.labels(self.step.currencies.name)
        return labels.replaced(code_texts(labels.values))

    def _by(self, key: tuple[str | None, tuple[str | None, date | str | None]]) -> _By:
        sign, (named, day) = key
        code, problem = self._resolve(sign or "", named)
        rates = problem or quote(code, day, self.step.rates, self._settings)
        if isinstance(rates, str):
            return None
        into, out_of = map(Fraction, rates)
        digits = self._settings.digits
        return into / out_of, minor_units(self._settings.currency) if digits is None else digits

    def _slow(self, cells: Sequence[tuple[Any, tuple[str | None, date | str | None]]]) -> _Results:
        currencies = [named for _, (named, _) in cells] if self.step.currencies else None
        amounts = self._priced([cell for cell, _ in cells], currencies)
        return converted(amounts, [day for _, (_, day) in cells], self.step.rates, self._settings)


class TaxNormaliser(_AmountNormaliser):
    """Tax added or removed."""

    step: TaxStep

    @property
    def _settings(self) -> TaxSettings:
        return self.step.settings

    def _rules(self, type: ColumnType) -> MoneyRules:
        return MoneyRules(type, self._settings.currency or settled_currency(type), {}, is_needed=False)

    def _digits(self, code: str) -> int:
        return minor_units(code or None) if self._settings.digits is None else self._settings.digits

    def _scale_of(self, column: CellColumn) -> int:
        if self._settings.digits is not None:
            return self._settings.digits
        if not column.is_text:
            return self._digits(self.rules.currency or "")
        if not self._is_sampled or not self._sample.is_whole:
            return _MOST_UNITS
        prices = (read_price(text, self.rules.type) for text in self._sample.texts)
        codes = {self._resolve(price.sign, None)[0] for price in prices if price}
        return max((self._digits(code) for code in codes), default=self._digits(""))

    def _beside(self, batch: BatchCells) -> Labels[Any]:
        countries = texts_in(column_or(self.step.countries, batch))
        coded = countries.replaced(country_codes(countries.values))
        return coded.joined(texts_in(column_or(self.step.categories, batch)))

    def _by(self, key: Any) -> _By:
        sign, ((country, category), day) = key
        code, problem = self._resolve(sign or "", None)
        factor = problem or tax_factor(self.step.table, country, day, category)
        if isinstance(factor, str):
            return None
        exact = Fraction(factor)
        return exact if self._is_added else 1 / exact, self._digits(code)

    @property
    def _is_added(self) -> bool:
        return self.step.tax == "add"

    def _slow(self, cells: Sequence[Any]) -> _Results:
        amounts = self._priced([cell for cell, _ in cells], None)
        factors = [tax_factor(self.step.table, country, day, category) for _, ((country, category), day) in cells]
        return multiplied(amounts, factors, self._settings, is_added=self._is_added)


@dataclass(frozen=True, slots=True)
class _Rest:
    """Rows that were read one by one: which they are, and the number of each one's value and problem."""

    rows: Ints
    ids: Ints
    values: list[Decimal | None]
    problems: Mapping[int, str]


def _column(results: Ints, good: Bools, rest: _Rest, scale: int) -> Any:
    """All values as a column of decimals."""
    has_value = np.array([value is not None for value in rest.values], np.bool_)
    known = good.copy()
    known[rest.rows] = has_value[rest.ids]
    return decimal_array(results, known, scale, rest.rows, words_of(rest.values, scale)[rest.ids])


def _told(rest: _Rest, count: int) -> Labels[str | None]:
    """The problems of all rows."""
    if not rest.problems:
        return Labels.same(None, count)
    ids = np.zeros(count, np.int64)
    ids[rest.rows] = rest.ids + 1
    return Labels(ids, [None, *(rest.problems.get(number) for number in range(len(rest.values)))])


def _fitting(values: list[Decimal | None], problems: Mapping[int, str], scale: int) -> _Results:
    """Values that have room at the scale of the column; the others are problems."""
    large = [
        number
        for number, value in enumerate(values)
        if value is not None and value and value.adjusted() + scale >= PRECISION
    ]
    kept = [None if number in set(large) else value for number, value in enumerate(values)] if large else values
    return kept, {**problems, **dict.fromkeys(large, TOO_LARGE)}
