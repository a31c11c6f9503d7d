"""What two records share and where they differ, as spans of their texts, for people to see at once.

The spans are found by the same words, codes and numbers that the evidence is made of.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from sightline.flow.match._texts import is_code, plain_code, plain_number

MarkKind: TypeAlias = Literal["shared code", "other code", "shared word", "shared number", "other number", "other unit"]
"""What a span says: a model number, word or number that both have, or one that only this record has."""

# Written behind a number, these are a unit; the list is that of the product catalogues of bench/flow, and metric ones.
UNITS = frozenset(
    (
        *("mm", "cm", "m", "km", "in", "inch", "inches", "ft", "yd"),
        *("kg", "g", "mg", "lb", "lbs", "oz", "l", "ml", "cl", "gal"),
        *("w", "kw", "wh", "kwh", "v", "mv", "a", "ma", "mah", "watt", "watts", "volt", "volts"),
        *("hz", "khz", "mhz", "ghz", "bit", "kb", "mb", "gb", "tb"),
        *("mp", "mpx", "megapixel", "megapixels", "k", "p", "fps", "rpm", "db", "dpi", "ppm"),
        *("pages", "sheets", "pack", "pcs", "pc", "h", "hour", "hours", "min", "s", "ms"),
    )
)
_WORD = re.compile(r"\S+")
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)+")  # is a number, however long
_QUANTITY = re.compile(
    r"(\d+(?:[.,]\d+)*(?:-\d+(?:[.,]\d+)*)?)\s?-?([a-zµ]{1,10}(?:/[a-z]{1,4})?|[\"″”'′%])?(?![a-z0-9])", re.IGNORECASE
)
_MARKS_OF_INCH = '"″”'
_LEAST_WORD = 2  # letters; single ones are shared by accident
_ABOUT = 0.05  # of the price: what differs by less is about the same
_TWICE = 1.95  # times as much are told as times, less as per cent


@dataclass(frozen=True)
class TextMark:
    """A span of a text, from `start` up to `end`."""

    start: int
    end: int
    kind: MarkKind


@dataclass(frozen=True)
class RecordMarks:
    """The marks of two records by field, and the texts that were marked, by what they say."""

    left: Mapping[str, tuple[TextMark, ...]]
    right: Mapping[str, tuple[TextMark, ...]]

    def texts(self, side: Literal["left", "right"], kind: MarkKind, fields: Mapping[str, str]) -> list[str]:
        """The different texts that are marked as something on one side."""
        marks = self.left if side == "left" else self.right
        found = [
            fields[name][mark.start : mark.end] for name, own in marks.items() for mark in own if mark.kind == kind
        ]
        return list(dict.fromkeys(found))


@dataclass(frozen=True)
class _Quantity:
    start: int
    end: int
    number: str
    unit: str


class _Side:
    """What the fields of one record are made of, with the places of all of it."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.words = {name: list(_words(text)) for name, text in fields.items()}
        self.quantities = {name: list(_quantities(text)) for name, text in fields.items()}
        amounts = {
            word for name in fields for word in _amount_words(self.words[name], self.quantities[name], fields[name])
        }
        self.codes = {plain for own in self.words.values() for _, _, plain in own if _is_telling(plain)} - amounts
        self.joined = {
            one[2] + two[2] for own in self.words.values() for one, two in pairwise(own) if is_code(one[2] + two[2])
        }
        self.plain = {plain for own in self.words.values() for _, _, plain in own if len(plain) >= _LEAST_WORD}
        self.numbers = {one.number for own in self.quantities.values() for one in own}
        self.amounts = {(one.number, one.unit) for own in self.quantities.values() for one in own if one.unit}

    def without(self, marks: Mapping[str, Sequence[TextMark]]) -> "_Side":
        """The same without numbers that are parts of what is marked already, such as the 1008 of DGS 1008P."""
        left = copy(self)
        left.quantities = {
            name: [one for one in own if not any(one.start < mark.end and mark.start < one.end for mark in marks[name])]
            for name, own in self.quantities.items()
        }
        left.numbers = {one.number for own in left.quantities.values() for one in own}
        left.amounts = {(one.number, one.unit) for own in left.quantities.values() for one in own if one.unit}
        return left


def record_marks(left: Mapping[str, str], right: Mapping[str, str]) -> RecordMarks:
    """The marks of two records, each with its texts by field.

    >>> found = record_marks({"name": "Sony DSCW150 64 GB"}, {"name": "SONY DSC-W150, 32 GB"})
    >>> [(mark.kind, "SONY DSC-W150, 32 GB"[mark.start : mark.end]) for mark in found.right["name"]]
    [('shared word', 'SONY'), ('shared code', 'DSC-W150'), ('other number', '32 GB')]
    """
    one, two = _Side(left), _Side(right)
    codes = _code_marks(one, two), _code_marks(two, one)
    one, two = one.without(codes[0]), two.without(codes[1])
    return RecordMarks(_marks(one, two, codes[0]), _marks(two, one, codes[1]))


def price_words(left: float, right: float) -> str | None:
    """How a price compares with another, in words; None if one is not known.

    >>> price_words(299.0, 99.0), price_words(88.0, 100.0), price_words(101.0, 100.0)
    ('3.0 times as much', '12 % less', 'about the same')
    """
    if left <= 0 or right <= 0:
        return None
    ratio = left / right
    if abs(ratio - 1) < _ABOUT:
        return "about the same"
    if ratio >= _TWICE:
        return f"{ratio:.1f} times as much"
    if ratio <= 1 / _TWICE:
        return f"{ratio:.0%} of it".replace("%", " %")
    return f"{abs(ratio - 1) * 100:.0f} % {'more' if ratio > 1 else 'less'}"


# ---------------------------------------------------------------------- one side against the other


def _marks(own: _Side, other: _Side, codes: Mapping[str, list[TextMark]]) -> dict[str, tuple[TextMark, ...]]:
    differing = _differing_codes(own, other) if _differing_codes(other, own) else set()
    found = {}
    for name in own.words:
        taken = list(codes[name])
        others = [TextMark(start, end, "other code") for start, end, plain in own.words[name] if plain in differing]
        for marks in (_quantity_marks(own, other, name), others, _word_marks(own, other, name)):
            # What was marked first says more.
            taken += [mark for mark in marks if not any(_overlap(mark, before) for before in taken)]
        found[name] = tuple(sorted(taken, key=lambda mark: mark.start))
    return found


def _code_marks(own: _Side, other: _Side) -> dict[str, list[TextMark]]:
    """Model numbers that both have, whatever marks or blanks are in them."""
    found: dict[str, list[TextMark]] = {}
    known = other.codes | other.joined
    for name, words in own.words.items():
        pairs = [(start, end, first + second) for (start, _, first), (_, end, second) in pairwise(words)]
        wide = [TextMark(start, end, "shared code") for start, end, both in pairs if both in other.codes]
        single = [
            TextMark(start, end, "shared code") for start, end, plain in words if plain in own.codes and plain in known
        ]
        found[name] = wide + [mark for mark in single if not any(_overlap(mark, before) for before in wide)]
    return found


def _quantity_marks(own: _Side, other: _Side, name: str) -> Iterator[TextMark]:
    """Numbers that both have, and those that differ; a number with its unit is one."""
    both_differ = bool(own.numbers - other.numbers) and bool(other.numbers - own.numbers)
    for one in own.quantities[name]:
        units = {unit for number, unit in other.amounts if number == one.number}
        if one.number in other.numbers:
            is_other = bool(one.unit and units) and one.unit not in units
            yield TextMark(one.start, one.end, "other unit" if is_other else "shared number")
        elif both_differ:
            yield TextMark(one.start, one.end, "other number")


def _word_marks(own: _Side, other: _Side, name: str) -> Iterator[TextMark]:
    for start, end, plain in own.words[name]:
        if plain in other.plain and not plain.isdigit():
            yield TextMark(start, end, "shared word")


def _differing_codes(own: _Side, other: _Side) -> set[str]:
    """Model numbers that the other has not."""
    return {code for code in own.codes - other.codes if not any(code in one for one in other.joined)}


# ---------------------------------------------------------------------- texts


def _words(text: str) -> Iterator[tuple[int, int, str]]:
    """The words of a text without the marks around them, with their places and as they are compared."""
    for found in _WORD.finditer(text):
        start = found.start() + _leading(found[0])
        end = found.end() - _leading(found[0][::-1])
        plain = plain_code(text[start:end].lower())
        if start < end and plain:
            yield start, end, plain


def _leading(word: str) -> int:
    return next((at for at, letter in enumerate(word) if letter.isalnum()), len(word))


def _quantities(text: str) -> Iterator[_Quantity]:
    """The numbers of a text that are words of their own, each with its unit if it has one."""
    for found in _QUANTITY.finditer(text):
        before = text[found.start() - 1] if found.start() else " "
        if before.isalnum() or (before in "-./" and found.start() > 1 and text[found.start() - 2].isalnum()):
            continue
        said = (found[2] or "").lower()
        unit = "in" if said in (*_MARKS_OF_INCH, "inch", "inches") and said else said
        if said and said.partition("/")[0] not in UNITS and said not in "\"″”'′%":
            if not _ends_word(text, found.end(1)):
                continue  # such as the 10 of 10x42
            yield _Quantity(found.start(), found.end(1), plain_number(found[1]), "")
        else:
            yield _Quantity(found.start(), found.end(2) if said else found.end(1), plain_number(found[1]), unit)


def _amount_words(words: Sequence[tuple[int, int, str]], quantities: Sequence[_Quantity], text: str) -> Iterator[str]:
    """Words that look like model numbers, and are numbers or quantities, such as 1.199,00 and 64GB."""
    places = {(one.start, one.end) for one in quantities if one.unit}
    yield from (plain for start, end, plain in words if (start, end) in places or _AMOUNT.fullmatch(text[start:end]))


def _ends_word(text: str, at: int) -> bool:
    return at >= len(text) or not (text[at].isalnum() or (text[at] == "-" and text[at + 1 : at + 2].isalnum()))


def _is_telling(plain: str) -> bool:
    """Whether letters and digits are mixed, as in model numbers; short ones count as well where people look at them."""
    return len(plain) >= _LEAST_WORD and (is_code(plain) or (not plain.isdigit() and not plain.isalpha()))


def _overlap(one: TextMark, two: TextMark) -> bool:
    return one.start < two.end and two.start < one.end
