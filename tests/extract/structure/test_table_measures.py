"""What is measured of the rows of an area, and the trees that tell tables from the rest."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from sightline.extract.structure._cells import TableArea, table_in_area
from sightline.extract.structure._layout import Edges, PrintedWords
from sightline.extract.structure._printed_line import TableKind, rows_of
from sightline.extract.structure._table_measures import (
    AREA_MEASURES,
    LEAST_LIKELY,
    area_measures,
    forest,
    with_judgement,
)

from ._made import edges, grid_edges, line, sheet

NUMBERS = (("Port", "Ships", "Crew"), ("Arle", "412", "9,120"), ("Bex", "88", "2,044"), ("Corr", "1,703", "640"))
FLOWING = (
    ("the council of", "when it was sold"),
    ("a town in the", "to the people of"),
    ("north and then", "and so on to it"),
)
XS, STEP = (50.0, 200.0, 350.0), 20


def _area(
    texts: Sequence[Sequence[str]], kind: TableKind = "white", drawn: Edges | None = None, **look: float
) -> tuple[PrintedWords, TableArea]:
    """An area with its table; each text is one word."""
    held = [
        line(text, x, 100 + STEP * row, **look)
        for row, row_texts in enumerate(texts)
        for x, text in zip(XS[: len(row_texts)], row_texts, strict=True)
    ]
    held = [replace(one, words=(place,)) for place, one in enumerate(held)]
    boxes = [[one.x0, one.y0, one.x1, one.y1] for one in held]
    nothing = [0] * len(held)
    words = PrintedWords([one.text for one in held], boxes, [False] * len(held), nothing, nothing, [False] * len(held))
    box = (XS[0], 90, 500, 110 + STEP * len(texts))
    return words, table_in_area(words, TableArea(kind, box, rows_of(held)), drawn or edges())


def _measured(texts: Sequence[Sequence[str]], drawn: Edges | None = None, **look: float) -> dict[str, float]:
    words, area = _area(texts, drawn=drawn, **look)
    return dict(zip(AREA_MEASURES, area_measures(words, sheet(held=[]), drawn or edges(), area), strict=True))


def test_every_measure_has_a_value_and_a_meaning() -> None:
    """There are as many values as names, and the trees ask for no other."""
    assert len(_measured(NUMBERS)) == len(AREA_MEASURES)
    assert set(forest().names) <= set(AREA_MEASURES)
    assert all(AREA_MEASURES.values())


def test_rows_and_columns() -> None:
    """Rows, pieces, how even their steps are, and how well their columns are aligned."""
    found = _measured(NUMBERS)
    assert (found["rows"], found["lines a row"], found["several"], found["full"]) == (4, 3, 1, 1)
    assert (found["step"], found["even steps"]) == (2, 1)
    assert (found["aligned"], found["aligned left"]) == (1, 1)
    assert found["numbers beside"] == pytest.approx(6 / 8)


def test_distances_are_in_sizes_of_the_type() -> None:
    """The same rows in type of twice the size have half the white between them."""
    once, twice = _measured(NUMBERS), _measured(NUMBERS, size=20.0)
    assert once["step"] == 2 * twice["step"]
    assert once["median gap"] == 2 * twice["median gap"]


def test_sentences_flow_from_cell_to_cell() -> None:
    """What goes on in small letters in the cell below, column for column, is running text side by side."""
    assert _measured(FLOWING)["flows"] == 1
    assert _measured(NUMBERS)["flows"] == 0


def test_lines_across_are_counted_above_within_and_below() -> None:
    """Lines that cover most of the width count; short ones and distant ones don't."""
    drawn = edges([(95, 40, 500), (115, 40, 500), (176, 40, 500), (135, 40, 90), (400, 40, 500)])
    assert _measured(NUMBERS, drawn)["lines across"] == 3


def test_figure_drawn_over_rows_is_measured() -> None:
    """Labels of a chart stand in rows too; how much of them a figure covers is told."""
    words, area = _area(NUMBERS)
    x0, y0, x1, y1 = area.table.box if area.table else (0, 0, 0, 0)
    half = replace(sheet(), figures=np.array([(x0, y0, x1, (y0 + y1) / 2)], dtype=np.float32))
    found = dict(zip(AREA_MEASURES, area_measures(words, half, edges(), area), strict=True))
    assert found["figure"] == pytest.approx(0.5, abs=0.1)
    assert _measured(NUMBERS)["figure"] == 0


def test_trees_judge_what_no_lines_draw() -> None:
    """Rows of numbers under headings are a table, sentences side by side are none, and either has its chance."""
    for texts, is_table in ((NUMBERS, True), (FLOWING, False)):
        words, area = _area(texts)
        judged = with_judgement(words, sheet(), edges(), area)
        assert (judged.table is not None) == is_table
        assert judged.likely is not None
        assert (judged.likely >= LEAST_LIKELY) == is_table


def test_drawn_cells_are_judged_as_well() -> None:
    """Lines around cells are measured: how many borders of columns are drawn, and how many rows they part."""
    drawn = grid_edges([40, 190, 340, 500], [90 + STEP * row for row in range(5)])
    words, area = _area(NUMBERS, "lattice", drawn)
    found = dict(zip(AREA_MEASURES, area_measures(words, sheet(), drawn, area), strict=True))
    assert (found["uprights"], found["bands"], found["lines across"]) == (1, 1, 4)
    judged = with_judgement(words, sheet(), drawn, area)
    assert judged.table is not None
    assert judged.likely is not None and judged.likely > 2 * LEAST_LIKELY
