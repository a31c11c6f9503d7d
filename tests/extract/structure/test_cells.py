"""Drawn cells, and the cells of a table."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._cells import cells_of, filled_share, table_rows
from sightline.extract.structure._layout import Edges
from sightline.extract.structure._placed_lines import PlacedLines, PrintedGrid, drawn_cells, grid_of, place_lines
from sightline.extract.structure._printed_line import LineRow, lines_of, rows_of

from ._made import edges, grid_edges, line, rows

XS, YS = [0.0, 100.0, 200.0, 300.0], [0.0, 20.0, 40.0, 60.0]


def _grid(upright: list[list[bool]], level: list[list[bool]]) -> PrintedGrid:
    """A grid with lines only where they are true."""
    columns, bands = len(upright[0]) + 1, len(upright)
    xs, ys = [10.0 * n for n in range(columns + 1)], [10.0 * n for n in range(bands + 1)]
    parted, below = np.array(upright, dtype=bool), np.array(level, dtype=bool).reshape(bands - 1, columns)
    return PrintedGrid(xs, ys, parted, below, [True] * (columns - 1), (True, True))


def test_places_with_all_lines_are_cells() -> None:
    """A full grid has a cell for each place."""
    assert drawn_cells(_grid([[True], [True]], [[True, True]])) == {
        (0, 0): (0, 0, 0, 0), (0, 1): (0, 0, 1, 1), (1, 0): (1, 1, 0, 0), (1, 1): (1, 1, 1, 1),
    }  # fmt: skip


def test_missing_line_makes_one_cell() -> None:
    """Without a line between them, two places are one cell, across or down."""
    assert drawn_cells(_grid([[False], [True]], [[True, True]]))[0, 1] == (0, 0, 0, 1)
    assert drawn_cells(_grid([[True], [True]], [[False, True]]))[1, 0] == (0, 1, 0, 0)


@given(st.integers(1, 5), st.integers(1, 5), st.randoms(use_true_random=False))
def test_every_place_is_in_its_cell(bands: int, columns: int, random: Random) -> None:
    """Whatever lines are drawn, each place lies in the hull of its cell, and neighbours without a line share it."""
    upright = [[random.random() < 0.5 for _ in range(columns)] for _ in range(bands)]
    level = [[random.random() < 0.5 for _ in range(columns + 1)] for _ in range(bands - 1)]
    cells = drawn_cells(_grid(upright, level))
    for (band, column), (top, bottom, left, right) in cells.items():
        assert top <= band <= bottom
        assert left <= column <= right
        if column < columns and not upright[band][column]:
            assert cells[band, column] == cells[band, column + 1]


def _placed(held: list[LineRow], drawn: Edges) -> PlacedLines:
    return place_lines(grid_of((0, 0, 300, 60), held, drawn), held, drawn)


def _cells(held: list[LineRow], drawn: Edges) -> dict[str, tuple[int, int, int, int]]:
    """Row, column, rows and columns of each cell, by its text."""
    placed = _placed(held, drawn)
    text = {word: one.text for one in placed.lines for word in one.words}
    found = cells_of(placed, table_rows(placed, "lattice"))
    return {" ".join(text[w] for w in cell.words): (cell.row, cell.column, cell.rows, cell.columns) for cell in found}


def test_cell_over_columns() -> None:
    """A text in a drawn cell over three columns spans them."""
    drawn = edges([(y, 0, 300) for y in YS], [(0, 0, 60), (300, 0, 60), (100, 20, 60), (200, 20, 60)])
    held = rows([["", "Seasons", ""], ["a", "1", "2"], ["b", "3", "4"]], [5, 105, 205], top=5)
    assert _cells(held, drawn)["Seasons"] == (0, 0, 1, 3)


def test_cell_over_rows() -> None:
    """A text in a drawn cell over two bands spans their rows."""
    drawn = edges([(0, 0, 300), (20, 0, 300), (40, 100, 300), (60, 0, 300)], [(x, 0, 60) for x in XS])
    held = rows([["a", "1", "2"], ["", "3", "4"], ["", "5", "6"]], [5, 105, 205], top=5)
    held = rows_of([*lines_of(held), line("Winter", 5, 35)])
    assert _cells(held, drawn)["Winter"] == (1, 0, 2, 1)


def test_texts_level_with_rows_are_cells_of_their_own() -> None:
    """In a drawn cell over two bands, a text level with each row beside it is one for each row."""
    drawn = edges([(0, 0, 300), (20, 0, 300), (40, 100, 300), (60, 0, 300)], [(x, 0, 60) for x in XS])
    held = rows([["a", "1", "2"], ["Jan", "3", "4"], ["Feb", "5", "6"]], [5, 105, 205], top=5)
    found = _cells(held, drawn)
    assert (found["Jan"], found["Feb"]) == ((1, 0, 1, 1), (2, 0, 1, 1))


def test_filled_share_counts_drawn_cells() -> None:
    """Three of nine cells with text are a third."""
    held = rows([["a", "b", ""], ["", "", ""], ["", "", "c"]], [5, 105, 205], top=5)
    assert filled_share(_placed(held, grid_edges(XS, YS))) == 3 / 9
