"""Amounts of money: how a column writes them, whose currency they are in, and exact arithmetic with one last rounding.

What 64 bits hold is computed for all rows at once, the rest by distinct rows with decimals of Python.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import ROUND_05UP, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from sightline.data import ColumnType, currencies_of, infer_money, read_price
from sightline.errors import UsageError
from sightline.flow.normalise._cells import CellColumn, Labels
from sightline.flow.normalise._countries import country_code
from sightline.flow.normalise._dates import Day, DayReader
from sightline.flow.normalise._normalised import Read, item_of, quoted
from sightline.flow.normalise._normaliser import BatchCells, Made, Normaliser, has_room, sample_shapes
from sightline.flow.normalise._numbers import (
    NO_PARTS,
    PRECISION,
    Decimals,
    Parts,
    Scaled,
    ShapeReader,
    divided,
    parts_of,
    scaled,
)
from sightline.flow.normalise._rates import STANDARD
from sightline.flow.normalise._settings import MoneySettings, TaxSettings
from sightline.flow.normalise._steps import BatchStep, FromColumn, MoneyStep, TaxStep

# Remembered factors; three currencies and a year are a thousand.
_MOST_FACTORS = 100_000

# How a column writes money, and what its signs mean.


@dataclass(frozen=True, slots=True)
class MoneyRules:
    """How the signs of a column are understood: its number format, the one currency, and what the settings name."""

    type: ColumnType
    currency: str | None
    meanings: dict[str, str]
    is_needed: bool


def money_type(
    texts: Mapping[str, int], language: str | None, decimal: str | None, given: ColumnType | None
) -> ColumnType:
    """The number format of a column, decided once from all its texts, unless it is given."""
    if given is not None and given.kind not in ("money", "number"):
        raise UsageError(f"The type of the column is {given}, and not money; give a column of prices.")
    type = given or infer_money(texts, language)
    if decimal is None:
        return type
    settled = tuple(doubt for doubt in type.ambiguous if not doubt.startswith("decimal separator"))
    return replace(type, decimal=decimal, grouping=None, ambiguous=settled)


def settled_currency(type: ColumnType) -> str | None:
    """The one currency of a column, unless that is in doubt."""
    return None if any(doubt.startswith("currency:") for doubt in type.ambiguous) else type.currency


def code_text(value: str | None) -> str:
    """What a cell of a column of currencies says; empty where it says nothing."""
    text = (value or "").strip()
    return text.upper() if len(text) == 3 and text.isascii() and text.isalpha() else text


def resolver(rules: MoneyRules) -> Callable[[str, str | None], tuple[str, str]]:
    """A function from a sign, and what the column of currencies says, to a code, or to the problem with them."""

    def resolve(sign: str, named: str | None) -> tuple[str, str]:
        if named is None:
            return _of_sign(sign, rules)
        code, problem = _of_sign(named, rules) if named else ("", "")
        if problem or not sign:
            return (code, problem) if named or problem else _of_sign("", rules)
        if not named:
            return _of_sign(sign, rules)
        if code in _meanings(sign, rules):
            return code, ""
        return "", f"{sign} beside the amount is not {code}, which the column of currencies says."

    return resolve


def _meanings(sign: str, rules: MoneyRules) -> tuple[str, ...]:
    if sign in rules.meanings:
        return (rules.meanings[sign],)
    return currencies_of(sign, rules.type.language)


def _of_sign(sign: str, rules: MoneyRules) -> tuple[str, str]:
    """The currency of a sign, or why it is not known."""
    if not sign:
        needed = "the amount has no currency; name it by from_currency." if rules.is_needed else ""
        return rules.currency or "", "" if rules.currency else needed
    codes = _meanings(sign, rules)
    if len(codes) == 1:
        return codes[0], ""
    if rules.currency in codes:
        return rules.currency or "", ""
    if not codes:
        return "", f"unknown currency {quoted(sign)}."
    if not rules.is_needed:
        return "", ""
    listed = ", ".join(codes[:4]) + (" and others" if len(codes) > 4 else "")
    return "", f"{sign} may be {listed}; name it by from_currency, or by signs such as {sign}={codes[0]}."


# Rounding of money: exact until one last step, which is stated.
#
# Half-up is the default, because it is the rule that invoices follow: Regulation (EC) 1103/97, Article 5, rounds a sum
# that is exactly half-way up after a conversion to or from the euro, and tax offices expect the same. Halves of
# negative sums go away from zero, so that a credit note mirrors its invoice. Half-even has no bias in sums of many
# halves; choose it where nobody compares single amounts with an invoice.

# Products are exact: amounts have at most 36 digits and rates 40. Without traps, nonsense becomes NaN.
_multiply = Context(prec=120, traps=[]).multiply
# Quotients need only a few digits more than the result, because this rounding never makes a half of what is none; fewer
# than 76 digits also spare Python a second allocation for each number.
_divide = Context(prec=44, rounding=ROUND_05UP, traps=[]).divide
_TOO_LARGE = f"the result has more than {PRECISION} digits."
_MODES = {"half-up": ROUND_HALF_UP, "half-even": ROUND_HALF_EVEN}
_QUANTIZE = {name: Context(prec=PRECISION, rounding=mode, traps=[]).quantize for name, mode in _MODES.items()}
_STEPS = tuple(Decimal(1).scaleb(-digits) for digits in range(21))
# What almost all currencies have; for amounts whose currency nobody named.
_USUAL_UNITS = 2


@cache
def minor_units(code: str | None) -> int:
    """How many digits a currency has behind the point, by CLDR; two where none is named.

    >>> minor_units("EUR"), minor_units("JPY"), minor_units("TND"), minor_units(None)
    (2, 0, 3, 2)
    """
    from babel.numbers import get_currency_precision  # slow to import

    return int(get_currency_precision(code)) if code else _USUAL_UNITS


@dataclass(frozen=True, slots=True)
class Factor:
    """By what an amount is multiplied, then divided, and how many digits behind the point the result has."""

    up: Decimal
    down: Decimal
    digits: int

    def applied(self, number: Decimal, rounding: str) -> Decimal:
        """The result, rounded once; NaN if it is too large.

        >>> Factor(Decimal(1), Decimal(8), 2).applied(Decimal(-1), "half-up")
        Decimal('-0.13')
        >>> Factor(Decimal(1), Decimal(8), 2).applied(Decimal(1), "half-even")
        Decimal('0.12')
        """
        # The product first: a quotient of the two would be rounded already, and halves with it.
        exact = number if self.up == 1 else _multiply(number, self.up)
        return _QUANTIZE[rounding](exact if self.down == 1 else _divide(exact, self.down), _STEPS[self.digits])


# A column at a time.

Key: TypeAlias = tuple[str, tuple[Any, Day]]
"""The sign beside an amount, and what is in other columns: what money or tax needs, and the day."""


class AmountNormaliser(Normaliser):
    """What money and tax share: amounts with their signs, times a factor that other columns decide."""

    step: MoneyStep | TaxStep

    def __init__(self, step: MoneyStep | TaxStep, *, of_numbers: bool) -> None:
        self.days = DayReader(step.dates, step.date_type)
        self._is_typed = of_numbers or step.type is not None
        super().__init__(step, step.type, is_decided=self._is_typed and self.days.is_decided)
        self.is_sampled = False
        self._factor = lru_cache(_MOST_FACTORS)(self.factor)
        self._parts = lru_cache(_MOST_FACTORS)(self._whole_parts)
        self._scale: int | None = None
        if self.is_decided:
            self._settle()

    def sample(self, batch: BatchCells) -> bool:
        """Count the shapes of texts, and the dates that need an order."""
        is_text = not self._is_typed and batch.cells(self.name).is_text
        if is_text:
            sample_shapes(self.seen, batch, self.name)
        self.is_sampled = self.step.type is None
        return self.days.sample(batch) or is_text

    def keep_all(self) -> None:
        """Decide from every text, of the dates as well."""
        super().keep_all()
        self.days.seen.most = self.seen.most

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
        self.type = money_type(self.seen.texts, settings.language, settings.decimal, self.step.type)
        self.report.type, self.report.date_type = self.type, self.days.type
        self.rules = self.rules_of(self.type)
        self.resolve = resolver(self.rules)
        self._reader = ShapeReader(self._price, self.type.decimal or ".")

    @abstractmethod
    def rules_of(self, type: ColumnType) -> MoneyRules:
        """How signs are understood."""

    def _price(self, text: str) -> tuple[Decimal, str] | None:
        price = read_price(text, self.rules.type)
        return (price.number, price.sign) if price else None

    def settled(self) -> BatchStep:
        """The step with both types."""
        return replace(self.step, type=self.type, date_type=self.days.type)

    def make(self, batch: BatchCells) -> Made:
        """Quick rows all at once, and the others by what is different about them."""
        column = batch.cells(self.name)
        days, doubts = self.days.read(batch)
        beside = self.beside(batch).joined(days)
        numbers, signs = self._numbers(column, batch.rows)
        scale = self._scale = self.scale_of(column) if self._scale is None else self._scale
        keys = signs.mapped(lambda sign: sign or "").joined(beside)
        found = [self._parts(key, numbers.scale, scale) for key in keys.values]
        parts = keys.replaced([parts for parts, _ in found])
        results, good = divided(numbers, parts, self.step.settings.rounding)
        at_once = Decimals(results, scale, good, np.array([digits for _, digits in found], np.int64)[keys.ids])
        rows = np.flatnonzero(~good)
        cells = column.labels(rows).joined(beside.at(rows))
        return Made(at_once, rows, cells, [self._read(*cell) for cell in cells.values], self._notes(doubts))

    def _notes(self, doubts: tuple[str, ...]) -> tuple[str, ...]:
        """What is told of the column. Doubts about currencies are not: each row has its own, or a problem."""
        told = (doubt for doubt in (*self.rules.type.ambiguous, *doubts) if not doubt.startswith("currency:"))
        return (*told, *self.seen.notes)

    def _numbers(self, column: CellColumn, rows: int) -> tuple[Scaled, Labels[str | None]]:
        if column.is_text:
            return self._reader.read(column.filled)
        return scaled(column.cells), Labels.same("", rows)

    def _whole_parts(self, key: Key, own: int, scale: int) -> tuple[Parts, int]:
        """The factor in whole numbers, for numbers of one scale, and its digits; none if there is a problem to tell."""
        factor = self._factor(*key)
        if isinstance(factor, str):
            return NO_PARTS, scale
        return parts_of(Fraction(factor.up) / Fraction(factor.down), own, factor.digits, scale), factor.digits

    def _read(self, cell: Any, beside: Any) -> Read:
        """One cell with what is beside it."""
        item = item_of(cell)
        number, sign = (self._price(item) or (None, "")) if isinstance(item, str) else (item, "")
        if number is None:
            is_nothing = item is None or self.rules.type.is_whole(str(item), None)
            return None, None if is_nothing else f"{quoted(item)} is not an amount of money."
        factor = self._factor(sign, beside)
        if isinstance(factor, str):
            return None, factor
        value = factor.applied(number, self.step.settings.rounding)
        return (None, _TOO_LARGE) if value.is_nan() else (value, None)

    @abstractmethod
    def beside(self, batch: BatchCells) -> Labels[Any]:
        """What other columns say, but the day."""

    @abstractmethod
    def factor(self, sign: str, beside: tuple[Any, Day]) -> Factor | str:
        """The factor for a sign and what is beside it, or the problem to tell."""

    @abstractmethod
    def scale_of(self, column: CellColumn) -> int:
        """How many digits the new column has behind the point."""

    def arrow_type(self, _column: CellColumn) -> Any:
        """Decimals."""
        return pa.decimal128(PRECISION, self._scale)

    def misfit(self, _cell: Any, value: Any, type: Any) -> str | None:
        """A result that has more digits than the column."""
        return None if has_room(value, type) else _TOO_LARGE


# -- money to one currency: converted by the rate of the day --------------------------------------------------------

_ONE = Decimal(1)


class MoneyNormaliser(AmountNormaliser):
    """Money to one currency."""

    step: MoneyStep

    @property
    def _settings(self) -> MoneySettings:
        return self.step.settings

    @property
    def _digits(self) -> int:
        digits = self._settings.digits
        return minor_units(self._settings.currency) if digits is None else digits

    def rules_of(self, type: ColumnType) -> MoneyRules:
        """Every amount needs a currency."""
        currency = self._settings.from_currency or settled_currency(type)
        return MoneyRules(type, currency, self._settings.meanings, is_needed=True)

    def scale_of(self, _column: CellColumn) -> int:
        """The digits of the currency, or those of the settings."""
        return self._digits

    def beside(self, batch: BatchCells) -> Labels[str | None]:
        """What the column of currencies says; None without one."""
        if self.step.currencies is None:
            return Labels.same(None, batch.rows)
        return batch.texts(self.step.currencies).mapped(code_text)

    def factor(self, sign: str, beside: tuple[Any, Day]) -> Factor | str:
        """What the target costs of the base, over what the source costs of it."""
        named, day = beside
        code, problem = self.resolve(sign, named)
        if problem or code == self._settings.currency:
            return problem or Factor(_ONE, _ONE, self._digits)
        if day is None or isinstance(day, str):
            return day or "there is no date, and so no rate."
        into, out_of = (
            self.step.rates.rate(one, day, self._settings.max_age_days) for one in (self._settings.currency, code)
        )
        if isinstance(out_of, str) or isinstance(into, str):
            return f"{out_of if isinstance(out_of, str) else into}."
        return Factor(into, out_of, self._digits)


# -- tax in or out, by a table of rates for each country, from a date on --------------------------------------------

_WHOLE, _HUNDRED = Decimal(1), Decimal(100)
# The most minor units that CLDR has (CLF): room for any currency where it is not known which ones there are.
_MOST_UNITS = 4


class TaxNormaliser(AmountNormaliser):
    """Tax added or removed."""

    step: TaxStep

    @property
    def _settings(self) -> TaxSettings:
        return self.step.settings

    def rules_of(self, type: ColumnType) -> MoneyRules:
        """The currency only decides how many digits there are, so an amount needs none."""
        return MoneyRules(type, self._settings.currency or settled_currency(type), {}, is_needed=False)

    def _digits(self, code: str) -> int:
        return minor_units(code or None) if self._settings.digits is None else self._settings.digits

    def scale_of(self, column: CellColumn) -> int:
        """Digits for every currency that the column may have."""
        if self._settings.digits is not None:
            return self._settings.digits
        if not column.is_text:
            return self._digits(self.rules.currency or "")
        if not self.is_sampled or not self.seen.is_whole:
            return _MOST_UNITS
        prices = (read_price(text, self.rules.type) for text in self.seen.texts)
        codes = {self.resolve(price.sign, None)[0] for price in prices if price}
        return max((self._digits(code) for code in codes), default=self._digits(""))

    def beside(self, batch: BatchCells) -> Labels[Any]:
        """The country, or what is wrong with it, and the category."""
        countries = batch.texts(self.step.countries).mapped(country_code)
        return countries.joined(batch.texts(self.step.categories))

    def factor(self, sign: str, beside: tuple[Any, Day]) -> Factor | str:
        """One and the rate of tax of a country on a day."""
        ((country, unknown), category), day = beside
        code, problem = self.resolve(sign, None)
        if problem or country is None:
            return problem or unknown or "there is no country, and so no tax rate."
        if day is None or isinstance(day, str):
            return day or "there is no date, and so no tax rate."
        rate = self.step.table.rate(country, day, category or STANDARD)
        if isinstance(rate, str):
            return f"{rate}."
        up, down = (1 + rate / _HUNDRED, _WHOLE) if self.step.tax == "add" else (_WHOLE, 1 + rate / _HUNDRED)
        return Factor(up, down, self._digits(code))
