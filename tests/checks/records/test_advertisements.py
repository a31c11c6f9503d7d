"""Advertisements among records: by what they lack, where they stand, what they are called and where they lead."""

from dataclasses import replace

import pytest

from sightline.checks import PageRecords, check_records, profile_of_run
from sightline.data import Origin, Records, Value
from sightline.testing import Element, element

from ._shop import listing, products, run_of_pages, take


def _advertisement(*, kind: str = "product", host: str = "", word: str = "") -> Element:
    inside = [element("small", word)] if word else []
    return element(
        "li",
        *inside,
        element("h3", element("a", "Best lens", href=f"{host}/p/lens")),
        element("p", "199.00 €", class_="price"),
        element("p", "3 left", class_="stock"),
        class_=kind,
    )


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (_advertisement(kind="product sponsored"), "the element li.product.sponsored"),
        (_advertisement(word="Anzeige"), "labelled “Anzeige”"),
        (_advertisement(host="https://ads.example"), "links to ads.example"),
    ],
)
def test_advertisements_made_as_records_are_told(made: Element, told: str) -> None:
    """They have all fields in the right places, and something gives them away; the issue says which record it is."""
    [issue] = check_records([take(listing(products(8), extra=[made]))]).of("advertisements")
    assert "1 of 9" in issue.reason
    assert "record 9" in issue.reason
    assert told in issue.reason
    assert len(issue.evidence) == 1


def test_a_record_that_lacks_most_is_told() -> None:
    """A teaser with nothing but a name, without the page."""
    [taken] = run_of_pages(1)
    planted = PageRecords(Records([*taken.records, {"name": "Win a camera!", "price": None, "stock": None}]))
    [issue] = check_records([planted]).of("advertisements")
    assert "lacks price, stock" in issue.reason


def test_a_record_from_elsewhere_on_the_page_is_told() -> None:
    """All fields are there, and stand outside of the list."""
    page = listing(products(8), counter="Newsletter")
    node = int(page.with_tag("h1")[0])
    value = Value("Cameras", None, Origin(page.id, (node,)))
    taken = take(page)
    planted = replace(taken, records=Records([*taken.records, dict.fromkeys(("name", "price", "stock"), value)]))
    assert check_records([planted]).of("advertisements")


def test_a_record_whose_numbers_are_none_is_told() -> None:
    """Other texts of the page in the fields of prices and dates."""
    rows = [{"name": f"Camera {own}", "price": f"{100 + own} €", "day": f"2024-05-{own + 1:02}"} for own in range(8)]
    good = PageRecords(Records(rows))
    planted = PageRecords(Records([*rows, {"name": "Log in", "price": "Contact us", "day": "Imprint"}]))
    assert check_records([planted], profile_of_run([good])).of("advertisements")
    assert check_records([good], profile_of_run([good])).verdict == "ok"


def test_lists_of_different_records_have_no_advertisements() -> None:
    """Where half of the records lack a field, lacking it is nothing; and words in names are names."""
    rows = [
        {"name": "Ad Astra", "price": "5 €", "stock": "1"},
        {"name": "Sponsored Camera", "price": None, "stock": None},
    ] * 4
    named = [{**row, "name": f"{row['name']} {number}"} for number, row in enumerate(rows)]
    assert check_records([PageRecords(Records(named))]).verdict == "ok"
