"""What the texts of a row say about it: whether they name the columns below them, or are values in them."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache

from sightline.extract.structure._printed_line import is_numeric

__all__ = ["ColumnContent", "PrintedKind", "column_content", "naming_share", "printed_kind"]

YEAR = re.compile(
    r"(?:FY|CY)?\s?(?:1[89]|20)\d\d(?:\s?[-–/]\s?(?:(?:1[89]|20)\d\d|\d\d?))?\s?(?:[*†‡§¹²³⁴⁵]{1,3}|\(?[a-zA-Z*]\)?)?"
)
CLASS = re.compile(r"[<>≤≥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:\+|(?:[-–]|to)\s?\d[\d.,]*)")
BLANK = re.compile(r"[-–—−.…:*✓✔/\s]{1,5}|\(?(?:n\.?/?a\.?|n\.?[ds]\.?|[a-z])\)?|nil|none", re.IGNORECASE)
LABEL = re.compile(r"\d{1,3}(?:st|nd|rd|th)\b|(?:1[89]|20)\d\d\s?[a-z]", re.IGNORECASE)
VALUE = re.compile(r"\W{0,3}\d")
COUNTED = re.compile(r"[(\[]?(\d{1,2})[)\].]?")

MAJORITY = 0.5
FEWEST_COUNTED = 3  # cells that count upwards, from which on they number the columns
# What a cell says about its row, by the kind of its text; 1 names the column, -1 is a value in it. By judgement: a
# class ("15-24"), a single year or a unit ("1,000 acres") may be either, and what stands for a missing value is one,
# but a weak one.
NAMES, OF_CLASS, SINGLE_YEAR, OF_UNIT, MISSING, AMONG_WORDS = 1.0, 0.5, 0.25, 0.25, -0.5, -0.25


class PrintedKind(Enum):
    """What a text of a table looks like, from nothing to words."""

    EMPTY = auto()
    BLANK = auto()  # what stands for a missing value
    NUMBER = auto()
    YEAR = auto()
    CLASS = auto()  # a range of numbers
    MIXED = auto()  # a number with words behind it
    WORDS = auto()


@dataclass(frozen=True)
class ColumnContent:
    """What most cells of a column are: values or words; and if values, whether of a kind that may also name columns."""

    values: bool
    usual: PrintedKind


@lru_cache(maxsize=4096)
def printed_kind(text: str) -> PrintedKind:
    """The kind of a text.

    >>> [printed_kind(text).name for text in ("", "n/a", "1,250", "2008/09", "15-24", "100 million", "1st", "Sales")]
    ['EMPTY', 'BLANK', 'NUMBER', 'YEAR', 'CLASS', 'MIXED', 'WORDS', 'WORDS']
    """
    if not text:
        return PrintedKind.EMPTY
    if BLANK.fullmatch(text):
        return PrintedKind.BLANK
    if YEAR.fullmatch(text):
        return PrintedKind.YEAR
    if CLASS.fullmatch(text):
        return PrintedKind.CLASS
    if is_numeric(text):
        return PrintedKind.NUMBER
    return PrintedKind.MIXED if VALUE.match(text) and not LABEL.match(text) else PrintedKind.WORDS


def column_content(kinds: Sequence[PrintedKind]) -> ColumnContent:
    """What most of the cells of a column are."""
    counts = Counter(kinds)
    words = counts[PrintedKind.WORDS]
    usual = max(
        (PrintedKind.NUMBER, PrintedKind.YEAR, PrintedKind.CLASS, PrintedKind.MIXED), key=lambda kind: counts[kind]
    )
    values = sum(counts[kind] for kind in (PrintedKind.NUMBER, PrintedKind.YEAR, PrintedKind.CLASS, PrintedKind.MIXED))
    is_values = values > 0 and values >= MAJORITY * (values + words)
    return ColumnContent(is_values, usual if is_values else PrintedKind.WORDS)


def naming_share(texts: Sequence[str], columns: Sequence[ColumnContent], wide: Collection[int] = ()) -> float:
    """Whether a row names its columns (up to 1) or holds values of them (down to -1); 0 where nothing tells.

    One text and one kind for each column; where nothing stands the text is empty. The columns in `wide` are those below
    a cell that spans several: no value does.
    """
    kinds = [printed_kind(text) for text in texts]
    if _counts_upwards(texts, kinds):
        return NAMES
    year = _year_vote(kinds, columns)
    pairs = zip(kinds, columns, strict=True)
    votes = [_vote(kind, column, year, is_wide=place in wide) for place, (kind, column) in enumerate(pairs)]
    told = sum(vote != 0 for vote in votes)
    of_values = sum(column.values for column in columns)
    return sum(votes) / max(told, MAJORITY * of_values, 1.0)


def _vote(kind: PrintedKind, column: ColumnContent, year: float, *, is_wide: bool) -> float:
    """What one cell says, above a column of some kind."""
    if not column.values:
        return {PrintedKind.YEAR: max(year, 0.0) * OF_CLASS, PrintedKind.NUMBER: AMONG_WORDS}.get(kind, 0.0)
    if is_wide:
        return NAMES
    if column.usual is kind:
        return -NAMES
    return {
        PrintedKind.EMPTY: 0.0,
        PrintedKind.BLANK: MISSING,
        PrintedKind.NUMBER: -NAMES,
        PrintedKind.YEAR: year,
        PrintedKind.CLASS: OF_CLASS,
        PrintedKind.MIXED: OF_UNIT,
        PrintedKind.WORDS: NAMES,
    }[kind]


def _year_vote(kinds: Sequence[PrintedKind], columns: Sequence[ColumnContent]) -> float:
    """What a year says: it names a column if no other number stands in its row, the more so if there are several."""
    pairs = [
        (kind, column) for kind, column in zip(kinds, columns, strict=True) if column.usual is not PrintedKind.YEAR
    ]
    years = sum(kind is PrintedKind.YEAR for kind, _ in pairs)
    if any(kind is PrintedKind.NUMBER for kind, _ in pairs):
        return -NAMES
    return NAMES if years > 1 else SINGLE_YEAR


def _counts_upwards(texts: Sequence[str], kinds: Sequence[PrintedKind]) -> bool:
    """Whether the numbers of a row count its columns, as in "(1) (2) (3)"; other texts must be missing."""
    if any(kind in (PrintedKind.WORDS, PrintedKind.YEAR, PrintedKind.MIXED) for kind in kinds):
        return False
    found = [COUNTED.fullmatch(text) for text in texts if text]
    numbers = [int(one[1]) for one in found if one is not None]
    if len(numbers) < max(FEWEST_COUNTED, len(found)) or numbers[0] > 2:
        return False
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))
