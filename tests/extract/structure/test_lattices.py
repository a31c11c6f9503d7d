"""Edges that meet."""

from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._layout import lattices_of

from ._made import edges, grid_edges


def test_grid_is_one_lattice() -> None:
    """All edges of a grid belong together, and the box is around them."""
    (lattice,) = lattices_of(grid_edges([0, 50, 100], [0, 20, 40]))
    assert lattice.box == (0, 0, 100, 40)
    assert (len(lattice.edges.across), len(lattice.edges.down)) == (3, 3)


def test_edges_that_do_not_meet_are_no_lattice() -> None:
    """Lines across alone make none, nor do lines that stay apart."""
    assert not lattices_of(edges([(0, 0, 100), (20, 0, 100)]))
    assert not lattices_of(edges([(0, 0, 100)], [(50, 5, 40)]))


def test_edges_may_end_a_little_before_they_meet() -> None:
    """Frames are often drawn with open corners: up to 4 pixels count as meeting."""
    assert lattices_of(edges([(0, 0, 100)], [(104, 3, 40)]))
    assert not lattices_of(edges([(0, 0, 100)], [(105, 3, 40)]))


def test_two_frames_are_two_lattices_the_larger_first() -> None:
    """Tables side by side do not mix."""
    across = [(y, 0, 50) for y in (0, 20)] + [(y, 100, 300) for y in (0, 20)]
    down = [(x, 0, 20) for x in (0, 50, 100, 300)]
    assert [lattice.box for lattice in lattices_of(edges(across, down))] == [(100, 0, 300, 20), (0, 0, 50, 20)]


EDGE = st.tuples(st.integers(0, 200), st.integers(0, 200), st.integers(10, 100))


@given(st.lists(EDGE, max_size=8), st.lists(EDGE, max_size=8))
def test_no_edge_is_in_two_lattices(across: list[tuple[int, int, int]], down: list[tuple[int, int, int]]) -> None:
    """Lattices share nothing: an edge that meets two groups makes them one."""
    every = edges([(p, a, a + n) for p, a, n in across], [(p, a, a + n) for p, a, n in down])
    found = lattices_of(every)
    assert sum(len(one.edges.across) for one in found) <= len(every.across)
    assert sum(len(one.edges.down) for one in found) <= len(every.down)
    for one in found:
        x0, y0, x1, y1 = one.box
        assert (one.edges.across[:, 0] >= y0).all()
        assert (one.edges.down[:, 0] <= x1).all()
        assert x0 <= x1
        assert y0 <= y1
