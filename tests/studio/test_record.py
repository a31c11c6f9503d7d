"""Record: work in the live view, edit what was written down, replay it, and mend by pointing."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ..server._running import Running
from ..sites.journeys.journeys import JOURNEYS, JourneySite, serve_journeys
from ._canvas import CanvasPerson, begin, opened
from ._steps import check_axe, go
from .conftest import Shoot

pytestmark = pytest.mark.slow

BY_NAME = {journey.name: journey for journey in JOURNEYS}
SECRET = "never to be seen"


@pytest.fixture(scope="module")
def site() -> Iterator[JourneySite]:
    """The pages of the journeys."""
    with serve_journeys(JOURNEYS) as served:
        yield served


@pytest.fixture
def person(page: Page, studio: Running, tmp_path: Path) -> Iterator[CanvasPerson]:
    """Somebody at the live view; what they leave open is closed."""
    yield CanvasPerson(page, studio, tmp_path)
    for one in studio.get("/recordings"):
        studio.client.delete(f"/api/recordings/{one['id']}")


def step(page: Page, words: str | re.Pattern[str]):  # type: ignore[no-untyped-def]
    """A step of the list by its words."""
    return page.get_by_role("list", name="Steps").get_by_role("button", name=words).first


def test_record_edit_replay_and_repair(
    page: Page, studio: Running, site: JourneySite, person: CanvasPerson, shoot: Shoot
) -> None:
    """A log-in is recorded by hand, edited, replayed, broken and mended by pointing; the password is nowhere."""
    site.forget()
    begin(page, site.url(BY_NAME["log-in"]))
    person.type("user", "anna")
    expect(step(page, "Type “anna” into textbox “User name”")).to_be_visible()
    person.type("password", SECRET)
    expect(step(page, "Type the secret “password” into textbox “Password”")).to_be_visible()
    person.click("enter")
    expect(step(page, "Click button “Sign in”")).to_be_visible()
    assert SECRET in site.effects[0]

    step(page, "Type “anna”").dblclick()
    page.get_by_label("Text of step 2").fill("bella")
    page.keyboard.press("Enter")
    expect(step(page, "Type “bella” into textbox “User name”")).to_be_visible()
    page.get_by_role("button", name="Edit step 2").focus()
    page.keyboard.press("Control+z")
    expect(step(page, "Type “anna”")).to_be_visible()
    page.keyboard.press("Control+Shift+z")
    expect(step(page, "Type “bella”")).to_be_visible()
    check_axe(page)
    shoot(page, "record")

    studio.post(
        f"/scripts/{person.live.name}/edits",
        {"action": "change", "place": "4", "key": "click", "value": {"button": "Come in"}},
        headers={"If-Match": "*"},
    )
    page.reload()
    expect(step(page, "Click button “Come in”")).to_be_visible()
    expect(page.locator("canvas[data-picture]")).to_be_visible()
    site.forget()
    page.get_by_role("button", name="Replay", exact=True).click()
    page.get_by_role("form", name="Secrets for the replay").get_by_label("password").fill(SECRET)
    page.get_by_role("button", name="Replay with it").click()
    failed = page.get_by_role("listitem").filter(has=page.get_by_text("Click button “Come in”")).last
    expect(failed.get_by_role("alert")).to_contain_text("“Come in” is not on the page")
    check_axe(page)
    shoot(page, "record-repair")
    failed.get_by_role("button", name="Point at it").click()
    person.click("enter")
    expect(page.get_by_text("The replay is done")).to_be_visible()
    expect(step(page, "Click button “Sign in”")).to_be_visible()
    assert site.effects == [f'session [["password", "{SECRET}"], ["user", "bella"]]']

    seen = page.content() + page.evaluate("() => JSON.stringify({ ...localStorage, ...sessionStorage })")
    assert SECRET not in seen
    kept = b"".join(path.read_bytes() for path in studio.studio.folder.rglob("*") if path.is_file())
    assert SECRET.encode() not in kept


def test_practise_without_the_internet(page: Page, person: CanvasPerson, shoot: Shoot) -> None:
    """The camera shop of this machine: extract here with a preview, for each by wrapping, replay, and the rows."""
    go(page, "Record")
    check_axe(page)
    page.get_by_role("button", name="Practise on a camera shop").click()
    opened(page)
    person.click("//a[contains(., 'Arden R50')]")
    expect(step(page, "Click link “Arden R50”")).to_be_visible()
    person.back()
    expect(step(page, "Go back")).to_be_visible()
    page.get_by_role("button", name="Insert a step").click()
    page.get_by_role("menuitem", name="Extract here").click()
    expect(page.get_by_text("What it would extract here")).to_be_visible()
    expect(page.get_by_role("gridcell", name="Lumora Z7")).to_be_visible()
    page.get_by_role("form", name="Extract here").get_by_role("button", name="Insert", exact=True).click()
    expect(step(page, "Extract the list")).to_be_visible()

    # The step under the pointer lights up in the picture, without a question to the server.
    step(page, "Click link “Arden R50”").hover()
    expect(page.locator("[data-box='2']")).to_be_visible()

    # Dragged before the click, so that the rows come first.
    handle = page.locator("li[data-place='4'] [draggable]").first
    handle.drag_to(page.locator("li[data-place='2']"), target_position={"x": 60, "y": 4})
    expect(page.locator("li[data-place='2']")).to_contain_text("Extract the list")
    page.get_by_role("button", name="Replay", exact=True).click()
    expect(page.get_by_text("The replay is done")).to_be_visible()
    expect(page.get_by_role("gridcell", name="Halden ZV-2")).to_be_visible()
    expect(page.locator("li[data-state='done']")).to_have_count(4)
    check_axe(page)
    shoot(page, "record-replayed")


def test_keys_leave_the_live_view_by_escape_twice(page: Page, site: JourneySite, person: CanvasPerson) -> None:
    """What is typed goes to the page, and Escape twice gives the keyboard back."""
    begin(page, site.url(BY_NAME["search"]))
    person.type("q", "lens")
    expect(step(page, "Type “lens” into textbox “Search products”")).to_be_visible()
    expect(page.get_by_text("twice leaves it")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.get_by_text("twice leaves it")).to_be_hidden()
    assert page.evaluate("() => document.activeElement?.closest('textarea')") is None
