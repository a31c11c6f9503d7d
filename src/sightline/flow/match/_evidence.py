"""What speaks for and against a pair of records: one row of figures for each pair."""

import numpy as np

from sightline.arrays import FloatArray, LongArray
from sightline.flow.match._columns import Compared
from sightline.flow.match._pairs import best_other, candidates, cosines, highest_shared, shared_weight
from sightline.flow.match._texts import (
    codes_of,
    codes_written_apart,
    gram_rows,
    numbers_of,
    prefixes_of,
    token_rows,
    words_of,
)

__all__ = ["EVIDENCE", "Compare", "LikelyPairs"]

EVIDENCE = (
    "letters",
    "words",
    "names contained",
    "ahead of other rights",
    "ahead of other lefts",
    "shared code",
    "codes begin alike",
    "codes differ",
    "numbers differ",
    "numbers shared",
    "price apart",
    "both priced",
    "first word",
)
"""What each figure of a pair says, in the order of the columns of `LikelyPairs.evidence`."""

_MOST_PARTNERS = 10  # of each left record that are compared: 99.8 % of the true pairs of bench/flow are among them
_LONG_CODE = 8  # characters; a shared code of so many isn't an accident
_FAR_PRICE = 2.0  # log of the ratio; prices further apart say no more


class LikelyPairs:
    """Pairs that may match, in rising order of `rows`, with the evidence for each."""

    def __init__(self, rows: LongArray, columns: LongArray, evidence: FloatArray) -> None:
        self.rows: LongArray = rows
        self.columns: LongArray = columns
        self.evidence: FloatArray = evidence

    def __len__(self) -> int:
        return len(self.rows)


class _Tokens:
    """What the records of one side are made of."""

    def __init__(self, side: Compared) -> None:
        self.words = [words_of(name) for name in side.names]
        self.codes = [codes_of(name) for name in side.names]
        self.codes_anywhere = [
            codes_written_apart(name) | codes_of(text) for name, text in zip(side.names, side.descriptions, strict=True)
        ]
        self.numbers = [numbers_of(name) for name in side.names]

    def longest_codes(self) -> LongArray:
        return np.array([max(map(len, codes), default=0) for codes in self.codes], np.int64)


class Compare:
    """Compares the records of two sides; what takes long is done once, when it is made."""

    def __init__(self, left: Compared, right: Compared) -> None:
        self._prices = np.array(left.prices), np.array(right.prices)
        one, two = _Tokens(left), _Tokens(right)
        self._grams = gram_rows(left.names, right.names)
        self._words = token_rows(one.words, two.words)
        self._first = token_rows([words[:1] for words in one.words], [words[:1] for words in two.words])
        self._codes_of_left = token_rows(one.codes, two.codes_anywhere, _certainty)
        self._codes_of_right = token_rows(one.codes_anywhere, two.codes, _certainty)
        self._prefixes = token_rows(map(prefixes_of, one.codes), map(prefixes_of, two.codes), len, by_rarity=False)
        self._longest = one.longest_codes(), two.longest_codes()
        self._numbers = token_rows(one.numbers, two.numbers, _once, by_rarity=False)

    def pairs(self) -> LikelyPairs:
        """The pairs that are worth a look, with their evidence."""
        left, right = self._grams
        rows, columns = candidates(left, right, _MOST_PARTNERS)
        back_columns, back_rows = candidates(right, left, _MOST_PARTNERS)
        width = len(right)
        both = np.union1d(rows * width + columns, back_rows * width + back_columns)
        rows, columns = both // max(width, 1), both % max(width, 1)
        return LikelyPairs(rows, columns, self._evidence(rows, columns))

    def _evidence(self, rows: LongArray, columns: LongArray) -> FloatArray:
        letters = cosines(*self._grams, rows, columns)
        figures = [
            letters,
            cosines(*self._words, rows, columns),
            self._contained(rows, columns),
            letters - best_other(rows, letters),
            letters - best_other(columns, letters),
            *self._code_figures(rows, columns),
            *self._number_figures(rows, columns),
            *self._price_figures(rows, columns),
            (shared_weight(*self._first, rows, columns) > 0).astype(float),
        ]
        return np.stack(figures, axis=1)

    def _contained(self, rows: LongArray, columns: LongArray) -> FloatArray:
        """How much of the shorter name is in the longer one."""
        left, right = self._words
        shorter = np.minimum(left.totals()[rows], right.totals()[columns])
        share: FloatArray = shared_weight(left, right, rows, columns) / np.maximum(shorter, 1e-12)
        return share

    def _code_figures(self, rows: LongArray, columns: LongArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        shared = np.maximum(
            highest_shared(*self._codes_of_left, rows, columns), highest_shared(*self._codes_of_right, rows, columns)
        )
        left, right = self._longest[0][rows], self._longest[1][columns]
        begin = highest_shared(*self._prefixes, rows, columns) / np.maximum(np.maximum(left, right), 1)
        differ = (left > 0) & (right > 0) & (shared == 0)
        return shared, np.where(differ, begin, 0.0), differ.astype(float)

    def _number_figures(self, rows: LongArray, columns: LongArray) -> tuple[FloatArray, FloatArray]:
        left, right = self._numbers
        shared = shared_weight(left, right, rows, columns)
        own, other = left.counts()[rows], right.counts()[columns]
        differ = (own > shared) & (other > shared)
        return differ.astype(float), shared / np.maximum(own + other - shared, 1)

    def _price_figures(self, rows: LongArray, columns: LongArray) -> tuple[FloatArray, FloatArray]:
        left, right = self._prices[0][rows], self._prices[1][columns]
        known = (left > 0) & (right > 0)
        apart = np.abs(np.log(np.where(known, left, 1.0) / np.where(known, right, 1.0)))
        return np.minimum(apart, _FAR_PRICE), known.astype(float)


def _certainty(code: str) -> float:
    """How surely a shared code means the same product."""
    return min(len(code), _LONG_CODE) / _LONG_CODE


def _once(_: str) -> float:
    return 1.0
