"""The chance that two records are the same thing: a logistic regression on the evidence.

The weights come from `python -m bench.flow.fit_match`, which fits them on the product catalogues of docs/benchmarks.md
and reports what they do on records, and on whole catalogues, that were left out. Decisions of a user move them: to the
weights that explain the decisions best without going far from these.
"""

from dataclasses import dataclass

import numpy as np

from sightline.arrays import FloatArray
from sightline.flow.match._evidence import EVIDENCE

__all__ = ["MANY_TO_ONE", "ONE_TO_ONE", "MatchModel", "fitted"]

_STEPS = 50
_ENOUGH = 1e-9
_FIRM = 20.0  # how far decisions move the weights: a hundred of them count about as much as the weights did before


@dataclass(frozen=True)
class MatchModel:
    """Weights of the evidence, and the log-odds of a pair without any."""

    weights: tuple[float, ...]
    bias: float

    def chances(self, evidence: FloatArray) -> FloatArray:
        """The chance of each pair."""
        return _chance(evidence @ np.array(self.weights) + self.bias)

    def parts(self, evidence: FloatArray) -> dict[str, float]:
        """What each figure of one pair adds to the log-odds, or takes from them.

        >>> model = MatchModel((1.0,) * len(EVIDENCE), -3.0)
        >>> model.parts(np.array([0.5, *[0.0] * (len(EVIDENCE) - 1)]))["letters"]
        0.5
        """
        return dict(zip(EVIDENCE, (np.array(self.weights) * evidence).tolist(), strict=True))

    def taught(self, evidence: FloatArray, same: FloatArray) -> "MatchModel":
        """The model after decisions: pairs with their evidence, and 1.0 where they are the same."""
        start = np.array([*self.weights, self.bias])
        solved = fitted(evidence, same, np.ones(len(same)), start, _FIRM)
        return MatchModel(tuple(solved[:-1].tolist()), float(solved[-1]))


def fitted(evidence: FloatArray, same: FloatArray, counts: FloatArray, start: FloatArray, firm: float) -> FloatArray:
    """Weights, the bias last, that explain the pairs best: Newton's method, held near `start` as firmly as asked.

    `counts` says how often each pair counts.
    """
    figures = np.hstack([evidence, np.ones((len(evidence), 1))])
    weights = start.copy()
    for _ in range(_STEPS):
        chance = _chance(figures @ weights)
        slope = figures.T @ (counts * (chance - same)) + firm * (weights - start)
        bend = (figures * (counts * chance * (1 - chance))[:, None]).T @ figures + firm * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if float(np.abs(step).max()) < _ENOUGH:
            break
    return weights


def _chance(odds: FloatArray) -> FloatArray:
    chance: FloatArray = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
    return chance


# In the order of EVIDENCE.
ONE_TO_ONE = MatchModel((-1.54, -0.18, 0.63, 7.69, 5.11, 3.78, 0.74, -0.79, -1.68, -0.12, -1.29, -0.76, 0.3), -0.64)
MANY_TO_ONE = MatchModel((0.44, 0.87, 0.46, 9.14, 0.0, 4.15, 0.97, -0.74, -1.71, -0.09, -1.28, -0.22, 0.14), -1.96)
