"""Lists that are paged in every way, and lists that mislead, are collected whole, or it is said that they are not."""

from collections.abc import Iterator

import pytest

import sightline as sl
from sightline.navigate import Collection
from sightline.net import CrawlPolicy

from ...sites.paging.kinds import KINDS, TRAPS, PagingKind, Served, served

pytestmark = pytest.mark.slow

PAGES = 3
POLITE = CrawlPolicy(delay=0)
STOPS = {"counter": "counter", "end": "dead end", "repeated": "repeat", "budget": "budget", "failed": "dead end"}


def _params(kinds: tuple[PagingKind, ...]) -> Iterator[object]:
    for kind in kinds:
        yield pytest.param(kind, id=kind.name)


def _check(site: Served, found: Collection) -> None:
    links = [str(record["link"]) for record in found.records.to_dicts()]
    wanted, allowed = {one.link for one in site.records}, {one.link for one in site.extra}
    assert len(links) == len(set(links))
    assert wanted <= set(links) <= wanted | allowed
    assert STOPS[found.stop.kind] in site.stops
    assert (found.verdict != "ok") == (site.may_miss or found.stop.kind in ("budget", "failed"))


@pytest.mark.parametrize("kind", list(_params(KINDS)))
def test_every_kind_of_paging_is_collected_in_a_browser(kind: PagingKind) -> None:
    """Each record once, none left out, and the stop is told rightly."""
    with served(kind, PAGES) as site:
        _check(site, sl.collect(site.start, policy=POLITE, pages=4 * PAGES))


@pytest.mark.parametrize("kind", list(_params(TRAPS)))
def test_traps_are_left_again(kind: PagingKind) -> None:
    """Nothing is endless or doubled, and what could be missing is told."""
    with served(kind, PAGES) as site:
        most = PAGES if kind.name == "endless" else 10 * PAGES
        found = sl.collect(site.start, static=True, policy=POLITE, pages=most)
        assert len(site.requests) <= 4 * PAGES
        _check(site, found)
