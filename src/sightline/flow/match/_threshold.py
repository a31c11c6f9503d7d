"""From which score on pairs of the catalogue at hand are matches, estimated from its own scores.

A score that tells matches in one catalogue does not in another: among a million offers, something is nearly the same
by chance. How alike records are by chance, the catalogue shows itself. If the partner of a record were missing, the
record would be matched to the next best that nobody else wants; the scores of these decoys are what wrong matches look
like. With them, the scores of all pairs that are best for both records are taken apart into wrong matches and right
ones, and each score gets its chance.
"""

from dataclasses import dataclass

import numpy as np

from sightline.arrays import BoolArray, FloatArray, LongArray
from sightline.flow.match._tokens import best_other

# How much oftener records without a partner are matched wrongly than decoys tell: who publishes or keeps two tables of
# the same things often kept what is hard to tell apart. This and what follows was chosen by `bench.flow.fit_match_line`
# over eight pairs of tables and small parts of them, each judged by weights that did not know its domain.
_HARDER = 3.0
_HARDER_SPREAD = 0.35  # of the logarithm of how many wrong matches there are, about what decoys tell
_SHIFTS = np.arange(0.0, 2.01, 0.25)  # by which wrong matches may score higher than decoys
_SHIFT_SPREAD = 0.5
_EXPECTED = 3.0  # how firmly who matches two tables expects that they share records
_TEMPER = 200.0  # pairs; more of them do not make the shapes below truer
# Where wrong and right matches score in general, and how many pairs that counts for.
_WRONG, _WRONG_SPREAD, _WRONG_COUNT = -2.0, 1.0, 5.0
_RIGHT, _RIGHT_SPREADS, _RIGHT_COUNT = 1.5, (1.5, 1.5), 10.0
_RIGHT_SHARE = 0.3  # of the best pairs, as which that counts at most: a small table has its own scores
_LEAST_SPREAD, _MOST_SPREAD = (0.6, 0.5, 0.4), (3.0, 4.0, 3.0)  # of wrong matches, and of right ones to both sides
_FEWEST_WRONG, _COUNTS_TRIED = 0.5, 25  # how many wrong matches are tried, from so few to nearly all
_SCORES = 200  # places at which the scores are counted
_ROUNDS = 20
_SURE_HALF = 0.5  # of the best pairs: those whose records show what decoys are like
_MOST_WRONG = 0.98  # of the best pairs
_FARTHEST = 6.0  # log-odds up to which the chances are drawn as a straight line over the scores
_LEAST_SLOPE, _MOST_SLOPE = 0.4, 2.5
# Scores between which the line lies in every catalogue: the best lines of the eight lie between -3.4 and 1.7.
_LINES = (-3.0, 1.75)


@dataclass(frozen=True)
class CatalogueChances:
    """How scores become chances in a catalogue: the log-odds are `slope * score + shift`.

    `matches` is how many there are among the best pairs, as estimated.
    """

    slope: float = 1.0
    shift: float = 0.0
    matches: float = 0.0


def catalogue_chances(
    scores: FloatArray, rows: LongArray, columns: LongArray, records: tuple[int, int], *, one_to_one: bool
) -> CatalogueChances:
    """Estimate how scores become chances in a catalogue of so many records."""
    is_best = best_pairs(scores, rows, columns, one_to_one=one_to_one)
    best = scores[is_best]
    if not len(best):
        return CatalogueChances()
    decoys = _decoys(scores, rows, columns, is_best, records[0], one_to_one=one_to_one)
    sure = np.full(records[0], -np.inf)
    sure[rows[is_best]] = best
    return _estimated(best, decoys[sure >= np.quantile(best, _SURE_HALF)], records[0])


def catalogue_chances_within(
    scores: FloatArray, rows: LongArray, columns: LongArray, odds: FloatArray, records: int
) -> CatalogueChances:
    """The same for the pairs of one table, of which `odds` tell which records are surely one thing.

    The decoy of a record is the likest one of another thing.
    """
    if not len(scores):
        return CatalogueChances()
    both = np.concatenate([rows, columns]), np.concatenate([columns, rows])
    twice = np.concatenate([scores, scores])
    is_best = best_pairs(twice, *both, one_to_one=True)[: len(scores)]
    things = _joined(rows[odds > 0], columns[odds > 0], records)
    apart = things[rows] != things[columns]
    decoys = np.full(records, -np.inf)
    for side in (rows, columns):
        np.maximum.at(decoys, side[apart], scores[apart])
    sure = np.bincount(things, minlength=records)[things] > 1
    best = scores[is_best]
    if not len(best):
        return CatalogueChances()
    return _estimated(best, decoys[sure] if sure.any() else decoys, records // 2)  # two records make a pair


def _estimated(best: FloatArray, decoys: FloatArray, records: int) -> CatalogueChances:
    """The chances of the best pairs, by the decoys of some records; one without a decoy would be matched to nothing."""
    found = decoys[np.isfinite(decoys)]
    rate = (len(found) + 0.5) / (len(decoys) + 1)
    return _straight(_taken_apart(best, found, rate, records))


def _joined(rows: LongArray, columns: LongArray, records: int) -> LongArray:
    """The lowest record that each record is joined to, directly or by others."""
    lowest = np.arange(records)
    while True:
        before = lowest.copy()
        np.minimum.at(lowest, rows, before[columns])
        np.minimum.at(lowest, columns, before[rows])
        lowest = lowest[lowest]
        if (lowest == before).all():
            return lowest


def best_pairs(scores: FloatArray, rows: LongArray, columns: LongArray, *, one_to_one: bool) -> BoolArray:
    """The pairs that are the best of their left record; one to one, of their right record as well."""
    is_best: BoolArray = scores > best_other(rows, scores, -np.inf)
    if one_to_one:
        is_best &= scores > best_other(columns, scores, -np.inf)
    return is_best


def _decoys(
    scores: FloatArray, rows: LongArray, columns: LongArray, is_best: BoolArray, records: int, *, one_to_one: bool
) -> FloatArray:
    """For each left record the score of the pair that it would be matched to if its partner were missing."""
    is_free = ~is_best
    if one_to_one:
        is_free &= scores > best_other(columns, scores, -np.inf)
    decoys = np.full(records, -np.inf)
    np.maximum.at(decoys, rows[is_free], scores[is_free])
    return decoys


@dataclass(frozen=True, eq=False)
class _Apart:
    """The best pairs counted by their scores, with the chance of each score."""

    scores: FloatArray
    counts: FloatArray
    chances: FloatArray


def _taken_apart(best: FloatArray, decoys: FloatArray, rate: float, records: int) -> _Apart:
    """Wrong and right matches among the best pairs.

    Many numbers of wrong ones, and shifts, are tried side by side, each as a row; all count, by how well they explain
    the scores, since in few pairs a single explanation is as good as another.
    """
    edges = np.linspace(best.min() - 1e-6, best.max() + 1e-6, _SCORES + 1)
    counted = np.histogram(best, edges)[0]
    kept = counted > 0
    scores, counts = ((edges[:-1] + edges[1:]) / 2)[kept], counted[kept].astype(float)
    size = len(decoys) + _WRONG_COUNT
    middle = (decoys.sum() + _WRONG_COUNT * _WRONG) / size
    spread = np.sqrt((((decoys - middle) ** 2).sum() + _WRONG_COUNT * _WRONG_SPREAD**2) / size)
    spread = np.clip(spread, _LEAST_SPREAD[0], _MOST_SPREAD[0])
    wrong = np.geomspace(_FEWEST_WRONG, max(_MOST_WRONG * counts.sum(), 1.0), _COUNTS_TRIED)
    tried, shifts = (one.ravel()[:, None] for one in np.meshgrid(wrong, _SHIFTS))
    bad = tried * _bell(scores, middle + shifts, spread, spread)
    chances, shares = _right_beside(scores, counts, bad, counts.sum() - tried, middle + shifts)
    fits = min(1.0, _TEMPER / counts.sum()) * (counts * np.log(shares + 1e-12)).sum(axis=1)
    expected = _expected(rate, records - counts.sum() + tried[:, 0])
    fits -= np.log(tried[:, 0] / expected) ** 2 / (2 * _HARDER_SPREAD**2)
    fits -= shifts[:, 0] ** 2 / (2 * _SHIFT_SPREAD**2)
    fits += _EXPECTED * np.log((counts.sum() - tried[:, 0]) / counts.sum() + 1e-9)
    likely = np.exp(fits - fits.max())
    return _Apart(scores, counts, np.maximum.accumulate(likely @ chances / likely.sum()))


def _right_beside(
    scores: FloatArray, counts: FloatArray, bad: FloatArray, matches: FloatArray, least: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The chance of each score and how common it is, with the likeliest shape of right matches beside wrong ones."""
    weight = min(1.0, _TEMPER / counts.sum())
    held = min(_RIGHT_COUNT, _RIGHT_SHARE * float(counts.sum()))
    usual = float(np.quantile(np.repeat(scores, counts.astype(int)), 0.75))
    middle = np.maximum(usual, least)
    left, right = (np.full_like(middle, spread) for spread in _RIGHT_SPREADS)
    for _ in range(_ROUNDS):
        good = matches * _bell(scores, middle, left, right)
        top = matches * _bell(middle, middle, left, right)
        # Above the middle of right matches nothing is likelier wrong for being more alike.
        chances = np.where(scores >= middle, 1 - bad / (bad + top), good / (bad + good + 1e-300))
        own = counts * chances * weight
        middle = ((own * scores).sum(axis=1, keepdims=True) + held * _RIGHT) / (own.sum(axis=1, keepdims=True) + held)
        left, right = (_reach(scores, own, middle, side, held / 2) for side in (0, 1))
    return chances, (bad + matches * _bell(scores, middle, left, right)) / counts.sum()


def _reach(scores: FloatArray, own: FloatArray, middle: FloatArray, side: int, count: float) -> FloatArray:
    """How far right matches reach from their middle to the left (0) or to the right (1)."""
    of_side = own * (scores >= middle if side else scores < middle)
    squares = (of_side * (scores - middle) ** 2).sum(axis=1, keepdims=True)
    spread = np.sqrt((squares + count * _RIGHT_SPREADS[side] ** 2) / (of_side.sum(axis=1, keepdims=True) + count))
    reach: FloatArray = np.clip(spread, _LEAST_SPREAD[side + 1], _MOST_SPREAD[side + 1])
    return reach


def _expected(rate: float, without: FloatArray) -> FloatArray:
    """How many wrong matches the decoys tell, of so many records without a partner."""
    return np.maximum(min(rate * _HARDER, 0.95) * np.maximum(without, 1.0), 0.5)


def _bell(scores: FloatArray, middle: FloatArray, left: FloatArray | float, right: FloatArray | float) -> FloatArray:
    """A normal curve with another width on each side."""
    width = np.where(scores < middle, left, right)
    curve: FloatArray = 2 / ((left + right) * np.sqrt(2 * np.pi)) * np.exp(-0.5 * ((scores - middle) / width) ** 2)
    return curve


def _straight(apart: _Apart) -> CatalogueChances:
    """The straight line over the scores that is nearest to the log-odds of the chances, nearest where they turn."""
    held = np.clip(apart.chances, 1e-9, 1 - 1e-9)
    odds = np.log(held / (1 - held))
    near = np.abs(odds) <= _FARTHEST
    matches = float((apart.counts * apart.chances).sum())
    if near.sum() < 2:
        # All are the same, or there is a gap between wrong and right ones: the line turns in its middle.
        is_right = apart.chances >= 0.5
        if is_right.all() or not is_right.any():
            edge = apart.scores.min() - 2 if is_right.all() else apart.scores.max() + 2
        else:
            edge = (apart.scores[is_right].min() + apart.scores[~is_right].max()) / 2
        return CatalogueChances(1.0, -float(np.clip(edge, *_LINES)), matches)
    weights = held * (1 - held)
    centre = np.average(apart.scores[near], weights=weights[near])
    away = apart.scores[near] - centre
    level = np.average(odds[near], weights=weights[near])
    slope = float((weights[near] * away * odds[near]).sum() / max((weights[near] * away**2).sum(), 1e-9))
    slope = float(np.clip(slope, _LEAST_SLOPE, _MOST_SLOPE))
    line = float(np.clip(centre - level / slope, *_LINES))
    return CatalogueChances(slope, -slope * line, matches)
