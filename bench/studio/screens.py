"""The Studio in a real browser, as people meet it: first load, a saved page, a click, a long grid."""

import gzip
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from bench.frame import Figure
from bench.studio.pages import TABLE_KEY, long_table, shop_page
from bench.studio.served import served
from bench.studio.tabs import opened_browser, opened_tab, slow
from sightline.net import Limits
from sightline.page import dumps
from sightline.sources import Loader

LOADS, OPENINGS, CLICKS = 7, 5, 40
FIRST_LOAD_SECONDS, OPEN_SECONDS, CLICK_MS, BUNDLE_BYTES = 1.0, 1.5, 300.0, 500_000
SAVED_NODES, TAUGHT_NODES, ROWS = 10_000, 5_000, 100_000
SCROLL_SECONDS = 6.0
BUNDLE = Path(__file__).parents[2] / "src/sightline/server/web"

# Notes when the first box is over the page, counted from the start of the navigation.
NOTE_FIRST_BOX = """
window.firstBox = null;
new MutationObserver(() => {
  if (window.firstBox === null && document.querySelector("rect[data-look=candidate]"))
    requestAnimationFrame(() => { window.firstBox ??= performance.now() });
}).observe(document, { childList: true, subtree: true });
"""
# Notes how long after the button is released the matches are drawn.
NOTE_CLICK = """
window.released = null;
window.lit = null;
window.addEventListener("pointerup", () => { window.released = performance.now(); window.lit = null }, true);
const matches = "rect[data-look=part], rect[data-look=record]";
new MutationObserver(() => {
  if (window.released !== null && window.lit === null && document.querySelector(matches))
    requestAnimationFrame(() => { window.lit ??= performance.now() - window.released });
}).observe(document, { childList: true, subtree: true });
"""
# In every frame: is there a row with its text at each of twenty heights of the grid?
WATCH_GRID = """
() => {
  const grid = document.querySelector("[role=grid]");
  const box = grid.getBoundingClientRect();
  window.frames = 0;
  window.blank = 0;
  const look = () => {
    window.frames += 1;
    for (let step = 1; step <= 20; step += 1) {
      const y = box.top + 40 + ((box.height - 60) * step) / 20;
      const cell = document.elementFromPoint(box.left + 80, y)?.closest("[role=gridcell]");
      if (!cell || cell.textContent === "…") { window.blank += 1; break; }
    }
    if (!window.stopped) requestAnimationFrame(look);
  };
  window.stopped = false;
  requestAnimationFrame(look);
}
"""


def screen_figures() -> tuple[list[Figure], list[str]]:
    """All figures of the screens, and the addresses beyond the server that anything asked for."""
    foreign: list[str] = []
    with opened_browser() as browser:
        figures = [*_first_load(browser, foreign), *_saved_page(browser, foreign), *_clicks(browser, foreign)]
        figures += _long_grid(browser, foreign)
    figures.append(Figure.of("requests that left the server's origin", len(foreign), 0, "lower"))
    return figures, [f"Foreign requests: {', '.join(sorted(set(foreign)))}"] if foreign else []


def _first_load(browser: Browser, foreign: list[str]) -> list[Figure]:
    seconds = []
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as studio:
        for _ in range(LOADS):
            with opened_tab(browser, studio, foreign) as tab:
                began = time.perf_counter()
                tab.goto(f"http://127.0.0.1:{studio.port}/")
                tab.get_by_role("button", name="A camera shop").wait_for()
                seconds.append(time.perf_counter() - began)
    sent = [path for path in BUNDLE.rglob("*") if path.suffix in (".js", ".css", ".html", ".svg")]
    size = sum(len(gzip.compress(path.read_bytes())) for path in sent)
    return [
        Figure.of(f"first load, to the examples, slowest of {LOADS}, s", max(seconds), FIRST_LOAD_SECONDS, "lower"),
        Figure.of("the whole bundle, compressed, bytes", size, BUNDLE_BYTES, "lower"),
    ]


def _saved_page(browser: Browser, foreign: list[str]) -> list[Figure]:
    """A page that an earlier server kept: from the navigation to the first candidate on its picture."""
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        with served(Path(folder)) as studio:
            page = studio.upload("shop.html", shop_page(SAVED_NODES))
        for _ in range(OPENINGS):
            with served(Path(folder)) as studio, opened_tab(browser, studio, foreign, NOTE_FIRST_BOX) as tab:
                time.sleep(2)  # as long as a person takes to come to the page; a server is ready by then
                tab.goto(f"http://127.0.0.1:{studio.port}/pages/{page}")
                tab.wait_for_function("() => window.firstBox !== null")
                seconds.append(tab.evaluate("() => window.firstBox / 1000"))
    name = f"saved page of {SAVED_NODES:,} nodes to the first candidates, slowest of {OPENINGS}, s"
    return [Figure.of(name, max(seconds), OPEN_SECONDS, "lower")]


def _clicks(browser: Browser, foreign: list[str]) -> list[Figure]:
    """A click on a value until its matches are lit; each on a lesson without fields, taken back after it."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as studio:
        page = studio.upload("shop.html", shop_page(TAUGHT_NODES))
        _, info = studio.ask("GET", f"/pages/{page}")
        _, lesson = studio.ask("POST", "/lessons", {"page": page})
        _, geometry = studio.ask("GET", f"/pages/{page}/geometry")
        with opened_tab(browser, studio, foreign, NOTE_CLICK) as tab:
            tab.goto(f"http://127.0.0.1:{studio.port}/teach/{lesson['name']}?page={page}")
            tab.get_by_test_id("page").wait_for()
            took = [_click(tab, point) for point in _texts_in_view(tab, geometry, info["width"])[:CLICKS]]
    half = statistics.median(took)
    return [
        Figure.of(
            f"click to matches lit, {TAUGHT_NODES:,} nodes, p95 of {len(took)}, ms", slow(took), CLICK_MS, "lower"
        ),
        Figure.of("the same, median, ms", half, None, "lower"),
    ]


def _texts_in_view(tab: Page, geometry: dict[str, Any], width: float) -> list[tuple[float, float]]:
    """Points on the screen, in the middle of texts of the page that are in view, spread over all of them."""
    view = tab.get_by_role("region", name="Page ").bounding_box()
    box = tab.get_by_test_id("page").bounding_box()
    if view is None or box is None:
        raise SystemExit("bench: the page is not shown.")
    scale = box["width"] / width
    points = []
    for place, text in enumerate(geometry["texts"]):
        x0, y0, x1, y1 = geometry["boxes"][4 * place : 4 * place + 4]
        x, y = box["x"] + (x0 + x1) / 2 * scale, box["y"] + (y0 + y1) / 2 * scale
        if text and text.strip() and view["y"] + 10 < y < view["y"] + view["height"] - 80:
            points.append((x, y))
    return points[:: max(len(points) // CLICKS, 1)]


def _click(tab: Page, point: tuple[float, float]) -> float:
    tab.mouse.move(*point)
    tab.wait_for_selector("rect[data-mark=under]", state="attached")
    tab.mouse.down()
    tab.mouse.up()
    tab.wait_for_function("() => window.lit !== null")
    took: float = tab.evaluate("() => window.lit")
    tab.keyboard.press("Escape")  # of the field for its name
    tab.keyboard.press("Control+z")
    tab.wait_for_selector("rect[data-look=part]", state="detached")
    return took


def _long_grid(browser: Browser, foreign: list[str]) -> list[Figure]:
    """Frames without a row where one should be, while the wheel turns as fast as it can."""
    loader = Loader(static=True, limits=Limits(nodes=2_000_000))
    page = loader.load(long_table(ROWS))
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as studio:
        kept = studio.upload("stars.page", dumps(page))
        studio.ask("GET", f"/pages/{kept}/results")
        with opened_tab(browser, studio, foreign) as tab:
            tab.goto(f"http://127.0.0.1:{studio.port}/pages/{kept}/{TABLE_KEY}")
            tab.get_by_role("gridcell", name="Star 0", exact=True).wait_for(timeout=120_000)
            box = tab.get_by_role("grid").bounding_box()
            if box is None:
                raise SystemExit("bench: the grid is not shown.")
            tab.mouse.move(box["x"] + 100, box["y"] + 100)
            tab.evaluate(WATCH_GRID)
            until = time.perf_counter() + SCROLL_SECONDS
            while time.perf_counter() < until:
                tab.mouse.wheel(0, 1200)
            frames, blank = tab.evaluate("() => { window.stopped = true; return [window.frames, window.blank] }")
    if not frames:
        raise SystemExit("bench: no frame was drawn while scrolling.")
    return [Figure.of(f"blank frames of {frames} while scrolling {ROWS:,} rows", blank, 0, "lower")]
