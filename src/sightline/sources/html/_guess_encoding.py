"""Guessing the encoding of bytes that declare none.

Valid UTF-8 is UTF-8. UTF-16 without its mark is known by its NULs (Chromium shows such files as garbage; we do not
copy that). Among the legacy multi-byte encodings the one wins whose text is made of the commonest characters of its
language; among the single-byte ones the likeliest by letter frequencies and by which bytes stand next to each other.

Measured on the texts of chardet's collection, whatever they declare not looked at; see docs/sources-safety.md.
"""

import codecs
from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt

from sightline.sources.html._encoding_labels import CODECS
from sightline.sources.html._letters import COMMON, LANGUAGES, PUNCTUATION, SINGLE_BYTE, LanguageLetters

__all__ = ["detect"]

_SAMPLE_BYTES = 20_000  # 10,000 to 400,000 bytes gave the same answers on the collection
_UTF8_ERRORS = 0.05  # a page of UTF-8 with a few broken bytes stays UTF-8; legacy texts have 70 % broken ones and more
_UTF16_BYTES = 1_024
_UTF16_SHARE = 0.4  # of the pairs have a NUL half; Latin markup has 0.8 and more, binary data hardly any
_MULTIBYTE = ("shift_jis", "euc-jp", "gbk", "big5", "euc-kr")
_MULTIBYTE_ERRORS = 0.03
_MULTIBYTE_SCORE = 0.2  # the right one has 0.58 and more in 95 of 100 texts, single-byte texts at most 0.1

_Floats = npt.NDArray[np.float64]
_Integers = npt.NDArray[np.int64]
_Pairs = tuple[_Integers, _Integers, _Integers]


def detect(content: bytes) -> str:
    """Guess the encoding; never fails, and falls back on windows-1252 as browsers do."""
    if content.isascii() and b"\0" not in content[:_UTF16_BYTES]:
        return "iso-2022-jp" if _is_iso_2022_jp(content) else "utf-8"
    wide = _utf16(content[:_UTF16_BYTES])
    if wide or _is_utf8(content):
        return wide or "utf-8"
    sample = _sample(content)
    return _multibyte(sample) or _single_byte(sample)


def _is_iso_2022_jp(content: bytes) -> bool:
    return b"\x1b" in content and any(escape in content for escape in (b"\x1b$B", b"\x1b$@", b"\x1b(J"))


def _utf16(head: bytes) -> str | None:
    pairs = len(head) // 2
    low, high = head[1 : 2 * pairs : 2], head[: 2 * pairs : 2]
    if pairs < 2 or min(low.count(0), high.count(0)) > pairs * (1 - _UTF16_SHARE) / 10:
        return None
    if low.count(0) > pairs * _UTF16_SHARE:
        return "utf-16le"
    return "utf-16be" if high.count(0) > pairs * _UTF16_SHARE else None


def _is_utf8(content: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(content)
    except UnicodeDecodeError:
        text = content[:_SAMPLE_BYTES].decode("utf-8", "replace")
        broken = text.count("\ufffd")
        whole = len(text.encode("utf-16-le", "replace")) // 2 - len(text.encode("ascii", "ignore")) - broken
        return broken < whole * _UTF8_ERRORS
    return True


def _sample(content: bytes) -> bytes:
    """Cut a sample that starts shortly before the first byte that is not ASCII."""
    start = next((index for index in range(0, len(content), 4096) if not content[index : index + 4096].isascii()), 0)
    return content[start : start + _SAMPLE_BYTES]


# -- multi-byte ----------------------------------------------------------------------------------------------------


def _multibyte(sample: bytes) -> str | None:
    scores = {encoding: _multibyte_score(sample, encoding) for encoding in _MULTIBYTE}
    best = max(scores, key=scores.__getitem__)
    return best if scores[best] > _MULTIBYTE_SCORE else None


def _multibyte_score(sample: bytes, encoding: str) -> float:
    """Weigh the characters: 1 for a common one, a little for another of the script, less than nothing for oddities."""
    counts = Counter(sample.decode(CODECS[encoding], "replace"))
    total = sum(count for character, count in counts.items() if character > "\x7f")
    if not total or counts["\ufffd"] > max(1.0, total * _MULTIBYTE_ERRORS):
        return -1.0
    common, kana, hangul = COMMON[encoding], encoding in ("shift_jis", "euc-jp"), encoding == "euc-kr"
    weights = (
        count * (1.0 if character in common else _weight(character, kana=kana, hangul=hangul))
        for character, count in counts.items()
        if character > "\x7f"
    )
    return sum(weights) / total


def _weight(character: str, *, kana: bool, hangul: bool) -> float:
    if "\u3040" <= character <= "\u30ff":
        return 0.9 if kana else -0.2
    if "\uac00" <= character <= "\ud7a3":
        return 0.2 if hangul else -1.0
    if "\u4e00" <= character <= "\u9fff":
        return -0.1 if hangul else 0.1
    if "\uff61" <= character <= "\uff9f" or "\ue000" <= character <= "\uf8ff" or character == "\ufffd":
        return -1.0
    return 0.3 if "\u3000" <= character <= "\u303f" or "\uff01" <= character <= "\uff5e" else -0.2


# -- single-byte ---------------------------------------------------------------------------------------------------

_OTHER, _ASCII_LOWER, _ASCII_UPPER, _LOWER, _UPPER = range(5)

# Natural logarithms of how likely a byte is, set by reasoning on what each stands for. The collection gives 388 right
# answers of 391; halving or doubling any one of them gives 360 to 388, so none wants fine-tuning.
_FALL = 4.2  # from the commonest to the rarest letter of an alphabet (Russian: 11 % to 0.04 %, seldom letters apart)
_TOP = -2.2  # the commonest letter
_MARK = -5.0  # quotation marks, dashes, the copyright sign
_FOREIGN = -7.0  # a letter that the language does not use
_SYMBOL = -9.0  # a fraction, a box drawing
_NOTHING = -14.0  # a byte without meaning, or a control character

_LATIN_STEPS = np.array(
    [
        # to: other, ASCII lower, ASCII upper, lower, upper
        [0.0, 0.0, 0.0, -0.5, -1.5],
        [0.0, 0.0, 0.0, 0.0, -4.0],
        [0.0, 0.0, 0.0, -0.5, -0.5],
        [0.0, 0.0, -3.0, -1.5, -4.0],
        [0.0, 0.0, 0.0, -1.0, -1.5],
    ]
)
_OWN_STEPS = np.array(
    [
        [0.0, 0.0, 0.0, 0.0, -1.0],
        [0.0, 0.0, 0.0, -4.0, -4.0],
        [0.0, 0.0, 0.0, -4.0, -4.0],
        [0.0, -4.0, -4.0, 0.0, -4.0],
        [0.0, -4.0, -4.0, 0.0, -0.7],
    ]
)


def _single_byte(sample: bytes) -> str:
    pairs = _pairs(sample)
    scores = [(_likelihood(pairs, encoding, language), encoding) for encoding, language in _candidates()]
    return max(scores, key=lambda score: score[0])[1]


def _candidates() -> Iterator[tuple[str, str]]:
    return ((encoding, language) for encoding, languages in SINGLE_BYTE for language in languages.split())


def _pairs(sample: bytes) -> _Pairs:
    """Count which byte follows which, where at least one of the two is not ASCII."""
    numbers = np.frombuffer(b" " + sample, dtype=np.uint8).astype(np.int64)
    found, counts = np.unique(numbers[:-1] * 256 + numbers[1:], return_counts=True)
    first, second = found // 256, found % 256
    kept = (first >= 128) | (second >= 128)
    return first[kept], second[kept], counts[kept]


def _likelihood(pairs: _Pairs, encoding: str, language: str) -> float:
    first, second, counts = pairs
    letters, classes = _model(encoding, language)
    steps = _LATIN_STEPS if LANGUAGES[language].latin else _OWN_STEPS
    return float((counts * (letters[second] + steps[classes[first], classes[second]])).sum())


@cache
def _model(encoding: str, language: str) -> tuple[_Floats, _Integers]:
    """Tell for every byte how likely it is and of what class."""
    characters = [bytes([byte]).decode(CODECS[encoding], "replace") for byte in range(256)]
    letters = [0.0] * 128 + [_letter(character, LANGUAGES[language]) for character in characters[128:]]
    return np.array(letters), np.array([_class(character) for character in characters], dtype=np.int64)


def _letter(character: str, language: LanguageLetters) -> float:
    small = character.lower()[:1]
    if small in language.letters:
        return _TOP - _FALL * language.letters.index(small) / len(language.letters)
    if character in PUNCTUATION:
        return _MARK
    if character.isalpha():
        return _FOREIGN
    return _NOTHING if character == "\ufffd" or "\x80" <= character < "\xa0" else _SYMBOL


def _class(character: str) -> int:
    if not character.isalpha():
        return _OTHER
    if character.isascii():
        return _ASCII_UPPER if character.isupper() else _ASCII_LOWER
    return _UPPER if character.isupper() else _LOWER
