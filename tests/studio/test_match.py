"""Match: doubtful pairs are decided by the keyboard, the others learn from it, and everything can be taken back."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sightline.flow.match import Decisions
from sightline.flow.run import FlowStore

from ..server._flow_project import FlowProject
from ..server._running import Running, running
from ._steps import check_axe, go
from .conftest import Shoot

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples" / "matching"
FLOW = """
flow: 1
steps:
  shop:
    read: shop.csv
  catalogue:
    read: catalogue.csv
  known:
    match: shop
    to: catalogue
    matched: 0.999
"""


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Running]:
    """A server for a project whose flow has left pairs to review."""
    project = FlowProject(tmp_path)
    for name in ("shop.csv", "catalogue.csv"):
        shutil.copy(EXAMPLES / name, tmp_path / name)
    project.write(FLOW)
    project.run()
    with running(tmp_path) as found:
        yield found


def _kept(studio: Running) -> list[tuple[str, bool]]:
    decisions = Decisions(FlowStore(studio.studio.folder, "prices").decisions / "known.jsonl")
    return [(one.left, one.same) for one in decisions.all()]


def _open(page: Page) -> None:
    go(page, "Match")
    page.get_by_role("link", name=re.compile("prices · known")).click()
    _record(page, "Corvus M-12")


def _record(page: Page, text: str) -> None:
    """Wait until a record is asked about."""
    expect(page.get_by_role("article", name="The pair")).to_contain_text(text)


def _press(page: Page, key: str) -> str:
    """Answer, and wait for the next record; the name of the one that was asked about."""
    name = page.locator("[data-pair] tbody tr").first.locator("td").first
    asked = name.inner_text()
    page.keyboard.press(key)
    expect(name).not_to_have_text(asked)
    return asked


def test_pairs_are_decided_by_the_keyboard(page: Page, studio: Running, shoot: Shoot) -> None:
    """The evidence is marked; each key brings the next pair; undo brings the last one back."""
    _open(page)
    pair = page.get_by_role("article", name="The pair")
    expect(pair.locator("td mark[data-kind='shared code']").first).to_have_text("M-12")
    expect(pair.get_by_text("they share a model number")).to_be_visible()
    expect(pair.get_by_text(re.compile(r"% (more|less)|about the same")).first).to_be_visible()
    check_axe(page)
    shoot(page, "match")
    page.keyboard.press("j")
    expect(pair.locator("td mark[data-kind^='other']").first).to_be_visible()
    shoot(page, "match-other")
    page.keyboard.press("k")
    expect(pair.locator("td mark[data-kind='shared code']").first).to_be_visible()
    accepted = _press(page, "Enter")
    assert _kept(studio) == [(accepted, True)]
    page.keyboard.press("x")
    expect(page.get_by_test_id("learned")).to_contain_text("less likely")
    _press(page, "n")
    skipped = _press(page, "s")
    expect(page.locator("ol li").first).to_have_text(re.compile(f"^skipped {re.escape(skipped[:20])}"))
    shoot(page, "match-learned")
    for _ in range(4):
        steps = page.locator("ol li")
        count = steps.count()
        page.keyboard.press("u")
        expect(steps).to_have_count(count - 1)
    _record(page, accepted)
    assert _kept(studio) == []


def test_everything_above_a_line_is_accepted(page: Page, studio: Running) -> None:
    """The line moves by keys and by the mouse, the button says how many, and one undo takes it back."""
    _open(page)
    before = page.get_by_test_id("progress").inner_text()
    page.keyboard.press("b")
    line = page.get_by_role("slider", name=re.compile("all are accepted"))
    expect(line).to_be_focused()
    page.keyboard.press("Home")
    expect(line).to_have_attribute("aria-valuenow", line.get_attribute("aria-valuemin") or "")
    box = line.bounding_box()
    assert box
    page.mouse.move(box["x"] + 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 2 / 3, box["y"] + 20, steps=4)
    page.mouse.up()
    expect(line).not_to_have_attribute("aria-valuenow", line.get_attribute("aria-valuemin") or "")
    dragged = int(line.get_attribute("aria-valuenow") or 0)
    page.keyboard.press("ArrowLeft")
    expect(line).to_have_attribute("aria-valuenow", str(dragged - 1))
    accept = page.get_by_role("button", name=re.compile(rf"^Accept \d+ pairs from {dragged - 1} % on"))
    count = int(re.findall(r"\d+", accept.inner_text())[0])
    accept.click()
    expect(page.locator("ol li").first).to_have_text(f"accepted {count} pairs from {dragged - 1} % on")
    assert [same for _, same in _kept(studio)] == [True] * count
    page.keyboard.press("Control+z")
    expect(page.get_by_test_id("progress")).to_have_text(before)
    assert _kept(studio) == []


def test_a_button_reached_by_the_keyboard_means_what_it_says(page: Page, studio: Running) -> None:
    """Enter on it does not also accept the pair."""
    _open(page)
    page.get_by_role("button", name=re.compile("^New record")).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator("ol li").first).to_have_text(re.compile("^called Corvus M-12"))
    assert {same for _, same in _kept(studio)} == {False}


def test_the_end_is_told(page: Page, studio: Running, shoot: Shoot) -> None:
    """And what comes next."""
    _open(page)
    while page.get_by_role("heading", name="All pairs are decided").count() == 0:
        asked = page.locator("[data-pair]").get_attribute("data-pair")
        page.keyboard.press("y")
        expect(page.locator(f"[data-pair='{asked}']")).to_have_count(0)
    expect(page.get_by_role("button", name="Open the flow")).to_be_visible()
    shoot(page, "match-done")
    assert all(same for _, same in _kept(studio))
