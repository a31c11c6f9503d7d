"""Columns of prices in several currencies: one number format for the column, and the sign of each value as written."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from sightline.data._types._clean import clean, counted, is_inexact, is_missing
from sightline.data._types._quantities import decide_numbers, labelled_number
from sightline.data._types._type import ColumnType

__all__ = ["Price", "infer_money", "read_price"]


@dataclass(frozen=True, slots=True)
class Price:
    """A number with the sign, code or name of its currency as written; `sign` is empty where there is none."""

    number: Decimal
    sign: str


def infer_money(texts: Iterable[str | None] | Mapping[str, int], language: str | None = None) -> ColumnType:
    """Decide how to read a column that is known to hold money, from those of its texts that hold one number.

    Unlike `infer`, it needs no share of readable values: its decimal mark is that of the prices, whatever stands
    between them.

    >>> infer_money(["1.234,50 €", "£3", "call us", "ask", "later"]).decimal
    ','
    """
    plain: Counter[str] = Counter()
    for text, count in counted(texts).items():
        cleaned = clean(text)
        if not is_missing(cleaned) and not is_inexact(cleaned):
            plain[cleaned] += count
    rules = decide_numbers(plain, language)
    if rules is None:
        return ColumnType(kind="money", language=language)
    return ColumnType(
        kind="money",
        language=language,
        decimal=rules.decimal,
        grouping=rules.grouping,
        parentheses_negative=rules.parentheses_negative,
        currency=rules.currency,
        ambiguous=tuple(doubt for doubt in rules.doubts if not doubt.startswith("unit:")),
    )


def read_price(text: str, type: ColumnType) -> Price | None:
    """The price in a text under its column's number format, in whatever currency; None when it is not a price.

    >>> read_price("1.234,50 €", ColumnType(kind="money", decimal=","))
    Price(number=Decimal('1234.50'), sign='€')
    >>> read_price("5 kg", ColumnType(kind="money")) is None
    True
    """
    plain = clean(text)
    found = None if is_missing(plain) else labelled_number(plain, type._numbers)
    if found is None:
        return None
    number, label = found
    return None if label.unit else Price(number, label.currency or "")
