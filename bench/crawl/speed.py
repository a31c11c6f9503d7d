"""What a page of a crawl costs: ours, Scrapy's, and that of a bare loop around an asynchronous client.

All visit the same site on the loopback interface, from its front page, each in a process of its own, and give the same
items: the address and title of every page. The bare loop does what no crawl can do without: ask, parse, take the links,
ask on. It keeps nothing, obeys nothing and survives nothing. A second loop only asks for addresses that it was given.

What it takes to start is part of every figure, and a figure of its own: it is taken on a site of one page. All run from
compiled bytecode, as installed packages do, whatever this environment says.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from bench.crawl.served import served
from bench.frame import Figure
from sightline.crawler.likeness import SkeletonLikeness
from sightline.sources import PageOutline

LEAST_OF_SCRAPY = 1.0
MOST_OVERHEAD = 1.5
TIMES = 3  # the least of so many runs each: what else the machine does can only add to them
ONE_PAGE = "<!doctype html><title>One</title><p>Nothing leads on."

OURS = """
from sightline.crawler import Crawler, CrawlSettings
how = CrawlSettings(render="never", sitemaps=False, pages=1_000_000, rank="breadth")
status = Crawler(folder, first=[address], settings=how).run()
pages = status.visits
"""

SCRAPY = """
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

pages = 0

class Site(CrawlSpider):
    name = "site"
    allowed_domains = ["127.0.0.1"]
    start_urls = [address]
    rules = (Rule(LinkExtractor(), callback="page", follow=True),)

    def parse_start_url(self, response):
        return self.page(response)

    def page(self, response):
        global pages
        pages += 1
        yield {"url": response.url, "title": response.css("title::text").get()}

settings = {"LOG_LEVEL": "ERROR", "ROBOTSTXT_OBEY": True, "TELNETCONSOLE_ENABLED": False, "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 8, "FEEDS": {folder + "/items.jsonl": {"format": "jsonlines"}}}
if kept:
    settings |= {"JOBDIR": folder + "/job"}
process = CrawlerProcess(settings)
process.crawl(Site)
process.start()
"""

BARE = """
import asyncio
from collections import deque
from urllib.parse import urljoin, urldefrag
import httpx2
from selectolax.lexbor import LexborHTMLParser

async def main():
    seen, waiting, items = {address}, deque([address]), []
    async with httpx2.AsyncClient() as client:
        while waiting:
            url = waiting.popleft()
            answer = await client.get(url)
            if answer.status_code != 200 or "html" not in answer.headers.get("content-type", ""):
                continue
            parser = LexborHTMLParser(answer.text)
            items.append({"url": url, "title": parser.css_first("title").text() if parser.css_first("title") else None})
            for node in parser.css("a[href]"):
                link = urldefrag(urljoin(url, node.attributes["href"]))[0]
                if link.startswith(address) and link not in seen:
                    seen.add(link)
                    waiting.append(link)
    return len(items)

pages = asyncio.run(main())
"""

ONLY_ASKING = """
import asyncio
import httpx2

async def main():
    async with httpx2.AsyncClient() as client:
        for url in given:
            answer = await client.get(url)
            answer.content
    return len(given)

pages = asyncio.run(main())
"""

AROUND = """
import json, os, resource, sys, time
address, folder, kept = sys.argv[1], sys.argv[2], sys.argv[3] == "kept"
given = [address + path for path in json.loads(sys.stdin.read() or "[]")]
begin = time.perf_counter()
{code}
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
cpu = sum(one.ru_utime + one.ru_stime for one in used)
print("RESULT", json.dumps([pages, cpu, time.perf_counter() - begin]))
"""
TEMPLATES, TAGS, PAGES = 100, 5_000, 60
MOST_COMPARING_MS = 5.0
_LETTERS = "".join(chr(0x100 + number) for number in range(10, 60))


@dataclass(frozen=True)
class CrawlCost:
    """What a crawl cost: how many pages, and the seconds of processor and clock."""

    pages: int
    cpu: float
    wall: float
    start: float = 0.0
    """The seconds of processor for a site of one page."""

    @property
    def cpu_ms(self) -> float:
        """Milliseconds of the processor for a page."""
        return 1000 * self.cpu / self.pages

    @property
    def wall_ms(self) -> float:
        """Milliseconds of the clock for a page."""
        return 1000 * self.wall / self.pages

    @property
    def started_ms(self) -> float:
        """Milliseconds of the processor for a page, after the first."""
        return 1000 * (self.cpu - self.start) / max(self.pages - 1, 1)


CODES = {"bare": BARE, "asking": ONLY_ASKING, "ours": OURS, "scrapy": SCRAPY, "scrapy kept": SCRAPY}


def crawl_costs(site: Path) -> dict[str, CrawlCost]:
    """What each of them needs for the same site, and for a site of one page."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        single = place / "single"
        single.mkdir()
        (single / "index.html").write_text(ONE_PAGE, "utf-8")
        starts = _least_costs(single, place / "starts")
        whole = _least_costs(site, place / "crawls")
    return {name: replace(cost, start=starts[name].cpu) for name, cost in whole.items()}


def _least_costs(site: Path, place: Path) -> dict[str, CrawlCost]:
    """The least that each of them needs, in turns, so that a busy machine is busy for all."""
    runs: dict[str, list[CrawlCost]] = {name: [] for name in CODES}
    log = place / "asked.log"
    place.mkdir()
    with served(site, log) as running:
        paths: list[str] = []
        for turn in range(TIMES):
            for name, code in CODES.items():
                log.write_text("", "utf-8")
                folder = place / f"{name.replace(' ', '-')}-{turn}"
                folder.mkdir()
                runs[name].append(_run(code, running.address, folder, paths, kept=name.endswith("kept")))
                if name == "bare":
                    paths = [path.lstrip("/") for path in running.asked() if path != "/robots.txt"]
    return {name: _least(found) for name, found in runs.items()}


def _least(runs: list[CrawlCost]) -> CrawlCost:
    return CrawlCost(runs[0].pages, min(one.cpu for one in runs), min(one.wall for one in runs))


def _run(code: str, address: str, folder: Path, paths: list[str], *, kept: bool) -> CrawlCost:
    whole = AROUND.replace("{code}", code)
    command = [sys.executable, "-c", whole, address, str(folder), "kept" if kept else ""]
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder.parents[1] / "bytecode")}
    done = subprocess.run(
        command,
        input=json.dumps(paths),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **compiled},
    )
    line = next((line for line in done.stdout.splitlines() if line.startswith("RESULT")), None)
    if line is None:
        raise SystemExit(f"bench: a crawler failed: {done.stderr[-2000:]}")
    return CrawlCost(*json.loads(line.removeprefix("RESULT")))


def speed_figures(costs: dict[str, CrawlCost]) -> tuple[Figure, ...]:
    """Ours beside the others."""
    ours, scrapy, kept, bare, asking = (costs[name] for name in ("ours", "scrapy", "scrapy kept", "bare", "asking"))
    rate, theirs = 1000 / ours.cpu_ms, 1000 / scrapy.cpu_ms
    saved = 1000 / kept.cpu_ms
    over = ours.wall_ms / bare.wall_ms
    return (
        Figure.ratio("pages a CPU second, Scrapy", rate, theirs, LEAST_OF_SCRAPY, "higher"),
        Figure.ratio("pages a CPU second, Scrapy that can go on after a stop", rate, saved, None, "higher"),
        Figure("ms a page, bare loop", ours.wall_ms, bare.wall_ms, over, MOST_OVERHEAD, "lower", "x"),
        Figure.ratio("CPU ms a page, bare loop", ours.cpu_ms, bare.cpu_ms, None, "lower"),
        Figure.ratio("CPU ms a page after start-up, bare loop", ours.started_ms, bare.started_ms, None, "lower"),
        Figure.ratio("CPU s of start-up, with one page, bare loop", ours.start, bare.start, None, "lower"),
        Figure.ratio("ms a page, asking for given addresses", ours.wall_ms, asking.wall_ms, None, "lower"),
    )


# ---------------------------------------------------------------- what comparing a page with templates costs


def similarity_figures() -> tuple[Figure, ...]:
    """The median and the worst of pages of all sorts: of a template, near one, and of another site."""
    chance = random.Random(5)
    base = [_skeleton(chance) for _ in range(10)]
    templates = [_changed(chance, chance.choice(base), 0.05) for _ in range(TEMPLATES)]
    likeness = SkeletonLikeness(templates)
    pages = [
        *(_changed(chance, chance.choice(templates), 0.03) for _ in range(PAGES // 3)),
        *(_changed(chance, chance.choice(templates), 0.3) for _ in range(PAGES // 3)),
        *(_skeleton(chance) for _ in range(PAGES // 3)),
    ]
    times = sorted(_milliseconds(likeness, page) for page in pages)
    median, worst = statistics.median(times), times[-1]
    return (
        Figure.of("similarity test, 100 templates of 5,000 tags, ms", median, MOST_COMPARING_MS, "lower", "ms"),
        Figure.of("similarity test, the slowest of 60 pages, ms", worst, None, "lower", "ms"),
    )


def _milliseconds(likeness: SkeletonLikeness, skeleton: str) -> float:
    outline = PageOutline(skeleton=skeleton)
    began = perf_counter()
    likeness.judge("", outline, "")
    return 1000 * (perf_counter() - began)


def _skeleton(chance: random.Random) -> str:
    """Some tags, with the repetitions that pages have."""
    rows = ["".join(chance.choices(_LETTERS, k=chance.randint(3, 12))) for _ in range(12)]
    tags = ""
    while len(tags) < TAGS:
        tags += chance.choice(rows) * chance.randint(1, 20)
    return tags[:TAGS]


def _changed(chance: random.Random, skeleton: str, share: float) -> str:
    letters = list(skeleton)
    for _ in range(round(share * len(letters))):
        letters[chance.randrange(len(letters))] = chance.choice(_LETTERS)
    return "".join(letters)
