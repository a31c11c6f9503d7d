"""The card of what a page is about: as people read it, point at it, doubt it and take it with them."""

import csv
import io
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from ._steps import check_axe, mark, marks, open_example
from .conftest import Shoot


def _field(tab: Page, name: str) -> Locator:
    return tab.get_by_role("list", name="Fields").get_by_role("button", name=re.compile(f"{name} "))


@pytest.mark.slow
def test_a_product_is_a_card_whose_fields_are_on_the_page(page: Page, shoot: Shoot) -> None:
    """Pointing at a field lights up its place without a request, and pointing at the place lights up the field."""
    open_example(page, "A lamp in a shop")
    expect(page.get_by_role("heading", name="A product", exact=True)).to_be_visible()
    price = _field(page, "price")
    expect(price).to_contain_text("49.00")
    check_axe(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/thing" in request.url else None)
    price.hover()
    expect(mark(page, "field price 0")).to_have_attribute("data-look", "lit")
    shoot(page, "about")
    place = mark(page, "field sku 0").bounding_box()
    assert place
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(_field(page, "sku")).to_have_attribute("data-lit", "true")
    assert asked == []


@pytest.mark.slow
def test_a_doubt_shows_both_values_in_its_colour(page: Page) -> None:
    """In words, too: a colour alone says nothing to some."""
    open_example(page, "A lamp in a shop")
    availability = _field(page, "availability")
    expect(availability).to_have_attribute("data-doubtful", "true")
    expect(availability).to_contain_text("says OutOfStock, shows Add to cart")
    expect(mark(page, "field availability 0")).to_have_attribute("data-look", "issue")
    expect(page.get_by_text("suspicious").first).to_be_visible()


@pytest.mark.slow
def test_what_is_only_said_for_machines_is_shown_by_its_path(page: Page) -> None:
    """What is seen has its path, too, once it is chosen; a choice has an address."""
    open_example(page, "A lamp in a shop")
    expect(_field(page, "priceCurrency")).to_contain_text("json-ld 1: offers.priceCurrency")
    expect(_field(page, "sku")).not_to_contain_text("json-ld")
    _field(page, "sku").click()
    expect(_field(page, "sku")).to_contain_text("json-ld 1: sku")
    expect(page).to_have_url(re.compile(r"field=sku"))
    page.reload()
    expect(_field(page, "sku")).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_a_page_is_read_as_another_kind_and_exported(page: Page) -> None:
    """The file has what the card shows; choosing a candidate puts the card away."""
    open_example(page, "A lamp in a shop")
    page.get_by_role("button", name="Export the thing").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="CSV").click()
    (row,) = csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig")))
    assert row["name"] == "Brass lamp “Mira”"
    page.get_by_role("button", name="Read as another kind of thing").click()
    page.get_by_role("menuitemradio", name="Article").click()
    expect(page.get_by_role("heading", name="An article", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"as=article"))
    page.get_by_role("list", name="Candidates").get_by_role("button").first.click()
    expect(page.get_by_role("list", name="Fields")).to_have_count(0)
    assert marks(page, "issue").count() == 0


@pytest.mark.slow
def test_a_page_of_tables_says_that_it_is_about_no_single_thing(page: Page, shoot: Shoot) -> None:
    """In one line above the candidates, which can be read as a kind all the same."""
    open_example(page, "An observatory's report")
    expect(page.get_by_text("About no single thing.")).to_be_visible()
    expect(page.get_by_text("3 tables").first).to_be_visible()
    shoot(page, "about-none")
