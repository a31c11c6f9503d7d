"""Soak: a thousand captures in a row; memory must stay flat and nothing may be left running."""

import os
import statistics

from bench.frame import Figure, Options, Outcome, corpus
from bench.processes import members, resident
from sightline.sources import BrowserSettings, Loader
from sightline.sources.browser._process import BrowserProcess

CAPTURES = 1_000
BLOCK = 100


def run(options: Options) -> Outcome:
    """Load the pages of one set over and over, looking at the memory after each page."""
    pages = corpus("lists", options, most=25)
    captures = CAPTURES if options.limit is None else max(3 * BLOCK, options.limit)
    own, browser = [], []
    with Loader(browser=BrowserSettings(tabs=2)) as loader:
        names = [str(pages.files[number % len(pages.files)]) for number in range(captures)]
        for loaded in loader.load_all(names):
            if loaded.page is None:
                raise SystemExit(f"bench: {loaded.error}")
            own.append(resident(os.getpid()))
            browser.append(_browser(loader).memory())
        group = _browser(loader).pid
    left = members(group)
    blocks = [
        [statistics.mean(series[at : at + BLOCK]) / 1e6 for at in range(0, captures, BLOCK)]
        for series in (own, browser)
    ]
    growth = [series[-1] / series[1] - 1 for series in blocks]
    return Outcome(
        task="soak",
        peer="second 100, MB",
        corpora=(pages,),
        figures=(
            Figure(
                "growth of our memory, last 100 over second 100",
                blocks[0][-1],
                blocks[0][1],
                growth[0],
                0.1,
                "lower",
                "growth",
            ),
            Figure("growth of the browser's memory", blocks[1][-1], blocks[1][1], growth[1], 0.1, "lower", "growth"),
            Figure.of("browser processes left", left, 0, "lower"),
        ),
        remarks=(
            "MB by hundreds, ours: " + " ".join(f"{mb:.0f}" for mb in blocks[0]),
            "MB by hundreds, browser: " + " ".join(f"{mb:.0f}" for mb in blocks[1]),
        ),
    )


def _browser(loader: Loader) -> BrowserProcess:
    processes = loader._browser.processes if loader._browser else []
    if not processes:
        raise SystemExit("bench: the browser is not running.")
    return processes[0]
