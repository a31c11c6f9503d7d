"""Weighing of candidates: how much speaks for one, by weights that were fitted over the pages of the benchmark."""

from collections.abc import Mapping

__all__ = ["worth"]


def worth(parts: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """How much speaks for a candidate: the sum of its weighted parts.

    >>> worth({"seen": 1.0, "close": 0.5}, {"seen": 2.0, "close": 1.0, "site": -1.0})
    2.5
    """
    return sum(weights[name] * value for name, value in parts.items() if name in weights)
