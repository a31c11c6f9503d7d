"""The scores of fields of one's own compare texts as they are seen, with or without a label, whole or in pieces."""

from pathlib import Path

import pytest
from bench.own_fields.samples import OwnPage
from bench.own_fields.scores import OwnFound, by_vertical, f1_of

from sightline.extract.about import AskedField

PRICE, AUTHOR = AskedField("price"), AskedField("author", many=True)


def page(**truth: list[str]) -> OwnPage:
    """A page with a truth."""
    return OwnPage("shop-a", "shop", Path("a.html"), (PRICE, AUTHOR), truth)


@pytest.mark.parametrize(
    ("field", "true", "found", "worth"),
    [
        (PRICE, ["$ 33,575"], ["$33,575"], 1.0),
        (PRICE, ["MSRP: $15,605"], ["$15,605"], 1.0),
        (PRICE, ["MSRP: $15,605"], ["MSRP: $15,605"], 1.0),
        (PRICE, ["1 High St", "Leeds"], ["1 High St, Leeds"], 1.0),
        (PRICE, ["$5"], ["$6"], 0.0),
        (PRICE, ["$5"], [], 0.0),
        (AUTHOR, ["Ada", "Ben"], ["Ben", "Ada"], 1.0),
        (AUTHOR, ["Ada", "Ben"], ["Ada, Ben"], 1.0),
        (AUTHOR, ["Ada", "Ben"], ["Ada"], 2 / 3),
        (AUTHOR, ["Ada"], ["Ada", "Home"], 2 / 3),
    ],
)
def test_what_is_found_is_compared_as_it_is_seen(
    field: AskedField, true: list[str], found: list[str], worth: float
) -> None:
    """A label and the marks between do not matter; of several values the F1 counts."""
    one = OwnFound(page(**{field.name: true}), field, found)
    assert one.worth == pytest.approx(worth)


def test_what_is_given_where_nothing_is_costs_precision() -> None:
    """F1 counts pages with a value that is wrong or not there, and those where one is missing."""
    right = OwnFound(page(price=["$5"]), PRICE, ["$5"])
    wrong = OwnFound(page(), PRICE, ["$5"])
    missing = OwnFound(page(price=["$5"]), PRICE, [])
    assert f1_of([right]) == 1.0
    assert f1_of([right, wrong]) == pytest.approx(2 / 3)
    assert f1_of([right, missing]) == pytest.approx(2 / 3)
    assert by_vertical([right, wrong, missing]) == {"shop": pytest.approx(0.5)}
