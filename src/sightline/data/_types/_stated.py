"""What a heading says that the values below it are in: a currency, a unit, a scale, or several of them."""

import re
from functools import cache, lru_cache
from unicodedata import category

from sightline.data._types._lexicon import UNITS, Unit, find_unit
from sightline.data._types._money import is_currency, is_tender
from sightline.data._types._quantities import QuantityLabel, scale_of

__all__ = ["is_unit", "stated"]

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
