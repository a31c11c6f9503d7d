"""The sites serve what they say they do: whoever knows a site finds each of its records exactly once."""

import re
from collections.abc import Callable, Iterator
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import urlopen

import pytest

import sightline as sl
from sightline.page import Page

from .kinds import BY_NAME, KINDS, SIZES, TRAPS, Listed, PagingKind, Served, served

PRICE = re.compile(r"(?:US\$ |USD |\$|£)[\d,.]+\d|\d[\d.,]*(?: €|円)")
MOST_STEPS = 40


def fetched(address: str, form: dict[str, str] | None = None) -> Page:
    """The page at an address as it is sent, without a browser."""
    try:
        with urlopen(address, urlencode(form).encode() if form else None) as answer:
            return sl.open(answer.read(), url=answer.geturl(), static=True)
    except HTTPError as problem:
        problem.close()
        raise


def links(page: Page) -> list[tuple[str, str, int]]:
    """What every link says, where it leads, and its node."""
    hrefs = page.attribute("href")
    return [
        (page.text_of(node).strip(), urljoin(page.url, page.strings[hrefs[node]]), node)
        for node in page.with_tag("a").tolist()
        if hrefs[node] >= 0
    ]


def listed(page: Page, site: Served) -> list[Listed]:
    """The records on a page: links to pages of records, each with the nearest price around it."""
    folder = site.site.url(site.shop.look.trade.folder)
    return [Listed(said, _price(page, node), to) for said, to, node in links(page) if to.startswith(folder) and said]


def _price(page: Page, node: int) -> str:
    while node >= 0:
        if found := PRICE.search(page.text_of(node)):
            return found[0]
        node = int(page.parent[node])
    return ""


# ---------------------------------------------------------------------- walking by addresses


def following(said: str) -> Callable[[Served], Iterator[Page]]:
    """Follow the link that says this until there is none."""

    def walk(site: Served) -> Iterator[Page]:
        address: str | None = site.start
        while address:
            page = fetched(address)
            yield page
            address = next((to for text, to, _ in links(page) if text == said), None)

    return walk


def counting(key: str, scale: int = 1, base: int = 1) -> Callable[[Served], Iterator[Page]]:
    """Ask for one number after the other."""

    def walk(site: Served) -> Iterator[Page]:
        yield fetched(site.start)
        joint = "&" if "?" in site.start else "?"
        for number in range(1, site.pages):
            yield fetched(f"{site.start}{joint}{key}={number * scale + base}")

    return walk


def all_that(pattern: str) -> Callable[[Served], Iterator[Page]]:
    """Open the start, and once each all that its links lead to and that look like this."""

    def walk(site: Served) -> Iterator[Page]:
        first = fetched(site.start)
        yield first
        yield from (fetched(to) for _, to, _ in links(first) if re.search(pattern, to))

    return walk


def posting(form: Callable[[int], dict[str, str]]) -> Callable[[Served], Iterator[Page]]:
    """Send one form after the other."""

    def walk(site: Served) -> Iterator[Page]:
        yield fetched(site.start)
        for number in range(2, site.pages + 1):
            yield fetched(site.start, form(number))

    return walk


WALKS: dict[str, Callable[[Served], Iterator[Page]]] = {
    "rel-next": following("Next ›"),
    "numbers": counting("pg"),
    "german": following("weiter »"),
    "japanese": following("次へ"),
    "arrows": following("›"),
    "images": counting("pageno"),
    "offset": counting("start", 20, 0),
    "cursor": following("Next"),
    "path": following("→"),
    "letters": all_that(r"letter="),
    "months": all_that(r"/sales/\d"),
    "view-all": counting("page"),
    "blog": following("← Older posts"),
    "load-more-link": following("Show more products"),
    "form-post": posting(lambda number: {"q": "fiction", "page": str(number)}),
    "postback": posting(lambda number: {"__EVENTTARGET": "gvLots", "__EVENTARGUMENT": f"Page${number}"}),
    "select-box": counting("p"),
}
LINKED = [kind for kind in KINDS if kind.name in WALKS]
SCRIPTED = [kind for kind in KINDS if kind.name not in WALKS]


def test_kinds_are_many_and_differ() -> None:
    """No two share a name, and each look, each need and each reason to stop is used."""
    assert len({kind.name for kind in KINDS}) == len(KINDS) >= 18
    assert {kind.needs for kind in KINDS} == {"links", "form", "click", "scroll", "choose"}
    assert len({kind.look for kind in KINDS}) == 7


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

Drive = Callable[[Served, sl.Session], Iterator[Page]]


@pytest.fixture(scope="module")
def session() -> Iterator[sl.Session]:
    """One browser for all tests of this module."""
    with sl.session() as one:
        yield one


def clicking(xpath: str, *, grows: bool = False) -> Drive:
    """Click on something as often as there are further pages; `{}` in it is the number of the page to come."""

    def drive(site: Served, session: sl.Session) -> Iterator[Page]:
        if not grows:
            yield session.capture()
        for number in range(2, site.pages + 1):
            session.click(xpath.format(number))
            if not grows:
                yield session.capture()
        if grows:
            yield session.capture()

    return drive


def scrolling(_: Served, session: sl.Session) -> Iterator[Page]:
    """Scroll to the end until the page does not get longer."""
    page, length = session.capture(), 0.0
    while page.bounds and page.bounds[3] > length:
        length = page.bounds[3]
        page = session.scroll(int(length)).capture()
    yield page


def rolling(site: Served, session: sl.Session) -> Iterator[Page]:
    """Scroll down window by window; rows come and go."""
    page = session.capture()
    yield page
    for top in range(0, len(site.shop.records) * 72 + 300, 900):
        yield session.scroll(top).capture()


def paging_down(site: Served, session: sl.Session) -> Iterator[Page]:
    """Give the keys to the box and page down in it."""
    yield session.click("//h1").press("Tab").capture()
    for _ in range(len(site.shop.records) * 72 // 600):
        yield session.press("PageDown").capture()


DRIVES: dict[str, Drive] = {
    "load-more": clicking("//*[@id='more']", grows=True),
    "load-more-counted": clicking("//*[@id='pull']", grows=True),
    "load-more-link": clicking("//a[@class='show-more']", grows=True),
    "infinite-observer": scrolling,
    "infinite-scroll": scrolling,
    "virtual-window": rolling,
    "virtual-box": paging_down,
    "form-post": clicking("//button[text()='Next page']"),
    "postback": clicking("//a[text()='{}']"),
    "script-pages": clicking("//button[text()='Next']"),
    "hash-pages": clicking("//a[text()='{}']"),
}


@pytest.mark.parametrize("pages", SIZES)
@pytest.mark.parametrize("name", DRIVES)
def test_pages_of_scripts_hold_every_record_once(name: str, pages: int, session: sl.Session) -> None:
    """Seen in a browser by one who knows the site; only rows that leave the page are seen more than once."""
    with served(BY_NAME[name], pages) as site:
        session.goto(site.start)
        found = [record for page in DRIVES[name](site, session) for record in listed(page, site)]
        if name.startswith("virtual"):
            found = list(dict.fromkeys(found))
        assert found == site.records


# ---------------------------------------------------------------------- traps


def _step(page: Page, said: str) -> str | None:
    return next((to for text, to, _ in links(page) if text == said), None)


def followed(site: Served, said: str, most: int) -> list[Listed]:
    """What one finds who follows a link at most so often and leaves out what was seen."""
    found: list[Listed] = []
    address: str | None = site.start
    for _ in range(most):
        if address is None:
            break
        page = fetched(address)
        found += listed(page, site)
        address = _step(page, said)
    return found


ON = {"next-is-itself": "»", "empty-forever": ">", "redirects-home": "Next page"}
STEPS_TO_ALL = [
    kind for kind in TRAPS if kind.name not in ("missing-next", "busy-once", "login-wall", "beside-reviews")
]


@pytest.mark.parametrize("pages", SIZES)
@pytest.mark.parametrize("kind", STEPS_TO_ALL, ids=lambda kind: kind.name)
def test_traps_show_every_record_on_so_many_pages(kind: PagingKind, pages: int) -> None:
    """One who stops at the right page has them all, and what is doubled or new besides is what the trap is about."""
    with served(kind, pages) as site:
        said = ON.get(kind.name, "Next")
        found = followed(site, said, pages)
        assert list(dict.fromkeys(found)) == site.records
        assert bool(len(found) - len(set(found))) == (kind.name in ("shifts", "sticky") and pages > 1)


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
