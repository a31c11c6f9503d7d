"""The browser source: pages rendered by Chromium, through a pool of tabs in one process.

A page that crashes or hangs its tab gets one more try in a new tab, then an error that names it; the other pages do not
notice. Everything has a deadline, and when the browser is closed nothing of it is left.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import numpy as np

from sightline.errors import BlockedError, BrowserError, DeadlineError, LimitError, UnreachableError, UnreadableError
from sightline.page import Page, Rules, Words
from sightline.sources._browser_settings import BrowserSettings
from sightline.sources._document import Document
from sightline.sources._door import Door
from sightline.sources._encoding import decode as decode_text
from sightline.sources._gateway import Gateway
from sightline.sources._library import Library
from sightline.sources._limits import Limits, Manners
from sightline.sources._pipe import CallError
from sightline.sources._process import BrowserProcess
from sightline.sources._snapshot import Snapshot, decode
from sightline.sources._styles import STYLES
from sightline.sources._tab import Tab
from sightline.sources._visit import Visit
from sightline.sources._walls import recognise
from sightline.sources._words import Font, fonts_in_use, texts_of, words_of

__all__ = ["Browser"]

TRIES = 2
MAX_CHARACTERS = 200_000  # of a page's text are enough to recognise a wall
MARKUP_TYPES = frozenset(("", "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"))


class Browser:
    """Renders documents and URLs. Belongs to one event loop; open it with `async with`."""

    def __init__(
        self,
        settings: BrowserSettings | None = None,
        limits: Limits | None = None,
        manners: Manners | None = None,
        *,
        door: Door | None = None,
    ) -> None:
        self.settings = settings or BrowserSettings()
        self.limits = limits or Limits()
        self.manners = manners or Manners()
        self._door = door or Door(self.limits, self.manners)
        self._gateway: Gateway | None = None
        self._process: BrowserProcess | None = None
        self._starting = asyncio.Lock()
        self._slots = asyncio.Semaphore(self.settings.tabs)
        self._idle: list[Tab] = []
        self._open: set[Tab] = set()
        self._widths: dict[Font, dict[str, float]] = {}

    async def __aenter__(self) -> "Browser":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Quit the browser; the next page would start it again."""
        self._idle.clear()
        self._open.clear()
        process, self._process = self._process, None
        if process:
            await process.stop()
        gateway, self._gateway = self._gateway, None
        if gateway:
            await gateway.close()
        await self._door.wire.close()

    @property
    def process(self) -> BrowserProcess | None:
        """The running process, if there is one."""
        return self._process

    # ------------------------------------------------------------------ pages

    async def load_url(self, url: str) -> Page:
        """The rendered page of a URL."""
        async with self._door.turn(url) as location:
            page, visit = await self._load(location.browser_url, url)
        await self._check_answer(page, visit, url)
        return page

    async def load_document(self, document: Document, parts: dict[str, Document] | None = None) -> Page:
        """The rendered page of a document that is here already, with what was saved beside it."""
        text = decode_text(document.content, document.charset).text
        library = Library.of(document, text, parts)
        page, _ = await self._load(library.address, document.source, library)
        return replace(page, url=document.url, notes=(*document.notes, *page.notes))

    async def _check_answer(self, page: Page, visit: Visit, source: str) -> None:
        """An answer that is a wall or an error is no page, whatever it looks like."""
        text = page.text_of(0)[:MAX_CHARACTERS] if len(page) else ""
        wall = recognise(visit.status, visit.headers, page.url, page.title, text)
        if wall:
            raise BlockedError(source, f"answered with a {wall.kind} ({wall.evidence}); nothing was extracted.")
        if visit.status is not None and visit.status >= 400:
            raise UnreachableError(source, f"answered with status {visit.status}; check the address.")
        if visit.redirects:
            await self._door.check(page.url, source=source)

    async def _load(self, url: str, source: str, library: Library | None = None) -> tuple[Page, Visit]:
        for attempt in range(1, TRIES + 1):
            try:
                async with asyncio.timeout(self.limits.page_seconds), self._slots, self._tab() as tab:
                    return await self._load_in(tab, url, source, library)
            except CallError as problem:
                if attempt == TRIES:
                    text = f"could not be rendered in {TRIES} tries ({problem}); it may need more memory, or `--static`."
                    raise BrowserError(source, text) from problem
            except TimeoutError as problem:
                if attempt == TRIES:
                    text = f"took longer than {self.limits.page_seconds:g} s (page_seconds)."
                    raise DeadlineError(source, text) from problem
        raise AssertionError("the last try returns or raises")

    async def _load_in(self, tab: Tab, url: str, source: str, library: Library | None) -> tuple[Page, Visit]:
        began = time.monotonic()
        visit = await tab.visit(url, source, self.limits, library=library, remote=self.settings.remote)
        _check_kind(visit, source)
        if self.settings.scroll:
            await tab.scroll_to_end(visit, self.limits)
        if visit.elements > self.limits.nodes:
            problem = f"has {visit.elements:,} elements; raise the limit `nodes` ({self.limits.nodes:,}) to read it."
            raise LimitError(source, problem, limit="nodes")
        answer = await tab.capture(self.limits.page_seconds - (time.monotonic() - began))
        snapshot = decode(answer, source=source)
        words = await self._words(tab, snapshot, own_fonts=visit.own_fonts)
        screenshot = await tab.screenshot(snapshot.size) if self.settings.screenshot else None
        return _page(snapshot, words, visit, self.settings, screenshot), visit

    async def _words(self, tab: Tab, snapshot: Snapshot, *, own_fonts: bool) -> Words:
        """The words; widths of the system's fonts are measured once and kept."""
        texts = texts_of(snapshot)
        known = {} if own_fonts else self._widths
        needed = {
            font: missing
            for font, characters in fonts_in_use(snapshot, texts).items()
            if (missing := "".join(c for c in characters if c not in known.get(font, {})))
        }
        for font, measured in (await tab.measure(needed) if needed else {}).items():
            known.setdefault(font, {}).update(measured)
        return words_of(snapshot, texts, known)

    # ------------------------------------------------------------------ tabs

    @asynccontextmanager
    async def _tab(self) -> AsyncIterator[Tab]:
        """A clean tab; given back if all went well, closed for good otherwise."""
        tab = await self._take_tab()
        try:
            yield tab
            reusable = tab.pages < self.settings.pages_per_tab and not tab.worn and self._within_memory()
            if reusable:
                await tab.leave()
                self._idle.append(tab)
                tab = None  # type: ignore[assignment]
        finally:
            if tab is not None:
                self._open.discard(tab)
                await asyncio.shield(tab.close())

    async def _take_tab(self) -> Tab:
        process = await self._running()
        if self._idle:
            return self._idle.pop()
        tab = await Tab.open(process.connection, self.settings, user_agent=self.manners.user_agent)
        self._open.add(tab)
        return tab

    async def _running(self) -> BrowserProcess:
        """The process, started if there is none or the last one died."""
        async with self._starting:
            if self._process and self._process.alive:
                return self._process
            if self._process:
                await self._process.stop()
            self._idle.clear()
            self._open.clear()
            if self.manners.public_only and self._gateway is None:
                self._gateway = await Gateway(self.limits, resolver=self._door.resolver).__aenter__()
            extra = self._gateway.browser_arguments if self._gateway else ()
            self._process = await BrowserProcess.start(tuple(extra))
            return self._process

    def _within_memory(self) -> bool:
        """Whether the browser keeps its budget; looked at every tenth page, since looking costs a millisecond."""
        pages = sum(tab.pages for tab in self._open)
        return pages % 10 != 0 or self._process is None or self._process.memory() <= self.settings.memory


def _check_kind(visit: Visit, source: str) -> None:
    if visit.media_type not in MARKUP_TYPES and not visit.media_type.endswith("+xml"):
        raise UnreadableError(source, f"is {visit.media_type}, not a page; save it and give the file instead.")


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
        rules=Rules.empty(),
        edge=snapshot.edge,
        url=snapshot.url,
        title=snapshot.title,
        kind="rendered",
        viewport=(settings.width, settings.height),
        sheets=np.array([[0, 0, width, height]], dtype=np.float32),
        screenshot=screenshot,
        notes=tuple(notes),
    )
