"""The page of a run with a million rows behind it: what it asks the server for, and when it is painted."""

import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
from playwright.sync_api import Browser
from pyarrow import parquet

from bench.frame import Figure, tell
from bench.studio.served import ServedStudio, served
from bench.studio.tabs import opened_browser, opened_tab
from sightline.flow.run import run_flow
from sightline.flow.spec import Flow

ROWS, OPENINGS, WINDOWS = 1_000_000, 5, 20
PAINT_SECONDS, WINDOW_MS = 1.0, 200.0
FLOW = """\
flow: 1
steps:
  offers:
    read: offers.parquet
  good:
    check: offers
    need: [price]
  kept:
    deliver: good
    to: offers.duckdb#offers
    key: id
"""
# Notes when the first row of the grid is there, counted from the start of the navigation.
NOTE_ROWS = """
window.painted = null;
new MutationObserver(() => {
  if (window.painted === null && document.querySelector("[role=gridcell]"))
    requestAnimationFrame(() => { window.painted ??= performance.now() });
}).observe(document, { childList: true, subtree: true });
"""


def make_run(folder: Path, rows: int = ROWS) -> str:
    """A project with one run of so many rows; the id of the run."""
    chance = np.random.default_rng(24)
    shops = np.array(["north", "south", "alpen", "east"])
    prices = np.round(chance.lognormal(4, 1, rows), 2)
    table = pa.table(
        {
            "id": pa.array([f"offer-{number:07}" for number in range(rows)]),
            "name": pa.array([f"Product {number % 50_000} of the catalogue" for number in range(rows)]),
            "shop": shops[chance.integers(0, len(shops), rows)],
            "price": pa.array(prices, mask=chance.random(rows) < 0.01),
            "stock": chance.integers(0, 100, rows),
        }
    )
    parquet.write_table(table, folder / "offers.parquet")
    file = folder / "offers.flow.yaml"
    file.write_text(FLOW)
    return run_flow(Flow.load(file), store=folder).id


def run_page_figures(rows: int = ROWS) -> list[Figure]:
    """Answers of the server, and the first paint in a real browser; each by a server that has not seen the run."""
    with tempfile.TemporaryDirectory() as made, opened_browser() as browser:
        folder = Path(made)
        run = make_run(folder, rows)
        with served(folder) as studio:
            answers = _answers(studio, run, rows)
        painted = [_painted(browser, folder, run) for _ in range(OPENINGS)]
    name = f"a run with {rows:,} rows"
    return [
        *answers,
        Figure.of(
            f"{name}: its page, to the first rows, slowest of {OPENINGS}, s", max(painted), PAINT_SECONDS, "lower"
        ),
    ]


def _answers(studio: ServedStudio, run: str, rows: int) -> list[Figure]:
    base = f"/flows/offers/runs/{run}"
    time.sleep(2)  # as long as a person takes to come to the page; a server is ready by then
    first = studio.seconds(base) + studio.seconds(f"{base}/steps/kept/rows?limit=100")
    places = [rows * number // WINDOWS for number in range(WINDOWS)]
    windows = [1000 * studio.seconds(f"{base}/steps/kept/rows?offset={place}&limit=500") for place in places]
    profile, again = (studio.seconds(f"{base}/steps/kept/profile") for _ in range(2))
    half = statistics.median(windows)
    return [
        Figure.of(f"a run with {rows:,} rows: the run and its first rows, s", first, PAINT_SECONDS, "lower"),
        Figure.of(f"the same: a window of 500 anywhere, median of {WINDOWS}, ms", half, WINDOW_MS, "lower"),
        Figure.of("the same: profile of all columns, the first time, s", profile, None, "lower"),
        Figure.of("the same: profile, from then on, s", again, None, "lower"),
    ]


def _painted(browser: Browser, folder: Path, run: str) -> float:
    with served(folder) as studio, opened_tab(browser, studio, [], NOTE_ROWS) as tab:
        time.sleep(2)
        tab.goto(f"http://127.0.0.1:{studio.port}/history/offers/{run}?step=kept")
        tab.wait_for_function("() => window.painted !== null")
        seconds: float = tab.evaluate("() => window.painted / 1000")
        return seconds


if __name__ == "__main__":
    tell(run_page_figures())
