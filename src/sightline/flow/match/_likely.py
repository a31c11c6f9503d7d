"""Which pairs are worth a comparison: for each record the few that share most with it, looked for in two ways.

Pairs that share rare words of the same column are looked for first, then pairs whose texts share rare groups of three
letters, wherever they stand. What only one of the ways finds tells how much both may have missed.
"""

from dataclasses import dataclass

import numpy as np

from sightline.arrays import BoolArray, FloatArray, LongArray
from sightline.flow.match._tokens import TokenRows, squared

# Partners of each record in each of the ways. On nine pairs of catalogues, five and five leave out 2 of 10,000 true
# pairs, as ten and none do that the letters alone find.
_MOST_PARTNERS, _MOST_WITHIN = 5, 10  # within a table, a record may have several
_FAR_BEHIND = 0.25  # of the score of the best partner; what scores less is none
_RAREST_GRAMS, _RAREST_WORDS = 24, 8  # of a record, by which partners are looked for: the others are too common to tell
_CELLS = 4_000_000  # scores held at once


@dataclass(frozen=True, eq=False)
class LikelyPlaces:
    """Pairs of records in rising order of `rows`, and which of the two ways found each."""

    rows: LongArray
    columns: LongArray
    by_words: BoolArray
    by_letters: BoolArray

    def recall(self, chances: FloatArray) -> float:
        """The share of true pairs among all there are, estimated from how often both ways find the same.

        If the ways miss independently, what both miss is to what one finds alone as the other way is to both. True
        pairs are alike in more than one way, so this is at most a little too high.
        """
        words, letters = float(chances[self.by_words].sum()), float(chances[self.by_letters].sum())
        both = float(chances[self.by_words & self.by_letters].sum())
        found = words + letters - both
        return 1.0 if not both or not found else min(1.0, found / (words * letters / both))


def likely_places(
    words: tuple[TokenRows, TokenRows], letters: tuple[TokenRows, TokenRows], *, is_one: bool = False
) -> LikelyPlaces:
    """The pairs of two sides that share rare words of a column, or rare letters; or those of one side with itself."""
    width = len(words[1])
    found = [
        _both_ways(one, two, rarest, width, is_one=is_one)
        for (one, two), rarest in ((words, _RAREST_WORDS), (letters, _RAREST_GRAMS))
    ]
    all_places = np.union1d(*found)
    return LikelyPlaces(
        all_places // max(width, 1),
        all_places % max(width, 1),
        np.isin(all_places, found[0], assume_unique=True),
        np.isin(all_places, found[1], assume_unique=True),
    )


def _both_ways(left: TokenRows, right: TokenRows, rarest: int, width: int, *, is_one: bool) -> LongArray:
    most = _MOST_WITHIN if is_one else _MOST_PARTNERS
    rows, columns = candidates(left, right, most, rarest, is_one=is_one)
    if is_one:
        low, high = np.minimum(rows, columns), np.maximum(rows, columns)
        return np.unique((low * width + high)[low < high])
    back_columns, back_rows = candidates(right, left, most, rarest)
    return np.union1d(rows * width + columns, back_rows * width + back_columns)


def candidates(
    left: TokenRows, right: TokenRows, most: int, rarest: int = _RAREST_GRAMS, *, is_one: bool = False
) -> tuple[LongArray, LongArray]:
    """For each left record the right records that share most with it, at most so many; itself not among them.

    Only the rarest tokens of a left record look for partners, which bounds the work; what is found is compared by all
    of them afterwards.
    """
    if not len(left) or not len(right):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    starts, owners = _postings(right)
    lengths = np.sqrt(squared(right).totals())
    step = max(1, _CELLS // max(len(right), 1))
    rows, columns = [], []
    for first in range(0, len(left), step):
        last = min(first + step, len(left))
        score = _scores(left, (first, last), starts, owners, len(right), rarest)
        score /= np.maximum(lengths, 1e-12)
        if is_one:
            score[np.arange(last - first), np.arange(first, last)] = 0.0
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


def _scores(
    left: TokenRows, block: tuple[int, int], starts: LongArray, owners: LongArray, width: int, rarest: int
) -> FloatArray:
    """What some left records share with every right one, by their rarest tokens; a token weighs alike on both sides."""
    first, last = block
    sizes = np.diff(left.offsets[first : last + 1])
    own = slice(int(left.offsets[first]), int(left.offsets[last]))
    row, token, weight = np.repeat(np.arange(last - first), sizes), left.ids[own], left.weights[own]
    rare = _ranks_within(row, -weight) < rarest
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
