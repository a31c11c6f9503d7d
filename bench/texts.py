"""How texts are compared by the scores: what a reader would not call a difference is none.

Encodings of a character, case, zero-width characters, footnote marks, white space and punctuation at the ends differ
between a page and what was written down about it without any extractor being at fault.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache

INVISIBLE = dict.fromkeys(
    (0x00AD, 0x034F, 0x061C, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065))
)
FOOTNOTE_MARK = re.compile(
    r"\[\s*(?:\d{1,3}|[a-z]|(?:note|nb|n|fn)\s*\d{1,3}|citation needed|edit)\s*\]"
)  # [1], [a], [note 2]
WORD = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+")
THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
DECIMAL = re.compile(r"\d+\.\d+")
REMEMBERED = 400_000  # texts; a run compares the same ones for every way to read a page


@lru_cache(REMEMBERED)
def cell_key(text: str) -> str:
    """What a cell is compared by: no mark, no case, no white space, no punctuation at the ends.

    >>> cell_key(" “Total” sales [1]: ")
    'total”sales'
    >>> cell_key("–")
    '–'
    """
    return "".join(normal(text).split())


def normal(text: str) -> str:
    """The same with one blank for white space; a text of punctuation alone stays.

    >>> normal(" “Total”  sales [1]: ")
    'total” sales'
    """
    plain = " ".join(FOOTNOTE_MARK.sub("", _folded(text)).split())
    return _without_ends(plain, _is_punctuation_or_blank) or plain


@lru_cache(REMEMBERED)
def words(text: str) -> tuple[str, ...]:
    """The words and numbers of a text, numbers in one spelling.

    >>> words("1,000 seats, 3.90 m, 01:05 pm, 2 pm")
    ('1000', 'seats', '3.9', 'm', '1:5', '2', 'pm')
    """
    found: list[str] = []
    after_clock = False
    for word in WORD.findall(_folded(text)):
        is_number = word[0].isdigit()
        if is_number:
            found.append(_canonical_number(word))
        elif not (after_clock and word in ("am", "pm")):  # spreadsheets add it to a clock time
            found.append(word)
        after_clock = is_number and ":" in word
    return tuple(found)


def bag_of(texts: Iterable[str]) -> Counter[str]:
    """How often every word stands in the texts."""
    return Counter(word for text in texts for word in words(text))


def common(known: Counter[str], found: Counter[str]) -> int:
    """How many words two bags share."""
    return sum(min(times, found[word]) for word, times in known.items() if word in found)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(INVISIBLE).lower()


def _is_punctuation_or_blank(letter: str) -> bool:
    return letter == " " or unicodedata.category(letter).startswith("P")


def _without_ends(text: str, goes: Callable[[str], bool]) -> str:
    first = next((place for place, letter in enumerate(text) if not goes(letter)), len(text))
    last = next((place for place in range(len(text), first, -1) if not goes(text[place - 1])), first)
    return text[first:last]


def _canonical_number(number: str) -> str:
    """One spelling for what spreadsheets write in several: 3.90 is 3.9, 1,000 is 1000, 01 is 1."""
    if ":" in number:
        return ":".join(part.lstrip("0") or "0" for part in number.split(":"))
    if THOUSANDS.fullmatch(number):
        number = number.replace(",", "")
    if DECIMAL.fullmatch(number):
        number = number.rstrip("0").rstrip(".")
    return number.lstrip("0") or "0"
