"""Waiting for sites that are busy or in trouble: they are asked again, as late as they wish, until patience ends."""

from collections.abc import Callable, Iterator
from time import sleep
from typing import TypeAlias, TypeVar

from sightline.errors import BlockedError, SourceError, UnreachableError
from sightline.net import BUSY, Document, asked_pause, backoff, jittered
from sightline.page import Page
from sightline.sources import Loader, SiteAnswer

MOST_PATIENCE = 120.0  # seconds that a page is waited for in all; most sites count requests by the minute
FIRST_PAUSE = 1.0  # seconds, where the site does not say how long; each further pause is twice as long
MOST_TROUBLE = 4  # times that a site in trouble, or one that breaks the connection, is asked again
TOO_MANY = 429

T = TypeVar("T")

OnWait: TypeAlias = Callable[[float], None]
"""Called with the seconds of a pause before it begins."""


class WatchedLoader(Loader):
    """A loader that remembers what the site answered last."""

    answer: SiteAnswer = SiteAnswer()

    def _static_page(self, document: Document) -> Page:
        self.answer = SiteAnswer(document.status, document.headers)
        return super()._static_page(document)


def patiently(
    tries: Iterator[Callable[[], T]],
    answer: Callable[[], SiteAnswer],
    on_wait: OnWait | None = None,
    most: float = MOST_PATIENCE,
) -> T:
    """What the first of the tries gives; the next one follows only if the site may have it a little later."""
    waited = 0.0
    for failures, attempt in enumerate(tries, start=1):
        try:
            return attempt()
        except SourceError as problem:
            status, headers = answer()
            busy = _is_busy(problem, status)
            if not busy and not (_passes(problem) and failures <= MOST_TROUBLE):
                raise
            asked = asked_pause(headers) if busy else None
            length = backoff(failures, FIRST_PAUSE) if asked is None else max(asked, FIRST_PAUSE)
            if waited + length > most:
                raise _given_up(problem, status, waited, asked) from problem
        if on_wait:
            on_wait(length)
        sleep(jittered(length))
        waited += length
    raise AssertionError("there is always one more try")


def _passes(problem: SourceError) -> bool:
    return isinstance(problem, UnreachableError) and problem.passing


def _is_busy(problem: SourceError, status: int | None) -> bool:
    """Whether a page failed because its site is busy; a page that asks for a person comes with 503, too."""
    return status in BUSY and (status == TOO_MANY or not isinstance(problem, BlockedError))


def _given_up(problem: SourceError, status: int | None, waited: float, asked: float | None) -> UnreachableError:
    after = f" after {waited:,.0f} s" if waited else ""
    asks = f" and asks to come back in {asked:,.0f} s" if asked else ""
    return UnreachableError(problem.source, f"is still busy{after} (status {status}){asks}; try again later.")
