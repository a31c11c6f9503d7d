"""What following a kind of link is worth: targets for each page visited, those that it leads to included.

A page that is no target is worth visiting if it reveals links to targets. Visiting pages that reveal others is a
*branching bandit* (Weiss 1988): every visit of kind k brings in a target with probability q[k], and new links of kinds
j, m[k, j] on average. The best policy follows the kind with the highest index: the highest rate of targets a visit that
one can have by visiting such a page and then only what it leads to, for as long as that pays. So hubs are visited when
better links run out, and no sooner.

The index of k is the rate v at which a visit just pays: q[k] - v + sum of m[k, j] * gain[j](v) = 0, where gain[j](v) is
what j brings in beyond v a visit, or 0. We compute the gains for a few rates v at once and read off where they cross 0.
"""

from dataclasses import dataclass

import numpy as np

from sightline.arrays import FloatArray, LongArray

__all__ = ["Revealed", "indices"]

LEVELS = 24  # rates at which gains are computed, denser near 0, where most kinds are
GENERATIONS = 4  # how far ahead it looks: category, list, next list, page
KEPT = 0.9  # of the gain of each generation: links found later may turn out worse, or visited already

_RATES: FloatArray = np.linspace(0.0, 1.0, LEVELS) ** 2


@dataclass(frozen=True)
class Revealed:
    """What pages reveal: `amounts` of new links of the kinds `found`, by groups of pages.

    The pages of kind k reveal what the groups `groups[k]` do on average, mixed by `shares[k]`.
    """

    sources: LongArray
    found: LongArray
    amounts: FloatArray
    groups: LongArray
    shares: FloatArray


def indices(chances: FloatArray, revealed: Revealed) -> FloatArray:
    """The index of each kind, given the chance that a page of it is a target.

    A hub that reveals nine targets is worth nine targets in ten visits:

    >>> links = Revealed(np.array([0]), np.array([1]), np.array([10.0]), np.array([[0], [1], [2]]), np.ones((3, 1)))
    >>> indices(np.array([0.0, 1.0, 0.2]), links).round(2).tolist()
    [0.9, 1.0, 0.2]
    """
    own = chances[:, None] - _RATES[None, :]
    value = own
    groups = int(revealed.groups.max(initial=-1)) + 1
    flat = (revealed.sources[:, None] * LEVELS + np.arange(LEVELS)[None, :]).ravel()
    for _ in range(GENERATIONS):
        gain = np.maximum(value, 0.0)
        weights = (revealed.amounts[:, None] * gain[revealed.found]).ravel()
        by_group = np.bincount(flat, weights=weights, minlength=groups * LEVELS).reshape(-1, LEVELS)
        value = own + KEPT * (revealed.shares[:, :, None] * by_group[revealed.groups]).sum(axis=1)
    return _crossings(value)


def _crossings(value: FloatArray) -> FloatArray:
    """Where each row of falling values crosses 0."""
    below = np.argmax(value < 0, axis=1)
    never = ~(value < 0).any(axis=1)
    upper = np.clip(below, 1, LEVELS - 1)
    rows = np.arange(len(value))
    high, low = value[rows, upper - 1], value[rows, upper]
    part = high / np.maximum(high - low, 1e-12)
    crossing: FloatArray = _RATES[upper - 1] + np.clip(part, 0, 1) * (_RATES[upper] - _RATES[upper - 1])
    return np.where(never, 1.0, np.where(below == 0, 0.0, crossing))
