"""Random conjunctions of phrases, common ones less often.

How common a phrase is, is learned from the results: the share of those results of queries *without* the phrase whose
title or snippet has it. No provider needs to tell counts for this, which most metasearch engines do not.
"""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from sightline.crawl.discover._phrases import DomainPhrases
from sightline.crawl.discover._provider import SearchResult

__all__ = ["QuerySampler"]

SIZES = (2, 3, 4)
# The weight of a phrase is 1 / (FLOOR + commonness): one that is in every second result is drawn about ten times less
# often than one that is in none. By judgement, as are the numbers below; they decide on the pace, not on the result.
FLOOR = 0.05
# What is assumed before any result: 1 of 20 results has the phrase, as if 20 had been seen.
PRIOR_RESULTS, PRIOR_HITS = 20.0, 1.0
TRIES = 50  # draws of a query that was asked already, before the combinations are gone through in order


class QuerySampler:
    """Proposes queries and learns from their results; the same seed and the same results give the same queries.

    >>> sampler = QuerySampler(DomainPhrases.of(["zoom", "ISO", "lens"]), seed=1)
    >>> len({sampler.next() for _ in range(4)}), sampler.next()  # all pairs, all three, and no more
    (4, None)
    """

    def __init__(self, phrases: DomainPhrases, seed: int) -> None:
        self._phrases = phrases
        self._random = random.Random(seed)
        self._sizes = [size for size in SIZES if size <= len(phrases)]
        self._asked: set[frozenset[int]] = set()
        self._hits = [PRIOR_HITS] * len(phrases)
        self._seen = [PRIOR_RESULTS] * len(phrases)
        self._tries = dict.fromkeys(self._sizes, 0)
        self._fruitful = dict.fromkeys(self._sizes, 0)

    @property
    def commonness(self) -> list[float]:
        """For each phrase the estimated share of results that have it."""
        return [hits / seen for hits, seen in zip(self._hits, self._seen, strict=True)]

    def next(self) -> tuple[int, ...] | None:
        """The numbers of the phrases of a new query; None when every conjunction was asked."""
        for _ in range(TRIES):
            chosen = frozenset(self._draw(self._size()))
            if chosen not in self._asked:
                break
        else:
            rest = next(self._unasked(), None)
            if rest is None:
                return None
            chosen = rest
        self._asked.add(chosen)
        return tuple(sorted(chosen))

    def learn(self, query: Iterable[int], results: Sequence[SearchResult]) -> None:
        """Take what a query has brought into account."""
        inside = frozenset(query)
        self._tries[len(inside)] += 1
        self._fruitful[len(inside)] += bool(results)
        for result in results:
            found = self._phrases.found_in(f"{result.title} {result.snippet}")
            for number in range(len(self._phrases)):
                if number not in inside:
                    self._seen[number] += 1
                    self._hits[number] += number in found

    def _size(self) -> int:
        """A number of phrases; sizes whose queries mostly give nothing become rare."""
        weights = [(self._fruitful[size] + 1) / (self._tries[size] + 1) for size in self._sizes]
        return self._random.choices(self._sizes, weights)[0]

    def _draw(self, size: int) -> list[int]:
        """Some phrases without repetition, each with its weight."""
        weights = [1 / (FLOOR + common) for common in self.commonness]
        chosen: list[int] = []
        for _ in range(size):
            rest = [number for number in range(len(weights)) if number not in chosen]
            chosen.append(self._random.choices(rest, [weights[number] for number in rest])[0])
        return chosen

    def _unasked(self) -> Iterator[frozenset[int]]:
        """The conjunctions that were not asked yet, the smallest first."""
        for size in self._sizes:
            for chosen in combinations(range(len(self._phrases)), size):
                if frozenset(chosen) not in self._asked:
                    yield frozenset(chosen)
