"""Forests grown by LightGBM (the dependency group `grow`), as the tables that the package reads."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.trees import read_forest

CHECKED = 2_000  # rows on which the table is held against the trees that LightGBM has
ROUNDED = 1e-3  # what the digits that the table leaves out may change
# What LightGBM is told so that the same samples always grow the same trees, and nothing is printed meanwhile.
SAME_EACH_TIME = {"verbose": -1, "num_threads": 1, "seed": 1, "deterministic": True}
HIGHEST = 3e38  # what 32 bits hold; LightGBM writes more where it only asks whether a measure is known


def grown(
    matrix: npt.NDArray[np.float32],
    goal: npt.NDArray[np.float64],
    weight: npt.NDArray[np.float64],
    names: Sequence[str],
    settings: Mapping[str, Any],
    rounds: int,
) -> dict[str, Any]:
    """A forest that tells the goal of each row from its measures, as plain values."""
    import lightgbm  # only those who grow trees have it

    booster = lightgbm.train(dict(settings), lightgbm.Dataset(matrix, goal, weight=weight), rounds)
    trees = [tree["tree_structure"] for tree in booster.dump_model()["tree_info"]]
    asked = sorted({number for tree in trees for number in _asked(tree)})
    place = {number: order for order, number in enumerate(asked)}
    forest: dict[str, Any] = {
        "names": [names[number] for number in asked],
        "trees": re.sub(" +", " ", "\n".join(_line(tree, place) for tree in trees)),
        "bias": 0.0,
    }
    read = read_forest(tuple(forest["names"]), forest["trees"], forest["bias"]).likely(matrix[:CHECKED, asked])
    if np.abs(read - booster.predict(matrix[:CHECKED])).max() >= ROUNDED:
        raise SystemExit("grow: the table does not say what the trees say.")
    return forest


def _asked(node: dict[str, Any]) -> set[int]:
    if "leaf_value" in node:
        return set()
    return {node["split_feature"]} | _asked(node["left_child"]) | _asked(node["right_child"])


def _line(tree: dict[str, Any], place: dict[int, int]) -> str:
    """A tree as a line: its questions, each with the leaves that a no leaves open, then its leaves, left to right."""
    leaves: list[float] = []
    questions: list[str] = []

    def walk(node: dict[str, Any]) -> int:
        """Note what is below a node; its leaves as bits."""
        if "leaf_value" in node:
            leaves.append(node["leaf_value"])
            return 1 << (len(leaves) - 1)
        left = walk(node["left_child"])
        # Where no value was missing when it was grown, LightGBM takes a missing one for 0.
        unknown = node["default_left"] if node["missing_type"] == "NaN" else node["threshold"] >= 0
        sign = "≤" if unknown else "<"
        questions.append(f"{place[node['split_feature']]}{sign}{_bound(node['threshold']):.9g}:{0xFFFF & ~left:x}")
        return left | walk(node["right_child"])

    walk(tree)
    return " ".join(questions) + "|" + " ".join(f"{leaf:.5g}" for leaf in leaves)


def _bound(threshold: float) -> float:
    """The largest number of 32 bits, as measures are, that is not above a threshold: the same numbers are below both.

    >>> _bound(0.5), _bound(0.1) <= 0.1, _bound(1e300) == _bound(HIGHEST)
    (0.5, True, True)
    """
    most = min(threshold, HIGHEST)
    near = np.float32(most)
    return float(near if float(near) <= most else np.nextafter(near, np.float32(-np.inf)))
