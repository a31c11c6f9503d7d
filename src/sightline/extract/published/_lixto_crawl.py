"""Focused crawling as published for Lixto: skeleton codes, PageRank, hub scores and their weighted sum.

Baumgartner, Flesca, Gottlob et al. compare the *skeleton code* of a page, one character for each tag, with the codes of
a few template pages. A page is a candidate if its Levenshtein distance to one of them is at most the 99 % quantile of
the distances among the templates. The page with the best weighted sum of PageRank and hub score is visited next.

Where the paper leaves something open, these functions take the plain way. Distances are absolute numbers of edits. The
hub score of a page that nobody has read yet is the highest one of the pages that link to it. Both scores are divided by
their largest value before they are added. `sightline.crawl` uses these functions for `--rank published`.
"""

from collections.abc import Iterable, Sequence, Set
from itertools import combinations

import numpy as np
from rapidfuzz.distance import Levenshtein

from sightline.arrays import AnyInts, FloatArray, LongArray

QUANTILE = 0.99  # the paper's
DAMPING = 0.85  # PageRank's usual one; the paper names none
PRECISE, MOST_ROUNDS = 1e-9, 200

GRAM = 2  # letters of a q-gram: an edit removes at most so many of them and adds as many
BUCKETS, SPREAD = 1024, 31  # q-grams that share a bucket can only make the bound lower


def gram_counts(code: str) -> LongArray:
    """How many pairs of neighbouring letters of a skeleton code fall into each of `BUCKETS` buckets."""
    letters = np.frombuffer(code.encode("utf-32-le"), dtype="<u4").astype(np.int64)
    return np.bincount((letters[:-1] * SPREAD + letters[1:]) % BUCKETS, minlength=BUCKETS)


def fewest_edits(counts: LongArray, templates: LongArray) -> LongArray:
    """A lower bound of the distance to each template, from the q-grams alone (Ukkonen 1992).

    >>> fewest_edits(gram_counts("aaaa"), np.array([gram_counts("aaaa"), gram_counts("bbbb")])).tolist()
    [0, 2]
    """
    different: LongArray = np.abs(templates - counts).sum(axis=1)
    return -(-different // (2 * GRAM))


def bounded_distance(code: str, template: str, most: int) -> int | None:
    """The Levenshtein distance of two codes, or None if it is more than `most`.

    >>> bounded_distance("abcd", "abxd", 2), bounded_distance("abcd", "wxyz", 2)
    (1, None)
    """
    if abs(len(code) - len(template)) > most:
        return None
    distance = Levenshtein.distance(code, template, score_cutoff=most)
    return distance if distance <= most else None


def distance_threshold(templates: Sequence[str]) -> int | None:
    """The 99 % quantile of the distances among the templates; None for a single one, which has none.

    >>> distance_threshold(["abcd", "abcx", "abyx"])
    2
    """
    distances = [Levenshtein.distance(one, other) for one, other in combinations(templates, 2)]
    return round(float(np.quantile(distances, QUANTILE))) if distances else None


def page_rank(sources: AnyInts, targets: AnyInts, pages: int, *, start: FloatArray | None = None) -> FloatArray:
    """The PageRank of each page, by power iteration from `start`, the ranks before the newest links were found.

    >>> page_rank(np.array([0, 1]), np.array([1, 0]), 2).tolist()
    [0.5, 0.5]
    """
    out = np.bincount(sources, minlength=pages)
    share = 1.0 / out[sources]
    rank = _begun(start, pages)
    for _ in range(MOST_ROUNDS):
        dangling = rank[out == 0].sum()
        moved = np.bincount(targets, weights=rank[sources] * share, minlength=pages)
        following: FloatArray = (1 - DAMPING) / pages + DAMPING * (moved + dangling / pages)
        if np.abs(following - rank).sum() < PRECISE:
            return following
        rank = following
    return rank


def _begun(start: FloatArray | None, pages: int) -> FloatArray:
    """A vector of one rank a page that adds up to 1; pages that are new begin with an even share."""
    rank: FloatArray = np.full(pages, 1.0 / pages)
    if start is not None:
        rank[: len(start)] = start
    rank /= rank.sum()
    return rank


def hub_scores(links: Iterable[Sequence[int]], candidates: Set[int]) -> list[int]:
    """How many candidate pages each page links to.

    >>> hub_scores([(1, 2), (0,), ()], {1, 2})
    [2, 0, 0]
    """
    return [len(candidates & set(found)) for found in links]


def weighted_sum(hub: FloatArray, rank: FloatArray, *, weight: float) -> FloatArray:
    """The score of each page: `weight` of its hub score, and the rest of its PageRank, both divided by the largest.

    >>> weighted_sum(np.array([0.0, 4.0]), np.array([0.2, 0.1]), weight=0.5).tolist()
    [0.5, 0.75]
    """
    return weight * _scaled(hub) + (1 - weight) * _scaled(rank)


def _scaled(scores: FloatArray) -> FloatArray:
    most = float(scores.max(initial=0.0))
    return scores / most if most else scores
