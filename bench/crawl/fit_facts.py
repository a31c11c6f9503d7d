"""`python -m bench.crawl.fit_facts`: choose how sites are weighed, by cross-validation over generated domains.

A domain is a table of votes: some sites, each with its own share of mistakes, speak about some facts. A wrong site
chooses among a few wrong values, the first of them more often, since mistakes are alike; in some domains, sites copy
from another one. There are 3 to 40 sites, each of which knows from a tenth to all of the facts. Constants are chosen on
four fifths of the domains and scored on the last fifth, beside a plain majority. With `--sure` it also prints how many
facts reach each probability, and how many of these are right.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from sightline.crawler.facts import Votes, WeighingConstants, weigh

DOMAINS = 120
FOLDS = 5
ACCURACY = (0.8, 0.9)
FIRMNESS = (2.0, 5.0)
WRONG_VALUES = (1.0, 3.0, 10.0)
COPIED = ((10_000, 1.0), (3, 0.8), (5, 0.7), (5, 0.8), (5, 0.9))  # the first is never reached: no copies
SHOWN = 10  # of the best constants
SURE = (0.5, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True)
class VotedDomain:
    """Votes, the number of sites, and whether each value is true."""

    votes: Votes
    sites: int
    true: npt.NDArray[np.bool_]
    has_copies: bool


def domains(count: int = DOMAINS, seed: int = 7) -> list[VotedDomain]:
    """Generated domains, the same ones for the same seed."""
    rng = np.random.default_rng(seed)
    return [_domain(rng) for _ in range(count)]


def _domain(rng: np.random.Generator) -> VotedDomain:
    sites, facts = int(rng.integers(3, 41)), int(rng.integers(20, 300))
    typical = rng.uniform(0.02, 0.35)
    rates = np.clip(rng.normal(typical, typical * rng.uniform(0.2, 1.2), sites), 0.0, 0.8)
    known = rng.uniform(0.1, 1.0, sites)
    wrong_values = int(rng.integers(1, 8))
    chances = 1.0 / np.arange(1, wrong_values + 1)
    chances /= chances.sum()
    # Value 0 is the truth, the others are the wrong ones; -1 says nothing.
    said = np.full((sites, facts), -1)
    for site in range(sites):
        speaks = rng.random(facts) < known[site]
        wrong = rng.random(facts) < rates[site]
        said[site] = np.where(speaks, np.where(wrong, 1 + rng.choice(wrong_values, facts, p=chances), 0), -1)
    copies = int(rng.integers(1, max(sites // 4, 2))) if sites > 5 and rng.random() < 0.4 else 0
    for site in range(1, copies + 1):
        taken = rng.random(facts) < 0.9
        said[site] = np.where(taken, said[0], said[site])
    return _voted(said, has_copies=copies > 0)


def _voted(said: npt.NDArray[np.int_], *, has_copies: bool) -> VotedDomain:
    numbers: dict[tuple[int, int], int] = {}
    rows = []
    for site, fact in zip(*np.nonzero(said >= 0), strict=True):
        value = numbers.setdefault((int(fact), int(said[site, fact])), len(numbers))
        rows.append((value, int(site), 1.0))
    order = sorted(numbers, key=lambda key: numbers[key])
    spoken = {fact: place for place, fact in enumerate(dict.fromkeys(fact for fact, _ in order))}
    votes = Votes.of(rows, [spoken[fact] for fact, _ in order])
    return VotedDomain(votes, len(said), np.array([value == 0 for _, value in order]), has_copies)


def share_right(domain: VotedDomain, probability: npt.NDArray[np.float64]) -> float:
    """The share of facts whose likeliest value is true; of a tie, the part of the tied values that is."""
    return float(np.mean([right for right, _ in _settled(domain, probability)]))


def _settled(domain: VotedDomain, probability: npt.NDArray[np.float64]) -> Iterator[tuple[float, float]]:
    """For each fact with more than one vote, how right its best value is and how probable."""
    fact = domain.votes.fact
    voters = np.bincount(fact[domain.votes.value])
    best = np.zeros(len(voters))
    np.maximum.at(best, fact, probability)
    tied = probability > best[fact] - 1e-9
    right = np.bincount(fact, tied & domain.true) / np.bincount(fact, tied)
    chosen = voters > 1
    return zip(right[chosen].tolist(), best[chosen].tolist(), strict=True)


def candidates() -> list[WeighingConstants]:
    """All combinations that are tried."""
    return [
        WeighingConstants(
            accuracy=accuracy, firmness=firmness, wrong_values=wrong, fewest_copied=fewest, least_copied=least
        )
        for accuracy, firmness, wrong, (fewest, least) in product(ACCURACY, FIRMNESS, WRONG_VALUES, COPIED)
    ]


def fit(several: Sequence[VotedDomain]) -> tuple[WeighingConstants, dict[str, float]]:
    """The best constants on all domains; and the shares right out of fold, for ours and for a majority."""
    tried = candidates()
    right = np.array(
        [
            [share_right(domain, weigh(domain.votes, domain.sites, one).probability) for one in tried]
            for domain in several
        ]
    )
    plain = [share_right(domain, weigh(domain.votes, domain.sites, by_sources=False).probability) for domain in several]
    folds = np.arange(len(several)) % FOLDS
    held_out = np.empty(len(several))
    for fold in range(FOLDS):
        best = right[folds != fold].mean(axis=0).argmax()
        held_out[folds == fold] = right[folds == fold, best]
    copied = np.array([domain.has_copies for domain in several])
    no_copies = [place for place, one in enumerate(tried) if one.fewest_copied == COPIED[0][0]]
    shares = {
        "ours, out of fold": float(held_out.mean()),
        "majority": float(np.mean(plain)),
        "ours, with copies": float(held_out[copied].mean()),
        "majority, with copies": float(np.mean(np.array(plain)[copied])),
        "without a rule for copies": float(right[:, no_copies].mean(axis=0).max()),
        "domains where ours is worse": float((held_out < np.array(plain) - 1e-9).mean()),
    }
    for place in right.mean(axis=0).argsort()[::-1][:SHOWN]:
        print(f"{right[:, place].mean():.4f} ({right[copied, place].mean():.4f} with copies) {tried[place]}")
    return tried[int(right.mean(axis=0).argmax())], shares


def show_sure(several: Sequence[VotedDomain], constants: WeighingConstants) -> None:
    """Print how many facts are at least so probable, and how many of these are right."""
    settled = [
        pair
        for domain in several
        for pair in _settled(domain, weigh(domain.votes, domain.sites, constants).probability)
    ]
    for least in SURE:
        sure = [right for right, probability in settled if probability >= least]
        print(f"probability >= {least}: {len(sure) / len(settled):.3f} of the facts, {np.mean(sure):.4f} of them right")


def main() -> None:
    """Fit, and print what was chosen."""
    several = domains()
    constants, shares = fit(several)
    print(constants)
    for name, share in shares.items():
        print(f"{name}: {share:.4f}")
    if "--sure" in sys.argv:
        show_sure(several, constants)


if __name__ == "__main__":
    main()
