"""What a single example stands for: a list, or the one value that it is."""

from pathlib import Path

import pytest

import sightline as sl

QUOTATION = Path(__file__).parents[3] / "examples/instruments.pdf"
ROWS = "".join(f"<li><h3>Camera {name}</h3><p>{at}00 €</p></li>" for at, name in enumerate("ABCDEFGH", start=1))
SHOP = f"<!doctype html><html lang=en><title>Cameras</title><h1>All cameras</h1><ul>{ROWS}</ul>"


@pytest.mark.parametrize("name", ["total", "amount"])
def test_a_total_is_no_list_of_items(name: str) -> None:
    """Whatever it is called, the last row of a table of items is a value by itself."""
    page = sl.open(QUOTATION)
    found = sl.teach(page).want(name, "£67,970.40").wrapper.read(page)
    assert [record.to_dict() for record in found.records] == [{name: "£67,970.40"}]


def test_the_only_example_of_a_lesson_stands_for_its_list() -> None:
    """The title of one record means all titles."""
    page = sl.open(SHOP.encode(), static=True)
    found = sl.teach(page).want("camera", "Camera C").wrapper.read(page)
    assert [record.to_dict()["camera"] for record in found.records] == [f"Camera {name}" for name in "ABCDEFGH"]


def test_a_value_with_its_own_label_is_by_itself() -> None:
    """A label that is on the page once, and that the example is named by, is about one value."""
    rows = "".join(f"<tr><td>Part {name}<td>red" for name in "ABCDEFGH")
    html = f"<!doctype html><html lang=en><title>Parts</title><table>{rows}<tr><td>Colour of the box<td>blue</table>"
    page = sl.open(html.encode(), static=True)
    found = sl.teach(page).want("colour of the box", "blue").wrapper.read(page)
    assert [record.to_dict() for record in found.records] == [{"colour of the box": "blue"}]
