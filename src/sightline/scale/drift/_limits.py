"""How many pages may be not ok by chance, if they are so with some share, and follow each other in it."""

from collections.abc import Mapping
from functools import cache
from math import ceil

import numpy as np

from sightline.arrays import FloatArray

__all__ = ["CHANCE", "LENGTHS", "too_many"]

CHANCE = 8e-7
"""Of a false alarm after any one page, at most. A quarter of it costs two more pages before a redesign is noticed."""

LENGTHS = (*range(1, 51), 60, 75, 100, 150, 200)
"""Of the ways back. Where odd pages come in bursts, fifty are no proof."""

_SHARES, _AGAIN = 200, 20  # steps of the two figures for which limits are computed


def too_many(usual: float, again: float) -> Mapping[int, int]:
    """For each length, how many pages that are not ok are more than chance allows; one too many if all of them are not.

    `usual` is the share of pages that are not ok, `again` how often the next one of such a page is so, too. Both are
    rounded up.

    >>> limits = too_many(0.02, 0.02)
    >>> limits[5], limits[10], limits[50], too_many(0.02, 0.7)[50]
    (6, 7, 12, 45)
    """
    return _too_many(min(_SHARES, ceil(_SHARES * usual)), min(_AGAIN, ceil(_AGAIN * again)))


@cache
def _too_many(usual: int, again: int) -> dict[int, int]:
    share = usual / _SHARES
    tails = _tails(min(share, 0.999), min(max(share, again / _AGAIN), 0.999))
    # The chances of all lengths are added, which is more than the chance that any of them raises a false alarm.
    each = CHANCE / len(LENGTHS)
    return {length: int(np.argmax(tails[length] <= each)) for length in LENGTHS}


def _tails(share: float, again: float) -> dict[int, FloatArray]:
    """For each length the chance that at least 0, 1, 2 … pages are not ok: exactly, for a chain of two states.

    The chain has no longer memory than one page, and has run for ever before.
    """
    begin = share * (1 - again) / (1 - share)
    most = LENGTHS[-1] + 1
    good, bad = np.zeros(most + 1), np.zeros(most + 1)
    good[0], bad[1] = 1 - share, share
    found = {}
    for length in range(1, most):
        if length in LENGTHS:
            found[length] = np.append(np.cumsum((good + bad)[length::-1])[::-1], 0.0)
        worse = np.roll(bad * again + good * begin, 1)
        good, bad = bad * (1 - again) + good * (1 - begin), worse
    return found
