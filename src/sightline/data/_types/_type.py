"""The type of a column: what was decided, and how to parse values accordingly."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import MAXYEAR, MINYEAR, date, datetime, time
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from sightline.data._types._clean import clean, is_missing, says_nothing
from sightline.data._types._dates import DateRules, read_date, read_time
from sightline.data._types._quantities import NumberRules, exact_number, has_leading_zero, read_number
from sightline.errors import UsageError

__all__ = ["ColumnKind", "ColumnType", "Typed", "are_codes", "read_email", "read_url"]

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
