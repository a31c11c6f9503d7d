"""The list that a title promises, on one page or over several that go on counting."""

from collections.abc import Iterator, Sequence

from sightline.data import ItemList, Record, Records, named_values
from sightline.errors import SightlineError, UsageError
from sightline.extract.lists import find_top
from sightline.navigate.collect._walk import Stop, Turns, Visited
from sightline.navigate.paging import find_paging
from sightline.page import Page

__all__ = ["read_top"]


def read_top(turns: Turns, first: Page, address: str, most: int) -> tuple[list[Visited], Stop]:
    """The pages of the list that a title promises, each with its items, and why it ended.

    The promise is kept or it is not: without all of the items there is no list, and the error says why.
    """
    chain = _Chain(turns, first, address, most)
    found = find_top(first, following=chain.following)
    if found is None:
        if chain.problem is not None:
            raise chain.problem
        raise UsageError(
            "The title of the page promises no list that the page keeps; collect its list instead, or give a wrapper."
        )
    return list(_visited(found, chain.pages)), Stop(
        "counter", f"all {len(found):,} items that the title promises are found"
    )


class _Chain:
    """Pages that follow each other, each opened once."""

    def __init__(self, turns: Turns, first: Page, address: str, most: int) -> None:
        self._turns = turns
        self._most = most
        self.pages = [(address, first)]
        self.problem: SightlineError | None = None

    def following(self, page: Page) -> Page | None:
        """The page behind one; None if there is none, if it failed, or if enough were read."""
        place = next(number for number, (_, known) in enumerate(self.pages) if known is page)
        if place + 1 < len(self.pages):
            return self.pages[place + 1][1]
        address = find_paging(page).next
        if address is None or self.problem is not None or address in (known for known, _ in self.pages):
            return None
        if len(self.pages) >= self._most:
            self.problem = UsageError(f"The list goes on after {self._most} pages; raise `pages` to read it.")
            return None
        try:
            self.pages.append((address, self._turns.open(address)))
        except SightlineError as problem:
            self.problem = problem
            return None
        return self.pages[-1][1]


def _visited(found: ItemList, pages: Sequence[tuple[str, Page]]) -> Iterator[Visited]:
    """Every page with the items that were seen on it."""
    places = {page.whole_id: number for number, (_, page) in enumerate(pages)}
    seen_on = [(places.get(_page_of(record), 0), record) for record in found.records()]
    for number, (address, _) in enumerate(pages):
        own = [record for place, record in seen_on if place == number]
        yield Visited(address, "link" if number else "opened", len(own), Records(own, language=found.language))


def _page_of(record: Record) -> str:
    """The page that a record was seen on."""
    return next((value.origin.page for _, value in named_values(record) if value.origin), "")
