"""Tax in or out, by a table of rates for each country, from a date on."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, TypeAlias

from sightline.data import ColumnType
from sightline.errors import UnreadableError, UsageError
from sightline.flow.normalise._countries import country_codes
from sightline.flow.normalise._dates import days_of
from sightline.flow.normalise._money import (
    Amounts,
    MoneyRules,
    divide,
    minor_units,
    money_notes,
    money_type,
    multiply,
    placed,
    priced,
    rounded,
    settled_currency,
)
from sightline.flow.normalise._normalised import Normalised, items_of, normalised, texts_of
from sightline.flow.normalise._rates import RuleRow, read_day, read_decimal, rule_rows
from sightline.flow.normalise._settings import TaxSettings
from sightline.flow.normalise._shapes import ShapedTexts
from sightline.flow.rows import RowSource

__all__ = ["STANDARD", "Factor", "TaxBasis", "TaxTable", "add_tax", "multiplied", "remove_tax", "tax_factor"]

Factor: TypeAlias = Decimal | str
"""By what a net amount is multiplied, or why that is not known."""

# What the usual rate is called; rows of a table without a category have it.
STANDARD = "standard"
_NAMES = {
    "country": ("country",),
    "from": ("from", "from-date", "valid from"),
    "rate": ("rate",),
    "category": ("category",),
}
_HUNDRED = Decimal(100)


@dataclass(frozen=True, slots=True)
class TaxTable:
    """Rates of tax in percent by country and category, each from a day on.

    >>> table = TaxTable.read([{"country": "DE", "from": "2007-01-01", "rate": "19"}])
    >>> table.rate("DE", date(2024, 5, 3)), table.rate("FR", date(2024, 5, 3))
    (Decimal('19'), 'no tax rates for FR in the table')
    """

    days: Mapping[tuple[str, str], tuple[date, ...]] = field(repr=False)
    rates: Mapping[tuple[str, str], tuple[Decimal, ...]] = field(repr=False)

    @classmethod
    def read(cls, source: RowSource) -> "TaxTable":
        """Rates from a file, a list of dicts or a data frame: country, from (a date), rate (in percent), category.

        The category may be left out; it is `standard` then. A rate holds until the next of its country and category.
        """
        rows = rule_rows(source, "tax rates")
        if not rows:
            raise UnreadableError(
                source if isinstance(source, str) else "the tax table", "has no rates; give some rows."
            )
        names = _columns(rows[0])
        found: dict[tuple[str, str], dict[date, Decimal]] = {}
        for row in rows:
            key, day, rate = _rule(row, names)
            if found.setdefault(key, {}).setdefault(day, rate) != rate:
                raise row.damaged(f"there is a second rate for {key[0]} ({key[1]}) from {day} on; remove one.")
        ordered = {key: sorted(rates.items()) for key, rates in sorted(found.items())}
        return cls(
            {key: tuple(day for day, _ in rates) for key, rates in ordered.items()},
            {key: tuple(rate for _, rate in rates) for key, rates in ordered.items()},
        )

    def rate(self, country: str, day: date, category: str = STANDARD) -> Decimal | str:
        """The rate in percent on a day; if there is none, the reason in words."""
        key = (country, category.casefold() or STANDARD)
        days = self.days.get(key)
        if days is None:
            categories = sorted(kind for code, kind in self.days if code == country)
            if not categories:
                return f"no tax rates for {country} in the table"
            return f"no tax rates for the category {category!r:.40} of {country}; it has {', '.join(categories)}"
        at = bisect_right(days, day) - 1
        return self.rates[key][at] if at >= 0 else f"no tax rate for {country} on {day}; the first is from {days[0]} on"


@dataclass(frozen=True, slots=True)
class TaxBasis:
    """What decides the rate of a row: a column, or one value for all rows."""

    countries: Sequence[Any] | str
    dates: Sequence[Any] | date | str
    categories: Sequence[Any] | str = STANDARD


def add_tax(
    values: Sequence[Any],
    table: TaxTable,
    basis: TaxBasis,
    settings: TaxSettings | None = None,
    *,
    type: ColumnType | None = None,
) -> Normalised:
    """Gross amounts from net ones, rounded to the minor units of their currency.

    >>> table = TaxTable.read([{"country": "DE", "from": "2007-01-01", "rate": "19"}])
    >>> add_tax(["100 €", "n/a"], table, TaxBasis("Germany", "2024-05-03")).values
    [Decimal('119.00'), None]
    """
    return _taxed(values, table, basis, settings or TaxSettings(), type, is_added=True)


def remove_tax(
    values: Sequence[Any],
    table: TaxTable,
    basis: TaxBasis,
    settings: TaxSettings | None = None,
    *,
    type: ColumnType | None = None,
) -> Normalised:
    """Net amounts from gross ones, rounded to the minor units of their currency.

    >>> table = TaxTable.read([{"country": "DE", "from": "2007-01-01", "rate": "19"}])
    >>> remove_tax(["119 €"], table, TaxBasis("DE", "2024-05-03")).values
    [Decimal('100.00')]
    """
    return _taxed(values, table, basis, settings or TaxSettings(), type, is_added=False)


def _taxed(
    values: Sequence[Any],
    table: TaxTable,
    basis: TaxBasis,
    settings: TaxSettings,
    type: ColumnType | None,
    *,
    is_added: bool,
) -> Normalised:
    items = items_of(values)
    texts = ShapedTexts.of([item for item in items if isinstance(item, str)])
    decided = money_type(texts, settings.language, settings.decimal, type)
    currency = settings.currency or settled_currency(decided)
    amounts = priced(items, texts, MoneyRules(decided, currency, {}, is_needed=False))
    factors, doubts = _factors(table, basis, len(items))
    results, problems = multiplied(amounts, factors, settings, is_added=is_added)
    return normalised(settings, values, results, problems, money_notes(decided, doubts), decided)


def multiplied(
    amounts: Amounts, factors: Sequence[Factor], settings: TaxSettings, *, is_added: bool
) -> tuple[list[Decimal | None], dict[int, str]]:
    """Every amount with its tax added or removed; the problems of the amounts, and of factors that are not known."""
    good, numbers, by = [], [], []
    problems = dict(amounts.problems)
    for row, (number, factor) in enumerate(zip(amounts.numbers, factors, strict=True)):
        if number is None:
            continue
        if isinstance(factor, str):
            problems[row] = factor
            continue
        good.append(row)
        numbers.append(number)
        by.append(factor)
    digits_of = {
        code: minor_units(code or None) if settings.digits is None else settings.digits for code in set(amounts.codes)
    }
    digits = (digits_of[amounts.codes[row]] for row in good)
    exact = map(multiply if is_added else divide, numbers, by)
    values = placed(len(factors), good, rounded(exact, digits, settings.rounding), problems)
    return values, dict(sorted(problems.items()))


def _factors(table: TaxTable, basis: TaxBasis, count: int) -> tuple[list[Factor], tuple[str, ...]]:
    """By what a net amount is multiplied, row by row, or why that is not known."""
    countries = country_codes(_column(basis.countries, count, "countries"))
    categories = _column(basis.categories, count, "categories")
    days, notes = days_of(basis.dates, count)
    keys = list(zip(countries, days, categories, strict=True))
    known = {key: tax_factor(table, *key) for key in set(keys)}
    return [known[key] for key in keys], notes


def tax_factor(
    table: TaxTable, country: tuple[str | None, str], day: date | str | None, category: str | None
) -> Factor:
    """One and the rate of tax of a country on a day."""
    code, problem = country
    if code is None:
        return problem or "there is no country, and so no tax rate."
    if not isinstance(day, date):
        return day or "there is no date, and so no tax rate."
    rate = table.rate(code, day, category or STANDARD)
    return f"{rate}." if isinstance(rate, str) else 1 + rate / _HUNDRED


def _column(values: Sequence[Any] | str, count: int, what: str) -> list[str | None]:
    if isinstance(values, str):
        return [values] * count
    if len(values) != count:
        raise UsageError(f"There are {count} values, but {len(values)} {what}; give one for each row, or one for all.")
    return texts_of(values)


def _columns(row: RuleRow) -> dict[str, str]:
    """The columns of the table by what they mean."""
    given = {name.casefold().replace("_", "-").replace("from date", "from-date"): name for name in row.cells}
    names = {what: given[name] for what, spellings in _NAMES.items() for name in spellings if name in given}
    missing = [what for what in ("country", "from", "rate") if what not in names]
    if missing:
        raise row.damaged(f"there is no column {missing[0]!r}; a tax table has country, from, rate and maybe category.")
    return names


def _rule(row: RuleRow, names: Mapping[str, str]) -> tuple[tuple[str, str], date, Decimal]:
    cells = {what: row.cells[name] for what, name in names.items()}
    (code, problem), *_ = country_codes([cells["country"]])
    if code is None:
        raise row.damaged(problem or "there is no country; name one.")
    day = read_day(cells["from"])
    if day is None:
        raise row.damaged(f"{cells['from']!r:.40} is not a date; write it as 2024-05-03.")
    return (code, cells.get("category", "").casefold() or STANDARD), day, _percent(row, cells["rate"])


def _percent(row: RuleRow, cell: str) -> Decimal:
    """A rate in percent; one below 1 without a sign may be a fraction, and is refused."""
    rate = read_decimal(cell.removesuffix("%").rstrip())
    if rate is None or rate > _HUNDRED:
        raise row.damaged(f"{cell!r:.40} is not a rate in percent; write a number from 0 to 100, such as 19 or 5.5.")
    if 0 < rate < 1 and not cell.endswith("%"):
        raise row.damaged(
            f"{cell!r:.40} may be a fraction or a percentage; write {(100 * rate).normalize():f} or {cell} %."
        )
    return rate
