"""Which sites matter, and whether more of them are to be expected."""

import pytest

from sightline.crawler.discover import SearchResult
from sightline.crawler.discover._sample import SiteTally


def _tally(*queries: str) -> SiteTally:
    """A tally of queries, each given by the sites that it finds."""
    tally = SiteTally()
    for number, sites in enumerate(queries):
        tally.add(number, [(site, SearchResult(f"https://{site}/{number}")) for site in sites.split()])
    return tally


def test_support_counts_queries_and_not_results() -> None:
    """Ten pages of one query are one support."""
    tally = SiteTally()
    tally.add(0, [("a", SearchResult(f"https://a/{number}")) for number in range(10)])
    tally.add(1, [("b", SearchResult("https://b/"))])
    tally.add(2, [("b", SearchResult("https://b/"))])
    assert [(site.site, site.support) for site in tally.ranked()] == [("b", 2), ("a", 1)]


def test_site_matters_after_three_queries_or_one_in_twenty() -> None:
    """So that the tail does not matter however long it is asked."""
    assert _tally("a", "a").mattering == 0
    assert _tally("a", "a", "a").mattering == 1
    long = _tally("a", "a", "a", *["b"] * 77)
    assert long.needed == 4
    assert long.mattering == 1


def test_estimate_is_that_of_good_and_turing() -> None:
    """Three times the sites found by exactly three queries, over all finds."""
    tally = _tally("a b c", "a b", "a b", "a")
    assert tally.unseen == pytest.approx(3 * 1 / 8)
    assert _tally().unseen == 1.0


def test_quiet_queries_are_counted_in_a_row() -> None:
    """A site that begins to matter ends the row; a query without results is neither here nor there."""
    assert _tally("a", "a", "a").quiet_for == 0
    assert _tally("a", "a", "a", "a b", "", "b").quiet_for == 2
    assert _tally("a", "a", "a", "a b", "b", "b").quiet_for == 0


def test_pages_are_taken_from_all_parts_of_a_site() -> None:
    """The most supported page first, then that of another part."""
    tally = SiteTally()
    urls = ("https://a/news/1", "https://a/news/2", "https://a/list/1")
    for number, found in enumerate((urls, urls[:2], urls[:1])):
        tally.add(number, [("a", SearchResult(url)) for url in found])
    pages = [page.url for page in tally.sites["a"].spread_pages(None)]
    assert pages == ["https://a/news/1", "https://a/list/1", "https://a/news/2"]
