"""The published scores are what their papers say, on any rows, and quick."""

from time import process_time

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.checks import hbos, nearest_neighbours
from sightline.errors import UsageError

Floats = npt.NDArray[np.float64]


def rows(draw: st.DrawFn) -> Floats:
    """A few rows of small numbers, with many that are alike."""
    count, width = draw(st.integers(2, 30)), draw(st.integers(1, 4))
    values = draw(st.lists(st.integers(0, 3), min_size=count * width, max_size=count * width))
    return np.array(values, dtype=np.float64).reshape(count, width)


def by_hand(matrix: Floats, k: int, distance: str) -> Floats:
    """The distances by the book, each row with each."""
    away = np.sqrt(((matrix[:, None] - matrix[None]) ** 2).sum(axis=-1))
    np.fill_diagonal(away, np.inf)
    nearest = np.sort(away, axis=1)[:, : min(k, len(matrix) - 1)]
    return nearest.mean(axis=1) if distance == "mean" else nearest[:, -1]


@given(st.data(), st.integers(1, 40), st.sampled_from(["mean", "kth"]))
def test_neighbours_are_those_by_the_book_however_many_rows_are_alike(
    data: st.DataObject, k: int, distance: str
) -> None:
    """Distances to neighbours agree with comparing every row with every other."""
    matrix = rows(data.draw)
    assert nearest_neighbours(matrix, k, distance) == pytest.approx(by_hand(matrix, k, distance), abs=1e-6)


@given(st.data())
def test_rows_that_are_alike_have_one_score(data: st.DataObject) -> None:
    """Rows that are alike are judged alike."""
    matrix = rows(data.draw)
    for score in (hbos(matrix), nearest_neighbours(matrix, 3)):
        for first in range(len(matrix)):
            same = (matrix == matrix[first]).all(axis=1)
            assert np.ptp(score[same]) == pytest.approx(0, abs=1e-9)


def test_the_rare_scores_higher() -> None:
    """The one row that differs has the highest score."""
    matrix = np.array([[1.0, 2.0]] * 20 + [[1.0, 9.0]])
    assert hbos(matrix).argmax() == 20
    assert nearest_neighbours(matrix, 5).argmax() == 20


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_few_rows_and_rows_without_difference_score_nothing(count: int) -> None:
    """Nothing is strange among few rows, or where all are the same."""
    matrix = np.ones((count, 3))
    assert hbos(matrix).tolist() == [0.0] * count
    assert nearest_neighbours(matrix, 5).tolist() == [0.0] * count


def test_rows_without_columns_score_nothing() -> None:
    """Without features nothing is strange."""
    assert hbos(np.zeros((4, 0))).tolist() == [0.0] * 4


@pytest.mark.parametrize(("k", "distance"), [(0, "mean"), (3, "longest")])
def test_what_makes_no_sense_is_refused(k: int, distance: str) -> None:
    """Zero neighbours and unknown distances are refused."""
    with pytest.raises(UsageError):
        nearest_neighbours(np.ones((3, 1)), k, distance)


def test_ten_thousand_rows_take_no_second_by_histograms() -> None:
    """Histograms of ten thousand rows take a fraction of a second."""
    matrix = np.random.RandomState(0).rand(10_000, 84)
    began = process_time()
    hbos(matrix)
    assert process_time() - began < 5  # some tenths of a second on a quiet machine
