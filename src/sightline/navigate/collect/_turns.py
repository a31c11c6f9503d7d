"""Ways to turn the pages of a list: by opening addresses, or in a browser tab that also presses buttons and scrolls."""

from typing import TypeAlias

from sightline.page import Page
from sightline.sources import Loader, Session

__all__ = ["BrowserTurns", "StaticTurns", "Turns"]


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

    def open(self, address: str) -> Page:
        """The page at an address."""
        return self._session.goto(address).capture()

    def press(self, page: Page, node: int) -> Page:
        """The page after an element of it was pressed."""
        return self._session.click(page.xpath(node)).capture()

    def scroll(self, page: Page) -> Page:
        """The page after it was scrolled to its end."""
        bounds = page.bounds
        return self._session.scroll(int(bounds[3]) if bounds else 0).capture()


Turns: TypeAlias = StaticTurns | BrowserTurns
