"""XPaths of origins, looked up while the page is here, so that they can be written when it is gone."""

from collections.abc import Iterable

from sightline.data import Origin, Result
from sightline.page import Page

__all__ = ["XPaths"]


class XPaths:
    """Knows the XPaths of what was found on some pages; call it with an origin.

    >>> from sightline.testing import list_page
    >>> page, xpaths = list_page(["one", "two"]), XPaths()
    >>> origin = Origin(page.id, (page.find("/html[1]/body[1]/ul[1]/li[2]"),))
    >>> xpaths.add(page, [origin])
    >>> xpaths(origin)
    '/html[1]/body[1]/ul[1]/li[2]'
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...]], str] = {}

    def __call__(self, origin: Origin) -> str | None:
        """The XPath of the lowest element around all nodes of the origin, if its page was seen."""
        return self._known.get((origin.page, origin.nodes))

    def add(self, page: Page, origins: Iterable[Origin]) -> None:
        """Look up some origins of a page."""
        for origin in origins:
            if origin.nodes:
                self._known[origin.page, origin.nodes] = page.xpath(_around(page, origin.nodes))

    def add_results(self, page: Page, results: Iterable[Result]) -> None:
        """Look up every value of some results, and what the columns of a flat file make of them."""
        for result in results:
            self.add(page, (value.origin for value in result.values() if value.origin))
            cells = (cell for column in result.columns for cell in column.cells)
            self.add(page, (cell.origin for cell in cells if cell and cell.origin))


def _around(page: Page, nodes: tuple[int, ...]) -> int:
    """The lowest element that holds all the nodes."""
    node, last = min(nodes), max(nodes)
    while page.parent[node] >= 0 and (page.is_text[node] or page.end[node] <= last):
        node = int(page.parent[node])
    return node
