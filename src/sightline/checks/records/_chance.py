"""How likely a difference is by chance: small exact tests, since profiles often cover only three pages."""

from math import exp, lgamma

__all__ = ["chance_beyond", "chance_fewer", "chance_rare"]


def chance_beyond(beyond: int, now: int, known: int) -> float:
    """The chance that `beyond` of `now` new values exceed all `known` ones on one side, if all have one distribution.

    >>> chance_beyond(1, 1, 3), round(chance_beyond(5, 5, 3), 4)
    (0.25, 0.0179)
    """
    chance = 1.0
    for number in range(min(beyond, now)):
        chance *= (now - number) / (now + known - number)
    return chance


def chance_fewer(filled: int, holders: int, known_filled: int, known_holders: int) -> float:
    """The chance that at most `filled` of `holders` have a field, given how many had it (Fisher's test, one-sided).

    >>> round(chance_fewer(0, 20, 3, 3), 4), round(chance_fewer(18, 20, 3, 3), 2)
    (0.0006, 0.75)
    """
    total, drawn = filled + known_filled, holders
    everyone = holders + known_holders
    lowest = max(0, total - known_holders)
    log_chances = (
        _choose(total, count) + _choose(everyone - total, drawn - count) for count in range(lowest, filled + 1)
    )
    whole = _choose(everyone, drawn)
    return min(1.0, sum(exp(log_chance - whole) for log_chance in log_chances))


def chance_rare(share: float, known: int, most: int) -> float:
    """The chance that a value with this share of all occurred at most `most` times among `known`.

    >>> round(chance_rare(0.9, 3, 1), 3), chance_rare(1.0, 3, 1)
    (0.028, 0.0)
    """
    if share >= 1.0:
        return 0.0 if most < known else 1.0
    return sum(
        exp(_choose(known, count)) * share**count * (1 - share) ** (known - count)
        for count in range(min(most, known) + 1)
    )


def _choose(total: int, chosen: int) -> float:
    """The logarithm of the binomial coefficient; minus infinity out of bounds."""
    if chosen < 0 or chosen > total:
        return float("-inf")
    return lgamma(total + 1) - lgamma(chosen + 1) - lgamma(total - chosen + 1)
