"""Rows of sums: those at the end of a table that are called sums, add up, or stand among such."""

import pytest

from sightline.extract.wrappers.patterns._sums import sums_among

ITEMS = [{0: "1", 1: "Brush", 2: "7.50"}, {0: "2", 1: "Paint", 2: "2.50"}, {0: "3", 1: "Rope", 2: "1.00"}]


@pytest.mark.parametrize(
    ("last", "count"),
    [
        ([{1: "Total EUR", 2: "11.00"}], 1),
        ([{1: "Subtotal", 2: "11.00"}, {1: "VAT 20 %", 2: "2.20"}, {1: "To be paid", 2: "13.20"}], 3),
        ([{1: "Shipping", 2: "4.00"}, {1: "Total", 2: "15.00"}], 2),
        ([{1: "Zusammen", 2: "11.00"}], 1),
        ([{0: "4", 1: "Total Energies mug", 2: "9.00"}], 0),
        ([{1: "the small one", 2: "9.00"}], 0),
        ([{0: "Total", 1: "of what we sent"}], 0),
        ([], 0),
    ],
    ids=["named", "named with others", "named below another", "adds up", "a company", "a number", "no number", "none"],
)
def test_sums_are_told_from_items(last: list[dict[int, str]], count: int) -> None:
    """By what they are called, by adding up, or by being as short as those."""
    assert len(sums_among([*ITEMS, *last])) == count


def test_three_rows_that_happen_to_add_up_are_items() -> None:
    """One and two are three in any list of numbers."""
    assert len(sums_among([{0: "A", 1: "1"}, {0: "B", 1: "2"}, {0: "C", 1: "3"}])) == 0


def test_a_table_of_sums_has_no_items() -> None:
    """Sums may have been parted from the items that they are of."""
    assert len(sums_among([{0: "Subtotal", 1: "10.00"}, {0: "VAT", 1: "2.00"}, {0: "Total", 1: "12.00"}])) == 3
