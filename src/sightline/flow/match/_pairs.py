"""Arithmetic on pairs of records: what they share, and which pairs are worth comparing.

Pairs are two arrays, rows of the left side (in rising order) and rows of the right. A few left rows at a time are
spread out over the whole vocabulary, so that the tokens of their partners find them by their numbers.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from sightline.arrays import FloatArray, LongArray
from sightline.flow.match._texts import TokenRows

__all__ = ["best_other", "candidates", "cosines", "highest_shared", "shared_weight"]

_SPREAD = 4_000_000  # numbers held at once
_FAR_BEHIND = 0.25  # of the score of the best partner; what scores less is none
_RAREST = 24  # tokens of a record by which partners are looked for: the others are too common to tell


def shared_weight(left: TokenRows, right: TokenRows, rows: LongArray, columns: LongArray) -> FloatArray:
    """The sum of the weights of the tokens that both records of each pair have."""
    return _over_pairs(left, right, rows, columns, is_highest=False)


def highest_shared(left: TokenRows, right: TokenRows, rows: LongArray, columns: LongArray) -> FloatArray:
    """The highest weight of a token that both records of each pair have, or 0."""
    return _over_pairs(left, right, rows, columns, is_highest=True)


def cosines(left: TokenRows, right: TokenRows, rows: LongArray, columns: LongArray) -> FloatArray:
    """How alike the records of each pair are, from 0 to 1, rare tokens counting more."""
    dots = shared_weight(_squared(left), _squared(right), rows, columns)
    lengths = np.sqrt(_squared(left).totals())[rows] * np.sqrt(_squared(right).totals())[columns]
    alike: FloatArray = dots / np.maximum(lengths, 1e-12)
    return alike


def _squared(tokens: TokenRows) -> TokenRows:
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


def candidates(left: TokenRows, right: TokenRows, most: int) -> tuple[LongArray, LongArray]:
    """For each left record the right records that share most with it, at most so many.

    Only the rarest tokens of a left record look for partners, which bounds the work; what is found is compared by all
    of them afterwards.
    """
    if not len(left) or not len(right):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    starts, owners = _postings(right)
    lengths = np.sqrt(_squared(right).totals())
    step = max(1, _SPREAD // max(len(right), 1))
    rows, columns = [], []
    for first in range(0, len(left), step):
        last = min(first + step, len(left))
        score = _scores(left, first, last, starts, owners, len(right))
        score /= np.maximum(lengths, 1e-12)
        least = np.maximum(_FAR_BEHIND * score.max(axis=1, initial=0.0), 0.0)
        row, column = np.divmod(np.flatnonzero(score > least[:, None]), max(len(right), 1))
        kept = _ranks_within(row, -score[row, column]) < most
        rows.append(first + row[kept])
        columns.append(column[kept])
    return np.concatenate(rows), np.concatenate(columns)


def _postings(tokens: TokenRows) -> tuple[LongArray, LongArray]:
    """Where the records with each token begin, and these records."""
    order = np.argsort(tokens.ids, kind="stable")
    starts = np.searchsorted(tokens.ids[order], np.arange(tokens.vocabulary + 1))
    owners = np.repeat(np.arange(len(tokens)), tokens.counts())
    return starts, owners[order]


def _scores(left: TokenRows, first: int, last: int, starts: LongArray, owners: LongArray, width: int) -> FloatArray:
    """What some left records share with every right one, by their rarest tokens; a token weighs alike on both sides."""
    sizes = np.diff(left.offsets[first : last + 1])
    own = slice(int(left.offsets[first]), int(left.offsets[last]))
    row, token, weight = np.repeat(np.arange(last - first), sizes), left.ids[own], left.weights[own]
    rare = _ranks_within(row, -weight) < _RAREST
    row, token, weight = row[rare], token[rare], weight[rare]
    counts = starts[token + 1] - starts[token]
    ends = np.cumsum(counts)
    at = np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(starts[token] - (ends - counts), counts)
    flat = np.repeat(row * width, counts) + owners[at]
    values = np.repeat(weight**2, counts)
    scores = np.bincount(flat, weights=values, minlength=(last - first) * width).reshape(-1, width)
    return scores.astype(np.float64, copy=False)  # without tokens, numpy gives counts


def _ranks_within(groups: LongArray, values: FloatArray) -> LongArray:
    """The rank of each value within its group, the lowest first; groups stand together."""
    order = np.lexsort((values, groups))
    ranks = np.empty(len(groups), np.int64)
    starts = np.searchsorted(groups, groups)
    ranks[order] = np.arange(len(groups)) - starts[order]
    return ranks


def best_other(groups: LongArray, values: FloatArray) -> FloatArray:
    """For each pair the highest value of another pair of its group, or 0.

    >>> best_other(np.array([0, 0, 1]), np.array([0.9, 0.4, 0.7])).tolist()
    [0.4, 0.9, 0.0]
    """
    order = np.lexsort((-values, groups))
    ordered, at = values[order], groups[order]
    is_first = np.concatenate([[True], at[1:] != at[:-1]]) if len(at) else np.zeros(0, bool)
    first_of = np.maximum.accumulate(np.where(is_first, np.arange(len(at)), 0))
    after = np.minimum(first_of + 1, max(len(at) - 1, 0))
    second = np.where((after > first_of) & (at[after] == at), ordered[after], 0.0) if len(at) else ordered
    other = np.empty(len(values))
    other[order] = np.where(is_first, second, ordered[first_of])
    return other
