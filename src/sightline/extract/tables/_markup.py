"""The grid that `<table>` markup describes, with spans as the HTML standard resolves them.

On a page without layout this is all there is to go by; on a rendered page it is not used for the grid.
"""

import re
from collections.abc import Iterator

import numpy as np

from sightline.arrays import BoolArray, IntArray
from sightline.extract.tables._grid import CellGrid, is_scattered
from sightline.page import Page, below, nearest, no_boxes

__all__ = ["cell_marks", "markup_grids"]

WIDEST, TALLEST = 1000, 65534  # what the standard allows
MOST_PLACES = 200_000  # of one table; spans are cut when they would take more
SPAN = re.compile(r"\s*(\d+)")


def markup_grids(page: Page) -> Iterator[tuple[CellGrid, str | None]]:
    """The grid of every table that has one, with the nodes of its cells as `block`, and its caption."""
    cells = _group_by_holder(page, page.with_tag("td", "th"), "tr")
    rows = _group_by_holder(page, page.with_tag("tr"), "table")
    spans, captions = CellSpans(page), _captions(page)  # once: a column of a page costs all of it
    for table in page.with_tag("table").tolist():
        grid = _resolve_spans(page, spans, [(int(page.parent[row]), cells.get(row, [])) for row in rows.get(table, [])])
        if grid is not None and not is_scattered(grid):
            yield grid, captions.get(table)


def cell_marks(page: Page) -> BoolArray:
    """Which nodes are headings by their tags: `th`, and all cells in a `thead`."""
    heads = page.mask("thead")
    marked = below(heads, page.end)
    marked[page.with_tag("th")] = True
    return marked


def _group_by_holder(page: Page, nodes: IntArray, tag: str) -> dict[int, list[int]]:
    """The visible ones among some nodes, by the nearest element with a tag around them."""
    holders = page.mask(tag, "table")
    shown = nodes[page.visible[nodes]]
    groups: dict[int, list[int]] = {}
    for node, holder in zip(shown.tolist(), nearest(page.parent, holders)[page.parent[shown]].tolist(), strict=True):
        groups.setdefault(holder, []).append(node)
    return groups


def _resolve_spans(page: Page, spans: "CellSpans", rows: list[tuple[int, list[int]]]) -> CellGrid | None:
    """The places of all cells, as the standard's algorithm assigns them."""
    ends = _group_ends([group for group, _ in rows])
    occupied: set[tuple[int, int]] = set()
    found: list[tuple[int, int, int, int, int]] = []
    for row, (_, cells) in enumerate(rows):
        column = 0
        for cell in cells:
            while (row, column) in occupied:
                column += 1
            wide = min(spans.across(cell) or 1, WIDEST)
            tall = min(spans.down(cell, zero=ends[row] - row) or 1, TALLEST, ends[row] - row)
            wide = max(min(wide, (MOST_PLACES - len(occupied)) // tall), 1)
            tall = max(min(tall, (MOST_PLACES - len(occupied)) // wide), 1)
            places = {(row + down, column + right) for down in range(tall) for right in range(wide)}
            if places & occupied:  # cells whose spans overlap: the later one keeps to its own place
                wide = tall = 1
                places = {(row, column)}
            occupied |= places
            found.append((cell, row, column, tall, wide))
            column += wide
    if not found:
        return None
    block, row_, column_, tall_, wide_ = np.array(found, dtype=np.int32).T
    return CellGrid(block, page.box[block] if page.kind == "pdf" else no_boxes(len(found)), row_, column_, tall_, wide_)


def _group_ends(groups: list[int]) -> list[int]:
    """For each row the index after the last row of its group: no cell extends beyond it."""
    ends: list[int] = [0] * len(groups)
    end = len(groups)
    for row in range(len(groups) - 1, -1, -1):
        if row + 1 < len(groups) and groups[row] != groups[row + 1]:
            end = row + 1
        ends[row] = end
    return ends


class CellSpans:
    """How many rows and columns the cells of a page say that they take."""

    def __init__(self, page: Page) -> None:
        self._strings = page.strings
        self._down, self._across = page.attribute("rowspan"), page.attribute("colspan")

    def across(self, cell: int) -> int:
        """The columns of a cell."""
        return self._span(int(self._across[cell]), 1)

    def down(self, cell: int, *, zero: int) -> int:
        """The rows of a cell; 0 means to the end of its group."""
        return self._span(int(self._down[cell]), zero)

    def _span(self, value: int, zero: int) -> int:
        """A span as browsers read it: the digits at its start."""
        digits = SPAN.match(self._strings[value]) if value >= 0 else None
        span = int(digits[1][:6]) if digits else 1
        return span if span > 0 else zero


def _captions(page: Page) -> dict[int, str | None]:
    """The caption of each table that has one: the first, if it says anything."""
    nodes = page.with_tag("caption")
    found: dict[int, str | None] = {}
    for table, text in zip(page.parent[nodes].tolist(), page.texts_of(nodes), strict=True):
        found.setdefault(table, text or None)
    return found
