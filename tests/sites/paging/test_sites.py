"""The sites serve what they say they do: whoever knows a site finds each of its records exactly once."""

import asyncio
from collections.abc import Iterator
from urllib.error import HTTPError

import pytest

import sightline as sl

from ._walkers import DRIVES, ON, WALKS, counting, fetched, followed, listed
from .kinds import BY_NAME, KINDS, SIZES, TRAPS, PagingKind, served, serving

MOST_STEPS = 40
LINKED = [kind for kind in KINDS if kind.name in WALKS]
# A browser takes its time for twelve pages: one of each need has them.
LONG = ("load-more", "infinite-observer", "infinite-scroll", "virtual-window", "virtual-box", "form-post")
DRIVEN = [(name, pages) for name in DRIVES for pages in SIZES if pages < max(SIZES) or name in LONG]


def test_kinds_are_many_and_differ() -> None:
    """No two share a name, and each look, each need and each reason to stop is used."""
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 18
    assert {kind.needs for kind in KINDS} == {"links", "form", "click", "scroll", "choose"}
    assert len({kind.look for kind in KINDS}) == 7


def test_sites_are_also_served_in_a_running_loop() -> None:
    """For tests that are coroutines themselves."""

    async def run() -> list[str]:
        async with serving(BY_NAME["rel-next"], 3) as site:
            await asyncio.to_thread(fetched, site.start)
            return [request.target for request in site.requests]

    assert asyncio.run(run()) == ["/home-goods"]


@pytest.mark.slow
@pytest.mark.parametrize("pages", SIZES)
@pytest.mark.parametrize("kind", LINKED, ids=lambda kind: kind.name)
def test_pages_with_addresses_hold_every_record_once(kind: PagingKind, pages: int) -> None:
    """Followed by one who knows the site; each record has a page of its own."""
    with served(kind, pages) as site:
        found = [record for page in WALKS[kind.name](site) for record in listed(page, site)]
        assert found == site.records
        assert len(set(found)) == len(found) == kind.records_expected(pages)
        single = fetched(found[-1].link)
        assert found[-1].title in single.title and found[-1].price in single.text_of()


# ---------------------------------------------------------------------- walking in a browser


@pytest.fixture(scope="module")
def session() -> Iterator[sl.Session]:
    """One browser for all tests of this module."""
    with sl.session() as one:
        yield one


@pytest.mark.slow
@pytest.mark.parametrize(("name", "pages"), DRIVEN)
def test_pages_of_scripts_hold_every_record_once(name: str, pages: int, session: sl.Session) -> None:
    """Seen in a browser by one who knows the site; only rows that leave the page are seen more than once."""
    with served(BY_NAME[name], pages) as site:
        session.goto(site.start)
        found = [record for page in DRIVES[name](site, session) for record in listed(page, site)]
        if name.startswith("virtual"):
            found = list(dict.fromkeys(found))
        assert found == site.records


# ---------------------------------------------------------------------- traps


STEPS_TO_ALL = [
    kind for kind in TRAPS if kind.name not in ("missing-next", "busy-once", "login-wall", "beside-reviews")
]


@pytest.mark.slow
@pytest.mark.parametrize("pages", SIZES)
@pytest.mark.parametrize("kind", STEPS_TO_ALL, ids=lambda kind: kind.name)
def test_traps_show_every_record_on_so_many_pages(kind: PagingKind, pages: int) -> None:
    """One who stops at the right page has them all, and what is doubled or new besides is what the trap is about."""
    with served(kind, pages) as site:
        said = ON.get(kind.name, "Next")
        found = followed(site, said, pages)
        assert list(dict.fromkeys(found)) == site.records
        assert bool(len(found) - len(set(found))) == (kind.name in ("shifts", "sticky") and pages > 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["loops", "next-is-itself", "repeats-last", "redirects-home"])
@pytest.mark.parametrize("pages", SIZES)
def test_traps_that_go_on_repeat_what_was_seen(name: str, pages: int) -> None:
    """After the last page comes one that has only records of before."""
    with served(BY_NAME[name], pages) as site:
        found = followed(site, ON.get(name, "Next"), pages + 1)
        assert len(found) > len(site.records) and set(found) == set(site.records)


@pytest.mark.parametrize("name", ["empty-last", "empty-forever"])
@pytest.mark.parametrize("pages", SIZES)
def test_traps_that_end_empty_have_a_page_more(name: str, pages: int) -> None:
    """It can be reached and holds no record."""
    with served(BY_NAME[name], pages) as site:
        assert followed(site, ON.get(name, "Next"), pages + 1) == site.records
        assert len(site.requests) == pages + 1


@pytest.mark.parametrize("pages", SIZES)
def test_a_next_link_may_lead_nowhere(pages: int) -> None:
    """The list ends with a link that is answered by 404."""
    with served(BY_NAME["missing-next"], pages) as site:
        assert followed(site, "Next", pages) == site.records
        with pytest.raises(HTTPError, match="404"):
            followed(site, "Next", pages + 1)


@pytest.mark.parametrize("pages", SIZES)
def test_a_busy_server_answers_the_second_time(pages: int) -> None:
    """Once it says when to come again; after that the list is whole."""
    with served(BY_NAME["busy-once"], pages) as site:
        with pytest.raises(HTTPError, match="429") as refused:
            followed(site, "Next", pages)
        assert refused.value.headers["Retry-After"] == "1"
        assert followed(site, "Next", pages) == site.records


@pytest.mark.parametrize("pages", SIZES)
def test_a_wall_hides_the_second_half(pages: int) -> None:
    """From there on one only gets a form for a password."""
    with served(BY_NAME["login-wall"], pages) as site:
        assert followed(site, "Next", pages) == site.records
        assert len(site.records) < site.kind.records_expected(pages) or pages == 1
        assert site.requests[-1].path == ("/login" if pages > 1 else "/members")


@pytest.mark.parametrize("pages", SIZES)
def test_lists_beside_the_list_do_not_hold_its_records(pages: int) -> None:
    """Its own numbers lead to all records; the pager of the reviews to the same ones again."""
    with served(BY_NAME["beside-reviews"], pages) as site:
        walk = counting("page")
        assert [record for page in walk(site) for record in listed(page, site)] == site.records
        assert set(followed(site, "Next", 3)) == set(site.records[: site.kind.per_page])


@pytest.mark.slow
def test_an_endless_calendar_is_endless() -> None:
    """Its months lead to further months, without a record."""
    with served(BY_NAME["beside-calendar"], 1) as site:
        assert followed(site, "Next ›", MOST_STEPS) == site.records
        assert len({request.target for request in site.requests}) == MOST_STEPS


def test_lists_that_change_tell_what_came_and_went() -> None:
    """A record that came may be found besides; one that moved to a page already read is not asked for."""
    with served(BY_NAME["shifts"], 3) as site:
        followed(site, "Next", 3)
        assert fetched(site.start) and site.extra[0] in listed(fetched(site.start), site)
    with served(BY_NAME["vanishes"], 3) as site:
        assert len(site.records) == site.kind.records_expected(3)
        found = followed(site, "Next", 3)
        assert (len(site.records), len(site.extra)) == (site.kind.records_expected(3) - 1, 1)
        assert site.extra[0] not in found
