"""How alike the values of a column are in pairs of records, told by how seldom unrelated records are as alike.

Numbers, days, names and texts are alike in their own ways. What they have in common is how surprising a likeness is:
two brands are the same in one of fifty pairs of unrelated records, two phone numbers in none of twenty thousand.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from rapidfuzz import distance, process

from sightline.arrays import BoolArray, FloatArray, LongArray
from sightline.flow.match._columns import ColumnPair
from sightline.flow.match._tokens import cosines, gram_rows, shared_weight, token_rows
from sightline.flow.match._values import ValueKind, days_in, numbers_in, plain_identifier, plain_text

_UNRELATED = 20_000  # pairs drawn at random, by which likeness is measured
_FAR = -1e18  # likeness of numbers of which one is not known
_WEIGHT_OF_WORDS = 0.01  # tells apart names that all contain the shorter one

Likeness: TypeAlias = Callable[[LongArray, LongArray], FloatArray]
DrawnPairs: TypeAlias = tuple[LongArray, LongArray]
ValuesOfSides: TypeAlias = tuple[Sequence[str | None], Sequence[str | None]]


@dataclass(frozen=True, eq=False)
class ColumnLikeness:
    """What the values of a column say of each pair."""

    surprise: FloatArray
    """How seldom unrelated records are as alike, as a power of ten; NaN where one side says nothing."""
    equal: BoolArray
    rarity: FloatArray
    """How seldom the value is, as a power of ten, where both are equal; 0 elsewhere."""


def column_likeness(
    pair: ColumnPair, sides: ValuesOfSides, rows: LongArray, columns: LongArray, drawn: DrawnPairs
) -> ColumnLikeness:
    """Compare a column of both sides in some pairs, by the likeness of pairs that were drawn."""
    values = _Values(pair.kind, sides)
    known, equal = values.known(rows, columns), values.equal(rows, columns)
    is_reference = values.known(*drawn)
    possible = min(int(is_reference.sum()), len(values.left) * len(values.right))
    surprises = []
    for likeness in values.ways():
        reference = np.sort(likeness(*drawn)[is_reference])
        found = likeness(rows, columns)
        share = 1 - np.searchsorted(reference, found, side="left") / max(len(reference), 1)
        surprises.append(-np.log10((share * possible + 0.5) / (possible + 1)))
    # A number or a name with a slip of the pen is alike in one way only; a text is as alike as all ways say together.
    is_typed = pair.kind in ("number", "day", "digits", "code")
    surprise = np.max(surprises, axis=0) if is_typed else np.mean(surprises, axis=0)
    return ColumnLikeness(np.where(known, surprise, np.nan), equal, np.where(equal, values.rarity(rows), 0.0))


def unrelated_pairs(left: int, right: int, likely: tuple[LongArray, LongArray]) -> DrawnPairs:
    """Pairs of records drawn at random, the same ones each time, without those that may be matches.

    In small tables, a good part of all pairs are matches.
    """
    if not left or not right:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    random = np.random.default_rng(1)
    rows, columns = np.sort(random.integers(0, left, _UNRELATED)), random.integers(0, right, _UNRELATED)
    is_unrelated = ~np.isin(rows * right + columns, likely[0] * right + likely[1])
    return rows[is_unrelated], columns[is_unrelated]


class _Values:
    """A column of both sides, with the ways in which its values may be alike."""

    def __init__(self, kind: ValueKind, sides: ValuesOfSides) -> None:
        self.kind: ValueKind = kind
        self._raw = left, right = sides
        plain = plain_identifier if kind in ("code", "digits") else plain_text
        self.left, self.right = [plain(value) for value in left], [plain(value) for value in right]
        numbers: dict[str, int] = {}
        self._ids = tuple(
            np.array([numbers.setdefault(text, len(numbers)) for text in side], np.int64)
            for side in (self.left, self.right)
        )
        self._texts = np.array(list(numbers), dtype=object)
        self._share = np.bincount(np.concatenate(self._ids), minlength=len(numbers)) / max(len(left) + len(right), 1)
        self._is_known = np.array([bool(text) for text in numbers], bool)
        self._typed = self._typed_values()

    def known(self, rows: LongArray, columns: LongArray) -> BoolArray:
        """Whether both sides say something; a number that cannot be read says nothing."""
        known: BoolArray = self._is_known[self._ids[0][rows]] & self._is_known[self._ids[1][columns]]
        if self._typed is not None and self.kind == "number":
            known &= ~(np.isnan(self._typed[0][rows]) | np.isnan(self._typed[1][columns]))
        return known

    def equal(self, rows: LongArray, columns: LongArray) -> BoolArray:
        """Whether both sides say the same."""
        same: BoolArray = self._ids[0][rows] == self._ids[1][columns]
        if self._typed is not None:
            same |= self._typed[0][rows] == self._typed[1][columns]
        return same & self.known(rows, columns)

    def rarity(self, rows: LongArray) -> FloatArray:
        """How seldom the values of the left records are, as a power of ten."""
        return -np.log10(np.maximum(self._share[self._ids[0][rows]], 1e-12))

    def ways(self) -> list[Likeness]:
        """The ways in which the values of such a column may be alike."""
        ways: list[Likeness] = []
        if self._typed is not None:
            ways.append(self._near)
        if self.kind in ("short", "code", "digits", "day"):
            ways.append(self._by_letters)
        if self.kind in ("short", "text"):
            grams, words = gram_rows(self.left, self.right), token_rows(*self._words())
            totals = words[0].totals(), words[1].totals()

            def contained(rows: LongArray, columns: LongArray) -> FloatArray:
                shorter = np.minimum(totals[0][rows], totals[1][columns])
                share: FloatArray = shared_weight(*words, rows, columns) / np.maximum(shorter, 1e-12)
                return share + _WEIGHT_OF_WORDS * cosines(*words, rows, columns)

            ways += [lambda rows, columns: cosines(*grams, rows, columns), contained]
            ways.append(lambda rows, columns: cosines(*words, rows, columns))
        return ways

    def _words(self) -> tuple[list[list[str]], list[list[str]]]:
        return [text.split() for text in self.left], [text.split() for text in self.right]

    def _typed_values(self) -> tuple[FloatArray, FloatArray] | None:
        if self.kind not in ("number", "day"):
            return None
        read = numbers_in if self.kind == "number" else days_in
        return read(self._raw[0]), read(self._raw[1])

    def _near(self, rows: LongArray, columns: LongArray) -> FloatArray:
        left, right = self._typed if self._typed is not None else (np.zeros(0), np.zeros(0))
        apart = -np.abs(left[rows] - right[columns])
        return np.where(np.isnan(apart), _FAR, apart)

    def _by_letters(self, rows: LongArray, columns: LongArray) -> FloatArray:
        """How few letters must be changed to make one value of the other, each two values compared once."""
        keys = self._ids[0][rows] * len(self._texts) + self._ids[1][columns]
        distinct, place = np.unique(keys, return_inverse=True)
        texts = [
            [text.replace(" ", "") for text in self._texts[side].tolist()]
            for side in np.divmod(distinct, max(len(self._texts), 1))
        ]
        if not len(distinct):
            return np.zeros(0)
        alike: npt.NDArray[np.float32] = process.cpdist(
            *texts, scorer=distance.OSA.normalized_similarity, dtype=np.float32
        )
        return alike.astype(np.float64)[place]
