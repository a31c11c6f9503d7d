"""The score that two records are the same thing: a logistic regression on the evidence.

Its weights were fitted by `python -m bench.flow.fit_match` on records of many domains, so that no figure ever counts
against its meaning: what is alike never speaks against a pair. Decisions of a user move them: to the weights that
explain the decisions best without going far from these.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import orjson

from sightline.arrays import FloatArray
from sightline.flow.match._evidence import CATALOGUE, EVIDENCE, Assignment
from sightline.flow.match._threshold import CatalogueChances

_STEPS = 50
_ENOUGH = 1e-9
_FIRM = 1000.0  # how far decisions move the weights: with less, 20 answers may lower F1 (bench.flow.answers)


@dataclass(frozen=True)
class MatchModel:
    """Weights of the evidence, what each figure usually is, and the log-odds of a pair that is usual in all.

    `spread` is by how much each figure usually differs from that.
    """

    weights: tuple[float, ...]
    usual: tuple[float, ...]
    spread: tuple[float, ...]
    bias: float

    def scores(self, evidence: FloatArray) -> FloatArray:
        """The log-odds of each pair."""
        odds: FloatArray = (evidence - np.array(self.usual)) @ np.array(self.weights) + self.bias
        return odds

    def chances(self, evidence: FloatArray) -> FloatArray:
        """The chance of each pair."""
        return _chance(self.scores(evidence))

    def parts(self, evidence: FloatArray) -> dict[str, float]:
        """What each figure of one pair adds to the log-odds of a usual pair, or takes from them.

        >>> model = MatchModel(*((value,) * len(EVIDENCE) for value in (1.0, 0.1, 1.0)), -3.0)
        >>> round(model.parts(np.array([0.5] * len(EVIDENCE)))["letters"], 6)
        0.4
        """
        added = np.array(self.weights) * (evidence - np.array(self.usual))
        return dict(zip(EVIDENCE, added.tolist(), strict=True))

    def in_catalogue(self, evidence: FloatArray, found: CatalogueChances) -> FloatArray:
        """The evidence as it counts in a catalogue, so that its chances are those that were found there."""
        usual = np.array(self.usual)
        counted: FloatArray = usual + found.slope * (evidence - usual)
        counted[:, CATALOGUE] = usual[CATALOGUE] + self.bias * (found.slope - 1) + found.shift
        return counted

    def taught(self, evidence: FloatArray, same: FloatArray) -> "MatchModel":
        """The model after decisions: pairs with their evidence, and 1.0 where they are the same."""
        spread = np.array(self.spread)
        start = np.array([*(np.array(self.weights) * spread), self.bias])
        solved = fitted((evidence - np.array(self.usual)) / spread, same, np.ones(len(same)), start, _FIRM)
        return MatchModel(tuple((solved[:-1] / spread).tolist()), self.usual, self.spread, float(solved[-1]))


def fitted(evidence: FloatArray, same: FloatArray, counts: FloatArray, start: FloatArray, firm: float) -> FloatArray:
    """Weights, the bias last, that explain the pairs best: Newton's method, held near `start` as firmly as asked.

    `counts` says how often each pair counts.
    """
    figures = np.hstack([evidence, np.ones((len(evidence), 1))])

    def cost(weights: FloatArray) -> float:
        odds = figures @ weights
        return float((counts * (np.logaddexp(0, odds) - same * odds)).sum() + firm * ((weights - start) ** 2).sum() / 2)

    weights, now = start.copy(), cost(start)
    for _ in range(_STEPS):
        chance = _chance(figures @ weights)
        slope = figures.T @ (counts * (chance - same)) + firm * (weights - start)
        bend = (figures * (counts * chance * (1 - chance))[:, None]).T @ figures + firm * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        while (then := cost(weights - step)) > now and float(np.abs(step).max()) >= _ENOUGH:
            step /= 2  # a whole step from a sure mistake goes too far
        if float(np.abs(step).max()) < _ENOUGH:
            break
        weights, now = weights - step, then
    return weights


def _chance(odds: FloatArray) -> FloatArray:
    chance: FloatArray = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return chance


@cache
def match_model(assignment: Assignment) -> MatchModel:
    """The model that nobody has taught yet."""
    content = resources.files("sightline.flow.match").joinpath("weights.json").read_bytes()
    return read_model(orjson.loads(content)[assignment])


def read_model(document: Mapping[str, Any]) -> MatchModel:
    """A model from plain values, as they are kept in the file."""
    figures = document["figures"]
    weights = tuple(float(figures[name][0]) if name in figures else 0.0 for name in EVIDENCE)
    usual = tuple(float(figures[name][1]) if name in figures else 0.0 for name in EVIDENCE)
    spread = tuple(float(figures[name][2]) if name in figures else 1.0 for name in EVIDENCE)
    return MatchModel(weights, usual, spread, float(document["bias"]))
