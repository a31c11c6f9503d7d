"""Decision trees as tables."""

from dataclasses import dataclass
from importlib import resources

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.content._model import PAGE_KINDS, the_model
from sightline.trees import load_forest, read_forest

NAMES = ("words", "links", "top")
VALUES = st.sampled_from([float("nan"), -2.0, 0.0, 0.5, 1.0, 1.5, 7.0])


@dataclass(frozen=True)
class Split:
    """A question of a plain tree, whether a measure is at most the bound."""

    measure: int
    bound: float
    unknown: bool
    yes: "Split | float"
    no: "Split | float"


TREES = st.recursive(
    st.integers(-8, 8).map(float),
    lambda inner: st.builds(Split, st.integers(0, 2), st.sampled_from([0.0, 0.5, 1.0]), st.booleans(), inner, inner),
    max_leaves=16,
).filter(lambda tree: isinstance(tree, Split))


def _walk(node: Split | float, row: list[float]) -> float:
    """What a tree says of a row, from question to question."""
    while isinstance(node, Split):
        value = row[node.measure]
        node = node.yes if (node.unknown if value != value else value <= node.bound) else node.no
    return node


def _line(tree: Split) -> str:
    """A tree as the table has it."""
    leaves: list[float] = []
    questions: list[str] = []

    def note(node: Split | float) -> int:
        if not isinstance(node, Split):
            leaves.append(node)
            return 1 << (len(leaves) - 1)
        left = note(node.yes)
        questions.append(f"{node.measure}{'≤' if node.unknown else '<'}{node.bound}:{0xFFFF & ~left:x}")
        return left | note(node.no)

    note(tree)
    return " ".join(questions) + "|" + " ".join(map(str, leaves))


@given(
    st.lists(TREES, min_size=1, max_size=5), st.lists(st.lists(VALUES, min_size=3, max_size=3), min_size=1, max_size=9)
)
def test_forest_says_what_a_walk_says(trees: list[Split], rows: list[list[float]]) -> None:
    """All trees over all rows at once give the sum of what each says of each row, also where values are missing."""
    forest = read_forest(NAMES, "\n".join(map(_line, trees)), 0.25)
    sums = [0.25 + sum(_walk(tree, row) for tree in trees) for row in rows]
    likely = 1 / (1 + np.exp(-np.array(sums)))
    assert forest.likely(np.array(rows, dtype=np.float32)) == pytest.approx(likely, rel=1e-6)


def test_forest_of_many_rows_is_that_of_each() -> None:
    """However many rows there are, none hangs on another."""
    forest = the_model().forest
    matrix = np.random.default_rng(1).normal(0, 20, (1_100, len(forest.names))).astype(np.float32)
    matrix[matrix > 30] = np.nan
    whole = forest.likely(matrix)
    assert ((whole >= 0) & (whole <= 1)).all()
    assert whole[[0, 511, 512, 1_099]].tolist() == [
        forest.likely(matrix[row : row + 1])[0] for row in (0, 511, 512, 1_099)
    ]


def test_forest_of_no_rows_says_nothing() -> None:
    """A page without blocks needs no answer."""
    assert the_model().forest.likely(np.zeros((0, len(the_model().forest.names)), dtype=np.float32)).tolist() == []


def test_the_model_judges_every_kind_and_fits_into_its_room() -> None:
    """There is a forest for each kind of page, and all files of the model together stay below 1.5 MB."""
    folder = resources.files("sightline.extract.content")
    assert tuple(the_model().kinds.sizes) == PAGE_KINDS
    assert sum(len(folder.joinpath(name).read_bytes()) for name in ("forest.json", "kinds.json")) < 1_500_000


@pytest.mark.parametrize("package", ["sightline.extract.content", "sightline.checks.outliers"])
def test_sums_of_leaves_are_exact(package: str) -> None:
    """Leaves have so few digits that 64 bits hold any sum of them, so the order of adding them does not matter."""
    leaf = load_forest(package, "forest.json").leaf.astype(np.float64)
    smallest = 2.0**-44
    assert np.array_equal(np.round(leaf / smallest) * smallest, leaf)
    assert np.abs(leaf).max(axis=1).sum() / smallest < 2.0**53
