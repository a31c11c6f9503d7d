"""Records as sets of weighted tokens, and arithmetic on pairs of them: what they share, and how alike they are.

Pairs are two arrays, rows of the left side (in rising order) and rows of the right. A few left rows at a time are
spread out over the whole vocabulary, so that the tokens of their partners find them by their numbers.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import numpy.typing as npt

from sightline.arrays import FloatArray, LongArray
from sightline.flow.match._texts import words_of

_SPREAD = 4_000_000  # numbers held at once


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


def shared_weight(left: TokenRows, right: TokenRows, rows: LongArray, columns: LongArray) -> FloatArray:
    """The sum of the weights of the tokens that both records of each pair have."""
    return _over_pairs(left, right, rows, columns, is_highest=False)


def highest_shared(left: TokenRows, right: TokenRows, rows: LongArray, columns: LongArray) -> FloatArray:
    """The highest weight of a token that both records of each pair have, or 0."""
    return _over_pairs(left, right, rows, columns, is_highest=True)


def cosines(left: TokenRows, right: TokenRows, rows: LongArray, columns: LongArray) -> FloatArray:
    """How alike the records of each pair are, from 0 to 1, rare tokens counting more."""
    dots = shared_weight(squared(left), squared(right), rows, columns)
    lengths = np.sqrt(squared(left).totals())[rows] * np.sqrt(squared(right).totals())[columns]
    alike: FloatArray = dots / np.maximum(lengths, 1e-12)
    return alike


def squared(tokens: TokenRows) -> TokenRows:
    return TokenRows(tokens.offsets, tokens.ids, tokens.weights**2, tokens.vocabulary)


def _over_pairs(
    left: TokenRows, right: TokenRows, rows: LongArray, columns: LongArray, *, is_highest: bool
) -> FloatArray:
    result = np.zeros(len(rows))
    left, right = _in_both(left, right)
    for first, last, spread in _spread(left):
        start, stop = np.searchsorted(rows, (first, last))
        if start == stop:
            continue
        sizes = right.offsets[columns[start:stop] + 1] - right.offsets[columns[start:stop]]
        ends = np.cumsum(sizes)
        at = np.arange(int(ends[-1])) + np.repeat(right.offsets[columns[start:stop]] - (ends - sizes), sizes)
        places = np.repeat((rows[start:stop] - first) * left.vocabulary, sizes) + right.ids[at]
        common = np.where(spread[places], right.weights[at], 0.0)
        filled = np.flatnonzero(sizes)
        reduce = np.maximum if is_highest else np.add
        if len(filled):
            result[start + filled] = reduce.reduceat(common, (ends - sizes)[filled])
    return result


def _in_both(left: TokenRows, right: TokenRows) -> tuple[TokenRows, TokenRows]:
    """Only the tokens that both sides have, numbered anew: most model numbers stand on one side alone."""
    on_left, on_right = np.zeros(left.vocabulary, bool), np.zeros(left.vocabulary, bool)
    on_left[left.ids] = True
    on_right[right.ids] = True
    is_shared = on_left & on_right
    numbers = np.cumsum(is_shared) - 1
    return _only(left, is_shared, numbers), _only(right, is_shared, numbers)


def _only(tokens: TokenRows, is_kept: npt.NDArray[np.bool_], numbers: LongArray) -> TokenRows:
    kept = is_kept[tokens.ids]
    offsets = np.concatenate([[0], np.cumsum(kept)])[tokens.offsets]
    return TokenRows(offsets, numbers[tokens.ids[kept]], tokens.weights[kept], max(int(numbers[-1]) + 1, 1))


def _spread(tokens: TokenRows) -> Iterator[tuple[int, int, npt.NDArray[np.bool_]]]:
    """A few records at a time, as rows of yes and no over the vocabulary."""
    step = max(1, _SPREAD // tokens.vocabulary)
    for first in range(0, len(tokens), step):
        last = min(first + step, len(tokens))
        spread = np.zeros((last - first) * tokens.vocabulary, bool)
        own = slice(int(tokens.offsets[first]), int(tokens.offsets[last]))
        local = np.repeat(np.arange(last - first), np.diff(tokens.offsets[first : last + 1]))
        spread[local * tokens.vocabulary + tokens.ids[own]] = True
        yield first, last, spread


def best_other(groups: LongArray, values: FloatArray, alone: float = 0.0) -> FloatArray:
    """For each pair the highest value of another pair of its group, or `alone` if there is no other.

    >>> best_other(np.array([0, 0, 1]), np.array([0.9, 0.4, 0.7])).tolist()
    [0.4, 0.9, 0.0]
    """
    order = np.lexsort((-values, groups))
    ordered, at = values[order], groups[order]
    is_first = np.concatenate([[True], at[1:] != at[:-1]]) if len(at) else np.zeros(0, bool)
    first_of = np.maximum.accumulate(np.where(is_first, np.arange(len(at)), 0))
    after = np.minimum(first_of + 1, max(len(at) - 1, 0))
    second = np.where((after > first_of) & (at[after] == at), ordered[after], alone) if len(at) else ordered
    other = np.empty(len(values))
    other[order] = np.where(is_first, second, ordered[first_of])
    return other
