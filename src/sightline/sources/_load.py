"""Turns the sources that a user names into pages: the only seam between the outside and the page model.

`Loader.load` opens one source as one page; `Loader.load_all` takes any number of sources, opens several at once and
gives one result each, in order, whatever happens to the others.
"""

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, BinaryIO, TypeAlias, TypeVar

from sightline.errors import (
    BlockedError,
    LimitError,
    SightlineError,
    SourceError,
    UnreadableError,
    UsageError,
)
from sightline.gc_paused import gc_paused
from sightline.net import CrawlPolicy, Document, DocumentKind, Limits, megabytes, origins_of, readable_kind
from sightline.page import Page, Printed, bare_page, loads
from sightline.sources._captured import CapturedPages
from sightline.sources.browser import BrowserSettings
from sightline.sources.files import documents, expand
from sightline.sources.html import PLAIN, decode, parse, shows_more
from sightline.sources.pdf import PdfSettings

# The event loop, the browser, the network and the PDF reader are imported when a source first needs them: parsing a
# file takes less time than importing them.
if TYPE_CHECKING:
    import asyncio

    from sightline.net import RequestPolicy
    from sightline.sources._loop import LoopThread
    from sightline.sources.browser import Browser
    from sightline.sources.pdf import PdfLimits

IDLE_SECONDS = 5.0  # an unused browser is closed after this time; starting one takes a quarter of a second
ARCHIVES = (".warc", ".warc.gz", ".cdxj")
AHEAD = 2  # results prepared ahead, per tab
WEB_SCHEMES = ("http", "https")

Given = TypeVar("Given")
Made = TypeVar("Made")


def _runtime() -> "LoopThread":
    from sightline.sources._loop import RUNTIME

    return RUNTIME


_Source: TypeAlias = Document | SightlineError | str
_Begun: TypeAlias = Future[Page] | SightlineError | Document | Page


@dataclass(frozen=True)
class Loaded:
    """The result of one source: a page, or the error that says why there is none."""

    source: str
    page: Page | None = None
    error: SightlineError | None = None


class _UnderWay:
    """Work that has started but not been handed out; it may be cancelled from another thread."""

    def __init__(self) -> None:
        self.waiting: list[tuple[str, _Begun]] = []
        self.current: _Begun | None = None  # what somebody waits for right now
        self.cancelled: bool = False

    def next(self, *, in_order: bool) -> tuple[str, _Begun]:
        """The first in order, or the first to finish."""
        if not in_order and all(isinstance(work, Future) for _, work in self.waiting):
            wait((work for _, work in self.waiting if isinstance(work, Future)), return_when=FIRST_COMPLETED)
        ready = (place for place, (_, work) in enumerate(self.waiting) if not isinstance(work, Future) or work.done())
        chosen = self.waiting.pop(0 if in_order else next(ready, 0))
        self.current = chosen[1]
        if self.cancelled:  # by another thread, between the two lines above and the last look
            self.stop()
        return chosen

    def cancel(self) -> None:
        """Hand out no more results."""
        self.cancelled = True
        self.stop()

    def stop(self) -> None:
        """Cancel all work in progress."""
        for work in (self.current, *(work for _, work in list(self.waiting))):
            if isinstance(work, Future):
                work.cancel()


class Loading(Iterator[Loaded]):
    """The pages of several sources as they arrive. It stops when closed, garbage-collected or cancelled."""

    def __init__(self, results: Iterator[Loaded], under_way: _UnderWay) -> None:
        self._results = results
        self._under_way = under_way

    def __next__(self) -> Loaded:
        return next(self._results)

    def cancel(self) -> None:
        """Stop as soon as possible, from any thread: work in progress is cancelled, and iteration ends."""
        self._under_way.cancel()

    def close(self) -> None:
        """Stop now, in the thread that iterates."""
        self._under_way.cancel()
        if isinstance(self._results, Generator):
            self._results.close()


@dataclass(frozen=True)
class SourceOpener:
    """Opens addresses of one scheme, `NAME://…`, that are no web addresses: a queue, a mailbox, an archive of others.

    `open` gets the whole address and gives its document; it raises a `SourceError` for one that can't be opened.
    """

    name: str
    about: str
    open: Callable[[str], Document]


class Loader:
    """Turns sources into pages, rendered by a browser or, with `static`, only parsed.

    A loader keeps one browser, which closes by itself when unused. PDFs come as bare blocks of lines;
    `structure` makes a page with headings and tables of what is printed instead (`sightline.extract.structure`), since
    no source knows extractors. With `captured`, addresses are those of pages that were captured before.
    """

    def __init__(  # noqa: PLR0913 - keywords, each of them said seldom
        self,
        *,
        static: bool = False,
        browser: BrowserSettings | None = None,
        limits: Limits | None = None,
        policy: CrawlPolicy | None = None,
        pdf: PdfSettings | None = None,
        structure: Callable[[Printed], Page] | None = None,
        openers: Callable[[], Mapping[str, SourceOpener]] = dict,
        captured: CapturedPages | None = None,
    ) -> None:
        self.static = static
        self.captured = captured
        self.browser: BrowserSettings = browser or BrowserSettings()
        self.limits: Limits = limits or Limits()
        self.policy: CrawlPolicy = policy or CrawlPolicy()
        self.pdf: PdfSettings = pdf or PdfSettings()
        self._structure = structure
        self._openers = openers
        self._named: set[str] = set()  # shared with the request policy
        self._generation = 0
        self._received = 0
        self._part = ""
        self._forget()

    # ------------------------------------------------------------------ public methods

    def load(self, source: str | os.PathLike[str] | bytes | Document) -> Page:
        """The page of one source; an archive of several pages is an error, since it would be unclear which to use."""
        named = source if isinstance(source, bytes | Document) else os.fspath(source)
        loaded = list(self._results([named], None, most=2))
        if len(loaded) > 1:
            name = named if isinstance(named, str) else "the data"
            raise UsageError(f"{name} holds more than one page; open them all with `sightline.open_all`.")
        if not loaded:
            raise UnreadableError("the source", "holds no page at all.")
        if loaded[0].error:
            raise loaded[0].error
        assert loaded[0].page is not None
        return loaded[0].page

    def load_all(
        self, sources: Iterable[str | bytes | Document], stdin: BinaryIO | None = None, *, in_order: bool = True
    ) -> Loading:
        """The pages of any number of sources; a source that fails gives its error and does not stop the others.

        They come in the order of the sources, or with `in_order=False` as soon as they are ready.
        """
        return self._results(sources, stdin, in_order=in_order)

    def fetch(
        self,
        url: str,
        *,
        source: str | None = None,
        headers: Mapping[str, str] | None = None,
        posted: bytes | None = None,
    ) -> Document:
        """The document at an address as it was sent, of any status, for what is not a page, such as JSON.

        It goes through the same policy as pages: robots.txt, pace and limits. `source` is its name in errors. `headers`
        go to the origin of the address alone; with `posted` that is sent to it, by POST.
        """
        return _runtime().run(self._fetched(url, source, headers, posted))

    def keep_to(self, *addresses: str) -> None:
        """Send headers and cookies to the origins of these addresses only, whatever else is opened from here."""
        self.policy = self.policy.bound_to(addresses)
        self._named.clear()
        self._named.update(self.policy.named)

    def count(self, sources: Iterable[str | bytes]) -> int | None:
        """How many pages the sources will give; None if only reading them can tell (standard input, archives)."""
        named = [source for source in sources if isinstance(source, str)]
        if any(source == "-" or source.lower().endswith(ARCHIVES) for source in named):
            return None
        single = list(expand(named, addresses_only=self.policy.public_only))
        if any(isinstance(source, str) and source.lower().endswith(ARCHIVES) for source in single):
            return None
        return len(single) + sum(isinstance(source, bytes) for source in sources)

    @property
    def part(self) -> str:
        """Which part of a long document is being read, such as "sheet 12 of 340"; "" where nobody can tell."""
        return self._part

    @property
    def received(self) -> int:
        """The bytes of all documents read or fetched so far."""
        return self._received + (self._browser.received if self._browser else 0)

    def close(self) -> None:
        """Close the browser now; otherwise it closes by itself."""
        if (self._browser or self._requests) and self._generation == _runtime().generation:
            _runtime().run(self.shut())

    def __enter__(self) -> "Loader":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------ results in order

    def _results(
        self,
        sources: Iterable[str | bytes | Document],
        stdin: BinaryIO | None,
        *,
        most: int | None = None,
        in_order: bool = True,
    ) -> Loading:
        ahead = 1 if self.static else AHEAD * self.browser.tabs
        under_way = _UnderWay()
        return Loading(self._run(self._works(sources, stdin), under_way, ahead, most, in_order=in_order), under_way)

    def _run(
        self,
        works: Iterator[tuple[str, _Source]],
        under_way: _UnderWay,
        ahead: int,
        most: int | None,
        *,
        in_order: bool,
    ) -> Iterator[Loaded]:
        """Keep a few sources in progress and hand out the results."""
        given = 0
        try:
            for name, work in works:
                if under_way.cancelled:
                    return
                under_way.waiting.append((name, self._begin(work)))
                if len(under_way.waiting) >= ahead:
                    yield self._end(*under_way.next(in_order=in_order))
                    given += 1
                if most is not None and given + len(under_way.waiting) >= most:
                    break
            while under_way.waiting and not under_way.cancelled:
                yield self._end(*under_way.next(in_order=in_order))
        except CancelledError:
            if not under_way.cancelled:
                raise
        finally:
            under_way.stop()

    def _works(
        self, sources: Iterable[str | bytes | Document], stdin: BinaryIO | None
    ) -> Iterator[tuple[str, _Source]]:
        """Everything to load, each with its name: a URL, a document, or an error."""
        for source in sources:
            for single in self._single(source, stdin) if isinstance(source, str) else [source]:
                if isinstance(single, str) and _is_url(single):
                    if not self.policy.named:
                        self._named.update(origins_of([single]))
                    yield single, single
                elif isinstance(single, SightlineError):
                    yield getattr(single, "source", ""), single
                else:
                    for document in documents(single, self.limits):
                        self._received += 0 if isinstance(document, SightlineError) else len(document.content)
                        yield document.source, document

    def _single(self, source: str, stdin: BinaryIO | None) -> Iterator[str | Document | SourceError]:
        return expand([source], stdin, self.limits, addresses_only=self.policy.public_only)

    def _begin(self, work: _Source) -> _Begun:
        """Start work that runs elsewhere; quick work waits for its turn."""
        if isinstance(work, SightlineError) or (self.static and isinstance(work, Document)):
            return work
        if isinstance(work, str) and self.captured is not None:
            try:
                return self.captured.page(work)
            except SightlineError as problem:
                return problem
        return _runtime().submit(self._page(work))

    def _end(self, name: str, work: _Begun) -> Loaded:
        if isinstance(work, SightlineError):
            return Loaded(name, error=work)
        try:
            if isinstance(work, Page):
                return Loaded(name, page=work)
            return Loaded(name, page=work.result() if isinstance(work, Future) else self._static_page(work))
        except SightlineError as error:
            return Loaded(name, error=error)
        finally:
            if isinstance(work, Future):
                work.cancel()  # an interrupt ends the wait, and the work with it

    # ------------------------------------------------------------------ one page, in the loop

    async def _fetched(
        self, url: str, source: str | None, headers: Mapping[str, str] | None, posted: bytes | None
    ) -> Document:
        from sightline.net import Fetcher

        self._forget_in_child()
        fetcher = Fetcher(self._request_policy())
        document = await fetcher.fetch(url, source=source, headers=headers, posted=posted)
        self._received += len(document.content)
        return document

    async def _page(self, work: Document | str) -> Page:
        self._forget_in_child()
        self._users += 1
        try:
            if isinstance(work, str) and (opener := self._opener(work)) is not None:
                work = await self._opened(opener, work)
            if isinstance(work, str):
                return await self._from_url(work)
            return await (_in_thread(self._static_page, work) if self.static else self._from_document(work))
        finally:
            self._users -= 1
            self._watch_idle()

    def _opener(self, address: str) -> SourceOpener | None:
        """What opens an address that isn't one of the web."""
        scheme = address.partition("://")[0].lower()
        return None if scheme in WEB_SCHEMES else self._openers().get(scheme)

    async def _opened(self, opener: SourceOpener, address: str) -> Document:
        document = await _in_thread(opener.open, address)
        if len(document.content) > self.limits.document_bytes:
            problem = f"is larger than {megabytes(self.limits.document_bytes)}; raise the limit to open it."
            raise LimitError(address, problem, limit="document_bytes")
        self._received += len(document.content)
        return document

    async def _from_url(self, url: str) -> Page:
        from sightline.net import Fetcher, status_problem
        from sightline.signals import recognise_wall
        from sightline.sources.browser import IsPrinted

        if not self.static:
            with suppress(IsPrinted):  # which no browser is needed for
                return await self._the_browser().load_url(url)
        document = await Fetcher(self._request_policy()).fetch(url)
        self._received += len(document.content)
        error_status = document.status if document.status is not None and document.status >= 400 else None
        if error_status and document.kind not in (DocumentKind.HTML, DocumentKind.TEXT):
            raise status_problem(url, error_status)
        page = await _in_thread(self._static_page, document)
        wall = recognise_wall(document.status, document.headers, document.url, page.title, page.text_of(0))
        if wall:
            problem = f"answered with a {wall.kind} ({wall.evidence}); nothing was extracted."
            raise BlockedError(url, problem, page=page)
        if error_status:
            raise status_problem(url, error_status)
        return page

    async def _from_document(self, document: Document) -> Page:
        kind = readable_kind(document)
        if kind is DocumentKind.MHTML:
            from sightline.sources.files import read_mhtml

            saved = read_mhtml(document)
            return await self._the_browser().load_document(saved.document, saved.resources)
        if kind in (DocumentKind.HTML, DocumentKind.TEXT):
            return await self._the_browser().load_document(_as_markup(document, kind))
        return await _in_thread(self._static_page, document)

    def _static_page(self, document: Document) -> Page:
        """The page of a document without a browser; saved pages are restored as they were."""
        kind = readable_kind(document)
        if kind is DocumentKind.PAGE:
            return loads(document.content, name=document.source, max_bytes=self.limits.decoded_bytes)
        if kind in (DocumentKind.PDF, DocumentKind.PICTURE):
            return self._printed_page(document)
        if kind is DocumentKind.MHTML:
            from sightline.sources.files import read_mhtml

            document, kind = read_mhtml(document).document, DocumentKind.HTML
        document = _as_markup(document, kind)
        text = decode(document.content, document.charset).text
        page = parse(text, url=document.url, limits=self.limits, notes=document.notes)
        if not shows_more(text, page, self.limits):
            return page
        plain = parse(text, url=document.url, limits=self.limits, notes=document.notes, scripting=False)
        return replace(plain, notes=(*plain.notes, PLAIN))

    def _printed_page(self, document: Document) -> Page:
        from sightline.sources.pdf import PdfLimits

        limits = PdfLimits(
            sheets=self.limits.pdf_sheets, memory_bytes=self.limits.pdf_memory, sheet_seconds=self.limits.sheet_seconds
        )
        with gc_paused():
            return self._read_printed(document, limits)

    def _read_printed(self, document: Document, limits: "PdfLimits") -> Page:
        from sightline.sources.pdf import read_pictures, read_printed

        read = read_pictures if document.kind is DocumentKind.PICTURE else read_printed
        printed = read(
            document.source,
            document.content,
            url=document.url,
            settings=self.pdf,
            limits=limits,
            screenshot=self.browser.screenshot,
            notes=document.notes,
            on_sheet=self._at_sheet,
        )
        self._part = ""
        return self._structure(printed) if self._structure else bare_page(printed)

    def _at_sheet(self, done: int, total: int) -> None:
        self._part = f"sheet {done} of {total}" if total > 1 else ""

    # ------------------------------------------------------------------ the browser's life

    def _forget_in_child(self) -> None:
        """In a forked child the parent's browser is not ours."""
        if self._generation != _runtime().generation:
            self._generation = _runtime().generation
            self._forget()

    def _forget(self) -> None:
        self._browser: Browser | None = None
        self._requests: RequestPolicy | None = None
        self._users = 0
        self._idle_since: asyncio.TimerHandle | None = None

    def _request_policy(self) -> "RequestPolicy":
        from sightline.net import RequestPolicy

        if self._requests is None:
            self._requests = RequestPolicy(self.limits, self.policy, named=self._named)
            _runtime().close_at_exit(self)
        return self._requests

    def _the_browser(self) -> "Browser":
        from sightline.sources.browser import Browser

        if self._browser is None:
            self._browser = Browser(self.browser, self.limits, self.policy, requests=self._request_policy())
        return self._browser

    def _watch_idle(self) -> None:
        import asyncio

        loop = asyncio.get_running_loop()
        if self._idle_since:
            self._idle_since.cancel()
        self._idle_since = loop.call_later(IDLE_SECONDS, lambda: loop.create_task(self._shut_if_idle()))

    async def _shut_if_idle(self) -> None:
        """Close the browser, but keep the request policy: it remembers the pace of hosts and their robots.txt."""
        if self._users == 0 and self._browser:
            browser, self._browser = self._browser, None
            self._received += browser.received
            await browser.close()

    async def shut(self) -> None:
        """Close everything, in the loop; `close` is the blocking version."""
        if self._idle_since:
            self._idle_since.cancel()
        browser, self._browser = self._browser, None
        requests, self._requests = self._requests, None
        if browser:
            await browser.close()
        if requests:
            await requests.wire.close()


async def _in_thread(work: Callable[[Given], Made], given: Given) -> Made:
    import asyncio

    return await asyncio.to_thread(work, given)


def _is_url(source: str) -> bool:
    return source[:8].lower().startswith(("http://", "https://")) or (
        "://" in source[:30] and not os.path.lexists(source)
    )


def _as_markup(document: Document, kind: DocumentKind) -> Document:
    """Plain text as browsers display it: preformatted."""
    if kind is not DocumentKind.TEXT:
        return document
    text = decode(document.content, document.charset, html=False).text
    return replace(document, content=f"<pre>{escape(text, quote=False)}</pre>".encode(), charset="utf-8")
