"""How long a click takes on a page of 10,000 nodes: the next hypothesis, and all its matches."""

import gc
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

import sightline as sl
from bench.frame import Figure
from bench.induce.columns import key
from bench.induce.sites import opened
from bench.teach.lessons import TaughtSite
from sightline.errors import UsageError
from sightline.page import Page, dumps, loads
from sightline.testing import Element, element, page_of

NODES = 10_000
ROUNDS = 5
MOST_MILLISECONDS = 150.0


@dataclass(frozen=True)
class Timed:
    """Seconds of a click that wants a text, and of one after it that rejects a match; all matches are found again."""

    page: str
    nodes: int
    want: float
    reject: float


def timed_clicks(sites: Sequence[TaughtSite]) -> list[Timed]:
    """A list of products made by hand, and the longest page of the set."""
    found = [_timed("products", long_listing(NODES), "1000 €", "1003 €")]
    if real := _longest(sites):
        found.append(_timed(*real))
    return [one for one in found if one is not None]


def click_figures(timed: Sequence[Timed]) -> tuple[Figure, ...]:
    """The slowest kind of click; every kind is a median."""
    if not timed:
        return ()
    value = 1000 * max(seconds for one in timed for seconds in (one.want, one.reject))
    title = f"a click on a page of {NODES:,} nodes, ms"
    return (Figure.of(title, value, MOST_MILLISECONDS, "lower", "ms"),)


def long_listing(nodes: int) -> Page:
    """A shop's list of products: a name, a price, and for every second one an older price and a note."""
    items: list[Element] = []
    count = 0
    while count < nodes:
        number = len(items)
        parts = [element("h3", element("a", f"Camera {number}")), element("span", f"{1000 + number} €", class_="price")]
        if number % 2:
            parts += [element("del", f"{1100 + number} €", class_="price"), element("p", "Few left", class_="note")]
        items.append(element("li", element("div", *parts, class_="card"), class_="product"))
        count += 11 if number % 2 else 7
    return page_of(element("html", element("body", element("ul", *items))), kind="static", title="Cameras")


def _longest(sites: Sequence[TaughtSite]) -> tuple[str, Page, str] | None:
    """The page with the most nodes among the largest files of the sites, and a text on it."""
    found: list[tuple[str, Page, str]] = []
    for own in sites:
        detailed = [path for path in own.site.files if any(own.site.truth[path.name].fields.values())]
        for path in sorted(detailed, key=lambda path: -path.stat().st_size)[:1]:
            text = next(texts[0] for texts in own.site.truth[path.name].fields.values() if texts)
            found.append((f"{own.site.name}/{path.name}", opened([path])[0], text))
    return max(found, key=lambda one: len(one[1]), default=None)


def _timed(name: str, page: Page, *texts: str) -> Timed | None:
    """Medians of clicks on the page just opened; None, and a word, where it cannot be clicked."""
    content = dumps(page)
    wants, rejects = [], []
    for _ in range(ROUNDS):
        fresh = loads(content)
        lesson = sl.teach()
        gc.collect()
        try:
            for text in texts:
                began = perf_counter()
                lesson.want("price", text, page=fresh)
                matches = lesson.matches("price", fresh)
                wants.append(perf_counter() - began)
            refused = _another(fresh, [match.node for match in matches], texts)
            began = perf_counter()
            lesson.reject("price", refused, page=fresh)
            lesson.matches("price", fresh)
            rejects.append(perf_counter() - began)
        except UsageError as problem:
            print(f"bench: {name}: {problem}")
            return None
    return Timed(name, len(page), statistics.median(wants), statistics.median(rejects))


def _another(page: Page, matched: Sequence[int], texts: Sequence[str]) -> int:
    """A match that was not asked for; where there is none, the last text of the page."""
    wanted = {key(text) for text in texts}
    others = [node for node in matched if key(page.node(node).text) not in wanted]
    return others[-1] if others else int(np.flatnonzero(page.is_text & ~page.is_blank & page.visible)[-1])
