"""Rows of pieces with no line drawn."""

import pytest

from sightline.extract.structure._printed_line import FoundTable, LineRow, PrintedCell, rows_of
from sightline.extract.structure._white_runs import is_white_table, runs_of

from ._made import line, lines, rows

XS = [0.0, 100.0, 200.0]
NUMBERS = [["a", "11", "12"], ["b", "13", "14"], ["c", "15", "16"]]
WORDS = [["aa", "bb", "cc"], ["dd", "ee", "ff"], ["gg", "hh", "ii"]]


def _table(count: int, columns: int, cells: int) -> FoundTable:
    held = tuple(PrintedCell(n // columns, n % columns, 1, 1, (n,)) for n in range(cells))
    return FoundTable((0, 0, 300, 100), count, columns, held, (), "white")


def test_rows_of_pieces_are_a_run() -> None:
    """Three rows of several pieces are a stretch; two are none."""
    assert [len(run) for run in runs_of(lines(NUMBERS, XS))] == [3]
    assert not runs_of(lines(NUMBERS[:2], XS))


def test_running_text_and_items_begin_no_run() -> None:
    """Prose is not looked at, and a list of items is no stretch."""
    assert not runs_of([line("a", x, 20 * n, prose=True) for n in range(4) for x in XS])
    assert not runs_of(lines([["1.", "text"], ["2.", "text"], ["3.", "text"]], [0, 50]))


def test_room_parts_runs_with_other_columns() -> None:
    """With more than 1.8 sizes between them, rows with other columns are another stretch."""
    below = lines(NUMBERS, [40, 150, 260], top=90)
    assert len(runs_of([*lines(NUMBERS, XS), *below])) == 2


@pytest.mark.parametrize(("top", "count"), [(81, 1), (83, 2)])
def test_groups_of_rows_are_one_table(top: float, count: int) -> None:
    """The same columns up to 3.2 sizes further down are a group of the same table."""
    assert len(runs_of([*lines(NUMBERS, XS), *lines(NUMBERS, XS, top=top)])) == count


def test_last_labels_are_cut_off() -> None:
    """Single lines below the last row are no part of the stretch."""
    held = lines([*NUMBERS, ["Source", "", ""]], XS)
    assert [len(run) for run in runs_of(held)] == [3]


def test_numbers_in_columns_are_a_table() -> None:
    """Aligned and full rows are a table, with two columns only if they are numbers."""
    assert is_white_table(_table(3, 3, 9), rows(WORDS, XS))
    assert is_white_table(_table(3, 2, 6), rows([row[:2] for row in NUMBERS], XS[:2]))
    assert not is_white_table(_table(3, 2, 6), rows([row[:2] for row in WORDS], XS[:2]))


def test_two_rows_are_no_table() -> None:
    """Without lines it takes three rows."""
    assert not is_white_table(_table(2, 3, 6), rows(WORDS, XS))


def test_empty_places_must_be_made_up_by_numbers() -> None:
    """With half the places empty, words are no table, numbers are."""
    assert not is_white_table(_table(4, 3, 6), rows(WORDS, XS))
    assert is_white_table(_table(4, 3, 6), rows(NUMBERS, XS))


def _ragged(off: float) -> list[LineRow]:
    """Words of different lengths in four columns, every other row moved to the right."""
    held = [
        line("w" * (2 + (3 * n + 2 * c) % 5), 100 * c + off * ((n + c) % 3), 20 * n) for n in range(6) for c in range(4)
    ]
    return rows_of(held)


def test_pieces_must_be_aligned() -> None:
    """Three quarters of the pieces begin, end or are centred where most of their column is."""
    assert is_white_table(_table(6, 4, 24), _ragged(0))
    assert not is_white_table(_table(6, 4, 24), _ragged(11))


def test_tags_are_believed() -> None:
    """What a tagged PDF says is a table is one, however it looks."""
    held = rows_of([line(text, x, y, tags=("Table", "TR", "TD")) for y in (0, 20) for x, text in ((0, "a"), (90, "b"))])
    assert is_white_table(_table(2, 2, 4), held)
