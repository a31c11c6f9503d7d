"""The grid that `<table>` markup describes, with spans as the HTML standard resolves them.

On a page without layout this is all there is to go by; on a rendered page it is not used for the grid.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from sightline.arrays import BoolArray, IndexArray, IntArray, prefix_sum
from sightline.extract.tables._grid import CellGrid, is_scattered
from sightline.page import Page, below, nearest, no_boxes

__all__ = ["cell_marks", "markup_grids"]

WIDEST, TALLEST = 1000, 65534  # what the standard allows
MOST_PLACES = 200_000  # of one table; spans are cut when they would take more
SPAN = re.compile(r"\s*(\d+)")


def markup_grids(page: Page) -> Iterator[tuple[CellGrid, str | None]]:
    """The grid of every table that has one, with the nodes of its cells as `block`, and its caption."""
    cells, rows = _Held.by(page, "tr", page.with_tag("td", "th")), _Held.by(page, "table", page.with_tag("tr"))
    spans, captions = CellSpans(page), _captions(page)  # once: a column of a page costs all of it
    for table in page.with_tag("table"):
        lines, _ = rows.of(table[None])
        block, counts = cells.of(lines)
        if not len(block):
            continue
        row, column, tall, wide = _placed(spans, block, counts, _group_ends(page.parent[lines]))
        box = page.box[block] if page.kind == "pdf" else no_boxes(len(block))
        grid = CellGrid(block, box, row, column, tall, wide)
        if not is_scattered(grid):
            yield grid, captions.get(int(table))


def cell_marks(page: Page) -> BoolArray:
    """Which nodes are headings by their tags: `th`, and all cells in a `thead`."""
    heads = page.mask("thead")
    marked = below(heads, page.end)
    marked[page.with_tag("th")] = True
    return marked


@dataclass(frozen=True, eq=False)
class _Held:
    """The visible ones among some nodes, sorted by the nearest element with a tag around them."""

    node: IntArray
    holder: IndexArray

    @classmethod
    def by(cls, page: Page, tag: str, nodes: IntArray) -> "_Held":
        shown = nodes[page.visible[nodes]]
        holder = nearest(page.parent, page.mask(tag, "table"))[page.parent[shown]]
        order = np.argsort(holder, kind="stable")
        return cls(shown[order], holder[order])

    def of(self, holders: IntArray) -> tuple[IntArray, IndexArray]:
        """The nodes of some holders, one holder after the other, and how many each has."""
        start = np.searchsorted(self.holder, holders)
        counts = np.searchsorted(self.holder, holders, side="right") - start
        first = prefix_sum(counts)
        return self.node[np.repeat(start - first[:-1], counts) + np.arange(first[-1])], counts


_Places: TypeAlias = tuple[IntArray, IntArray, IntArray, IntArray]
"""Row, column, row span and column span of some cells."""


def _placed(spans: "CellSpans", cells: IntArray, counts: IndexArray, ends: IntArray) -> _Places:
    """The places of the cells of some rows, as the standard's algorithm assigns them.

    In most tables no cell spans anything, and the cells of a row follow each other; only rows in which some cell spans
    several places, or into which one from above reaches, are gone through one by one.
    """
    first = prefix_sum(counts)
    row = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    column = (np.arange(len(cells)) - first[row]).astype(np.int32)
    wide, tall = spans.across(cells), spans.down(cells, ends[row] - row)
    if len(cells) < wide.sum() or len(cells) < tall.sum():
        spanned = _spanned_rows(row, tall, wide, len(counts))
        chosen = np.flatnonzero(spanned[row])
        before = prefix_sum(~spanned[row])[chosen]
        asked = zip(*(part.tolist() for part in (row[chosen], tall[chosen], wide[chosen], before)), strict=True)
        column[chosen], tall[chosen], wide[chosen] = np.array(_resolve_spans(asked), dtype=np.int32).T
    return row, column, tall, wide


def _spanned_rows(row: IntArray, tall: IntArray, wide: IntArray, height: int) -> BoolArray:
    """Which rows have a cell that spans several places, or one that reaches into them from above."""
    spanned = np.zeros(height, dtype=bool)
    spanned[row[(tall > 1) | (wide > 1)]] = True
    reach = np.zeros(height, dtype=np.int32)
    np.maximum.at(reach, row[tall > 1], (row + tall)[tall > 1])
    return spanned | (np.maximum.accumulate(reach) > np.arange(height))


def _resolve_spans(asked: Iterable[tuple[int, int, int, int]]) -> list[tuple[int, int, int]]:
    """Column, row span and column span of each cell.

    For each cell its row, the spans that it asks for, and how many cells stand before it in rows that no span touches.
    """
    occupied: set[tuple[int, int]] = set()
    found: list[tuple[int, int, int]] = []
    last, column = -1, 0
    for row, tall, wide, before in asked:
        column = column if row == last else 0
        while (row, column) in occupied:
            column += 1
        room = MOST_PLACES - len(occupied) - before
        wide = max(min(wide, room // tall), 1)
        tall = max(min(tall, room // wide), 1)
        places = {(row + down, column + right) for down in range(tall) for right in range(wide)}
        if places & occupied:  # cells whose spans overlap: the later one keeps to its own place
            wide = tall = 1
            places = {(row, column)}
        occupied |= places
        found.append((column, tall, wide))
        last, column = row, column + wide
    return found


def _group_ends(groups: IntArray) -> IntArray:
    """For each row the index after the last row of its group: no cell extends beyond it."""
    last = np.append(groups[1:] != groups[:-1], True)
    borders = np.flatnonzero(last)
    return (borders[np.searchsorted(borders, np.arange(len(groups)))] + 1).astype(np.int32)


class CellSpans:
    """How many rows and columns the cells of a page say that they take."""

    def __init__(self, page: Page) -> None:
        self._strings = page.strings
        self._down, self._across = page.attribute("rowspan"), page.attribute("colspan")

    def across(self, cells: IntArray) -> IntArray:
        """The columns of some cells, at least 1."""
        return np.clip(self._spans(self._across[cells]), 1, WIDEST)

    def down(self, cells: IntArray, most: IntArray) -> IntArray:
        """The rows of some cells, of which each may take at most so many; 0 means all of these."""
        spans = self._spans(self._down[cells])
        return np.minimum(np.minimum(np.where(spans > 0, spans, most), TALLEST), most)

    def _spans(self, values: IntArray) -> IntArray:
        """Spans as browsers read them, from the numbers of their strings: the digits at the start."""
        spans = np.ones(len(values), dtype=np.int32)
        given = np.flatnonzero(values >= 0)
        read = {value: self._span(value) for value in set(values[given].tolist())}
        spans[given] = [read[value] for value in values[given].tolist()]
        return spans

    def _span(self, value: int) -> int:
        digits = SPAN.match(self._strings[value])
        return int(digits[1][:6]) if digits else 1


def _captions(page: Page) -> dict[int, str | None]:
    """The caption of each table that has one: the first, if it says anything."""
    nodes = page.with_tag("caption")
    found: dict[int, str | None] = {}
    for table, text in zip(page.parent[nodes].tolist(), page.texts_of(nodes), strict=True):
        found.setdefault(table, text or None)
    return found
