"""Lists that run through a page in step, and the records that they form."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from sightline.extract.wrappers.patterns import Pattern, Rule, View, repeated_element

__all__ = ["ITEMS", "LEAST_TOGETHER", "first_records", "in_step", "shares_items", "single_field_records"]

ITEMS = "items"
LEAST_TOGETHER = 2  # lists that form records, and records that a page has at least
IN_STEP = 0.5  # as many values in one list as in the other
OUT_OF_STEP = 0.2  # of the records may have two of what all others have one of
SHOWN = 5  # records that rules are learned from


def shares_items(view: View, node: int, others: Sequence[int]) -> bool:
    """Whether a node is in one of the items that the other nodes are in, one in each."""
    item = repeated_element(view, node)
    container = int(view.page.parent[item])
    inside = [other for other in others if container < other < view.page.end[container]]
    same_item = [other for other in inside if item <= other < view.page.end[item]]
    return len(same_item) == 1 and len(inside) >= LEAST_TOGETHER


def single_field_records(pattern: Pattern, name: str) -> Pattern:
    """Records with one field each, for a page from which only a list is wanted."""
    field = replace(
        pattern,
        rules=(Rule((), "first"),),
        whole=True,
        many=False,
        joined=False,
        lined=False,
        needs_all=False,
        optional=False,
    )
    return replace(pattern, name=name, take="text", cut=None, fields=(field,)) if pattern.take == "text" else pattern


def in_step(leading: Sequence[int], nodes: Sequence[int]) -> bool:
    """Whether there is mostly one of the other nodes between two leading nodes, and hardly ever more."""
    if len(nodes) < LEAST_TOGETHER or not leading:
        return False
    counts = np.bincount(np.searchsorted(leading, nodes, side="right"), minlength=len(leading) + 1)
    return bool((counts > 1).sum() <= OUT_OF_STEP * len(leading) and len(nodes) >= IN_STEP * len(leading))


def first_records(view: View, nodes: Mapping[str, Sequence[int]], leading: str) -> list[dict[str, tuple[str, ...]]]:
    """The first records that lists form: the values nearest to each leading one."""
    found: list[dict[str, tuple[str, ...]]] = []
    behind = all(column[0] >= nodes[leading][0] for column in nodes.values())
    edges = [*nodes[leading], len(view.page)]
    for start, stop in list(pairwise(edges))[:SHOWN]:
        low, high = (start, stop) if behind else (_start_behind_previous(edges, start), start + 1)
        texts = {
            name: tuple(view.text(node) for node in column if low <= node < high) for name, column in nodes.items()
        }
        found.append({name: values[:1] for name, values in texts.items() if values})
    return found


def _start_behind_previous(edges: Sequence[int], start: int) -> int:
    """Where the values of a record that ends with a leading node begin: behind the leading node before it."""
    earlier = [edge for edge in edges if edge < start]
    return earlier[-1] + 1 if earlier else 0
