"""Numbers as they are written: taking a text apart, and deciding once which mark is the decimal one."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from sightline.data._types._lexicon import decimal_separator

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


# -- step one of typing: normalise a text, so that digits, signs and spaces have one spelling each ------------------

# By judgement: twice the longest date with weekday, month name, time and zone in any language of CLDR. The limit is
# there so that hostile input costs nothing; what is longer is prose.
LONGEST = 120
# Stands for any longer text: no kind reads it, and it is not missing.
PROSE = "(prose)"

_BLANKS = "\t\n\r\f\v\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_MINUSES = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"
_APOSTROPHES = "\u2018\u2019\u02bc\u2032\uff07"
_INVISIBLE = (
    "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
_WIDE = {0xFF0C: ",", 0xFF0E: ".", 0xFF05: "%", 0xFF04: "$", 0xFFE5: "¥", 0xFFE1: "£", 0xFF0B: "+", 0xFF0F: "/"}
_WIDE |= {0xFF1A: ":", 0xFF08: "(", 0xFF09: ")", 0x066A: "%", 0x2033: '"', 0x201D: '"', 0x00BA: "°"}


class _Plain(dict[int, str | int | None]):
    """A translation table that finds the ASCII form of any decimal digit the first time that it is met."""

    def __missing__(self, code: int) -> str | int:
        digit = unicodedata.decimal(chr(code), None)
        self[code] = found = code if digit is None else str(digit)
        return found


_PLAIN = _Plain(
    {ord(blank): " " for blank in _BLANKS}
    | {ord(minus): "-" for minus in _MINUSES}
    | {ord(apostrophe): "'" for apostrophe in _APOSTROPHES}
    | dict.fromkeys(map(ord, _INVISIBLE))
    | _WIDE
)

# A mark that points to a note below the table: [1], [note 2], *, †, or a raised figure right after a figure.
_FOOTNOTE = re.compile(r"(?:\s*\[[^\[\]]{1,20}\]|(?<=[\w\s)%.,*†‡€$£])\s*[*†‡§¶]+|(?<=[\d)\s])[⁰¹²³⁴-⁹ᵃ-ᶻ]+)\Z")

_MISSING_WORDS = """
n/a na n.a. n.a n/d nd n.d. nan null none nil tba tbd tbc k.a. k.a s/o s.o. n/v n.v. n.c. n/s ns
unknown unbekannt inconnu desconocido sconosciuto onbekend not-available not-applicable keine-angabe no-data
sin-datos нет нет-данных н/д brak ej-angivet 不明 なし 无 暂无 없음 ? ??
"""
# There is no value here either, but these words say why, which somebody may want to know.
_REASONS = """
sold-out out-of-stock ausverkauft épuisé agotado esaurito on-request upon-request auf-anfrage sur-demande x
"""
_NOTHING = frozenset(_MISSING_WORDS.split())
_MISSING = _NOTHING | frozenset(_REASONS.split())
_FILLERS = frozenset("-._·•…/\\*†‡|")
_DASHES = frozenset("-.")

_AMOUNT = r"[^\d\s-]{0,4}\s?\d(?:[.,' ]?\d)*"
_BETWEEN = r"(?:\s?(?:-|~|…|\.\.\.?|±)\s?|\s(?:to|bis|à|do|до)\s)"
_INEXACT = re.compile(
    rf"(?:[<>≤≥~≈±]=?|ca\.?|c\.|approx\.?|about|circa|env\.|etwa|rund|over|up to|bis zu)\s?{_AMOUNT}[^\d]{{0,20}}"
    rf"|{_AMOUNT}[^\d-]{{0,12}}?{_BETWEEN}{_AMOUNT}[^\d]{{0,20}}",
    re.ASCII | re.IGNORECASE,
)


def counted(texts: Iterable[str | None] | Mapping[str, int]) -> Counter[str]:
    """How often each text stands in a column; a mapping says it already."""
    if isinstance(texts, Mapping):
        return Counter(texts)
    return Counter(text for text in texts if text is not None)


def clean(text: str) -> str:
    """The normalised form, without footnote marks; `PROSE` for texts too long to be anything else.

    >>> clean(" −1\u202f234,5 [2]")
    '-1 234,5'
    """
    text = _with_footnotes(text)
    if text and text[-1] not in "0123456789":
        text = _without_footnotes(text)
    return text


def _with_footnotes(text: str) -> str:
    text = text.strip()
    if len(text) > LONGEST:
        return PROSE
    if not text.isascii():
        text = text.translate(_PLAIN)
    return " ".join(text.split())


def _without_footnotes(text: str) -> str:
    while (shorter := _FOOTNOTE.sub("", text)) != text:
        text = shorter.rstrip()
    return text


def is_missing(plain: str) -> bool:
    """Whether a plain text only says that there is no value.

    >>> [is_missing(text) for text in ("", "--", "N/A", "k. A.", "0")]
    [True, True, True, True, False]
    """
    return _is_one_of(plain, _MISSING, _FILLERS)


def says_nothing(text: str) -> bool:
    """Whether a text can be left out without losing anything.

    “sold out” is missing too, but says why; a dot may be a yes, and a mark leads to a note.

    >>> [says_nothing(text) for text in ("", "—", "N/A", "sold out", "•", "[1]")]
    [True, True, True, False, False, False]
    """
    return _is_one_of(_with_footnotes(text), _NOTHING, _DASHES)


def _is_one_of(plain: str, words: frozenset[str], fillers: frozenset[str]) -> bool:
    if len(plain) > 20 or plain[:1].isdecimal():
        return False
    word = plain.casefold()
    return fillers.issuperset(word.replace(" ", "")) or word in words or _joined(word) in words


def _joined(word: str) -> str:
    return word.replace(". ", ".").replace(" ", "-")


def is_inexact(plain: str) -> bool:
    """Whether a plain text names a range or a bound, which no single number can stand for.

    >>> [is_inexact(text) for text in ("5-7 kg", "<5", "$5 to $10", "-5")]
    [True, True, True, False]
    """
    return _INEXACT.fullmatch(plain) is not None
