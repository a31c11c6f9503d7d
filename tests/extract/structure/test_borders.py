"""The borders of an area."""

from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._placed_lines import grid_of

from ._made import edges, grid_edges, rows

TEXTS = [["a", "1", "2"], ["b", "3", "4"], ["c", "5", "6"]]
XS = [10.0, 60.0, 110.0]
BOX = (0.0, 0.0, 150.0, 60.0)


def test_drawn_lines_are_borders() -> None:
    """Every edge of a lattice is a border, and parts what is beside it everywhere."""
    grid = grid_of(BOX, rows(TEXTS, XS, top=5), grid_edges([0, 50, 100, 150], [0, 20, 40, 60]))
    assert (grid.xs, grid.ys) == ([0, 50, 100, 150], [0, 20, 40, 60])
    assert grid.drawn == [True, True]
    assert grid.upright.all()
    assert grid.level.all()
    assert grid.closed == (True, True)


def test_white_parts_columns_where_nothing_is_drawn() -> None:
    """Without edges there is one band, and the white between the pieces makes the columns."""
    grid = grid_of(BOX, rows(TEXTS, XS, top=5), edges())
    assert (grid.bands, grid.columns) == (1, 3)
    assert grid.drawn == [False, False]
    assert grid.xs == [0, 37.5, 87.5, 150]
    assert grid.closed == (False, False)


def test_edge_over_half_a_band_parts_only_what_it_covers() -> None:
    """A line must cover 0.6 of the side of a cell to part it from the next."""
    frame = grid_edges([0, 150], [0, 20, 40, 60])
    short = edges(frame.across, [*frame.down.tolist(), (50, 0, 31)])
    assert grid_of(BOX, rows(TEXTS, XS, top=5), short).upright[:, 0].tolist() == [True, False, False]
    longer = edges(frame.across, [*frame.down.tolist(), (50, 0, 33)])
    assert grid_of(BOX, rows(TEXTS, XS, top=5), longer).upright[:, 0].tolist() == [True, True, False]


def test_double_lines_are_one_border() -> None:
    """Borders less than five pixels apart are one."""
    grid = grid_of(BOX, rows(TEXTS, XS, top=5), grid_edges([0, 50, 54, 100, 150], [0, 20, 40, 60]))
    assert grid.xs == [0, 50, 100, 150]


def test_empty_outer_columns_are_dropped() -> None:
    """A shadow or a second frame around a table adds no column."""
    grid = grid_of(
        (-8, -8, 158, 68), rows(TEXTS, XS, top=5), grid_edges([-8, 0, 50, 100, 150, 158], [-8, 0, 20, 40, 60])
    )
    assert grid.xs == [0, 50, 100, 150]
    assert grid.ys[0] == 0


def test_white_inside_a_drawn_column_needs_several_rows() -> None:
    """Where lines part columns, white does so only if at least two rows, and half of them, have both pieces."""
    drawn = grid_edges([0, 100, 200], [0, 60])
    one = rows([["a", "b", "1"], ["a", "", "2"], ["a", "", "3"]], [10, 60, 110], top=5)
    assert grid_of((0, 0, 200, 60), one, drawn).columns == 2
    two = rows([["a", "b", "1"], ["a", "b", "2"], ["a", "", "3"]], [10, 60, 110], top=5)
    assert grid_of((0, 0, 200, 60), two, drawn).columns == 3


@given(st.lists(st.integers(20, 60), min_size=1, max_size=5), st.lists(st.integers(15, 40), min_size=1, max_size=5))
def test_any_lattice_gives_its_borders(widths: list[int], heights: list[int]) -> None:
    """Whatever the widths and heights of the cells of a full lattice, the borders are its edges."""
    xs = [float(sum(widths[:n])) for n in range(len(widths) + 1)]
    ys = [float(sum(heights[:n])) for n in range(len(heights) + 1)]
    held = [row for y in ys[:-1] for row in rows([["ab"] * len(widths)], [x + 5 for x in xs[:-1]], top=y + 2)]
    grid = grid_of((xs[0], ys[0], xs[-1], ys[-1]), held, grid_edges(xs, ys))
    assert (grid.xs, grid.ys) == (xs, ys)
    assert all(grid.drawn)
