"""Discovery: random queries until nothing new that matters shows up, then a look at the pages of the best sites."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from time import monotonic

from sightline.crawler._addresses import site_of, site_part
from sightline.crawler.discover._found import DiscoveredSite, Discovery, DiscoveryEnd, Wanted
from sightline.crawler.discover._provider import SearchProvider, SearchResult
from sightline.crawler.discover._sample import DomainPhrases, FoundSite, QuerySampler, SiteTally, rarity_weights
from sightline.crawler.discover._score import (
    OpenedPage,
    PageData,
    SiteEvidence,
    clues_of,
    data_in_words,
    read_regions,
    reasons_for,
    score_of,
    usable_region,
)
from sightline.errors import SightlineError, SourceError, UsageError, VerificationError
from sightline.extract.wrappers import Wrapper
from sightline.jobs import Extractor, Job, Meter, OnProgress, Outcome, Progress, extractor, wrapper_extractor
from sightline.net import Document
from sightline.page import Page
from sightline.settings import Settings, setting
from sightline.sources import Loader

# The settings of a discovery.


@dataclass(frozen=True, kw_only=True)
class DiscoverSettings(Settings):
    """How much is asked, and how much is opened."""

    seed: int = setting(0, help="the seed of the random queries; the same seed asks the same queries", minimum=0)
    queries: int = setting(200, help="maximum number of queries", minimum=1)
    results: int = setting(30, help="how many results of each query count, at most two of each site", minimum=1)
    sites: int = setting(100, help="how many sites are looked at, those found by most queries first", minimum=1)
    probes: int = setting(2, help="how many pages of each of them are opened first", minimum=1)
    finalists: int = setting(30, help="how many sites, the best after that, are looked at again", minimum=0)
    pages: int = setting(6, help="how many pages of each of these are opened in all", minimum=1)
    # Chosen by `python -m bench.crawl.fit_discovery`: it prints what each choice costs in queries and finds in sites.
    quiet: int = setting(20, help="how many queries in a row must bring no new site that matters", minimum=1)
    unseen: float = setting(
        0.02, help="how likely, by the counts, the next find may make another site matter", minimum=0, maximum=1
    )
    least_score: float = setting(0.2, help="the lowest score of a site that is kept", minimum=0, maximum=1)


# Opens the best pages of promising sites and looks for usable data on each.

# Phrases a word from which on a text counts as stuffed altogether; prose about a domain has one in twenty words or so.
FULL_DENSITY = 0.25


@dataclass(frozen=True, eq=False)
class PageOpener:
    """Opens pages, saved or on the web, and measures what the extractor finds on them."""

    loader: Loader
    extractor: Extractor
    phrases: DomainPhrases
    weights: Sequence[float]
    verified: bool = False  # by a wrapper

    def open(
        self, urls: Sequence[str], saved: Mapping[str, Document], on_progress: OnProgress | None = None
    ) -> Iterator[OpenedPage]:
        """One outcome for each address, in any order; pages that the provider has itself are not fetched."""
        meter = Meter("Opening pages", on_progress, total=len(urls))
        elsewhere = [url for url in urls if url not in saved]
        outcomes = Job(elsewhere, lambda page, _: self._looked(page), self.loader, in_order=False)
        for outcome in chain(self._own(urls, saved), outcomes):
            meter.step(current=outcome.source, failed=outcome.error is not None)
            yield _opened(outcome)

    def _own(self, urls: Sequence[str], saved: Mapping[str, Document]) -> Iterator[Outcome[OpenedPage]]:
        for url in urls:
            if url in saved:
                yield self._from_document(url, saved[url])

    def _from_document(self, url: str, document: Document) -> Outcome[OpenedPage]:
        try:
            page = self.loader.load(document)
            return Outcome(url, page, self._looked(page))
        except SightlineError as problem:
            return Outcome(url, error=problem)

    def _looked(self, page: Page) -> OpenedPage:
        """What is on a page; the address is put in later."""
        found = self.extractor(page)
        regions = read_regions(found)
        data = usable_region(regions, self.phrases, self.weights, title=page.title, verified=self.verified)
        density = _density(page.text_of(0), data, self.phrases)
        return OpenedPage("", data, density, "" if data else _why_not(len(found), len(regions), self.extractor.kind))


def _opened(outcome: Outcome[OpenedPage]) -> OpenedPage:
    if outcome.found is not None:
        found = outcome.found
        return OpenedPage(outcome.source, found.data, found.density, found.why_not)
    assert outcome.error is not None
    is_other = isinstance(outcome.error, VerificationError)
    return OpenedPage(outcome.source, why_not=outcome.error.message, failed=not is_other)


def _why_not(found: int, regions: int, kind: str) -> str:
    if not found:
        return f"no {kind}"
    return f"{kind} without the phrases, or too small" if regions else "only navigation"


def _density(text: str, data: PageData | None, phrases: DomainPhrases) -> float:
    """How many phrases there are a word in the text outside of the data."""
    inside = " ".join((*data.region.keys, *data.region.values)) if data else ""
    words = len(text.split()) - len(inside.split())
    count = phrases.count_in(text) - phrases.count_in(inside)
    return min(1.0, max(0, count) / max(words, 20) / FULL_DENSITY)


def round_robin(groups: Sequence[Sequence[str]]) -> list[str]:
    """The first of each group, then the second of each: no host is asked twice in a row, so nobody waits for it.

    >>> round_robin([["a1", "a2"], ["b1"]])
    ['a1', 'b1', 'a2']
    """
    return [one for row in zip_longest(*groups) for one in row if one is not None]


FAILURES = 3  # queries in a row after which a provider is taken to be down
FRUITLESS = 30  # queries without any result, from the first on, after which there is nothing to be found
# One site that fills the results of every query must not hide the others: only so many of its results count, and the
# provider is asked for further pages until enough results count.
OF_A_SITE = 2
MOST_RESULT_PAGES = 5
LISTED_PAGES = 20  # of a site, in the file; the crawler starts there


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
    opener = PageOpener(loader, extract, domain, _weights(search), verified=wrapper is not None)
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
        problems=(*search.problems, *_passed_over(search.tally, chosen.sites), *_page_problems(scored)),
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


class _Read:
    """The results of a query, each address once; of each site only a few count."""

    def __init__(self, enough: int, folder: str) -> None:
        self._enough = enough
        self._folder = folder
        self._of_site: Counter[str] = Counter()
        self.found: dict[str, tuple[str, SearchResult]] = {}
        self.counted: list[SearchResult] = []

    @property
    def is_enough(self) -> bool:
        """Whether as many count as are wanted."""
        return len(self.counted) >= self._enough

    def add(self, results: Iterable[SearchResult]) -> bool:
        """Take further results; whether there was any new address among them."""
        before = len(self.found)
        for result in results:
            if result.url in self.found:
                continue
            site = site_of(result.url, self._folder)
            self.found[result.url] = site, result
            self._of_site[site] += 1
            if self._of_site[site] <= OF_A_SITE and not self.is_enough:
                self.counted.append(result)
        return len(self.found) > before


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
        read = _Read(self._settings.results, _folder(self._provider))
        failed = self._read([self._phrases.texts[number] for number in query], read)
        self._failures = self._failures + 1 if failed else 0
        self.tally.add(self.tally.asked, read.found.values())
        if not failed:
            self._sampler.learn(query, read.counted)

    def _read(self, texts: Sequence[str], read: _Read) -> bool:
        """Read results page by page until there are enough; whether the provider failed, which is noted."""
        page, more = 1, True
        while more and page <= MOST_RESULT_PAGES and not read.is_enough:
            try:
                answer = self._provider.search(texts, page)
            except SourceError as problem:
                if not self.tally.fruitful and not read.found and self._failures + 1 >= FAILURES:
                    raise  # nothing has worked so far, so there is nothing to keep
                self.problems[problem.message] = None
                return True
            self.problems |= dict.fromkeys(answer.problems)
            more = read.add(answer.results) and answer.more
            page += 1
        return False

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
    """Open pages of the best-supported sites in two rounds, and score the sites; best first.

    Support says who writes about the domain, not who has its data. So the first round opens a few pages of many sites,
    and the second one more pages of those that look best after it.
    """
    sites = search.tally.ranked()[: settings.sites]
    look = _Look(search, provider, opener, on_progress)
    look.open(sites, settings.probes)
    best = sorted(sites, key=lambda site: -look.scored(site).score)[: settings.finalists]
    look.open(best, settings.pages)
    scored = [look.scored(site) for site in sites]
    return sorted(scored, key=lambda one: (not one.evidence.data, -one.score, one.found.site))


class _Look:
    """Opens pages and remembers what was on them."""

    def __init__(
        self, search: Search, provider: SearchProvider, opener: PageOpener, on_progress: OnProgress | None
    ) -> None:
        self._fruitful = max(search.tally.fruitful, 1)
        self._provider = provider
        self._opener = opener
        self._on_progress = on_progress
        self._opened: dict[str, OpenedPage] = {}

    def open(self, sites: Sequence[FoundSite], most: int) -> None:
        """Open pages of sites, so that so many of each are open; those of parts where data was seen first."""
        urls = round_robin([self._next(site, most) for site in sites])
        for page in self._opener.open(urls, self._provider.saved(urls), self._on_progress):
            self._opened[page.url] = page

    def _next(self, site: FoundSite, most: int) -> list[str]:
        is_open = [self._opened[page.url] for page in site.pages.values() if page.url in self._opened]
        parts = {site_part(page.url) for page in is_open if page.data}
        rest = [page.url for page in site.spread_pages(None, parts) if page.url not in self._opened]
        return rest[: max(0, most - len(is_open))]

    def scored(self, site: FoundSite) -> ScoredSite:
        """A site by its pages that are open."""
        pages = tuple(self._opened[page.url] for page in site.spread_pages(None) if page.url in self._opened)
        evidence = SiteEvidence(site.support / self._fruitful, len(site.pages), pages)
        clues = clues_of(evidence, self._opener.weights)
        # A wrapper refuses what it was not learned for, so there is nothing to weigh.
        score = clues["usable"] if self._opener.verified else score_of(clues)
        return ScoredSite(site, evidence, clues, score)


def _described(one: ScoredSite, search: Search, phrases: DomainPhrases) -> DiscoveredSite:
    weights = _weights(search)
    usable = [page for page in one.evidence.opened if page.data]
    best = max(usable, key=lambda page: page.data.score(weights) if page.data else 0.0, default=None)
    return DiscoveredSite(
        site=one.found.site,
        score=round(one.score, 3),
        why=tuple(reasons_for(one.evidence, one.clues, one.found.support, search.tally.fruitful, phrases)),
        pages=tuple(page.url for page in one.found.spread_pages(LISTED_PAGES)),
        templates=tuple(_templates(usable, weights)),
        support=one.found.support,
        found=data_in_words(best.data) if best and best.data else "",
    )


def _templates(usable: Sequence[OpenedPage], weights: Sequence[float]) -> list[str]:
    """The pages with data, by parts of the site: the part with most of the domain first, its best page first."""
    parts: dict[tuple[str, int], list[tuple[float, str]]] = defaultdict(list)
    for page in usable:
        assert page.data is not None
        parts[site_part(page.url)].append((page.data.score(weights), page.url))
    ranked = sorted(parts.values(), key=lambda pages: (-sum(score for score, _ in pages), min(pages)))
    return [url for pages in ranked for _, url in sorted(pages, key=lambda pair: (-pair[0], pair[1]))]


def _passed_over(tally: SiteTally, most: int) -> list[str]:
    """What is to be said of the sites that were found, but not looked at."""
    rest = tally.ranked()[most:]
    if not rest:
        return []
    support = f"{rest[0].support} quer{'ies' if rest[0].support > 1 else 'y'}"
    return [f"{len(rest):,} more sites (found by at most {support}) were not looked at; raise `sites` to do so."]


def _page_problems(scored: Sequence[ScoredSite]) -> list[str]:
    """The causes of pages that failed, each with its address."""
    return [page.why_not for one in scored for page in one.evidence.opened if page.failed]
