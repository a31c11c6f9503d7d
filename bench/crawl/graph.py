"""Sites as graphs in memory, so that a crawl can be simulated in a second: outlines and links, read once and kept.

A link is a number of an address, of a place and of a text: a site has millions of links, and few different places.
"""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from urllib.parse import urldefrag, urljoin

import numpy as np
import numpy.typing as npt

from bench.crawl.forum import Forum
from bench.crawl.manuals import MANUALS, Manual
from bench.crawl.shop import Shop
from bench.crawl.sites import CACHE, address_of, load_manual
from sightline.sources import Anchor, PageOutline, decode, read_outline

FORMAT = 5  # of the files kept; one higher when what is kept changes
MOST_TRAPPED = 6  # traps have no end; pages so many steps inside one are left out
SHOPS = 2

_GENERATED = ("http://shop", "http://forum.")

Fetch = Callable[[str], bytes | None]
Links = npt.NDArray[np.int32]


@dataclass
class Graph:
    """The pages of a site that links lead to: each row of `links[page]` is page, place, text and rel by number."""

    name: str
    urls: list[str]
    outlines: list[PageOutline]
    """Without anchors."""
    places: list[str]
    texts: list[str]
    rels: list[str]
    links: list[Links]
    marks: list[frozenset[str]]
    """The names of the targets that each page is one of."""
    fetch: Fetch | None = None

    def text_of(self, page: int) -> str:
        """The text of a page, read again."""
        assert self.fetch is not None
        return _decoded(self.fetch(self.urls[page]) or b"")


@dataclass(frozen=True)
class Case:
    """A site with the targets to look for there."""

    site: str
    targets: str

    @property
    def name(self) -> str:
        """Both, as they are printed."""
        return f"{self.site}-{self.targets}"

    @property
    def graph(self) -> Graph:
        """The site."""
        return graph_of(self.site)

    @property
    def wanted(self) -> frozenset[int]:
        """The pages that are targets, by number."""
        graph = self.graph
        return frozenset(page for page, marks in enumerate(graph.marks) if self.targets in marks)


def cases() -> list[Case]:
    """Every site with every kind of target."""
    manuals = [Case(manual.name, targets) for manual in MANUALS for targets in manual.targets]
    return [*manuals, *(Case(f"shop{seed}", "products") for seed in range(SHOPS)), Case("forum", "threads")]


def maker_of(site: str) -> str:
    """The program that made the pages of a site; settings are chosen with all sites of one maker left out."""
    return next((manual.maker for manual in MANUALS if manual.name == site), site.rstrip("0123456789"))


@cache
def graph_of(site: str) -> Graph:
    """The graph of a site; read from its pages the first time."""
    fetch, start, marks = _source(site)
    kept = CACHE / f"{site}.{FORMAT}.pickle"
    if kept.exists():
        graph: Graph = pickle.loads(kept.read_bytes())
    else:
        graph = _read(site, fetch, start, marks)
        _keep(graph, kept)
    graph.fetch = fetch
    return graph


def _keep(graph: Graph, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(pickle.dumps(graph, protocol=5))
    part.replace(path)


Marks = Callable[[str, str], frozenset[str]]


def _source(site: str) -> tuple[Fetch, str, Marks]:
    if site.startswith("shop"):
        return _shop(int(site[4:]))
    return _forum() if site == "forum" else _manual(site)


def _manual(name: str) -> tuple[Fetch, str, Marks]:
    manual: Manual = next(one for one in MANUALS if one.name == name)
    pages, root = load_manual(manual), address_of(name, "")

    def fetch(url: str) -> bytes | None:
        path = pages.get(url.removeprefix(root))
        return path.read_bytes() if path and url.startswith(root) else None

    def marks(url: str, text: str) -> frozenset[str]:
        path = url.removeprefix(root)
        return frozenset(name for name, rule in manual.targets.items() if rule(path, text))

    return fetch, address_of(name, manual.front), marks


def _shop(seed: int) -> tuple[Fetch, str, Marks]:
    shop, root = Shop(seed), f"http://shop{seed}.test"

    def fetch(url: str) -> bytes | None:
        if not url.startswith(root + "/"):
            return None
        status, _, body = shop.page(url.removeprefix(root))
        return body if status == 200 else None

    def marks(url: str, _: str) -> frozenset[str]:
        return frozenset({"products"} if url.removeprefix(root) in shop.targets else ())

    return fetch, root + "/", marks


def _forum() -> tuple[Fetch, str, Marks]:
    forum, root = Forum(0), "http://forum.test"

    def fetch(url: str) -> bytes | None:
        return forum.page(url.removeprefix(root)) if url.startswith(root + "/") else None

    def marks(url: str, _: str) -> frozenset[str]:
        return frozenset({"threads"} if forum.is_target(url.removeprefix(root)) else ())

    return fetch, root + "/", marks


def _decoded(body: bytes) -> str:
    return decode(body).text


def _read(name: str, fetch: Fetch, start: str, marks: Marks) -> Graph:
    graph = Graph(name, [start], [], [], [], [], [], [])
    numbers: dict[str, int | None] = {start: 0}
    places: dict[str, int] = {}
    texts: dict[str, int] = {}
    rels: dict[str, int] = {}
    trapped = {start: 0}
    page = 0
    while page < len(graph.urls):
        url = graph.urls[page]
        text = _decoded(fetch(url) or b"")
        outline = read_outline(text)
        found: dict[tuple[int, int], tuple[int, ...]] = {}
        for anchor in _anchors(outline):
            target = _address(url, outline.base, anchor.href)
            if target not in numbers:
                depth = trapped[url] + 1 if is_trap(target) else 0
                exists = depth <= MOST_TRAPPED and fetch(target) is not None
                numbers[target] = len(graph.urls) if exists else None
                if exists:
                    graph.urls.append(target)
                    trapped[target] = depth
            number = numbers[target]
            if number is not None:
                place = places.setdefault(anchor.place, len(places))
                words = texts.setdefault(anchor.text, len(texts))
                rel = rels.setdefault(anchor.rel, len(rels))
                found.setdefault((number, place), (number, place, words, rel))
        graph.links.append(np.array(list(found.values()), np.int32).reshape(-1, 4))
        graph.outlines.append(replace(outline, anchors=()))
        graph.marks.append(marks(url, text))
        page += 1
    graph.places, graph.texts, graph.rels = list(places), list(texts), list(rels)
    return graph


def is_trap(url: str) -> bool:
    """Whether an address belongs to a trap of a shop."""
    return any(sign in url for sign in (".test/calendar/", ".test/archive/", "sid=", "sort="))


def _anchors(outline: PageOutline) -> list[Anchor]:
    refresh = outline.refresh.partition("=")[2].strip(" '\"")
    return [*outline.anchors, *([Anchor(refresh)] if refresh else [])]


def _address(url: str, base: str, href: str) -> str:
    try:
        address = urldefrag(urljoin(urljoin(url, base), href)).url
    except ValueError:  # an address such as `http://[`
        return ""
    return address + "index.html" if address.endswith("/") and not address.startswith(_GENERATED) else address
