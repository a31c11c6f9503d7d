"""The cells of a table by its tags: in which column each begins, and which are headings."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import numpy as np

from sightline.arrays import BoolArray
from sightline.page import Page
from sightline.signals import grid_cells, span_of

__all__ = ["Cells", "SpansByCell", "cells_of", "spans_of"]

SpansByCell: TypeAlias = Mapping[tuple[int, str], int]

# Cells that span more columns than this mean all that there are. Browsers allow 1,000, which a hostile page may use.
WIDEST_SPAN = 100


@dataclass(frozen=True)
class Cells:
    """The column of each cell, the cells that are headings, and how many columns there are."""

    column: dict[int, int]
    headings: frozenset[int]
    columns: int


def spans_of(page: Page) -> SpansByCell:
    """How many columns and rows the cells of a page span, by node and attribute, of those that say so."""
    spans = {}
    for name in ("colspan", "rowspan"):
        column = page.attribute(name)
        for node in np.flatnonzero(column >= 0).tolist():
            spans[node, name] = span_of(page.strings[column[node]])
    return spans


def cells_of(page: Page, table: int, own: BoolArray, spans: SpansByCell) -> Cells:
    """The cells of a table, `own` of whose nodes are in no table inside of it.

    Columns are counted where cells begin, so a cell that spans too many adds none.

    >>> from sightline.testing import element, page_of
    >>> rows = [element("tr", element("td", "a"), element("td", "b")), element("tr", element("td", "c"))]
    >>> page = page_of(element("table", *rows))
    >>> cells_of(page, int(page.with_tag("table")[0]), np.ones(len(page), dtype=bool), {}).columns
    2
    """
    tags = page.tag[table : int(page.end[table])]
    wanted = {page.tag_id(name): name for name in ("tr", "td", "th", "thead")}
    rows: list[list[int]] = [[]]  # the first is for cells outside of any row
    headings: set[int] = set()
    head = 0
    for offset in np.flatnonzero(own[: len(tags)] & np.isin(tags, list(wanted))).tolist():
        node, name = table + offset, wanted[int(tags[offset])]
        if name == "thead":
            head = int(page.end[node])
        elif name == "tr":
            rows.append([])
        else:
            rows[-1].append(node)
            if name == "th" or node < head:
                headings.add(node)
    placed = chain.from_iterable(grid_cells(rows, lambda *asked: spans.get(asked, 1), widest=WIDEST_SPAN))
    return _numbered({node: column for node, column, _ in placed}, headings)


def _numbered(starts: dict[int, int], headings: set[int]) -> Cells:
    number = {place: column for column, place in enumerate(sorted(set(starts.values())))}
    return Cells({node: number[place] for node, place in starts.items()}, frozenset(headings), len(number))
