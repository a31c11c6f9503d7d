"""Discovery over a local index of 5,000 generated pages: how often all six relevant sites are among the first ten.

Ten webs of each of three domains are generated, indexed and searched, without a browser. A site's place is that in the
ranking by scores whose weights were fitted on the two other domains (`fit_discovery.py`); the stop is by the rule.
"""

import statistics
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from bench.crawl.discovery_corpus import PAGES, RELEVANT, GeneratedSite, make_web, write_warc
from bench.crawl.discovery_domains import DOMAINS, Domain
from bench.frame import Corpus, Figure, Options, program, tell
from sightline.crawler import site_of
from sightline.crawler.discover import DiscoverSettings, LocalIndex, Wanted
from sightline.crawler.discover._discover import PageOpener, examine, search_sites
from sightline.crawler.discover._sample import DomainPhrases, rarity_weights
from sightline.jobs import extractor
from sightline.sources import Loader

SEEDS = range(10)
FIRST = 10
LEAST_ALL = 1.0
LONG = 150  # queries, to see what would have been found after the stop


@dataclass(frozen=True)
class Looked:
    """A site that was looked at: what it is, whether it has usable data, its clues, and its score as shipped."""

    site: str
    sort: str
    has_data: bool
    clues: dict[str, float]
    score: float

    @property
    def is_relevant(self) -> bool:
        """Whether it is one of the six."""
        return self.sort == "relevant"


@dataclass(frozen=True)
class Observed:
    """One discovery: the sites in the order of their scores, how it ended, and which sites each query finds."""

    domain: str
    seed: int
    looked: tuple[Looked, ...]
    ended: str
    queries: int
    kept: tuple[str, ...]
    seconds: float
    finds: tuple[tuple[str, ...], ...] = ()
    relevant: tuple[str, ...] = ()

    @property
    def is_generated(self) -> bool:
        """Whether all sites of the web were generated, six of them relevant."""
        return self.domain in {domain.name for domain in DOMAINS}


def observe(domain: Domain, seed: int, *, pages: int = PAGES, long: int = 0) -> Observed:
    """Generate a web and discover its sites; with `long`, also what so many queries find."""
    return observe_web(make_web(domain, seed, pages), domain.name, domain.phrases, seed, long=long)


def observe_web(
    sites: Sequence[GeneratedSite],
    name: str,
    texts: Sequence[str],
    seed: int,
    *,
    want: Wanted = "tables",
    long: int = 0,
) -> Observed:
    """Index a web and discover its sites."""
    sorts = {site_of(f"https://{site.host}/"): site.sort for site in sites}
    phrases = DomainPhrases.of(texts)
    settings = DiscoverSettings(seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        write_warc(sites, Path(folder) / "web.warc")
        index = LocalIndex(folder)
        index.search(phrases.texts[:2], 1)  # which builds it
        began = process_time()
        search = search_sites(phrases, index, settings)
        opener = PageOpener(Loader(static=True), extractor(want), phrases, rarity_weights(search.commonness))
        scored = examine(search, index, opener, settings)
        seconds = process_time() - began
        finds = _finds(phrases, index, DiscoverSettings(seed=seed, queries=long, quiet=10**6)) if long else ()
        index.close()
    looked = [
        Looked(one.found.site, sorts[one.found.site], bool(one.evidence.data), dict(one.clues), one.score)
        for one in scored
    ]
    kept = tuple(one.site for one in looked if one.has_data and one.score >= settings.least_score)
    relevant = tuple(site for site, sort in sorts.items() if sort == "relevant")
    return Observed(name, seed, tuple(looked), search.ended, search.tally.asked, kept, seconds, finds, relevant)


def _finds(phrases: DomainPhrases, index: LocalIndex, settings: DiscoverSettings) -> tuple[tuple[str, ...], ...]:
    tally = search_sites(phrases, index, settings).tally
    return tuple(
        tuple(sorted(site.site for site in tally.sites.values() if query in site.queries))
        for query in range(tally.asked)
    )


def all_in_first(ranked: Sequence[Looked], first: int = FIRST) -> bool:
    """Whether all six are among the first so many."""
    return sum(one.is_relevant for one in ranked[:first]) == RELEVANT


def precision(ranked: Sequence[Looked], first: int = RELEVANT) -> float:
    """The share of relevant sites among the first so many."""
    return sum(one.is_relevant for one in ranked[:first]) / first


def average_precision(ranked: Sequence[Looked]) -> float:
    """The mean precision at the places of the relevant sites that have data; 1 if there is none."""
    places = [place for place, one in enumerate(ranked, start=1) if one.is_relevant and one.has_data]
    return statistics.mean((count + 1) / place for count, place in enumerate(places)) if places else 1.0


def discovery_corpus() -> Corpus:
    """What the webs are made of."""
    here = Path(__file__).parent
    return Corpus("discovery", (here / "discovery_corpus.py", here / "discovery_domains.py"))


def discovery_runs(options: Options) -> list[Observed]:
    """All discoveries, among generated sites and then among real ones; with a limit, so many of each domain."""
    from bench.crawl.discovery_real import real_runs

    made = [observe(domain, seed) for domain in DOMAINS for seed in SEEDS[: options.limit]]
    return [*made, *real_runs(options)]


def discovery_figures(runs: Sequence[Observed]) -> tuple[Figure, ...]:
    """The figures of all discoveries."""
    from bench.crawl.fit_discovery import out_of_fold

    ranked = list(zip(runs, out_of_fold(runs), strict=True))
    places = [order for run, order in ranked if run.is_generated]
    made = [run for run in runs if run.is_generated]
    every = statistics.mean(map(all_in_first, places))
    at_six = statistics.mean(map(precision, places))
    by_rule = statistics.mean(run.ended == "rule" for run in made)
    queries = statistics.mean(run.queries for run in made)
    seconds = statistics.mean(run.seconds for run in made)
    return (
        Figure.of("discovery: all 6 in the first 10", every, LEAST_ALL, "higher", "share"),
        Figure.of("discovery: stopped by its own rule", by_rule, 1.0, "higher", "share"),
        Figure.of("discovery: precision at 6", at_six, None, "higher", "share"),
        Figure.of("discovery: queries", queries, None, "lower", "queries"),
        Figure.of("discovery: CPU of a discovery, s", seconds, None, "lower", "s"),
        *_real_figures([average_precision(order) for run, order in ranked if not run.is_generated]),
    )


def _real_figures(precisions: Sequence[float]) -> Iterator[Figure]:
    if precisions:
        mean = statistics.mean(precisions)
        yield Figure.of("discovery: average precision among real sites", mean, None, "higher", "share")


def discovery_told(runs: Sequence[Observed]) -> tuple[str, ...]:
    """What the figures are of, and every web where something is missing."""
    made = [run for run in runs if run.is_generated]
    shipped = [run.looked for run in made]
    kept = [site for run in made for site in run.kept]
    right = [site for run in made for site in run.kept if site in run.relevant]
    whole = sum(len(run.relevant) for run in made)
    return (
        f"{len(made)} webs of {PAGES:,} pages; places are by weights fitted on the other domains. With the weights in "
        f"use, fitted on all webs and on real sites, all 6 are in the first 10 in "
        f"{statistics.mean(map(all_in_first, shipped)):.3f} of the webs, and precision at 6 is "
        f"{statistics.mean(map(precision, shipped)):.3f}; of the sites that are kept "
        f"{len(right) / max(len(kept), 1):.3f} are relevant, and {len(right) / whole:.3f} of the relevant are kept.",
        *(f"Missed: {run.domain}, seed {run.seed}: {_missed(run)}." for run in made if not all_in_first(run.looked)),
    )


def _missed(run: Observed) -> str:
    places = {one.site: place for place, one in enumerate(run.looked, start=1)}
    missed = [places.get(site) for site in run.relevant if places.get(site, FIRST + 1) > FIRST]
    return ", ".join("not found" if place is None else f"at place {place}" for place in missed)


if __name__ == "__main__":
    asked = program(__doc__)
    asked.add_argument("webs", type=int, nargs="?", help="so many of each domain")
    given = asked.parse_args()
    runs = discovery_runs(Options(data=given.data, limit=given.webs))
    tell(discovery_figures(runs), *discovery_told(runs))
