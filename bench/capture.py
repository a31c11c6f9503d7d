"""Capture: what it costs to bring a rendered page home, against the bare call, the load, and a script that asks.

Peers, in the same tab and run: the bare `DOMSnapshot.captureSnapshot` call with the same styles (bytes received, not
decoded); the load of the page alone; and a script that calls `getComputedStyle` and `getBoundingClientRect` on every
element for the same properties.
"""

import asyncio
import json
import os
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import orjson

from bench.frame import Corpus, Figure, Options, Outcome, corpus
from bench.site import address, served
from sightline.page import Page, dumps, loads
from sightline.sources import STYLES, Browser
from sightline.sources.browser._browser import _page as page_of
from sightline.sources.browser._snapshot import decode
from sightline.sources.browser._tab import Tab
from sightline.sources.browser._visit import Visit

ROUNDS = 3
LARGE = 2_000  # nodes from which the script is compared

# What people write by hand: a list of plain objects, returned by value. (As one JSON text it takes half as long.)
SCRIPT = """(() => { const names = NAMES, out = [];
for (const e of document.querySelectorAll('*')) { const s = getComputedStyle(e), b = e.getBoundingClientRect();
  const style = {}; for (const n of names) style[n] = s.getPropertyValue(n);
  out.push({ tag: e.tagName, box: [b.x, b.y, b.width, b.height], style }) }
return out })()""".replace("NAMES", json.dumps(STYLES))
# The same as one JSON text, decoded by us: the fastest way for a script.
LEAN_SCRIPT = SCRIPT.replace("return out })()", "return JSON.stringify(out) })()")


@dataclass(frozen=True)
class Timing:
    """The times of one page, in seconds."""

    nodes: int
    load: float
    bare: float
    ours: float
    script: float
    lean_script: float


def run(options: Options) -> Outcome:
    """Measure lean documents and pages with styles and scripts of their own."""
    lean = corpus("tables", options, most=40)
    rich = corpus("content", options, most=60)
    timings = {one.name: asyncio.run(_measure(one)) for one in (lean, rich)}
    everything = [timing for several in timings.values() for timing in several]
    large = [timing for timing in everything if timing.nodes > LARGE]
    return Outcome(
        task="capture",
        peer="peer",
        corpora=(lean, rich),
        figures=(
            _figure("capture / bare call, all pages", everything, "ours", "bare", 1.5),
            _figure("capture / bare call, pages > 2,000 nodes", large, "ours", "bare", 1.5),
            _load_figure(timings[rich.name]),
            _figure(f"script / capture, pages > {LARGE:,} nodes", large, "ours", "script", 4.0, inverse=True),
            _figure("the same, script as one JSON text", large, "ours", "lean_script", 2.0, inverse=True),
        ),
        remarks=(
            f"{len(everything)} pages, {len(large)} with more than {LARGE:,} nodes; median of {ROUNDS} rounds each.",
        ),
        details={
            f"median nodes, {name}": statistics.median(t.nodes for t in several) for name, several in timings.items()
        },
    )


def _figure(name: str, timings: list[Timing], ours: str, peer: str, bound: float, *, inverse: bool = False) -> Figure:
    mine, theirs = ([1000 * getattr(timing, what) for timing in timings] for what in (ours, peer))
    ratios = [b / a if inverse else a / b for a, b in zip(mine, theirs, strict=True)]
    better = "higher" if inverse else "lower"
    return Figure(
        name, statistics.median(mine), statistics.median(theirs), statistics.median(ratios), bound, better, "x"
    )


def _load_figure(timings: list[Timing]) -> Figure:
    both = [1000 * (timing.load + timing.ours) for timing in timings]
    load = [1000 * timing.load for timing in timings]
    ratio = statistics.median(a / b for a, b in zip(both, load, strict=True))
    return Figure(
        "(load + capture) / load", statistics.median(both), statistics.median(load), ratio, 1.35, "lower", "x"
    )


async def _measure(pages: Corpus) -> list[Timing]:
    folder = Path(os.path.commonpath(pages.files))
    folder = folder if folder.is_dir() else folder.parent
    with served(folder) as root:
        async with Browser() as browser:
            await _one(browser, address(root, folder, pages.files[0]))  # the first page starts the browser
            return [await _one(browser, address(root, folder, path)) for path in pages.files]


async def _one(browser: Browser, url: str) -> Timing:
    async with browser._networked.tab() as tab:
        began = perf_counter()
        visit = await tab.visit(url, url, browser.limits)
        load = perf_counter() - began
        bare, ours, script, lean, nodes = [], [], [], [], 0
        for _ in range(ROUNDS):
            began = perf_counter()
            await tab.capture(60)
            bare.append(perf_counter() - began)
            began = perf_counter()
            page = await captured(browser, tab, visit, url)
            ours.append(perf_counter() - began)
            nodes = len(page)
            if nodes > LARGE:
                script.append(await _script(tab, SCRIPT))
                lean.append(await _script(tab, LEAN_SCRIPT))
        return Timing(nodes, load, *(statistics.median(times or [0.0]) for times in (bare, ours, script, lean)))


def fresh_seconds(page: Page, search: Callable[[Page], object], rounds: int = 3) -> float:
    """The median time of a search on a page just opened, so that nothing is known from the round before."""
    content = dumps(page)
    taken = []
    for _ in range(rounds):
        fresh = loads(content)
        began = perf_counter()
        search(fresh)
        taken.append(perf_counter() - began)
    return statistics.median(taken)


async def captured(browser: Browser, tab: Tab, visit: Visit, url: str) -> Page:
    """The page that a tab shows, once it has been loaded: what our capture takes time for."""
    snapshot = decode(await tab.capture(60), None, source=url)
    words = await browser._words(tab, snapshot, visit)
    return page_of(snapshot, words, visit, browser.settings, None)


async def _script(tab: Tab, script: str) -> float:
    began = perf_counter()
    found = await tab._evaluate(script, seconds=60)
    if isinstance(found, str):
        orjson.loads(found)
    return perf_counter() - began
