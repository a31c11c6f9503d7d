"""Finding a road behind the pages of a list while they are seen, one after another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sightline.data import Records
from sightline.errors import SourceError
from sightline.extract.behind import (
    ArrayMatch,
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
COMPARED = 2  # pages that tell how the third one is
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
    def elements(self) -> list[Any]:
        """The elements of the array that are its records."""
        assert self.match is not None
        found = elements_of(value_at(self.match.document.data, self.match.path))
        return [found[place] for place in self.match.places if place is not None]

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
    _answers: PageAnswers | None = None  # the last that came

    def see(self, page: Page, records: Records, answers: PageAnswers | None = None) -> None:
        """Take in a page with the records that no page before had, and what it fetched since the one before."""
        rows = shown_rows(records)
        if answers:
            self._answers = answers
        (found,) = matched(page, [rows], self._answers)
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
        last, pages = self.seen[-1], self._parts()
        turn = None
        if not pages:  # of one array that is there already
            whole_match(last)
            pages, turn = self._alike(), self._turn(last)
        assert last.match is not None
        if MUTATION.search(last.answer.request.body):
            raise LostRoad(f"what {last.answer.told} posts may change something, so it is not asked again")
        rules = _rules(pages, language) if len(pages) > 1 else last.match.rules
        if rules is None:
            names = ", ".join(f"“{name}”" for name in last.match.unwritten) or "a field"
            raise LostRoad(f"{names} does not follow from {last.match.document.told}")
        if len(pages) == 1 and (name := next((name for name, rule in rules.items() if rule.is_constant), "")):
            raise LostRoad(f"“{name}” is the same in all records, and one page does not tell whether it stays so")
        shown = [row for one in pages for row in one.rows.shown]
        always = tuple(name for name in rules if all(row.get(name) is not None for row in shown))
        return DataRoad(last.answer.request, last.match.path, rules, always, last.state, turn, said)

    def _parts(self) -> list[ScoutedPage]:
        """The last two pages, if each shows a part of one array, one behind the other, and more is in it."""
        if len(self.seen) < COMPARED:
            return []
        before, last = self.seen[-COMPARED:]
        first, second = before.match, last.match
        if not (first and second and first.in_order and second.in_order and last.is_like(before)):
            return []
        goes_on = (first.places[0], second.places[0]) == (0, len(first.places)) and first.length == second.length
        return [before, last] if goes_on and second.length > len(first.places) + len(second.places) else []

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
    leaves = [leaves_of(element) for one in pages for element in one.elements]
    names = list(dict.fromkeys(name for one in pages for name in one.rows.names))
    rules = {name: find_rule(_column(shown, name), leaves, language) for name in names}
    known = {name: rule for name, rule in rules.items() if rule is not None}
    return known if len(known) == len(rules) and not any(one.rows.nested for one in pages) else None


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
