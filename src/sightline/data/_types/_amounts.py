"""Amounts that can be compared across columns and sites: in one unit for each dimension, with their rounding."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from sightline.data._types._lexicon import UNITS, Unit, convert
from sightline.data._types._money import currency_code
from sightline.data._types._numerals import clean, counted, is_inexact, is_missing, read_numeral, split_quantity
from sightline.data._types._quantities import QuantityLabel, decide_numbers, label_of, labelled_number, stated
from sightline.data._types._type import ColumnType

MEASURES = ("number", "money", "measure")


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with what it measures: `of` is a dimension, the code of a currency, other words, or empty.

    `number` is in the base unit of its dimension, `step` what one more in its last digit would add there. `unit` is the
    unit, currency or word beside the number as written, and `written` the number itself.
    """

    number: float
    step: float
    of: str
    unit: str
    written: Decimal
    is_money: bool = False


def read_amount(text: str, type: ColumnType, unit: str | None = None) -> Amount | None:
    """The amount in a text under its column's decimal mark; `unit` is what the heading says of plain numbers.

    Words beside the number that aren't a known unit are kept as they are, so that "8 fps" can be compared with "8fps".

    >>> kg = ColumnType(kind="measure", decimal=",", unit="kg")
    >>> grams = read_amount("675 g", ColumnType(kind="measure"))
    >>> round(grams.number / read_amount("0,675 kg", kg).number, 6), read_amount("0,675", kg).unit
    (1.0, 'kg')
    >>> read_amount("1.2", ColumnType(kind="number"), "US$ million")
    Amount(number=1200000.0, step=100000.0, of='USD', unit='USD', written=Decimal('1.2'), is_money=True)
    """
    plain = clean(text)
    quantity = None if is_missing(plain) else split_quantity(plain)
    number = read_numeral(quantity.numeral, type.decimal or ".") if quantity else None
    if quantity is None or number is None:
        return None
    label = label_of(quantity.before, quantity.after, type.language)
    if label is None:
        words = " ".join(filter(None, (quantity.before, quantity.after))).casefold()
        return _plain_amount(number, quantity.exponent, words.strip(" .:"), negative=quantity.negative)
    if label == QuantityLabel():
        label = (stated(unit, type.language) if unit else None) or _of_column(type)
    scale = Decimal(label.scale).scaleb(quantity.exponent)
    signed = -number if quantity.negative or (quantity.enclosed and type.parentheses_negative) else number
    step = _last_digit(number) * scale
    if label.currency:
        code = currency_code(label.currency, type.language)
        return Amount(float(signed * scale), float(step), code, code, signed, is_money=True)
    if label.unit is None:
        return Amount(float(signed * scale), float(step), "", "", signed)
    return _measured(signed, signed * scale, step, label.unit)


def _plain_amount(number: Decimal, exponent: int, words: str, *, negative: bool) -> Amount:
    signed, scale = -number if negative else number, Decimal(1).scaleb(exponent)
    return Amount(float(signed * scale), float(_last_digit(number) * scale), words, words, signed)


def _of_column(type: ColumnType) -> QuantityLabel:
    """What the other values of its column make of a plain number."""
    if type.kind == "money" and type.currency:
        return QuantityLabel(type.currency)
    return QuantityLabel(unit=UNITS.get(type.unit or "") if type.kind == "measure" else None)


def _measured(written: Decimal, number: Decimal, step: Decimal, unit: Unit) -> Amount | None:
    base = _base(unit.dimension)
    converted, zero = convert(number, unit, base.symbol), convert(Decimal(0), unit, base.symbol)
    one = convert(step, unit, base.symbol)
    if converted is None or zero is None or one is None:
        return None
    return Amount(converted, abs(one - zero), unit.dimension, unit.symbol, written)


@cache
def _base(dimension: str) -> Unit:
    """The unit in which amounts of a dimension are compared: the first of the lexicon."""
    return next(unit for unit in UNITS.values() if unit.dimension == dimension)


def _last_digit(number: Decimal) -> Decimal:
    exponent = number.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)


# Columns of prices in several currencies: one number format for the column, and the sign of each value as written.


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
