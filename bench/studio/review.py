"""The review of doubtful pairs in a real browser: from the key to the next pair on the screen, with 1,000 waiting."""

import csv
import random
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page

from bench.frame import Figure, tell
from bench.studio.served import served
from bench.studio.tabs import opened_browser, opened_tab, slow
from sightline.flow.match import read_review
from sightline.flow.run import FlowStore, run_flow
from sightline.flow.spec import Flow

RECORDS, LEAST_PAIRS, ANSWERS, NEXT_MS = 7_200, 1_000, 120, 100.0
BRANDS = ("Lumora", "Arden", "Corvus", "Heliox", "Vireo", "Quill", "Norrland", "Astra", "Boreal", "Kestrel")
KINDS = ("camera", "tripod", "binoculars", "telephone", "telescope", "monitor", "printer", "speaker", "router", "drill")
COLOURS = ("black", "silver", "white", "red")
FLOW = """\
flow: 1
steps:
  offers:
    read: offers.csv
  catalogue:
    read: catalogue.csv
  known:
    match: offers
    to: catalogue
    matched: 0.995
"""
# Notes how long after a key the next pair is drawn.
NOTE_NEXT = """
window.pressed = null;
window.drawn = null;
window.addEventListener("keydown", () => { window.pressed = performance.now(); window.drawn = null }, true);
let shown = null;
new MutationObserver(() => {
  const pair = document.querySelector("[data-pair]")?.dataset.pair ?? null;
  if (pair === shown) return;
  shown = pair;
  if (window.pressed !== null && window.drawn === null)
    requestAnimationFrame(() => { window.drawn ??= performance.now() - window.pressed });
}).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-pair"] });
"""


def make_review(folder: Path) -> int:
    """A project whose flow was run and left pairs to review; how many."""
    chance = random.Random(24)
    products = [
        (
            f"P-{number:04}",
            brand,
            kind,
            f"{brand[0]}{kind[0].upper()}-{chance.randint(100, 9999)}{chance.choice('ABTX')}",
        )
        for number, (brand, kind) in enumerate((brand, kind) for brand in BRANDS for kind in KINDS for _ in range(12))
    ]
    with (folder / "catalogue.csv").open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(("id", "name", "price"))
        for number, brand, kind, model in products:
            rows.writerow((number, f"{brand} {model} {kind} {chance.choice(COLOURS)}", chance.randint(20, 2000)))
    with (folder / "offers.csv").open("w", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(("name", "price"))
        for _ in range(RECORDS):
            _, brand, kind, model = chance.choice(products)
            said = model.replace("-", chance.choice(("", " ", "-"))) if chance.random() < 0.5 else ""
            rows.writerow((f"{kind} {brand} {said} {chance.randint(1, 64)} GB", chance.randint(20, 2000)))
    file = folder / "prices.flow.yaml"
    file.write_text(FLOW)
    run_flow(Flow.load(file), store=folder)
    store = FlowStore(folder, "prices")
    return len(read_review(store.run(store.run_ids()[-1]).review("known")))


def review_figures(answers: int = ANSWERS) -> list[Figure]:
    """From the key to the next pair, and how long the server takes for it."""
    with tempfile.TemporaryDirectory() as made, opened_browser() as browser:
        folder = Path(made)
        pairs = make_review(folder)
        if pairs < LEAST_PAIRS:
            raise SystemExit(f"bench: only {pairs} pairs are to be reviewed.")
        took = _by_keyboard(browser, folder, answers)
    return [
        Figure.of(
            f"review of {pairs:,} pairs: key to the next pair, slowest of {len(took)}, ms", max(took), NEXT_MS, "lower"
        ),
        Figure.of("the same, p95, ms", slow(took), NEXT_MS, "lower"),
        Figure.of("the same, median, ms", statistics.median(took), None, "lower"),
    ]


def _by_keyboard(browser: Browser, folder: Path, answers: int) -> list[float]:
    with served(folder) as studio, opened_tab(browser, studio, [], NOTE_NEXT) as tab:
        time.sleep(2)  # as long as a person takes to come to the page; a server is ready by then
        tab.goto(f"http://127.0.0.1:{studio.port}/match/prices/known")
        tab.locator("[data-pair]").wait_for()
        return [_answered(tab, "Enter" if number % 3 else "x") for number in range(answers)]


def _answered(tab: Page, key: str) -> float:
    tab.evaluate("() => { window.pressed = null; window.drawn = null }")
    tab.keyboard.press(key)
    tab.wait_for_function("() => window.drawn !== null")
    took: float = tab.evaluate("() => window.drawn")
    return took


if __name__ == "__main__":
    tell(review_figures())
