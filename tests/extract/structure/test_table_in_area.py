"""The table in an area, and what an area must have to be one."""

import pytest

from sightline.extract.structure import _cells
from sightline.extract.structure._cells import TableArea, table_in_area
from sightline.extract.structure._layout import Edges, PrintedWords
from sightline.extract.structure._printed_line import TableKind, rows_of

from ._made import edges, grid_edges, lines

NO_WORDS = PrintedWords([], [], [], [], [], [])
XS, YS = [0.0, 100.0, 200.0, 300.0], [20.0 * n for n in range(6)]
TEXTS = [["Tube", "cm", "kg"], ["Osric", "30", "31"], ["Tern", "22", "72"]]


def _area(texts: list[list[str]], kind: TableKind, drawn: Edges, height: float = 60) -> TableArea:
    held = lines(texts, [x + 5 for x in XS[: len(texts[0])]], top=5)
    return table_in_area(NO_WORDS, TableArea(kind, (0, 0, 300, height), rows_of(held)), drawn)


def test_lattice_gives_its_cells() -> None:
    """Rows, columns and cells of a drawn table, and the borders that they come from."""
    area = _area(TEXTS, "lattice", grid_edges(XS, YS[:4]))
    assert area.table is not None
    assert (area.table.rows, area.table.columns, len(area.table.cells)) == (3, 3, 9)
    assert area.table.lefts == (0, 100, 200)
    assert area.grid is not None
    assert area.grid.bands == 3


@pytest.mark.parametrize(("filled", "is_table"), [(6, False), (7, True)])
def test_lattice_must_be_filled(filled: int, is_table: bool) -> None:
    """With less than a quarter of its cells filled, a lattice is a chart: 6 of 25 are too few, 7 are enough."""
    places = [(0, 0), (0, 1), (2, 0), (2, 1), (4, 3), (4, 4), (2, 4)][:filled]
    texts = [["ab" if (row, column) in places else "" for column in range(5)] for row in range(5)]
    xs = [60.0 * n for n in range(6)]
    held = rows_of(lines(texts, [x + 5 for x in xs[:-1]], top=5))
    area = table_in_area(NO_WORDS, TableArea("lattice", (0, 0, 300, 100), held), grid_edges(xs, YS))
    assert (area.table is not None) == is_table


def test_filled_is_the_rule_that_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chart of the test above is refused by `FILLED` alone."""
    monkeypatch.setattr(_cells, "FILLED", 0)
    test_lattice_must_be_filled(6, is_table=True)


def test_three_columns_of_words_are_a_table() -> None:
    """A third column of words is evidence enough between lines."""
    texts = [["Tube", "of", "a"], ["Osric", "mount", "b"], ["Tern", "camera", "c"]]
    assert _area(texts, "zone", edges([(0, 0, 300), (60, 0, 300)])).table is not None


def test_one_column_or_one_row_is_no_table() -> None:
    """A table has two rows and two columns with several cells each."""
    assert _area([["a"], ["b"], ["c"]], "white", edges()).table is None
    assert _area([["a", "1", "2"]], "white", edges()).table is None
    assert _area([["a", "1", "2"], ["b", "", ""], ["c", "", ""], ["d", "", ""]], "white", edges(), 80).table is None


def test_area_with_two_lines_is_not_looked_at() -> None:
    """Less than three pieces are no table, and no borders are looked for."""
    assert _area([["a", "1"]], "lattice", grid_edges(XS, YS[:3])).grid is None


def test_empty_columns_are_closed() -> None:
    """A column in which no cell begins is dropped."""
    texts = [[row[0], "", row[2]] for row in TEXTS]
    table = _area(texts, "lattice", grid_edges(XS, YS[:4])).table
    assert table is not None
    assert table.columns == 2
    assert table.lefts == (0, 200)
