"""Ways to turn the pages of a list: by opening addresses, or in a browser tab that also presses buttons and scrolls."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, repeat
from typing import TypeAlias

import numpy as np

from sightline.errors import ActionError
from sightline.navigate._patience import OnWait, WatchedLoader, patiently
from sightline.page import Page
from sightline.sources import Loader, Session

__all__ = ["BrowserTurns", "StaticTurns", "Turns", "turns_of"]

SCROLLED = ("auto", "scroll")
WINDOW = 0.8  # of its height by which the window is scrolled, so that no row is between two looks


class StaticTurns:
    """Opens addresses without a browser; a site that is busy is waited for."""

    def __init__(self, loader: WatchedLoader, on_wait: OnWait | None = None) -> None:
        self._loader = loader
        self._on_wait = on_wait

    def open(self, address: str) -> Page:
        """The page at an address."""
        return patiently(repeat(lambda: self._loader.load(address)), lambda: self._loader.answer, self._on_wait)


class BrowserTurns:
    """Turns pages in one browser tab, which keeps its cookies; a site that is busy is waited for."""

    def __init__(self, session: Session, on_wait: OnWait | None = None) -> None:
        self._session = session
        self._on_wait = on_wait
        self._top = 0  # pixels of the page above the window

    def open(self, address: str) -> Page:
        """The page at an address."""
        self._top = 0
        return self._patient(repeat(lambda: self._session.goto(address).capture()))

    def press(self, page: Page, node: int) -> Page:
        """The page after an element of it was pressed."""
        return self._acted(lambda: self._session.click(page.xpath(node)).capture())

    def choose(self, page: Page, node: int, choice: str) -> Page:
        """The page after something was chosen in a box of it."""
        self._top = 0
        return self._acted(lambda: self._session.select(page.xpath(node), choice).capture())

    def scrolled(self, page: Page) -> Iterator[Page]:
        """The page as it is scrolled on, a window at a time, to its end; rows that leave it on the way are seen."""
        while page.bounds is not None:
            window, bottom = page.viewport[1], int(page.bounds[3])
            if self._top + window >= bottom:
                return
            self._top = min(self._top + int(WINDOW * window), bottom - window)
            page = self._session.scroll(self._top).capture()
            yield page

    def further_in_box(self, page: Page, node: int) -> Page | None:
        """The page after the box that holds a node was scrolled on to it; None if there is no more in such a box."""
        if not _is_in_longer_box(page, node):
            return None
        with suppress(ActionError):  # what covers it does not keep the box from being scrolled
            self._session.hover(page.xpath(node))
        return self._session.capture()

    def _acted(self, first: Callable[[], Page]) -> Page:
        """The page after an action; what was acted on may be gone by then, so a busy site is asked by a reload."""
        return self._patient(chain([first], repeat(lambda: self._session.reload().capture())))

    def _patient(self, tries: Iterator[Callable[[], Page]]) -> Page:
        return patiently(tries, lambda: self._session.answer, self._on_wait)


def _is_in_longer_box(page: Page, node: int) -> bool:
    """Whether a node is in a box that is scrolled by itself and holds more below what it shows."""
    if page.bounds is None:
        return False
    overflow = page.style_column("overflow-y")
    above = int(page.parent[node])
    while above >= 0:
        if overflow[above] >= 0 and page.strings[overflow[above]] in SCROLLED and page.parent[above] >= 0:
            inside = page.box[above + 1 : page.end[above], 3]
            return bool(inside.size and np.nanmax(inside) > page.box[above, 3] + 1)
        above = int(page.parent[above])
    return False


Turns: TypeAlias = StaticTurns | BrowserTurns


@contextmanager
def turns_of(loader: Loader, on_wait: OnWait | None = None) -> Iterator[Turns]:
    """Ways to turn pages as this loader would open them."""
    settings, limits, manners = loader.settings, loader.limits, loader.manners
    if loader.static:
        watched = WatchedLoader(static=True, settings=settings, limits=limits, manners=manners, pdf=loader.pdf)
        with watched:
            yield StaticTurns(watched, on_wait)
        return
    with Session(settings=settings, limits=limits, manners=manners) as session:
        yield BrowserTurns(session, on_wait)
