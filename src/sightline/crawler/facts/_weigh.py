"""Which value is right: votes of independent sites, weighed by how often each site is right elsewhere.

A site has one vote for a fact, however many of its pages repeat it. How far a site can be trusted and which values are
true are found together, each from the other (the accuracy model of Dong, Berti-Equille and Srivastava, "Integrating
conflicting data: the role of source dependence", VLDB 2009, with their idea about copies: sites that share many
mistakes have them from each other). `python -m bench.crawl.fit_facts` chose the constants, and compares with a plain
majority.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

__all__ = ["Votes", "Weighed", "WeighingConstants", "weigh"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class WeighingConstants:
    """What was fitted; see the module."""

    accuracy: float = 0.8  # of a site about which nothing is known
    firmness: float = 2.0  # how many facts that first guess is worth
    wrong_values: float = 3.0  # from which a site that is wrong chooses
    rounds: int = 20
    fewest_copied: int = 5  # mistakes that two sites share before one may be a copy
    least_copied: float = 0.9  # of the mistakes on facts that both know


CONSTANTS = WeighingConstants()
MOST_ACCURATE, LEAST_ACCURATE = (
    0.99,
    0.05,
)  # bounds of a site's accuracy: nobody is beyond doubt, and no vote counts against
SETTLED = 1e-4  # change of accuracies below which the rounds end


@dataclass(frozen=True, slots=True)
class Votes:
    """One row a vote: the value (numbered over all facts), the site, and the part of the site's vote it has.

    `fact` has the fact of each value.
    """

    value: Ints
    site: Ints
    part: Floats
    fact: Ints

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, float]], fact: Sequence[int]) -> "Votes":
        """Votes of plain rows: value, site, part."""
        value, site, part = zip(*rows, strict=True) if rows else ((), (), ())
        return cls(
            np.array(value, dtype=np.int64),
            np.array(site, dtype=np.int64),
            np.array(part, dtype=np.float64),
            np.array(fact, dtype=np.int64),
        )


@dataclass(frozen=True, slots=True)
class Weighed:
    """The probability of each value, and for each site its accuracy, its weight, and the sites it shares mistakes with.

    `copies` has one number for each site; sites with the same number count as one where they say the same.
    """

    probability: Floats
    accuracy: Floats
    weight: Floats
    copies: Ints


def weigh(votes: Votes, sites: int, constants: WeighingConstants = CONSTANTS, *, by_sources: bool = True) -> Weighed:
    """Weigh all votes; without `by_sources` all sites weigh the same and nobody counts as a copy.

    >>> votes = Votes.of([(0, 0, 1.0), (0, 1, 1.0), (1, 2, 1.0)], [0, 0])
    >>> weigh(votes, 3).probability.round(2).tolist()
    [0.99, 0.01]
    """
    accuracy = np.full(sites, constants.accuracy)
    copies = np.arange(sites)
    probability = _probability(votes, _weights(accuracy, constants), copies)
    if not by_sources or not len(votes.fact):
        return Weighed(probability, accuracy, _weights(accuracy, constants), copies)
    for _ in range(constants.rounds):
        copies = _copies(votes, probability, sites, constants)
        probability = _probability(votes, _weights(accuracy, constants), copies)
        before, accuracy = accuracy, _accuracy(votes, probability, sites, constants)
        if np.abs(accuracy - before).max() < SETTLED:
            break
    weights = _weights(accuracy, constants)
    return Weighed(_probability(votes, weights, copies), accuracy, weights, copies)


def _weights(accuracy: Floats, constants: WeighingConstants) -> Floats:
    """How much a vote counts: the logarithm of how much likelier the value is true with it than without."""
    told: Floats = np.maximum(np.log(constants.wrong_values * accuracy / (1 - accuracy)), 0.0)
    return told


def _probability(votes: Votes, weights: Floats, copies: Ints) -> Floats:
    """The probability of each value among those of its fact; copies that say the same have one vote together."""
    _, group, count = np.unique(
        np.stack((votes.value, copies[votes.site])), axis=1, return_inverse=True, return_counts=True
    )
    each = weights[votes.site] * votes.part / count[group.ravel()]
    score = np.bincount(votes.value, each, minlength=len(votes.fact))
    facts = int(votes.fact.max(initial=-1)) + 1
    best = np.full(facts, -np.inf)
    np.maximum.at(best, votes.fact, score)
    likely = np.exp(score - best[votes.fact])
    told: Floats = likely / np.bincount(votes.fact, likely, minlength=facts)[votes.fact]
    return told


def _accuracy(votes: Votes, probability: Floats, sites: int, constants: WeighingConstants) -> Floats:
    """How often each site is right, on the facts that others speak about as well."""
    voters = np.bincount(votes.fact[votes.value], minlength=int(votes.fact.max()) + 1)
    counts = (voters[votes.fact[votes.value]] > 1) * votes.part
    right = np.bincount(votes.site, counts * probability[votes.value], minlength=sites)
    known = np.bincount(votes.site, counts, minlength=sites)
    guess = constants.firmness * constants.accuracy
    return np.clip((right + guess) / (known + constants.firmness), LEAST_ACCURATE, MOST_ACCURATE)


def _copies(votes: Votes, probability: Floats, sites: int, constants: WeighingConstants) -> Ints:
    """Sites that share their mistakes, by the smallest number among them."""
    copies = np.arange(sites)
    is_wrong = probability[votes.value] < 0.5
    wrong = set(zip(votes.site[is_wrong].tolist(), votes.fact[votes.value[is_wrong]].tolist(), strict=True))
    holders: dict[int, list[int]] = {}
    for value, site in zip(votes.value[is_wrong].tolist(), votes.site[is_wrong].tolist(), strict=True):
        holders.setdefault(value, []).append(site)
    shared = Counter(pair for several in holders.values() for pair in combinations(sorted(set(several)), 2))
    suspects = {pair: count for pair, count in shared.items() if count >= constants.fewest_copied}
    if not suspects:
        return copies
    known: dict[int, set[int]] = {site: set() for pair in suspects for site in pair}
    for fact, site in zip(votes.fact[votes.value].tolist(), votes.site.tolist(), strict=True):
        if site in known:
            known[site].add(fact)
    for (one, other), count in suspects.items():
        both = known[one] & known[other]
        mistakes = sum((one, fact) in wrong for fact in both) + sum((other, fact) in wrong for fact in both)
        if 2 * count >= constants.least_copied * mistakes:
            copies[copies == copies[other]] = copies[one]
    return copies
