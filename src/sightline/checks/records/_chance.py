"""How likely a difference is by chance: two small exact tests, for profiles are often of three pages only."""

from math import exp, lgamma

__all__ = ["chance_beyond", "chance_fewer", "chance_rare"]


def chance_beyond(beyond: int, now: int, known: int) -> float:
    """The chance that so many of `now` new values lie beyond all `known` ones on one side, if all are of one kind.

    >>> chance_beyond(1, 1, 3), round(chance_beyond(5, 5, 3), 4)
    (0.25, 0.0179)
    """
    chance = 1.0
    for number in range(min(beyond, now)):
        chance *= (now - number) / (now + known - number)
    return chance


def chance_fewer(filled: int, holders: int, known_filled: int, known_holders: int) -> float:
    """The chance that no more than `filled` of `holders` have something of which there were more (Fisher, one-sided).

    >>> round(chance_fewer(0, 20, 3, 3), 4), round(chance_fewer(18, 20, 3, 3), 2)
    (0.0006, 0.75)
    """
    total, drawn = filled + known_filled, holders
    everyone = holders + known_holders
    lowest = max(0, total - known_holders)
    chances = (_choose(total, own) + _choose(everyone - total, drawn - own) for own in range(lowest, filled + 1))
    whole = _choose(everyone, drawn)
    return min(1.0, sum(exp(own - whole) for own in chances))


def chance_rare(share: float, known: int, most: int) -> float:
    """The chance that a value which has this share of all was seen no more than `most` times among `known`.

    >>> round(chance_rare(0.9, 3, 1), 3), chance_rare(1.0, 3, 1)
    (0.028, 0.0)
    """
    if share >= 1.0:
        return 0.0 if most < known else 1.0
    return sum(
        exp(_choose(known, own)) * share**own * (1 - share) ** (known - own) for own in range(min(most, known) + 1)
    )


def _choose(all_of_them: int, chosen: int) -> float:
    """The logarithm of the number of ways to choose; there are none beyond the bounds."""
    if chosen < 0 or chosen > all_of_them:
        return float("-inf")
    return lgamma(all_of_them + 1) - lgamma(chosen + 1) - lgamma(all_of_them - chosen + 1)
