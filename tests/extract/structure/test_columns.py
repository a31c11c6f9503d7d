"""Columns between which no line is drawn."""

from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._white_runs import columns_of, gutters

from ._made import rows


def _widths(texts: list[list[str]], xs: list[float]) -> list[tuple[float, float]]:
    return [(column.x0, column.x1) for column in columns_of(rows(texts, xs))]


def test_pieces_below_each_other_are_columns() -> None:
    """A column is as wide as its widest piece, and knows its rows."""
    found = columns_of(rows([["ab", "1"], ["abcd", "22"], ["a", ""]], [0, 100]))
    assert [(column.x0, column.x1, column.rows) for column in found] == [(0, 20, {0, 1, 2}), (100, 110, {0, 1})]


def test_heading_over_columns_makes_none() -> None:
    """A piece across two columns that rows fill both of leaves them two."""
    assert _widths([["", "x" * 30, ""], ["a", "1", "2"], ["b", "3", "4"]], [0, 50, 150]) == [
        (0, 5),
        (50, 55),
        (150, 155),
    ]


def test_columns_never_filled_together_are_one() -> None:
    """A word to the left above a number to the right, with a long piece over both, is one column."""
    texts = [["a", "", "12345678901234"], ["b", "word", ""], ["c", "", "x" * 24]]
    below = rows([["a", "word", ""], ["b", "", "77"], ["c", "x" * 30, ""]], [0, 50, 150])
    assert len(columns_of(below)) == 2
    assert len(_widths(texts, [0, 50, 150])) == 3


def test_gutters_are_the_middle_of_the_white() -> None:
    """The border between two columns lies half way between them."""
    assert gutters(columns_of(rows([["ab", "cd", "e"]], [0, 30, 100]))) == [20, 70]


@given(st.integers(1, 6), st.integers(1, 8))
def test_full_grid_has_its_columns(columns: int, count: int) -> None:
    """However many rows and columns are filled, there are so many columns, from left to right."""
    found = columns_of(rows([["ab"] * columns] * count, [40.0 * n for n in range(columns)]))
    assert [column.x0 for column in found] == [40.0 * n for n in range(columns)]
    assert all(column.rows == set(range(count)) for column in found)
