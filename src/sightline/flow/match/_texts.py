"""What records are compared by: the words, letters, codes and numbers of their texts, as rows of numbered tokens."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

import numpy as np

from sightline.arrays import FloatArray, LongArray

__all__ = [
    "TokenRows",
    "codes_of",
    "codes_written_apart",
    "gram_rows",
    "is_code",
    "numbers_of",
    "plain_code",
    "plain_number",
    "prefixes_of",
    "token_rows",
    "words_of",
]

_WORD = re.compile(r"[^\W_]+(?:[-/.][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MARKS = re.compile(r"[\W_]")
_LEAST_CODE = 4  # characters of a model number; of one that is all digits, one more
_LONGEST_CODE = 24
_LEAST_PREFIX = 4


@dataclass(frozen=True)
class TokenRows:
    """The tokens of many records: those of record `i` are `ids[offsets[i]:offsets[i + 1]]`, each once, with weights."""

    offsets: LongArray
    ids: LongArray
    weights: FloatArray
    vocabulary: int

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def totals(self) -> FloatArray:
        """The sum of the weights of each record."""
        sums = np.concatenate([[0.0], np.cumsum(self.weights)])
        totals: FloatArray = sums[self.offsets[1:]] - sums[self.offsets[:-1]]
        return totals

    def counts(self) -> LongArray:
        """How many tokens each record has."""
        return np.diff(self.offsets)


def words_of(text: str) -> list[str]:
    """The words of a text, in small letters; model numbers stay together.

    >>> words_of("Panasonic KX-TG9343T, cordless")
    ['panasonic', 'kx-tg9343t', 'cordless']
    """
    return _WORD.findall(text.lower())


def gram_rows(left: Sequence[str], right: Sequence[str]) -> tuple[TokenRows, TokenRows]:
    """Every three characters in a row of each text, with one blank between words; as `token_rows`, but much faster.

    >>> gram_rows(["A4, b"], ["A4"])[0].counts().tolist()  # " a4", "a4 ", "4 b", " b "
    [4]
    """
    lines = [f" {' '.join(words_of(text))} " for text in (*left, *right)]
    letters = np.frombuffer("".join(lines).encode("utf-32-le", "surrogatepass"), np.uint32)
    kinds, short = np.unique(letters, return_inverse=True)
    rows = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    inside = rows[:-2] == rows[2:]
    grams = ((short[:-2] * len(kinds) + short[1:-1]) * len(kinds) + short[2:])[inside]
    rows = rows[:-2][inside]
    del letters, short, inside
    numbers, count = _renumbered(grams, len(kinds) ** 3)
    # Each gram of a text counts once.
    tokens = np.sort(rows * count + numbers)
    tokens = tokens[np.concatenate([[True], tokens[1:] != tokens[:-1]])] if len(tokens) else tokens
    sizes = np.bincount(tokens // count, minlength=len(lines))
    return _both(sizes, tokens % count, count, len(left), None)


_MOST_POSSIBLE = 50_000_000  # numbers that a table of all of them may have; beyond, they are sorted


def _renumbered(values: LongArray, possible: int) -> tuple[LongArray, int]:
    """The same values as numbers from 0 on without gaps, and how many there are (at least one)."""
    if possible > _MOST_POSSIBLE:
        found, numbers = np.unique(values, return_inverse=True)
        return numbers, max(len(found), 1)
    is_there = np.zeros(max(possible, 1), bool)
    is_there[values] = True
    numbers_of = np.cumsum(is_there, dtype=np.int32) - 1
    return numbers_of[values].astype(np.int64), max(int(numbers_of[-1]) + 1, 1)


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


def token_rows(
    left: Iterable[Iterable[str]],
    right: Iterable[Iterable[str]],
    weigh: Callable[[str], float] | None = None,
    *,
    by_rarity: bool = True,
) -> tuple[TokenRows, TokenRows]:
    """The tokens of both sides under the same numbers, each weighted by how rare it is, by `weigh`, or by both."""
    numbers: dict[str, int] = {}
    rows = [{numbers.setdefault(token, len(numbers)) for token in tokens} for tokens in left]
    count = len(rows)
    rows += [{numbers.setdefault(token, len(numbers)) for token in tokens} for tokens in right]
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    ids = np.fromiter(chain.from_iterable(rows), np.int64, int(sizes.sum()))
    factors = np.fromiter(map(weigh, numbers), np.float64, len(numbers)) if weigh else None
    return _both(sizes, ids, len(numbers), count, factors, by_rarity=by_rarity)


def _both(
    sizes: LongArray, ids: LongArray, vocabulary: int, left: int, factors: FloatArray | None, *, by_rarity: bool = True
) -> tuple[TokenRows, TokenRows]:
    """The first `left` records and the others, with the weights of their tokens."""
    weights = np.ones(vocabulary) if factors is None else factors
    if by_rarity:
        frequency = np.maximum(np.bincount(ids, minlength=vocabulary), 1)
        weights = weights * np.log1p(len(sizes) / frequency) / math.log1p(max(len(sizes), 1))
    cut = int(sizes[:left].sum())
    parts = (sizes[:left], ids[:cut]), (sizes[left:], ids[cut:])
    rows = [
        TokenRows(np.concatenate([[0], np.cumsum(size)]), own, weights[own], max(vocabulary, 1)) for size, own in parts
    ]
    return rows[0], rows[1]
