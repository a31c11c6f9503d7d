"""Discovery: random queries until nothing new that matters shows up, then a look at the pages of the best sites."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic
from urllib.parse import urlsplit

from sightline.crawl.discover._found import DiscoveredSite, Discovery, DiscoveryEnd, Wanted
from sightline.crawl.discover._open import PageOpener, round_robin
from sightline.crawl.discover._phrases import DomainPhrases, rarity_weights
from sightline.crawl.discover._provider import SearchProvider, SearchResult
from sightline.crawl.discover._reasons import data_in_words, reasons_for
from sightline.crawl.discover._sample import QuerySampler
from sightline.crawl.discover._score import OpenedPage, SiteEvidence, clues_of, score_of
from sightline.crawl.discover._settings import DiscoverSettings
from sightline.crawl.discover._sites import site_of
from sightline.crawl.discover._tally import FoundSite, SiteTally
from sightline.errors import SourceError, UsageError
from sightline.extract.wrappers import Wrapper
from sightline.jobs import Extractor, OnProgress, Progress, extractor, wrapper_extractor
from sightline.sources import Loader

__all__ = ["ScoredSite", "Search", "discover", "examine", "search_sites"]

FAILURES = 3  # queries in a row after which a provider is taken to be down
FRUITLESS = 30  # queries without any result, from the first on, after which there is nothing to be found
LISTED_PAGES = 20  # of a site, in the file; the crawler starts there
MOST_PROBLEMS = 100


@dataclass(frozen=True, eq=False)
class Search:
    """What the queries found: the sites, how common the phrases are, why it ended, and what went wrong."""

    tally: SiteTally
    commonness: tuple[float, ...]
    ended: DiscoveryEnd
    stopped: str
    problems: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ScoredSite:
    """A site that was looked at, with its clues."""

    found: FoundSite
    evidence: SiteEvidence
    clues: Mapping[str, float]
    score: float


def discover(  # noqa: PLR0913 - one for each choice
    phrases: Iterable[str],
    provider: SearchProvider,
    *,
    want: Wanted = "tables",
    wrapper: Wrapper | None = None,
    loader: Loader,
    settings: DiscoverSettings | None = None,
    on_progress: OnProgress | None = None,
) -> Discovery:
    """The sites that hold the data of a domain, found by random conjunctions of its phrases.

    Queries go on until the rule of `SiteTally` says that nothing new that matters is to be expected, or the budget is
    spent; then the best pages of the best-supported sites are opened, and the sites scored by what is on them.
    """
    chosen = settings or DiscoverSettings()
    extract = _extractor(want, wrapper)
    domain = DomainPhrases.of(phrases)
    search = search_sites(domain, provider, chosen, on_progress)
    opener = PageOpener(loader, extract, domain, _weights(search))
    scored = examine(search, provider, opener, chosen, on_progress)
    sites = [_described(one, search, domain) for one in scored]
    is_kept = [bool(one.evidence.data) and one.score >= chosen.least_score for one in scored]
    return Discovery(
        phrases=domain.texts,
        provider=provider.name,
        stopped=search.stopped,
        queries=search.tally.asked,
        sites=tuple(site for site, kept in zip(sites, is_kept, strict=True) if kept),
        left_out=tuple(site for site, kept in zip(sites, is_kept, strict=True) if not kept),
        problems=_limited((*search.problems, *_page_problems(scored))),
        want=want,
        ended=search.ended,
        seed=chosen.seed,
    )


def _extractor(want: Wanted, wrapper: Wrapper | None) -> Extractor:
    if (want == "wrapper") != (wrapper is not None):
        raise UsageError("A wrapper and want='wrapper' belong together; give both or neither.")
    if wrapper is not None:
        return wrapper_extractor(wrapper)
    if want not in ("tables", "lists"):
        raise UsageError(f"{want!r} cannot be looked for; give one of tables, lists, wrapper.")
    return extractor(want)


# ---------------------------------------------------------------- asking


def search_sites(
    phrases: DomainPhrases, provider: SearchProvider, settings: DiscoverSettings, on_progress: OnProgress | None = None
) -> Search:
    """Ask until the rule or the budget says stop."""
    return _Asker(phrases, provider, settings, on_progress).run()


class _Asker:
    """Asks query after query and counts what they find."""

    def __init__(
        self,
        phrases: DomainPhrases,
        provider: SearchProvider,
        settings: DiscoverSettings,
        on_progress: OnProgress | None,
    ) -> None:
        self._phrases = phrases
        self._provider = provider
        self._settings = settings
        self._on_progress = on_progress
        self._sampler = QuerySampler(phrases, settings.seed)
        self._began = monotonic()
        self._failures = 0
        self.tally = SiteTally()
        self.problems: dict[str, None] = {}  # each once, in order

    def run(self) -> Search:
        self._tell()
        while (end := self._end()) is None:
            query = self._sampler.next()
            if query is None:
                end = self._exhausted()
                break
            self._ask(query)
            self._tell()
        ended, stopped = end
        return Search(self.tally, tuple(self._sampler.commonness), ended, stopped, tuple(self.problems))

    def _exhausted(self) -> tuple[DiscoveryEnd, str]:
        return "exhausted", f"Every conjunction of {len(self._phrases)} phrases was asked ({self._numbers()})."

    def _end(self) -> tuple[DiscoveryEnd, str] | None:
        """Why to stop now, or None."""
        tally, settings = self.tally, self._settings
        if self._failures >= FAILURES:
            return "failed", f"The provider failed {FAILURES} times in a row ({self._numbers()})."
        if tally.fruitful and tally.quiet_for >= settings.quiet and tally.unseen <= settings.unseen:
            return "rule", (
                f"The last {tally.quiet_for} queries brought no new site that matters (found by {tally.needed} queries "
                f"or more), and the chance that the next find makes one matter is {tally.unseen:.1%}, which is at most "
                f"{settings.unseen:.1%} ({self._numbers()})."
            )
        if tally.asked >= FRUITLESS and not tally.fruitful:
            return "failed", f"None of {tally.asked} queries gave any result; try more common phrases."
        if tally.asked >= settings.queries:
            return "budget", (
                f"The budget of {settings.queries} queries is spent; the last {tally.quiet_for} brought no new site "
                f"that matters, and the chance that the next find makes one matter is {tally.unseen:.1%} "
                f"({self._numbers()}); raise `queries` to ask more."
            )
        return None

    def _numbers(self) -> str:
        tally = self.tally
        return (
            f"{tally.asked} queries, {tally.fruitful} with results, {len(tally.sites)} sites, {tally.mattering} of "
            "which matter"
        )

    def _ask(self, query: tuple[int, ...]) -> None:
        texts = [self._phrases.texts[number] for number in query]
        results, failed = self._results(texts)
        self._failures = self._failures + 1 if failed else 0
        self.tally.add(self.tally.asked, [(site_of(one.url, _folder(self._provider)), one) for one in results])
        if not failed:
            self._sampler.learn(query, results)

    def _results(self, texts: Sequence[str]) -> tuple[list[SearchResult], bool]:
        """The results of a query over several pages, each address once; a failure is noted and ends the query."""
        found: dict[str, SearchResult] = {}
        page, more = 1, True
        while more and len(found) < self._settings.results:
            try:
                answer = self._provider.search(texts, page)
            except SourceError as problem:
                if not self.tally.fruitful and not found and self._failures + 1 >= FAILURES:
                    raise  # nothing has worked so far, so there is nothing to keep
                self.problems[problem.message] = None
                return list(found.values()), True
            self.problems |= dict.fromkeys(answer.problems)
            before = len(found)
            for result in answer.results:
                found.setdefault(result.url, result)
            more = answer.more and len(found) > before
            page += 1
        return list(found.values())[: self._settings.results], False

    def _tell(self) -> None:
        if self._on_progress:
            tally = self.tally
            what = f"Searching, {len(tally.sites)} sites, {tally.mattering} of which matter"
            self._on_progress(Progress(what, tally.asked, self._settings.queries, seconds=monotonic() - self._began))


def _folder(provider: SearchProvider) -> str:
    return provider.name.removeprefix("index:") if provider.name.startswith("index:") else ""


# ---------------------------------------------------------------- looking


def _weights(search: Search) -> list[float]:
    return rarity_weights(search.commonness)


def examine(
    search: Search,
    provider: SearchProvider,
    opener: PageOpener,
    settings: DiscoverSettings,
    on_progress: OnProgress | None = None,
) -> list[ScoredSite]:
    """Open the best pages of the best-supported sites, and score the sites; best first."""
    sites = search.tally.ranked()[: settings.sites]
    wanted = [[page.url for page in site.best_pages(settings.pages)] for site in sites]
    home = {url: site.site for site, urls in zip(sites, wanted, strict=True) for url in urls}
    urls = round_robin(wanted)
    opened = defaultdict(list)
    for page in opener.open(urls, provider.saved(urls), on_progress):
        opened[home[page.url]].append(page)
    order = {url: place for urls in wanted for place, url in enumerate(urls)}
    scored = []
    for site in sites:
        pages = tuple(sorted(opened[site.site], key=lambda page: order[page.url]))
        evidence = SiteEvidence(site.support / max(search.tally.fruitful, 1), len(site.pages), pages)
        clues = clues_of(evidence, opener.weights)
        scored.append(ScoredSite(site, evidence, clues, score_of(clues)))
    return sorted(scored, key=lambda one: (not one.evidence.data, -one.score, one.found.site))


def _described(one: ScoredSite, search: Search, phrases: DomainPhrases) -> DiscoveredSite:
    weights = _weights(search)
    usable = [page for page in one.evidence.opened if page.data]
    best = max(usable, key=lambda page: page.data.score(weights) if page.data else 0.0, default=None)
    return DiscoveredSite(
        site=one.found.site,
        score=round(one.score, 3),
        why=tuple(reasons_for(one.evidence, one.clues, one.found.support, search.tally.fruitful, phrases)),
        pages=tuple(page.url for page in one.found.best_pages(LISTED_PAGES)),
        templates=tuple(_templates(usable, weights)),
        support=one.found.support,
        found=data_in_words(best.data) if best and best.data else "",
    )


def _templates(usable: Sequence[OpenedPage], weights: Sequence[float]) -> list[str]:
    """The pages with data, by parts of the site: the part with most of the domain first, its best page first."""
    parts: dict[tuple[str, int], list[tuple[float, str]]] = defaultdict(list)
    for page in usable:
        assert page.data is not None
        parts[_part_of(page.url)].append((page.data.score(weights), page.url))
    ranked = sorted(parts.values(), key=lambda pages: (-sum(score for score, _ in pages), min(pages)))
    return [url for pages in ranked for _, url in sorted(pages, key=lambda pair: (-pair[0], pair[1]))]


def _part_of(url: str) -> tuple[str, int]:
    """Which part of a site an address is in: the first step of its path, and how deep it is.

    >>> _part_of("https://shop.example/cameras/eos-5d"), _part_of("https://shop.example/about")
    (('cameras', 2), ('', 1))
    """
    steps = urlsplit(url).path.strip("/").split("/")
    return (steps[0] if len(steps) > 1 else "", len(steps))


def _page_problems(scored: Sequence[ScoredSite]) -> list[str]:
    """The causes of pages that failed, each with its address."""
    return [page.why_not for one in scored for page in one.evidence.opened if page.failed]


def _limited(problems: Sequence[str]) -> tuple[str, ...]:
    rest = len(problems) - MOST_PROBLEMS
    return (*problems[:MOST_PROBLEMS], f"… and {rest:,} more problems.") if rest > 0 else tuple(problems)
