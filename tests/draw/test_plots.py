"""Plots of outlier scores, and main texts as marks."""

import io
from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image

from sightline.draw import plot_scores
from sightline.draw._plots import KEPT, PRECISION, RECALL, REMOVED, _curves, _nodes
from sightline.errors import UsageError

SCORES, LETTERS, REMOVED_ROWS = [0.1, 0.2, 0.3, 5.0], [100, 200, 100, 20], [False, False, False, True]


def _colours(png: bytes, half: int) -> set[tuple[int, ...]]:
    """The colours of the left or right plot."""
    with Image.open(io.BytesIO(png)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 430))
        part = picture.convert("RGB").crop((600 * half, 0, 600 * (half + 1), 430))
        return {tuple(colour) for _, colour in part.getcolors(1 << 20) or ()}  # type: ignore[arg-type]


def test_plot_shows_what_is_kept_and_removed() -> None:
    """Both colours are in the distribution, and the share that is kept is a curve beside it."""
    png = plot_scores(SCORES, LETTERS, REMOVED_ROWS)
    assert {KEPT, REMOVED} <= _colours(png, 0)
    assert KEPT in _colours(png, 1)
    assert PRECISION not in _colours(png, 1)
    assert png == plot_scores(np.array(SCORES), np.array(LETTERS), np.array(REMOVED_ROWS))


def test_plot_with_the_truth_shows_what_deletion_gains() -> None:
    """There is a curve for precision, one for recall and one for F1."""
    png = plot_scores(SCORES, LETTERS, REMOVED_ROWS, [True, True, True, False])
    assert {PRECISION, RECALL} <= _colours(png, 1)


def test_curves_are_what_they_are_called() -> None:
    """Deleted one by one by rank, in letters: without the wrong node everything is right."""
    nodes = _nodes(SCORES, LETTERS, REMOVED_ROWS, [True, True, True, False])
    curves = {name: values for name, _, values in _curves(nodes)}
    assert curves["precision"] == pytest.approx([400 / 420, 1, 1, 1, 1])
    assert curves["recall"] == pytest.approx([1, 1, 0.75, 0.25, 0])
    assert curves["F1"][1] == 1
    ((_, _, kept),) = _curves(_nodes(SCORES, LETTERS, REMOVED_ROWS, None))
    assert kept == pytest.approx([1, 400 / 420, 300 / 420, 100 / 420, 0])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scores", "letters", "removed"),
    [
        ([], [], []),
        ([1.0], [0], [True]),
        ([2.0, 2.0], [5, 5], [True, False]),
        ([float("nan"), 1.0, float("inf")], [5, 5, 5], [False, True, False]),
        ([-1e300, 1e300], [1, 1], [False, True]),
        ([1e-310, 0.0], [1, 1], [True, False]),
        ([3.0, 1.0, 2.0], [9, 9, 9], [False, False, True]),
    ],
)
def test_plot_of_odd_numbers_is_a_plot(
    scores: Sequence[float], letters: Sequence[int], removed: Sequence[bool]
) -> None:
    """No nodes, equal scores, scores that are no numbers, no cut that parts them: there is a picture all the same."""
    for truth in (None, [not one for one in removed]):
        assert plot_scores(scores, letters, removed, truth).startswith(b"\x89PNG")


def test_plot_asks_for_one_of_each_a_node() -> None:
    """What is not in step cannot be drawn."""
    with pytest.raises(UsageError, match="same length"):
        plot_scores([1.0], [1, 2], [True])
    with pytest.raises(UsageError, match="same length"):
        plot_scores([1.0], [1], [True], [True, False])
