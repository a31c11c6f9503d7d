"""Rows of a printed table that may be several: numbers do not wrap, so a cell with several lines of them is several.

Where no rules are drawn between the items of an invoice, lines of different items may end up in one row. What was read
is all there then, but not in its rows, and nothing else about the table looks wrong. Of 79 tables of PDFs of the
benchmark (invoices, reports, papers), one is doubted, and rightly so.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np

from sightline.data import Cell
from sightline.page import Page

__all__ = ["merged_rows_doubt"]

# A number as it is printed in a table: with signs, separators, a currency or a unit of few letters.
_NUMBER = re.compile(r"[-+(]?\s?[€$£¥]?\s?\d[\d.,' ]*\s?(?:%|[€$£¥]|[A-Za-z]{1,3}\.?)?\)?")
LEAST_LINES = 2
SAME_LINE = 0.5  # of the lower word's height: words that share more are on one line
MOST_NAMED = 3


def merged_rows_doubt(page: Page, cells: Sequence[Cell]) -> str | None:
    """What to say of rows that may be several; None if there are none, or nothing is printed."""
    if page.kind != "pdf":
        return None
    lines = _lines_of(page, cells)
    found = []
    for row, counts in _counts_by_row(cells, lines):
        numbers = [count for count, all_numbers in counts if all_numbers]
        for count in numbers:
            if sum(other == count for other, _ in counts) > 1:
                found.append((row, count))
                break
    if not found:
        return None
    named = ", ".join(f"row {row + 1} may hold {count}" for row, count in found[:MOST_NAMED])
    more = f", and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
    return f"lines of several rows may have been joined: {named}{more}; compare them with the page"


def _counts_by_row(
    cells: Sequence[Cell], lines: Sequence[Sequence[str]]
) -> Iterator[tuple[int, list[tuple[int, bool]]]]:
    """For every row, the number of lines of each of its cells with several, and whether all of them are numbers."""
    single = [(cell.row, lines[place]) for place, cell in enumerate(cells) if cell.row_span == 1]
    for row, group in groupby(sorted(single, key=lambda one: one[0]), key=lambda one: one[0]):
        several = [texts for _, texts in group if len(texts) >= LEAST_LINES]
        yield row, [(len(texts), all(_NUMBER.fullmatch(text.strip()) for text in texts)) for texts in several]


def _lines_of(page: Page, cells: Sequence[Cell]) -> list[list[str]]:
    """The texts of the lines of each cell, from the boxes of its words."""
    owner = np.full(len(page), -1, dtype=np.int64)
    for place, cell in enumerate(cells):
        for node in cell.value.origin.nodes if cell.value is not None and cell.value.origin is not None else ():
            owner[node : page.end[node]] = place
    of_cell = owner[page.words.node]
    found: list[list[str]] = [[] for _ in cells]
    for place in np.unique(of_cell[of_cell >= 0]).tolist():
        found[place] = list(_lines(page, np.flatnonzero(of_cell == place).tolist()))
    return found


def _lines(page: Page, words: Iterable[int]) -> Iterator[str]:
    line: list[str] = []
    bottom = -np.inf
    for word in words:
        _, top, _, end = page.words.box[word].tolist()
        if line and top > bottom - SAME_LINE * (end - top):
            yield " ".join(line)
            line = []
        text = page.strings[int(page.text[page.words.node[word]])]
        line.append(text[int(page.words.start[word]) : int(page.words.end[word])])
        bottom = max(bottom, end) if line[1:] else end
    if line:
        yield " ".join(line)
