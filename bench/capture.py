"""Capture: what it costs to bring a rendered page home, against the bare call, the load, and a script that asks.

Peers, in the same tab and run: the bare `DOMSnapshot.captureSnapshot` call with the same styles (bytes received, not
decoded); the load of the page alone; and a script that calls `getComputedStyle` and `getBoundingClientRect` on every
element for the same properties.
"""

import asyncio
import json
import statistics
from dataclasses import dataclass
from time import perf_counter

import orjson

from bench.frame import Figure, Options, Outcome, corpus
from bench.searches import captured, in_a_browser
from sightline.sources import STYLES, Browser
from sightline.sources.browser._tab import Tab

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
    timings = {one.name: asyncio.run(in_a_browser(one.files, _one)) for one in (lean, rich)}
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


async def _script(tab: Tab, script: str) -> float:
    began = perf_counter()
    found = await tab._evaluate(script, seconds=60)
    if isinstance(found, str):
        orjson.loads(found)
    return perf_counter() - began
