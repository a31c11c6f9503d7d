"""Sites whose lists are paged in every usual way, served on the loopback interface.

`served(kind, pages)` runs one of `KINDS` or `TRAPS` with so many pages and says what a run must find there:

    with served(BY_NAME["rel-next"], 3) as site:
        walk(site.start)             # the address of the first page
        site.records                 # what the list holds: title, price, address of the own page
        site.stops                   # the reasons to stop that are right
        site.requests                # what was asked for so far

A run must find each of `records` exactly once, and each of `extra` at most once; what is the same is told by the link.
What is right is known when the run is over: some lists change while they are read. The trap `endless` has no end, and
expects a run whose budget is as many pages as it was served with.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Literal

from ..._server import Handler, Request, Site, serve, serve_from_thread
from . import _links as links
from . import _scripts as scripts
from . import _traps as traps
from ._looks import LOOKS
from ._records import Record, records_of
from ._shop import Shop, SiteMaker

__all__ = ["BY_NAME", "KINDS", "SIZES", "TRAPS", "Listed", "Needs", "PagingKind", "Served", "Stop", "served", "serving"]

SIZES = (1, 3, 12)
"""How many pages the lists have in tests."""

Stop = Literal["counter", "repeat", "dead end", "budget"]
"""Why a run ends: the page's own counter is reached, a page repeats one before, nothing leads on, or it is enough."""

Needs = Literal["links", "form", "click", "scroll", "choose"]
"""What it takes to see all: addresses, a form that posts, a click, scrolling, or a box to choose from."""


@dataclass(frozen=True)
class PagingKind:
    """A way to page a list, and what a run over it must come to.

    `stop_expected` are all reasons to stop that are true of the site, if it has more than one page; `stop_single` are
    those if it has one. `may_miss` says that a run must tell that something could be missing, `may_miss_single`
    the same for a list of one page.
    """

    name: str
    start: str
    needs: Needs
    stop_expected: tuple[Stop, ...]
    site: SiteMaker
    look: str
    per_page: int = 8
    stop_single: tuple[Stop, ...] = ("dead end",)
    may_miss: bool = False
    may_miss_single: bool = False

    def records_expected(self, pages: int) -> int:
        """How many records a list of so many pages holds: the last page is not full."""
        return self.per_page * (pages - 1) + self.per_page // 2 + 1

    def shop(self, pages: int) -> Shop:
        """The site itself, not yet served."""
        look = LOOKS[self.look]
        records = records_of(self.name, look.trade, self.records_expected(pages))
        return Shop(self.name, look, pages, self.per_page, list(records))


@dataclass(frozen=True)
class Listed:
    """A record as a run must find it; `link` is a whole address."""

    title: str
    price: str
    link: str


@dataclass(frozen=True)
class Served:
    """A site that runs."""

    kind: PagingKind
    pages: int
    site: Site
    shop: Shop

    @property
    def start(self) -> str:
        """The address of the first page."""
        return self.site.url(self.kind.start)

    @property
    def records(self) -> list[Listed]:
        """What a run must find, each exactly once, in the order of the list."""
        return self._listed(self.shop.records if self.shop.expected is None else self.shop.expected)

    @property
    def extra(self) -> list[Listed]:
        """What a run may find besides, at most once: it was not there when the run began."""
        return self._listed(self.shop.extra)

    @property
    def stops(self) -> tuple[Stop, ...]:
        """The reasons to stop that are right."""
        return self.kind.stop_expected if self.pages > 1 else self.kind.stop_single

    @property
    def may_miss(self) -> bool:
        """Whether a run must tell that something could be missing."""
        return self.kind.may_miss if self.pages > 1 else self.kind.may_miss_single

    @property
    def requests(self) -> list[Request]:
        """What was asked for so far, robots.txt and icons left out."""
        return [one for one in self.site.requests if one.path not in ("/robots.txt", "/favicon.ico")]

    def _listed(self, records: list[Record]) -> list[Listed]:
        return [Listed(record.title, record.price, self.site.url(record.link)) for record in records]


@contextmanager
def served(kind: PagingKind, pages: int) -> Iterator[Served]:
    """Run a site with so many pages while the block runs, in a thread of its own."""
    shop, handler = _running(kind, pages)
    with serve_from_thread({}, otherwise=handler, bodies=True) as site:
        yield Served(kind, pages, site, shop)


@asynccontextmanager
async def serving(kind: PagingKind, pages: int) -> AsyncIterator[Served]:
    """The same in the running event loop."""
    shop, handler = _running(kind, pages)
    async with serve({}, otherwise=handler, bodies=True) as site:
        yield Served(kind, pages, site, shop)


def _running(kind: PagingKind, pages: int) -> tuple[Shop, Handler]:
    shop = kind.shop(pages)
    answer = kind.site(shop)

    async def handle(request: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(answer(request) or shop.common(request))
        await writer.drain()

    return shop, handle


BOTH: tuple[Stop, ...] = ("counter", "dead end")
END: tuple[Stop, ...] = ("dead end",)

KINDS: tuple[PagingKind, ...] = (
    PagingKind(
        "rel-next", "/home-goods", "links", END,
        links.paged(links.by_query("/home-goods", "page"), links.rel_pager, links.rel_head), "shop",
    ),
    PagingKind(
        "numbers", "/lots", "links", BOTH, links.paged(links.by_query("/lots", "pg"), links.number_pager), "tables", 10,
        stop_single=BOTH,
    ),
    PagingKind(
        "german", "/artikel", "links", BOTH, links.paged(links.by_query("/artikel", "seite"), links.german_pager),
        "german", 9, stop_single=BOTH,
    ),
    PagingKind(
        "japanese", "/ichiran", "links", END, links.paged(links.by_query("/ichiran", "p"), links.japanese_pager),
        "japanese", 7,
    ),
    PagingKind(
        "arrows", "/components/list", "links", END,
        links.paged(links.by_query("/components/list", "page"), links.arrow_pager), "app", 11,
    ),
    PagingKind(
        "images", "/catalogue.php", "links", END,
        links.paged(links.by_query("/catalogue.php", "pageno"), links.image_pager), "tables",
    ),
    PagingKind(
        "offset", "/fiction?sort=title", "links", BOTH,
        links.paged(links.by_query("/fiction", "start", scale=True), links.offset_pager), "library", 20,
    ),
    PagingKind("cursor", "/stock", "links", END, links.cursors, "app", 12),
    PagingKind("path", "/shop/", "links", END,
               links.paged(links.by_path("/shop/", "/shop/page/{}/"), links.path_pager), "shop", 9),
    PagingKind("letters", "/directory", "links", END, links.letters, "library", 6),
    PagingKind("months", "/sales", "links", END, links.months, "blog", 6),
    PagingKind("view-all", "/range", "links", END, links.view_all, "shop", 9),
    PagingKind("blog", "/", "links", END,
               links.paged(links.by_path("/", "/archive/{}"), links.archive_pager), "blog", 7),
    PagingKind("load-more-link", "/new-in", "links", END, scripts.load_more_link, "shop", 9),
    PagingKind("load-more", "/browse", "click", END, scripts.load_more, "app", 10),
    PagingKind("load-more-counted", "/collection", "click", BOTH, scripts.load_more_counted, "shop", 9,
               stop_single=BOTH),
    PagingKind("infinite-observer", "/deals", "scroll", END, scripts.infinite_observer, "blog", 15),
    PagingKind("infinite-scroll", "/shelf", "scroll", END, scripts.infinite_scroll, "library", 20),
    PagingKind("virtual-window", "/inventory", "scroll", END, scripts.virtual_window, "app", 12),
    PagingKind("virtual-box", "/grid", "scroll", BOTH, scripts.virtual_box, "app", 12, stop_single=BOTH),
    PagingKind("form-post", "/find", "form", BOTH, scripts.form_post, "library", 8, stop_single=BOTH),
    PagingKind("postback", "/Lots.aspx", "form", END, scripts.postback, "tables", 8),
    PagingKind("script-pages", "/titles", "click", END, scripts.script_pages, "library", 8),
    PagingKind("hash-pages", "/sortiment", "click", END, scripts.hash_pages, "german", 8),
    PagingKind("select-box", "/catalogue/list", "choose", END, scripts.select_box, "tables", 9),
)  # fmt: skip

REPEAT: tuple[Stop, ...] = ("repeat",)
EITHER: tuple[Stop, ...] = ("repeat", "dead end")

TRAPS: tuple[PagingKind, ...] = (
    PagingKind("loops", "/specials", "links", REPEAT, traps.loops, "shop", 9, stop_single=REPEAT),
    PagingKind("next-is-itself", "/weekly", "links", EITHER, traps.next_is_itself, "german", stop_single=EITHER),
    PagingKind("repeats-last", "/bargains", "links", REPEAT, traps.repeats_last, "shop", 9, stop_single=REPEAT),
    PagingKind("redirects-home", "/all-parts", "links", REPEAT, traps.redirects_home, "app", stop_single=REPEAT),
    PagingKind("empty-last", "/clearance", "links", END, traps.empty_last, "shop", 9),
    PagingKind("empty-forever", "/hits", "links", EITHER, traps.empty_forever, "library", stop_single=EITHER),
    PagingKind("missing-next", "/sale", "links", END, traps.missing_next, "blog", may_miss=True, may_miss_single=True),
    PagingKind("counter-too-high", "/overview", "links", END, traps.counter_too_high, "german",
               may_miss=True, may_miss_single=True),
    PagingKind("counter-too-low", "/paperbacks", "links", END, traps.counter_too_low, "library", stop_single=BOTH),
    PagingKind("shifts", "/just-in", "links", END, traps.shifts, "shop", 9, may_miss=True),
    PagingKind("vanishes", "/auction", "links", BOTH, traps.vanishes, "tables", may_miss=True, stop_single=BOTH),
    PagingKind("sticky", "/picks", "links", END, traps.sticky, "blog"),
    PagingKind("twins", "/used", "links", END, traps.twins, "library"),
    PagingKind("endless", "/firehose", "links", ("budget",), traps.endless, "app", stop_single=("budget",),
               may_miss=True, may_miss_single=True),
    PagingKind("beside-calendar", "/offers", "links", END, traps.beside_calendar, "shop", 9),
    PagingKind("beside-reviews", "/tools", "links", END, traps.beside_reviews, "german"),
    PagingKind("session-ids", "/list.do", "links", END, traps.session_ids, "tables"),
    PagingKind("busy-once", "/popular", "links", END, traps.busy_once, "blog"),
    PagingKind("login-wall", "/members", "links", END, traps.walled, "library", may_miss=True),
)  # fmt: skip

BY_NAME = {kind.name: kind for kind in (*KINDS, *TRAPS)}
