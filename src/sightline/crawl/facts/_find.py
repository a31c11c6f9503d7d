"""Facts of sources: pages are read one by one, and only what they state is kept."""

from collections.abc import Iterable

from sightline.crawl.facts._consensus import settle
from sightline.crawl.facts._facts import Facts
from sightline.crawl.facts._gather import GatheredClaims
from sightline.crawl.facts._merge import merge
from sightline.crawl.facts._settings import FactSettings
from sightline.crawl.facts._statements import PageStatements, state
from sightline.errors import SightlineError
from sightline.jobs import Cancel, Job, OnProgress, Outcome
from sightline.page import Page
from sightline.sources import Loader

__all__ = ["facts_of", "facts_of_pages", "find_facts"]


def find_facts(
    sources: Iterable[str | bytes],
    loader: Loader,
    *,
    settings: FactSettings | None = None,
    on_progress: OnProgress | None = None,
    cancel: Cancel | None = None,
) -> Facts:
    """Open all sources, one page at a time, and find what they say together."""
    return facts_of(Job(sources, state, loader, on_progress=on_progress, cancel=cancel), settings)


def facts_of(outcomes: Iterable[Outcome[PageStatements]], settings: FactSettings | None = None) -> Facts:
    """The facts of what a job with `state` gives; a source that failed is told and stops no other."""
    settings = settings or FactSettings()
    gathered, failed, gaps = GatheredClaims(settings.places), list[tuple[str, SightlineError]](), list[str]()
    for outcome in outcomes:
        if outcome.found is not None:
            gathered.add(outcome.found)
            gaps += [f"{outcome.source}: {gap}" for gap in (outcome.page.gaps if outcome.page else ())]
        elif outcome.error:
            failed.append((outcome.source, outcome.error))
    merged = merge(gathered.claims(), gathered.subjects(), by_evidence=settings.merging == "evidence")
    names = {number: site for site, number in gathered.sites.items()}
    facts, sites = settle(merged, names, by_sources=settings.weighing == "sources")
    return Facts(
        facts, sites, gathered.pages, gathered.mirrors, gathered.set_aside, failed=tuple(failed), gaps=tuple(gaps)
    )


def facts_of_pages(pages: Iterable[Page], settings: FactSettings | None = None) -> Facts:
    """The facts of pages that are open already.

    >>> from sightline.testing import grid_page
    >>> page = grid_page([["Name", "Weight"], ["EOS 5D", "675 g"], ["D70", "700 g"], ["D80", "701 g"]])
    >>> facts_of_pages([page]).get("eos-5d", "weight").value
    '675 g'
    """
    return facts_of((Outcome(page.url, page, state(page, page.url)) for page in pages), settings)
