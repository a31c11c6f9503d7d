"""The rows of a table, from its bands."""

from sightline.extract.structure._cells import table_rows
from sightline.extract.structure._layout import Edges
from sightline.extract.structure._placed_lines import grid_of, place_lines
from sightline.extract.structure._printed_line import LineRow

from ._made import grid_edges, rows

XS = [5.0, 105.0]


def _rows(held: list[LineRow], drawn: Edges, height: float) -> list[tuple[int, list[str]]]:
    placed = place_lines(grid_of((0, 0, 200, height), held, drawn), held, drawn)
    return [(row.band, [one.text for one in row.lines]) for row in table_rows(placed, "lattice")]


def test_each_band_is_a_row() -> None:
    """Between drawn lines a cell may have several lines of text."""
    held = rows([["Cover", "145"], ["Lamp", "18"], ["Pier", "7"]], XS, top=5, step=40)
    held[1:1] = rows([["of steel", ""]], XS, top=17)
    found = _rows(held, grid_edges([0, 100, 200], [0, 40, 80, 120]), 120)
    assert found == [(0, ["Cover", "145", "of steel"]), (1, ["Lamp", "18"]), (2, ["Pier", "7"])]


def test_band_of_several_full_rows_is_cut() -> None:
    """A band of three rows of numbers, all full, is three rows, though no line is drawn between them."""
    held = rows([["Name", "Price"]], XS, top=5) + rows([["a", "1"], ["b", "2"], ["c", "3"]], XS, top=45, step=12)
    held += rows([["d", "4"]], XS, top=105)
    found = _rows(held, grid_edges([0, 100, 200], [0, 40, 100, 120]), 120)
    assert [band for band, _ in found] == [0, 1, 1, 1, 2]


def test_band_of_wrapped_words_is_one_row() -> None:
    """Two lines of words in every cell of a band are one row."""
    held = rows([["Name", "Use"]], XS, top=5) + rows(
        [["Cover", "keeps the"], ["of cloth", "dust out"]], XS, top=45, step=12
    )
    held += rows([["Lamp", "lights"]], XS, top=85)
    assert len(_rows(held, grid_edges([0, 100, 200], [0, 40, 80, 120]), 120)) == 3


def test_boxes_of_a_form_are_label_and_value() -> None:
    """Words above numbers in one band are two rows, as in forms."""
    texts = [["Number", "Date"], ["117", "2026"], ["Client", "Page"], ["12", "1"], ["Sum", "Tax"], ["120", "24"]]
    found = _rows(rows(texts, XS, top=2, step=12), grid_edges([0, 100, 200], [0, 24, 48, 72]), 72)
    assert [row for _, row in found] == texts


def test_without_lines_rows_are_rows_of_text() -> None:
    """One band holds as many rows as there are rows of text."""
    held = rows([["a", "1"], ["b", "2"], ["c", "3"]], XS, top=5)
    assert [band for band, _ in _rows(held, grid_edges([0, 100, 200], [0, 60]), 60)] == [0, 0, 0]
