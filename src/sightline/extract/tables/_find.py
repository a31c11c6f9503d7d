"""From a page to its tables: both methods, one score, one interpretation."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from sightline.arrays import IntArray
from sightline.collector import collector_off
from sightline.data import Table
from sightline.errors import UsageError
from sightline.extract.tables._areas import word_areas
from sightline.extract.tables._captions import Captions
from sightline.extract.tables._draft import (
    PageTexts,
    TableDraft,
    from_elements,
    from_markup,
    from_words,
    with_header_rows,
)
from sightline.extract.tables._elements import element_grids
from sightline.extract.tables._evidence import contributions, measure_drafts, score
from sightline.extract.tables._interpret import cells_of, language_of
from sightline.extract.tables._markup import markup_grids
from sightline.extract.tables._merged_rows import merged_rows_doubt
from sightline.extract.tables._notes import with_notes_apart
from sightline.extract.tables._reconcile import choose_drafts, rank
from sightline.extract.tables._record_kind import is_record, roles_of_record
from sightline.extract.tables._roles import roles_of
from sightline.extract.tables._settings import TableSettings
from sightline.extract.tables._trace import TableCandidate, TableDecision, TableTrace
from sightline.extract.tables._words import word_tables
from sightline.geometry import Box, BoxArray, as_box, union
from sightline.page import Page
from sightline.signals import LayoutBlocks, layout_blocks

__all__ = ["find_tables", "trace_tables"]

MOST_LATER = 5_000_000  # places, as many as `Table` takes: it refuses a larger one, and that is to be said at once


def find_tables(page: Page, *, containing: str | None = None, settings: TableSettings | None = None) -> list[Table]:
    """The data tables of a page, best first; `containing` returns those that contain a text, whatever their score.

    >>> from sightline.testing import grid_page
    >>> page = grid_page([["Name", "Price"], ["EOS 5D", "1200"], ["D850", "2100"], ["Alpha 7", "1900"]])
    >>> [table.to_dicts()[0] for table in find_tables(page)]
    [{'Name': 'EOS 5D', 'Price': '1200'}]
    """
    search = _Search(PageTexts(page), containing, settings or TableSettings())
    with collector_off():
        return [search.table(number) for number in search.kept]


def trace_tables(page: Page, *, containing: str | None = None, settings: TableSettings | None = None) -> TableTrace:
    """Like `find_tables`, with every step."""
    search = _Search(PageTexts(page), containing, settings or TableSettings())
    return TableTrace(
        found=tuple(search.table(number) for number in search.kept),
        candidates=tuple(search.candidate(number) for number in range(len(search.drafts))),
        blocks=_boxes(search.blocks.box),
        areas=tuple(box for area in search.areas if (box := union(page.words.box[area])) is not None),
    )


@dataclass(frozen=True, eq=False)
class _Search:
    """One search; each step runs once, on first use."""

    page_texts: PageTexts
    containing: str | None
    settings: TableSettings

    @cached_property
    def blocks(self) -> LayoutBlocks:
        return layout_blocks(self.page_texts.page)

    @cached_property
    def areas(self) -> list[IntArray]:
        return [] if "words" in self.settings.without else word_areas(self.page_texts.page, self.blocks)

    @cached_property
    def drafts(self) -> list[TableDraft]:
        page, without = self.page_texts.page, self.settings.without
        if page.kind != "rendered":  # the tables of a PDF were found when it was opened
            tables = ((grid, caption) for grid, caption in markup_grids(page) if min(grid.shape) > 1)
            return from_markup(self.page_texts, tables)
        grids = element_grids(self.blocks, without) if "elements" not in without else []
        found = word_tables(page, self.areas, without)
        return from_elements(self.blocks, self.page_texts, grids) + [
            from_words(self.page_texts, table) for table in found
        ]

    @cached_property
    def evidence(self) -> list[dict[str, float]]:
        return [contributions(parts, self.settings.without) for parts in measure_drafts(self.drafts)]

    @cached_property
    def scores(self) -> list[float]:
        return [score(evidence) for evidence in self.evidence]

    @cached_property
    def asked(self) -> list[int]:
        """The drafts that contain the requested text; all of them if none was requested."""
        word = (self.containing or "").casefold()
        numbers = range(len(self.drafts))
        return [
            number
            for number in numbers
            if not word or any(word in text.casefold() for text in self.drafts[number].texts)
        ]

    @cached_property
    def good(self) -> list[int]:
        """The drafts that score enough; for a requested text, always at least the best one around it."""
        least = self.settings.least_score if "score" not in self.settings.without else 0.0
        if self.page_texts.page.kind == "pdf":
            least = 0.0
        good = [number for number in self.asked if self.scores[number] >= least]
        if not good and self.containing and self.asked:
            return [max(self.asked, key=self.scores.__getitem__)]
        return good

    @cached_property
    def kept(self) -> list[int]:
        """The drafts that are returned, those that matter most first."""
        good = self.good
        if "reconciling" not in self.settings.without:
            best = choose_drafts([self.drafts[number] for number in good], [self.scores[number] for number in good])
            good = [good[place] for place in best]
        self._check_header_rows(good)
        return sorted(good, key=lambda number: -rank(self.drafts[number], self.scores[number]))

    def _check_header_rows(self, good: list[int]) -> None:
        """Refuse a number of header rows that no table has rows for."""
        most = max((self.drafts[number].grid.shape[0] for number in good), default=0)
        if good and (self.settings.header_rows or 0) > most:
            raise UsageError(
                f"{self.settings.header_rows} header rows are more than any table here has rows ({most} at most); "
                "ask for fewer."
            )

    @cached_property
    def captions(self) -> dict[int, str | None]:
        """The captions of tables that do not have one themselves."""
        nameless = [number for number in self.kept if not self.drafts[number].caption]
        boxes = {number: box for number in nameless if (box := self.drafts[number].grid.bounds) is not None}
        grids = [box for number in self.kept if (box := self.drafts[number].grid.bounds) is not None]
        return dict(zip(boxes, Captions(self.page_texts, self.blocks, grids).of(list(boxes.values())), strict=True))

    def table(self, number: int) -> Table:
        """A table; what it says is read when it is asked for.

        One that is too large is refused at once.
        """
        grid = self.drafts[number].grid
        height, width = grid.shape
        facts: dict[str, Any] = {
            "box": grid.bounds,
            "sheet": self.page_texts.page.sheet_of(grid.bounds),
            "score": round(self.scores[number], 4),
            "evidence": tuple((name, round(part, 4)) for name, part in self.evidence[number].items()),
        }
        if height * width > MOST_LATER:
            return Table(**facts, **self.said(number))
        return Table.made_later(partial(self.said, number), **facts)

    def said(self, number: int) -> dict[str, Any]:
        """What a table says: its headings and cells, its kind, name and language."""
        draft = with_header_rows(self.drafts[number], self.settings.header_rows)
        roles = roles_of(draft, self.settings.without)
        record = is_record(draft, roles)
        if record and roles.header_rows and self.settings.header_rows is None:
            roles = roles_of_record(draft)
        cells = cells_of(self.page_texts.page, draft, roles)
        if self.settings.notes == "apart":
            cells = with_notes_apart(self.page_texts.page, self.page_texts.notes, cells, draft.nodes)
        return {
            "anchors": cells,
            "header_rows": roles.header_rows,
            "header_columns": roles.header_columns,
            "caption": draft.caption or self.captions.get(number),
            "language": language_of(self.page_texts, draft),
            "kind": "record" if record else "grid",
            "doubts": tuple(filter(None, (roles.doubt, merged_rows_doubt(self.page_texts.page, cells)))),
        }

    def candidate(self, number: int) -> TableCandidate:
        draft = self.drafts[number]
        return TableCandidate(
            method=draft.method,
            box=draft.grid.bounds,
            shape=draft.grid.shape,
            evidence=self.evidence[number],
            score=self.scores[number],
            decision=self.decision(number),
            cells=_boxes(draft.grid.box),
        )

    def decision(self, number: int) -> TableDecision:
        if number in self.kept:
            return "table"
        if number not in self.asked:
            return "does not hold the word"
        return "overlaps a better one" if number in self.good else "scores too little"


def _boxes(boxes: BoxArray) -> tuple[Box, ...]:
    return tuple(box for row in boxes if (box := as_box(row)) is not None)
