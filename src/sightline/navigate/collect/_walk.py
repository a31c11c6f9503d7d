"""Walking the pages of a list: where to go next, and when to stop and why."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import chain, repeat, takewhile
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from sightline.data import ItemList, Record, Records, named_values
from sightline.errors import ActionError, BlockedError, SightlineError, UsageError
from sightline.extract.lists import find_top
from sightline.navigate._patience import OnWait, WatchedLoader, patiently
from sightline.navigate.collect._paged_list import Fingerprint, ReadRecords, RecordsOnPage, fingerprint
from sightline.navigate.paging import Paging, counts_something_else, find_paging, split_address
from sightline.net import BUSY, Document, status_problem
from sightline.page import Page, PageAnswers, PageRequest
from sightline.sources import AnswerSettings, CapturedPages, Loader, Session, SiteAnswer

# Ways to turn the pages of a list: by opening addresses, or in a browser tab that also presses buttons and scrolls.

SCROLLED = ("auto", "scroll")
WINDOW = 0.8  # of its height by which the window is scrolled, so that no row is between two looks


OnTurn: TypeAlias = Callable[[Page, str, str], object]
"""Called with every page that was turned to, its address, and the way to it: opened, button, box or scroll."""


def _nobody(page: Page, address: str, way: str) -> None:
    """Nobody wants the pages."""


class StaticTurns:
    """Opens addresses without a browser; a site that is busy is waited for."""

    def __init__(self, loader: WatchedLoader, on_wait: OnWait | None = None, on_turn: OnTurn = _nobody) -> None:
        self._loader = loader
        self._on_wait = on_wait
        self._on_turn = on_turn

    def open(self, address: str) -> Page:
        """The page at an address."""
        page = patiently(repeat(lambda: self._loader.load(address)), lambda: self._loader.answer, self._on_wait)
        self._on_turn(page, address, "opened")
        return page


class BrowserTurns:
    """Turns pages in one browser tab, which keeps its cookies; a site that is busy is waited for."""

    def __init__(self, session: Session, on_wait: OnWait | None = None, on_turn: OnTurn = _nobody) -> None:
        self._session = session
        self._on_wait = on_wait
        self._on_turn = on_turn
        self._top = 0  # pixels of the page above the window
        self._asked = SiteAnswer()  # what was answered to a request beside the browser

    def keep_answers(self, *, kept: bool) -> None:
        """Keep what the pages fetch, or no longer."""
        self._session.keep_answers(AnswerSettings() if kept else None)

    def take_answers(self) -> PageAnswers:
        """What the pages fetched since this was last asked for."""
        return self._session.take_answers()

    def ask(self, request: PageRequest) -> Document:
        """What a request brings without the browser; a site that is busy is waited for."""
        return patiently(repeat(lambda: self._fetched(request)), lambda: self._asked, self._on_wait)

    def _fetched(self, request: PageRequest) -> Document:
        self._asked = SiteAnswer()
        document = self._session.fetch(request)
        self._asked = SiteAnswer(document.status, document.headers)
        if document.status in BUSY:
            raise status_problem(request.url, document.status)
        return document

    def open(self, address: str) -> Page:
        """The page at an address."""
        self._top = 0
        return self._told(self._patient(repeat(lambda: self._session.goto(address).capture())), address, "opened")

    def press(self, page: Page, node: int) -> Page:
        """The page after an element of it was pressed."""
        return self._told(self._acted(lambda: self._session.click(page.xpath(node)).capture()), "", "button")

    def choose(self, page: Page, node: int, choice: str) -> Page:
        """The page after something was chosen in a box of it."""
        self._top = 0
        return self._told(self._acted(lambda: self._session.select(page.xpath(node), choice).capture()), "", "box")

    def _told(self, page: Page, address: str, way: str) -> Page:
        self._on_turn(page, address or page.url, way)
        return page

    def scrolled(self, page: Page) -> Iterator[Page]:
        """The page as it is scrolled on, a window at a time, to its end; rows that leave it on the way are seen."""
        while page.bounds is not None:
            window, bottom = page.viewport[1], int(page.bounds[3])
            if self._top + window >= bottom:
                return
            self._top = min(self._top + int(WINDOW * window), bottom - window)
            page = self._told(self._session.scroll(self._top).capture(), "", "scroll")
            yield page

    def further_in_box(self, page: Page, node: int) -> Page | None:
        """The page after the box that holds a node was scrolled on to it; None if there is no more in such a box."""
        if not _is_in_longer_box(page, node):
            return None
        with suppress(ActionError):  # what covers it does not keep the box from being scrolled
            self._session.hover(page.xpath(node))
        return self._told(self._session.capture(), "", "scroll")

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


class CapturedTurns:
    """Turns pages as they were turned in a browser once, when they were captured."""

    def __init__(self, pages: CapturedPages) -> None:
        self._pages = pages

    def open(self, address: str) -> Page:
        """The page that was at an address."""
        return self._pages.page(address)

    def press(self, page: Page, node: int) -> Page:  # noqa: ARG002 - what it led to is known
        """The page to which a button led."""
        return self._led_to("button", page)

    def choose(self, page: Page, node: int, choice: str) -> Page:  # noqa: ARG002 - what it led to is known
        """The page to which a choice led."""
        return self._led_to("box", page)

    def scrolled(self, page: Page) -> Iterator[Page]:  # noqa: ARG002 - how far it was scrolled is known
        """The page as it was scrolled on."""
        while (further := self._pages.following("scroll")) is not None:
            yield further

    def further_in_box(self, page: Page, node: int) -> Page | None:  # noqa: ARG002 - what it led to is known
        """The page after a box of it was scrolled on."""
        return self._pages.following("scroll")

    def _led_to(self, way: str, page: Page) -> Page:
        further = self._pages.following(way)
        if further is None:
            raise ActionError(page.url, f"led nowhere by a {way} when it was captured.")
        return further


PressingTurns: TypeAlias = BrowserTurns | CapturedTurns
Turns: TypeAlias = StaticTurns | PressingTurns


@contextmanager
def turns_of(loader: Loader, on_wait: OnWait | None = None, on_turn: OnTurn = _nobody) -> Iterator[Turns]:
    """Ways to turn pages as this loader would open them."""
    browser, limits, policy = loader.browser, loader.limits, loader.policy
    if loader.static:
        watched = WatchedLoader(
            static=True, browser=browser, limits=limits, policy=policy, pdf=loader.pdf, captured=loader.captured
        )
        with watched:
            yield StaticTurns(watched, on_wait, on_turn)
    elif loader.captured is not None:
        yield CapturedTurns(loader.captured)
    else:
        with Session(browser=browser, limits=limits, policy=policy) as session:
            yield BrowserTurns(session, on_wait, on_turn)


STALE = 3  # pages in a row without a new record: the list repeats itself
COMPLETE = ("counter", "end", "repeated")  # ends after which there is nothing to go on with
IN_PLACE = ("button", "box")  # ways on that may leave the address as it is

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
    parts: set[str] = field(default_factory=set)  # of a list that is separated by dates or letters
    counted: Paging = field(default_factory=Paging)
    productive: int = 0  # pages that brought new records
    asks_password: bool = False  # the first page has a field for one, as many sites have on every page
    came_round: bool = False  # a page that was called next brought nothing new
    last: list[Fingerprint] = field(default_factory=list)  # the records of the page before
    latest: tuple[Page, RecordsOnPage] | None = None
    rows_repeat: bool = False  # rows of a table may say the same and be two all the same
    number: int = 0  # of the page that was visited last
    replayed: int = 0  # pages that an earlier walk has read and that only their buttons lead to

    def resume(self, pages: Sequence[Visited]) -> None:
        """Go on after these pages, which an earlier walk has read."""
        last = _bare(pages[-1].address) if pages else ""
        behind = takewhile(lambda page: page.way in IN_PLACE and _bare(page.address) == last, reversed(pages))
        self.replayed = sum(1 for _ in behind)
        for page in pages:
            self.seen.add(_bare(page.address))
            self.known.update(map(fingerprint, page.records))
            self.productive += bool(len(page.records))

    def visits(self, first: Page, address: str) -> Iterator[Visited]:
        """Every page of the list in turn, from one that is open already."""
        page, way, in_chain = first, "opened", True
        before = address
        stale, self.number = 0, len(self.seen - {_bare(address)})
        while True:
            self.number += 1
            self.seen.add(_bare(address))
            try:
                visited = self._visit(page, address, way)
            except SightlineError as problem:
                self.stop = Stop("failed", problem.message)
                return
            yield visited
            is_new = bool(len(visited.records))
            # After an interruption pages that were read before lead on all the same.
            is_first = way == "opened" or (self.replayed > 0 and way in IN_PLACE)
            self.replayed -= way in IN_PLACE
            is_empty_part = not visited.shown and _bare(address) in self.parts  # as a month without any record
            stale = 0 if is_new or is_first or is_empty_part else stale + 1
            self.productive += is_new
            paging = find_paging(page)
            if is_new and not in_chain:  # what was called next is not the way of this list
                self.came_round = False
            self.came_round |= (
                in_chain and not is_new and visited.shown > 0 and not is_first and not self._is_beside(address, before)
            )
            before = address
            if is_new or is_first:
                self._note(paging)
                self.came_round |= in_chain and paging.next is not None and _bare(paging.next) in self.seen
            else:  # what a page without news calls next leads astray
                paging = replace(paging, next=None, button=None, box=None)
            if stale >= STALE:
                self.stop = self._end()
                return
            if self.number >= self.most_pages:
                self.stop = self._budget(page, address, paging)
                return
            turned = self._turn(page, address, paging)
            if turned is None:
                return
            page, address, way = turned
            in_chain &= paging.next is not None and address == _bare(paging.next)

    def _visit(self, page: Page, address: str, way: str) -> Visited:
        """Read a page; records that earlier pages had are left out."""
        found, doubt = self._read(page)
        if way == "opened":
            self.asks_password = _asks_password(page)
        elif not len(found) and not self.asks_password and _asks_password(page):
            raise BlockedError(address, "shows a log-in instead of records; what was collected before it is kept.")
        self.doubts += [f"{address}: {one}" for one in (doubt, *page.gaps) if one]
        return self.take(found, address, way)

    def take(self, found: Records, address: str, way: str) -> Visited:
        """Take in the records of one more page, however they were read."""
        marks = [fingerprint(record) for record in found]
        fresh = self._fresh(found, way)
        if fresh and way == "link" and _have_moved(self.last, marks):
            self.doubts.append(
                f"{address}: records of the page before are on it again; the list moved while it was read, so others "
                "may be missing"
            )
        again = len(marks) - len(fresh)
        is_longer = way == "scroll" or (way == "button" and marks[:1] == self.last[:1])  # more rows below
        if fresh and again and self.rows_repeat and not is_longer:
            rows = f"{again:,} row{'s' * (again != 1)}"
            self.doubts.append(f"{address}: left out because the same stood on a page before: {rows}")
        self.known.update(map(fingerprint, fresh))
        self.last = marks
        return Visited(address, way, len(marks), Records(fresh, found.schema, found.language))

    def _read(self, page: Page) -> RecordsOnPage:
        """The records of a page; the page that was read last is not read again."""
        if self.latest is None or self.latest[0] is not page:
            self.latest = page, self.read(page)
        return self.latest[1]

    def end_after(self, page: Page) -> None:
        """End here: the rest of the list was found, beginning with a page whose way on is not taken."""
        self._note(find_paging(page))
        self.stop = self._end()

    def _note(self, paging: Paging) -> None:
        for address in paging.pages:
            if _bare(address) not in self.seen:
                self.left[_bare(address)] = None
        for address in map(_bare, paging.strip):
            self.parts.add(address)
            if address not in self.seen:
                self.left.setdefault(address)
        if paging.total or paging.records:
            before = self.counted.records
            if before is not None and paging.records is not None and paging.records != before and not self.doubts:
                self.doubts.append(
                    f"the page counted {before:,} records, and then {paging.records:,}; the list changed while it was "
                    "read, so some may be missing"
                )
            self.counted = paging

    def _turn(self, page: Page, address: str, paging: Paging) -> tuple[Page, str, str] | None:
        """The next page that nobody has seen, and how it was reached; None at the end."""
        following = self._following(paging)
        presses = isinstance(self.turns, PressingTurns) and paging.way == "button"  # its address may be a mere part
        try:
            if following and not presses:
                self.left.pop(following, None)
                return self.turns.open(following), following, "link"
            if isinstance(self.turns, PressingTurns) and paging.button is not None:
                return self.turns.press(page, paging.button), address, "button"
            if isinstance(self.turns, PressingTurns) and paging.box is not None and paging.choice is not None:
                return self._chosen(self.turns, page, paging.box, paging.choice)
            if isinstance(self.turns, PressingTurns) and not self.seen - {_bare(self.start)}:
                return self._scrolled(self.turns, page, address)
        except SightlineError as problem:
            self.stop = Stop("failed", problem.message)
            return None
        if not isinstance(self.turns, PressingTurns) and paging.way in ("button", "box"):
            self.doubts.append(f"a {paging.way} leads on, which only a browser can use; leave `static` out")
        self.stop = self._end()
        return None

    def _following(self, paging: Paging) -> str | None:
        """The next page; if it was seen, or there is none, the first of the others that was not."""
        if paging.next and _bare(paging.next) not in self.seen:
            return _bare(paging.next)
        return next((address for address in self.left if address not in self.seen), None)

    def _chosen(self, turns: PressingTurns, page: Page, box: int, choice: str) -> tuple[Page, str, str]:
        further = turns.choose(page, box, choice)
        return further, further.url, "box"

    def _scrolled(self, turns: PressingTurns, page: Page, address: str) -> tuple[Page, str, str] | None:
        """The page scrolled on, if it then shows other records."""
        for further in turns.scrolled(page):
            if self._has_news(further):
                return further, address, "scroll"
            page = further
        node = _last_node(self._read(page).records)
        further_in = turns.further_in_box(page, node) if node is not None else None
        if further_in is not None and self._has_news(further_in):
            return further_in, address, "scroll"
        self.stop = self._end()
        return None

    def _has_news(self, page: Page) -> bool:
        return bool(self._fresh(self._read(page).records, "scroll"))

    def _fresh(self, found: Records, way: str) -> list[Record]:
        """The records that no page before had; the first one in a box may be cut off, and is then known as a whole."""
        marks = [fingerprint(record) for record in found]
        known = [mark in self.known for mark in marks]
        if way == "scroll" and marks and not known[0]:
            known[0] = any(set(marks[0]) < set(whole) for whole in self.known)
        return [record for record, is_known in zip(found, known, strict=True) if not is_known]

    def _is_beside(self, address: str, before: str) -> bool:
        """Whether the way from one page to another counts something else than the pages of the list."""
        one, other = split_address(before), split_address(address)
        return one is not None and other is not None and counts_something_else(one, other)

    def _budget(self, page: Page, address: str, paging: Paging) -> Stop:
        """The end of what may be read; whether scrolling brings more is only known by doing it."""
        more = self._following(paging) is not None or paging.button is not None or paging.box is not None
        if not more and self._turn(page, address, paging) is None:
            assert self.stop is not None
            return self.stop
        return self.spent()

    def spent(self) -> Stop:
        """The end of what may be read, where there is more."""
        return Stop("budget", f"{self.most_pages} pages were read, and there are more; raise `pages` to read them")

    def _end(self) -> Stop:
        """The end of the list, held against what the page counts."""
        records, pages = self.counted.records, self.counted.total
        if records is not None and records > len(self.known):
            self.doubts.append(f"the page counts {records:,} records, and {len(self.known):,} were found")
        elif records is None and pages is not None and pages > self.productive:
            self.doubts.append(f"the page counts {pages:,} pages, and {self.productive:,} were found")
        elif records == len(self.known) or (records is None and pages == self.productive):
            return Stop("counter", "all that the page counts was found")
        if self.came_round:
            return Stop("repeated", "what the last page calls next brings no record that is new")
        return Stop("end", "there is no further page")


def _have_moved(before: Sequence[Fingerprint], marks: Sequence[Fingerprint]) -> bool:
    """Whether a record stands nearer to the top than on the page before: others came in front of it.

    One that every page has, such as an advertisement, stays where it is.
    """
    places = {mark: place for place, mark in enumerate(before)}
    return any(places.get(mark, -1) > place for place, mark in enumerate(marks))


def _last_node(records: Records) -> int | None:
    """Where the last record stands on its page; None if nobody knows."""
    if not len(records):
        return None
    found = [
        node for _, value in named_values(records[len(records) - 1]) if value.origin for node in value.origin.nodes
    ]
    return max(found, default=None)


def _asks_password(page: Page) -> bool:
    """Whether a field for a password is shown."""
    kind = page.attribute("type")
    fields = page.with_tag("input").tolist()
    return any(
        page.visible[node] and page.strings[kind[node]].lower() == "password" for node in fields if kind[node] >= 0
    )


def _bare(address: str) -> str:
    return address.partition("#")[0]


# -- the list that a title promises, on one page or over several that go on counting --------------------------------


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
