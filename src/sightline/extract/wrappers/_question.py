"""The most useful question about a field: the node on which what may have been meant disagrees most."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from sightline.extract.wrappers.patterns import Hypothesis, LearnedPattern, View, mask_of
from sightline.page import Page

__all__ = ["Question", "question_about"]

ASKED = 40  # of the best hypotheses vote on the next question


class Question(NamedTuple):
    """The most useful question to answer next: is this node a value? `share` of the hypotheses say yes."""

    name: str
    page: Page
    node: int
    text: str
    share: float


def question_about(name: str, learned: LearnedPattern, view: View, answered: Collection[int]) -> Question | None:
    """The node of a page on which the hypotheses about a field disagree most; None if they all agree."""
    if learned.pattern.fields or learned.pattern.take != "text" or not learned.hypotheses:
        return None
    best = learned.hypotheses[:ASKED]
    weights = np.exp([learned.hypotheses[0].cost - hypothesis.cost for hypothesis in best])
    votes = np.zeros(len(view.page))
    for hypothesis, weight in zip(best, weights.tolist(), strict=True):
        votes[_nodes_matching(view, hypothesis)] += weight
    shares = votes / weights.sum()
    shares[list(answered)] = 0
    node = int(np.argmin(np.abs(shares - 0.5)))
    if not 0 < shares[node] < 1:
        return None
    return Question(name, view.page, node, view.text(node), float(shares[node]))


def _nodes_matching(view: View, hypothesis: Hypothesis) -> list[int]:
    nodes = view.candidates
    for condition in hypothesis.conditions:
        nodes = nodes[mask_of(view, condition)[nodes]]
    if hypothesis.pick == "first":
        nodes = nodes[:1]
    elif hypothesis.pick == "last":
        nodes = nodes[-1:]
    return [int(node) for node in nodes]
