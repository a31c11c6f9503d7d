"""Whether all records were taken: counters in many words, gaps on the page, and numbers of good pages."""

from dataclasses import replace

import pytest

from sightline.checks import PageRecords, check_records, profile_of_run
from sightline.checks.records._coverage import announced_counts
from sightline.data import Records
from sightline.testing import element

from ._shop import listing, products, run_of_pages, take


@pytest.mark.parametrize(
    ("text", "here", "total"),
    [
        ("1–24 of 312", 24, 312),
        ("1 - 24 of 312 results", 24, 312),
        ("25 to 48 of 1,312", 24, 1312),
        ("Showing 24 of 312 results", 24, 312),
        ("1000 results - showing 1 to 20.", 20, None),
        ("1 bis 24 von 312 Artikeln", 24, 312),
        ("1-24 sur 312 produits", 24, 312),
        ("Artikel 1-24 von 1.312", 24, 1312),
        ("312 results", None, 312),
        ("12 Treffer", None, 12),
    ],
)
def test_counters_are_read(text: str, here: int | None, total: int | None) -> None:
    """Pages say in many words how many records they have."""
    assert [(own.here, own.total) for own in announced_counts(text)] == [(here, total)]


@pytest.mark.parametrize(
    "text", ["", "Page 1 of 3", "24-12 of 312", "2010-05-07", "5 of 5 stars", "call 1-800-555 of us"]
)
def test_other_numbers_are_no_counters(text: str) -> None:
    """Page numbers, dates and ratings announce nothing."""
    assert announced_counts(text) == []


def test_fewer_records_than_announced_are_told() -> None:
    """Twelve of twenty-four records: the page itself says so."""
    page = listing(products(24), counter="1–24 of 312")
    taken = take(page, "x.html")
    half = replace(taken, records=taken.records[:12])
    assert check_records([taken]).verdict == "ok"
    [first, *_] = check_records([half]).of("coverage")
    assert "announces 24" in first.reason
    assert first.source == "x.html"


def test_a_total_is_compared_only_where_all_fit_on_a_page() -> None:
    """312 results stand on many pages; 12 results stand on one that takes 24."""
    profile = profile_of_run([take(listing(products(24)))])
    many, few = take(listing(products(24), counter="312 results")), take(listing(products(12), counter="12 results"))
    assert check_records([many], profile).verdict == "ok"
    assert check_records([few], profile).of("coverage") == ()
    assert check_records([replace(few, page=None)], profile).of("coverage") == ()
    half = replace(few, records=few.records[:5])
    assert "announces 12" in check_records([half], profile).of("coverage")[0].reason


def test_only_one_page_of_a_list_is_the_last() -> None:
    """Of pages that announce one and the same total, two cannot both be short."""
    profile = profile_of_run([take(listing(products(10)))])
    run = [take(listing(products(10, 10 * own), counter="152 products:"), f"{own}.html") for own in range(4)]
    last, other = (take(listing(products(5, own), counter="152 products:"), f"{own}.html") for own in (50, 70))
    assert check_records([*run, last], profile).of("coverage") == ()
    assert len(check_records([*run, last, other], profile).of("coverage")) == 2


def test_records_left_out_are_seen_on_the_page() -> None:
    """Elements that are made as the records are and were not taken; other elements in the list are none."""
    page = listing(products(10), extra=[element("li", "More", class_="more")])
    taken = take(page)
    assert check_records([taken]).verdict == "ok"
    for part in (Records(list(taken.records)[::2]), taken.records[:5]):
        [issue] = check_records([replace(taken, records=part)]).of("coverage")
        assert "5 elements beside the 5 records" in issue.reason
        assert [page.node(own.nodes[0]).tag for own in issue.evidence] == ["li"] * 5


def test_numbers_of_records_are_compared_with_good_pages() -> None:
    """Many pages with half of the records are told; the last page of a list may have fewer."""
    run = run_of_pages(6, 10)
    profile = profile_of_run(run)
    without = [replace(own, page=None) for own in run]
    short = [replace(own, records=own.records[:5]) for own in without]
    assert check_records([*without[:5], short[5]], profile).verdict == "ok"
    assert check_records(short, profile).of("count")
    assert check_records([replace(run[0], records=run[0].records[:1], page=None)], profile).of("count")


def test_no_records_at_all_have_failed() -> None:
    """A run without anything has failed; a page without anything is suspicious."""
    run = run_of_pages(3)
    empty = PageRecords(Records([]), source="gone.html")
    assert check_records([empty, empty]).verdict == "failed"
    assert check_records([]).verdict == "failed"
    [issue] = check_records([*run, empty]).of("count")
    assert (issue.severity, issue.source) == ("suspicious", "gone.html")
