"""Numbers with what stands beside them: plain, money or measure; the column says which one it is."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, lru_cache
from unicodedata import category

from sightline.data._types._lexicon import SCALES, UNITS, Unit, commonest_unit, convert, find_unit
from sightline.data._types._money import currency_code, decide_currency, is_currency, is_tender
from sightline.data._types._numerals import Quantity, decide_separators, read_numeral, split_quantity

# A bare number takes the column's unit only if most of its neighbours name one; a currency is often written
# only in the first and the last row, so one is enough. By judgement; re-run tests/data when changing it.
_UNIT_SHARE = 0.5
# Languages in which "billion" is a thousand times what it is in English.
_LONG_SCALE = ("de", "fr", "es", "it", "nl", "pl", "sv", "da", "nb", "no", "fi", "hu", "cs")
_LARGEST_INTEGER = 2**63 - 1


@dataclass(frozen=True, slots=True)
class QuantityLabel:
    """What the words around a number, or over a column, make of it; and what is doubtful about that."""

    currency: str | None = None
    unit: Unit | None = None
    scale: int = 1
    doubt: str | None = field(default=None, repr=False)

    @property
    def kind(self) -> str:
        """Number, money or measure."""
        return "money" if self.currency else "measure" if self.unit else "number"


@dataclass(frozen=True, slots=True)
class NumberRules:
    """All that a column of numbers has decided."""

    kind: str
    decimal: str
    grouping: str | None = None
    currency: str | None = None
    unit: str | None = None
    integer: bool = False
    parentheses_negative: bool = True
    language: str | None = None
    doubts: tuple[str, ...] = ()


@lru_cache(maxsize=4096)
def label_of(before: str, after: str, language: str | None) -> QuantityLabel | None:
    """Read the words before and after a number; None when they are not all understood.

    >>> label_of("", "kg", None).unit.symbol, label_of("$", "million", None), label_of("", "pairs", None)
    ('kg', QuantityLabel(currency='$', unit=None, scale=1000000), None)
    """
    if not before:
        return _label_after(after, language)
    if not is_currency(before):
        return None
    if is_currency(after):
        return QuantityLabel(after if len(after) == 3 else before)
    scale = scale_of(after, language, with_money=True) if after else 1
    return QuantityLabel(before, scale=scale) if scale else None


def _label_after(after: str, language: str | None) -> QuantityLabel | None:
    if not after:
        return QuantityLabel()
    if is_currency(after):
        return QuantityLabel(after)
    if unit := find_unit(after):
        return QuantityLabel(unit=unit)
    first, _, rest = after.partition(" ")
    scale = scale_of(first, language, with_money=bool(rest))
    if not scale:
        return None
    if not rest:
        return QuantityLabel(scale=scale)
    return QuantityLabel(rest, scale=scale) if is_currency(rest) else None


def scale_of(word: str, language: str | None, *, with_money: bool) -> int | None:
    """How many times a word makes of a number; None when it isn't such a word, or means different things by language.

    >>> scale_of("million", "en", with_money=False), scale_of("billion", "de", with_money=False)
    (1000000, None)
    """
    if word.casefold() in ("m", "b", "t") and with_money:
        return {"m": 10**6, "b": 10**9, "t": 10**12}[word.casefold()]
    is_long = word.casefold().startswith(("billion", "trillion")) and (language or "en")[:2] in _LONG_SCALE
    return None if is_long else SCALES.get(word) or SCALES.get(word.casefold())


def has_leading_zero(plain: str) -> bool:
    """Whether a text is digits with a zero in front that a number would lose, such as a postcode.

    >>> has_leading_zero("001123"), has_leading_zero("0"), has_leading_zero("0.5"), has_leading_zero("0151 234")
    (True, False, False, True)
    """
    digits = plain.lstrip("+-")
    return len(digits) > 1 and digits[0] == "0" and digits[1].isdecimal() and digits.replace(" ", "").isdecimal()


def decide_numbers(
    texts: Mapping[str, int], language: str | None, stated: QuantityLabel | None = None
) -> NumberRules | None:
    """Decide kind, separators, currency and unit of a column of plain texts; None when no text holds a number.

    `stated` is what the heading says of plain numbers. One that scales them leaves them as they are written, since the
    name of the column goes on saying so; values of which only some are scaled by themselves cannot be compared then.
    """
    parts = [(split_quantity(text), count) for text, count in texts.items()]
    read = [(quantity, label, count) for quantity, count in parts if quantity and (label := _label(quantity, language))]
    if not read:
        return None
    is_scaled = {label.scale != 1 for _, label, _ in read} if stated and stated.scale != 1 else {True}
    if len(is_scaled) > 1:
        return None
    numerals: Counter[str] = Counter()
    currencies: Counter[str] = Counter()
    units: Counter[Unit] = Counter()
    for quantity, label, count in read:
        numerals[quantity.numeral] += count
        if label.currency:
            currencies[label.currency] += count
        elif label.unit:
            units[label.unit] += count
    separators = decide_separators(numerals, language)
    doubts = [separators.ambiguous] if separators.ambiguous else []
    negative = not all(quantity.enclosed for quantity, _, _ in read)
    if not negative:
        doubts.append("parentheses: the number is positive, a count, or negative, as in accounts")
    kind, currency, unit = _decide_kind(currencies, units, numerals.total(), language, doubts)
    has_bare = units.total() + currencies.total() < numerals.total()
    if stated and kind != "money" and has_bare and _is_of(units, stated):
        kind, currency, unit = _decide_stated(stated, language, doubts)
    if False in is_scaled:
        doubts.append("scale: the heading scales the values, which are read as they are written")
    integer = kind == "number" and all(_is_whole(quantity, separators.decimal) for quantity, _, _ in read)
    return NumberRules(
        kind, separators.decimal, separators.grouping, currency, unit, integer, negative, language, tuple(doubts)
    )


def _label(quantity: Quantity, language: str | None) -> QuantityLabel | None:
    return label_of(quantity.before, quantity.after, language)


def _decide_kind(
    currencies: Counter[str], units: Counter[Unit], total: int, language: str | None, doubts: list[str]
) -> tuple[str, str | None, str | None]:
    if currencies and currencies.total() >= units.total():
        code, doubtful = decide_currency(currencies, language)
        doubts.extend(doubtful)
        return "money", code, None
    if units and units.total() >= _UNIT_SHARE * total:
        unit, doubt = commonest_unit(units)
        doubts.extend([doubt] if doubt else [])
        return "measure", None, unit.symbol
    return "number", None, None


def _is_of(units: Counter[Unit], stated: QuantityLabel) -> bool:
    """Whether the values with a unit of their own, if any, are of the heading's kind."""
    return not units or (stated.unit is not None and {unit.dimension for unit in units} == {stated.unit.dimension})


def _decide_stated(
    stated: QuantityLabel, language: str | None, doubts: list[str]
) -> tuple[str, str | None, str | None]:
    doubts.extend([stated.doubt] if stated.doubt else [])
    if stated.scale != 1:
        return "number", None, None
    currencies = Counter([stated.currency] if stated.currency else [])
    return _decide_kind(currencies, Counter([stated.unit] if stated.unit else []), 1, language, doubts)


def _is_whole(quantity: Quantity, decimal: str) -> bool:
    if quantity.numeral.isdecimal():
        return not quantity.exponent
    number = read_numeral(quantity.numeral, decimal)
    return number is None or (decimal not in quantity.numeral and "٫" not in quantity.numeral and not quantity.exponent)


def read_number(plain: str, rules: NumberRules) -> int | float | Decimal | None:
    """The number in a plain text under a column's rules, or None when it does not follow them."""
    if plain.isdecimal() and rules.integer and len(plain) < 19:
        return int(plain)
    found = labelled_number(plain, rules)
    return _in_kind(*found, rules) if found else None


def exact_number(plain: str, rules: NumberRules) -> Decimal | None:
    """The number as it is written, for comparison; None where it was converted from another unit."""
    found = labelled_number(plain, rules)
    if found is None:
        return None
    number, label = found
    return number if label.unit is None or label.unit.symbol == rules.unit else None


def labelled_number(plain: str, rules: NumberRules) -> tuple[Decimal, QuantityLabel] | None:
    """The number in a plain text, scaled and signed, and what stands beside it."""
    quantity = split_quantity(plain)
    label = _label(quantity, rules.language) if quantity else None
    if quantity is None or label is None:
        return None
    number = read_numeral(quantity.numeral, rules.decimal)
    if number is None:
        return None
    if quantity.negative or (quantity.enclosed and rules.parentheses_negative):
        number = -number
    return number.scaleb(quantity.exponent) * label.scale, label


def _in_kind(number: Decimal, label: QuantityLabel, rules: NumberRules) -> int | float | Decimal | None:
    if rules.kind == "money":
        return number if _is_of_currency(label, rules) else None
    if rules.kind == "measure" and not label.currency:
        return convert(number, label.unit, rules.unit or "") if label.unit else float(number)
    if rules.kind != "number" or label.kind != "number":
        return None
    if not rules.integer:
        return float(number)
    return int(number) if abs(number) <= _LARGEST_INTEGER and number == number.to_integral_value() else None


def _is_of_currency(label: QuantityLabel, rules: NumberRules) -> bool:
    if label.unit:
        return False
    return label.currency is None or currency_code(label.currency, rules.language) == rules.currency


# -- what a heading says that the values below it are in: a currency, a unit, a scale, or several of them -----------

LONGEST = 40  # characters; no unit that we know is longer, with its scale and currency
_FEWEST_LETTERS = 3  # of a scale that stands alone: M is also male, k also a constant

# What means a unit beside a number may mean something else in a heading, where no number stands beside it. Such a word
# is reported as the column's unit, as written; the values stay plain numbers.
_OPEN = {
    "min": "minutes or a minimum", "ct": "carats or cents", "K": "kelvin or thousands", "kt": "knots or kilotonnes",
    "pound": "mass or money", "pounds": "mass or money", "MP": "megapixels or something that is counted",
    "PB": "petabytes or a personal best", "PS": "horsepower or something else", "HP": "horsepower or something else",
    "Std": "hours or a standard deviation", "sm": "nautical miles or something else", "Mo": "megabytes or months",
    "an": "years or something else", "ore": "hours or something else", "mo": "months or something else",
}  # fmt: skip
_WHEN = "year month week day hour minute second Jahr Monat Woche Tag Stunde Minute Sekunde jour semaine"
_OPEN |= dict.fromkeys(_WHEN.split(), "how long something takes, or when it was")
# Codes of currencies that are words or shorthand in headings of counts: goals by penalties (PEN), tries (TRY).
_CODES = "ALL CUP TOP TRY PEN MOP MAD COP GEL BOB SOS RON ANG"
_OPEN |= dict.fromkeys(_CODES.split(), "money or something else")

_OF = re.compile(r"\s+(?:of|de|di|von)\s+")
_THOUSANDS = re.compile(r"(?:[x×]\s?)?(?:1[., ]?)?000(?:s|'s)?|'000s?", re.ASCII)
_GLUED = re.compile(r"(\S*?[^\w\s])('?000s?|k|K|m|M|mn|bn|Bn|b|B)")
_SQUARE = re.compile(r"(?:sq\.?|square)\s?(\w+)", re.IGNORECASE)
_RATE = re.compile(r"\s?/\s?|\s(?:per|pro|par|por|je)\s")


@lru_cache(maxsize=1024)
def stated(text: str, language: str | None = None) -> QuantityLabel | None:
    """What a heading's unit says of plain numbers; None when it is not understood as a whole.

    What may mean something else as well says nothing of them; the label's `doubt` tells why.

    >>> stated("US$ million"), stated("'000 t").scale, stated("2020")
    (QuantityLabel(currency='US$', unit=None, scale=1000000), 1000, None)
    >>> stated("min").doubt
    'unit: min in the heading is minutes or a minimum'
    """
    text = text.replace("’", "'")
    if not text or len(text) > LONGEST:
        return None
    if text in _OPEN:
        return QuantityLabel(doubt=f"unit: {text} in the heading is {_OPEN[text]}")
    if whole := _single(text):
        return whole
    if scale := _scale_alone(text, language):
        return QuantityLabel(scale=scale)
    return _scaled(_OF.sub(" ", text), language)


@cache
def _units() -> frozenset[str]:
    return frozenset(unit.symbol for unit in UNITS.values())


def is_unit(text: str, *, alone: bool = False) -> bool:
    """Whether a text names a unit, a currency or a scale, or a rate of which one part does.

    Of what is a whole heading only signs and symbols count: a column named "Year" isn't a column of durations.

    >>> is_unit("€/kg"), is_unit("people per km²"), is_unit("English"), is_unit("Year", alone=True)
    (True, True, False, False)
    """
    if alone:
        is_sign = any(category(character) == "Sc" or character in "%‰" for character in text)
        return text not in _OPEN and (is_sign or (len(text) > 1 and text in _units())) and _single(text) is not None
    if stated(text) is not None:
        return True
    parts = _RATE.split(text) if len(text) <= LONGEST else []
    return len(parts) == 2 and all(parts) and any(_is_firm(part) for part in parts)


def _is_firm(part: str) -> bool:
    """Whether a part of a rate is a unit or money beyond doubt: W/L is won and lost."""
    return (len(part) > 1 or not part.isalnum()) and stated(part) is not None


def _single(text: str) -> QuantityLabel | None:
    if is_currency(text) and (not text.isalpha() or not text.isascii() or not text.isupper() or is_tender(text)):
        return QuantityLabel(text)
    unit = find_unit(text) or _squared(text)
    if unit is None:
        return None
    is_letter = len(text) == 1 and text.isalpha()
    return QuantityLabel(
        unit=unit, doubt=f"unit: {text} in the heading is taken for {unit.dimension}" if is_letter else None
    )


def _squared(text: str) -> Unit | None:
    match = _SQUARE.fullmatch(text)
    side = find_unit(match[1]) if match else None
    return UNITS.get(f"{side.symbol}²") if side else None


def _scale_alone(text: str, language: str | None) -> int | None:
    """A scale without anything that it scales; a bare 1000 is not one, since it may also number equal names."""
    if _THOUSANDS.fullmatch(text):
        return None if text in ("1000", "000") else 1000
    return _scale(text, language) if len(text) >= _FEWEST_LETTERS and text.casefold() != "mil" else None


def _scaled(text: str, language: str | None) -> QuantityLabel | None:
    """A scale before or behind a currency or a unit, or glued to a sign."""
    first, _, behind = text.partition(" ")
    before, _, last = text.rpartition(" ")
    for scale_word, rest in ((first, behind), (last, before)):
        if rest and (found := _times(scale_word, rest, language)):
            return found
    glued = _GLUED.fullmatch(text)
    return _times(glued[2], glued[1], language) if glued else None


def _times(scale_word: str, rest: str, language: str | None) -> QuantityLabel | None:
    label = None if rest in _OPEN else _single(rest)
    if label is None:
        return None
    if _THOUSANDS.fullmatch(scale_word):
        scale: int | None = 1000
    elif label.currency:
        scale = scale_of(scale_word, language, with_money=True) or _scale(scale_word, language)
    else:
        scale = _scale(scale_word, language) if len(scale_word) >= _FEWEST_LETTERS else None
    return QuantityLabel(label.currency, label.unit, scale) if scale else None


def _scale(word: str, language: str | None) -> int | None:
    """The scale of a word, also in the plural."""
    for spelling in (word, word.removesuffix("s")):
        if scale := scale_of(spelling, language, with_money=False):
            return scale
    return None
