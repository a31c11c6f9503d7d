"""Numbers as they are written: taking a text apart, and deciding once which mark is the decimal one."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from sightline.data._types._locale import decimal_separator

__all__ = ["Quantity", "Separators", "decide_separators", "read_numeral", "split_quantity"]

# Longer runs of digits are identifiers; 18 digits are also what fits into a signed 64-bit integer.
MOST_DIGITS = 18

_QUANTITY = re.compile(r"([^\d]*?)([.,٫]?\d(?:[.,'٫٬ ]?\d)*)(?:[eE]([+-]?\d{1,2}))?([^\d]*)", re.ASCII)
_NO_CENTS = re.compile(r"\A[.,]-{1,2}(?!\d)")
_GROUPING_ONLY = " '٬"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A text with exactly one number in it, taken apart."""

    before: str
    numeral: str
    after: str
    negative: bool = False
    enclosed: bool = False
    exponent: int = 0


@dataclass(frozen=True, slots=True)
class Separators:
    """A column's decision: the decimal mark, the grouping mark if one was seen, and what is undecided."""

    decimal: str
    grouping: str | None = None
    ambiguous: str | None = None


def split_quantity(plain: str) -> Quantity | None:
    """Take a plain text apart, or None when it does not hold exactly one number.

    >>> split_quantity("-$1,234.50")
    Quantity(before='$', numeral='1,234.50', after='', negative=True, enclosed=False, exponent=0)
    >>> split_quantity("2 pairs from $349") is None
    True
    """
    match = _QUANTITY.fullmatch(plain)
    if match is None:
        return None
    before, numeral, exponent, after = match.groups()
    if exponent and not (exponent[0] in "+-" or "." in numeral or "," in numeral):
        return None  # 1E5 is more often a part number than a power of ten
    if " " in numeral and before.endswith("+"):
        return None  # +49 301 234 is a telephone number
    before, after, enclosed = _without_parentheses(before.strip(), after.strip())
    before, negative = _without_sign(before)
    return Quantity(before, numeral, _NO_CENTS.sub("", after).strip(), negative, enclosed, int(exponent or 0))


def _without_parentheses(before: str, after: str) -> tuple[str, str, bool]:
    if before.startswith("(") and after.endswith(")"):
        return before[1:].strip(), after[:-1].strip(), True
    return before, after, False


def _without_sign(before: str) -> tuple[str, bool]:
    for sign in "+-":
        if before.startswith(sign):
            return before[1:].lstrip(), sign == "-"
        if before.endswith(sign):
            return before[:-1].rstrip(), sign == "-"
    return before, False


def read_numeral(numeral: str, decimal: str) -> Decimal | None:
    """The number under the column's decimal mark, or None when it is not written that way.

    >>> read_numeral("1.234,5", ","), read_numeral("1.234,5", "."), read_numeral("12,34,567", ".")
    (Decimal('1234.5'), None, Decimal('1234567'))
    """
    if numeral.isdecimal():
        return Decimal(numeral) if len(numeral) <= MOST_DIGITS else None
    whole, _, fraction = numeral.replace("٫", decimal).partition(decimal)
    marks = set(whole) - set("0123456789")
    if len(marks) > 1 or (fraction and not fraction.isdecimal()) or len(fraction) > MOST_DIGITS:
        return None
    for mark in marks:
        if not _is_grouped(whole, mark):
            return None
        whole = whole.replace(mark, "")
    if len(whole) > MOST_DIGITS:
        return None
    return Decimal(f"{whole or 0}.{fraction}" if fraction else whole)


def _is_grouped(whole: str, mark: str) -> bool:
    """Whether the digits stand in threes, or as in India in twos before the last three."""
    first, *others = whole.split(mark)
    if not first or first[0] == "0" or not others or len(others[-1]) != 3:
        return False
    inner = {len(group) for group in others[:-1]}
    return (len(first) <= 3 and inner <= {3}) or (mark == "," and len(first) <= 2 and inner == {2})


def decide_separators(numerals: Mapping[str, int], language: str | None) -> Separators:
    """Decide for a whole column from all its numerals (with how often each stands there) and the language.

    >>> decide_separators({"3.350": 1, "1.234,56": 1}, None)
    Separators(decimal=',', grouping='.', ambiguous=None)
    >>> decide_separators({"3.350": 1}, "de").ambiguous
    'decimal separator: 3.350 is 3350 (as in de) or 3.35'
    """
    votes, openings = _votes(numerals)
    usual = decimal_separator(language)
    other = "," if usual == "." else "."
    weight = {mark: votes["decimal", mark] + votes["grouping", _swap(mark)] for mark in ".,"}
    if openings and not any(weight.values()):
        if len({opening[1] for opening in openings}) == 1 and _groups_otherwise(votes):
            return Separators(openings[0][1], _grouping(votes, openings[0][1], []))
        return Separators(usual, _grouping(votes, usual, openings), _doubt(openings[0], usual, language))
    decimal = other if weight[other] > weight[usual] else usual
    conflict = "decimal separator: both . and , are used for it" if all(weight.values()) else None
    return Separators(decimal, _grouping(votes, decimal, openings), conflict)


def _votes(numerals: Mapping[str, int]) -> tuple[Counter[tuple[str, str]], list[tuple[str, str]]]:
    """Count what each numeral proves; those that prove nothing by themselves come back as (numeral, mark)."""
    votes: Counter[tuple[str, str]] = Counter()
    openings: list[tuple[str, str]] = []
    for numeral, count in numerals.items():
        for role, mark in _evidence(numeral):
            if role == "open":
                openings.append((numeral, mark))
            else:
                votes[role, mark] += count
    return votes, openings


def _evidence(numeral: str) -> list[tuple[str, str]]:
    """What one numeral proves: pairs of a role (decimal, grouping, or open when it may be either) and a mark."""
    marks = [character for character in numeral if not character.isdecimal()]
    if not marks:
        return []
    last, earlier = marks[-1], set(marks[:-1])
    if last in _GROUPING_ONLY or last in earlier:
        return [("grouping", last)] if len(earlier | {last}) == 1 and _is_grouped(numeral, last) else []
    if last == "٫":
        return []
    whole, _, fraction = numeral.rpartition(last)
    if earlier:
        mark = earlier.pop()
        return [("decimal", last), ("grouping", mark)] if not earlier and _is_grouped(whole, mark) else []
    is_open = len(fraction) == 3 and 1 <= len(whole) <= 3 and whole[0] != "0"
    return [("open" if is_open else "decimal", last)]


def _swap(mark: str) -> str:
    return "," if mark == "." else "."


def _groups_otherwise(votes: Counter[tuple[str, str]]) -> bool:
    """Whether the column groups by blanks or apostrophes, so that a single point or comma must be the decimal one."""
    return any(votes["grouping", mark] for mark in _GROUPING_ONLY)


def _grouping(votes: Counter[tuple[str, str]], decimal: str, openings: list[tuple[str, str]]) -> str | None:
    counted = {mark: count for (role, mark), count in votes.items() if role == "grouping" and mark != decimal}
    if counted:
        return max(counted, key=lambda mark: counted[mark])
    return next((mark for _, mark in openings if mark != decimal), None)


def _doubt(opening: tuple[str, str], usual: str, language: str | None) -> str:
    numeral, mark = opening
    whole, fraction = numeral.split(mark)
    readings = [f"{whole}{fraction}", f"{whole}.{fraction}".rstrip("0").rstrip(".")]
    if mark == usual:
        readings.reverse()
    because = f"as in {language}" if language else "no language known"
    return f"decimal separator: {numeral} is {readings[0]} ({because}) or {readings[1]}"
