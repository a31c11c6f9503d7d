"""A job: the pages of many sources, something done with each, and the outcomes as they come.

A job yields; it neither prints nor writes. Shells iterate over it (`for`, or `async for` inside a running event loop)
and render or store what they get. One source that fails is one outcome with an error, and stops no other.
"""

import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Generic, TypeAlias, TypeVar

from sightline.errors import JobCancelled, SightlineError, UsageError
from sightline.net import CrawlPolicy, Limits
from sightline.page import Page, Printed
from sightline.plugins import plugins
from sightline.sources import WEB_SCHEMES, BrowserSettings, CapturedPages, Loaded, Loader, PdfSettings, SourceOpener

# How far long work has come: one kind of event for everything that takes time.


@dataclass(frozen=True)
class Progress:
    """One moment of a job: what it is doing, how much is done, and how fast.

    >>> Progress("Opening pages", done=3, total=12, seconds=6.0).remaining
    18.0
    """

    what: str
    done: int = 0
    total: int | None = None
    current: str | None = None
    failed: int = 0
    bytes: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float | None:
        """How many are done in a second; None before the first."""
        return self.done / self.seconds if self.done and self.seconds > 0 else None

    @property
    def remaining(self) -> float | None:
        """The seconds that the rest will take at this rate; None where nobody can tell."""
        return (self.total - self.done) / self.rate if self.total is not None and self.rate else None


OnProgress: TypeAlias = Callable[[Progress], None]
"""What a job calls with every event. It runs in the thread that iterates over the job, so it should return at once."""


class Meter:
    """Counts what is done and tells a listener.

    >>> events = []
    >>> meter = Meter("Learning", events.append, total=2)
    >>> meter.step(current="a.html")
    >>> [(event.done, event.total, event.current) for event in events]
    [(0, 2, None), (1, 2, 'a.html')]
    """

    def __init__(self, what: str, listener: OnProgress | None = None, *, total: int | None = None) -> None:
        self._what = what
        self._listener = listener
        self._total = total
        self._begin = monotonic()
        self.done: int = 0
        self.failed: int = 0
        self.bytes: int = 0
        self._tell(None)

    def step(self, *, current: str | None = None, failed: bool = False, bytes: int = 0) -> None:
        """Count one more; `bytes` is how much was read in all so far."""
        self.done += 1
        self.failed += failed
        self.bytes = max(self.bytes, bytes)
        self._tell(current)

    def at(self, done: int, *, what: str | None = None) -> None:
        """Set how many are done, where they are not done one by one."""
        self.done = done
        self._what = what or self._what
        self._tell(None)

    def _tell(self, current: str | None) -> None:
        if self._listener is None:
            return
        seconds = monotonic() - self._begin
        self._listener(Progress(self._what, self.done, self._total, current, self.failed, self.bytes, seconds))


# Asking long work to stop, from any thread.


class Cancel:
    """A request to stop, shared by whoever may ask for it and whatever does the work.

    >>> cancel = Cancel()
    >>> cancel.cancel()
    >>> cancel.requested
    True
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    @property
    def requested(self) -> bool:
        """Whether somebody asked to stop."""
        return self._event.is_set()

    def cancel(self) -> None:
        """Ask to stop; asking twice does nothing more."""
        with self._lock:
            first = not self._event.is_set()
            self._event.set()
            callbacks = list(self._callbacks) if first else []
        for callback in callbacks:
            callback()

    def when_requested(self, callback: Callable[[], None]) -> None:
        """Call something as soon as somebody asks to stop, in the thread that asks; at once if that has happened."""
        with self._lock:
            self._callbacks.append(callback)
            late = self._event.is_set()
        if late:
            callback()

    def check(self, done: int = 0) -> None:
        """Raise `JobCancelled` if somebody asked to stop."""
        if self.requested:
            raise JobCancelled(done)


Found = TypeVar("Found")
T = TypeVar("T")

Work: TypeAlias = Callable[[Page, str], T]
"""What a job does with each page; it gets the page and the name of its source."""

OPENING = "Opening pages"


@dataclass(frozen=True)
class Outcome(Generic[Found]):
    """What became of one source: its page and what was found on it, or the error that says why there is nothing."""

    source: str
    page: Page | None = None
    found: Found | None = None
    error: SightlineError | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What was cut or is missing on the page."""
        return self.page.notes if self.page is not None and self.error is None else ()


class Job(Generic[Found]):
    """Opens sources and does some work with each page. Iterate over it once to run it.

    Outcomes come in the order of the sources, or with `in_order=False` as soon as they are there. `on_progress` gets an
    event for each. `cancel` may be asked to stop from any thread; iteration then ends with `JobCancelled`, so that
    nobody takes a part for the whole.

    >>> job = Job([b"<title>Cameras", b"<title>Lenses"], lambda page, source: page.title, Loader(static=True))
    >>> [outcome.found for outcome in job]
    ['Cameras', 'Lenses']
    """

    def __init__(
        self,
        sources: Iterable[str | bytes],
        work: Work[Found],
        loader: Loader,
        *,
        in_order: bool = True,
        on_progress: OnProgress | None = None,
        cancel: Cancel | None = None,
    ) -> None:
        self.sources: list[str | bytes] = list(sources)
        self.cancel: Cancel = cancel or Cancel()
        self._work = work
        self._loader = loader
        self._in_order = in_order
        self._on_progress = on_progress
        self._begun = False

    def __iter__(self) -> Iterator[Outcome[Found]]:
        if self._begun:
            raise UsageError("This job has run already; make another one to run it again.")
        self._begun = True
        return self._outcomes()

    def _outcomes(self) -> Iterator[Outcome[Found]]:
        meter = Meter(OPENING, self._on_progress, total=self._loader.count(self.sources))
        before = self._loader.received  # by earlier jobs with the same loader
        loading = self._loader.load_all(self.sources, in_order=self._in_order)
        self.cancel.when_requested(loading.cancel)
        try:
            for loaded in loading:
                self.cancel.check(meter.done)
                outcome = self._outcome(loaded)
                meter.step(
                    current=loaded.source, failed=outcome.error is not None, bytes=self._loader.received - before
                )
                yield outcome
            self.cancel.check(meter.done)
        finally:
            loading.close()

    def _outcome(self, loaded: Loaded) -> Outcome[Found]:
        if loaded.page is None:
            return Outcome(loaded.source, error=loaded.error)
        try:
            return Outcome(loaded.source, loaded.page, self._work(loaded.page, loaded.source))
        except JobCancelled:
            raise
        except SightlineError as error:
            return Outcome(loaded.source, loaded.page, error=error)

    async def __aiter__(self) -> AsyncIterator[Outcome[Found]]:
        """The same outcomes inside a running event loop, which goes on meanwhile."""
        import asyncio  # slow to import, and seldom needed

        outcomes = iter(self)
        while (outcome := await asyncio.to_thread(next, outcomes, None)) is not None:
            yield outcome


# How pages are opened for extraction: a loader whose PDFs come with their structure.


def structured_page(printed: Printed) -> Page:
    """The page of a printed document, with its structure."""
    from sightline.extract.structure import structured  # only PDFs need it, and it takes long to import

    return structured(printed)


def new_loader(  # noqa: PLR0913 - keywords, each of them said seldom
    *,
    static: bool = False,
    browser: BrowserSettings | None = None,
    limits: Limits | None = None,
    policy: CrawlPolicy | None = None,
    pdf: PdfSettings | None = None,
    structure: Callable[[Printed], Page] = structured_page,
    captured: CapturedPages | None = None,
) -> Loader:
    """A loader of one's own, whose PDFs come with their structure; `structure` finds it in another way.

    With `captured` it gives pages that were captured before.
    """
    return Loader(
        static=static,
        browser=browser,
        limits=limits,
        policy=policy,
        pdf=pdf,
        structure=structure,
        openers=source_openers,
        captured=captured,
    )


def source_openers() -> dict[str, SourceOpener]:
    """What plugins open, by the schemes of its addresses."""
    return plugins("sightline.sources", SourceOpener, WEB_SCHEMES)
