"""Lists that are paged in every way, and lists that mislead, are collected whole, or it is said that they are not."""

from collections.abc import Iterator

import pytest

import sightline as sl

from ...sites.paging.kinds import KINDS, TRAPS, PagingKind, Served, served

PAGES = 3
POLITE = sl.Manners(delay=0)
STOPS = {"counter": "counter", "end": "dead end", "repeated": "repeat", "budget": "budget", "failed": "dead end"}
GAPS = {
    "months": "a strip of months is not known for pages",
    "virtual-box": "only the window is scrolled, not a box in it; that records are missing is told",
    "beside-reviews": "all is collected, but the stop is told to be a repetition, which is that of the list beside it",
}
TOLD = ("virtual-box",)


def _params(kinds: tuple[PagingKind, ...]) -> Iterator[object]:
    for kind in kinds:
        marks = [pytest.mark.xfail(reason=GAPS[kind.name], strict=True)] if kind.name in GAPS else []
        yield pytest.param(kind, id=kind.name, marks=marks)


def _check(site: Served, found: sl.Collection) -> None:
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
        _check(site, sl.collect(site.start, manners=POLITE, pages=4 * PAGES))


@pytest.mark.parametrize("kind", list(_params(TRAPS)))
def test_traps_are_left_again(kind: PagingKind) -> None:
    """Nothing is endless or doubled, and what could be missing is told."""
    with served(kind, PAGES) as site:
        most = PAGES if kind.name == "endless" else 10 * PAGES
        found = sl.collect(site.start, static=True, manners=POLITE, pages=most)
        assert len(site.requests) <= 4 * PAGES
        _check(site, found)


@pytest.mark.parametrize("kind", [pytest.param(kind, id=kind.name) for kind in (*KINDS, *TRAPS) if kind.name in TOLD])
def test_where_records_are_missing_it_is_told(kind: PagingKind) -> None:
    """A part is never called ok."""
    with served(kind, PAGES) as site:
        assert sl.collect(site.start, static=kind in TRAPS, manners=POLITE, pages=4 * PAGES).verdict == "suspicious"
