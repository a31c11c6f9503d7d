"""Opens the best pages of promising sites and looks for usable data on each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from sightline.crawl.discover._phrases import DomainPhrases
from sightline.crawl.discover._score import OpenedPage
from sightline.crawl.discover._usable import PageData, read_regions, usable_region
from sightline.errors import SightlineError, VerificationError
from sightline.jobs import Extractor, Job, Meter, OnProgress, Outcome
from sightline.net import Document
from sightline.page import Page
from sightline.sources import Loader

__all__ = ["PageOpener", "round_robin"]

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
