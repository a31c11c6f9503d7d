"""Walkers that know the sites: how each list is read without finding anything out."""

import re
from collections.abc import Callable, Iterator
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin
from urllib.request import urlopen

import sightline as sl
from sightline.page import Page

from .kinds import Listed, Served

__all__ = ["DRIVES", "ON", "WALKS", "counting", "fetched", "followed", "links", "listed", "step_said"]

PRICE = re.compile(r"(?:US\$ |USD |\$|£)[\d,.]+\d|\d[\d.,]*(?: €|円)")


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

# ---------------------------------------------------------------------- walking in a browser

Drive = Callable[[Served, sl.Session], Iterator[Page]]


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


def choosing(site: Served, session: sl.Session) -> Iterator[Page]:
    """Open the box and choose the page below."""
    yield session.capture()
    for _ in range(1, site.pages):
        yield session.click("//select").press("ArrowDown").press("Enter").capture()


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
    "select-box": choosing,
    "script-pages": clicking("//button[text()='Next']"),
    "hash-pages": clicking("//a[text()='{}']"),
}


# ---------------------------------------------------------------------- following a link


def step_said(page: Page, said: str) -> str | None:
    """Where the first link that says this leads."""
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
        address = step_said(page, said)
    return found


ON = {"next-is-itself": "»", "empty-forever": ">", "redirects-home": "Next page"}
