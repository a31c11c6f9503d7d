"""A job: the pages of many sources, something done with each, and the outcomes as they come.

A job yields; it neither prints nor writes. Shells iterate over it (`for`, or `async for` inside a running event loop)
and render or store what they get. One source that fails is one outcome with an error, and stops no other.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from sightline.errors import JobCancelled, SightlineError, UsageError
from sightline.jobs._progress import Cancel, Meter, OnProgress
from sightline.page import Page
from sightline.sources import Loaded, Loader

__all__ = ["Job", "Outcome", "Work"]

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
        self.sources = list(sources)
        self.cancel = cancel or Cancel()
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
