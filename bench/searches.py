"""What a search on a page costs: against the capture of the same page, and as the page grows."""

import asyncio
import os
import statistics
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import sightline as sl
from bench.frame import Figure
from bench.site import address, served
from sightline.page import Page, dumps, loads
from sightline.sources import Browser
from sightline.sources.browser._browser import _page as page_of
from sightline.sources.browser._snapshot import decode
from sightline.sources.browser._tab import Tab
from sightline.sources.browser._visit import Visit

ROUNDS = 3
ROWS, TIMES = 100, 10  # of the small page; the large one has so many times the rows
MOST_GROWTH = 13.0

Search = Callable[[Page], object]
T = TypeVar("T")


@dataclass(frozen=True)
class Timing:
    """The times of one page, in seconds: its load, its capture, and each search."""

    load: float
    capture: float
    searches: Mapping[str, float]

    def ratio(self, name: str) -> float:
        """A search against the capture."""
        return self.searches[name] / self.capture


def timings(files: Sequence[Path], searches: Mapping[str, Search]) -> list[Timing]:
    """Load, capture and searches of every page."""
    return asyncio.run(in_a_browser(files, lambda browser, url: _timing(browser, url, searches)))


async def in_a_browser(files: Sequence[Path], one: Callable[[Browser, str], Awaitable[T]]) -> list[T]:
    """What is done with the address of every file while a site serves them; the first starts the browser as well."""
    folder = Path(os.path.commonpath([path.parent for path in files]))
    with served(folder) as root:
        async with Browser() as browser:
            await one(browser, address(root, folder, files[0]))
            return [await one(browser, address(root, folder, path)) for path in files]


async def captured(browser: Browser, tab: Tab, visit: Visit, url: str) -> Page:
    """The page that a tab shows, once it has been loaded: what our capture takes time for."""
    snapshot = decode(await tab.capture(60), None, source=url)
    words = await browser._words(tab, snapshot, visit)
    return page_of(snapshot, words, visit, browser.settings, None)


async def _timing(browser: Browser, url: str, searches: Mapping[str, Search]) -> Timing:
    async with browser._networked.tab() as tab:
        began = perf_counter()
        visit = await tab.visit(url, url, browser.limits)
        load = perf_counter() - began
        taken = []
        for _ in range(ROUNDS):
            began = perf_counter()
            page = await captured(browser, tab, visit, url)
            taken.append(perf_counter() - began)
    found = {name: fresh_seconds(page, search) for name, search in searches.items()}
    return Timing(load, statistics.median(taken), found)


def fresh_seconds(page: Page, search: Search) -> float:
    """The median time of a search on a page just opened, so that nothing is known from the round before."""
    content = dumps(page)
    taken = []
    for _ in range(ROUNDS):
        fresh = loads(content)
        began = perf_counter()
        search(fresh)
        taken.append(perf_counter() - began)
    return statistics.median(taken)


def cost(title: str, measured: Sequence[Timing], name: str, bound: float) -> Figure:
    """What a search costs at the median page."""
    search = 1000 * statistics.median(timing.searches[name] for timing in measured)
    capture = 1000 * statistics.median(timing.capture for timing in measured)
    ratio = statistics.median(timing.ratio(name) for timing in measured)
    return Figure(f"{title} / capture, ms", search, capture, ratio, bound, "lower", "x")


def dear(measured: Sequence[Timing], name: str, bound: float) -> float:
    """The share of pages on which a search takes longer than the bound."""
    return sum(timing.ratio(name) > bound for timing in measured) / len(measured)


def growth(title: str, make: Callable[[int], str], search: Search) -> Figure:
    """How much longer a search takes on a page with ten times the rows."""
    small, large = (1000 * fresh_seconds(sl.open(make(rows).encode()), search) for rows in (ROWS, ROWS * TIMES))
    return Figure.ratio(f"{title}, ms", large, small, MOST_GROWTH, "lower")
