"""Rates by day, of exchange and of tax, from a file or a table; nothing is ever downloaded."""

import os
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TypeAlias

from sightline.data import ColumnType, currencies_of
from sightline.errors import UnreadableError
from sightline.files import read_bytes
from sightline.flow.normalise._countries import country_code
from sightline.flow.rows import Budget, RowLimits, RowSource, numbered_cells, read_columns

# Tables of rates and rules: rows by the names of their columns, each with its place in the file.

# Far above the history of the ECB (0.6 MB); a table of rates isn't the place for more.
_MOST_BYTES = 200_000_000
_DECIMAL = re.compile(r"\d{1,20}(?:\.\d{1,20})?", re.ASCII)
# Data frames write a day as its midnight.
_ISO_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:[T ]00:00:00)?", re.ASCII)
_NAMED_MONTH = re.compile(r"\d{1,2}\.? [A-Za-z]{3,9}\.? \d{4}", re.ASCII)
_ENGLISH = ColumnType(kind="date", date_order="DMY", language="en")


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A row of a table: its cells by name, in order, and where it is, for errors."""

    where: str
    cells: dict[str, str]

    def damaged(self, problem: str) -> UnreadableError:
        """The error that names this row."""
        return UnreadableError(self.where, problem)


def rule_rows(source: RowSource, what: str) -> list[RuleRow]:
    """The rows of a table; names of columns are as written, cells without blanks around them."""
    if isinstance(source, str | os.PathLike) and Path(source).suffix.lower() in (".csv", ".tsv", ".txt"):
        return list(_lines(Path(source), what))
    columns = read_columns(source, what)
    place = str(source) if isinstance(source, str | os.PathLike) else what
    names = list(columns)
    return [
        RuleRow(
            f"{place}, row {number}",
            {name.strip(): (cell or "").strip() for name, cell in zip(names, row, strict=True)},
        )
        for number, row in enumerate(zip(*columns.values(), strict=True), start=1)
    ]


def _lines(path: Path, what: str) -> Iterator[RuleRow]:
    budget = Budget(path, RowLimits(table_bytes=_MOST_BYTES))
    budget.spend_bytes(len(read_bytes(path, f"give the file of {what}", _MOST_BYTES)))
    lines = _stripped(budget)
    where, names = next(lines, (str(path), []))
    if not any(names):
        raise UnreadableError(str(path), f"is empty; give a file of {what} with a line of names.")
    doubled = next((name for name, times in Counter(filter(None, names)).items() if times > 1), None)
    if doubled:
        raise UnreadableError(where, f"there are two columns named {doubled!r}; rename one of them.")
    for where, cells in lines:
        if any(cells[len(names) :]):
            raise UnreadableError(where, f"there are {len(cells)} cells under {len(names)} names; fix that line.")
        if any(cells):
            padded = cells + [""] * (len(names) - len(cells))
            yield RuleRow(where, {name: cell for name, cell in zip(names, padded, strict=False) if name})


def _stripped(budget: Budget) -> Iterator[tuple[str, list[str]]]:
    for number, cells in numbered_cells(budget):
        yield f"{budget.path}, line {number}", [cell.strip() for cell in cells]


def read_decimal(text: str) -> Decimal | None:
    """A number with a decimal point and no grouping, as machines write it.

    >>> read_decimal("0.8562"), read_decimal("0,8562"), read_decimal("NaN")
    (Decimal('0.8562'), None, None)
    """
    return Decimal(text) if _DECIMAL.fullmatch(text) else None


def read_day(text: str) -> date | None:
    """A day that has one meaning: 2024-05-03, or 3 May 2024 as in the daily file of the ECB.

    >>> read_day("2024-05-03"), read_day("03 May 2024"), read_day("03/05/2024")
    (datetime.date(2024, 5, 3), datetime.date(2024, 5, 3), None)
    """
    if iso := _ISO_DAY.fullmatch(text):
        try:
            return date.fromisoformat(iso[1])
        except ValueError:
            return None
    found = _ENGLISH.parse(text) if _NAMED_MONTH.fullmatch(text) else None
    return found if isinstance(found, date) else None


# Rates of exchange: by currency and day.

_Quote: TypeAlias = tuple[RuleRow, date, str, Decimal]

_MISSING = ("", "N/A", "n/a", "-")
# As many names as a sentence can hold.
_NAMED_AT_MOST = 8


@dataclass(frozen=True, slots=True)
class RateTable:
    """Units of each currency for one unit of `base`, by day.

    >>> table = RateTable.read([{"Date": "2024-05-03", "USD": "1.0744", "GBP": "0.85718"}])
    >>> table.rate("GBP", date(2024, 5, 4), max_age_days=4)
    Decimal('0.85718')
    >>> table.rate("THB", date(2024, 5, 3))
    'no rates for THB in the table, which has EUR, GBP, USD'
    """

    base: str
    days: Mapping[str, tuple[date, ...]] = field(repr=False)
    rates: Mapping[str, tuple[Decimal, ...]] = field(repr=False)

    @classmethod
    def read(cls, source: RowSource, base: str = "EUR") -> "RateTable":
        """Rates from a file, a list of dicts or a data frame, in one of two forms.

        The wide form is that of the ECB's `eurofxref-hist.csv`: a column `Date`, then one for each currency, `N/A`
        where there is no rate. The long form has the columns `date`, `currency`, `rate` and, if wanted, `base`. In
        both, a rate is what one unit of the base costs; `base` is that of a table that does not name its own.
        """
        rows = rule_rows(source, "rates of exchange")
        if not rows:
            raise UnreadableError(_place(source), "has no rates; give a table with at least one day.")
        names = {name.casefold(): name for name in rows[0].cells}
        if {"date", "currency", "rate"} <= set(names):
            base = _base(rows, names, base)
            return cls._of(base, _long(rows, names))
        if "date" in names and len(names) > 1:
            return cls._of(base, _wide(rows, names["date"]))
        raise rows[0].damaged(
            f"the columns are {', '.join(names)}; a table of rates has Date and the codes of currencies, "
            "or date, currency and rate."
        )

    @classmethod
    def _of(cls, base: str, quotes: Iterable[_Quote]) -> "RateTable":
        found: dict[str, dict[date, Decimal]] = {}
        for row, day, code, rate in quotes:
            known = found.setdefault(code, {}).setdefault(day, rate)
            if known != rate:
                raise row.damaged(f"there is a second rate for {code} on {day}, {rate} after {known}; remove one.")
        ordered = {code: sorted(rates.items()) for code, rates in sorted(found.items()) if code != base}
        return cls(
            base,
            {code: tuple(day for day, _ in rates) for code, rates in ordered.items()},
            {code: tuple(rate for _, rate in rates) for code, rates in ordered.items()},
        )

    @property
    def currencies(self) -> tuple[str, ...]:
        """All currencies that can be converted, sorted."""
        return tuple(sorted({self.base, *self.days}))

    def rate(self, code: str, day: date, max_age_days: int = 0) -> Decimal | str:
        """What one unit of the base costs in a currency on a day, or on the last day before it that has a rate.

        If there is no rate, the reason in words.
        """
        if code == self.base:
            return Decimal(1)
        days = self.days.get(code)
        if days is None:
            return self._unknown(code)
        at = bisect_right(days, day) - 1
        if at < 0:
            return f"no rate for {code} on {day}; the table begins on {days[0]}"
        if (day - days[at]).days <= max_age_days:
            return self.rates[code][at]
        if at == len(days) - 1:
            return f"no rate for {code} on {day}; the table ends on {days[at]}"
        return f"no rate for {code} on {day}; the last one before is of {days[at]}"

    def _unknown(self, code: str) -> str:
        if currencies_of(code) != (code,):
            return f"unknown currency {code!r:.40}"
        known = self.currencies
        listed = ", ".join(known[:_NAMED_AT_MOST]) + (" and others" if len(known) > _NAMED_AT_MOST else "")
        return f"no rates for {code} in the table, which has {listed}"


def _place(source: RowSource) -> str:
    return source if isinstance(source, str) else "the table of rates"


def _wide(rows: list[RuleRow], date_name: str) -> Iterator[_Quote]:
    for row in rows:
        day = _day(row, date_name)
        for name, cell in row.cells.items():
            if name != date_name and cell not in _MISSING:
                yield row, day, _code(row, name), _rate(row, cell)


def _long(rows: list[RuleRow], names: Mapping[str, str]) -> Iterator[_Quote]:
    for row in rows:
        cell = row.cells[names["rate"]]
        if cell not in _MISSING:
            yield row, _day(row, names["date"]), _code(row, row.cells[names["currency"]]), _rate(row, cell)


def _base(rows: list[RuleRow], names: Mapping[str, str], base: str) -> str:
    """The one base of a long table."""
    if "base" not in names:
        return base
    first = _code(rows[0], rows[0].cells[names["base"]])
    for row in rows:
        if row.cells[names["base"]] != first:
            raise row.damaged(
                f"the base is {row.cells[names['base']]!r:.40}, but {first} above; use one base in a table."
            )
    return first


def _day(row: RuleRow, name: str) -> date:
    day = read_day(row.cells[name])
    if day is None:
        raise row.damaged(f"{row.cells[name]!r:.40} is not a date; write it as 2024-05-03.")
    return day


def _code(row: RuleRow, code: str) -> str:
    if len(code) != 3 or currencies_of(code) != (code,):
        raise row.damaged(f"{code!r:.40} is not the code of a currency; use those of ISO 4217, such as GBP.")
    return code


def _rate(row: RuleRow, cell: str) -> Decimal:
    rate = read_decimal(cell)
    if not rate:
        raise row.damaged(f"{cell!r:.40} is not a rate; write a number above 0 with a decimal point, such as 0.8562.")
    return rate


# Rates of tax: by country and category, each from a day on.

# What the usual rate is called; rows of a table without a category have it.
STANDARD = "standard"
_TAX_NAMES = {
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
        names = _tax_names(rows[0])
        found: dict[tuple[str, str], dict[date, Decimal]] = {}
        for row in rows:
            key, day, rate = _tax_rule(row, names)
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


def _tax_names(row: RuleRow) -> dict[str, str]:
    """The columns of the table by what they mean."""
    given = {name.casefold().replace("_", "-").replace("from date", "from-date"): name for name in row.cells}
    names = {what: given[name] for what, spellings in _TAX_NAMES.items() for name in spellings if name in given}
    missing = [what for what in ("country", "from", "rate") if what not in names]
    if missing:
        raise row.damaged(f"there is no column {missing[0]!r}; a tax table has country, from, rate and maybe category.")
    return names


def _tax_rule(row: RuleRow, names: Mapping[str, str]) -> tuple[tuple[str, str], date, Decimal]:
    cells = {what: row.cells[name] for what, name in names.items()}
    code, problem = country_code(cells["country"])
    if code is None:
        raise row.damaged(problem or "there is no country; name one.")
    day = _day(row, names["from"])
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
