"""What speaks for and against a pair of records: one row of figures for each pair.

Some figures come from the columns, as they are worth in the catalogue at hand; others from the texts of the records,
whatever column they stand in: names, model numbers, and numbers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from sightline.arrays import FloatArray, LongArray
from sightline.flow.match._columns import ColumnPair, Compared
from sightline.flow.match._estimate import ColumnWorth, column_worth
from sightline.flow.match._likely import LikelyPlaces, likely_places
from sightline.flow.match._likeness import ColumnLikeness, column_likeness, unrelated_pairs
from sightline.flow.match._texts import codes_of, codes_written_apart, numbers_of, prefixes_of, words_of
from sightline.flow.match._tokens import (
    TokenRows,
    best_other,
    cosines,
    gram_rows,
    highest_shared,
    shared_weight,
    token_rows,
)
from sightline.flow.match._values import plain_text
from sightline.flow.rows import TextColumns

EVIDENCE = (
    "columns alike",
    "columns differ",
    "worst column",
    "ahead of other rights",
    "ahead of other lefts",
    "words of all columns",
    "letters",
    "words",
    "letters ahead of other rights",
    "letters ahead of other lefts",
    "shared code",
    "codes begin alike",
    "codes differ",
    "numbers differ",
    "numbers shared",
    "this catalogue",
)
"""What each figure of a pair says, in the order of the columns of `LikelyPairs.evidence`; the last one is what is added
to all pairs of a catalogue, once it is known how alike its unrelated records are."""
AS_COLUMNS = ("numbers", "model numbers", "first word")
"""What counts as columns do besides the columns themselves, after them."""
AHEAD_OF_RIGHTS = ("ahead of other rights", "letters ahead of other rights")
AHEAD_OF_LEFTS = ("ahead of other lefts", "letters ahead of other lefts")
CATALOGUE = EVIDENCE.index("this catalogue")

Assignment: TypeAlias = Literal["one-to-one", "many-to-one", "within"]
"""How many partners a record has: one for both sides, one for records of the left side, or any number."""

_LONG_CODE = 8  # characters; a shared code of so many isn't an accident
_MOST_ODDS, _MOST_AHEAD = 20.0, 10.0  # of the log-odds by columns: what is surer is sure


@dataclass(eq=False)
class LikelyPairs:
    """Pairs that may match, in rising order of `rows`, with the evidence for each, and what each column adds to it."""

    places: LikelyPlaces
    evidence: FloatArray
    worth: ColumnWorth
    columns_compared: tuple[ColumnPair, ...]
    records: tuple[int, int]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def rows(self) -> LongArray:
        """The left record of each."""
        return self.places.rows

    @property
    def columns(self) -> LongArray:
        """The right record of each."""
        return self.places.columns


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


@dataclass(eq=False)
class Compare:
    """Compares the records of two sides; a table with itself where both are the same."""

    tables: tuple[TextColumns, TextColumns]
    sides: tuple[Compared, Compared]
    pairs_of_columns: tuple[ColumnPair, ...]
    assignment: Assignment = "one-to-one"

    def pairs(self) -> LikelyPairs:
        """The pairs that are worth a look, with their evidence."""
        by_column, anywhere = self._words()
        grams = gram_rows(self.sides[0].names, self.sides[1].names)
        places = likely_places(by_column, grams, is_one=self.assignment == "within")
        rows, columns = places.rows, places.columns
        del by_column
        one_each = (self.assignment != "within", self.assignment == "one-to-one")
        whole = cosines(*anywhere, rows, columns)
        is_best = (whole > best_other(rows, whole)) & (whole > best_other(columns, whole))
        drawn = unrelated_pairs(len(self.sides[0].names), len(self.sides[1].names), (rows[is_best], columns[is_best]))
        likeness = [column_likeness(pair, self._values(pair), rows, columns, drawn) for pair in self.pairs_of_columns]
        texts = self._text_figures(grams, rows, columns)
        # Model numbers and other numbers are worth different things in different catalogues, as columns are.
        likeness += [_numbers_alike(*texts[7:9]), _codes_alike(*texts[4:7]), self._first_word(rows, columns)]
        worth = column_worth(likeness, rows, columns, one_each)
        figures = [*self._column_figures(worth, rows, columns), whole, *texts, np.zeros(len(rows))]
        evidence = np.stack(figures, axis=1)
        for name in self._meaningless:
            evidence[:, EVIDENCE.index(name)] = 0.0
        records = len(self.sides[0].names), len(self.sides[1].names)
        return LikelyPairs(places, evidence, worth, self.pairs_of_columns, records)

    @property
    def _meaningless(self) -> tuple[str, ...]:
        """What says nothing where a record may have several partners: that it is more alike to one than to another."""
        if self.assignment == "one-to-one":
            return ()
        return AHEAD_OF_LEFTS if self.assignment == "many-to-one" else (*AHEAD_OF_LEFTS, *AHEAD_OF_RIGHTS)

    # ------------------------------------------------------------------ figures of columns

    def _values(self, pair: ColumnPair) -> tuple[Sequence[str | None], Sequence[str | None]]:
        """The values of a column on both sides; a price as it was read with a look at the other side."""
        if pair.role == "price" and sum(one.role == "price" for one in self.pairs_of_columns) == 1:
            left, right = ([f"{price:.2f}" if price else None for price in side.prices] for side in self.sides)
            return left, right
        return self.tables[0][pair.left], self.tables[1][pair.right]

    def _column_figures(self, worth: ColumnWorth, rows: LongArray, columns: LongArray) -> list[FloatArray]:
        parts = worth.parts if worth.parts.shape[1] else np.zeros((len(rows), 1))
        odds = np.clip(worth.odds, -_MOST_ODDS, _MOST_ODDS)
        alone = float(odds.min(initial=0.0)) - 1  # a pair without another is ahead of the worst
        ahead = [np.clip(odds - best_other(side, odds, alone), -_MOST_AHEAD, _MOST_AHEAD) for side in (rows, columns)]
        return [np.maximum(parts, 0).sum(axis=1), np.minimum(parts, 0).sum(axis=1), parts.min(axis=1), *ahead]

    def _first_word(self, rows: LongArray, columns: LongArray) -> ColumnLikeness:
        """The first words of two names as if they were a column: products begin with who made them."""
        words = [[name.split(None, 1)[0] if name.strip() else None for name in side.names] for side in self.sides]
        ids: dict[str, int] = {}
        left, right = (
            np.array([ids.setdefault(word.lower(), len(ids)) if word else -1 for word in side], np.int64)
            for side in words
        )
        equal = (left[rows] == right[columns]) & (left[rows] >= 0)
        known = (left[rows] >= 0) & (right[columns] >= 0)
        share = np.bincount(np.maximum(np.concatenate([left, right]), 0), minlength=max(len(ids), 1)) / (
            max(len(left) + len(right), 1)
        )
        rarity = -np.log10(np.maximum(share[np.maximum(left[rows], 0)], 1e-12))
        return ColumnLikeness(np.where(known, 0.0, np.nan), equal, np.where(equal, rarity, 0.0))

    def _words(self) -> tuple[tuple[TokenRows, TokenRows], tuple[TokenRows, TokenRows]]:
        """The words of each record, by the column that they stand in, and whatever column it is.

        A value may stand in another column of the other side. Numbers are left out, since they lie too close together.
        """
        chosen = [pair for pair in self.pairs_of_columns if pair.kind != "number"]
        if not chosen:
            left, right = ([words_of(name) for name in side.names] for side in self.sides)
            words = token_rows(left, right)
            return words, words
        columns = [self.tables[0][pair.left] for pair in chosen], [self.tables[1][pair.right] for pair in chosen]
        sizes = [len(side.names) for side in self.sides]
        anywhere = token_rows(_together(columns[0], sizes[0]), _together(columns[1], sizes[1]))
        if len(chosen) == 1:
            return anywhere, anywhere
        return token_rows(_tagged(columns[0], sizes[0]), _tagged(columns[1], sizes[1])), anywhere

    # ------------------------------------------------------------------ figures of texts

    def _text_figures(
        self, grams: tuple[TokenRows, TokenRows], rows: LongArray, columns: LongArray
    ) -> list[FloatArray]:
        one, two = _Tokens(self.sides[0]), _Tokens(self.sides[1])
        letters = cosines(*grams, rows, columns)
        return [
            letters,
            cosines(*token_rows(one.words, two.words), rows, columns),
            letters - best_other(rows, letters),
            letters - best_other(columns, letters),
            *_code_figures(one, two, rows, columns),
            *_number_figures(one, two, rows, columns),
        ]


def _together(columns: list[list[str | None]], count: int) -> list[list[str]]:
    rows: list[list[str]] = [[] for _ in range(count)]
    for values in columns:
        for row, value in zip(rows, values, strict=True):
            row += plain_text(value).split()
    return rows


def _tagged(columns: list[list[str | None]], count: int) -> list[list[str]]:
    rows: list[list[str]] = [[] for _ in range(count)]
    for number, values in enumerate(columns):
        for row, value in zip(rows, values, strict=True):
            row += [f"{number} {word}" for word in plain_text(value).split()]
    return rows


def _code_figures(one: _Tokens, two: _Tokens, rows: LongArray, columns: LongArray) -> list[FloatArray]:
    """Whether both have the same model number, how far two begin alike, and whether both have some, but other ones."""
    of_left = token_rows(one.codes, two.codes_anywhere, _certainty)
    of_right = token_rows(one.codes_anywhere, two.codes, _certainty)
    prefixes = token_rows(map(prefixes_of, one.codes), map(prefixes_of, two.codes), len, by_rarity=False)
    shared = np.maximum(highest_shared(*of_left, rows, columns), highest_shared(*of_right, rows, columns))
    left, right = one.longest_codes()[rows], two.longest_codes()[columns]
    begin = highest_shared(*prefixes, rows, columns) / np.maximum(np.maximum(left, right), 1)
    differ = (left > 0) & (right > 0) & (shared == 0)
    return [shared, np.where(differ, begin, 0.0), differ.astype(float)]


def _number_figures(one: _Tokens, two: _Tokens, rows: LongArray, columns: LongArray) -> list[FloatArray]:
    """Whether each has numbers that the other lacks, and which share of all numbers both have."""
    left, right = token_rows(one.numbers, two.numbers, _once, by_rarity=False)
    shared = shared_weight(left, right, rows, columns)
    own, other = left.counts()[rows], right.counts()[columns]
    differ = (own > shared) & (other > shared)
    return [differ.astype(float), shared / np.maximum(own + other - shared, 1)]


_BEGIN_ALIKE = 0.6  # of two model numbers: those of variants of a product, more often than of one
_PARTLY = 1.0  # surprise of numbers of which some are shared


def _numbers_alike(differ: FloatArray, shared: FloatArray) -> ColumnLikeness:
    """The numbers of two names as if they were a column: all shared, some, or each with others."""
    surprise = np.where(differ > 0, 0.0, np.where(shared > 0, _PARTLY, np.nan))
    return ColumnLikeness(surprise, shared == 1.0, np.zeros(len(shared)))


def _codes_alike(shared: FloatArray, begin: FloatArray, differ: FloatArray) -> ColumnLikeness:
    """The model numbers of two records as if they were a column: the same, one that begins alike, or others."""
    surprise = np.where(differ > 0, np.where(begin >= _BEGIN_ALIKE, _PARTLY, 0.0), np.nan)
    return ColumnLikeness(np.where(shared > 0, _PARTLY, surprise), shared > 0, np.zeros(len(shared)))


def _certainty(code: str) -> float:
    """How surely a shared code means the same product."""
    return min(len(code), _LONG_CODE) / _LONG_CODE


def _once(_: str) -> float:
    return 1.0
