"""Rows of text that continue the cells above them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.extract.structure._printed_line import LineRow, PrintedLine, rows_of
from sightline.extract.structure._wrapped_cells import leading_of, wrapped

from ._made import line

XS = [0.0, 100.0, 200.0]


def _rows(*texts: list[str], ys: list[float]) -> tuple[list[LineRow], dict[PrintedLine, tuple[int, int]]]:
    spans = {
        line(text, XS[column], y): (column, column)
        for y, row in zip(ys, texts, strict=True)
        for column, text in enumerate(row)
        if text
    }
    return rows_of(list(spans)), spans


def _wrapped(*texts: list[str], ys: list[float], heading: bool | None = False, leading: float = 0) -> list[list[str]]:
    rows, spans = _rows(*texts, ys=ys)
    found = wrapped(rows, spans, 3, heading=heading, leading=leading)
    return [[one.text for one in row] for row in found]


def test_rows_of_numbers_stay_rows() -> None:
    """Evenly spaced rows, each with its label and numbers, are rows."""
    texts = (["a", "1", "2"], ["b", "3", "4"], ["c", "5", "6"])
    assert _wrapped(*texts, ys=[0, 12, 24]) == [list(row) for row in texts]


def test_closer_lines_continue_a_cell() -> None:
    """Where rows have more room between them than lines, lines that are close belong to one cell."""
    texts = (["tube", "x", "1"], ["of steel", "", ""], ["dome", "y", "2"], ["of wood", "", ""], ["pier", "z", "3"])
    found = _wrapped(*texts, ys=[0, 11, 31, 42, 62])
    assert found == [["tube", "x", "1", "of steel"], ["dome", "y", "2", "of wood"], ["pier", "z", "3"]]


def test_numbers_below_numbers_are_a_row_however_close() -> None:
    """Two numbers below two others are no continuation."""
    texts = (["a", "1", "2"], ["b", "3", "4"], ["c", "5", "6"], ["d", "7", "8"])
    assert len(_wrapped(*texts, ys=[0, 11, 31, 51], leading=15)) == 4


def test_label_that_goes_on_in_lower_case() -> None:
    """With all lines equally far apart, a lone label in lower case continues the one above; a capital begins a row."""
    more = (["Piers", "y", "2"], ["Lamps", "z", "3"], ["Caps", "v", "4"], ["Keys", "w", "5"])
    ys = [12.0 * n for n in range(6)]
    assert _wrapped(["Tubes and", "x", "1"], ["domes", "", ""], *more, ys=ys)[0] == ["Tubes and", "x", "1", "domes"]
    assert _wrapped(["Tubes", "x", "1"], ["Domes", "", ""], *more, ys=ys)[1] == ["Domes"]


def test_few_cells_without_label_are_the_rest_of_a_row() -> None:
    """A row without a label that fills a few of the columns above continues it."""
    texts = (["a", "words", "1"], ["", "go on", ""], ["b", "more", "2"])
    assert _wrapped(*texts, ys=[0, 12, 24]) == [["a", "words", "1", "go on"], ["b", "more", "2"]]


def test_headings_of_several_lines_are_one_row() -> None:
    """Lines of headings set close are one row; the first row of numbers ends them."""
    texts = (["", "Height", "Weight"], ["Tube", "in cm", "in kg"], ["a", "1", "2"], ["b", "3", "4"], ["c", "5", "6"])
    found = _wrapped(*texts, ys=[0, 12, 24, 36, 48], heading=None)
    assert found[0] == ["Height", "Weight", "Tube", "in cm", "in kg"]
    assert len(found) == 4


def test_headings_far_apart_are_rows() -> None:
    """Headings more than 1.6 sizes apart are rows of their own."""
    texts = (["", "Height", "Weight"], ["Tube", "in cm", "in kg"])
    assert len(_wrapped(*texts, ys=[0, 15.9], heading=True)) == 1
    assert len(_wrapped(*texts, ys=[0, 16.1], heading=True)) == 2


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([12, 12, 20, 12, 20, 20], 16),
        ([12] * 6, 0),
        ([12, 12, 12.5, 12.5, 12.5], 0),
        ([12, 20], 0),
        ([5, 5, 20, 20], 0),
    ],
)
def test_leading(steps: list[float], expected: float) -> None:
    """Two distances that differ clearly show the leading of cells; rounding, too few rows and overprints do not."""
    assert leading_of(steps, size=10) == expected


@given(
    st.lists(st.lists(st.sampled_from(["", "a", "Word", "12"]), min_size=3, max_size=3), min_size=2, max_size=8),
    st.data(),
)
def test_no_line_is_lost_and_order_stays(texts: list[list[str]], data: st.DataObject) -> None:
    """However rows are joined, every line is in one of them, from top to bottom."""
    texts = [[row[0] or "x", *row[1:]] for row in texts]
    steps = data.draw(st.lists(st.sampled_from([11.0, 12.0, 20.0]), min_size=len(texts), max_size=len(texts)))
    rows, spans = _rows(*texts, ys=[sum(steps[:n]) for n in range(len(texts))])
    found = wrapped(rows, spans, 3, heading=data.draw(st.sampled_from([None, True, False])), leading=0)
    assert [one for row in found for one in row] == [one for row in rows for one in row.lines]
