"""Objects made from columns are those that the class makes one by one."""

import pytest

from sightline.data import Cell, Origin, Role, Value, cells_at, origins_at, values_at
from sightline.data._value import filled, values_with
from sightline.errors import UsageError
from sightline.testing import list_page

BOX = (1.0, 2.0, 3.0, 4.0)


def test_filled_objects_equal_those_made_one_by_one() -> None:
    """They are equal, have one hash and one text, and are as frozen as the others."""
    made = filled(Origin, {"nodes": [(1,), (2, 3)], "box": [None, BOX]}, page="3f2a", sheet=2, original="")
    expected = [Origin("3f2a", (1,), None, 2), Origin("3f2a", (2, 3), BOX, 2)]
    assert (made, list(map(hash, made)), repr(made)) == (expected, list(map(hash, expected)), repr(expected))
    with pytest.raises(AttributeError):
        made[0].sheet = 1  # type: ignore[misc]


def test_filled_objects_lack_no_field() -> None:
    """A field too few, one too many, or columns of different lengths are refused, for they would show only later."""
    for columns in ({"nodes": [()]}, {"nodes": [()], "size": [1]}):
        with pytest.raises(TypeError, match="has the fields page, nodes, box, sheet, original"):
            filled(Origin, columns, page="3f2a", sheet=1)
    with pytest.raises(TypeError, match=r"different lengths: \[1, 2\]"):
        filled(Origin, {"nodes": [()], "box": [None, None]}, page="3f2a", sheet=1)


def test_many_cells_are_those_made_one_by_one() -> None:
    """Texts, origins, values and cells by the column, with one node each and with several."""
    page = list_page(["one", "two"])
    several = page.with_tag("li").tolist()
    origins = origins_at(page, [several, several[:1]], [None, BOX])
    assert origins == [Origin(page.id, tuple(several)), Origin(page.id, tuple(several[:1]), BOX)]
    assert origins_at(page, [several[1:]], None) == [Origin(page.id, tuple(several[1:]))]
    values = values_at(["a", "b"], origins)
    assert values == [Value("a", None, origins[0]), Value("b", None, origins[1])]
    assert values_with(values, [1, None]) == [Value("a", 1, origins[0]), Value("b", None, origins[1])]
    roles: list[Role] = ["section", "data"]
    made = cells_at([0, 1], [0, 0], [1, 1], [2, 1], values, roles)
    assert made == (Cell(0, 0, 1, 2, values[0], "section"), Cell(1, 0, 1, 1, values[1], "data"))


@pytest.mark.parametrize(("place", "spans"), [((-1, 0), (1, 1)), ((0, -1), (1, 1)), ((0, 0), (0, 1)), ((0, 0), (1, 0))])
def test_many_cells_are_checked(place: tuple[int, int], spans: tuple[int, int]) -> None:
    """No cell stands before the first row or column, or spans nothing."""
    with pytest.raises(UsageError, match="positions from 0 and spans from 1"):
        cells_at([0, place[0]], [1, place[1]], [1, spans[0]], [1, spans[1]], [Value(""), Value("")], ["data", "data"])


def test_roles_of_many_cells_are_checked() -> None:
    """A role that does not exist is named."""
    with pytest.raises(UsageError, match="not heading"):
        cells_at([0], [0], [1], [1], [Value("")], ["heading"])  # type: ignore[list-item]
