"""Dots that lead from a label to its row: they go from cells, and nothing else does."""

import pytest

import sightline as sl
from sightline.extract.structure._written_page import leader_of

from ...sources.pdf._write import lattice, put, rows
from ._sheets import opened, prose

XS, EDGES = [80, 300, 400], [70, 290, 390, 490]


@pytest.mark.parametrize(
    ("text", "leads", "expected"),
    [
        ("Total ......", True, "Total"),
        ("Total......", True, "Total"),
        ("Total . . . . . .", True, "Total"),
        ("Total ……", True, "Total"),
        ("Total ·····", True, "Total"),
        ("Total ____", True, "Total"),
        ("Inc. .....", True, "Inc."),
        ("Total. . . . .", True, "Total"),
        ("Total ......", False, "Total ......"),
        ("Total ........", False, "Total"),
        ("Name ________", False, "Name ________"),
        ("and so on...", True, "and so on..."),
        ("and so on….", True, "and so on…."),
        ("Net sales, Inc.", True, "Net sales, Inc."),
        ("......", True, "......"),
        ("1.5", True, "1.5"),
    ],
)
def test_leaders_are_told_from_ellipses_and_blanks(text: str, leads: bool, expected: str) -> None:
    """Four dots lead where something stands to the right, eight elsewhere; a line leads only to something."""
    words = text.split()
    dots, tail = leader_of(words, leads=leads)
    held = words[: len(words) - dots]
    held[-1:] = [held[-1][: len(held[-1]) - tail]] if held else []
    assert " ".join(held) == expected


@pytest.mark.parametrize("dots", [" ..........", "..........", " . . . . . . ."])
def test_cells_have_no_leaders_and_keep_them_as_an_attribute(dots: str) -> None:
    """The value is the label alone, its box ends where the label does, and the page says what was left out."""
    texts = [
        ["Shop", "2005", "2006"],
        [f"North{dots}", "12", "14"],
        ["South", "7", "9"],
        ["East...", "1", "3"],
    ]
    page = opened(rows(texts, XS, 600) + lattice(EDGES, [612 - 16 * row for row in range(5)]) + prose())
    (table,) = sl.tables(page)
    assert [row[0] for row in table.rows] == ["Shop", "North", "South", "East..."]
    origin = table.cells[1][0].origin
    assert origin is not None
    assert origin.box is not None
    cell = page.node(origin.nodes[0])
    assert cell.text == "North"
    assert cell.attributes["data-leader"].replace(" ", "") == dots.replace(" ", "")
    assert origin.box[2] < (XS[0] + 45) * 4 / 3


def test_leaders_outside_tables_stay() -> None:
    """A line of contents is read as it is printed."""
    page = opened(put("Preface ........ 4", 72, 500) + prose())
    assert "Preface ........ 4" in page.text_of()
