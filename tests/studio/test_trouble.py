"""When things go wrong: connections that break, walls, uploads that are too large, lists that go on elsewhere."""

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Page, expect

from .._server import Request, reply, serve_from_thread
from .._wait import wait_until
from ..server._running import Running
from ._steps import choose

STARS = "<title>Stars</title><h1>Stars</h1><ul>" + "".join(
    f"<li><a href='/{name}'>{name}</a> <b>{number}.5</b> a bright one</li>"
    for number, name in enumerate(["Vega", "Rigel", "Sirius", "Deneb"])
)
WALL = "<title>Just a moment...</title><h1>Checking your browser</h1><p>Verify you are human: solve the captcha.</p>"


def _open(page: Page, address: str) -> None:
    page.get_by_label("Address of a page").fill(address)
    page.keyboard.press("Enter")


def _held(release: threading.Event) -> Callable[[Request, asyncio.StreamWriter], Awaitable[None]]:
    """An answer that comes when the test says so."""

    async def answer(_: Request, writer: asyncio.StreamWriter) -> None:
        while not release.is_set():
            await asyncio.sleep(0.01)
        writer.write(reply(STARS.encode()))
        await writer.drain()

    return answer


@pytest.mark.slow
def test_a_job_is_found_again_after_the_connection_broke(page: Page) -> None:
    """The page was being opened when the network went; when it is back, so is the page."""
    release = threading.Event()
    with serve_from_thread({"/stars": _held(release)}) as site:
        _open(page, site.url("/stars"))
        expect(page.get_by_text("Opening http").first).to_be_visible()
        wait_until(lambda: "/stars" in site.paths())
        page.context.set_offline(True)
        release.set()
        page.context.set_offline(False)
        page.wait_for_url("**/pages/**")
        expect(page.get_by_role("list", name="Candidates")).to_be_visible()


@pytest.mark.slow
def test_long_work_is_cancelled_by_escape(page: Page, studio: Running) -> None:
    """What goes on is in the status bar, and Escape ends it; the screen says so."""
    release = threading.Event()
    with serve_from_thread({"/stars": _held(release)}) as site:
        _open(page, site.url("/stars"))
        wait_until(lambda: "/stars" in site.paths())
        page.get_by_role("button", name=re.compile("^Cancel")).click()
        expect(page.get_by_role("alert")).to_contain_text("cancelled")
        release.set()
    assert all(job["state"] != "running" for job in studio.get("/jobs")["jobs"])


@pytest.mark.slow
def test_a_wall_is_told_and_can_be_looked_at(page: Page) -> None:
    """It is no data, and no silence either: one sentence, and a button to the page that the site showed."""
    with serve_from_thread({"/wall": reply(WALL.encode(), 403)}) as site:
        _open(page, site.url("/wall"))
        expect(page.get_by_role("alert")).to_be_visible()
        page.get_by_role("button", name="Look at what the site showed").click()
        page.wait_for_url("**/pages/**")
        expect(page.get_by_text("wall", exact=True)).to_be_visible()


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(page: Page, tmp_path: Path) -> None:
    """The sentence names the file and the limit; nothing was uploaded."""
    large = tmp_path / "large.html"
    with large.open("wb") as file:
        file.truncate(500_000_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_label("Files to open").set_input_files(large)
    expect(page.get_by_role("alert")).to_contain_text("large.html has 500 MB")
    assert not any("/api/uploads" in url for url in asked)


@pytest.mark.slow
def test_a_list_is_collected_over_all_its_pages(page: Page, studio: Running) -> None:
    """The list leads on to a second page; both are in the rows of the run, which are exported."""
    more = (
        STARS.replace("Vega", "Altair").replace("Rigel", "Spica").replace("Sirius", "Pollux").replace("Deneb", "Castor")
    )
    routes = {
        "/stars": reply((STARS + "</ul><p>Page 1 of 2 <a href='/stars?page=2' rel=next>Next</a>").encode()),
        "/stars?page=2": reply((more + "</ul><p>Page 2 of 2 <a href='/stars' rel=prev>Previous</a>").encode()),
    }
    with serve_from_thread(routes) as site:
        _open(page, site.url("/stars"))
        page.wait_for_url("**/pages/**")
        choose(page, "Stars")
        page.get_by_role("button", name=re.compile("Collect all")).click()
        page.wait_for_url("**/runs/**")
    expect(page.get_by_role("gridcell", name="Castor").first).to_be_visible()
    run = page.url.split("/runs/")[1].split("?")[0]
    answer: httpx2.Response = studio.client.get(f"/api/runs/{run}/export?format=csv")
    assert [name in answer.text for name in ("Vega", "Deneb", "Altair", "Castor")] == [True] * 4
