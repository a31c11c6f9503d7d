"""The flow editor: how soon a large flow is drawn, and how smoothly it moves."""

import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from playwright.sync_api import Browser, Page

from bench.frame import Figure, tell
from bench.studio.served import served
from bench.studio.tabs import opened_browser, opened_tab

STEPS = 60
OPENINGS = 5
OPEN_SECONDS, FRAMES_A_SECOND = 1.0, 50.0
MOVING_SECONDS = 4.0

Move: TypeAlias = Callable[[Page, tuple[float, float]], None]

# Notes when all steps are drawn, counted from the start of the navigation.
NOTE_DRAWN = f"""
window.drawn = null;
new MutationObserver(() => {{
  if (window.drawn === null && document.querySelectorAll(".react-flow__node").length >= {STEPS})
    requestAnimationFrame(() => {{ window.drawn ??= performance.now() }});
}}).observe(document, {{ childList: true, subtree: true }});
"""
# Notes the time of every frame that the browser draws.
NOTE_FRAMES = """
() => {
  window.frames = [];
  window.stopped = false;
  const look = (now) => { window.frames.push(now); if (!window.stopped) requestAnimationFrame(look) };
  requestAnimationFrame(look);
}
"""


def flow_figures() -> list[Figure]:
    """All figures of the flow editor."""
    with opened_browser() as browser:
        return [*_opening(browser), *_moving(browser)]


def flow_text(steps: int = STEPS) -> str:
    """A flow of many steps: files, each normalised and checked, put together in several rounds, and delivered."""
    lines = ["flow: 1", "steps:"]
    names: list[str] = []
    number = 0
    while number < steps - 2:
        source = f"source_{number}"
        lines += [f"  {source}:", "    read: rows.csv"]
        number += 1
        if number < steps - 2:
            lines += [f"  clean_{number}:", f"    normalise: {source}", "    columns:", "      - text: name"]
            source = f"clean_{number}"
            number += 1
        if number < steps - 2:
            lines += [f"  good_{number}:", f"    check: {source}", "    need: [name]"]
            source = f"good_{number}"
            number += 1
        names.append(source)
    lines += ["  together:", f"    union: [{', '.join(names)}]", "  kept:", "    deliver: together"]
    return "\n".join([*lines, "    to: rows.duckdb#rows", ""])


def _opening(browser: Browser) -> list[Figure]:
    seconds, foreign = [], list[str]()
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder))
        for _ in range(OPENINGS):
            with served(Path(folder)) as studio, opened_tab(browser, studio, foreign, NOTE_DRAWN) as tab:
                tab.goto(f"http://127.0.0.1:{studio.port}/home")  # a person is in the Studio before
                tab.get_by_role("heading", name="Flows").wait_for()
                tab.goto(f"http://127.0.0.1:{studio.port}/flows/large")
                tab.wait_for_function("() => window.drawn !== null")
                seconds.append(tab.evaluate("() => window.drawn / 1000"))
    name = f"flow of {STEPS} steps to all of them drawn, slowest of {OPENINGS}, s"
    return [Figure.of(name, max(seconds), OPEN_SECONDS, "lower")]


def _moving(browser: Browser) -> list[Figure]:
    foreign: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        _write(Path(folder))
        with served(Path(folder)) as studio, opened_tab(browser, studio, foreign, NOTE_DRAWN) as tab:
            tab.goto(f"http://127.0.0.1:{studio.port}/flows/large")
            tab.wait_for_function("() => window.drawn !== null")
            tab.get_by_text("3 cols").first.wait_for(state="attached")  # the plan is there, and nothing else goes on
            tab.wait_for_load_state("networkidle")
            panned, zoomed = _rate(tab, _pan), _rate(tab, _zoom)
    return [
        Figure.of(f"panning {STEPS} steps, frames a second", panned, FRAMES_A_SECOND, "higher"),
        Figure.of(f"zooming {STEPS} steps, frames a second", zoomed, FRAMES_A_SECOND, "higher"),
    ]


def _write(folder: Path) -> None:
    (folder / "large.flow.yaml").write_text(flow_text())
    rows = "".join(f"{number},camera {number},{number}.50\n" for number in range(50))
    (folder / "rows.csv").write_text("id,name,price\n" + rows)


def _rate(tab: Page, move: Move) -> float:
    """Frames a second while something moves."""
    box = tab.get_by_role("region", name="The flow").bounding_box()
    if box is None:
        raise SystemExit("bench: the flow is not shown.")
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tab.mouse.move(*middle)
    tab.evaluate(NOTE_FRAMES)
    move(tab, middle)
    times = tab.evaluate("() => { window.stopped = true; return window.frames }")
    return (len(times) - 1) / (times[-1] - times[0]) * 1000


def _pan(tab: Page, middle: tuple[float, float]) -> None:
    x, y = middle
    tab.mouse.move(x, y + 200)  # beside the steps, or one of them would be dragged
    tab.mouse.down()
    until, began = time.perf_counter() + MOVING_SECONDS, time.perf_counter()
    while time.perf_counter() < until:
        angle = (time.perf_counter() - began) * 4
        tab.mouse.move(x + 250 * math.sin(angle), y + 200 + 100 * math.sin(2 * angle))
    tab.mouse.up()


def _zoom(tab: Page, middle: tuple[float, float]) -> None:
    tab.mouse.move(*middle)
    until, turns = time.perf_counter() + MOVING_SECONDS, 0
    while time.perf_counter() < until:
        tab.mouse.wheel(0, -60 if turns % 40 < 20 else 60)
        turns += 1


if __name__ == "__main__":
    tell(flow_figures())
