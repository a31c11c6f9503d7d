"""Rows of pieces with no line drawn."""

import pytest

from sightline.extract.structure._white_runs import runs_of

from ._made import line, lines

XS = [0.0, 100.0, 200.0]
NUMBERS = [["a", "11", "12"], ["b", "13", "14"], ["c", "15", "16"]]


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
