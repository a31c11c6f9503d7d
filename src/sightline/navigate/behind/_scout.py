"""Finding a road behind the pages of a list while they are seen, one after another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from sightline.data import Records
from sightline.errors import SourceError
from sightline.extract.behind import (
    ArrayMatch,
    DataDocument,
    DataRule,
    ShownPart,
    ShownRows,
    StatePlace,
    documents_behind,
    elements_of,
    find_rule,
    leaves_of,
    match_rows,
    shown_rows,
    value_at,
)
from sightline.navigate.behind._road import DataRoad, Fetch, LostRoad
from sightline.navigate.behind._turn import Turn, same_endpoint, turn_after, turn_between
from sightline.navigate.paging import find_paging
from sightline.page import Page, PageAnswer, PageAnswers, PageRequest

ENGLISH = "en"
MUTATION = re.compile(r"[\"']query[\"']\s*:\s*[\"'](?:\s|\\n)*mutation\b")  # GraphQL's word for a request that writes


@dataclass(frozen=True)
class ScoutedPage:
    """A page that was seen: the records that it showed first, and the array behind them, if there is one."""

    page: Page
    rows: ShownRows
    match: ArrayMatch | None
    gaps: tuple[str, ...] = ()

    @property
    def answer(self) -> PageAnswer:
        """The document of the match as an answer: a state is one to the request for the page."""
        assert self.match is not None
        source = self.match.document.source
        if isinstance(source, PageAnswer):
            return source
        return PageAnswer(PageRequest(self.page.url), self.match.document.data)

    @property
    def state(self) -> StatePlace | None:
        """The state of the match; None if it is an answer."""
        source = self.match.document.source if self.match else None
        return source if isinstance(source, StatePlace) else None

    def is_like(self, other: "ScoutedPage") -> bool:
        """Whether the records of both stand at the same place of the same kind of document."""
        if not self.match or not other.match or (self.match.path, self.state) != (other.match.path, other.state):
            return False
        return self.state is not None or same_endpoint(self.answer.request, other.answer.request)


@dataclass(eq=False)
class RoadScout:
    """Looks for a road; `why` says in a sentence why there is none yet."""

    seen: list[ScoutedPage] = field(default_factory=list)
    road: DataRoad | None = None
    why: str = ""

    def see(self, page: Page, records: Records, answers: PageAnswers | None = None) -> None:
        """Take in a page with the records that no page before had, and what it fetched since the one before."""
        rows = shown_rows(records)
        (found,) = matched(page, [rows], answers)
        self.take(ScoutedPage(page, rows, found, answers.gaps if answers else ()), records.language)

    def take(self, seen: ScoutedPage, language: str | None) -> None:
        """Take in a page whose records are matched already."""
        self.seen.append(seen)
        self.road, self.why = None, ""
        try:
            self.road = self._found(language or ENGLISH, language)
        except LostRoad as problem:
            self.why = str(problem)

    def lose(self, why: str, *, is_open: bool) -> None:
        """Say why the road cannot be gone; one that `is_open` can, until it comes to what was never seen."""
        self.why = why
        self.road = self.road if is_open else None

    def _found(self, language: str, said: str | None) -> DataRoad:
        last = self.seen[-1]
        whole = whole_match(last)
        if MUTATION.search(last.answer.request.body):
            raise LostRoad(f"what {last.answer.told} posts may change something, so it is not asked again")
        pages = self._alike()
        rules = _rules(pages, language) if len(pages) > 1 else whole.rules
        if rules is None:
            names = ", ".join(f"“{name}”" for name in whole.unwritten) or "a field"
            raise LostRoad(f"{names} does not follow from {whole.document.told}")
        if len(pages) == 1 and (name := next((name for name, rule in rules.items() if rule.is_constant), "")):
            raise LostRoad(f"“{name}” is the same in all records, and one page does not tell whether it stays so")
        shown = [row for one in pages for row in one.rows.shown]
        always = tuple(name for name in rules if all(row.get(name) is not None for row in shown))
        turn = self._turn(last)
        return DataRoad(last.answer.request, whole.path, rules, always, last.state, turn, said)

    def _alike(self) -> list[ScoutedPage]:
        """The pages seen whose records stand at the same place as those of the last."""
        last = self.seen[-1]
        assert last.match is not None
        return [
            one
            for one in self.seen
            if one.match
            and (one.match.path, one.state) == (last.match.path, last.state)
            and one.match.in_order
            and one.match.length == len(one.rows.shown)
        ]

    def _turn(self, last: ScoutedPage) -> Turn:
        assert last.match is not None
        path, count = last.match.path, last.match.length
        before = self.seen[-2] if len(self.seen) > 1 else None
        if (
            before
            and before.match
            and before.match.path == path
            and same_endpoint(before.answer.request, last.answer.request)
        ):
            turn = turn_between(before.answer, last.answer.request, path, count)
        elif last.state is not None:
            following = find_paging(last.page).next
            turn = turn_between(last.answer, PageRequest(following), path, count) if following else None
        else:
            turn = turn_after(last.answer, path, count)
        if turn is None:
            raise LostRoad(f"nothing tells how to ask for the page after {last.answer.told}")
        return turn


def matched(page: Page, several: Sequence[ShownRows], answers: PageAnswers | None) -> list[ArrayMatch | None]:
    """The arrays behind some records of a page."""
    return match_rows(several, documents_behind(page, answers or ()), base=page.url, language=language_of(page))


def language_of(page: Page) -> str:
    """The language of a page by its own account, else English."""
    said = next((page.node(node).attributes.get("lang", "") for node in page.with_tag("html").tolist()), "")
    code = said[:2].lower()
    return code if code.isalpha() and len(code) == 2 else ENGLISH


def whole_match(seen: ScoutedPage) -> ArrayMatch:
    """The match of a page if its records are all elements of the array, in order; LostRoad says what else they are."""
    match = seen.match
    if match is None:
        said = f" ({seen.gaps[0]})" if seen.gaps else ""
        raise LostRoad(f"no data behind the page gives its records{said}")
    if None in match.places or not match.in_order:
        raise LostRoad(f"the records are not in the order of {match.document.told}")
    if match.length != len(seen.rows.shown):
        held = f"{match.document.told} holds {match.length:,} records"
        raise LostRoad(f"{held}, and the page shows {len(seen.rows.shown):,}")
    return match


def _rules(pages: Sequence[ScoutedPage], language: str) -> dict[str, DataRule] | None:
    """Rules that hold on the records of all pages; None if a field has none."""
    shown = [row for one in pages for row in one.rows.shown]
    leaves = [
        leaves_of(element) for one in pages if one.match for element in elements_of(_array(one.match.document, one))
    ]
    names = list(dict.fromkeys(name for one in pages for name in one.rows.names))
    rules = {name: find_rule(_column(shown, name), leaves, language) for name in names}
    known = {name: rule for name, rule in rules.items() if rule is not None}
    return known if len(known) == len(rules) and not any(one.rows.nested for one in pages) else None


def _array(document: DataDocument, seen: ScoutedPage) -> object:
    assert seen.match is not None
    return value_at(document.data, seen.match.path)


def _column(shown: Sequence[dict[str, ShownPart]], name: str) -> list[ShownPart]:
    return [row.get(name) for row in shown]


def check_road(road: DataRoad, seen: ScoutedPage, fetch: Fetch) -> PageAnswer:
    """Ask for the page that was seen last; a LostRoad says that its records are not those that were seen."""
    try:
        answer = road.ask(road.request, fetch)
    except SourceError as problem:
        raise LostRoad(
            f"{road.request.told} cannot be asked without a browser: {problem.problem.rstrip('.')}"
        ) from problem
    shown = shown_rows(road.read(answer.data)).shown
    wanted = [{name: text for name, text in row.items() if text} for row in seen.rows.shown]
    if [{name: text for name, text in row.items() if text} for row in shown] != wanted:
        raise LostRoad(f"{road.request.told} gave other records than the page showed")
    return answer
