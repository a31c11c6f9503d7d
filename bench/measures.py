"""The means and shares that scores are made of."""

from collections.abc import Iterable


def mean(values: Iterable[float]) -> float | None:
    """The mean; None of nothing."""
    several = list(values)
    return sum(several) / len(several) if several else None


def share(part: float, whole: float) -> float:
    """A part of a whole; 0 of nothing."""
    return part / whole if whole else 0.0


def harmonic(one: float, other: float) -> float:
    """The harmonic mean, as of precision and recall; 0 where both are."""
    return share(2 * one * other, one + other)


def f1(hits: float, found: float, known: float) -> float:
    """The F-measure of what was found against what is known.

    >>> f1(3, 4, 6)
    0.6
    """
    return share(2 * hits, found + known)
