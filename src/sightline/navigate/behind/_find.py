"""What feeds a page: which answer or state gives each of its lists, tables and values, and how to ask for more."""

from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from sightline.data import ItemList, Records, Table, Value
from sightline.errors import ActionError, SourceError
from sightline.extract.about import find_about
from sightline.extract.behind import (
    ArrayMatch,
    DataDocument,
    ShownRows,
    ValuePlace,
    documents_behind,
    match_rows,
    match_values,
    shown_rows,
    told_path,
)
from sightline.extract.lists import find_lists
from sightline.extract.tables import find_tables
from sightline.navigate.behind._road import DataRoad, Fetch, LostRoad
from sightline.navigate.behind._scout import RoadScout, ScoutedPage, check_road, language_of, matched
from sightline.navigate.paging import find_paging
from sightline.page import Page, PageAnswers
from sightline.redaction import redacted_in
from sightline.sources import AnswerSettings, Loader, Session

PartKind: TypeAlias = Literal["list", "table"]
END = 1_000_000  # pixels to which a window is scrolled to see whether more comes


@dataclass(frozen=True)
class FedList:
    """A list or table of a page, and what gives its records."""

    kind: PartKind
    name: str
    records: int
    scout: RoadScout = field(repr=False)
    followed: int | None = None
    """How many records the next page brought by the road; None if it was not asked for."""

    @property
    def match(self) -> ArrayMatch | None:
        """The array that gives its records; None if there is none."""
        return self.scout.seen[0].match

    @property
    def road(self) -> DataRoad | None:
        """How to have its records without a browser, from its first page on."""
        road = self.scout.road
        return replace(road, request=self.scout.seen[0].answer.request) if road else None

    @property
    def why(self) -> str:
        """Why there is no such road, or why it may end."""
        return self.scout.why

    def to_json(self) -> dict[str, Any]:
        """The list for JSON."""
        match = self.match
        found = None
        if match:
            found = {
                "document": match.document.told,
                "path": told_path(match.path),
                "elements": match.length,
                "in_order": match.in_order,
                "share": round(match.share, 4),
                "fields": {
                    name: {"from": one.told, "exact": one.rule is not None, "share": round(one.share, 4)}
                    for name, one in match.fields.items()
                },
                "missing": list(match.missing),
            }
        turn = self.road.turn.told if self.road and self.road.turn else None
        told = {"kind": self.kind, "name": self.name, "records": self.records, "data": found, "next": turn}
        return {**told, "request": self.road.request.to_dict() if self.road else None, "why": self.why or None}


@dataclass(frozen=True)
class DataBehind:
    """What feeds a page: its documents, the lists and tables with the arrays that give them, and single values."""

    address: str
    page: Page = field(repr=False)
    documents: tuple[DataDocument, ...]
    lists: tuple[FedList, ...]
    values: dict[str, ValuePlace]
    gaps: tuple[str, ...] = ()
    followed: bool = False
    """Whether the next pages were looked at."""

    @property
    def best(self) -> FedList | None:
        """The most important list whose records can be had without a browser."""
        return next((one for one in self.lists if one.road), None)

    def to_json(self) -> dict[str, Any]:
        """All of it for JSON, without secrets."""
        found: dict[str, Any] = redacted_in(
            {
                "documents": [one.told for one in self.documents],
                "lists": [one.to_json() for one in self.lists],
                "values": {
                    name: {"document": one.document.told, "path": told_path(one.path), "exact": one.exact}
                    for name, one in self.values.items()
                },
                "gaps": list(self.gaps),
            }
        )
        return found


def behind(address: str, *, loader: Loader, follow: bool = False) -> DataBehind:
    """What feeds the page at an address.

    With `follow` the page is turned once, to compare the two, and the page behind is asked for without the browser.
    """
    if loader.static:
        return _fed(address, loader.load(address), None)
    with Session(browser=loader.browser, limits=loader.limits, policy=loader.policy) as session:
        session.keep_answers(AnswerSettings())
        page = session.goto(address).capture()
        found = _fed(address, page, session.take_answers())
        return _followed(found, session) if follow else found


def _fed(address: str, page: Page, answers: PageAnswers | None) -> DataBehind:
    documents = documents_behind(page, answers or ())
    parts = _repeated(page)
    records = [one.records() for one in parts]
    rows = [shown_rows(one) for one in records]
    matches = match_rows(rows, documents, base=page.url, language=language_of(page))
    gaps = (*(answers.gaps if answers else ()), *page.own_data.gaps)
    lists: list[FedList] = []
    known: set[tuple[int, object]] = set()
    for part, several, shown, match in zip(parts, records, rows, matches, strict=True):
        place = (id(match.document), match.path) if match else None
        if isinstance(part, Table) and place in known:
            continue  # it was found as a list as well
        if place:
            known.add(place)
        lists.append(_fed_list(part, several, ScoutedPage(page, shown, match, gaps)))
    values = match_values(_single_values(page), documents, base=page.url)
    return DataBehind(address, page, tuple(documents), tuple(lists), values, gaps)


def _repeated(page: Page) -> list[ItemList | Table]:
    return [*(one for one in find_lists(page) if one.kind == "items"), *find_tables(page)]


def _fed_list(part: ItemList | Table, records: Records, seen: ScoutedPage) -> FedList:
    scout = RoadScout()
    scout.take(seen, records.language)
    kind: PartKind = "list" if isinstance(part, ItemList) else "table"
    return FedList(kind, part.caption or "", len(records), scout)


def _single_values(page: Page) -> dict[str, Value]:
    """The fields of the thing that the page is about, as they are seen."""
    thing = find_about(page)
    seen = {name: next((one.value for one in found if one.value.origin), None) for name, found in thing.fields.items()}
    return {name: value for name, value in seen.items() if value is not None}


# ---------------------------------------------------------------------- the next pages


def _followed(found: DataBehind, session: Session) -> DataBehind:
    """The same, after the page was turned in the browser and its lists were compared, and with the page behind."""
    fed = [one for one in found.lists if one.match]
    turned = _turned(found.page, session) if fed else None
    for one in fed:
        second = _same_list(one, *turned) if turned else None
        if second:
            one.scout.take(second, language_of(second.page))
    asked = {id(one): _asked(one, session.fetch) for one in fed if one.road}
    lists = tuple(replace(one, followed=asked.get(id(one))) for one in found.lists)
    return replace(found, lists=lists, followed=True)


def _turned(page: Page, session: Session) -> tuple[Page, PageAnswers] | None:
    """The page after it was turned, by its button, its link, or by scrolling, and what it fetched for that."""
    paging = find_paging(page)
    try:
        if paging.button is not None:
            session.click(page.xpath(paging.button))
        elif paging.next:
            session.goto(paging.next)
        else:
            session.scroll(END)
        return session.capture(), session.take_answers()
    except (ActionError, SourceError):  # then there is nothing to compare
        return None


def _same_list(one: FedList, page: Page, answers: PageAnswers) -> ScoutedPage | None:
    """The list on the next page that comes from the same place, with the records that were not on the first page."""
    first = one.scout.seen[0]
    shown = [_without(shown_rows(part.records()), first.rows) for part in _repeated(page)]
    pairs = zip(shown, matched(page, shown, answers), strict=True)
    found = (ScoutedPage(page, rows, match, answers.gaps) for rows, match in pairs if match)
    return next((second for second in found if second.is_like(first)), None)


def _without(rows: ShownRows, before: ShownRows) -> ShownRows:
    known = {repr(row) for row in before.shown}
    kept = [place for place, row in enumerate(rows.shown) if repr(row) not in known]
    return ShownRows(
        [rows.values[place] for place in kept],
        [rows.shown[place] for place in kept],
        [rows.cells[place] for place in kept],
        rows.nested,
    )


def _asked(one: FedList, fetch: Fetch) -> int | None:
    """How many records the road brings for the next page; if it is lost, the scout knows why."""
    road = one.scout.road
    assert road is not None
    try:
        request = road.following(check_road(road, one.scout.seen[-1], fetch))
        return len(road.read(road.ask(request, fetch).data)) if request else 0
    except (LostRoad, SourceError) as problem:
        one.scout.lose(str(problem), is_open=isinstance(problem, LostRoad) and problem.unseen)
        return None
