"""Measures the crawler: how well it keeps to the pages looked for, what it costs, and what it survives."""

import statistics
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from bench.crawl.discovery import discovery_corpus, discovery_figures, discovery_runs, discovery_told
from bench.crawl.facts import facts_figures
from bench.crawl.frontier import fill_frontier, frontier_figures
from bench.crawl.graph import Case, cases
from bench.crawl.harvest import Harvest, crawl_with, measured, oracle, size_of
from bench.crawl.kills import KILLS, kill_and_go_on, kill_figures
from bench.crawl.manuals import MANUALS
from bench.crawl.sites import load_manual
from bench.crawl.speed import crawl_costs, similarity_figures, speed_figures
from bench.crawl.trapped import crawl_shops, trap_figures
from bench.frame import Corpus, Figure, Options, Outcome

__all__ = ["run"]

LEAST_HARVEST = 0.5
LEAST_TIMES_BREADTH = 3.0
LEAST_AT_PART = 0.8
PART_VISITED = 0.4  # of a site, in simulated crawls
SPEED_SITE, KILL_SITE = "java", "postgresql"
FEW_KILLS = 20  # with a limit


@dataclass(frozen=True)
class Harvests:
    """What each ranking brought in on one case."""

    case: Case
    learned: Harvest
    published: Harvest
    breadth: Harvest
    oracle: Harvest


def run(options: Options) -> Outcome:
    """Simulate crawls of manuals and shops, crawl some over HTTP, kill them, and measure discovery and facts."""
    found = [_harvests(case) for case in cases()[: options.limit]]
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
            "Harvest is the share of targets from page 200 on until 80 % of them are found, by the rule of the site; "
            "what the crawler sees is its own likeness to three examples. The oracle knows the site.",
            *discovery_told(discoveries),
            *(text for shop in shops for text in shop.told),
        ),
        views=(_view(found),),
    )


def _harvests(case: Case) -> Harvests:
    most = round(PART_VISITED * size_of(case))
    runs = {
        name: measured(case, crawl_with(case, name, size_of(case) if name == "breadth" else most))
        for name in ("learned", "published", "breadth")
    }
    return Harvests(case, **runs, oracle=measured(case, oracle(case, most)))


def _harvest_figures(found: list[Harvests]) -> tuple[Figure, ...]:
    """The worst and the middle of the cases, and on how many of them each goal is kept."""
    rates = [one.learned.rate for one in found]
    parts = [one.learned.at_part for one in found]
    times = [one.learned.rate / max(one.breadth.rate, 1e-6) for one in found]
    published = _share([one.learned.rate >= one.published.rate for one in found])
    middle = statistics.median(rates)
    return (
        Figure.of("harvest, worst site", min(rates), LEAST_HARVEST, "higher", "share"),
        Figure.of("harvest, middle site", middle, LEAST_HARVEST, "higher", "share"),
        Figure.of("harvest / breadth-first, worst site", min(times), LEAST_TIMES_BREADTH, "higher", "x"),
        Figure.of("harvest at least the published rule's", published, 1.0, "higher", "share"),
        Figure.of("targets at 20 %, worst site", min(parts), LEAST_AT_PART, "higher", "share"),
        Figure.of("targets at 20 %, middle site", statistics.median(parts), LEAST_AT_PART, "higher", "share"),
    )  # fmt: skip


def _share(several: list[bool]) -> float:
    return sum(several) / max(len(several), 1)


def _view(found: list[Harvests]) -> Table:
    table = Table(
        "case", "pages", "targets", "learned", "published", "breadth", "oracle", title="harvest, targets at 20 %"
    )
    for one in found:
        figures = (
            f"{each.rate:.2f}, {each.at_part:.2f}" for each in (one.learned, one.published, one.breadth, one.oracle)
        )
        table.add_row(one.case.name, f"{size_of(one.case):,}", f"{len(one.case.wanted):,}", *figures)
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
