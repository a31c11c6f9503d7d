"""Step one of typing: normalise a text, so that digits, signs and spaces have one spelling each."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

__all__ = ["LONGEST", "PROSE", "clean", "counted", "is_inexact", "is_missing", "says_nothing"]

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
