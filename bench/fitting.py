"""Weights that make what is known likeliest, for the scripts that fit them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

STEPS = 500
RATE = 0.05
MEMORY, SQUARES, TINY = 0.9, 0.99, 1e-8

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
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


def dealt(sites: Iterable[str], folds: int, seed: int | None = None) -> dict[str, int]:
    """The fold of each site: in the order of their names, or shuffled, each in one fold with all that it has."""
    names = sorted(set(sites))
    order = range(len(names)) if seed is None else np.random.default_rng(seed).permutation(len(names)).tolist()
    return {names[number]: place % folds for place, number in enumerate(order)}


@dataclass(frozen=True)
class Ranking:
    """Rows of measures, which of them are right, and how much the ranking counts."""

    measures: Floats
    right: Bools
    weight: float = 1.0


def ranked_first(rankings: Sequence[Ranking], penalty: float) -> Floats:
    """Weights that give the right rows the most likely first place; the penalty is on each in its own spread."""
    rows = np.concatenate([one.measures for one in rankings])
    spread = np.maximum(rows.std(axis=0), 1e-6)
    rows = rows / spread
    right = np.concatenate([one.right for one in rankings])
    size = np.array([len(one.right) for one in rankings])
    begins, owner = np.cumsum(size) - size, np.repeat(np.arange(len(size)), size)
    weight = np.array([one.weight for one in rankings])

    def slope(at: Floats) -> Floats:
        logits = rows @ at
        share = np.exp(logits - np.maximum.reduceat(logits, begins)[owner])
        own = np.where(right, share, 0.0)
        all_of, right_of = np.add.reduceat(share, begins), np.maximum(np.add.reduceat(own, begins), 1e-300)
        error = (share / all_of[owner] - own / right_of[owner]) * weight[owner]
        return np.asarray(error @ rows / weight.sum() + penalty * at, dtype=np.float64)

    return np.asarray(descended(slope, rows.shape[1]) / spread, dtype=np.float64)


def descended(slope: Callable[[Floats], Floats], size: int, steps: int = STEPS) -> Floats:
    """The weights with the least loss by gradient steps of adapted size (Adam), from nothing."""
    at, mean, square = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, steps + 1):
        down = slope(at)
        mean, square = MEMORY * mean + (1 - MEMORY) * down, SQUARES * square + (1 - SQUARES) * down**2
        at = at - RATE * (mean / (1 - MEMORY**step)) / (np.sqrt(square / (1 - SQUARES**step)) + TINY)
    return at
