"""The same again: on a page, and for another address."""

from dataclasses import replace

from sightline.checks import PageRecords, check_records
from sightline.data import Records

from ._shop import listing, products, run_of_pages, take


def test_a_page_that_repeats_records_is_told() -> None:
    """Half of the list is the other half again."""
    taken = take(listing([*products(5), *products(5)]), "x.html")
    [issue] = check_records([taken]).of("duplicates")
    assert "5 of 10 records repeat another" in issue.reason


def test_the_old_page_for_a_new_address_is_told() -> None:
    """A stale page: the records of the first address came back for the second."""
    run = run_of_pages(3)
    assert check_records(run).verdict == "ok"
    for stale in (replace(run[0], source="page9.html"), replace(run[0], source="page9.html", page=None)):
        [issue] = check_records([*run, stale]).of("duplicates")
        assert issue.source == "page9.html"
        assert "page0.html" in issue.reason


def test_one_address_twice_is_no_stale_page() -> None:
    """Whoever asks for a page twice gets it twice."""
    run = run_of_pages(2)
    assert check_records([*run, run[0]]).verdict == "ok"


def test_short_records_may_be_the_same() -> None:
    """Two people may have the same age, and two pages may differ in what was not taken."""
    ages = Records([{"age": "41"}])
    assert check_records([PageRecords(ages, source="a"), PageRecords(ages, source="b")]).verdict == "ok"
    [one, other] = [take(listing(products(3), title=title), title) for title in ("Spring", "Autumn")]
    assert check_records([one, other]).of("duplicates") == ()
