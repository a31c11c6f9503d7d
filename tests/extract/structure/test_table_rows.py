"""The rows of a table: which rows of text go on in the cells above them."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._layout import Edges
from sightline.extract.structure._placed_lines import PlacedLines, grid_of, place_lines
from sightline.extract.structure._printed_line import LineRow, rows_of
from sightline.extract.structure._table_rows import (
    ROW_MEASURES,
    _means,
    measured_pairs,
    row_forest,
    table_rows,
    text_rows,
)

from ._made import edges, grid_edges, line, rows

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
        [["Cover made of grey", "keeps out the dust"], ["cloth", "and the rain"]], XS, top=45, step=12
    )
    held += rows([["Lamp", "lights"]], XS, top=85)
    assert len(_rows(held, grid_edges([0, 100, 200], [0, 40, 80, 120]), 120)) == 3


def test_rows_of_a_band_are_judged_together() -> None:
    """A heading of five lines, of which the trees doubt one, is one row, for all others go on."""
    places = [5.0, 75.0, 145.0]
    heading = [["", "Sold", "Sold to"], ["", "to banks", "members"], ["", "in the", "of the"], ["", "year", "Union"]]
    held = rows(heading, places, top=5, step=12) + rows([["Rope", "27%", "16%"]], places, top=60)
    held += rows([["Sail", "33%", "20%"]], places, top=80)
    found = _rows(held, grid_edges([0, 70, 140, 200], [0, 56, 76, 96]), 96)
    assert [band for band, _ in found] == [0, 1, 2]


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(0, 1)), max_size=12))
def test_means_are_those_of_each_band(pairs: list[tuple[int, float]]) -> None:
    """Every pair gets the mean of the pairs of its band, in the order given; a pair alone gets none."""
    bands = [band for band, _ in pairs]
    likely = np.array([value for _, value in pairs])
    expected = [
        np.mean([value for other, value in pairs if other == band]) if bands.count(band) > 1 else 0 for band in bands
    ]
    assert _means(bands, likely) == pytest.approx(expected)


def test_without_lines_rows_are_rows_of_text() -> None:
    """One band holds as many rows as there are rows of text."""
    held = rows([["a", "1"], ["b", "2"], ["c", "3"]], XS, top=5)
    assert [band for band, _ in _rows(held, grid_edges([0, 100, 200], [0, 60]), 60)] == [0, 0, 0]


# ---------------------------------------------------------------- rows of text without lines between them

PLACES = (5.0, 120.0, 240.0)
PAIRS = (
    ("Rope", "of hemp, ten", "1,200"),
    ("", "yards long", ""),
    ("Sail", "of canvas, very", "4,500"),
    ("", "heavy", ""),
)


def _placed(texts: Sequence[Sequence[str]], ys: Sequence[float] | None = None) -> PlacedLines:
    ys = ys or [14.0 * row for row in range(len(texts))]
    held = [
        line(text, x, y) for y, row in zip(ys, texts, strict=True) for x, text in zip(PLACES, row, strict=True) if text
    ]
    found = rows_of(held)
    return place_lines(grid_of((0, 0, 360, ys[-1] + 12), found, edges()), found, edges())


def _texts(texts: Sequence[Sequence[str]], ys: Sequence[float] | None = None) -> list[list[str]]:
    return [[one.text for one in row.lines] for row in table_rows(_placed(texts, ys), "white")]


def test_rows_of_numbers_stay_rows() -> None:
    """Evenly spaced rows, each with its label and numbers, are rows."""
    texts = [["Arden", "112", "24"], ["Bexley", "97", "31"], ["Corran", "140", "18"], ["Dover", "88", "40"]]
    assert _texts(texts) == texts


def test_closer_lines_go_on_in_a_cell() -> None:
    """Where rows have more room between them than lines, lines that are close belong to one cell."""
    rows_apart = [28.0 * (row // 2) + 11 * (row % 2) for row in range(8)]
    found = _texts([*PAIRS, ["Mast", "of oak", "9,100"], ["", "and iron", ""], *PAIRS[:2]], rows_apart)
    assert [len(row) for row in found] == [4, 4, 4, 4]


def test_few_cells_without_label_are_the_rest_of_a_row() -> None:
    """Evenly set, too: a row that fills neither the first column nor that of the numbers goes on."""
    assert [row[0] for row in _texts([*PAIRS, ["Mast", "of oak", "9,100"], *PAIRS])] == [
        "Rope", "Sail", "Mast", "Rope", "Sail",
    ]  # fmt: skip


@given(
    st.lists(st.lists(st.sampled_from(["", "a", "Word", "12"]), min_size=3, max_size=3), min_size=2, max_size=8),
    st.data(),
)
def test_no_line_is_lost_and_order_stays(texts: list[list[str]], data: st.DataObject) -> None:
    """However rows are joined, every line is in one of them, from top to bottom."""
    texts = [["x", "Word", "12"], *([row[0] or "x", *row[1:]] for row in texts)]
    steps = data.draw(st.lists(st.sampled_from([11.0, 12.0, 20.0]), min_size=len(texts), max_size=len(texts)))
    placed = _placed(texts, [sum(steps[:n]) for n in range(len(texts))])
    found = table_rows(placed, data.draw(st.sampled_from(["zone", "white"])))
    assert [one for row in found for one in row.lines] == [one for row in placed.rows for one in row.lines]


def _measured(texts: Sequence[Sequence[str]], ys: Sequence[float] | None = None) -> list[dict[str, float]]:
    placed = _placed(texts, ys)
    matrix = measured_pairs(placed, "white", text_rows(placed)).tolist()
    return [dict(zip(ROW_MEASURES, row, strict=True)) for row in matrix]


def test_every_measure_has_a_value_and_a_meaning() -> None:
    """There are as many values as names, one row for each but the first, and the trees ask for no other."""
    assert len(_measured(PAIRS)) == 3
    assert set(row_forest().names) <= set(ROW_MEASURES)


def test_room_beside_the_line_above_is_measured() -> None:
    """The first word of a line that goes on had no room behind the one above; that of a new cell may have had."""
    wraps, begins, _ = _measured(PAIRS)
    assert wraps["most room"] < 0 < begins["most room"]
    assert (wraps["below"], wraps["new"], wraps["first"], begins["first"]) == (1, 0, 0, 1)


@pytest.mark.parametrize("factor", [1, 3])
def test_distances_are_told_in_those_of_the_table(factor: float) -> None:
    """A step is measured in the least, the usual and the greatest of the table, whatever these are."""
    ys = [factor * y for y in (0, 12, 36, 48)]
    found = _measured(PAIRS, ys)
    assert [one["least steps"] for one in found] == [1, 2, 1]
    assert [one["most steps"] for one in found] == [0.5, 1, 0.5]
