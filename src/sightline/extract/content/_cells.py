"""The cells of a table by its tags: in which column each begins, and which are headings."""

from dataclasses import dataclass

import numpy as np

from sightline.arrays import BoolArray
from sightline.page import Page

__all__ = ["Cells", "cells_of"]

# Cells that span more columns than this mean all that there are. Browsers allow 1,000, which a hostile page may use.
WIDEST_SPAN = 100


@dataclass(frozen=True)
class Cells:
    """The column of each cell, the cells that are headings, and how many columns there are."""

    column: dict[int, int]
    headings: frozenset[int]
    columns: int


def cells_of(page: Page, table: int, own: BoolArray) -> Cells:
    """The cells of a table, `own` of whose nodes are in no table inside of it.

    Columns are counted where cells begin, so a cell that spans too many adds none.

    >>> from sightline.testing import element, page_of
    >>> rows = [element("tr", element("td", "a"), element("td", "b")), element("tr", element("td", "c"))]
    >>> page = page_of(element("table", *rows))
    >>> cells_of(page, int(page.with_tag("table")[0]), np.ones(len(page), dtype=bool)).columns
    2
    """
    tags = page.tag[table : int(page.end[table])]
    wanted = {page.string_id(name): name for name in ("tr", "td", "th", "thead")}
    starts: dict[int, int] = {}
    headings: set[int] = set()
    spans: dict[int, int] = {}  # columns taken by cells of earlier rows, and for how many more rows
    place = head = 0
    for offset in np.flatnonzero(own[: len(tags)] & np.isin(tags, list(wanted))).tolist():
        node, name = table + offset, wanted[int(tags[offset])]
        if name == "thead":
            head = int(page.end[node])
        elif name == "tr":
            spans = {column: rows - 1 for column, rows in spans.items() if rows > 1}
            place = 0
        else:
            while place in spans:
                place += 1
            wide, high = _spans(page, node)
            starts[node] = place
            spans |= {place + further: high for further in range(wide)} if high > 1 else {}
            place += wide
            headings |= {node} if name == "th" or node < head else set()
    return _numbered(starts, headings)


def _numbered(starts: dict[int, int], headings: set[int]) -> Cells:
    number = {place: column for column, place in enumerate(sorted(set(starts.values())))}
    return Cells({node: number[place] for node, place in starts.items()}, frozenset(headings), len(number))


def _spans(page: Page, cell: int) -> tuple[int, int]:
    """How many columns and rows a cell spans."""
    attributes = page.node(cell).attributes
    said = (attributes.get(name, "").strip() for name in ("colspan", "rowspan"))
    wide, high = (int(text) if text.isascii() and text.isdigit() else 1 for text in said)
    return min(max(wide, 1), WIDEST_SPAN), max(high, 1)
