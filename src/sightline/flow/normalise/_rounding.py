"""Rounding of money: exact until one last step, which is stated.

Half-up is the default, because it is the rule that invoices follow: Regulation (EC) 1103/97, Article 5, rounds a sum
that is exactly half-way up after a conversion to or from the euro, and tax offices expect the same. Halves of negative
sums go away from zero, so that a credit note mirrors its invoice. Half-even has no bias in sums of many halves; choose
it where nobody compares single amounts with an invoice.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_05UP, ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from functools import cache

__all__ = ["TOO_LARGE", "divide", "minor_units", "multiply", "placed", "rounded"]

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
