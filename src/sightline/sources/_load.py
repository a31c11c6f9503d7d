"""From what the user names to pages: the one seam between the outside and the page model.

`Loader.load` is the plain way, one source and one page; `Loader.load_all` takes any number of sources, opens several
at once and gives one result each, in order, whatever happens to the others.
"""

import asyncio
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from typing import BinaryIO

from sightline.errors import BlockedError, SightlineError, UnreachableError, UnreadableError, UsageError
from sightline.net import Document, DocumentKind, Door, Fetcher, Limits, Manners, readable_kind
from sightline.page import Page, loads
from sightline.signals import recognise_wall
from sightline.sources._loop import LoopThread
from sightline.sources.browser import PLAIN, Browser, BrowserSettings, IsPdf, shows_more
from sightline.sources.files import documents, expand, read_mhtml
from sightline.sources.html import collector_off, decode, parse
from sightline.sources.pdf import PdfLimits, PdfSettings, read_pdf

__all__ = ["Loaded", "Loader"]

IDLE_SECONDS = 5.0  # a browser that nobody needed for so long is closed; starting one takes a quarter of a second
AHEAD = 2  # results prepared ahead, for each tab

_runtime = LoopThread()


@dataclass(frozen=True)
class Loaded:
    """What became of one source: a page, or the error that tells why there is none."""

    source: str
    page: Page | None = None
    error: SightlineError | None = None


class Loader:
    """Turns sources into pages, rendered by a browser or, with `static`, parsed alone.

    One loader keeps one browser, which closes by itself when it is not needed. PDFs come as bare blocks of lines;
    `structure` makes headings and tables of them (`sightline.extract.structure`), since no source knows extractors.
    """

    def __init__(
        self,
        *,
        static: bool = False,
        settings: BrowserSettings | None = None,
        limits: Limits | None = None,
        manners: Manners | None = None,
        pdf: PdfSettings | None = None,
        structure: Callable[[Page], Page] | None = None,
    ) -> None:
        self.static = static
        self.settings = settings or BrowserSettings()
        self.limits = limits or Limits()
        self.manners = manners or Manners()
        self.pdf = pdf or PdfSettings()
        self._structure = structure
        self._generation = _runtime.generation
        self._forget()

    # ------------------------------------------------------------------ the plain way

    def load(self, source: str | os.PathLike[str] | bytes) -> Page:
        """The page of one source; an archive of several pages is refused, since one could not say which."""
        loaded = list(self._results([source if isinstance(source, bytes) else os.fspath(source)], None, most=2))
        if len(loaded) > 1:
            name = "the data" if isinstance(source, bytes) else os.fspath(source)
            raise UsageError(f"{name} holds more than one page; open them all with `sightline.open_all`.")
        if not loaded:
            raise UnreadableError("the source", "holds no page at all.")
        if loaded[0].error:
            raise loaded[0].error
        assert loaded[0].page is not None
        return loaded[0].page

    def load_all(self, sources: Iterable[str], stdin: BinaryIO | None = None) -> Iterator[Loaded]:
        """The pages of any number of sources, in order; a source that fails has its error and stops no other."""
        return self._results(sources, stdin)

    def close(self) -> None:
        """Close the browser now; it would close by itself."""
        if self._generation == _runtime.generation and (self._browser or self._door):
            _runtime.run(self.shut())

    def __enter__(self) -> "Loader":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------ results in order

    def _results(
        self, sources: Iterable[str | bytes], stdin: BinaryIO | None, most: int | None = None
    ) -> Iterator[Loaded]:
        """Keep a few sources under way and hand out the results in order."""
        waiting: deque[tuple[str, Future[Page] | SightlineError | Document]] = deque()
        ahead = 1 if self.static else AHEAD * self.settings.tabs
        given = 0
        try:
            for name, work in self._works(sources, stdin):
                waiting.append((name, self._begin(work)))
                if len(waiting) >= ahead:
                    yield self._end(*waiting.popleft())
                    given += 1
                if most is not None and given + len(waiting) >= most:
                    break
            while waiting:
                yield self._end(*waiting.popleft())
        finally:
            for _, under_way in waiting:
                if isinstance(under_way, Future):
                    under_way.cancel()

    def _works(
        self, sources: Iterable[str | bytes], stdin: BinaryIO | None
    ) -> Iterator[tuple[str, Document | SightlineError | str]]:
        """Every single thing to load with its name: a URL, a document, or an error."""
        for source in sources:
            named = [source] if isinstance(source, bytes) else expand([source], stdin, self.limits)
            for one in named:
                if isinstance(one, str) and _is_url(one):
                    yield one, one
                elif isinstance(one, SightlineError):
                    yield getattr(one, "source", ""), one
                else:
                    for document in documents(one, self.limits):
                        yield document.source, document

    def _begin(self, work: Document | SightlineError | str) -> Future[Page] | SightlineError | Document:
        """Start whatever takes its time elsewhere; what is done at once waits for its turn."""
        if isinstance(work, SightlineError) or (self.static and isinstance(work, Document)):
            return work
        return _runtime.submit(self._page(work))

    def _end(self, name: str, work: Future[Page] | SightlineError | Document) -> Loaded:
        if isinstance(work, SightlineError):
            return Loaded(name, error=work)
        try:
            return Loaded(name, page=work.result() if isinstance(work, Future) else self._static_page(work))
        except SightlineError as error:
            return Loaded(name, error=error)
        finally:
            if isinstance(work, Future):
                work.cancel()  # an interrupt ends the wait, and the work with it

    # ------------------------------------------------------------------ one page, in the loop

    async def _page(self, work: Document | str) -> Page:
        if self._generation != _runtime.generation:  # in a forked child, where the parent's browser is not ours
            self._generation = _runtime.generation
            self._forget()
        self._users += 1
        try:
            if isinstance(work, str):
                return await self._from_url(work)
            return await self._from_document(work)
        finally:
            self._users -= 1
            self._watch_idle()

    async def _from_url(self, url: str) -> Page:
        if not self.static:
            with suppress(IsPdf):  # which no browser is needed for
                return await self._the_browser().load_url(url)
        document = await Fetcher(self._the_door()).fetch(url)
        page = await asyncio.to_thread(self._static_page, document)
        wall = recognise_wall(document.status, document.headers, document.url, page.title, page.text_of(0))
        if wall:
            raise BlockedError(url, f"answered with a {wall.kind} ({wall.evidence}); nothing was extracted.")
        if document.status is not None and document.status >= 400:
            raise UnreachableError(url, f"answered with status {document.status}; check the address.")
        return page

    async def _from_document(self, document: Document) -> Page:
        kind = readable_kind(document)
        if kind is DocumentKind.MHTML:
            saved = read_mhtml(document)
            return await self._the_browser().load_document(saved.document, saved.resources)
        if kind in (DocumentKind.HTML, DocumentKind.TEXT):
            return await self._the_browser().load_document(_as_markup(document, kind))
        return await asyncio.to_thread(self._static_page, document)

    def _static_page(self, document: Document) -> Page:
        """The page of a document without a browser; saved pages come back as they were."""
        kind = readable_kind(document)
        if kind is DocumentKind.PAGE:
            return loads(document.content, name=document.source, max_bytes=self.limits.decoded_bytes)
        if kind is DocumentKind.PDF:
            return self._pdf_page(document)
        if kind is DocumentKind.MHTML:
            document, kind = read_mhtml(document).document, DocumentKind.HTML
        document = _as_markup(document, kind)
        text = decode(document.content, document.charset).text
        page = parse(text, url=document.url, limits=self.limits, notes=document.notes)
        if not shows_more(text, page, self.limits):
            return page
        return parse(text, url=document.url, limits=self.limits, notes=(*document.notes, PLAIN), scripting=False)

    def _pdf_page(self, document: Document) -> Page:
        limits = PdfLimits(
            sheets=self.limits.pdf_sheets, memory_bytes=self.limits.pdf_memory, sheet_seconds=self.limits.sheet_seconds
        )
        with collector_off():
            return self._read_pdf(document, limits)

    def _read_pdf(self, document: Document, limits: PdfLimits) -> Page:
        bare = read_pdf(
            document.source,
            document.content,
            url=document.url,
            settings=self.pdf,
            limits=limits,
            screenshot=self.settings.screenshot,
            notes=document.notes,
        )
        return self._structure(bare) if self._structure else bare

    # ------------------------------------------------------------------ the browser's life

    def _forget(self) -> None:
        self._browser: Browser | None = None
        self._door: Door | None = None
        self._users = 0
        self._idle_since: asyncio.TimerHandle | None = None

    def _the_door(self) -> Door:
        if self._door is None:
            self._door = Door(self.limits, self.manners)
            _runtime.close_at_exit(self)
        return self._door

    def _the_browser(self) -> Browser:
        if self._browser is None:
            self._browser = Browser(self.settings, self.limits, self.manners, door=self._the_door())
        return self._browser

    def _watch_idle(self) -> None:
        loop = asyncio.get_running_loop()
        if self._idle_since:
            self._idle_since.cancel()
        self._idle_since = loop.call_later(IDLE_SECONDS, lambda: loop.create_task(self._shut_if_idle()))

    async def _shut_if_idle(self) -> None:
        """Close the browser, but keep the door: it remembers whose turn is when, and what robots.txt said."""
        if self._users == 0 and self._browser:
            browser, self._browser = self._browser, None
            await browser.close()

    async def shut(self) -> None:
        """Close everything, in the loop; `close` is the plain way."""
        if self._idle_since:
            self._idle_since.cancel()
        browser, self._browser = self._browser, None
        door, self._door = self._door, None
        if browser:
            await browser.close()
        if door:
            await door.wire.close()


def _is_url(source: str) -> bool:
    return source[:8].lower().startswith(("http://", "https://")) or (
        "://" in source[:30] and not os.path.lexists(source)
    )


def _as_markup(document: Document, kind: DocumentKind) -> Document:
    """Plain text as browsers show it: preformatted."""
    if kind is not DocumentKind.TEXT:
        return document
    text = decode(document.content, document.charset, html=False).text
    return replace(document, content=f"<pre>{escape(text, quote=False)}</pre>".encode(), charset="utf-8")
