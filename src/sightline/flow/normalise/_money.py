"""Money to one currency: read, convert by the rate of the day, round once."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from itertools import repeat
from typing import Any, TypeAlias

from sightline.data import ColumnType
from sightline.flow.normalise._dates import Days, days_of
from sightline.flow.normalise._normalised import Normalised, items_of, normalised
from sightline.flow.normalise._prices import Amounts, MoneyRules, money_type, priced, settled_currency
from sightline.flow.normalise._rates import RateTable
from sightline.flow.normalise._rounding import divide, minor_units, multiply, placed, rounded
from sightline.flow.normalise._settings import MoneySettings
from sightline.flow.normalise._shapes import ShapedTexts

__all__ = ["Quote", "convert_money", "converted", "money_notes", "quote"]

Quote: TypeAlias = tuple[Decimal, Decimal] | str
"""What the base costs in the target and in the source currency; or why that is not known."""

_SAME = (Decimal(1), Decimal(1))


def convert_money(
    values: Sequence[Any],
    rates: RateTable,
    settings: MoneySettings | None = None,
    *,
    dates: Sequence[Any] | date | str,
    currencies: Sequence[Any] | None = None,
    type: ColumnType | None = None,
) -> Normalised:
    """A column of prices in one currency, as decimals.

    `dates` has the day of each price, or is one day for all. `currencies`, if given, has the currency of each price, as
    a code or a sign; otherwise it is beside the number, in the settings or in `type`. The number format of the column
    is decided once, from all its texts, unless `type` says it.

    >>> table = RateTable.read([{"date": "2024-05-03", "currency": "GBP", "rate": "0.85718"}])
    >>> found = convert_money(["£12.00", "5 €", "$3", "ask us"], table, dates="2024-05-05")
    >>> [str(value) for value in found.values]
    ['14.00', '5.00', 'None', 'None']
    >>> found.problems[3]
    "'ask us' is not an amount of money."
    """
    chosen = settings or MoneySettings()
    items = items_of(values)
    texts = ShapedTexts.of([item for item in items if isinstance(item, str)])
    decided = money_type(texts, chosen.language, chosen.decimal, type)
    currency = chosen.from_currency or settled_currency(decided)
    amounts = priced(items, texts, MoneyRules(decided, currency, chosen.meanings, is_needed=True), currencies)
    days, doubts = days_of(dates, len(items))
    results, problems = converted(amounts, days, rates, chosen)
    return normalised(chosen, values, results, problems, money_notes(decided, doubts), decided)


def money_notes(type: ColumnType, doubts: tuple[str, ...]) -> tuple[str, ...]:
    """What is told of a whole column. Doubts about currencies are not: each row has its own, or a problem."""
    return tuple(doubt for doubt in (*type.ambiguous, *doubts) if not doubt.startswith("currency:"))


def converted(
    amounts: Amounts, days: Days, rates: RateTable, settings: MoneySettings
) -> tuple[list[Decimal | None], dict[int, str]]:
    """Every amount in the target currency; rates are looked up once for each currency and day."""
    keys = list(zip(amounts.codes, days, strict=True))
    known = {key: quote(*key, rates, settings) for key in set(keys)}
    found = [known[key] for key in keys]
    good = [row for row, number in enumerate(amounts.numbers) if number is not None and isinstance(found[row], tuple)]
    numbers = [number for row in good if (number := amounts.numbers[row]) is not None]
    quotes = [rate for row in good if isinstance(rate := found[row], tuple)]
    if any(into != 1 for into, _ in set(quotes)):
        # The product first: a quotient of the rates would be rounded already, and halves with it.
        numbers = list(map(multiply, numbers, (into for into, _ in quotes)))
    digits = minor_units(settings.currency) if settings.digits is None else settings.digits
    divided = map(divide, numbers, (out_of for _, out_of in quotes))
    problems = dict(amounts.problems)
    for row, number in enumerate(amounts.numbers):
        if number is not None and isinstance(problem := found[row], str):
            problems[row] = problem
    values = placed(len(keys), good, rounded(divided, repeat(digits), settings.rounding), problems)
    return values, dict(sorted(problems.items()))


def quote(code: str, day: date | str | None, rates: RateTable, settings: MoneySettings) -> Quote:
    """The rates of a currency and of the target on a day."""
    if code == settings.currency:
        return _SAME
    if not isinstance(day, date):
        return day or "there is no date, and so no rate."
    into = rates.rate(settings.currency, day, settings.max_age_days)
    out_of = rates.rate(code, day, settings.max_age_days)
    if isinstance(out_of, str) or isinstance(into, str):
        return f"{out_of if isinstance(out_of, str) else into}."
    return into, out_of
