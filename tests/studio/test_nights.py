"""Flows at night as a person sees them: days filled in, what stood in for a source, where columns come from."""

import asyncio
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import duckdb
import pytest
from playwright.sync_api import Page, expect

from sightline.flow.run import run_flow
from sightline.flow.spec import Flow

from .._server import Request, reply, serve_from_thread
from ..server._running import Running
from ._flow_steps import inspector, node, saved
from ._steps import check_axe
from .conftest import Shoot

pytestmark = pytest.mark.slow

PAGE = "<!doctype html><title>North</title><table><tr><th>name<th>price<tr><td>Arden<td>5<tr><td>Lumora<td>7</table>"
FLOW = """\
flow: 1
steps:
  north:
    extract: {north}
    take: tables
    static: true
    keep_last: 3 days
  weather:
    extract: {weather}
    take: tables
    static: true
    optional: true
  wide:
    read: wide.csv
  priced:
    normalise: north
    columns:
      - type: price
  sums:
    sql: SELECT name AS product, max(price) AS dearest FROM priced GROUP BY name
  kept:
    deliver: sums
    to: nights.duckdb#sums
    mode: replace
  copied:
    deliver: wide
    to: nights.duckdb#wide
    mode: append
"""
COLUMNS = [f"column_{number:02}" for number in range(50)]
NOW = datetime.now(UTC).replace(hour=6, minute=30, second=0, microsecond=0)


@pytest.fixture(scope="module")
def nights(studio: Running) -> Iterator[list[str]]:
    """Two nights of a flow, two days ago and yesterday; on the second, both of its pages are gone."""
    gone: set[str] = set()

    async def page(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(reply(b"gone", 404) if request.path in gone else reply(PAGE.encode()))

    folder = studio.studio.folder
    (folder / "wide.csv").write_text(f"{','.join(COLUMNS)}\n{','.join('x' for _ in COLUMNS)}\n")
    with serve_from_thread({"/north": page, "/weather": page}) as site:
        text = FLOW.format(north=site.url("/north"), weather=site.url("/weather"))
        (folder / "nights.flow.yaml").write_text(text)
        found = []
        for days in (2, 1):
            due = NOW - timedelta(days=days)
            flow = Flow.load(folder / "nights.flow.yaml")
            found.append(run_flow(flow, store=folder, due=due, now=due + timedelta(seconds=5)).id)
            gone |= {"/north", "/weather"}
        yield found


def _open(tab: Page, studio: Running, path: str) -> None:
    tab.goto(f"{studio.url}{path}")


def _day(days: int) -> str:
    return f"{NOW - timedelta(days=days):%Y-%m-%d}"


def test_a_run_says_what_stood_in_and_what_is_missing(
    page: Page, studio: Running, nights: list[str], shoot: Shoot
) -> None:
    """In the list of steps with its age and the reason, and at every row that is older than the run."""
    _open(page, studio, f"/history/nights/{nights[1]}?step=north")
    steps = page.get_by_role("region", name="What it becomes").get_by_role("list").first
    expect(steps.get_by_role("button", name=re.compile("^north"))).to_contain_text("24 h old")
    expect(steps.get_by_role("button", name=re.compile("^north"))).to_contain_text("older rows")
    expect(steps.get_by_role("button", name=re.compile("^weather"))).to_contain_text("answered with status 404")
    expect(steps.get_by_role("button", name=re.compile("^weather"))).to_contain_text("missing")
    grid = page.get_by_role("grid")
    expect(grid.get_by_role("columnheader").nth(1)).to_contain_text("as of")
    expect(grid.get_by_text("24 h old")).to_have_count(2)
    expect(page.get_by_text("due 06:30")).to_be_visible()
    shoot(page, "nights-run")
    check_axe(page)


def test_a_delivered_column_lights_up_what_it_comes_from(
    page: Page, studio: Running, nights: list[str], shoot: Shoot
) -> None:
    """By mouse and by keyboard, among fifty columns; from there a link leads to the value on its page."""
    _open(page, studio, f"/history/nights/{nights[0]}")
    page.get_by_role("button", name="Lineage").click()
    page.wait_for_url("**view=lineage**")
    kept = page.get_by_role("region", name="Delivered by kept")
    north = page.get_by_role("region", name="Read by north")
    kept.get_by_role("button", name="dearest, from north price, one of many").click()
    expect(north.locator("[data-lit=true]")).to_have_text("price")
    expect(page.locator("path[data-lit=true]")).to_have_count(1)
    shoot(page, "nights-lineage")
    check_axe(page)
    # The line ends in the middle of both rows, wherever these are drawn.
    ends = page.locator("path[data-lit=true]").evaluate(
        "path => { const at = share => path.getPointAtLength(share * path.getTotalLength())"
        ".matrixTransform(path.getScreenCTM()); return [at(0).y, at(1).y] }"
    )
    rows = [north.get_by_role("button", name="north: price"), kept.get_by_role("button", name="dearest")]
    for end, row in zip(ends, rows, strict=True):
        box = row.bounding_box()
        assert box
        assert abs(box["y"] + box["height"] / 2 - end) < 1
    page.keyboard.press("ArrowLeft")
    expect(north.get_by_role("button", name="north: price")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    last = page.get_by_role("region", name="Delivered by copied").get_by_role("button", name=re.compile("column_49"))
    expect(last).to_be_focused()
    expect(last).to_be_in_viewport()
    detail = page.get_by_role("complementary", name="What the chosen column comes from")
    expect(detail.get_by_role("heading")).to_have_text("column_49 comes from")
    last.blur()
    expect(detail.get_by_role("heading")).to_have_text("dearest comes from")
    detail.get_by_role("button", name="See it on its page").click()
    page.wait_for_url("**cell=0%2C1**")
    expect(page.get_by_text("opened without a browser")).to_be_visible()
    expect(page.get_by_role("grid", name="Rows of north").locator("[data-selected=true]")).to_have_text("5")


def test_days_are_filled_in(page: Page, studio: Running, nights: list[str], shoot: Shoot) -> None:
    """The days that lack a run are counted beforehand; those without a capture are refused with a sentence."""
    assert nights
    _open(page, studio, "/flows/nights")
    expect(node(page, "north")).to_contain_text("keeps 3 days")
    expect(node(page, "weather")).to_contain_text("optional")
    page.get_by_role("button", name="More").click()
    page.get_by_role("menuitem", name="Fill in days …").click()
    panel = inspector(page)
    panel.get_by_label("The first day").fill(_day(4))
    panel.get_by_label("The last day").fill(_day(1))
    expect(panel.get_by_text("4 due dates")).to_contain_text("2 of them have a complete run")
    panel.get_by_role("button", name="Run 2 due dates").click()
    days = panel.get_by_role("region", name="The days that are filled in")
    expect(days.get_by_text("2 were refused.")).to_be_visible()
    expect(days.get_by_role("listitem").first).to_contain_text("reads live pages, which can't show")
    expect(page.get_by_role("button", name="2 refused")).to_be_visible()
    shoot(page, "nights-refused")
    check_axe(page)


def test_a_backfill_is_watched_to_its_end(page: Page, studio: Running, shoot: Shoot) -> None:
    """Day by day; each leads to its run, and what is left to do is said."""
    folder = studio.studio.folder
    (folder / "daily.csv").write_text("a\n1\n2\n")
    (folder / "daily.flow.yaml").write_text(
        "flow: 1\nsteps:\n  a:\n    read: daily.csv\n  b:\n    deliver: a\n    to: daily.duckdb#a\n    mode: append\n"
    )
    _open(page, studio, "/flows/daily?pane=days")
    panel = inspector(page)
    panel.get_by_label("The first day").fill("2026-11-01")
    panel.get_by_label("The last day").fill("2026-11-03")
    panel.get_by_role("button", name="Run 3 due dates").click()
    days = panel.get_by_role("region", name="The days that are filled in")
    expect(days.get_by_text("3 dates ran: 3 ok.")).to_be_visible()
    expect(days.get_by_role("listitem")).to_have_count(3)
    expect(panel.get_by_text("Nothing to do: all 3 due dates have a complete run.")).to_be_visible()
    expect(panel.get_by_role("button", name="Run them")).to_be_disabled()
    shoot(page, "nights-backfill")
    with duckdb.connect(str(folder / "daily.duckdb"), read_only=True) as database:
        assert database.execute("SELECT count(*) FROM a").fetchall() == [(6,)]
    days.get_by_role("link", name="2 Nov").click()
    page.wait_for_url("**/history/daily/**")
    expect(page.get_by_text("for 2 Nov")).to_be_visible()
    _open(page, studio, "/history/daily")
    runs = page.get_by_role("region", name="What it becomes").get_by_role("listitem")
    expect(runs).to_have_count(3)
    expect(runs.first).to_contain_text("for 3 Nov")


def test_whom_a_flow_tells_is_set_without_the_file(page: Page, studio: Running, nights: list[str]) -> None:
    """A length of time that is none is a problem at its own field."""
    assert nights
    _open(page, studio, "/flows/nights?pane=settings")
    panel = inspector(page)
    within = panel.get_by_label("How long an interrupted run may be taken up")
    within.fill("soon")
    saved(page, lambda: within.press("Enter"))
    expect(panel.locator("[data-key=resume_within]").get_by_role("alert")).to_contain_text("30 minutes")
    within.fill("2 hours")
    saved(page, lambda: within.press("Enter"))
    expect(panel.locator("[data-key=resume_within]").get_by_role("alert")).to_have_count(0)
    panel.get_by_role("button", name="Who is told").click()
    failure = panel.get_by_label("Who is told if it fails")
    failure.fill("mailto://anna@shop.example, mailto://ben@shop.example")
    saved(page, lambda: failure.press("Enter"))
    flow = Flow.load(studio.studio.folder / "nights.flow.yaml")
    assert flow.resume_within == timedelta(hours=2)
    assert flow.on_failure == ("mailto://anna@shop.example", "mailto://ben@shop.example")
