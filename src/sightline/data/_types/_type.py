"""The type of a column: what was decided, and how to parse values accordingly."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import MAXYEAR, MINYEAR, date, datetime, time
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from sightline.data._types._dates import DateRules, decide_dates, decide_time, read_date, read_time
from sightline.data._types._numerals import clean, counted, is_inexact, is_missing, says_nothing
from sightline.data._types._quantities import (
    NumberRules,
    decide_numbers,
    exact_number,
    has_leading_zero,
    read_number,
    stated,
)
from sightline.errors import UsageError

FLOAT_DIGITS = 15  # which a float always keeps

ColumnKind: TypeAlias = Literal["number", "money", "date", "time", "url", "email", "measure", "text"]
"""What the values of a column are."""

Typed: TypeAlias = int | float | Decimal | date | datetime | time | str
"""What a text may become; a `str` in columns of text, URLs and e-mail, and for dates without a year."""


@dataclass(frozen=True, kw_only=True)
class ColumnType:
    """How to parse all values of a column; made by `infer`, or by hand to overrule it.

    `ambiguous` says in words what the values alone did not settle; `share` is the share of the present values that
    could be parsed.

    >>> ColumnType(kind="money", decimal=",", currency="EUR").parse("1.234,50 €")
    Decimal('1234.50')
    """

    kind: ColumnKind = "text"
    language: str | None = None
    decimal: str | None = None
    grouping: str | None = None
    integer: bool = False
    parentheses_negative: bool = True
    currency: str | None = None
    unit: str | None = None
    date_order: str | None = None
    with_time: bool = False
    zoned: bool = False
    without_year: bool = False
    year: int | None = None
    leading_zeros: bool = False
    ambiguous: tuple[str, ...] = ()
    share: float = 1.0

    def __post_init__(self) -> None:
        """Reject unknown kinds and orders."""
        if self.kind not in get_args(ColumnKind):
            raise UsageError(f"{self.kind!r} is not a kind of column; use one of {', '.join(get_args(ColumnKind))}.")
        if self.date_order not in (None, "DMY", "MDY", "YMD"):
            raise UsageError(f"{self.date_order!r} is not an order of dates; use DMY, MDY or YMD.")
        if self.year is not None and not MINYEAR <= self.year <= MAXYEAR:
            raise UsageError(f"{self.year!r:.60} is not a year; use one from {MINYEAR} to {MAXYEAR}.")
        if not 0 <= self.share <= 1:
            raise UsageError(f"{self.share!r:.60} is not a share of the values; use one from 0 to 1.")

    def parse(self, text: str) -> Typed | None:
        """The typed value of a text, or None if it is missing or does not fit the column.

        >>> ColumnType(kind="date", date_order="DMY").parse("2/5/2024")
        datetime.date(2024, 5, 2)
        """
        if self.kind == "text":
            return text
        if self.kind in ("url", "email"):
            return read_url(text) if self.kind == "url" else read_email(text)
        return self._parse_plain(clean(text))

    def _parse_plain(self, plain: str) -> Typed | None:
        if is_missing(plain):
            return None
        if self.kind == "date":
            return read_date(plain, self._dates)
        if self.kind == "time":
            return read_time(plain)
        return read_number(plain, self._numbers)

    def holds(self, text: str) -> bool:
        """Whether nothing is lost if the typed value takes the place of a text.

        A text that says nothing (`n/a`, `–`) may go. One that cannot be parsed may not, nor a date without a year,
        nor a number with more digits than a float keeps, nor one with zeros in front.

        >>> number = ColumnType(kind="number")
        >>> [number.holds(text) for text in ("12.31", "12.31 (PB)", "DNF", "n/a", "0.12345678901234567891", "007")]
        [True, False, False, True, False, False]
        """
        return self.kind == "text" or self.is_whole(text, self.parse(text))

    def is_whole(self, text: str, value: Typed | None) -> bool:
        """Whether a value that was parsed from a text says all that the text does; see `holds`."""
        if value is None:
            return says_nothing(text)
        if self.kind == "date":
            return not self.without_year or self.year is not None
        if isinstance(value, int | float | Decimal):
            plain = clean(text)
            return not has_leading_zero(plain) and (not isinstance(value, float) or self._is_exact(value, plain))
        return True

    def _is_exact(self, value: float, plain: str) -> bool:
        if sum(map(str.isdecimal, plain)) <= FLOAT_DIGITS:
            return True
        exact = exact_number(plain, self._numbers)
        return exact is None or Decimal(str(value)) == exact

    @cached_property
    def _numbers(self) -> NumberRules:
        return NumberRules(
            self.kind,
            self.decimal or ".",
            self.grouping,
            self.currency,
            self.unit,
            self.integer,
            self.parentheses_negative,
            self.language,
        )

    @cached_property
    def _dates(self) -> DateRules:
        order = self.date_order or "DMY"
        return DateRules(order, self.language, self.with_time, self.zoned, self.year, self.without_year)

    def to_json(self) -> dict[str, Any]:
        """The kind and whatever differs from the default, as plain JSON.

        >>> ColumnType(kind="measure", unit="kg").to_json()
        {'kind': 'measure', 'unit': 'kg'}
        """
        chosen = {part.name: getattr(self, part.name) for part in fields(self) if _is_told(part.name, self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in chosen.items()}

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> "ColumnType":
        """The inverse of `to_json`."""
        unknown = sorted(set(document) - {part.name for part in fields(cls)})
        if unknown:
            raise UsageError(f"A column's type has no {', '.join(unknown)}; it has {', '.join(_names(cls))}.")
        return cls(**{**document, "ambiguous": tuple(document.get("ambiguous", ()))})

    def __str__(self) -> str:
        """The kind and what makes it precise: `money EUR`, `measure kg`, `date`."""
        return " ".join(filter(None, (self.kind, self.currency, self.unit)))


def _is_told(name: str, column: ColumnType) -> bool:
    return name == "kind" or getattr(column, name) != getattr(_DEFAULT, name)


def _names(kind: type[ColumnType]) -> list[str]:
    return [part.name for part in fields(kind)]


_DEFAULT = ColumnType()


# Addresses: URLs and e-mail.

_LONGEST_URL = 8000
_LONGEST_EMAIL = 320

_URL = re.compile(r"(?:(?:https?|ftp)://|www\.)[^\s<>\"]+", re.IGNORECASE)
_EMAIL = re.compile(r"[^\s@<>()\[\],;:\"]+@[\w-]+(?:\.[\w-]+)+")


def read_url(text: str) -> str | None:
    """The URL that the whole text is, or None.

    >>> read_url(" https://shop.example/a?b=c "), read_url("see www.shop.example")
    ('https://shop.example/a?b=c', None)
    """
    stripped = text.strip()
    return stripped if len(stripped) <= _LONGEST_URL and _URL.fullmatch(stripped) else None


def read_email(text: str) -> str | None:
    """The e-mail address that the whole text is, or None.

    >>> read_email("mailto:ada@engine.example"), read_email("ada@engine")
    ('ada@engine.example', None)
    """
    stripped = text.strip().removeprefix("mailto:")
    return stripped if len(stripped) <= _LONGEST_EMAIL and _EMAIL.fullmatch(stripped) else None


# Codes: texts of digits that name something, and that nobody adds up; as numbers they would lose their form.

# What headings call codes, in the languages of the open data; whole words, since a telephoto lens isn't a telephone.
_NAMES = re.compile(
    r"\b(?:zip|zip[ -]?code|post(?:al)?[ -]?code|postcode|plz|postleitzahl|code postal|c\.?p\.?|codigo postal|cap|"
    r"(?:tele)?phones?|(?:tele)?phone (?:number|no\.?)|tel\.?|telefono?|téléphone|teléfono|fax|mobile|handy(?:nummer)?|"
    r"isbn(?:[ -]?1[03])?|issn|ean(?:[ -]?13)?|gtin|upc|asin|sku|mpn|iban|bic|swift|vin|doi|oclc|"
    r"(?:article|item|part|product|serial|model|order|artikel|bestell|serien)[ -]?(?:no\.?|nr\.?|number|code|nummer)"
    r")(?!\w)",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"[0-9]+\Z")
# From so many digits on, numbers of one length are codes: populations and sums of money of that size differ in length
# or are grouped. Nine, since dates without marks have eight. By judgement; `bench typing` counts what it gets wrong.
_LONG = 9
_FEWEST = 2


def are_codes(name: str, texts: Iterable[str | None]) -> bool:
    """Whether a column holds codes: it is called so, or all its texts are long rows of digits of one length.

    >>> are_codes("ZIP code", ["90210"]), are_codes("", ["9783161484100", "9780306406157"]), are_codes("", ["5", "10"])
    (True, True, False)
    """
    if _NAMES.search(name):
        return True
    lengths: set[int] = set()
    distinct = set()
    for text in texts:
        if not text:
            continue
        if not _DIGITS.match(text) or len(text) < _LONG:
            return False
        lengths.add(len(text))
        distinct.add(text)
    return len(lengths) == 1 and len(distinct) >= _FEWEST


# -- step two of typing: examine all values of a column and decide, once, how to parse them -------------------------

# Four in five: a short price list with one "call us" is still a price list, and a column of names with some numbers
# among them is not one of numbers. By judgement; tests/data/test_infer.py holds the cases on both sides.
KIND_SHARE = 0.8


@dataclass(frozen=True, slots=True)
class _Sample:
    """The distinct texts of a column, with how often each stands there."""

    raw: Counter[str]
    plain: Counter[str]
    inexact: int
    language: str | None
    year: int | None
    unit: str | None

    @property
    def present(self) -> int:
        return self.plain.total()


_Decide: TypeAlias = Callable[[_Sample], ColumnType | None]


def infer(
    texts: Iterable[str | None] | Mapping[str, int],
    language: str | None = None,
    *,
    year: int | None = None,
    unit: str | None = None,
) -> ColumnType:
    """Decide the type of a column from all its texts, or from how often each stands there, and the page's language.

    None and texts that say "no value" are left out; ranges and bounds count neither for nor against a kind.
    `year` is the year of dates that are written without one; `unit` is what the heading says that plain numbers are in.

    >>> infer(["1.234,56", "3.350", "n/a"])
    ColumnType(kind='number', ..., decimal=',', grouping='.', ...)
    >>> infer(["15/4/2024", "2/5/2024"]).date_order
    'DMY'
    >>> str(infer(["$5", "$1,200.50"], "en-US")), infer(["007", "12"]).leading_zeros
    ('money USD', True)
    >>> str(infer(["5", "20"], unit="kg")), str(infer(["5", "20"], unit="US$ million"))
    ('measure kg', 'number')
    """
    sample = _sample(texts, language, year, unit)
    if any(map(has_leading_zero, sample.plain)):
        return ColumnType(language=language, leading_zeros=True)
    decided = (decide(sample) for decide in _deciders(sample))
    rated = [replace(kind, share=_share(kind, sample)) for kind in decided if kind]
    best = max(rated, key=lambda kind: kind.share, default=None)
    return best if best and best.share >= KIND_SHARE else ColumnType(language=language)


def _sample(
    texts: Iterable[str | None] | Mapping[str, int], language: str | None, year: int | None, unit: str | None
) -> _Sample:
    raw = counted(texts)
    plain: Counter[str] = Counter()
    inexact = 0
    for text, count in raw.items():
        cleaned = clean(text)
        if is_missing(cleaned):
            continue
        if is_inexact(cleaned):
            inexact += count
        else:
            plain[cleaned] += count
    return _Sample(raw, plain, inexact, language, year, unit)


def _share(kind: ColumnType, sample: _Sample) -> float:
    """The part of the exact values that can be read; nothing when there are more inexact ones than those."""
    if kind.kind in ("url", "email"):
        read = sum(count for text, count in sample.raw.items() if kind.parse(text) is not None)
        return read / sample.present if sample.present else 0.0
    read = sum(count for text, count in sample.plain.items() if kind._parse_plain(text) is not None)
    return read / sample.present if read and read >= sample.inexact else 0.0


def _enough(count: int, sample: _Sample) -> bool:
    return count > 0 and count >= KIND_SHARE * sample.present


def _numbers(sample: _Sample) -> ColumnType | None:
    heading = stated(sample.unit, sample.language) if sample.unit else None
    rules = decide_numbers(sample.plain, sample.language, heading)
    if rules is None:
        return None
    kinds: dict[str, ColumnKind] = {"number": "number", "money": "money", "measure": "measure"}
    return ColumnType(
        kind=kinds[rules.kind],
        language=sample.language,
        decimal=rules.decimal,
        grouping=rules.grouping,
        integer=rules.integer,
        parentheses_negative=rules.parentheses_negative,
        currency=rules.currency,
        unit=rules.unit,
        ambiguous=rules.doubts,
    )


def _dates(sample: _Sample) -> ColumnType | None:
    rules = decide_dates(sample.plain, sample.language, sample.year)
    if rules is None:
        return None
    return ColumnType(
        kind="date",
        language=rules.language or sample.language,
        date_order=rules.order,
        with_time=rules.with_time,
        zoned=rules.zoned,
        without_year=rules.without_year,
        year=rules.year,
        ambiguous=rules.doubts,
    )


def _times(sample: _Sample) -> ColumnType | None:
    times = Counter({text: count for text, count in sample.plain.items() if read_time(text)})
    if not _enough(times.total(), sample):
        return None
    return ColumnType(kind="time", language=sample.language, ambiguous=decide_time(times))


def _urls(sample: _Sample) -> ColumnType | None:
    found = sum(count for text, count in sample.raw.items() if read_url(text))
    return ColumnType(kind="url", language=sample.language) if _enough(found, sample) else None


def _emails(sample: _Sample) -> ColumnType | None:
    found = sum(count for text, count in sample.raw.items() if read_email(text))
    return ColumnType(kind="email", language=sample.language) if _enough(found, sample) else None


def _deciders(sample: _Sample) -> tuple[_Decide, ...]:
    """The kinds that are possible: where too few texts have a digit, no kind that needs one will be chosen."""
    with_digit = sum(count for text, count in sample.plain.items() if _DIGIT.search(text))
    return (_urls, _emails, _dates, _times, _numbers) if _enough(with_digit, sample) else (_urls, _emails)


_DIGIT = re.compile("[0-9]")
