"""Whole crawls over HTTP of generated shops with traps without end: whether they end, and whether anything is lost."""

import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.crawl.shop import Shop
from bench.frame import Figure
from bench.site import made
from sightline import crawl
from sightline.crawler import CrawlSettings, CrawlStatus
from sightline.crawler._state import Standing, connect

SEEDS = (0, 1, 2, 3)
EXAMPLES = 3
FOCUSED_PAGES = 2_000  # a fifth of the shop
MOST_PAGES = 40_000  # four times the shop; a crawl that visits as many was caught
LEAST_FOUND = 0.8


@dataclass(frozen=True)
class Trapped:
    """What the crawls of one shop came to."""

    found: float
    """The share of the products that a focused crawl has after a fifth of the shop."""
    ended: bool
    """Whether a crawl of everything came to its end by itself."""
    complete: float
    """The share of the real pages that it visited."""
    wasted: float
    """Pages that it visited in traps, to real pages."""
    cut_wrongly: int
    """Real pages that it cut off."""
    told: tuple[str, ...]


def crawl_shops() -> list[Trapped]:
    """Crawl every shop, once for its products and once for everything."""
    return [_crawl_shop(seed) for seed in SEEDS]


def trap_figures(found: list[Trapped]) -> tuple[Figure, ...]:
    """The worst of the shops."""
    products = min(one.found for one in found)
    complete = min(one.complete for one in found)
    ended = sum(one.ended for one in found) / len(found)
    wasted = max(one.wasted for one in found)
    wrongly = sum(one.cut_wrongly for one in found)
    return (
        Figure.of("shops over HTTP: products at 20 %, worst", products, LEAST_FOUND, "higher", "share"),
        Figure.of("shops with traps: crawls of everything that end", ended, 1.0, "higher", "share"),
        Figure.of("shops with traps: real pages visited, worst", complete, 0.999, "higher", "share"),
        Figure.of("shops with traps: pages wasted in traps, worst", wasted, None, "lower", "share"),
        Figure.of("shops with traps: real pages cut off", wrongly, 0, "lower", "pages"),
    )


def _crawl_shop(seed: int) -> Trapped:
    shop = Shop(seed)
    real = set(shop.paths)
    with made(partial(_answer, shop)) as root, tempfile.TemporaryDirectory() as place:
        address = root.rstrip("/")
        like = [f"{address}{path}" for path in sorted(shop.targets)[:: len(shop.targets) // EXAMPLES][:EXAMPLES]]
        how = {"render": "never", "sitemaps": False}
        focused = crawl(f"{address}/", f"{place}/f", like=like, settings=CrawlSettings(pages=FOCUSED_PAGES, **how))
        hits = len(_paths(Path(place, "f"), address, "is_target") & shop.targets)
        status: CrawlStatus = crawl(f"{address}/", f"{place}/a", settings=CrawlSettings(pages=MOST_PAGES, **how))
        visited = _paths(Path(place, "a"), address)
        cut = _cut_off(Path(place, "a"), address) & real
    assert focused.visits <= FOCUSED_PAGES
    return Trapped(
        found=hits / len(shop.targets),
        ended=status.stopped == "nothing is left to visit",
        complete=len(visited & real) / len(real),
        wasted=len(visited - real) / len(real),
        cut_wrongly=len(cut - visited),
        told=tuple(f"shop {seed}: {event.text}" for event in status.events),
    )


def _answer(shop: Shop, path: str, _: str) -> tuple[int, str]:
    status, _headers, body = shop.page(path)
    return status, body.decode()


def _paths(folder: Path, address: str, only: str = "1") -> set[str]:
    rows = connect(folder, read_only=True).execute(
        f"SELECT url FROM address JOIN visit ON visit.address = address.id WHERE {only}"
    )
    return {url.removeprefix(address) for (url,) in rows}


def _cut_off(folder: Path, address: str) -> set[str]:
    rows = connect(folder, read_only=True).execute(
        "SELECT url FROM address WHERE standing = ?", (int(Standing.CUT_OFF),)
    )
    return {url.removeprefix(address) for (url,) in rows}
