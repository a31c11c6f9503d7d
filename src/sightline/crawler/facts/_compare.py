"""Values that can be compared: what a text means in its column, and when two of them agree."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import lru_cache
from typing import TypeAlias

from sightline.data import Amount, Column, ColumnType, Value, infer, read_amount, read_title

HALF = 0.5 * (1 + 1e-6)  # of a step: the most that rounding changes, with some room for binary fractions
SAME = 1e-9  # relative; amounts of money are the same or they are not
DOUBTS = ("decimal separator", "date order")  # of a column's type, that make a reading doubtful
_FLAGS = {
    **dict.fromkeys(("yes", "y", "true", "✓", "✔", "✅", "☑", "ja", "oui", "si", "sí"), "yes"),
    **dict.fromkeys(("no", "n", "false", "✗", "✘", "✕", "❌", "nein", "non"), "no"),
}
_ABOUT = re.compile(r"(?:approx\.?|approximately|about|circa|ca\.?|c\.)\s+(?=\d)", re.IGNORECASE)
_BEHIND = re.compile(r"(.*\S)\s*\([^()]*\)\Z", re.DOTALL)
_TIMES = re.compile(r"\s*[x×✕*]\s*(?=\d)|\s+by\s+(?=\d)", re.IGNORECASE)
_MONTH = re.compile(r"[^\W\d]{3,}\.?,? (\d{4})")
_YEAR = re.compile(r"1\d{3}|2[0-2]\d\d")
_PRECISIONS = ("", "day", "month", "year")
_BARE = re.compile(r"[\d.,'\s×x*+−–-]+")
_LAST_UNIT = re.compile(r"[^\d.,]*\Z")

Exact: TypeAlias = str | tuple[str, ...] | date


@dataclass(frozen=True, slots=True)
class Comparable:
    """What a text means: amounts (several for a size), a date with its precision, a yes or no, or the text alone.

    Values with equal `key`s are equal. `doubt` says what the column did not settle about it; `is_bare` that its number
    has no unit beside it.
    """

    text: str
    key: Exact
    amounts: tuple[Amount, ...] = ()
    day: date | None = None
    precision: str = ""
    doubt: str = ""
    is_bare: bool = False

    @property
    def shown(self) -> str:
        """The text, with the unit that its heading or its column has for it."""
        unit = self.amounts[-1].unit if self.amounts and self.is_bare else ""
        return f"{self.text} {unit}" if unit else self.text

    @property
    def coarseness(self) -> int:
        """Whether a date is one of a day, a month or a year."""
        return _PRECISIONS.index(self.precision)

    @property
    def step(self) -> float:
        """How coarse it is; the finest values are compared with first."""
        return max((amount.step for amount in self.amounts), default=0.0)


def comparables(
    heading: str, texts: Sequence[str], language: str | None, decimal: str | None = None
) -> dict[str, Comparable]:
    """What each text under a heading of one site means; `decimal` is the site's mark where the column alone is unclear.

    >>> found = comparables("Weight", ["675 g", "0.68 kg"], "en")
    >>> agree(found["675 g"], found["0.68 kg"])
    True
    >>> found = comparables("Weight (kg)", ["1,234"], "en", decimal=",")
    >>> found["1,234"].amounts[0].written
    Decimal('1.234')
    """
    column = Column(heading, tuple(map(Value, texts)), language=language)
    usual = _settled(column.usual, decimal)
    return {text: _comparable(text, usual, column.unit, decimal) for text in dict.fromkeys(texts)}


def decimal_marks(columns: Iterable[tuple[str, Sequence[str], str | None]]) -> str | None:
    """The decimal mark that the clear columns of a site use: heading, texts and language of each; None if none is.

    >>> decimal_marks([("Weight", ["0,675 kg", "0,7 kg"], None), ("Price", ["1.200,00 €"], None)])
    ','
    """
    votes: Counter[str] = Counter()
    for heading, texts, language in columns:
        marked = [text for text in texts if re.search(r"\d[.,]\d", text)]
        if not marked:
            continue
        usual = Column(heading, tuple(map(Value, marked)), language=language).usual
        if usual.decimal and not _doubts(usual):
            votes[usual.decimal] += len(marked)
    (first, count), *others = votes.most_common() or [("", 0)]
    return first if first and (not others or count > others[0][1]) else None


def _settled(usual: ColumnType, decimal: str | None) -> ColumnType:
    """A type whose decimal mark is the site's where its own values leave it open."""
    if decimal is None or not any(doubt.startswith(DOUBTS[0]) for doubt in usual.ambiguous):
        return usual
    kept = tuple(doubt for doubt in usual.ambiguous if not doubt.startswith(DOUBTS[0]))
    return replace(usual, decimal=decimal, grouping=None, ambiguous=kept)


def _doubts(type: ColumnType) -> str:
    return next((doubt for doubt in type.ambiguous if doubt.startswith(DOUBTS)), "")


def _comparable(text: str, usual: ColumnType, unit: str | None, decimal: str | None) -> Comparable:
    plain = _ABOUT.sub("", without_notes(text))
    flag = _FLAGS.get(plain.casefold().strip(" ."))
    if flag:
        return Comparable(text, flag)
    for part in _parts(plain):
        type = _type_of(part, usual, unit, decimal)
        if found := _dated(text, part, type) or _measured(text, part, type, unit):
            return found
    return Comparable(text, text_key(plain))


def _parts(plain: str) -> Iterable[str]:
    """A text without what is in brackets behind it, such as 0.675 kg (1.49 lb), and with it."""
    behind = _BEHIND.fullmatch(plain)
    if behind:
        yield behind[1]
    yield plain


def _type_of(part: str, usual: ColumnType, unit: str | None, decimal: str | None) -> ColumnType:
    """The type of the column if the text follows it, else its own, with the decimal mark of column or site."""
    if usual.kind != "text" and usual.parse(part) is not None:
        return usual
    own = _own_type(part, usual.language, unit)
    return replace(own, decimal=usual.decimal or decimal) if usual.decimal or decimal else own


@lru_cache(maxsize=16384)
def _own_type(part: str, language: str | None, unit: str | None) -> ColumnType:
    return infer([part], language, unit=unit)


def _dated(text: str, part: str, type: ColumnType) -> Comparable | None:
    if type.kind == "date":
        value = type.parse(part)
        day = value.date() if isinstance(value, datetime) else value
        return Comparable(text, day, (), day, "day", _doubts(type)) if isinstance(day, date) else None
    if _MONTH.fullmatch(part):
        first = infer([f"1 {part}"], type.language)
        day = first.parse(f"1 {part}") if first.kind == "date" else None
        if isinstance(day, date):
            return Comparable(text, (f"{day:%Y-%m}",), (), day, "month")
    return None


def _measured(text: str, part: str, type: ColumnType, unit: str | None) -> Comparable | None:
    amount = read_amount(part, type, unit)
    if amount:
        year = date(int(part), 1, 1) if _YEAR.fullmatch(part) and not amount.of else None
        # “4 x” has its unit beside it, though an x is also a sign between numbers.
        bare = _BARE.fullmatch(part) is not None and not (amount.unit and amount.unit in part)
        return Comparable(text, _amount_key(amount), (amount,), year, "year" if year else "", _doubts(type), bare)
    sides = _TIMES.split(part)
    if len(sides) < 2:
        return None
    last = _LAST_UNIT.search(sides[-1])
    own = last[0].strip() if last else ""
    amounts = [read_amount(side if not own or _ends_with_unit(side) else f"{side} {own}", type, unit) for side in sides]
    if not all(amounts):
        return None
    told = tuple(amount for amount in amounts if amount)
    keys = (key for amount in told for key in _amount_key(amount))
    return Comparable(text, ("size", *keys), told, is_bare=_BARE.fullmatch(part) is not None)


def _ends_with_unit(side: str) -> bool:
    return not side.rstrip()[-1:].isdigit()


def _amount_key(amount: Amount) -> tuple[str, ...]:
    return amount.of, f"{amount.number:.9g}"


def agree(first: Comparable, second: Comparable) -> bool:
    """Whether two values say the same, as far as the less precise of them can say it.

    Measures agree within the rounding of the coarser one, dates as far as both go; money of two currencies never does.

    >>> price = lambda text: comparables("Price", [text], "en")[text]
    >>> agree(price("$1,200.00"), price("1200 USD")), agree(price("$1,200"), price("1,200 €"))
    (True, False)
    """
    if first.key == second.key:
        return True
    if first.day and second.day and (first.precision, second.precision) != ("year", "year"):
        return _same_day(first, second)
    if len(first.amounts) != len(second.amounts) or not first.amounts:
        return not first.amounts and not second.amounts and text_key(first.text) == text_key(second.text)
    return all(map(_same_amount, first.amounts, second.amounts))


def _same_day(first: Comparable, second: Comparable) -> bool:
    assert first.day and second.day
    precisions = {first.precision, second.precision}
    if "year" in precisions:
        return first.day.year == second.day.year
    same_month = (first.day.year, first.day.month) == (second.day.year, second.day.month)
    return same_month and ("month" in precisions or first.day == second.day)


def _same_amount(first: Amount, second: Amount) -> bool:
    if first.of != second.of:
        return False
    apart = abs(first.number - second.number)
    if first.is_money:
        return apart <= SAME * max(abs(first.number), abs(second.number))
    return apart <= HALF * max(first.step, second.step)


def with_unit(value: Comparable, unit: str) -> Comparable:
    """A value of plain numbers, read in a unit that other sites write.

    >>> with_unit(comparables("Sensor", ["24.2"], "en")["24.2"], "MP").amounts[0].of
    'pixels'
    """
    amounts = [read_amount(f"{amount.written} {unit}", ColumnType(decimal=".")) for amount in value.amounts]
    if not amounts or not all(amounts):
        return value
    told = tuple(amount for amount in amounts if amount)
    keys = tuple(key for amount in told for key in _amount_key(amount))
    return replace(value, amounts=told, key=keys if len(told) == 1 else ("size", *keys), day=None, precision="")


def units_of(values: Iterable[Comparable]) -> Mapping[str, int]:
    """The units that values were written in, with how often each was."""
    return Counter(amount.unit for value in values for amount in value.amounts[:1] if amount.of)


# -- names that mean the same thing: keys of subjects, attributes and texts -----------------------------------------
# Case, accents, punctuation and word order do not matter; digits always do. "Canon EOS 5D", "canon eos-5d" and "EOS 5D
# (Canon)" have a key in common, "EOS 50D" and "EOS 5D Mark II" have none with them.

_TOKEN = re.compile(r"[^\W_]+(?:(?<=\d)[.,](?=\d)[^\W_]+)*|[+#%&$€£¥<>=±°]")
_APOSTROPHES = re.compile(r"['’ʼ`´]")
_MARKS = re.compile("[™®©℠\u200b-\u200f\u00ad\ufeff]")
_NOTE = re.compile(r"\s*(?:\[(?:\d{1,3}|[a-z]{1,2}|(?:note|nb|fn) ?\d{1,3})\]|[*†‡§¶]+)\Z", re.IGNORECASE)
_EDITION = re.compile(r"(?:mark|mk)(\d{1,2}|i|ii|iii|iv|v|vi|vii|viii|ix|x)?\Z")
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
# Words at the end of a page's heading that say what kind of page it is, not what it is about.
_PAGE_WORDS = "data datasheet details features full key overview price prices review reviews sheet spec specification"
_KINDS_OF_PAGE = frozenset((*_PAGE_WORDS.split(), "specifications", "specs", "technical", "test"))
_TITLE_PARTS = re.compile(r"\s+[|–—·»:-]+\s+|\s*[|»]\s*|\s*::\s*|:\s+")
_SMALL = frozenset(("the", "of", "a", "an", "in"))
# Spellings on both sides of the Atlantic that headings of data use.
_SPELLINGS = {"colour": "color", "grey": "gray", "aluminium": "aluminum", "metre": "meter", "litre": "liter"}
_SHORTEST_PLURAL = 4  # letters: "specs", but not "gas"


@dataclass(frozen=True, slots=True)
class NameKey:
    """What two spellings of one name have in common: their words in any order, or all their letters in a row."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    letters: str

    @property
    def in_any_order(self) -> str:
        """The words sorted; those with digits in the order of the name, since that may mean something."""
        return f"{' '.join(self.words)}|{' '.join(self.numbers)}"


@lru_cache(maxsize=65536)
def name_key(text: str) -> NameKey:
    """The key of a name; its parts are empty if it has neither letters nor digits.

    >>> name_key("Canon EOS 5D").in_any_order == name_key("EOS-5D (Canon)").in_any_order
    True
    >>> name_key("Canon EOS5D").letters == name_key("canon eos-5d").letters, name_key("A1 1") == name_key("A 11")
    (True, False)
    >>> name_key("5D Mark II").in_any_order == name_key("5D Mk2").in_any_order
    True
    """
    return _key(_tokens(text))


def _key(tokens: list[str]) -> NameKey:
    words = tuple(sorted(token for token in tokens if not _has_digit(token)))
    return NameKey(words, tuple(token for token in tokens if _has_digit(token)), _in_a_row(tokens))


def _tokens(text: str) -> list[str]:
    plain = _MARKS.sub("", _APOSTROPHES.sub("", without_notes(text)))
    tokens = _TOKEN.findall(_folded(plain))
    if plain.lstrip()[:1] in "-−" and tokens and tokens[0][0].isdigit():
        tokens[0] = f"-{tokens[0]}"
    return _with_editions(["and" if token == "&" else token for token in tokens])


def _with_editions(tokens: list[str]) -> list[str]:
    """Mark II, Mk II, MkII and Mark 2 as one spelling."""
    told: list[str] = []
    for token in tokens:
        edition = _EDITION.match(token)
        if edition:
            told.append("mark")
            told += [_in_figures(edition[1])] if edition[1] else []
        else:
            told.append(_in_figures(token) if told[-1:] == ["mark"] else token)
    return told


def _in_figures(token: str) -> str:
    return str(_ROMAN.get(token, token))


def _folded(text: str) -> str:
    """Small letters without the accents of Latin ones."""
    parts = (unicodedata.normalize("NFD", letter) for letter in unicodedata.normalize("NFKC", text).casefold())
    return "".join(part[0] if part[0].isascii() else unicodedata.normalize("NFC", part) for part in parts)


def _has_digit(token: str) -> bool:
    return any(character.isdigit() for character in token)


def _in_a_row(tokens: list[str]) -> str:
    """All tokens without blanks, but with a stroke where two numbers would run into one."""
    row = ""
    for token in tokens:
        row += "|" * (row[-1:].isdigit() and token[0].isdigit()) + token
    return row


def without_notes(text: str) -> str:
    """A text on one line without the marks of notes at its end.

    >>> without_notes(" EOS  5D [1]*")
    'EOS 5D'
    """
    plain = " ".join(text.split())
    while (shorter := _NOTE.sub("", plain)) != plain:
        plain = shorter
    return plain


@lru_cache(maxsize=65536)
def text_key(text: str) -> str:
    """What texts have in common that differ only in case, blanks and punctuation; the text itself if it has no words.

    >>> text_key("Full-frame ") == text_key("full frame"), text_key("24–70 mm") == text_key("24-70mm")
    (True, True)
    """
    return _in_a_row(_tokens(text)) or " ".join(text.split())


def attribute_label(heading: str) -> str:
    """The name of an attribute: the heading without its unit and marks of notes.

    >>> attribute_label("Weight in grams"), attribute_label("weight (g)*")
    ('Weight', 'weight')
    """
    return read_title(" ".join(heading.split()).rstrip(" :")).label.rstrip(" :")


@lru_cache(maxsize=16384)
def attribute_key(heading: str) -> NameKey:
    """The key of an attribute: its words in the singular, without unit, articles and punctuation.

    >>> attribute_key("Shutter speed (max.)").in_any_order == attribute_key("Max shutter speed").in_any_order
    True
    >>> attribute_key("Weight in grams").letters, attribute_key("Wi-Fi").letters == attribute_key("WiFi").letters
    ('weight', True)
    """
    words = [token for token in _tokens(attribute_label(heading)) if token not in _SMALL]
    return _key([_spelling(word) for word in words])


def _spelling(word: str) -> str:
    single = word.removesuffix("s") if len(word) > _SHORTEST_PLURAL and not word.endswith("ss") else word
    return _SPELLINGS.get(single, single)


def page_subject(heading: str, repeated: frozenset[str] = frozenset()) -> str:
    """What a page is about by its heading or title, without parts in `repeated` and words for its kind; may be empty.

    >>> page_subject("Canon EOS 5D – Specifications | Camera World", frozenset({"cameraworld"}))
    'Canon EOS 5D'
    >>> page_subject("Technical data")
    ''
    """
    kept = [part for part in title_parts(heading) if text_key(part) not in repeated]
    return " ".join(told for part in kept if (told := _without_kind(part)))


def title_parts(title: str) -> list[str]:
    """The parts of a title between strokes, dashes and colons.

    >>> title_parts("Canon EOS-5D: Review | Camera World")
    ['Canon EOS-5D', 'Review', 'Camera World']
    """
    return [part.strip() for part in _TITLE_PARTS.split(without_notes(title)) if part and part.strip()]


def _without_kind(part: str) -> str:
    words = part.split()
    while words and words[-1].strip("().,!").casefold() in _KINDS_OF_PAGE:
        words.pop()
    return " ".join(words)
