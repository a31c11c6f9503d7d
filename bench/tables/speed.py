"""What finding tables costs, against the capture of the same page, and how it grows with the table."""

import asyncio
import os
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import sightline as sl
from bench.capture import captured, fresh_seconds
from bench.frame import Figure
from bench.site import address, served
from bench.tables.pages import Way
from sightline.sources import Browser

__all__ = ["Timing", "cost", "growth", "timings"]

ROUNDS = 3
DEAR = 0.25  # of the capture: what finding tables may cost
COLUMNS = 10
TIMES = 10  # the large page has so many times the cells of the small one
MOST_GROWTH = 13.0


@dataclass(frozen=True)
class Timing:
    """The times of one page, in seconds."""

    capture: float
    search: float

    @property
    def ratio(self) -> float:
        """The search against the capture."""
        return self.search / self.capture


def timings(files: Sequence[Path], way: Way) -> list[Timing]:
    """Capture and search of every page."""
    return asyncio.run(_measured(files, way))


def cost(measured: Sequence[Timing]) -> Figure:
    """What finding tables costs at the median page."""
    ours, capture = (
        1000 * statistics.median(getattr(timing, what) for timing in measured) for what in ("search", "capture")
    )
    ratio = statistics.median(timing.ratio for timing in measured)
    return Figure("finding tables / capture, ms", ours, capture, ratio, DEAR, "lower", "x")


def growth(way: Way) -> tuple[Figure, ...]:
    """How much longer the search takes on a page with ten times the cells."""
    return tuple(_growth(name, make, way) for name, make in (("<table>", _markup), ("grid of <div>", _divs)))


def _growth(name: str, make: Callable[[int], str], way: Way) -> Figure:
    small, large = (1000 * fresh_seconds(sl.open(make(rows).encode()), way) for rows in (100, 100 * TIMES))
    title = f"{100 * COLUMNS * TIMES:,} cells / {100 * COLUMNS:,} cells, {name}, ms"
    return Figure(title, large, small, large / small, MOST_GROWTH, "lower", "x")


async def _measured(files: Sequence[Path], way: Way) -> list[Timing]:
    folder = Path(os.path.commonpath([path.parent for path in files]))
    with served(folder) as root:
        async with Browser() as browser:
            await _one(browser, address(root, folder, files[0]), way)  # the first page starts the browser
            return [await _one(browser, address(root, folder, path), way) for path in files]


async def _one(browser: Browser, url: str, way: Way) -> Timing:
    async with browser._networked.tab() as tab:
        visit = await tab.visit(url, url, browser.limits)
        taken = []
        for _ in range(ROUNDS):
            began = perf_counter()
            page = await captured(browser, tab, visit, url)
            taken.append(perf_counter() - began)
    return Timing(statistics.median(taken), fresh_seconds(page, way))


def _markup(rows: int) -> str:
    body = "".join(f"<tr>{''.join(f'<td>{text}' for text in row)}" for row in _texts(rows))
    return f"<!doctype html><title>Figures</title><h1>Figures</h1><table border=1>{body}</table>"


def _divs(rows: int) -> str:
    body = "".join(f"<div>{text}</div>" for row in _texts(rows) for text in row)
    style = f"main{{display:grid;grid-template-columns:repeat({COLUMNS},90px)}}"
    return f"<!doctype html><title>Figures</title><style>{style}</style><h1>Figures</h1><main>{body}</main>"


def _texts(rows: int) -> list[list[str]]:
    """A heading and rows of a name and numbers, as statistics offices publish them."""
    head = ["Place", *(str(2000 + year) for year in range(1, COLUMNS))]
    body = [
        [f"Place {row}", *(f"{(row * 7919 + year * 104_729) % 100_003:,}" for year in range(1, COLUMNS))]
        for row in range(1, rows)
    ]
    return [head, *body]
