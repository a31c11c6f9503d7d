"""What the texts of records are made of: words, model numbers, and numbers, as they are compared."""

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

_WORD = re.compile(r"[^\W_]+(?:[-/.][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MARKS = re.compile(r"[\W_]")
_LEAST_CODE = 4  # characters of a model number; of one that is all digits, one more
_LONGEST_CODE = 24
_LEAST_PREFIX = 4


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters; model numbers stay together.

    >>> words_of("Panasonic KX-TG9343T, cordless")
    ['panasonic', 'kx-tg9343t', 'cordless']
    """
    return _WORD.findall(text.lower())


def codes_of(text: str) -> set[str]:
    """What may be a model number: letters and digits, without the marks between them.

    >>> sorted(codes_of("Panasonic KX-TG9343T, 2.4 GHz"))
    ['kxtg9343t']
    """
    return {code for word in text.lower().split() if is_code(code := plain_code(word))}


def codes_written_apart(text: str) -> set[str]:
    """Model numbers, and what would be one if two words were written as one.

    >>> sorted(codes_written_apart("D-Link DGS 1008P"))
    ['1008p', 'dgs1008p']
    """
    plain = [plain_code(word) for word in text.lower().split()]
    joined = [first + second for first, second in pairwise(plain)]
    return {code for code in (*plain, *joined) if is_code(code)}


@lru_cache(maxsize=100_000)
def plain_code(word: str) -> str:
    """A word without the marks in it."""
    return _MARKS.sub("", word)


@lru_cache(maxsize=100_000)
def is_code(code: str) -> bool:
    """Whether letters and digits without marks may be a model number."""
    digits = sum(character.isdigit() for character in code)
    return bool(digits) and _LEAST_CODE + (digits == len(code)) <= len(code) <= _LONGEST_CODE


def prefixes_of(codes: Iterable[str]) -> set[str]:
    """How model numbers begin: variants of a product often differ in the last characters."""
    return {code[:length] for code in codes for length in range(_LEAST_PREFIX, len(code) + 1)}


def numbers_of(text: str) -> set[str]:
    """The numbers of a text, without zeros at their ends.

    >>> sorted(numbers_of("24 inch, 1.50 m"))
    ['1.5', '24']
    """
    return {plain_number(number) for number in _NUMBER.findall(text)}


def plain_number(number: str) -> str:
    """A number with a point, without zeros at its end."""
    number = number.replace(",", ".")
    return number.rstrip("0").rstrip(".") if "." in number else number
