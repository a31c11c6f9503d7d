"""What each column is worth in the catalogue at hand, estimated from its pairs alone.

The model is that of Fellegi and Sunter: in each column, the likeness of a pair is one of a few levels, and a level
speaks for a match as much as it is commoner among matches than among others. Which pairs are matches is not known; so
the estimate goes back and forth (expectation maximisation): levels tell matches, and matches tell what the levels are
worth. It is held near what matches are like in general, and near one partner for each record.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sightline.arrays import BoolArray, FloatArray, LongArray
from sightline.flow.match._likeness import ColumnLikeness
from sightline.flow.match._tokens import best_other

_BINS = np.array([0.3, 0.7, 1.2, 1.8, 2.5, 3.3])  # surprises, as powers of ten; the last level is that of equal values
_LEVELS = len(_BINS) + 2
_UNKNOWN = -1
# What is supposed of the levels before anything was seen: most values of matches are equal, few of others. It counts
# as much as so many pairs.
_OF_MATCHES = np.array([0.03, 0.03, 0.04, 0.05, 0.06, 0.09, 0.2, 0.5])
_OF_OTHERS = np.array([0.35, 0.2, 0.13, 0.1, 0.08, 0.06, 0.05, 0.03])
_HOLD_MATCHES, _HOLD_OTHERS = 10.0, 2.0
_FEW = 30.0  # best pairs; of fewer, what is supposed counts less as well, so that it does not drown them
_OF_RARITY = 0.7 * np.log(10)  # what a power of ten of rarity adds where values are equal
_MOST_OF_RARITY = 3.0
_ROUNDS = 20
_FIRST_MATCH, _FIRST_OTHER = 0.6, 0.02  # chances to begin with, of pairs that are best for both records and of others
# Pairs as which the first share of matches counts later: who compares two tables expects matches, and in small ones the
# estimate would otherwise end with none.
_SUPPOSED = 30.0
_SAMPLE = 200_000  # pairs by which the levels are estimated; more change no weight
_MOST_ODDS = 30.0


@dataclass(frozen=True, eq=False)
class ColumnWorth:
    """What each column adds to the log-odds of each pair, and the odds before any column was looked at."""

    parts: FloatArray
    """Pairs by columns."""
    prior: float

    @property
    def odds(self) -> FloatArray:
        """The log-odds of each pair by all columns."""
        odds: FloatArray = self.parts.sum(axis=1) + self.prior
        return odds


def column_worth(
    likeness: Sequence[ColumnLikeness], rows: LongArray, columns: LongArray, one_each: tuple[bool, bool]
) -> ColumnWorth:
    """Estimate what the levels of each column are worth; `one_each` says of which sides a record has one partner."""
    if not len(rows) or not likeness:
        return ColumnWorth(np.zeros((len(rows), len(likeness))), 0.0)
    levels = np.stack([_levels(one) for one in likeness], axis=1)
    rarity = np.stack([np.where(one.equal, one.rarity, np.nan) for one in likeness], axis=1)
    alike = np.nansum([np.nan_to_num(one.surprise) + one.rarity for one in likeness], axis=0)
    part = _part(rows)
    groups = [group[part] for group, is_one in zip((rows, columns), one_each, strict=True) if is_one]
    is_best = np.ones(int(part.sum()), bool)
    for group in (rows[part], columns[part]):
        is_best &= alike[part] > best_other(group, alike[part])
    chance = np.where(is_best, _FIRST_MATCH, _FIRST_OTHER)
    supposed = float(chance.mean())
    held = min(1.0, float(is_best.sum()) / _FEW)
    for _ in range(_ROUNDS):
        weights, usual = _weights(levels[part], rarity[part], chance, held)
        prior = _log_odds((float(chance.sum()) + _SUPPOSED * supposed) / (len(chance) + _SUPPOSED))
        odds = _parts(levels[part], rarity[part], weights, usual).sum(axis=1) + prior
        chance = _shared(odds, groups)
    return ColumnWorth(_parts(levels, rarity, weights, usual), prior)


def _levels(one: ColumnLikeness) -> LongArray:
    levels = np.searchsorted(_BINS, np.nan_to_num(one.surprise))
    levels = np.where(one.equal, _LEVELS - 1, levels)
    return np.where(np.isnan(one.surprise), _UNKNOWN, levels)


def _part(rows: LongArray) -> BoolArray:
    """The pairs of some records, all of each."""
    step = max(1, -(-len(rows) // _SAMPLE))
    part: BoolArray = rows % step == 0
    return part if part.any() else np.ones(len(rows), bool)


def _weights(levels: LongArray, rarity: FloatArray, chance: FloatArray, held: float) -> tuple[FloatArray, FloatArray]:
    """What each level of each column is worth, and how rare equal values usually are in pairs that do not match."""
    weights, usual = np.zeros((levels.shape[1], _LEVELS)), np.zeros(levels.shape[1])
    for column in range(levels.shape[1]):
        own = levels[:, column]
        known = own != _UNKNOWN
        of_matches = np.bincount(own[known], weights=chance[known], minlength=_LEVELS)
        of_others = np.bincount(own[known], weights=1 - chance[known], minlength=_LEVELS)
        hold = held * _HOLD_MATCHES
        matches = (of_matches + hold * _OF_MATCHES) / (of_matches.sum() + hold)
        others = (of_others + _HOLD_OTHERS * _OF_OTHERS) / (of_others.sum() + _HOLD_OTHERS)
        weights[column] = _rising(np.log(matches / others), matches + others)
        equal = ~np.isnan(rarity[:, column])
        if equal.any():
            usual[column] = np.average(rarity[equal, column], weights=1 - chance[equal] + 1e-9)
    return weights, usual


def _rising(values: FloatArray, counts: FloatArray) -> FloatArray:
    """The nearest values that never fall: being more alike never speaks less for a pair.

    >>> _rising(np.array([0.0, 2.0, 1.0]), np.ones(3)).tolist()
    [0.0, 1.5, 1.5]
    """
    blocks: list[tuple[float, float, int]] = []
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        blocks.append((value, count, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (one, own, size), (two, other, more) = blocks[-2:]
            blocks[-2:] = [((one * own + two * other) / (own + other), own + other, size + more)]
    return np.concatenate([np.full(size, value) for value, _, size in blocks])


def _parts(levels: LongArray, rarity: FloatArray, weights: FloatArray, usual: FloatArray) -> FloatArray:
    parts = np.zeros(levels.shape)
    for column in range(levels.shape[1]):
        own = levels[:, column]
        parts[:, column] = np.where(own == _UNKNOWN, 0.0, weights[column][own])
        rarer = np.nan_to_num((rarity[:, column] - usual[column]) * _OF_RARITY)
        parts[:, column] += np.clip(rarer, -_MOST_OF_RARITY, _MOST_OF_RARITY)
    return parts


def _shared(odds: FloatArray, groups: Sequence[LongArray]) -> FloatArray:
    """The chance of each pair, where a record of some sides has but one partner."""
    likely = np.exp(np.clip(odds, -_MOST_ODDS, _MOST_ODDS))
    chance: FloatArray = likely / (1 + likely)
    for group in groups:
        chance = np.minimum(chance, likely / (1 + np.bincount(group, weights=likely)[group]))
    return chance


def _log_odds(chance: float) -> float:
    held = min(max(chance, 1e-6), 1 - 1e-6)
    return float(np.log(held / (1 - held)))
