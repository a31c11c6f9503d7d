"""What `sl.next_page` finds on the served sites, and what it is known to miss."""

import re
from collections.abc import Iterator
from functools import lru_cache

import pytest

import sightline as sl

from ._walkers import DRIVES, ON, WALKS, fetched, step_said
from .kinds import BY_NAME, KINDS, PagingKind, Served, served

PAGES = 12
PLACES = {"first": 0, "second": 1, "middle": PAGES // 2, "last": PAGES - 1}

GAPS = {
    "letters": "letters are no numbers, and no link of a strip from A to Z says “next”",
    "months": "months are no numbers, and no link of a strip of dates says “next”",
    "blog": "“older” leads on in blogs and back elsewhere; the weights know only that it pages",
    "postback": "the links lead to scripts and say numbers, of which none is a button for more",
}
BUTTONS = ("form-post", "load-more", "load-more-counted", "script-pages")
ADDRESSED = [kind for kind in KINDS if kind.name in WALKS and kind.name not in BUTTONS]


@pytest.fixture(scope="module")
def session() -> Iterator[sl.Session]:
    """One browser for all tests of this module."""
    with sl.session() as one:
        yield one


@lru_cache
def walked(kind: PagingKind) -> list[sl.Page]:
    """All pages of a site, read once."""
    with served(kind, PAGES) as site:
        return list(WALKS[kind.name](site))


def _places(kind: PagingKind) -> Iterator[object]:
    for name, place in PLACES.items():
        missed = GAPS.get(kind.name) if place < PAGES - 1 else None
        marks = [pytest.mark.xfail(reason=missed)] if missed else []
        yield pytest.param(kind, place, id=f"{kind.name}-{name}", marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "place"), [case for kind in ADDRESSED for case in _places(kind)])
def test_next_page_is_found_on_served_sites(kind: PagingKind, place: int) -> None:
    """On the first page, in the middle, and not on the last."""
    pages = walked(kind)
    wanted = pages[place + 1].url if place + 1 < PAGES else None
    assert sl.next_page(pages[place]).next == wanted


@pytest.mark.parametrize("kind", ADDRESSED, ids=lambda kind: kind.name)
def test_next_page_is_never_a_wrong_one(kind: PagingKind) -> None:
    """Where it is missed, nothing else is taken for it; a list of one page has none."""
    pages = walked(kind)
    for page, wanted in zip(pages, [*(page.url for page in pages[1:]), None], strict=True):
        assert sl.next_page(page).next in (wanted, None)
    with served(kind, 1) as site:
        assert sl.next_page(fetched(site.start)).next is None


@pytest.mark.slow
@pytest.mark.parametrize("name", BUTTONS)
def test_next_page_is_a_button_on_pages_of_scripts_and_forms(name: str, session: sl.Session) -> None:
    """The node to press is found; where the button is gone, so is the way."""
    with served(BY_NAME[name], 3) as site:
        session.goto(site.start)
        first = session.capture()
        found = sl.next_page(first)
        assert (found.next, found.way) == (None, "button")
        assert found.button is not None
        session.click(first.xpath(found.button))
        assert len(site.requests) > 1
        *_, last = _driven(site, session, name)
        assert sl.next_page(last).way is None


def _driven(site: Served, session: sl.Session, name: str) -> Iterator[sl.Page]:
    session.goto(site.start)
    return DRIVES[name](site, session)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "steps"),
    [
        *(("loops", 14), ("repeats-last", 14), ("redirects-home", 14), ("empty-forever", 14), ("endless", 14)),
        *(("empty-last", 13), ("missing-next", 12), ("counter-too-high", 12), ("counter-too-low", 12), ("shifts", 12)),
        *(("vanishes", 12), ("sticky", 12), ("twins", 12), ("beside-calendar", 12), ("session-ids", 12)),
        pytest.param("beside-reviews", 12, marks=pytest.mark.xfail(reason="“next” of a second list beats numbers")),
    ],
)
def test_next_page_is_what_a_trap_calls_so(name: str, steps: int) -> None:
    """It says what the page says; whether to go there is for whoever has read the other pages."""
    with served(BY_NAME[name], PAGES) as site:
        address: str | None = site.start
        for number in range(2, steps + 2):
            assert address
            page = fetched(address)
            wanted = step_said(page, ON.get(name, "Next"))
            if name == "beside-reviews":
                wanted = site.site.url(f"/tools?page={number}") if number <= PAGES else None
            assert _visitless(sl.next_page(page).next) == _visitless(wanted)
            address = wanted


def _visitless(address: str | None) -> str | None:
    """An address without its session number, of which every link has its own."""
    return address and re.sub(r"sid=\w+&", "", address)
