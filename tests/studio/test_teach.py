"""Teach: two clicks on a page make a wrapper that the command line reads."""

import re

import pytest
from playwright.sync_api import Page, expect

import sightline as sl

from ..server._running import Running
from ._steps import check_axe, click_text, go, marks, name_field, open_example
from .conftest import Shoot

pytestmark = pytest.mark.slow


def test_two_clicks_make_a_wrapper_of_all_records(page: Page, studio: Running, shoot: Shoot) -> None:
    """Point at a name and a price: ten records light up, and the saved file reads them anywhere."""
    open_example(page, "A camera shop")
    page.get_by_role("button", name="Teach", exact=True).click()
    page.wait_for_url("**/teach/**")
    expect(page.get_by_text("Click a value that you want.")).to_be_visible()
    click_text(page, "Arden R50")
    name_field(page, "name")
    expect(page.get_by_role("gridcell", name="Halden ZV-2")).to_be_visible()
    click_text(page, "$2,899.95")
    name_field(page, "price")
    expect(page.get_by_role("gridcell", name="$998.50")).to_be_visible()
    assert marks(page, "record").count() == 10
    check_axe(page)
    shoot(page, "teach")
    page.get_by_role("button", name="Save wrapper").click()
    page.wait_for_url("**/check?wrapper=**")
    saved = next(studio.studio.folder.glob("wrappers/*.wrapper.json"))
    found = sl.Wrapper.load(saved).extract(sl.open("examples/cameras.html")).to_dicts()
    assert len(found) == 10
    assert found[2] == {"name": "Lumora Z7", "price": "$2,899.95"}


def test_a_click_on_a_match_rejects_it_and_undo_brings_it_back(page: Page) -> None:
    """What is wrong is told by pointing at it, and everything can be taken back by its name."""
    open_example(page, "A camera shop")
    page.get_by_role("button", name="Teach", exact=True).click()
    click_text(page, "Arden (2)")
    name_field(page, "brand")
    wrong = page.get_by_role("gridcell", name="Norda (2)")
    expect(wrong).to_be_visible()
    click_text(page, "Norda (2)")
    expect(wrong).to_have_count(0)
    expect(marks(page, "rejected")).not_to_have_count(0)
    page.keyboard.press("Control+z")
    expect(wrong).to_be_visible()
    page.keyboard.press("Control+Shift+z")
    expect(wrong).to_have_count(0)


def test_the_most_useful_question_is_asked_and_answered_by_a_key(page: Page) -> None:
    """Two items are too few to be sure; Enter says yes, and both are taken."""
    open_example(page, "A camera shop")
    page.get_by_role("button", name="Teach", exact=True).click()
    click_text(page, "Full frame (6)")
    name_field(page, "sensor")
    expect(page.get_by_text("Is “APS-C (4)” a value of sensor?")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("gridcell", name=re.compile("APS-C"))).to_be_visible()


def test_a_pattern_is_edited_by_its_conditions(page: Page) -> None:
    """A condition that holds is found by its words and added; the rule is marked as edited by hand."""
    open_example(page, "A camera shop")
    page.get_by_role("button", name="Teach", exact=True).click()
    click_text(page, "$679.00")
    name_field(page, "price")
    page.get_by_role("button", name="price", exact=True).first.click()
    page.get_by_role("button", name="condition").first.click()
    page.get_by_role("combobox", name="A condition").fill("money")
    expect(page.get_by_role("option", name=re.compile("money")).first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_text("edited", exact=True)).to_be_visible()


def test_a_pdf_is_taught_as_a_page_is(page: Page, shoot: Shoot) -> None:
    """The rendition of a PDF is pointed at; its rows become records."""
    open_example(page, "A quotation in a PDF")
    page.get_by_role("button", name="Teach", exact=True).click()
    click_text(page, "Osric 40 carbon, with dew heater")
    name_field(page, "article")
    page.keyboard.press("f")
    click_text(page, "18,400.00")
    name_field(page, "price")
    expect(page.get_by_role("gridcell", name=re.compile("Fork mount F 60"))).to_be_visible()
    expect(page.get_by_role("gridcell", name="21,750.00")).to_be_visible()
    shoot(page, "teach-pdf")


def test_a_lesson_is_there_after_a_reload_and_in_the_list(page: Page) -> None:
    """Every step was saved as it was made."""
    open_example(page, "7 telescopes worth a detour")
    page.get_by_role("button", name="Teach", exact=True).click()
    click_text(page, "6. The Salt Flat Array")
    name_field(page, "telescope")
    page.reload()
    expect(page.get_by_role("gridcell", name=re.compile("Ferry Observatory"))).to_be_visible()
    go(page, "Teach")
    check_axe(page)
    page.get_by_role("link", name=re.compile("7 Telescopes")).first.click()
    expect(page.get_by_role("button", name="telescope", exact=True).first).to_be_visible()


def test_fields_are_grouped_into_records(page: Page) -> None:
    """Two values of one thing, marked and grouped under a name, become the parts of a record."""
    open_example(page, "Five pages of one template")
    page.get_by_role("button", name="Teach", exact=True).click()
    click_text(page, "Arden R5 Mark II")
    name_field(page, "name")
    page.keyboard.press("f")
    click_text(page, "$4,299.00")
    name_field(page, "price")
    page.get_by_label("Mark name to group it into records").check()
    page.get_by_label("Mark price to group it into records").check()
    page.get_by_label("Name of the records").fill("camera")
    page.get_by_role("button", name="Group", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("camera"))).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.get_by_label("Mark name to group it into records")).to_be_visible()
