"""Skeleton distances with bounds, and PageRank, as published."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from sightline.extract.published import (
    bounded_distance,
    distance_threshold,
    fewest_edits,
    gram_counts,
    hub_scores,
    page_rank,
    weighted_sum,
)

CODES = st.text(alphabet="abcde\u0100\u0fff", max_size=40)


@given(CODES, CODES, st.integers(0, 45))
def test_bounded_distance_is_the_distance_below_its_bound(one: str, other: str, most: int) -> None:
    """The bound saves time, and never changes a distance."""
    plain = Levenshtein.distance(one, other)
    assert bounded_distance(one, other, most) == (plain if plain <= most else None)


@given(CODES, CODES)
def test_fewest_edits_never_exceeds_the_distance(one: str, other: str) -> None:
    """What the q-grams rule out is too far away indeed."""
    assert fewest_edits(gram_counts(one), gram_counts(other)[None, :])[0] <= Levenshtein.distance(one, other)


def test_distance_threshold_is_the_quantile() -> None:
    """Of many distances, the largest one in a hundred is left out; a single template has no threshold."""
    assert distance_threshold(["aaaa", "aaab", "aabb", "bbbb"]) == 4
    assert distance_threshold(["aaaa"]) is None


@given(st.integers(1, 12).flatmap(lambda pages: st.tuples(st.just(pages), _links(pages), _links(pages))))
def test_page_rank_agrees_with_a_dense_solution(
    drawn: tuple[int, list[tuple[int, int]], list[tuple[int, int]]],
) -> None:
    """Started evenly or from the ranks of a smaller graph, it sums to 1 and solves the equation of PageRank."""
    pages, first, more = drawn
    before = page_rank(*_columns(first), pages)
    links = first + more
    rank = page_rank(*_columns(links), pages, start=before)
    assert rank.sum() == pytest.approx(1)
    assert rank == pytest.approx(_solved(links, pages), abs=1e-6)


def _links(pages: int) -> st.SearchStrategy[list[tuple[int, int]]]:
    numbers = st.integers(0, pages - 1)
    return st.lists(st.tuples(numbers, numbers), max_size=30)


def _columns(links: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([one for one, _ in links], np.int64), np.array([other for _, other in links], np.int64)


def _solved(links: list[tuple[int, int]], pages: int) -> np.ndarray:
    moves = np.zeros((pages, pages))
    for one, other in links:
        moves[other, one] += 1
    out = moves.sum(axis=0)
    moves = np.where(out > 0, moves / np.maximum(out, 1), 1 / pages)
    return np.linalg.solve(np.eye(pages) - 0.85 * moves, np.full(pages, 0.15 / pages))


def test_page_rank_grows_with_the_graph() -> None:
    """New pages begin with an even share of the ranks known before."""
    rank = page_rank(np.array([0, 1, 2]), np.array([1, 2, 0]), 3, start=np.array([0.5, 0.5]))
    assert rank == pytest.approx([1 / 3] * 3, abs=1e-6)


def test_hub_scores_count_candidates_once() -> None:
    """Two links to one page are one candidate."""
    assert hub_scores([(1, 1, 2), (2,), ()], {1, 2}) == [2, 1, 0]


def test_weighted_sum_of_nothing_is_nothing() -> None:
    """Without candidates, hub scores add nothing."""
    assert weighted_sum(np.zeros(2), np.array([0.5, 0.25]), weight=0.5).tolist() == [0.5, 0.25]
