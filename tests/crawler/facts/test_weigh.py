"""Votes: sites that are often wrong weigh less, copies count once, and ties stay ties."""

import numpy as np

from sightline.crawler.facts import Votes, Weighed, weigh


def _votes(said: list[list[int]]) -> Votes:
    """Votes of a table: for each site what it says about each fact, -1 for nothing; 0 is the truth."""
    numbers: dict[tuple[int, int], int] = {}
    rows = [
        (numbers.setdefault((fact, value), len(numbers)), site, 1.0)
        for site, line in enumerate(said)
        for fact, value in enumerate(line)
        if value >= 0
    ]
    return Votes.of(rows, [fact for fact, _ in sorted(numbers, key=lambda key: numbers[key])])


def _winners(said: list[list[int]], *, by_sources: bool = True) -> tuple[list[int], Weighed]:
    """The likeliest value of each fact."""
    votes = _votes(said)
    weighed = weigh(votes, len(said), by_sources=by_sources)
    values: dict[int, int] = {}
    for site, line in enumerate(said):
        for fact, value in enumerate(line):
            own = np.flatnonzero((votes.site == site) & (votes.fact[votes.value] == fact))
            if value >= 0:
                values[int(votes.value[own[0]])] = value
    best = []
    for fact in range(len(said[0])):
        several = np.flatnonzero(votes.fact == fact)
        best.append(values[int(several[weighed.probability[several].argmax()])])
    return best, weighed


def test_weigh_trusts_sites_that_are_right_elsewhere() -> None:
    """Three good sites agree on twenty facts; on the last, one of them outweighs two that are always wrong."""
    good = [0] * 20
    bad, worse = [1, 2] * 10, [3, 4] * 10
    said = [[*good, 0], [*good, -1], [*good, -1], [*bad, 5], [*worse, 5]]
    winners, weighed = _winners(said)
    assert winners == [0] * 21
    assert weighed.accuracy[0] > 0.9 > 0.3 > weighed.accuracy[3]
    assert _winners(said, by_sources=False)[0][-1] == 5


def test_weigh_counts_copies_once() -> None:
    """Four sites with the same mistakes are one voice: two independent ones outvote them."""
    others, copies = [0] * 14, [1] * 6 + [0] * 8
    said = [[*others, 0], [*others, 0], *([*others, -1] for _ in range(4)), *([*copies, 2] for _ in range(4))]
    winners, weighed = _winners(said)
    assert winners[-1] == 0
    assert len(set(weighed.copies[6:].tolist())) == 1
    assert len(set(weighed.copies[:6].tolist())) == 6


def test_weigh_leaves_a_tie() -> None:
    """Two sites about which nothing else is known are equally right."""
    weighed = weigh(_votes([[0], [1]]), 2)
    assert weighed.probability.tolist() == [0.5, 0.5]


def test_weigh_of_nothing_is_nothing() -> None:
    """No votes, no probabilities, no error."""
    assert weigh(Votes.of([], []), 3).probability.tolist() == []
