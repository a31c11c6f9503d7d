"""Soak: a thousand captures in a row; memory must stay flat and nothing may be left running."""

import os
import statistics
import subprocess
from pathlib import Path

from bench.frame import Figure, Options, Outcome, corpus
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
            own.append(_resident(os.getpid()))
            browser.append(_browser(loader).memory())
        group = _browser(loader).pid
    left = _group_members(group)
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


def _resident(pid: int) -> int:
    """The resident bytes of a process."""
    statm = Path(f"/proc/{pid}/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 1024 * int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], check=True, capture_output=True).stdout)


def _group_members(group: int) -> int:
    """How many processes of a group are alive."""
    listing = subprocess.run(["ps", "-e", "-o", "pgid=,stat="], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in listing.splitlines()]
    return sum(int(pgid) == group and not state.startswith("Z") for pgid, state in rows)
