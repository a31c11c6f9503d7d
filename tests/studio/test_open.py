"""Open: from a page to a file of its rows, with nothing but what is on the screen."""

import csv
import io
import re

import pytest
from playwright.sync_api import Page, Route, expect

from ..server._running import Running
from ._steps import check_axe, choose, mark, marks, open_example
from .conftest import Shoot


@pytest.mark.slow
def test_a_table_becomes_a_file_in_a_few_clicks(page: Page, shoot: Shoot) -> None:
    """Example, candidate, rename, type, leave out, undo, export: the file says what the screen said."""
    expect(page.get_by_role("heading", name="What do you want as data?")).to_be_visible()
    check_axe(page)
    shoot(page, "start")
    open_example(page, "An observatory's report")
    expect(page.get_by_text("3 tables").first).to_be_visible()
    assert marks(page, "candidate").count() >= 4
    check_axe(page)
    shoot(page, "open")
    choose(page, "Clear nights by season")
    page.get_by_role("button", name="Season", exact=True).dblclick()
    page.get_by_label("New name of Season").fill("Time of year")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Time of year", exact=True)).to_be_visible()
    page.get_by_role("button", name="Hazy, number: more").click()
    page.get_by_role("menuitem", name="Leave out").click()
    expect(page.get_by_role("button", name="Hazy", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Cloud, number: more").click()
    page.get_by_role("menuitemradio", name="Text", exact=True).click()
    expect(page.get_by_role("button", name="Cloud, text: more")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Cloud, number: more")).to_be_visible()
    check_axe(page)
    shoot(page, "open-table")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="CSV").click()
    rows = list(csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig"))))
    assert [row["Time of year"] for row in rows] == ["Winter", "Spring", "Summer", "Autumn"]
    assert list(rows[0]) == ["Time of year", "Clear", "Cloud", "Seeing"]


@pytest.mark.slow
def test_a_cell_and_its_place_on_the_page_light_up_together(page: Page) -> None:
    """Both ways: the box of a cell, and the cell under the pointer; without a request for each."""
    open_example(page, "A camera shop")
    choose(page, "Mirrorless cameras")
    asked: list[str] = []
    # The other screens may still be fetched ahead; what is counted is questions about the page.
    page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    page.locator("#cell-0-0").hover()
    lit, box = mark(page, "lit"), mark(page, "cell 0 0")
    expect(lit).to_have_count(1)
    outer, inner = lit.bounding_box(), box.bounding_box()
    assert outer and inner
    assert abs(outer["x"] - inner["x"]) < 5
    assert abs(outer["y"] - inner["y"]) < 5
    place = mark(page, "cell 4 0").bounding_box()
    assert place
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(page.locator("#cell-4-0")).to_have_attribute("data-lit", "true")
    assert asked == []


@pytest.mark.slow
def test_every_state_has_an_address(page: Page) -> None:
    """A link to a cell opens the page, the table and the cell; back leads back."""
    open_example(page, "A camera shop")
    choose(page, "Mirrorless cameras")
    page.locator("#cell-2-0").click()
    expect(page).to_have_url(re.compile(r"cell=2(,|%2C)0"))
    page.reload()
    expect(page.locator("#cell-2-0")).to_have_attribute("data-selected", "true")
    expect(page.get_by_role("status", name="Selected cell")).to_contain_text("Lumora Z7")
    page.go_back()
    page.go_back()
    expect(page.get_by_role("heading", name="What do you want as data?")).to_be_visible()


@pytest.mark.slow
def test_it_can_be_worked_by_keyboard(page: Page) -> None:
    """Through the candidates, into the grid, the map of keys, the search on the page."""
    open_example(page, "An observatory's report")
    page.keyboard.press("j")
    expect(page.get_by_role("grid")).to_be_visible()
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile(r"tables-[23]$"))
    page.get_by_role("grid").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#cell-1-0")).to_have_attribute("data-selected", "true")
    page.keyboard.press("/")
    page.keyboard.type("winter")
    expect(page.get_by_text("1 of ")).to_be_visible()
    assert marks(page, "lit").count() >= 1
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    check_axe(page)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("lab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/lab$"))


@pytest.mark.slow
def test_a_search_that_began_too_early_is_answered_once_the_page_is_there(page: Page) -> None:
    """Words typed before the places of the words have arrived are searched for when they do."""
    held: list[Route] = []
    page.route("**/geometry", lambda route: held.append(route))  # Playwright marks its handlers, which a method refuses
    open_example(page, "An observatory's report")
    page.keyboard.press("/")
    while not held:  # on a busy machine it is asked for long after the search is seen
        page.wait_for_timeout(20)
    page.keyboard.type("winter")
    expect(page.get_by_role("status").filter(has_text="searching")).to_be_visible()
    for route in held:
        route.continue_()
    expect(page.get_by_text("1 of ")).to_be_visible()


def test_what_cannot_be_opened_says_why_where_it_was_asked(page: Page) -> None:
    """An address that nobody answers at: one sentence on the screen, and the field is still there."""
    page.get_by_label("Address of a page").fill("http://127.0.0.1:9/nothing")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("127.0.0.1:9")
    expect(page.get_by_label("Address of a page")).to_be_visible()


@pytest.mark.slow
def test_two_tabs_lose_no_edit(page: Page, studio: Running) -> None:
    """The second tab is told that the first was quicker, sees its change, and can make its own on top of it."""
    open_example(page, "A camera shop")
    choose(page, "Mirrorless cameras")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("grid")).to_be_visible()
    for tab, name in ((page, "price"), (other, "amount")):
        tab.get_by_role("button", name="money", exact=True).dblclick()
        tab.get_by_label("New name of money").fill(name)
        tab.keyboard.press("Enter")
    expect(page.get_by_role("button", name="price", exact=True)).to_be_visible()
    expect(other.get_by_role("alert")).to_be_visible()
    expect(other.get_by_role("button", name="price", exact=True)).to_be_visible()
    other.get_by_role("button", name="price", exact=True).dblclick()
    other.get_by_label("New name of price").fill("amount")
    other.keyboard.press("Enter")
    expect(other.get_by_role("button", name="amount", exact=True)).to_be_visible()
    other.close()
    key = page.url.split("/pages/")[1].split("?")[0]
    kept = studio.get(f"/pages/{key.replace('/', '/results/')}")
    assert kept["history"]["steps"][-2:] == ["renamed money → price", "renamed price → amount"]


@pytest.mark.slow
def test_a_pdf_is_opened_sheet_by_sheet(page: Page, shoot: Shoot) -> None:
    """Its tables are drawn on the rendition; the next sheet is a click away."""
    open_example(page, "A quotation in a PDF")
    choose(page, "What we offer")
    expect(page.get_by_text("Sheet 1 of 2")).to_be_visible()
    page.get_by_role("button", name="Next sheet").click()
    expect(page.get_by_text("Sheet 2 of 2")).to_be_visible()
    shoot(page, "open-pdf")
