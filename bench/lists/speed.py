"""What finding lists costs, against the capture of the same page, how it grows, and where the time goes."""

import asyncio
import os
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import sightline as sl
from bench.capture import captured, fresh_seconds
from bench.frame import Figure, median_seconds
from bench.site import address, served
from sightline.page import Page
from sightline.sources import Browser, parse

ROUNDS = 3
DEAR, DEAR_TOP = 0.25, 0.15  # of the capture: what finding lists, and finding the top k, may cost
ROWS = 100
TIMES = 10  # the large page has so many times the rows of the small one
MOST_GROWTH = 13.0

Search = Callable[[Page], object]


@dataclass(frozen=True)
class Timing:
    """The times of one page, in seconds: its load, its capture, and each search."""

    load: float
    capture: float
    searches: Mapping[str, float]

    def ratio(self, name: str) -> float:
        """A search against the capture."""
        return self.searches[name] / self.capture


@dataclass(frozen=True)
class Split:
    """Where the time of a page goes, in seconds; `parsing` is None where it is part of the input."""

    input: float
    parsing: float | None
    algorithm: float
    optimisation: float

    @property
    def total(self) -> float:
        """All of it."""
        return self.input + (self.parsing or 0.0) + self.algorithm + self.optimisation


def timings(files: Sequence[Path], searches: Mapping[str, Search]) -> list[Timing]:
    """Load, capture and searches of every page."""
    return asyncio.run(_measured(files, searches))


def cost(title: str, measured: Sequence[Timing], name: str, bound: float = DEAR) -> Figure:
    """What a search costs at the median page."""
    search = 1000 * statistics.median(timing.searches[name] for timing in measured)
    capture = 1000 * statistics.median(timing.capture for timing in measured)
    ratio = statistics.median(timing.ratio(name) for timing in measured)
    return Figure(f"{title} / capture, ms", search, capture, ratio, bound, "lower", "x")


def parts_rendered(measured: Sequence[Timing], basic: str, full: str) -> list[Split]:
    """The split of pages that a browser loads; decoding what it captured is part of the input."""
    return [
        Split(one.load + one.capture, None, one.searches[basic], one.searches[full] - one.searches[basic])
        for one in measured
    ]


def parts_static(files: Sequence[Path], basic: Search, full: Search) -> list[Split]:
    """The split of the same pages read without a browser."""
    return [_static(path, basic, full) for path in files]


def _static(path: Path, basic: Search, full: Search) -> Split:
    text = path.read_text("utf-8", "replace")
    input = median_seconds(lambda: path.read_text("utf-8", "replace"), ROUNDS)
    parsing = median_seconds(lambda: parse(text), ROUNDS)
    page = parse(text)
    algorithm = fresh_seconds(page, basic)
    return Split(input, parsing, algorithm, fresh_seconds(page, full) - algorithm)


def growth(lists: Search, top: Search) -> tuple[Figure, ...]:
    """How much longer a search takes on a page with ten times the rows."""
    return (
        _growth("list in <ul>", _markup, lists),
        _growth("cards of <div>", _cards, lists),
        _growth("top 10 with comments", _article, top),
    )


def _growth(name: str, make: Callable[[int], str], search: Search) -> Figure:
    small, large = (1000 * fresh_seconds(sl.open(make(rows).encode()), search) for rows in (ROWS, ROWS * TIMES))
    title = f"{ROWS * TIMES:,} rows / {ROWS:,} rows, {name}, ms"
    return Figure.ratio(title, large, small, MOST_GROWTH, "lower")


async def _measured(files: Sequence[Path], searches: Mapping[str, Search]) -> list[Timing]:
    folder = Path(os.path.commonpath([path.parent for path in files]))
    with served(folder) as root:
        async with Browser() as browser:
            await _one(browser, address(root, folder, files[0]), searches)  # the first page starts the browser
            return [await _one(browser, address(root, folder, path), searches) for path in files]


async def _one(browser: Browser, url: str, searches: Mapping[str, Search]) -> Timing:
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


def _markup(rows: int) -> str:
    body = "".join(f"<li><a href=/{row}>{name}</a> <b>{price}</b> {text}" for row, name, price, text in _offers(rows))
    return f"<!doctype html><title>Offers</title><h1>Offers</h1><ul>{body}</ul>"


def _cards(rows: int) -> str:
    style = "main{display:grid;grid-template-columns:repeat(4,200px);gap:20px}"
    body = "".join(
        f"<div><div><a href=/{row}>{name}</a></div><div>{price}</div><div>{text}</div></div>"
        for row, name, price, text in _offers(rows)
    )
    return f"<!doctype html><title>Offers</title><style>{style}</style><h1>Offers</h1><main>{body}</main>"


def _article(rows: int) -> str:
    """Ten items, and as many comments below as asked for: k does not grow with a page."""
    items = "".join(f"<h2>{row}. {name}</h2><p>{text}" for row, name, _, text in _offers(10))
    comments = "".join(f"<div><b>Reader {row}</b><p>{text}</p></div>" for row, _, _, text in _offers(rows))
    return f"<!doctype html><title>Top 10 Anvils</title><h1>Top 10 Anvils</h1>{items}<h3>Comments</h3>{comments}"


def _offers(rows: int) -> list[tuple[int, str, str, str]]:
    """Names, prices and some words, as shops write them; no two the same."""
    return [
        (
            row,
            f"Anvil {row * 7919 % 100_003}",
            f"{row * 104_729 % 997}.90 €",
            f"Weighs {row % 90 + 9} kg, as used by smith {row}.",
        )
        for row in range(1, rows + 1)
    ]
