"""Induce, Check and repair: a wrapper from pages alone, run over pages, and mended after a redesign."""

import re

import pytest
from playwright.sync_api import Page, expect

import sightline as sl

from ..server._running import Running
from ._flow_steps import saved
from ._steps import check_axe, click_text, go, name_field, open_example
from .conftest import Shoot

pytestmark = pytest.mark.slow


def _rename(page: Page, old: str, new: str) -> None:
    page.get_by_role("button", name=old, exact=True).first.dblclick()
    page.get_by_label(f"New name of {old}").fill(new)
    saved(page, lambda: page.keyboard.press("Enter"))


def test_several_pages_become_a_wrapper_that_people_shape(page: Page, studio: Running, shoot: Shoot) -> None:
    """Learned without examples; renamed, left out, merged and split again, records chosen; all of it can be undone."""
    go(page, "Induce")
    check_axe(page)
    page.get_by_role("button", name="Five pages of one template").click()
    page.wait_for_url("**/wrappers/**")
    expect(page.get_by_role("gridcell", name="Arden R5 Mark II")).to_be_visible()
    check_axe(page)
    shoot(page, "induce")
    _rename(page, "now", "price")
    expect(page.get_by_role("grid").get_by_role("button", name="price", exact=True)).to_be_visible()
    page.get_by_role("button", name="More about crumbs").click()
    saved(page, lambda: page.get_by_role("menuitem", name="Leave out").click())
    expect(page.get_by_role("grid").get_by_role("button", name="crumbs", exact=True)).to_have_count(0)
    page.get_by_label("Mark was to merge it").check()
    page.get_by_label("Mark price to merge it").check()
    saved(page, lambda: page.get_by_role("button", name="Merge 2").click())
    expect(page.get_by_role("status", name="Selected cell")).to_have_count(0)
    expect(page.get_by_text("whichever a page has")).to_be_visible()
    page.keyboard.press("Control+z")
    expect(page.get_by_text("whichever a page has")).to_have_count(0)
    chosen = page.get_by_label("What a record is")
    saved(page, lambda: chosen.select_option(label="each of “What people say”"))
    expect(page.get_by_role("gridcell", name="Focus like a hawk.")).to_be_visible()
    page.get_by_role("tab", name="Machine").click()
    expect(page.get_by_role("img", name=re.compile("A machine of"))).to_be_visible()
    shoot(page, "induce-machine")
    wrapper = sl.Wrapper.load(next(studio.studio.folder.glob("wrappers/*.wrapper.json")))
    assert wrapper.extract(sl.open("examples/cameras/kestrel-z8.html")).to_dicts()[0]["text 1"] == "Silent at last."


def test_a_run_tells_which_pages_fit_and_why_not(page: Page, shoot: Shoot) -> None:
    """A page of another template fails with its reasons; the rows of the others are exported."""
    go(page, "Induce")
    page.get_by_role("button", name="Five pages of one template").click()
    page.wait_for_url("**/wrappers/**")
    go(page, "Open")
    open_example(page, "An article about a comet")
    go(page, "Check")
    expect(page.get_by_role("heading", name="Run a wrapper and check it")).to_be_visible()
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name=re.compile("Run over")).click()
    page.wait_for_url("**/runs/**")
    expect(page.get_by_text("suspicious").first).to_be_visible()
    film = page.get_by_role("navigation", name="Pages")
    expect(film.get_by_text("failed")).to_have_count(1)
    check_axe(page)
    shoot(page, "check")
    page.get_by_role("button", name="Export").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="JSON lines").click()
    assert len(download.value.path().read_text().splitlines()) == 5


def test_after_a_redesign_rules_are_proposed_and_accepted_one_by_one(page: Page, studio: Running, shoot: Shoot) -> None:
    """Old and new side by side; what is accepted reads the new page, and is a step that can be undone."""
    open_example(page, "The camera shop, before and after")
    go(page, "Teach")
    page.get_by_role("button", name=re.compile("Mirrorless cameras")).first.click()
    click_text(page, "Arden R50")
    name_field(page, "name")
    page.keyboard.press("f")
    click_text(page, "$2,899.95")
    name_field(page, "price")
    expect(page.get_by_role("gridcell", name="$998.50")).to_be_visible()
    page.get_by_role("button", name="Save wrapper").click()
    page.wait_for_url("**/check?wrapper=**")
    page.get_by_role("checkbox", name=re.compile("Cameras without mirrors")).check()
    page.get_by_role("button", name=re.compile("Run over")).click()
    page.wait_for_url("**/runs/**")
    page.get_by_role("button", name="Repair", exact=True).click()
    page.wait_for_url("**/repairs/**")
    expect(page.get_by_text("found again").first).to_be_visible()
    expect(page.get_by_role("region", name="Page before")).to_be_visible()
    expect(page.get_by_role("region", name="Page now")).to_be_visible()
    check_axe(page)
    shoot(page, "repair")
    page.get_by_role("button", name=re.compile("Accept")).click()
    page.wait_for_url("**/wrappers/**")
    expect(page.get_by_role("gridcell", name="$649.00")).to_be_visible()
    name = page.url.split("/wrappers/")[1].split("?")[0]
    assert studio.get(f"/wrappers/{name}")["history"]["at"] >= 1
