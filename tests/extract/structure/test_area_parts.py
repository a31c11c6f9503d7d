"""Where tables begin and end inside an area."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sightline as sl
from sightline.extract.structure._area_parts import MOST_JOINTS, best_of, joints_of, part_of, stretches_of
from sightline.extract.structure._cells import TableArea

from ...sources.pdf._write import rows as written_rows
from ._made import rows
from ._sheets import opened, prose

XS = [0.0, 100.0, 200.0]
ROWS = [["a", "11", "12"], ["b", "13", "14"], ["c", "15", "16"]]


def test_rows_farther_apart_than_usual_may_be_parted() -> None:
    """A joint is before the row that has more room above it; rows that are evenly set have none."""
    assert joints_of(rows(ROWS, XS)) == []
    apart = rows([*ROWS, ["", "", ""], *ROWS], XS)
    assert joints_of(apart) == [3]
    assert stretches_of(apart) == [(0, 3), (0, 6), (3, 6)]


def test_line_alone_has_a_joint_above_and_below() -> None:
    """It may be a title, which belongs to neither of two tables."""
    assert joints_of(rows([*ROWS, ["Title", "", ""], *ROWS], XS)) == [3, 4]


def test_joints_are_bounded() -> None:
    """However many rows are apart, only a few ways to part them are tried."""
    ladder = [["x", "1", "2"] if place % 2 else ["y", "", ""] for place in range(40)]
    assert len(joints_of(rows(ladder, XS))) == MOST_JOINTS


def test_part_of_an_area_reaches_up_to_its_neighbours() -> None:
    """The box of a part ends where the rows beside it begin; the whole area is itself."""
    held = rows(ROWS, XS)
    area = TableArea("white", (0, 0, 300, 60), held)
    assert part_of(area, 0, 3) is area
    assert part_of(area, 1, 2).box == (0, held[0].bottom, 300, held[2].top)


@given(st.lists(st.integers(1, 9), min_size=3, max_size=6, unique=True).map(sorted), st.data())
def test_no_other_stretches_are_worth_more(bounds: list[int], data: st.DataObject) -> None:
    """The chosen stretches do not overlap, and no single stretch is worth more than all of them."""
    bounds = [0, *bounds]
    places = [(one, other) for one in bounds for other in bounds if one < other]
    worth = {place: data.draw(st.floats(0, 10)) for place in places}
    chosen = best_of(worth)
    assert all(stop <= start for (_, stop), (start, _) in pairwise(chosen))
    assert sum(worth[one] for one in chosen) >= max(worth.values()) - 1e-9


def test_nothing_is_chosen_where_nothing_is_worth_anything() -> None:
    """Stretches without worth are left out."""
    assert best_of({(0, 2): 0.0, (0, 4): 0.0, (2, 4): 1.0}) == [(2, 4)]


@pytest.mark.parametrize("room", [0, 30])
def test_two_tables_with_other_columns_below_each_other(room: int) -> None:
    """Three columns of numbers and two columns of other numbers are two tables, when room parts them."""
    first = [["Port", "Ships", "Crew"], ["Arle", "412", "9,120"], ["Bex", "88", "2,044"], ["Corr", "1,703", "640"]]
    second = [["Moor", "Depth"], ["North", "7.5"], ["South", "9.0"], ["Inner", "4.5"], ["Outer", "11.0"]]
    content = written_rows(first, [80, 240, 340], 500) + written_rows(second, [110, 290], 500 - 16 * 4 - room)
    found = sl.tables(opened(content + prose()))
    assert len(found) == (2 if room else 1)
