"""Walking the pages of a list: where to go next, and when to stop and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from sightline.data import Records
from sightline.errors import SightlineError
from sightline.navigate.collect._paged_list import Fingerprint, ReadRecords, fingerprint
from sightline.navigate.collect._turns import BrowserTurns, Turns
from sightline.navigate.paging import Paging, find_paging
from sightline.page import Page

__all__ = ["Stop", "StopKind", "Visited", "Walk"]

STALE = 2  # pages in a row without a new record: the list repeats itself

StopKind: TypeAlias = Literal["counter", "end", "repeated", "budget", "failed"]
"""Why a walk ended: all that the page counts was seen, there was no further page, pages only repeated records, the most
pages were reached, or a page could not be opened or read."""


class Stop(NamedTuple):
    """Why a walk ended, and in a sentence."""

    kind: StopKind
    why: str


@dataclass(frozen=True)
class Visited:
    """A page of the list: its address, how it was reached, and its records that no page before had."""

    address: str
    way: str
    shown: int
    records: Records


@dataclass(eq=False)
class Walk:
    """One walk over the pages of a list. Iterate over it once; afterwards `stop` and `doubts` tell how it went."""

    turns: Turns
    read: ReadRecords
    start: str
    most_pages: int
    stop: Stop | None = None
    doubts: list[str] = field(default_factory=list)
    known: set[Fingerprint] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    left: dict[str, None] = field(default_factory=dict)
    counted: Paging = field(default_factory=Paging)
    productive: int = 0  # pages that brought new records

    def resume(self, pages: Sequence[Visited]) -> None:
        """Go on after these pages, which an earlier walk has read."""
        for page in pages:
            self.seen.add(_bare(page.address))
            self.known.update(map(fingerprint, page.records))
            self.productive += bool(len(page.records))

    def visits(self, first: Page, address: str) -> Iterator[Visited]:
        """Every page of the list in turn, from one that is open already."""
        page, way = first, "opened"
        stale, number = 0, len(self.seen - {_bare(address)})
        while True:
            number += 1
            self.seen.add(_bare(address))
            visited = self._visit(page, address, way)
            yield visited
            stale = 0 if len(visited.records) else stale + 1
            self.productive += bool(len(visited.records))
            paging = find_paging(page)
            self._note(paging)
            if stale >= STALE:
                self.stop = Stop("repeated", f"the last {STALE} pages brought no record that was new")
                return
            if number >= self.most_pages:
                self.stop = self._budget(paging)
                return
            turned = self._turn(page, address, paging)
            if turned is None:
                return
            page, address, way = turned

    def _visit(self, page: Page, address: str, way: str) -> Visited:
        """Read a page; records that earlier pages had are left out."""
        found = self.read(page)
        marks = [fingerprint(record) for record in found]
        fresh = [record for record, mark in zip(found, marks, strict=True) if mark not in self.known]
        again = len(marks) - len(fresh)
        if again and fresh and way == "link":
            self.doubts.append(
                f"{address}: {again} of {len(marks)} records were on an earlier page; the list moved while it was "
                "read, so others may be missing"
            )
        self.known.update(marks)
        return Visited(address, way, len(marks), Records(fresh, found.schema, found.language))

    def _note(self, paging: Paging) -> None:
        for address in paging.pages:
            if _bare(address) not in self.seen:
                self.left[_bare(address)] = None
        if paging.total or paging.records:
            self.counted = paging

    def _turn(self, page: Page, address: str, paging: Paging) -> tuple[Page, str, str] | None:
        """The next page that nobody has seen, and how it was reached; None at the end."""
        following = self._following(paging)
        try:
            if following:
                self.left.pop(following, None)
                return self.turns.open(following), following, "link"
            if isinstance(self.turns, BrowserTurns) and paging.button is not None:
                return self.turns.press(page, paging.button), address, "button"
            if isinstance(self.turns, BrowserTurns) and not self.seen - {_bare(self.start)}:
                return self._scrolled(self.turns, page, address)
        except SightlineError as problem:
            self.stop = Stop("failed", problem.message)
            return None
        self.stop = self._end()
        return None

    def _following(self, paging: Paging) -> str | None:
        """The next page; if it was seen, or there is none, the first of the others that was not."""
        if paging.next and _bare(paging.next) not in self.seen:
            return _bare(paging.next)
        return next((address for address in self.left if address not in self.seen), None)

    def _scrolled(self, turns: BrowserTurns, page: Page, address: str) -> tuple[Page, str, str] | None:
        """The page scrolled on, if it then shows other records."""
        further = turns.scroll(page)
        if all(fingerprint(record) in self.known for record in self.read(further)):
            self.stop = self._end()
            return None
        return further, address, "scroll"

    def _budget(self, paging: Paging) -> Stop:
        more = self._following(paging) is not None or paging.button is not None
        if not more:
            return self._end()
        return Stop("budget", f"{self.most_pages} pages were read, and there are more; raise --pages to read them")

    def _end(self) -> Stop:
        """The end of the list, held against what the page counts."""
        records, pages = self.counted.records, self.counted.total
        if records is not None and records != len(self.known):
            self.doubts.append(f"the page counts {records:,} records, and {len(self.known):,} were found")
        elif pages is not None and pages != self.productive:
            self.doubts.append(f"the page counts {pages:,} pages, and {self.productive:,} were found")
        elif records is not None or pages is not None:
            return Stop("counter", "all that the page counts was found")
        return Stop("end", "there is no further page")


def _bare(address: str) -> str:
    return address.partition("#")[0]
