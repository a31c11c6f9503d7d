"""Money to one currency: read, convert by the rate of the day, round once."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_05UP, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from functools import cache
from itertools import repeat
from typing import Any, TypeAlias

from sightline.data import ColumnType, currencies_of, infer_money, read_price
from sightline.errors import UsageError
from sightline.flow.normalise._dates import Days, days_of
from sightline.flow.normalise._normalised import CellItem, Normalised, items_of, normalised, quoted, texts_of
from sightline.flow.normalise._rates import RateTable
from sightline.flow.normalise._settings import MoneySettings
from sightline.flow.normalise._shapes import ShapedTexts, read_numbers

__all__ = [
    "TOO_LARGE",
    "Amounts",
    "MoneyRules",
    "Quote",
    "code_texts",
    "convert_money",
    "converted",
    "divide",
    "minor_units",
    "money_notes",
    "money_type",
    "multiply",
    "placed",
    "priced",
    "quote",
    "resolver",
    "rounded",
    "settled_currency",
]

# Columns of money as amounts with their currencies: the sign beside a number, another column, or the settings.


@dataclass(frozen=True, slots=True)
class Amounts:
    """The amounts of a column and their currencies, row by row; a code is empty where it is not known."""

    numbers: list[Decimal | None]
    codes: list[str]
    problems: dict[int, str]


@dataclass(frozen=True, slots=True)
class MoneyRules:
    """How a column's signs are understood: its number format, the one currency, and what the settings name."""

    type: ColumnType
    currency: str | None
    meanings: dict[str, str]
    is_needed: bool


def money_type(
    texts: ShapedTexts | Mapping[str, int], language: str | None, decimal: str | None, given: ColumnType | None
) -> ColumnType:
    """The number format of a column, decided once from all its texts, unless it is given."""
    if given is not None and given.kind not in ("money", "number"):
        raise UsageError(f"The type of the column is {given}, and not money; give a column of prices.")
    type = given or infer_money(texts.sample() if isinstance(texts, ShapedTexts) else texts, language)
    if decimal is None:
        return type
    settled = tuple(doubt for doubt in type.ambiguous if not doubt.startswith("decimal separator"))
    return replace(type, decimal=decimal, grouping=None, ambiguous=settled)


def settled_currency(type: ColumnType) -> str | None:
    """The one currency of a column, unless that is in doubt."""
    return None if any(doubt.startswith("currency:") for doubt in type.ambiguous) else type.currency


def priced(
    items: Sequence[CellItem], texts: ShapedTexts, rules: MoneyRules, currencies: Sequence[Any] | None = None
) -> Amounts:
    """Every cell as an amount with its currency, or the reason why not; `texts` are those among the cells."""
    numbers, signs = _numbers(items, texts, rules.type)
    resolve = resolver(rules)
    named = _named(currencies, len(items))
    pairs = list(zip(signs, named, strict=True))
    resolved = {pair: resolve(*pair) for pair in set(pairs)}
    found = [resolved[pair] for pair in pairs]
    problems: dict[int, str] = {}
    for row, (number, (_, problem)) in enumerate(zip(numbers, found, strict=True)):
        if number is None:
            item = items[row]
            if isinstance(item, str) and not rules.type.is_whole(item, None):
                problems[row] = f"{quoted(item)} is not an amount of money."
        elif problem:
            problems[row] = problem
            numbers[row] = None
    return Amounts(numbers, [code for code, _ in found], problems)


def _numbers(items: Sequence[CellItem], texts: ShapedTexts, type: ColumnType) -> tuple[list[Decimal | None], list[str]]:
    """The numbers of a column, and the signs beside them."""

    def read(text: str) -> tuple[Decimal, str] | None:
        price = read_price(text, type)
        return (price.number, price.sign) if price else None

    numbers, signs = read_numbers(texts, type.decimal or ".", read, Decimal)
    if len(texts.texts) == len(items):
        return numbers, [sign or "" for sign in signs]
    rest = iter(zip(numbers, signs, strict=True))
    both = [next(rest) if isinstance(item, str) else (item, "") for item in items]
    return [number for number, _ in both], [sign or "" for _, sign in both]


def _named(currencies: Sequence[Any] | None, count: int) -> list[str | None]:
    """What the column of currencies says of each row; None where there is no such column."""
    if currencies is None:
        return [None] * count
    if len(currencies) != count:
        raise UsageError(f"There are {count} values, but {len(currencies)} currencies; give one for each row.")
    return list(code_texts(currencies))


def code_texts(currencies: Sequence[Any]) -> list[str]:
    """What the cells of a column of currencies say; empty where they say nothing."""
    texts = texts_of(currencies)
    known = {text: _code_text(text) for text in set(texts)}
    return [known[text] for text in texts]


def _code_text(value: str | None) -> str:
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


# Rounding of money: exact until one last step, which is stated.
#
# Half-up is the default, because it is the rule that invoices follow: Regulation (EC) 1103/97, Article 5, rounds a sum
# that is exactly half-way up after a conversion to or from the euro, and tax offices expect the same. Halves of
# negative sums go away from zero, so that a credit note mirrors its invoice. Half-even has no bias in sums of many
# halves; choose it where nobody compares single amounts with an invoice.

# Products are exact: amounts have at most 36 digits and rates 40. Without traps, nonsense becomes NaN.
multiply = Context(prec=120, traps=[]).multiply
# Quotients need only a few digits more than the result, because this rounding never makes a half of what is none; fewer
# than 76 digits also spare Python a second allocation for each number.
divide = Context(prec=44, rounding=ROUND_05UP, traps=[]).divide
# What a decimal of Arrow, Parquet and DuckDB holds.
_DIGITS = 38
TOO_LARGE = f"the result has more than {_DIGITS} digits."
_MODES = {"half-up": ROUND_HALF_UP, "half-even": ROUND_HALF_EVEN}
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


def rounded(numbers: Iterable[Decimal], digits: Iterable[int], rounding: str) -> Iterator[Decimal]:
    """Numbers, each with so many digits behind the point; NaN for what is too large.

    >>> list(rounded([Decimal("-0.125")], [2], "half-up")), list(rounded([Decimal("0.125")], [2], "half-even"))
    ([Decimal('-0.13')], [Decimal('0.12')])
    """
    quantize = Context(prec=_DIGITS, rounding=_MODES[rounding], traps=[]).quantize
    return map(quantize, numbers, map(_STEPS.__getitem__, digits))


def placed(
    count: int, rows: Sequence[int], numbers: Iterable[Decimal], problems: dict[int, str]
) -> list[Decimal | None]:
    """A column of so many rows with the numbers in theirs; those that are too large become problems."""
    values: list[Decimal | None] = list(numbers) if len(rows) == count else [None] * count
    if len(rows) < count:
        for row, number in zip(rows, numbers, strict=True):
            values[row] = number
    for row in rows:
        value = values[row]
        if value is not None and value.is_nan():
            values[row] = None
            problems[row] = TOO_LARGE
    return values
