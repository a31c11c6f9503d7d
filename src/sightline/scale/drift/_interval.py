"""What a share of some documents says about the share of all."""

from math import exp, lgamma, log, log1p, sqrt

__all__ = ["chance_of_more", "wilson"]


def wilson(hits: int, total: int, sigmas: float = 1.96) -> tuple[float, float]:
    """The interval that holds the true share (Wilson's), by default with 95 % certainty.

    >>> low, high = wilson(20, 1000)
    >>> round(low, 3), round(high, 3), wilson(0, 0)
    (0.013, 0.031, (0.0, 1.0))
    """
    if not total:
        return 0.0, 1.0
    share, square = hits / total, sigmas * sigmas
    middle = share + square / (2 * total)
    reach = sigmas * sqrt(share * (1 - share) / total + square / (4 * total * total))
    scale = 1 + square / total
    return max(0.0, (middle - reach) / scale), min(1.0, (middle + reach) / scale)


def chance_of_more(least: int, total: int, share: float) -> float:
    """The chance that at least so many of all have what each has with this chance, independently.

    >>> round(chance_of_more(1, 2, 0.5), 2), chance_of_more(0, 2, 0.5)
    (0.75, 1.0)
    """
    if least <= 0:
        return 1.0
    if not 0 < share < 1:
        return float(share >= 1 and least <= total)
    return min(1.0, sum(_chance(hits, total, share) for hits in range(least, total + 1)))


def _chance(hits: int, total: int, share: float) -> float:
    ways = lgamma(total + 1) - lgamma(hits + 1) - lgamma(total - hits + 1)
    return exp(ways + hits * log(share) + (total - hits) * log1p(-share))
