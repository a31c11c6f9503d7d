"""From a page to its tables: both methods, one score, one interpretation."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray
from sightline.data import Cell, Table, TraceStep
from sightline.errors import UsageError
from sightline.extract.tables._draft import (
    PageTexts,
    TableDraft,
    from_elements,
    from_markup,
    from_words,
    with_header_rows,
    with_notes_apart,
)
from sightline.extract.tables._elements import element_grids
from sightline.extract.tables._evidence import PARTS, contributions, measure_drafts, score
from sightline.extract.tables._grid import markup_grids
from sightline.extract.tables._interpret import (
    cells_of,
    is_record,
    language_of,
    merged_rows_doubt,
    recognised_doubt,
    roles_of,
    roles_of_record,
)
from sightline.extract.tables._words import WIDE, word_tables
from sightline.gc_paused import gc_paused
from sightline.geometry import Box, BoxArray, as_box, contains, union
from sightline.page import Page, nearest
from sightline.settings import Settings, check_rules, setting
from sightline.signals import LayoutBlocks, first_texts, layout_blocks

# -- every step of the search, kept to be printed and drawn ---------------------------------------------------------

TableDecision: TypeAlias = Literal["table", "scores too little", "overlaps a better one", "does not hold the word"]


@dataclass(frozen=True)
class TableCandidate:
    """A grid of cells that might be a data table: which method found it, the evidence, and the verdict."""

    method: str
    box: Box | None
    shape: tuple[int, int]
    evidence: dict[str, float]
    score: float
    decision: TableDecision
    cells: tuple[Box, ...] = ()


@dataclass(frozen=True)
class TableTrace:
    """What was considered on the way to the tables: blocks of the page, areas of words, grids, and what was kept."""

    found: tuple[Table, ...]
    candidates: tuple[TableCandidate, ...] = ()
    blocks: tuple[Box, ...] = ()
    areas: tuple[Box, ...] = ()

    def steps(self) -> tuple[TraceStep, ...]:
        """Blocks, areas of words, cells, and every candidate with what became of it."""
        candidates = tuple(_facts(candidate) for candidate in self.candidates)
        boxes = tuple(candidate.box for candidate in self.candidates if candidate.box)
        cells = tuple(dict.fromkeys(cell for candidate in self.candidates for cell in candidate.cells))
        return (
            TraceStep("blocks", "laid-out boxes that are not part of a line of text", boxes=self.blocks),
            TraceStep("areas", "areas in which words may form a table", boxes=self.areas),
            TraceStep("cells", "what lines up in rows and columns, comb by comb", boxes=cells),
            TraceStep(
                "candidates", "grids of cells, what spoke for and against each, and the decision", candidates, boxes
            ),
        )


def _facts(candidate: TableCandidate) -> dict[str, Any]:
    return {
        "method": candidate.method,
        "shape": f"{candidate.shape[0]} × {candidate.shape[1]}",
        "box": candidate.box,
        "score": candidate.score,
        "evidence": candidate.evidence,
        "decision": candidate.decision,
    }


# -- from a page to its tables: both methods, one score, one interpretation -----------------------------------------

# Settings for finding tables, and the rules that can be switched off one by one.

# The score from which on a grid is returned. In cross-validation it keeps 99 % of the data tables, and 4 to 5 % of what
# it keeps are others; at 0.5 it is 96 % and 3 %. Small tables without lines, which people also mean, score about 0.3.
LEAST_SCORE = 0.28

RULES: dict[str, str] = {
    "elements": "method A: cells from the boxes of elements",
    "words": "method B: cells from the boxes of words",
    "markup": "tags determine which rows and columns are headings, if there are tags",
    "alternatives": "lines by their bottoms or middles, and columns before rows, if tops fail",
    "steps": "a line that makes a step with the lines above it begins another table",
    "order": "cells in the same order, clear of each other, are columns even if their edges differ",
    "gaps": "a gap wider than usual between lines ends a table",
    "twins": "a complete table continues below another only if it touches it and is as wide",
    "edges": "a cell spans rows only if it ends where other cells end",
    "captions": "what is laid out as a caption is not a row",
    "dashes": "columns from lines drawn with dashes",
    "alignment": "columns from words that share a left, middle or right coordinate",
    "unwrapping": "lines of preformatted text that were broken at the margin are rejoined",
    "looks": "headings are recognised by their looks",
    "kinds": "headings are recognised by the kinds of their texts, if nothing looks different",
    "reconciling": "of overlapping readings only the better is kept",
    "score": "only tables that score enough are returned",
} | {f"part: {name}": text for name, text in PARTS.items()}


@dataclass(frozen=True, kw_only=True)
class TableSettings(Settings):
    """How tables are found."""

    least_score: float = setting(
        LEAST_SCORE, help="lowest score of a grid of cells that counts as a data table", minimum=0, maximum=1
    )
    header_rows: int | None = setting(
        None, help="how many rows at the top of every table are headings; they are found by default", minimum=0
    )
    notes: Literal["apart", "keep"] = setting(
        "apart",
        help="marks of footnotes: apart from the value of their cell (in Python `cell.notes`), or kept in it",
        choices=("apart", "keep"),
    )
    without: tuple[str, ...] = setting((), help="names of rules to switch off, to see what each is worth", hidden=True)

    def __post_init__(self) -> None:
        """Reject rules that do not exist."""
        super().__post_init__()
        check_rules(self.without, RULES)


MOST_LATER = 5_000_000  # places, as many as `Table` takes: it refuses a larger one, and that is to be said at once


def find_tables(page: Page, *, containing: str | None = None, settings: TableSettings | None = None) -> list[Table]:
    """The data tables of a page, best first; `containing` returns those that contain a text, whatever their score.

    >>> from sightline.testing import grid_page
    >>> page = grid_page([["Name", "Price"], ["EOS 5D", "1200"], ["D850", "2100"], ["Alpha 7", "1900"]])
    >>> [table.to_dicts()[0] for table in find_tables(page)]
    [{'Name': 'EOS 5D', 'Price': '1200'}]
    """
    search = _Search(PageTexts(page), containing, settings or TableSettings())
    with gc_paused():
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
            "doubts": tuple(filter(None, self.doubts(roles.doubt, cells))),
        }

    def doubts(self, of_headings: str | None, cells: Sequence[Cell]) -> tuple[str | None, ...]:
        """What may be wrong with a table; None in place of what is in order."""
        page = self.page_texts.page
        return of_headings, merged_rows_doubt(page, cells), recognised_doubt(page, cells)

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


# Which of several drafts are returned: those that score enough, and of those that overlap the better.

# Share of the smaller box: drafts that share more than this are two readings of one thing.
SHARED = 0.5
# Share of the words of the outer table: if a table in one of its cells has more, the outer one is just its frame.
FRAME = 0.5


def rank(draft: TableDraft, score: float) -> float:
    """How much a table matters on its page: its score, and how much it contains."""
    return score * float(np.log2(1 + (draft.words > 0).sum()))


def choose_drafts(drafts: Sequence[TableDraft], scores: Sequence[float]) -> list[int]:
    """The drafts that are kept, best score first; a table inside one cell of another is kept beside it."""
    kept: list[int] = []
    taken = np.full((len(drafts), 4), np.nan)  # the boxes of those that are kept; nothing is shared with what has none
    for number in sorted(range(len(drafts)), key=lambda number: -scores[number]):
        box = drafts[number].grid.bounds
        near = np.flatnonzero(_shared(box, taken[: len(kept)]) > SHARED).tolist() if box else []
        if not any(_clash(drafts[number], drafts[kept[place]]) for place in near):
            if box:
                taken[len(kept)] = box
            kept.append(number)
    return kept


def _clash(draft: TableDraft, other: TableDraft) -> bool:
    """Whether two drafts that share ground both claim it: neither is a small table in a cell of the other."""
    small, large = sorted((draft, other), key=lambda candidate: _area(candidate.grid.bounds))
    return not _is_in_cell(small, large) or bool(small.words.sum() > FRAME * large.words.sum())


def _shared(box: Box, others: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The share of the smaller box that a box has in common with each of others."""
    width = np.minimum(box[2], others[:, 2]) - np.maximum(box[0], others[:, 0])
    height = np.minimum(box[3], others[:, 3]) - np.maximum(box[1], others[:, 1])
    area = np.minimum(_area(box), (others[:, 2] - others[:, 0]) * (others[:, 3] - others[:, 1]))
    shared: npt.NDArray[np.float64] = np.maximum(width, 0) * np.maximum(height, 0) / np.maximum(area, 1)
    return shared


def _area(box: Box | None) -> float:
    return (box[2] - box[0]) * (box[3] - box[1]) if box else 0.0


def _is_in_cell(small: TableDraft, large: TableDraft) -> bool:
    bounds = small.grid.bounds
    if bounds is None:
        return False
    x0, y0, x1, y1 = bounds
    cells = large.grid.box
    inside = (cells[:, 0] <= x0 + 1) & (cells[:, 1] <= y0 + 1) & (cells[:, 2] >= x1 - 1) & (cells[:, 3] >= y1 - 1)
    return bool(inside.any())


# Captions of tables: the table's own caption, or else the nearest heading above it.

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
NEAR = 24.0  # pixels between a caption and its table
FAR = 600.0  # pixels between a heading and what it heads: about one screen
HEADING_WORDS = 20
LARGER = 1.15  # times the usual size of the page's words


@dataclass(frozen=True, eq=False)
class Captions:
    """All captions and headings of a page, for every table that looks for its own."""

    page_texts: PageTexts
    blocks: LayoutBlocks
    tables: Sequence[Box] = ()

    def of(self, boxes: Sequence[Box]) -> list[str | None]:
        """The text of the caption at each box, or of the heading above it."""
        found = [self._at(box) for box in boxes]
        nodes = [int(self.blocks.node[number]) for number in found if number is not None]
        texts = iter(self.page_texts.page.texts_of(nodes))
        return [None if number is None else " ".join(next(texts).split()) or None for number in found]

    def _at(self, box: Box) -> int | None:
        caption = self._nearest(self.blocks.caption, box, above=NEAR, below=NEAR)
        return self._nearest(self._headings, box, above=FAR, below=-np.inf) if caption is None else caption

    @cached_property
    def _headings(self) -> BoolArray:
        """Short blocks of text that are headings by their tags, or larger or bolder than the page's words."""
        page, looks, blocks = self.page_texts.page, self.page_texts.looks, self.blocks
        short = (blocks.own_ink > 0) & (blocks.ink <= HEADING_WORDS)
        tagged = page.mask(*HEADINGS)
        first = first_texts(page, blocks.node)
        usual = float(np.median(looks.size[page.words.node])) if len(page.words) else 0.0
        stands_out = (looks.size[first] >= LARGER * usual) | looks.bold[first]
        headings: BoolArray = (short & stands_out & (blocks.count == 0)) | (tagged[blocks.node] & (blocks.ink > 0))
        return headings & ~self._in_tables

    @cached_property
    def _in_tables(self) -> BoolArray:
        """Which blocks are in a table: bold text there heads nothing else."""
        inside = np.zeros(len(self.blocks), dtype=bool)
        for table in self.tables:
            inside |= contains(np.array(table, dtype=np.float32), self.blocks.box, slack=1.0)
        return inside

    def _nearest(self, chosen: BoolArray, box: Box, *, above: float, below: float) -> int | None:
        """The nearest of some blocks that ends above a box, or starts below it, within a distance."""
        numbers = np.flatnonzero(chosen)
        if not len(numbers):
            return None
        boxes = self.blocks.box[numbers]
        beside = (boxes[:, 2] > box[0]) & (boxes[:, 0] < box[2])
        up, down = box[1] - boxes[:, 3], boxes[:, 1] - box[3]
        distance = np.where(up >= -1, up, np.where(down >= -1, down + above, np.inf))
        within = beside & (((up >= -1) & (up <= above)) | ((down >= -1) & (down <= below)))
        return int(numbers[within][distance[within].argmin()]) if within.any() else None


# Where on a page words alone may form a table: blocks of text with dashes, bars or wide gaps on several lines.

FEWEST_LINES = 3
SHORT = 4  # words a line; texts in columns with more are prose


def word_areas(page: Page, blocks: LayoutBlocks) -> list[IntArray]:
    """The words of every block that may contain a table of words."""
    shown = np.flatnonzero(page.visible[page.words.node]).astype(np.int32)
    if not len(shown) or not len(blocks):
        return []
    owner = _owners(page, blocks)[page.words.node[shown]]
    order = np.argsort(owner, kind="stable")
    shown, owner = shown[order], owner[order]
    chosen = np.flatnonzero(_is_promising(page, shown, owner, len(blocks)))
    first, last = np.searchsorted(owner, chosen), np.searchsorted(owner, chosen, side="right")
    return [shown[start:stop] for start, stop in zip(first.tolist(), last.tolist(), strict=True)]


def _is_promising(page: Page, shown: IntArray, owner: IntArray, count: int) -> BoolArray:
    """Which blocks have several lines, and something drawn on them, wide gaps, or short texts in columns."""
    box = page.words.box[shown]
    middle, height = (box[:, 1] + box[:, 3]) / 2, box[:, 3] - box[:, 1]
    same_block = owner[1:] == owner[:-1]
    same_line = same_block & (np.abs(np.diff(middle)) < height[1:] / 2)
    gap = same_line & (box[1:, 0] - box[:-1, 2] > WIDE * height[1:])
    line = np.cumsum(np.concatenate([[True], ~same_line]))
    first_gap = np.concatenate([[False], gap])
    first_gap[1:] &= ~(np.maximum.accumulate(np.where(first_gap, line, 0))[:-1] == line[1:])
    lines = _counts(owner, np.concatenate([[True], ~same_line]), count)
    several = lines >= FEWEST_LINES
    if not several.any():
        return several
    # A text that starts again higher up is laid out in columns.
    jumps = _counts(owner, np.concatenate([[False], same_block & (np.diff(middle) < -height[1:])]), count)
    short = _counts(owner, np.ones(len(owner), dtype=bool), count) <= SHORT * lines
    worth = _counts(owner, _drawn(page, page.text[page.words.node[shown]], np.append(several, False)[owner]), count) > 0
    promising: BoolArray = several & (
        worth | (_counts(owner, first_gap, count) >= FEWEST_LINES) | ((jumps > 0) & short)
    )
    return promising


def _counts(owner: IntArray, chosen: BoolArray, count: int) -> npt.NDArray[np.int64]:
    return np.bincount(owner[chosen], minlength=count + 1)[:count]


def _owners(page: Page, blocks: LayoutBlocks) -> IntArray:
    """The number of the block that contains each node; the number of blocks for nodes outside all of them."""
    marked = np.zeros(len(page), dtype=bool)
    marked[blocks.node] = True
    place = np.full(len(page) + 1, len(blocks), dtype=np.int32)
    place[blocks.node] = np.arange(len(blocks), dtype=np.int32)
    return place[nearest(page.parent, marked)[:-1]]


def _drawn(page: Page, text: IntArray, asked: BoolArray) -> BoolArray:
    """Which of the requested words are in a text with something drawn in characters."""
    texts = np.zeros(len(page.strings) + 1, dtype=bool)
    texts[text[asked]] = True
    for number in np.flatnonzero(texts).tolist():
        string = page.strings[number]
        texts[number] = (
            "---" in string or "===" in string or " | " in string or "──" in string or "━━" in string or "══" in string
        )
    return texts[text]
