"""Which documents to try first: spread over all of them."""

from itertools import pairwise
from random import Random

__all__ = ["spread_positions"]


def spread_positions(total: int, count: int, *, seed: int = 0) -> list[int]:
    """Places among `total` documents, in order: one by chance from each of `count` equal stretches, or all of them.

    The same numbers give the same places.

    >>> [place // 100_000 for place in spread_positions(1_000_000, 10)]
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    >>> spread_positions(3, 10)
    [0, 1, 2]
    """
    if count >= total:
        return list(range(total))
    random = Random(seed)
    ends = [number * total // count for number in range(count + 1)]
    return [random.randrange(first, end) for first, end in pairwise(ends)]
