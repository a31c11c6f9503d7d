"""A real server, a real browser, and the Studio as a person would work it; one of each for all tests of a worker."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from sightline.sources import find_browser

from ..server._running import Running, running

SCREENS = Path(os.environ.get("SIGHTLINE_SCREENS", "out/screens"))
"""Where the pictures of a run are kept, for people to look at."""

WAIT_MS = 30_000  # for one event; far above what a busy machine needs

Shoot = Callable[[Page, str], None]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The installed browser; it ends with its module, since Playwright keeps an event loop running in the thread."""
    found = find_browser()
    assert found is not None, "the Studio's tests need a browser; `sightline doctor --install` installs one"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=str(found), args=["--no-sandbox", "--font-render-hinting=none"]
        )
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for the tests of a module."""
    with running(tmp_path_factory.mktemp("project"), allow_private=True) as found:
        yield found


@pytest.fixture
def page(browser: Browser, studio: Running) -> Iterator[Page]:
    """A tab on the start screen. Whatever it asks of another origin, and every error of a script, fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
    tab = context.new_page()
    expect.set_options(timeout=WAIT_MS)
    tab.set_default_timeout(WAIT_MS)
    foreign: list[str] = []
    errors: list[str] = []

    def heed(request: Request) -> None:
        if not request.url.startswith((studio.url, "data:", "blob:")):
            foreign.append(request.url)

    tab.on("request", heed)
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(f"{studio.url}/?token={studio.access.token}")
    yield tab
    context.close()
    assert foreign == []
    assert errors == []


@pytest.fixture
def shoot() -> Shoot:
    """Keeps a picture of a screen; in both themes and two sizes, if people said where they want them."""
    everything = "SIGHTLINE_SCREENS" in os.environ
    themes = ("light", "dark") if everything else ("light",)
    sizes = {"1280": (1280, 800), "1920": (1920, 1080)} if everything else {"1280": (1280, 800)}

    def taken(tab: Page, name: str) -> None:
        SCREENS.mkdir(parents=True, exist_ok=True)
        for theme in themes:
            tab.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
            for size, (width, height) in sizes.items():
                tab.set_viewport_size({"width": width, "height": height})
                tab.screenshot(path=SCREENS / f"{name}-{theme}-{size}.png")
        tab.set_viewport_size({"width": 1280, "height": 800})
        tab.evaluate("() => { document.documentElement.dataset.theme = 'light' }")

    return taken
