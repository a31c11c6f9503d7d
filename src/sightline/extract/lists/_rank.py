"""How important a region is on its page, and whether it is a menu."""

import numpy as np
import numpy.typing as npt

from sightline.extract.lists._measures import MEASURES

__all__ = ["WEIGHTS", "contributions", "is_navigation", "scores"]

# Fitted to 166 pages (search results and recipes) so that their lists come first among the regions of their page. By
# five folds of sites the first region has a record F1 of 0.876, on the fitted pages 0.900; without the last six
# measures it has 0.849 and 0.862 (`bench/lists/fit_rank.py`).
WEIGHTS: dict[str, float] = {
    "records": 1.10,
    "words": 0.38,
    "words a record": 0.29,
    "share": 2.53,
    "linked": -1.62,
    "likeness": 5.81,
    "furniture": -0.95,
    "furniture words": -1.30,
    "comments": -2.69,
    "main": 0.80,
    "inline": -0.78,
    "forest": -1.85,
    "items": 0.94,
    "headed": 0.52,
    "holds": -0.66,
    "digits": 1.90,
    "sentences": 1.56,
    "paragraphs": -1.22,
    "lines": 0.90,
    "area": 0.24,
    "before": -0.76,
}
BIAS = -9.47

# Menus consist almost entirely of links, and of short ones.
MOSTLY_LINKS = 0.8
SHORT_LINKS = np.log1p(6)


def contributions(measures: npt.NDArray[np.float64], without: tuple[str, ...] = ()) -> list[dict[str, float]]:
    """What each measure adds to the importance of each region."""
    used = [(place, name) for place, name in enumerate(MEASURES) if f"measure: {name}" not in without]
    return [{name: WEIGHTS[name] * row[place] for place, name in used} for row in measures.tolist()]


def scores(parts: list[dict[str, float]]) -> list[float]:
    """From 0 to 1: how likely each list is what the page is for."""
    return [float(1 / (1 + np.exp(-(sum(part.values()) + BIAS)))) for part in parts]


def is_navigation(row: npt.NDArray[np.float64]) -> bool:
    """Whether a region is a menu: short and almost only links, in page furniture or in one line."""
    measures = dict(zip(MEASURES, row.tolist(), strict=True))
    short = measures["words a record"] <= SHORT_LINKS
    furniture = measures["furniture"] or measures["furniture words"] or measures["inline"]
    return bool(measures["linked"] >= MOSTLY_LINKS and short and furniture)
