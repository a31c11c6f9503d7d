"""The flow editor as a person works it: drawing, wiring, mistakes, two people at once, versions, and a run."""

from pathlib import Path

import duckdb
import pytest
from playwright.sync_api import Browser, Page, expect

from ..server._running import Running
from ._flow_steps import (
    add_step,
    begin_flow,
    choose_step,
    drop_file,
    enter_line,
    flow_text,
    inspector,
    node,
    saved,
    wire,
)
from ._steps import check_axe, go
from .conftest import Shoot

pytestmark = pytest.mark.slow

OFFERS = "id,name,price\n1,Arden R5,4299.00\n2,Lumora P7,\n3,Tarn ND8,39.90\n"
WRITTEN = """\
# Our offers; the file is written by hand, and stays as it is.
flow: 1
about:   where   things stand   # oddly spaced
steps:
    ours:            # four spaces, a comment
        read:  'offers.csv'
    offers:
        sql: SELECT * FROM ours   -- all of them

    cheap:
        sql: |
            SELECT * FROM offers
            WHERE price IS NOT NULL
"""


@pytest.fixture
def written(studio: Running, request: pytest.FixtureRequest) -> str:
    """A flow that somebody wrote by hand, in the project; each test has its own."""
    folder, name = studio.studio.folder, str(request.node.name)
    (folder / "offers.csv").write_text(OFFERS)
    (folder / f"{name}.flow.yaml").write_text(WRITTEN)
    return name


def _open(tab: Page, studio: Running, flow: str) -> None:
    tab.goto(f"{studio.url}/flows/{flow}")
    expect(tab.get_by_role("heading", name=flow, exact=True)).to_be_visible()


def test_a_flow_is_drawn_run_and_looked_at(page: Page, studio: Running, shoot: Shoot) -> None:
    """From a dropped file to a table: steps come from the palette, problems stand on them, rows on the wires."""
    go(page, "Flow")
    begin_flow(page, "shop")
    drop_file(page, "shop-offers.csv", OFFERS)
    add_step(page, "check", "good", after="shop_offers")
    enter_line(page, "need", "Need", "price")
    add_step(page, "deliver", "kept", after="good")
    expect(node(page, "kept")).to_contain_text("needs the key")
    expect(page.get_by_role("button", name="Run", exact=True)).to_be_disabled()
    enter_line(page, "to", "To", "shop.duckdb#offers")
    expect(page.get_by_text("ready to run")).to_be_visible()
    expect(page.get_by_text("3 cols").first).to_be_visible()  # what the plan found, on the wires
    expect(inspector(page).get_by_role("cell", name="Arden R5")).to_be_visible()
    shoot(page, "flow-drawn")
    check_axe(page)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(node(page, "good")).to_contain_text("2 rows · 1 held")
    expect(page.get_by_role("link", name="last run suspicious")).to_be_visible()
    with duckdb.connect(str(studio.studio.folder / "shop.duckdb"), read_only=True) as database:
        assert database.execute("SELECT count(*) FROM offers").fetchall() == [(2,)]
    page.get_by_role("link", name="last run suspicious").click()
    page.get_by_role("button", name="1 held back").click()
    expect(page.get_by_role("grid").get_by_text("`price` is missing")).to_be_visible()
    shoot(page, "flow-run")
    check_axe(page)


def test_an_edit_changes_only_its_lines(page: Page, studio: Running, written: str) -> None:
    """A file written by hand keeps its comments, spaces and order; undo gives it back to the byte."""
    _open(page, studio, written)
    choose_step(page, "cheap")
    named = inspector(page).get_by_label("Name of the step")
    named.fill("priced")
    saved(page, lambda: named.press("Enter"))
    expect(node(page, "priced")).to_be_visible()
    assert flow_text(page, written) == WRITTEN.replace("    cheap:\n", "    priced:\n")
    saved(page, lambda: page.keyboard.press("Control+z"))
    expect(node(page, "cheap")).to_be_visible()
    assert (studio.studio.folder / f"{written}.flow.yaml").read_text() == WRITTEN


def test_a_circle_cannot_be_drawn(page: Page, studio: Running) -> None:
    """The wire is refused where it would end, in a sentence, and nothing is saved."""
    later = "  b:\n    deduplicate: a\n    by: id\n  c:\n    deduplicate: b\n    by: id\n"
    steps = f"steps:\n  a:\n    read: offers.csv\n{later}"
    (studio.studio.folder / "offers.csv").write_text(OFFERS)
    (studio.studio.folder / "round.flow.yaml").write_text("flow: 1\n" + steps)
    _open(page, studio, "round")
    before = flow_text(page, "round")
    wire(page, "c", "b")
    expect(page.get_by_text("round in a circle")).to_be_visible()
    assert flow_text(page, "round") == before
    saved(page, lambda: wire(page, "a", "c"))
    assert "deduplicate: a\n    by: id\n  c:\n    deduplicate: a" in flow_text(page, "round")


def test_two_people_edit_one_flow(page: Page, browser: Browser, studio: Running, written: str) -> None:
    """The second sees that the flow changed and makes the change there; nobody's change is lost."""
    _open(page, studio, written)
    choose_step(page, "offers")
    other = browser.new_context().new_page()
    other.goto(f"{studio.url}/flows/{written}?token={studio.access.token}")
    choose_step(other, "cheap")
    named = inspector(other).get_by_label("Name of the step")
    named.fill("priced")
    saved(other, lambda: named.press("Enter"))
    mine = inspector(page).get_by_label("Name of the step")
    mine.fill("everything")
    mine.press("Enter")
    expect(page.get_by_text("Somebody else has changed this flow")).to_be_visible()
    expect(node(page, "priced")).to_be_visible()
    saved(page, lambda: page.get_by_role("button", name="Make the change here").click())
    expect(node(page, "everything")).to_be_visible()
    text = flow_text(page, written)
    assert "    priced:\n" in text
    assert "    everything:\n" in text
    assert "SELECT * FROM everything\n" in text  # also where its rows are taken
    other.context.close()


def test_an_older_version_is_drawn_and_brought_back(page: Page, studio: Running, written: str, shoot: Shoot) -> None:
    """What differs stands on the steps, by key and by line; going back is a change like any other."""
    _open(page, studio, written)
    choose_step(page, "cheap")
    saved(page, lambda: inspector(page).get_by_role("button", name="Remove").click())
    add_step(page, "read", "more")
    page.get_by_role("button", name="Versions").click()
    page.get_by_role("listitem").filter(has_not_text="now").last.get_by_role("button").click()
    expect(node(page, "cheap")).to_contain_text("removed")
    expect(node(page, "more")).to_contain_text("added")
    shoot(page, "flow-versions")
    saved(page, lambda: page.get_by_role("button", name="Go back to this version").click())
    assert flow_text(page, written) == WRITTEN


def test_a_step_is_deleted_while_its_run_goes_on(page: Page, studio: Running) -> None:
    """The run ends with the flow that it began with; the drawing is the flow as it is now."""
    folder = studio.studio.folder
    lines = "".join(f"{number},camera {number},{number}.50\n" for number in range(300_000))
    (folder / "many.csv").write_text("id,name,price\n" + lines)
    steps = "steps:\n  many:\n    read: many.csv\n  sorted:\n    sql: SELECT * FROM many ORDER BY name\n"
    deliver = "  kept:\n    deliver: sorted\n    to: many.duckdb#rows\n"
    (folder / "many.flow.yaml").write_text("flow: 1\n" + steps + deliver)
    _open(page, studio, "many")
    choose_step(page, "kept")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    saved(page, lambda: inspector(page).get_by_role("button", name="Remove").click())
    expect(node(page, "kept")).to_have_count(0)
    expect(page.get_by_role("link", name="last run ok")).to_be_visible()
    assert Path(folder / "many.duckdb").exists()


def test_text_that_cannot_be_read_is_kept_and_said(page: Page, studio: Running, written: str) -> None:
    """The drawing stays as it was, with the line that is wrong; mending the text mends it."""
    _open(page, studio, written)
    page.keyboard.press("y")
    area = page.get_by_label("The file of the flow")
    area.fill(WRITTEN.replace("steps:", "steps: ["))
    saved(page, lambda: page.get_by_role("button", name="Save the text").click())
    expect(page.get_by_text("Line ").first).to_be_visible()
    expect(node(page, "offers")).to_be_visible()
    area.fill(WRITTEN)
    saved(page, lambda: page.get_by_role("button", name="Save the text").click())
    expect(page.get_by_text("ready to run")).to_be_visible()
