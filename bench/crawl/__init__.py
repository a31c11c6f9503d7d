"""Measures the crawler: how well it keeps to the pages looked for, what it costs, and what it survives."""

import statistics
from pathlib import Path

from rich.table import Table

from bench.crawl.discovery import discovery_corpus, discovery_figures, discovery_runs, discovery_told
from bench.crawl.early import SLACK, Run, first_pages
from bench.crawl.facts import facts_figures
from bench.crawl.frontier import fill_frontier, frontier_figures
from bench.crawl.graph import cases
from bench.crawl.kills import KILLS, kill_and_go_on, kill_figures
from bench.crawl.manuals import MANUALS
from bench.crawl.sites import load_manual
from bench.crawl.speed import crawl_costs, similarity_figures, speed_figures
from bench.crawl.trapped import crawl_shops, trap_figures
from bench.frame import Corpus, Figure, Options, Outcome

__all__ = ["run"]

LEAST_HARVEST = 0.75
POOR, LEAST_TIMES_BREADTH = 0.4, 2.0  # where breadth-first finds few, the crawl should find twice as many
LEAST_AT_PART = 0.85
SPEED_SITE, KILL_SITE = "java", "postgresql"
FEW_KILLS = 20  # with a limit


def run(options: Options) -> Outcome:
    """Simulate crawls of manuals and shops, crawl some over HTTP, kill them, and measure discovery and facts."""
    found = [first_pages(case) for case in cases()[: options.limit]]
    discoveries = discovery_runs(options)
    shops = crawl_shops() if options.limit is None else []
    return Outcome(
        task="crawl",
        peer="breadth-first, Scrapy, or a bare loop",
        corpora=(discovery_corpus(), _shop_corpus()),
        figures=(
            *_harvest_figures(found),
            *(trap_figures(shops) if shops else ()),
            *similarity_figures(),
            *speed_figures(crawl_costs(_folder(SPEED_SITE if options.limit is None else KILL_SITE))),
            *kill_figures(kill_and_go_on(_folder(KILL_SITE), KILLS if options.limit is None else FEW_KILLS)),
            *frontier_figures(fill_frontier()),
            *discovery_figures(discoveries),
            *facts_figures(options.limit),
        ),
        remarks=(
            "What counts are targets by the rule of the site; what the crawler sees is its own likeness to three "
            "examples. The oracle knows the site.",
            *discovery_told(discoveries),
            *(text for shop in shops for text in shop.told),
        ),
        views=(_view(found),),
    )


def _harvest_figures(found: list[Run]) -> tuple[Figure, ...]:
    """The middle of the cases and their lower quarter, and on how many of them each goal is kept."""
    firsts = [one.of_oracle for one in found]
    parts = [one.at_part for one in found]
    poor = [one.of_breadth >= LEAST_TIMES_BREADTH for one in found if one.breadth_rate < POOR]
    middle, lower = statistics.median(firsts), min(firsts) if len(firsts) < 2 else statistics.quantiles(firsts, n=4)[0]
    no_worse = _share([one.of_breadth >= 1 - SLACK for one in found])
    return (
        Figure.of("first 200 pages / oracle, middle case", middle, LEAST_HARVEST, "higher", "share"),
        Figure.of("first 200 pages / oracle, lower quarter", lower, LEAST_HARVEST, "higher", "share"),
        Figure.of("first 200 pages at least breadth-first - 5 %", no_worse, 1.0, "higher", "share"),
        Figure.of("twice breadth-first where it is below 0.4", _share(poor), 1.0, "higher", "share"),
        Figure.of("targets at 20 % / oracle, middle case", statistics.median(parts), LEAST_AT_PART, "higher", "share"),
    )  # fmt: skip


def _share(several: list[bool]) -> float:
    return sum(several) / max(len(several), 1)


def _view(found: list[Run]) -> Table:
    table = Table("case", "maker", "learned", "breadth", "oracle", "at 20 %", title="targets of the first 200 pages")
    for one in found:
        counts = (f"{one.first(curve):,}" for curve in (one.learned, one.breadth, one.oracle))
        table.add_row(one.case, one.maker, *counts, f"{one.at_part:.2f}")
    return table


def _folder(name: str) -> Path:
    """The folder of a manual."""
    manual = next(one for one in MANUALS if one.name == name)
    pages = load_manual(manual)
    first = next(iter(pages))
    return pages[first].parents[first.count("/")]


def _shop_corpus() -> Corpus:
    here = Path(__file__).parent
    return Corpus("sites", (here / "sites.py", here / "shop.py"))
