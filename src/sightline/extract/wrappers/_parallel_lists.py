"""Lists that go through a page in step, and the records that they make."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from sightline.extract.wrappers.patterns import Pattern, Rule, View, repeated

__all__ = ["ITEMS", "LEAST_TOGETHER", "first_records", "in_step", "of_one", "shares_items"]

ITEMS = "items"
LEAST_TOGETHER = 2  # lists that make records, and records that a page has at least
IN_STEP = 0.5  # as many of one list as of the other
OUT_OF_STEP = 0.2  # of the records that may have two of what all others have one of
SHOWN = 5  # records that rules are learned from


def shares_items(view: View, node: int, others: Sequence[int]) -> bool:
    """Whether a node stands in one of the items that other nodes stand in, one in each."""
    item = repeated(view, node)
    container = int(view.page.parent[item])
    inside = [own for own in others if container < own < view.page.end[container]]
    mine = [own for own in inside if item <= own < view.page.end[item]]
    return len(mine) == 1 and len(inside) >= LEAST_TOGETHER


def of_one(pattern: Pattern) -> Pattern:
    """Records with one field each, for a page of which nothing but a list is wanted."""
    own = replace(
        pattern, rules=(Rule((), "first"),), whole=True, many=False, joined=False, needs_all=False, optional=False
    )
    return replace(pattern, name=ITEMS, take="text", cut=None, fields=(own,)) if pattern.take == "text" else pattern


def in_step(leading: Sequence[int], nodes: Sequence[int]) -> bool:
    """Whether between two of the leading nodes there is mostly one of the others, and hardly ever more."""
    if len(nodes) < LEAST_TOGETHER or not leading:
        return False
    counts = np.bincount(np.searchsorted(leading, nodes, side="right"), minlength=len(leading) + 1)
    return bool((counts > 1).sum() <= OUT_OF_STEP * len(leading) and len(nodes) >= IN_STEP * len(leading))


def first_records(view: View, nodes: Mapping[str, Sequence[int]], leading: str) -> list[dict[str, tuple[str, ...]]]:
    """The first records that lists make: the values that stand nearest to each of the leading ones."""
    found: list[dict[str, tuple[str, ...]]] = []
    behind = all(own[0] >= nodes[leading][0] for own in nodes.values())
    edges = [*nodes[leading], len(view.page)]
    for start, stop in list(pairwise(edges))[:SHOWN]:
        low, high = (start, stop) if behind else (_before(edges, start), start + 1)
        texts = {name: tuple(view.text(one) for one in own if low <= one < high) for name, own in nodes.items()}
        found.append({name: own[:1] for name, own in texts.items() if own})
    return found


def _before(edges: Sequence[int], start: int) -> int:
    """The leading node before one, behind which the values of a record begin that end with it."""
    earlier = [edge for edge in edges if edge < start]
    return earlier[-1] + 1 if earlier else 0
