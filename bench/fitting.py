"""Weights that make what is known likeliest, for the scripts that fit them."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Slope = Callable[[Floats], tuple[Floats, Floats]]
"""The slope and the curve of a loss at some weights."""


def newton(
    start: Floats, held: Floats, loss: Slope, *, rounds: int = 100, longest: float = np.inf, settled: float = 1e-6
) -> Floats:
    """The weights with the least loss by Newton's method, each held where it begins; no step is longer than that."""
    weights = start.copy()
    for _ in range(rounds):
        slope, curve = loss(weights)
        step = np.linalg.solve(curve + np.diag(held), slope + held * (weights - start))
        size = float(np.abs(step).max())
        weights -= step * min(1.0, longest / size) if size else step
        if size < settled:
            break
    return weights


def logistic(measures: Floats, labels: Floats, counts: Floats | float = 1.0, known: Floats | float = 0.0) -> Slope:
    """The loss of chances that labels are told by; rows count for more or less, and something may be known of them."""

    def loss(weights: Floats) -> tuple[Floats, Floats]:
        chance = chances(known + measures @ weights)
        curve = (measures * (counts * chance * (1 - chance))[:, None]).T @ measures
        return measures.T @ (counts * (chance - labels)), curve

    return loss


def chances(scores: Floats) -> Floats:
    """What scores are as chances."""
    found: Floats = 1 / (1 + np.exp(-np.clip(scores, -30, 30)))
    return found
