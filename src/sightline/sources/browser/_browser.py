"""The browser source: pages rendered by Chromium, in tabs that are reused.

URLs are visited by one process, saved pages by another that can reach nothing: a saved page comes from anywhere, and
there are more ways to the network than requests that a tab announces (prefetching, WebSockets, WebRTC, workers).

A page that crashes or hangs its tab gets one more try in a new tab, then an error that names it; other pages are not
affected. Everything has a deadline, and closing the browser leaves nothing behind.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from urllib.parse import urlsplit

import numpy as np

from sightline.errors import BlockedError, BrowserError, DeadlineError, LimitError, UnreachableError
from sightline.net import (
    CrawlPolicy,
    Document,
    EgressProxy,
    Limits,
    RequestPolicy,
    is_loopback,
    origins_of,
    status_problem,
)
from sightline.page import DrawnRules, Page, Words, ends
from sightline.signals import LOGIN, recognise_wall
from sightline.sources.browser._library import SHELF, Library
from sightline.sources.browser._open_tabs import Windows
from sightline.sources.browser._pipe import CallError
from sightline.sources.browser._process import SEALED, WITHOUT_WINDOWS, BrowserProcess
from sightline.sources.browser._settings import BrowserSettings
from sightline.sources.browser._snapshot import STYLES, Shadows, Snapshot, decode, has_shadows
from sightline.sources.browser._tab import Tab
from sightline.sources.browser._tab_wire import asking_for_all
from sightline.sources.browser._visit import Visit, check_kind
from sightline.sources.browser._word_boxes import CssFont, crossing, texts_of, with_lines, words_of
from sightline.sources.html import PLAIN, shallow, shows_more, too_deep
from sightline.sources.html import decode as decode_text

# The tabs of one browser process: opened when needed, reused while clean, and kept within a memory budget.

WATCH_SECONDS = (
    0.5  # between two checks of the browser's memory while pages are open; a check takes about a millisecond
)


class TabPool:
    """Tabs of a process that is started with the first of them, and again when it died or grew too large."""

    def __init__(
        self,
        settings: BrowserSettings,
        user_agent: str,
        arguments: Callable[[], Awaitable[tuple[str, ...]]],
        *,
        started: Callable[[BrowserProcess], Awaitable[None]] | None = None,
    ) -> None:
        self._settings = settings
        self._user_agent = user_agent
        self._arguments = arguments
        self._started = started
        self._starting = asyncio.Lock()
        self._busy = 0
        self._over_budget = False
        self._watcher: asyncio.Task[None] | None = None
        self.process: BrowserProcess | None = None
        self.idle: list[Tab] = []

    async def close(self) -> None:
        """Quit the process; the next tab starts it again."""
        self.idle.clear()
        if self._watcher:
            self._watcher.cancel()
        process, self.process = self.process, None
        if process:
            await process.stop()

    @asynccontextmanager
    async def tab(self) -> AsyncIterator[Tab]:
        """A clean tab; returned to the pool if all went well, otherwise closed."""
        self._busy += 1
        kept = False
        tab = None
        try:
            process = await self._running()
            tab = self._take_idle() or await Tab.open(process.connection, self._settings, user_agent=self._user_agent)
            yield tab
            kept = tab.pages < self._settings.pages_per_tab and await tab.leave() and process is self.process
        finally:
            self._busy -= 1
            if kept and tab:
                self.idle.append(tab)
            elif tab:
                await asyncio.shield(tab.close())

    def _take_idle(self) -> Tab | None:
        """An idle tab that is still alive."""
        while self.idle:
            tab = self.idle.pop()
            if not tab.worn:
                return tab
        return None

    async def _running(self) -> BrowserProcess:
        """The process, started if there is none or the last one died or grew too large."""
        async with self._starting:
            if self.process and self.process.alive and not self._too_large():
                return self.process
            if self.process:
                await self.process.stop()
            self.idle.clear()
            self.process = await BrowserProcess.start(await self._arguments(), headed=self._settings.headed)
            if self._started:
                await self._started(self.process)
            if self._watcher is None or self._watcher.done():
                self._watcher = asyncio.create_task(self._watch())
            return self.process

    # ------------------------------------------------------------------ memory

    def _too_large(self) -> bool:
        """Whether the browser, with no other page open, uses too much memory and must be replaced."""
        return self._busy == 1 and self._over_budget and self.process is not None and self._is_over()

    def _is_over(self) -> bool:
        return self.process is not None and self.process.memory() > self._settings.memory

    async def _watch(self) -> None:
        """Keep the browser within its memory budget: close idle tabs first, then the largest page."""
        while self.process:
            await asyncio.sleep(WATCH_SECONDS)
            self._over_budget = self.process is not None and self.process.alive and self._is_over()
            if not self._over_budget:
                continue
            if self.idle:
                await self.idle.pop().close()
            elif self._busy and self.process:
                self.process.kill_largest_page()


TRIES = 2
ERROR_PAGE = "chrome-error:"  # the address of what the browser shows for a page that it could not load
MOST_WIDTHS = 500_000  # of characters in fonts, kept from page to page; some hundred bytes each
MAX_CHARACTERS = 200_000  # of a page's text are enough to recognise a wall
# A page with this many tags per allowed node is rejected unseen: text needs no tag, closing tags aren't nodes.
TAGS_PER_NODE = 4


class Browser:
    """Renders documents and URLs. Belongs to one event loop; open it with `async with`."""

    def __init__(
        self,
        settings: BrowserSettings | None = None,
        limits: Limits | None = None,
        policy: CrawlPolicy | None = None,
        *,
        requests: RequestPolicy | None = None,
    ) -> None:
        self.settings: BrowserSettings = settings or BrowserSettings()
        self.limits: Limits = limits or Limits()
        self.policy: CrawlPolicy = policy or CrawlPolicy()
        self._owns_requests = requests is None
        self.requests: RequestPolicy = requests or RequestPolicy(self.limits, self.policy)
        self._egress_proxy: EgressProxy | None = None
        self._slots = asyncio.Semaphore(self.settings.tabs)
        self._networked = TabPool(self.settings, self.policy.user_agent, self._without_windows)
        # Pages of sessions may open tabs, so they have a process of their own.
        self._interactive = TabPool(
            self.settings, self.policy.user_agent, self._through_the_proxy, started=self._watch_windows
        )
        self._windows: Windows | None = None
        self._sealed = TabPool(self.settings, self.policy.user_agent, _sealed)
        self.received: int = 0  # bytes of all answers, as they came over the wire
        self._widths: dict[str, dict[CssFont, dict[str, float]]] = {}

    async def __aenter__(self) -> "Browser":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Quit the browser; the next page starts it again."""
        await asyncio.gather(*(pool.close() for pool in self._pools))
        proxy, self._egress_proxy = self._egress_proxy, None
        if proxy:
            await proxy.close()
        if self._owns_requests:
            await self.requests.wire.close()

    @property
    def processes(self) -> list[BrowserProcess]:
        """The running processes: for URLs, for saved pages, for sessions; those that are needed so far."""
        return [pool.process for pool in self._pools if pool.process]

    @property
    def _pools(self) -> tuple[TabPool, ...]:
        return self._networked, self._sealed, self._interactive

    # ------------------------------------------------------------------ pages

    async def load_url(self, url: str) -> Page:
        """The rendered page of a URL."""
        async with self.requests.turn(url) as location:
            page, visit = await self._load(location.browser_url, url)
        self.received += visit.wire_bytes
        await self.check_answer(page, visit, url)
        return page

    async def load_document(self, document: Document, parts: dict[str, Document] | None = None) -> Page:
        """The rendered page of a local document, with what was saved beside it.

        Without the setting `remote` it is rendered by a process that cannot reach any network.
        """
        text = decode_text(document.content, document.charset).text
        if (tags := text.count("<")) > TAGS_PER_NODE * self.limits.nodes:
            problem = f"has about {tags:,} tags; raise the limit `nodes` ({self.limits.nodes:,}) to read it."
            raise LimitError(document.source, problem, limit="nodes")
        library = Library.of(document, text, parts)
        page, _ = await self._load(library.address, document.source, library)
        if self.settings.scripts and shows_more(text, page, self.limits):
            page = await self._without_scripts(library, document.source, page)
        missing = document.notes
        return replace(page, url=document.url, notes=(*missing, *page.notes), gaps=(*missing, *page.gaps))

    async def _without_scripts(self, library: Library, source: str, page: Page) -> Page:
        """A saved page as seen without scripts, if that shows more than it does with them here."""
        plain, _ = await self._load(library.address, source, library, scripts=False)
        return replace(plain, notes=(*plain.notes, PLAIN)) if len(plain.words) > len(page.words) else page

    async def check_answer(self, page: Page, visit: Visit, source: str, *, log_in: bool = False) -> None:
        """Reject an answer that is a wall or an error, whatever it looks like; but a log-in may be wanted."""
        if page.url.startswith(ERROR_PAGE):
            raise UnreachableError(source, "went on to another page, which could not be reached; check the address.")
        if visit.redirects:
            await self.requests.check(page.url, source=source)
        text = page.text_of(0)[:MAX_CHARACTERS] if len(page) else ""
        wall = recognise_wall(visit.status, visit.headers, page.url, page.title, text)
        if wall and not (log_in and wall.kind == LOGIN):
            problem = f"answered with a {wall.kind} ({wall.evidence}); nothing was extracted."
            raise BlockedError(source, problem, page=page)
        if visit.status is not None and visit.status >= 400:
            raise status_problem(source, visit.status)

    async def _load(
        self, url: str, source: str, library: Library | None = None, *, scripts: bool = True
    ) -> tuple[Page, Visit]:
        """The page, in at most two tries that share one deadline; waiting for a free tab does not count."""
        pool = self._networked if library is None or self.settings.remote else self._sealed
        async with self._slots:
            end = asyncio.get_running_loop().time() + self.limits.page_seconds
            for attempt in range(1, TRIES + 1):
                try:
                    async with pool.tab() as tab, asyncio.timeout_at(end):
                        if pool is self._networked:
                            tab.access = self.requests.access
                        if library is None:
                            await self._log_in(tab, url)
                        if not scripts:
                            await tab.stop_scripts()
                        return await self._load_in(tab, url, source, library)
                except CallError as problem:
                    if attempt == TRIES:
                        what = f"could not be rendered in {TRIES} tries ({problem})"
                        raise BrowserError(
                            source, f"{what}; it may need a larger `memory`, or `--static`."
                        ) from problem
                except TimeoutError as problem:
                    what = f"took longer than {self.limits.page_seconds:g} s"
                    raise DeadlineError(source, f"{what}; raise the limit `page_seconds` to wait longer.") from problem
        raise AssertionError("the last try returns or raises")

    async def _log_in(self, tab: Tab, url: str) -> None:
        """Give a tab the recorded log-in, if there is one."""
        if not (login := self.requests.access.state):
            return
        from sightline.sources.browser._state import restore  # which few pages need

        origin = next(iter(origins_of([url])), "")
        if login.storage.get(origin):
            tab.worn = True  # what it stores is not for the next page
            await tab.call(*asking_for_all(logins=False))
        await restore(tab, login, self.policy.state, only=origin)
        if login.storage.get(origin):
            await tab.call("Fetch.disable")

    async def _load_in(self, tab: Tab, url: str, source: str, library: Library | None) -> tuple[Page, Visit]:
        visit = await tab.visit(url, source, self.limits, library=library, remote=self.settings.remote)
        check_kind(visit, source)
        if self.settings.scroll:
            await tab.scroll_to_end(visit, self.limits)
        elif visit.scrolled:
            await tab.scroll_to_top()
        await tab.stand_still(visit, self.limits)
        if visit.elements > self.limits.nodes:
            problem = f"has {visit.elements:,} elements; raise the limit `nodes` ({self.limits.nodes:,}) to read it."
            raise LimitError(source, problem, limit="nodes")
        return await self.captured(tab, visit, source), visit

    async def captured(self, tab: Tab, visit: Visit, source: str, *, picture: bool = False) -> Page:
        """The current content of a tab, as a page."""
        answer = await tab.capture(self.limits.page_seconds)
        snapshot = _decoded(answer, source, await tab.shadows() if has_shadows(answer) else None)
        snapshot = _not_too_deep(snapshot, visit, self.limits)
        snapshot = await _with_columns(tab, snapshot, visit, self.settings)
        words = await self._words(tab, snapshot, visit)
        screenshot = await tab.screenshot(snapshot.size) if self.settings.screenshot or picture else None
        return _page(snapshot, words, visit, self.settings, screenshot)

    async def _words(self, tab: Tab, snapshot: Snapshot, visit: Visit) -> Words:
        """The words; widths are measured once and cached, for a site's own fonts per site."""
        texts = texts_of(snapshot)
        if sum(len(widths) for fonts in self._widths.values() for widths in fonts.values()) > MOST_WIDTHS:
            self._widths.clear()
        widths_of_site = self._widths.setdefault(_whose_fonts(visit), {})
        measured = {font: widths_of_site.setdefault(font, {}) for font in texts.pieces}
        missing = {
            font: [piece for piece in pieces if piece not in measured[font]] for font, pieces in texts.pieces.items()
        }
        needed = {font: pieces for font, pieces in missing.items() if pieces}
        for font, widths in (await tab.measure(needed) if needed else {}).items():
            measured[font].update(widths)
        return words_of(snapshot, texts, widths_of_site)

    # ------------------------------------------------------------------ sessions

    @asynccontextmanager
    async def own_tab(self) -> AsyncIterator[tuple[Tab, Windows]]:
        """A tab for exclusive use that is never reused, and what watches the windows that its pages open."""
        async with self._slots, self._interactive.tab() as tab:
            tab.worn = True  # what it stored is not for the next page
            if self._windows is None:
                raise AssertionError("the process of sessions watches windows from its start")
            yield tab, self._windows

    # ------------------------------------------------------------------ how processes are started

    async def _through_the_proxy(self) -> tuple[str, ...]:
        """The arguments that leave one way out: our own proxy in server use, or the proxy that the user named."""
        if self.policy.public_only and self._egress_proxy is None:
            self._egress_proxy = await EgressProxy(self.limits, resolver=self.requests.resolver).__aenter__()
        if proxy := self.requests.access.proxy:
            return f"--proxy-server={proxy.address}", "--proxy-bypass-list=<-loopback>"
        return self._egress_proxy.browser_arguments if self._egress_proxy else ()

    async def _without_windows(self) -> tuple[str, ...]:
        return *WITHOUT_WINDOWS, *await self._through_the_proxy()

    async def _watch_windows(self, process: BrowserProcess) -> None:
        self._windows = Windows(process.connection)
        await self._windows.watch()


async def _sealed() -> tuple[str, ...]:
    return SEALED


def _not_too_deep(snapshot: Snapshot, visit: Visit, limits: Limits) -> Snapshot:
    """The snapshot with nothing nested deeper than allowed; the page then has a note."""
    parent = shallow(snapshot.parent, limits.depth)
    if parent is snapshot.parent:
        return snapshot
    visit.note(too_deep(limits.depth))
    return replace(snapshot, parent=parent, end=ends(parent))


def _whose_fonts(visit: Visit) -> str:
    """A key for pages that render fonts alike: all without web fonts, and those of one site with the same ones.

    Saved pages and those on this machine share an address regardless of origin, so each has its own key.
    """
    if not visit.fonts:
        return ""
    place = urlsplit(visit.url)
    alone = visit.url.startswith(SHELF) or is_loopback(place.hostname or "")
    return f"{visit.url if alone else place.netloc} {visit.fonts}"


async def _with_columns(tab: Tab, snapshot: Snapshot, visit: Visit, settings: BrowserSettings) -> Snapshot:
    """The snapshot with corrected lines for texts that continue in the next column; most pages have none."""
    nodes = crossing(snapshot)
    if not len(nodes):
        return snapshot
    page = _page(snapshot, Words.empty(), visit, settings, None)
    return with_lines(snapshot, nodes, await tab.lines([page.xpath(node) for node in nodes.tolist()]))


def _decoded(answer: bytes, source: str, shadows: Shadows | None) -> Snapshot:
    """The snapshot; an unexpected answer (from another browser version, say) fails this page, not the run."""
    try:
        return decode(answer, shadows, source=source)
    except (ValueError, KeyError, IndexError, TypeError) as problem:
        text = f"the browser's answer could not be read ({type(problem).__name__}: {problem}); try another browser."
        raise BrowserError(source, text) from problem


def _page(snapshot: Snapshot, words: Words, visit: Visit, settings: BrowserSettings, screenshot: bytes | None) -> Page:
    width, height = snapshot.size
    notes = list(visit.notes)
    if snapshot.frames_missing:
        notes.append(f"{snapshot.frames_missing} frames of other sites were left out.")
    return Page(
        strings=snapshot.strings,
        parent=snapshot.parent,
        end=snapshot.end,
        tag=snapshot.tag,
        text=snapshot.text,
        attributes=snapshot.attributes,
        box=snapshot.box,
        styles=snapshot.styles,
        style_of=snapshot.style_of,
        style_names=STYLES,
        words=words,
        rules=DrawnRules.empty(),
        edge=snapshot.edge,
        url=snapshot.url,
        title=snapshot.title,
        kind="rendered",
        viewport=visit.window if settings.headed else (settings.width, settings.height),
        sheets=np.array([[0, 0, width, height]], dtype=np.float32),
        screenshot=screenshot,
        notes=tuple(notes),
        gaps=tuple(visit.gaps),
    )
