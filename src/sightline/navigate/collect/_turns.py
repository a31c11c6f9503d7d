"""Ways to turn the pages of a list: by opening addresses, or in a browser tab that also presses buttons and scrolls."""

from collections.abc import Iterator
from typing import TypeAlias

from sightline.page import Page
from sightline.sources import Loader, Session

__all__ = ["BrowserTurns", "StaticTurns", "Turns"]

WINDOW = 0.8  # of its height by which the window is scrolled, so that no row is between two looks


class StaticTurns:
    """Opens addresses without a browser."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def open(self, address: str) -> Page:
        """The page at an address."""
        return self._loader.load(address)


class BrowserTurns:
    """Turns pages in one browser tab, which keeps its cookies."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._top = 0  # pixels of the page above the window

    def open(self, address: str) -> Page:
        """The page at an address."""
        self._top = 0
        return self._session.goto(address).capture()

    def press(self, page: Page, node: int) -> Page:
        """The page after an element of it was pressed."""
        return self._session.click(page.xpath(node)).capture()

    def choose(self, page: Page, node: int, choice: str) -> Page:
        """The page after something was chosen in a box of it."""
        self._top = 0
        return self._session.select(page.xpath(node), choice).capture()

    def scrolled(self, page: Page) -> Iterator[Page]:
        """The page as it is scrolled on, a window at a time, to its end; rows that leave it on the way are seen."""
        while page.bounds is not None:
            window, bottom = page.viewport[1], int(page.bounds[3])
            if self._top + window >= bottom:
                return
            self._top = min(self._top + int(WINDOW * window), bottom - window)
            page = self._session.scroll(self._top).capture()
            yield page


Turns: TypeAlias = StaticTurns | BrowserTurns
