"""Step two of typing: examine all values of a column and decide, once, how to parse them."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from sightline.data._types._clean import clean, counted, is_inexact, is_missing
from sightline.data._types._dates import decide_dates, decide_time, read_time
from sightline.data._types._quantities import decide_numbers, has_leading_zero
from sightline.data._types._stated import stated
from sightline.data._types._type import ColumnKind, ColumnType, read_email, read_url

__all__ = ["infer"]

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
