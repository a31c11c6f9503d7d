"""A draft of a table: a grid of cells with their texts, places and looks, whichever method found it."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.data import Cell, shortened
from sightline.extract.tables._grid import CellGrid, cell_marks
from sightline.extract.tables._words import WordTable
from sightline.page import Page, below, nearest
from sightline.signals import CLEAR, LayoutBlocks, Looks, Tallies, first_texts, looks_of, text_kind, within

# -- marks of footnotes in cells: "12,345[1]" is the value 12,345 with the note [1] ---------------------------------
# Only what the page sets as a mark is one: a superscript in brackets, of signs such as † and *, or that leads to a
# place on the same page. A bare raised 2 may be a square, and a bare raised "st" an ordinal; they stay.

LONGEST_MARK = 12  # characters, as in "[note 12]"
_SURE = re.compile(r"[\[(]\s?(?:\w+\s)?\w{1,4}\s?[\])]|[*†‡§¶#‖]{1,3}")
_LINKED = re.compile(r"\w{1,3}|\w+ \w{1,3}")


class NoteMarks(NamedTuple):
    """The superscripts of a page that are marks of notes, in order, and their texts."""

    nodes: npt.NDArray[Any]
    texts: list[str]


NO_MARKS = NoteMarks(np.zeros(0, dtype=np.int64), [])


def note_marks(page: Page) -> NoteMarks:
    """The marks of notes on a page.

    >>> from sightline.testing import element, page_of
    >>> cell = element("td", "12,345", element("sup", "[1]"), " m", element("sup", "2"))
    >>> note_marks(page_of(element("table", element("tr", cell)), kind="static")).texts
    ['[1]']
    """
    raised = page.with_tag("sup")
    if not len(raised):
        return NO_MARKS
    texts = [" ".join(text.split()) for text in page.texts_of(raised)]
    linked = _leading_to_the_page(page, raised)
    marks = [
        (node, text)
        for node, text, leads in zip(raised.tolist(), texts, linked, strict=True)
        if len(text) <= LONGEST_MARK and (_SURE.fullmatch(text) or (leads and _LINKED.fullmatch(text)))
    ]
    return NoteMarks(np.array([node for node, _ in marks], dtype=np.int64), [text for _, text in marks])


def _leading_to_the_page(page: Page, raised: npt.NDArray[Any]) -> list[bool]:
    """Which superscripts hold a link to a place on the same page, or are in one."""
    addresses, links = page.attribute("href"), page.with_tag("a")
    jumps = [addresses[link] >= 0 and page.strings[addresses[link]].startswith("#") for link in links.tolist()]
    links = links[np.array(jumps, dtype=np.bool_)]
    first, last = np.searchsorted(links, (raised, page.end[raised]))
    return list((last > first) | within(raised, links, page.end))


def with_notes_apart(
    page: Page, marks: NoteMarks, cells: tuple[Cell, ...], nodes: Sequence[Sequence[int]]
) -> tuple[Cell, ...]:
    """The cells with the marks in them apart from their values; `nodes` are those of each cell.

    A cell that is nothing but a mark stays as it is: there the mark is the value.
    """
    if not len(marks.nodes):
        return cells
    first = marks.nodes.searchsorted([several[0] if several else 0 for several in nodes]).tolist()
    last = marks.nodes.searchsorted([page.end[several[-1]] if several else 0 for several in nodes]).tolist()
    return tuple(
        _apart(cell, marks.texts[low:high]) if high > low else cell
        for cell, low, high in zip(cells, first, last, strict=True)
    )


def _apart(cell: Cell, marks: Sequence[str]) -> Cell:
    rest, notes = cell.text, list[str]()
    for mark in reversed(marks):
        shorter = _without(rest, mark)
        notes += [mark] if shorter != rest else []
        rest = shorter
    if not notes or not rest:
        return cell
    return replace(cell, value=shortened(cell.value, rest), notes=tuple(map(_plain, reversed(notes))))


def _plain(mark: str) -> str:
    """A mark in letters that are not raised."""
    return unicodedata.normalize("NFKC", mark)


def _without(text: str, mark: str) -> str:
    """A text without a mark: its last one in brackets or of signs, a bare word or number only at the end."""
    before, _, after = text.rpartition(mark)
    if (not _SURE.fullmatch(mark) and after.strip()) or mark not in text:
        return text
    joint = " " if before.strip() and after.strip() and after[0].isalnum() else ""
    return f"{before.rstrip()}{joint}{after}".strip()


# -- A draft of a table: a grid of cells with their texts, places and looks, whichever method found it --------------

# How far up a cell's background is looked for: its row, the group of its row, the table.
BACKGROUND_LEVELS = 3
# Tags and roles of what leads to other pages. An <aside> may hold data: some wikis have infoboxes in it.
GUIDE_TAGS, GUIDES = ("nav", "footer"), frozenset({"navigation", "contentinfo", "menu", "menubar", "tablist"})
# Without layout: tags that are blocks, how many of them in a cell are several, and which share of cells must be plain.
BLOCK_TAGS = ("div", "p", "ul", "ol", "li", "dl", "table", "form", "h1", "h2", "h3", "h4", "h5", "h6", "pre")
SEVERAL_BLOCKS = 2
PLAIN = 0.8
FEW_ROWS = 2  # up to which a table without headings is more likely a bar of links than data


@dataclass(frozen=True, eq=False)
class TableDraft:
    """One entry per cell: its texts, the nodes it was read from, and how it looks."""

    method: str
    grid: CellGrid
    texts: tuple[str, ...]
    nodes: tuple[tuple[int, ...], ...]
    words: IntArray
    linked: IntArray
    links: IntArray
    pictures: IntArray
    controls: IntArray
    blocks: IntArray
    bold: BoolArray
    italic: BoolArray
    background: IntArray
    lined: BoolArray
    marked: BoolArray
    guiding: BoolArray
    items: BoolArray
    header_rows: int | None = None  # if known: asked for, above the dashes that draw columns, or found in a PDF
    ruled: int | None = None  # rows above the first line drawn right across
    caption: str | None = None

    @cached_property
    def kinds(self) -> IntArray:
        """The kind of each text."""
        known = {text: int(text_kind(text)) for text in set(self.texts)}  # in large tables most texts come again
        return np.fromiter(map(known.__getitem__, self.texts), np.int32, len(self.texts))


@dataclass(frozen=True, eq=False)
class PageTexts:
    """What is computed once for a page and used by every draft."""

    page: Page

    @cached_property
    def looks(self) -> Looks:
        """How its nodes look."""
        return looks_of(self.page)

    @cached_property
    def tallies(self) -> Tallies:
        """Counts over its subtrees."""
        return Tallies(self.page)

    @cached_property
    def languages(self) -> IntArray:
        """The language that each node declares, as string ids; -1 if it declares none."""
        return self.page.attribute("lang")

    @cached_property
    def marks(self) -> BoolArray:
        """Which cells are headings by their tags."""
        return cell_marks(self.page)

    @cached_property
    def notes(self) -> NoteMarks:
        """The marks of footnotes."""
        return note_marks(self.page)

    @cached_property
    def guiding(self) -> BoolArray:
        """Which nodes stand in what leads to other pages, by its tag or its role: navigation, or the foot of a page."""
        page = self.page
        outer, roles = page.mask(*GUIDE_TAGS), page.attribute("role")
        for number in set(roles[roles >= 0].tolist()):
            if page.strings[number].strip() in GUIDES:
                outer |= roles == number
        return below(outer, page.end)

    @cached_property
    def items(self) -> BoolArray:
        """Which nodes are the items of lists, or stand in one and in no cell of a table inside it."""
        item = self.page.mask("li")
        around = nearest(self.page.parent, item | self.page.mask("td", "th"))[:-1]
        return (around >= 0) & item[around]

    @cached_property
    def block_elements(self) -> IntArray:
        """The elements that are blocks by their tags."""
        return self.page.with_tag(*BLOCK_TAGS)

    @cached_property
    def links(self) -> IntArray:
        """The links, in document order."""
        return self.page.with_tag("a")

    @cached_property
    def words_in_links(self) -> IntArray:
        """How many words the links before each link have, from their texts alone; the last entry is for all of them."""
        return prefix_sum([len(text.split()) for text in self.page.texts_of(self.links)])


def from_elements(blocks: LayoutBlocks, page_texts: PageTexts, grids: Sequence[CellGrid]) -> list[TableDraft]:
    """The drafts of grids of blocks; what they need from the page is looked up for all of them at once."""
    if not grids:
        return []
    page, looks, tallies = page_texts.page, page_texts.looks, page_texts.tallies
    block = np.concatenate([grid.block for grid in grids])
    nodes = blocks.node[block]
    first = first_texts(page, nodes)
    columns = {
        "words": tallies.below(nodes, tallies.words),
        "linked": tallies.below(nodes, tallies.linked),
        "links": tallies.below(nodes, tallies.links),
        "pictures": tallies.below(nodes, tallies.pictures),
        "controls": tallies.below(nodes, tallies.controls),
        "blocks": _inner_blocks(blocks, block),
        "bold": looks.bold[first],
        "italic": looks.italic[first],
        "background": _background(page, looks, nodes),
        "lined": looks.lined[nodes],
        "marked": page_texts.marks[nodes],
        "guiding": page_texts.guiding[nodes],
        "items": page_texts.items[nodes],
    }
    texts = page.texts_of(nodes)
    ends = np.cumsum([len(grid.block) for grid in grids]).tolist()
    return [
        TableDraft(
            method="elements",
            grid=grid,
            texts=tuple(texts[start:end]),
            nodes=tuple(zip(nodes[start:end].tolist(), strict=True)),
            **{name: column[start:end] for name, column in columns.items()},
        )
        for grid, start, end in zip(grids, [0, *ends], ends, strict=False)
    ]


def from_markup(page_texts: PageTexts, found: Iterable[tuple[CellGrid, str | None]]) -> list[TableDraft]:
    """The drafts of tables' markup with their captions, on a page without layout; their texts are read all at once."""
    tables = list(found)
    if not tables:
        return []
    texts = iter(page_texts.page.texts_of(np.concatenate([grid.block for grid, _ in tables])))
    return [_markup_draft(page_texts, grid, caption, tuple(islice(texts, len(grid.block)))) for grid, caption in tables]


def _markup_draft(page_texts: PageTexts, grid: CellGrid, caption: str | None, texts: tuple[str, ...]) -> TableDraft:
    """The draft of a table's markup: headings count as bold, plain cells as lines."""
    page, nodes = page_texts.page, grid.block
    marked = page_texts.marks[nodes]
    inner = _inner_tags(page_texts, nodes)
    # Tables used for layout have cells full of blocks and pictures; tables of data have cells of text.
    plain = bool(
        ((inner < SEVERAL_BLOCKS) & (page_texts.tallies.below(nodes, page_texts.tallies.pictures) == 0)).mean() >= PLAIN
    )
    bold, italic, header_rows = marked, np.zeros(len(nodes), dtype=bool), None
    if page.kind == "pdf":  # its headings were found when it was opened; those beside are seen by their looks alone
        first = first_texts(page, nodes)
        bold, italic = page_texts.looks.bold[first], page_texts.looks.italic[first]
        header_rows, marked = _marked_rows(grid, marked), np.zeros(len(nodes), dtype=bool)
    bordered = bool(marked.any()) or caption is not None or (plain and grid.shape[0] > FEW_ROWS)
    return TableDraft(
        method="markup",
        grid=grid,
        texts=texts,
        nodes=tuple(zip(nodes.tolist(), strict=True)),
        words=np.array([len(text.split()) for text in texts], dtype=np.int32),
        linked=_linked_words(page_texts, nodes),
        links=page_texts.tallies.below(nodes, page_texts.tallies.links),
        pictures=page_texts.tallies.below(nodes, page_texts.tallies.pictures),
        controls=page_texts.tallies.below(nodes, page_texts.tallies.controls),
        blocks=inner,
        bold=bold,
        italic=italic,
        background=np.full(len(nodes), CLEAR, dtype=np.int32),
        lined=np.full(len(nodes), bordered),
        marked=marked,
        guiding=page_texts.guiding[nodes],
        items=page_texts.items[nodes],
        header_rows=header_rows,
        caption=caption,
    )


def _marked_rows(grid: CellGrid, marked: BoolArray) -> int:
    """How many rows at the top begin no cell that is not a heading."""
    return int(grid.row[~marked].min(initial=grid.shape[0]))


def _inner_tags(page_texts: PageTexts, nodes: IntArray) -> IntArray:
    """How many elements in each node are blocks by their tags."""
    blocks, end = page_texts.block_elements, page_texts.page.end
    return (np.searchsorted(blocks, end[nodes]) - np.searchsorted(blocks, nodes, side="right")).astype(np.int32)


def _linked_words(page_texts: PageTexts, nodes: IntArray) -> IntArray:
    """How many words of each node are in links, from the texts alone."""
    links, words = page_texts.links, page_texts.words_in_links
    first, last = np.searchsorted(links, nodes), np.searchsorted(links, page_texts.page.end[nodes])
    linked: IntArray = (words[last] - words[first]).astype(np.int32)
    return linked


def from_words(page_texts: PageTexts, table: WordTable) -> TableDraft:
    """The draft of a grid of words."""
    looks, count = page_texts.looks, table.words
    first = np.array([nodes[0] for nodes in table.nodes], dtype=np.int32)
    none = np.zeros(len(count), dtype=np.int32)
    return TableDraft(
        method="words",
        grid=table.grid,
        texts=table.texts,
        nodes=table.nodes,
        words=count,
        linked=none,
        links=none,
        pictures=none,
        controls=none,
        blocks=none,
        bold=looks.bold[first],
        italic=looks.italic[first],
        background=np.full(len(count), CLEAR, dtype=np.int32),
        lined=np.full(len(count), table.header_rows is not None or table.ruled is not None),
        marked=np.zeros(len(count), dtype=bool),
        guiding=page_texts.guiding[first],
        items=page_texts.items[first],
        header_rows=table.header_rows,
        ruled=table.ruled,
        caption=table.caption,
    )


def with_header_rows(draft: TableDraft, count: int | None) -> TableDraft:
    """The draft with as many header rows as were asked for, if any were; a table with fewer rows keeps its own."""
    return draft if count is None or count > draft.grid.shape[0] else replace(draft, header_rows=count)


def _inner_blocks(blocks: LayoutBlocks, block: IntArray) -> IntArray:
    """How many blocks are inside each cell."""
    last = np.searchsorted(blocks.node, blocks.end[block])
    return (last - block - 1).astype(np.int32)


def _background(page: Page, looks: Looks, nodes: IntArray) -> IntArray:
    """What is painted behind each cell: its own background or that of the nearest element around it."""
    found, above = looks.background[nodes], nodes
    for _ in range(BACKGROUND_LEVELS):
        above = np.maximum(page.parent[above], 0)
        found = np.where(found == CLEAR, looks.background[above], found)
    return found


# The full grid of a draft, place by place: which cell takes each place, and how it looks.


@dataclass(frozen=True, eq=False)
class GridView:
    """The looks of the full grid: each place looks like the cell that takes it; -1 if none does."""

    cell: IntArray
    bold: npt.NDArray[np.float64]
    background: IntArray
    held: BoolArray

    @classmethod
    def of(cls, draft: TableDraft) -> "GridView":
        """The view of a draft."""
        cell = _places(draft)
        taken = cell >= 0
        held = taken & (draft.words[cell] > 0)
        return cls(cell, (draft.bold[cell] & held).astype(float), np.where(taken, draft.background[cell], -1), held)

    def turned(self, start: int) -> "GridView":
        """Columns as rows, without the first rows."""
        parts = (self.cell, self.bold, self.background, self.held)
        return GridView(*(part[start:].T for part in parts))  # type: ignore[arg-type]


def _places(draft: TableDraft) -> IntArray:
    grid = draft.grid
    cell = np.full(grid.shape, -1, dtype=np.int32)
    cell[grid.row, grid.column] = np.arange(len(grid.row), dtype=np.int32)
    for wide in np.flatnonzero((grid.row_span > 1) | (grid.column_span > 1)).tolist():
        row, column = grid.row[wide], grid.column[wide]
        cell[row : row + grid.row_span[wide], column : column + grid.column_span[wide]] = wide
    return cell
