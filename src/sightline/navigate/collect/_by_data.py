"""Going on without the browser: once the data behind the first pages gives their records, it gives the others as well.

The browser's pages stay the measure. The road has to give the records of the last page that was seen, letter by letter,
when it is asked for without a browser, and only where that page leads on. Where anything is unlike what was seen, all
that came by the road is left again, and the browser goes on.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from sightline.data import Records
from sightline.errors import SourceError, UnreachableError
from sightline.navigate.behind import COMPARED, DataRoad, ListEnd, LostRoad, RoadScout, check_road
from sightline.navigate.collect._walk import COMPLETE, BrowserTurns, Stop, Turns, Visited, Walk
from sightline.navigate.paging import find_paging
from sightline.page import Page, PageAnswer, PageRequest
from sightline.redaction import redacted

BY_DATA = "data"  # the way to pages that no browser opened
MOST_TRIES = 3  # times that a page is read by the browser because its answer holds something that was never shown
SCROLLS = ("button", "scroll")  # ways by which a page may show the records before again

OnPage = Callable[[Walk, str], object]
"""Called with the walk and the address of each page of the list that was read."""


@dataclass(eq=False)
class Shortcut:
    """The way past the browser, tried after each of the first pages; `told` says what became of it."""

    turns: BrowserTurns
    on_page: OnPage
    told: str = ""
    next_try: int | None = 1  # how many pages have to be seen before the next attempt; None after the last
    tries: int = 0
    tried: int = 0  # pages that the last attempt asked for
    end: ListEnd | None = None  # of the last attempt
    scout: RoadScout = field(default_factory=RoadScout)

    def after(self, walk: Walk, visited: Visited) -> list[Visited] | None:
        """The pages after one that was just visited; None if the browser has to go on, or nothing follows."""
        if self.next_try is None or walk.latest is None:
            return None
        page, read = walk.latest
        records = visited.records if visited.way in SCROLLS else read.records
        if len(records):
            self.scout.see(page, records, self.turns.take_answers())
        if len(self.scout.seen) < self.next_try:
            return None
        self.tried, self.end = 0, None
        try:
            return self._rest(walk, visited)
        except LostRoad as problem:
            self.told = f"Every page was read in the browser: {problem}."
            self.next_try = self._again(problem)
            if self.next_try is None:
                self.turns.keep_answers(kept=False)
            return None

    def _again(self, problem: LostRoad) -> int | None:
        """How many pages have to be seen before the next attempt: what nobody has seen is seen with its own page."""
        seen = len(self.scout.seen)
        if problem.unseen and self.tries < MOST_TRIES:
            self.tries += 1
            return max(seen + self.tried, COMPARED)
        return COMPARED if seen < COMPARED else None

    def _rest(self, walk: Walk, visited: Visited) -> list[Visited]:
        """All further pages by the road, or a LostRoad, after which the walk is as it was."""
        road, page = self.scout.road, self.scout.seen[-1].page if self.scout.seen else None
        if road is None or page is None:
            raise LostRoad(self.scout.why or "the page shows no records")
        if find_paging(page).way is None and len(self.scout.seen) < COMPARED:
            raise LostRoad("nothing on the page leads to another one")
        if walk.doubts:
            raise LostRoad("the pages in the browser are doubted")
        tried = replace(walk, known=set(walk.known), doubts=[], seen=set(walk.seen), left=dict(walk.left))
        tried.productive += bool(len(visited.records))
        pages = list(self._pages(tried, road))
        if tried.stop is None:
            self._check_end(page)
            tried.end_after(page)
        if tried.stop and tried.stop.kind in COMPLETE and tried.doubts:
            raise LostRoad(tried.doubts[0])
        walk.stop, walk.doubts, walk.known, walk.seen = tried.stop, tried.doubts, tried.known, tried.seen
        self.told = f"{_counted(len(pages))} without the browser, from {road.told}."
        return pages

    def _pages(self, walk: Walk, road: DataRoad) -> Iterator[Visited]:
        """The pages behind the one that was seen, each with its new records."""
        if road.turn is None:
            yield from self._held(walk, road)
            return
        answer = check_road(road, self.scout.seen[-1], self.turns.ask)
        number, before, size = 0, answer, len(self.scout.seen[-1].rows.shown)
        shown, told, is_explicit = size, "", False
        while (request := road.following(answer)) is not None:
            self.tried = number + 1
            found = self._asked(walk, road, request, is_first=number == 0)
            visited = walk.take(found[1], redacted(request.url), BY_DATA) if found else None
            if found is None or visited is None or not len(visited.records):
                if number == 0:
                    raise LostRoad(f"{request.told} gave no record that is new")
                walk.came_round = visited is not None and visited.shown > 0
                break
            if shown < size:
                raise LostRoad(f"{told} gave {shown:,} records and not {size:,}, and there are more behind it")
            before, answer, shown, told = answer, found[0], visited.shown, request.told
            if shown > size:
                raise LostRoad(f"{told} gave {shown:,} records and not {size:,} as the pages that were seen")
            if walk.number + number >= walk.most_pages:
                walk.stop = walk.spent()
                return
            number += 1
            walk.productive += 1
            walk.seen.add(f"{request.url}#{number}")  # what is posted has one address for all pages
            self.on_page(walk, visited.address)
            yield visited
        else:
            is_explicit = True
        if number == 0:
            raise LostRoad("the data behind the page says that nothing follows, and the page leads on")
        is_full = shown == size
        self.end = ListEnd(before, answer, road.path, is_full, is_explicit, len(walk.known), walk.number + number)

    def _check_end(self, page: Page) -> None:
        """Hold the end of the road against what answers and page say of it; a LostRoad if the browser has to look."""
        end, paging = self.end, find_paging(page)
        if end is None or end.before is end.last:
            return
        if end.counted is not None and end.counted > end.records:
            raise LostRoad(f"the answers count {end.counted:,} records, and {end.records:,} came")
        if not (end.is_explicit or end.is_said or paging.total or paging.records):
            raise LostRoad(f"nothing says that the list ends with {end.last.request.told}, after which no more came")

    def _held(self, walk: Walk, road: DataRoad) -> Iterator[Visited]:
        """What the page holds already and has not shown yet, a page at a time."""
        last = self.scout.seen[-1]
        assert last.match is not None
        records = road.read(last.answer.data)
        size = len(last.match.places)
        for begin in range(size * COMPARED, len(records), size):
            if begin // size >= walk.most_pages:
                walk.stop = walk.spent()
                return
            part = [records[place] for place in range(begin, min(begin + size, len(records)))]
            yield walk.take(Records(part, records.schema, records.language), last.page.url, BY_DATA)
            walk.productive += 1

    def _asked(
        self, walk: Walk, road: DataRoad, request: PageRequest, *, is_first: bool
    ) -> tuple[PageAnswer, Records] | None:
        """The next answer and its records; None at the end of the list, or where the site fails."""
        try:
            answer = road.ask(request, self.turns.ask)
        except SourceError as problem:
            if is_first:
                raise LostRoad(f"{request.told}: {problem.problem.rstrip('.')}") from problem
            if not (isinstance(problem, UnreachableError) and not problem.passing):
                walk.stop = Stop("failed", problem.message)
            return None  # many sites answer 404 behind the last page
        return answer, road.read(answer.data)


def shortcut(turns: Turns, on_page: OnPage, *, wanted: bool) -> Shortcut | None:
    """A way past the browser, where one is driven and nobody wants its pages; from here what they fetch is kept."""
    if not wanted or not isinstance(turns, BrowserTurns):
        return None
    turns.keep_answers(kept=True)
    return Shortcut(turns, on_page)


def _counted(count: int) -> str:
    return f"{count:,} page{'s' * (count != 1)} came"
