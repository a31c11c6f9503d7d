"""XPaths of origins, looked up while the page is here, so that they can be written when it is gone."""

from collections.abc import Iterable, Iterator

from sightline.data import Field, Item, ItemList, Origin, Record, Records, Table, Value
from sightline.page import Page

__all__ = ["Origins"]


class Origins:
    """Knows the XPaths of what was found on some pages; call it with an origin.

    >>> from sightline.testing import list_page
    >>> page, origins = list_page(["one", "two"]), Origins()
    >>> origins.note(page, [Origin(page.id, (page.find("/html[1]/body[1]/ul[1]/li[2]"),))])
    >>> origins(Origin(page.id, (page.find("/html[1]/body[1]/ul[1]/li[2]"),)))
    '/html[1]/body[1]/ul[1]/li[2]'
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, tuple[int, ...]], str] = {}

    def __call__(self, origin: Origin) -> str | None:
        """The XPath of the lowest element around all nodes of the origin, if its page was seen."""
        return self._known.get((origin.page, origin.nodes))

    def note(self, page: Page, origins: Iterable[Origin]) -> None:
        """Look up these origins of a page."""
        for origin in origins:
            if origin.nodes:
                self._known[origin.page, origin.nodes] = page.xpath(_around(page, origin.nodes))

    def note_tables(self, page: Page, tables: Iterable[Table]) -> None:
        """Look up all cells of tables."""
        self.note(page, (cell.origin for table in tables for cell in table.anchors if cell.origin))

    def note_lists(self, page: Page, lists: Iterable[ItemList]) -> None:
        """Look up all items of lists with all their parts, and what the columns of a flat file make of these."""
        for one in lists:
            values = [value for item in one for value in _values_of(item)]
            values += [cell for column in one.columns for cell in column.cells if cell]
            self.note(page, (value.origin for value in values if value.origin))

    def note_records(self, page: Page, records: Records) -> None:
        """Look up every value of records, however deep it is nested."""
        self.note(page, (value.origin for record in records for value in _values_in(record) if value.origin))


def _values_of(item: Item) -> Iterator[Value]:
    yield from _values_in((item.text, item.title, item.image, item.link, item.components))


def _values_in(field: Field) -> Iterator[Value]:
    """The values of a field, however deep it is nested."""
    if isinstance(field, Value):
        yield field
    elif field is not None:
        for part in field.values() if isinstance(field, Record) else field:
            yield from _values_in(part)


def _around(page: Page, nodes: tuple[int, ...]) -> int:
    """The lowest element that holds all the nodes."""
    node, last = min(nodes), max(nodes)
    while page.parent[node] >= 0 and (page.is_text[node] or page.end[node] <= last):
        node = int(page.parent[node])
    return node
