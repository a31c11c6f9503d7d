"""The tree in columns."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightline.page import _columns

from ._build import trees


def plain_ends(parent: list[int]) -> list[int]:
    """Where subtrees end, the slow way."""
    end = list(range(1, len(parent) + 1))
    for node in range(len(parent) - 1, 0, -1):
        end[parent[node]] = max(end[parent[node]], end[node])
    return end


def ancestors(parent: list[int], node: int) -> list[int]:
    """The way up from a node, itself included."""
    chain = [node]
    while parent[chain[-1]] >= 0:
        chain.append(parent[chain[-1]])
    return chain


def column(values: list[int]) -> np.ndarray:
    """An integer column."""
    return np.array(values, dtype=np.int32)


@given(trees())
def test_depths_count_ancestors(parent: list[int]) -> None:
    """A node's depth is the number of nodes above it."""
    depth = _columns.depths(column(parent))
    assert depth.tolist() == [len(ancestors(parent, node)) - 1 for node in range(len(parent))]
    assert depth.dtype == np.int32


@given(trees())
def test_ends_close_every_subtree(parent: list[int]) -> None:
    """The range up to a node's end is exactly what is below it."""
    assert _columns.ends(column(parent)).tolist() == plain_ends(parent)


@given(trees())
def test_parents_undo_depths(parent: list[int]) -> None:
    """The parents of a pre-order follow from its depths."""
    assert _columns.parents(_columns.depths(column(parent))).tolist() == parent


@given(trees(), st.data())
def test_nearest_finds_the_first_marked_above(parent: list[int], data: st.DataObject) -> None:
    """The nearest marked node is the first on the way up."""
    marked = data.draw(st.lists(st.booleans(), min_size=len(parent), max_size=len(parent)))
    found = _columns.nearest(column(parent), np.array(marked))[:-1].tolist()
    assert found == [next((up for up in ancestors(parent, node) if marked[up]), -1) for node in range(len(parent))]


@given(trees(), st.data())
def test_below_marks_whole_subtrees(parent: list[int], data: st.DataObject) -> None:
    """What is below a marked node is marked, and nothing else."""
    marked = data.draw(st.lists(st.booleans(), min_size=len(parent), max_size=len(parent)))
    found = _columns.below(np.array(marked), _columns.ends(column(parent))).tolist()
    assert found == [any(marked[up] for up in ancestors(parent, node)) for node in range(len(parent))]


@given(trees(), st.data())
def test_subtree_counts_include_the_root(parent: list[int], data: st.DataObject) -> None:
    """Each subtree counts the marked nodes in it."""
    marked = data.draw(st.lists(st.booleans(), min_size=len(parent), max_size=len(parent)))
    end = plain_ends(parent)
    found = _columns.subtree_counts(np.array(marked), column(end)).tolist()
    assert found == [sum(marked[node : end[node]]) for node in range(len(parent))]


@given(trees(), st.data())
def test_positions_count_siblings_of_one_tag(parent: list[int], data: st.DataObject) -> None:
    """Positions are XPath's: among the siblings that have the same tag."""
    tags = data.draw(st.lists(st.integers(0, 2), min_size=len(parent), max_size=len(parent)))
    expected = [
        sum(parent[other] == parent[node] and tags[other] == tags[node] for other in range(node + 1))
        for node in range(len(parent))
    ]
    assert _columns.positions(column(parent), column(tags)).tolist() == expected


@given(trees(), st.data())
def test_path_ids_are_equal_for_equal_paths(parent: list[int], data: st.DataObject) -> None:
    """Two nodes share a path number exactly if the tags on their ways up are the same."""
    tags = data.draw(st.lists(st.integers(0, 2), min_size=len(parent), max_size=len(parent)))
    path, table = _columns.path_ids(column(parent), column(tags))
    written = [tuple(tags[up] for up in ancestors(parent, node)) for node in range(len(parent))]
    numbers: dict[int, tuple[int, ...]] = {}
    assert all(numbers.setdefault(number, way) == way for number, way in zip(path.tolist(), written, strict=True))
    assert len(set(written)) == len(table)


def test_tree_functions_take_empty_pages() -> None:
    """A page without nodes has no depths, ends or paths."""
    nothing = column([])
    assert not len(_columns.depths(nothing)) and not len(_columns.ends(nothing)) and not len(_columns.parents(nothing))
    assert _columns.levels(nothing) == [] and _columns.path_ids(nothing, nothing)[1] == []


def test_ends_of_a_very_deep_page_are_fast() -> None:
    """A hundred thousand nodes in one another take no loop over levels."""
    parent = np.arange(-1, 99_999, dtype=np.int32)
    assert (_columns.ends(parent) == 100_000).all() and _columns.depths(parent)[-1] == 99_999
    assert (_columns.parents(_columns.depths(parent)) == parent).all()
