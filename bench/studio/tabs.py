"""Tabs of a real browser, as those who measure the Studio need them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, sync_playwright

from bench.studio.served import ServedStudio
from sightline.sources import find_browser


def slow(times: Sequence[float]) -> float:
    """The 95th percentile."""
    return sorted(times)[int(len(times) * 0.95)]


@contextmanager
def opened_browser() -> Iterator[Browser]:
    """The installed browser."""
    found = find_browser()
    if found is None:
        raise SystemExit("bench: the screens need a browser; `sightline doctor --install` installs one.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(found), args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened_tab(browser: Browser, studio: ServedStudio, foreign: list[str], script: str = "") -> Iterator[Page]:
    """A tab with nothing in its cache that is let in already."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    base = f"http://127.0.0.1:{studio.port}"
    context.on("request", lambda request: None if request.url.startswith(base) else foreign.append(request.url))
    # The token is exchanged for the cookie without a page, so that nothing of the Studio is in the cache.
    context.request.get(f"{base}/?token={studio.token}", max_redirects=0)
    tab = context.new_page()
    if script:
        tab.add_init_script(script)
    yield tab
    context.close()
