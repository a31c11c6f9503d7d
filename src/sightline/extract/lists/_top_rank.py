"""How well a choice of lines keeps a promise."""

import numpy as np
import numpy.typing as npt

from sightline.extract.lists._title_choices import CHOICE_MEASURES

__all__ = ["FEW", "LEAST_OF_FEW", "TOP_WEIGHTS", "choice_contributions", "choice_scores"]

# Fitted to 91 pages that keep the promise of their title, so that the right lines come first among all choices of k.
# With five-fold cross-validation by page the titles' F1 is 0.98, as on the fitted pages. The pages show too few menus
# that keep a promise, and no list that stands out by its area alone: `furniture` and `area` are weighted by hand.
TOP_WEIGHTS: dict[str, float] = {
    "numbered": 3.56,
    "body": 0.09,
    "uneven": -1.31,
    "likeness": 2.89,
    "template": 0.57,
    "distinct": 2.83,
    "questions": -1.65,
    "framing": -1.76,
    "framed": 0.51,
    "pattern": 2.71,
    "section": 0.73,
    "crosses": -0.99,
    "inner headings": -1.05,
    "size": 2.35,
    "headings": 0.08,
    "first": -2.69,
    "early": -1.41,
    "main": 0.77,
    "furniture": -1.50,
    "contents": 2.30,
    "area": 0.30,
}
BIAS = -9.0

# Rules of the published algorithm that are measures here.
MEASURE_OF = {"visual area": "area", "numbering": "numbered"}


def _weights(without: tuple[str, ...]) -> npt.NDArray[np.float64]:
    left_out = {name.removeprefix("measure: ") for name in without} | {MEASURE_OF.get(name, "") for name in without}
    return np.array([0.0 if name in left_out else TOP_WEIGHTS[name] for name in CHOICE_MEASURES])


def choice_scores(measures: npt.NDArray[np.float64], without: tuple[str, ...] = ()) -> npt.NDArray[np.float64]:
    """From 0 to 1 for each choice: how certain it is that these are the items."""
    result: npt.NDArray[np.float64] = 1 / (1 + np.exp(-(measures @ _weights(without) + BIAS)))
    return result


def choice_contributions(row: npt.NDArray[np.float64], without: tuple[str, ...] = ()) -> dict[str, float]:
    """What each measure adds to the score of a choice."""
    return dict(zip(CHOICE_MEASURES, (row * _weights(without)).tolist(), strict=True))


# The score from which a choice of few keeps a promise that the title may not make. Almost every page has two or three
# lines that are alike: asked for k items that they never promised, 288 pages had something that scores 0.5 or more for
# k = 2 in 93 of 100 cases, for k = 5 in 82 and for k = 10 in 50; 0.95 or more in 54, 27 and 10; numbered in 16, 11 and
# 3 (`bench/lists/fit_top.py --chance`).
FEW = 3
LEAST_OF_FEW = 0.95
