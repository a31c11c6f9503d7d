"""A million addresses that wait: what they take on disk and in memory, and how long the next one takes."""

import json
import os
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from bench.frame import Figure
from bench.processes import resident, told_by
from sightline.crawler._addresses import address_key
from sightline.crawler._archive import Archive
from sightline.crawler._state import CrawlState, NewAddress, Standing
from sightline.crawler.rank import FoundLink, VisitedPage, ranking_for
from sightline.sources import Anchor, PageOutline

ADDRESSES = 1_000_000
A_PAGE = 200  # links that are found together
VISITS = 2_000
MOST_DISK_MB = 1_000
MOST_MEMORY_MB = 300
MOST_NEXT_MS = 1.0
_HOSTS = 20
_KINDS = 50


@dataclass(frozen=True)
class Frontier:
    """What a million addresses cost."""

    disk_mb: float
    memory_mb: float
    next_ms: float
    worst_ms: float
    fill_seconds: float
    open_seconds: float


def fill_frontier() -> Frontier:
    """Fill a frontier in a process of its own, whose memory is that of the frontier alone."""
    with tempfile.TemporaryDirectory() as folder:
        return Frontier(**told_by("bench.crawl.frontier", folder))


def frontier_figures(found: Frontier) -> tuple[Figure, ...]:
    """What a million addresses may cost."""
    return (
        Figure.of("1,000,000 addresses: MB on disk", found.disk_mb, MOST_DISK_MB, "lower", "MB"),
        Figure.of("1,000,000 addresses: MB of memory", found.memory_mb, MOST_MEMORY_MB, "lower", "MB"),
        Figure.of("1,000,000 addresses: next page, ms", found.next_ms, MOST_NEXT_MS, "lower", "ms"),
        Figure.of("1,000,000 addresses: 99 % of next pages, ms", found.worst_ms, None, "lower", "ms"),
        Figure.of("1,000,000 addresses: s to go on", found.open_seconds, None, "lower", "s"),
    )


def _measure(folder: Path) -> Frontier:
    state, archive = CrawlState(folder), Archive(folder)
    began = perf_counter()
    for first in range(0, ADDRESSES, A_PAGE):
        state.add(map(_address, range(first, first + A_PAGE)))
        if first % (100 * A_PAGE) == 0:
            state.commit(archive)
    state.commit(archive)
    filled = perf_counter() - began
    times = sorted(_visit_some(state, archive))
    memory = resident(os.getpid()) / 2**20
    disk = sum(file.stat().st_size for file in folder.iterdir()) / 1e6
    state.close()
    began = perf_counter()
    del state
    CrawlState(folder).close()
    opened = perf_counter() - began
    return Frontier(disk, memory, 1000 * times[len(times) // 2], 1000 * times[int(len(times) * 0.99)], filled, opened)


def _address(number: int) -> NewAddress:
    path = f"department/{number % 37}/category-{number % 991}/product-{number}.html?ref=5"
    url = f"https://shop{number % _HOSTS}.example/{path}"
    return NewAddress(address_key(url), url, f"kind {number % _KINDS}", (number * 7919 % 1009) / 1009, 3)


def _visit_some(state: CrawlState, archive: Archive) -> list[float]:
    """The seconds that choosing, finding and settling the next page take, with a ranking that has learned something."""
    chance = random.Random(1)
    ranking = ranking_for("learned", None)
    outline = PageOutline()
    for number in range(_KINDS):
        visit = VisitedPage(f"https://shop0.example/{number}", outline, f"kind {number}", 1, number % 3 == 0, 0.5)
        links = [
            FoundLink(f"https://shop0.example/{number}/{one}", Anchor("x", "text", "html/body/ul/li"))
            for one in range(20)
        ]
        ranking.learn(visit, links)
        ranking.place(visit, links)
    times = []
    for number in range(VISITS):
        host = f"shop{chance.randrange(_HOSTS)}.example"
        began = perf_counter()
        address = state.next(host, ranking.choose(state.waiting[host]))
        assert address is not None
        state.settle(address.id, Standing.VISITED)
        times.append(perf_counter() - began)
        if number % A_PAGE == 0:
            state.commit(archive)
    return times


if __name__ == "__main__":
    sys.stdout.write(json.dumps(_measure(Path(sys.argv[1])).__dict__))
