"""The live view on this machine: from a press of the mouse to the changed picture, and pictures while scrolling.

The real front end runs in a browser of its own. A page whose colour changes with every press is shown in the live view;
the time is taken in the front end, from its own event of the mouse until its canvas has the other colour.
"""

import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page

from bench.frame import Figure, tell
from bench.site import made
from bench.studio.served import served
from bench.studio.tabs import opened_browser, slow

PRESSES = 60
MOST_MS = 150.0
LEAST_RATE = 15.0
SCROLL_SECONDS = 5.0
# Between two presses: people who look at what a click did take longer. After each, the recorder captures the page, and
# a large page is busy with that for a while: a press that falls into it waits.
PAUSE_MS = 600
POINTED_MS = 100  # from coming to a place to pressing there
ROWS = 600

PAGE = (
    "<!doctype html><meta charset=utf-8><title>Colours</title><style>body { margin: 0; background: rgb(10, 60, 200); "
    "font: 16px sans-serif } body.other { background: rgb(200, 60, 10) } p { background: white; margin: 4px 200px; "
    "padding: 8px }</style><body><script>addEventListener('pointerdown', () => document.body.classList.toggle('other'))"
    "</script>" + "".join(f"<p>Row {row} of a long page with a few words in it" for row in range(ROWS))
)
# Notes how long after a press the canvas has another colour where it was pressed, and when pictures are drawn.
WATCH = """
() => {
  const canvas = document.querySelector("canvas[data-testid=live]");
  const brush = canvas.getContext("2d", { alpha: false });
  const red = () => brush.getImageData(40, 400, 1, 1).data[0] > 100;
  window.drawn = [];
  window.pressed = null;
  window.took = null;
  canvas.addEventListener("mousedown", () => {
    window.before = red();
    window.pressed = performance.now();
    window.took = null;
  }, true);
  new MutationObserver(() => {
    window.drawn.push(performance.now());
    if (window.pressed !== null && window.took === null && red() !== window.before) {
      const pressed = window.pressed;
      requestAnimationFrame(() => { window.took ??= performance.now() - pressed });
    }
  }).observe(canvas, { attributes: true, attributeFilter: ["data-picture"] });
}
"""


def live_figures() -> list[Figure]:
    """Both figures, from one live view at 1280 x 800."""
    with (
        tempfile.TemporaryDirectory() as folder,
        made(lambda path, _: (200, PAGE) if path == "/" else (404, "")) as address,
        served(Path(folder), "--allow-private") as studio,
        opened_browser() as opened,
    ):
        # Wide enough for the whole window in its own size.
        page = opened.new_page(viewport={"width": 2100, "height": 1000})
        page.goto(f"http://127.0.0.1:{studio.port}/?token={studio.token}")
        page.goto(f"http://127.0.0.1:{studio.port}/record")
        page.get_by_label("Address to begin with").fill(address)
        page.get_by_role("button", name="Record", exact=True).click()
        page.wait_for_selector("canvas[data-picture]")
        page.get_by_text("Recording", exact=True).wait_for()
        page.wait_for_timeout(1_500)  # the first capture of the page is over
        box = page.get_by_test_id("live").bounding_box()
        if box is None or round(box["width"]) != 1280:
            raise SystemExit(f"bench: the live view is not shown in its own size: {box}")
        page.evaluate(WATCH)
        took = [_press(page, box["x"] + 40, box["y"] + 400) for _ in range(PRESSES)]
        rate = _scrolled(page, box["x"] + 640, box["y"] + 400)
    half = statistics.median(took)
    return [
        Figure.of(f"live view: press to changed picture, p95 of {len(took)}, ms", slow(took), MOST_MS, "lower"),
        Figure.of("the same, median, ms", half, None, "lower"),
        Figure.of("live view: pictures a second while scrolling", rate, LEAST_RATE, "higher"),
    ]


def _press(page: Page, x: float, y: float) -> float:
    page.mouse.move(x - 3, y)
    page.mouse.move(x, y)
    page.wait_for_timeout(POINTED_MS)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_function("() => window.took !== null")
    took: float = page.evaluate("() => window.took")
    page.wait_for_timeout(PAUSE_MS)
    return took


def _scrolled(page: Page, x: float, y: float) -> float:
    """Pictures a second while the wheel turns."""
    page.mouse.move(x, y)
    page.evaluate("() => { window.drawn = [] }")
    until = time.perf_counter() + SCROLL_SECONDS
    while time.perf_counter() < until:
        page.mouse.wheel(0, 60)
        page.wait_for_timeout(16)
    drawn: list[float] = page.evaluate("() => window.drawn")
    if len(drawn) < 2:
        raise SystemExit("bench: nothing was drawn while scrolling.")
    return (len(drawn) - 1) / (drawn[-1] - drawn[0]) * 1000


if __name__ == "__main__":
    tell(live_figures())
