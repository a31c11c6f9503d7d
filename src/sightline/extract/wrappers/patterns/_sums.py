"""Rows of sums below the items of a table: they look like items, and are none.

A row is a sum if it is called so, or if its number is the sum of those above it. What else stands at the end of the
table from the first such row on (taxes, shipping), or fills fewer cells than any item, goes with it.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from sightline.arrays import BoolArray
from sightline.data import infer, read_amount
from sightline.extract.wrappers.patterns._view import View
from sightline.page import ABSENT, rows_of
from sightline.signals import is_total

MOST_SUMS = 6  # rows, from the first sum to the last; an invoice with two taxes, shipping and a discount has so many
# Numbers that are added up: one is the sum of itself. Where the row fills as many cells as the others, three: 1, 2 and
# 3 are numbers of items as well.
LEAST_ADDED, LEAST_OF_FULL = 2, 3
NAMED_NUMBER = 2  # cells: a name and its number
ROUNDING = 0.006  # by which a sum may differ for each of its numbers
# Behind the name of a total: “Total EUR”, “Total (€)”, “Subtotal £”.
_CURRENCY = re.compile(r"[\s(]*(?:[A-Z]{3}|[€$£¥])[\s):]*$")
_LETTER = re.compile(r"[^\W\d_]{2}")

_Cells = dict[int, str]
"""The texts of a row by the columns that they begin in."""


def in_sums(view: View) -> BoolArray:
    """Which nodes are rows of sums, or in one."""
    marked = np.zeros(len(view.page), dtype=bool)
    for table in view.page.with_tag("table").tolist():
        rows = list(_rows(view, table))
        for number in sums_among([cells for _, cells in rows]):
            row = rows[number][0]
            marked[row : view.page.end[row]] = True
    return marked


def _rows(view: View, table: int) -> Iterator[tuple[int, _Cells]]:
    """The rows of a table that have values, with their cells."""
    page = view.page
    for row in rows_of(page, table):
        column, cells, has_values = 0, {}, False
        for cell in page.node(row).children:
            has_values |= cell.tag == "td"
            if text := view.text(cell.number):
                cells[column] = text
            number = page.attribute_of(cell.number, "colspan")
            span = "" if number == ABSENT else page.strings[number]
            column += int(span) if span.isdigit() and 0 < int(span) <= len(page) else 1
        if has_values and cells:
            yield row, cells


def sums_among(rows: Sequence[_Cells]) -> range:
    """Which of the rows of a table are sums: some at its end, or none.

    >>> sums_among([{0: "Brush", 1: "7.50"}, {0: "Paint", 1: "2.50"}, {0: "Total EUR", 1: "10.00"}])
    range(2, 3)
    >>> sums_among([{0: "1", 1: "Brush", 2: "7.50"}, {0: "2", 1: "Paint", 2: "2.00"}, {1: "VAT", 2: "2.00"}])
    range(3, 3)
    """
    numbers = _numbers(rows)
    first = next((place for place in range(len(rows)) if _is_sum(rows, numbers, place)), len(rows))
    while first > 1 and first < len(rows) and _is_narrower(rows, numbers, first - 1, first - 1):
        first -= 1
    last = range(first, len(rows))
    are_sums = (_is_sum(rows, numbers, place) or _is_narrower(rows, numbers, place, first) for place in last)
    return last if len(last) <= MOST_SUMS and all(are_sums) else range(len(rows), len(rows))


def _numbers(rows: Sequence[_Cells]) -> list[dict[int, float]]:
    """The numbers of every row, read as those of their columns."""
    texts: dict[int, list[str]] = {}
    for cells in rows:
        for column, text in cells.items():
            texts.setdefault(column, []).append(text)
    types = {column: infer(several) for column, several in texts.items()}
    found: list[dict[int, float]] = []
    for cells in rows:
        read = {column: read_amount(text, types[column]) for column, text in cells.items() if not _LETTER.search(text)}
        found.append({column: float(amount.number) for column, amount in read.items() if amount is not None})
    return found


def _is_sum(rows: Sequence[_Cells], numbers: Sequence[dict[int, float]], place: int) -> bool:
    """Whether a row is called a sum and has a number, or is the sum of all above it."""
    cells, own = rows[place], numbers[place]
    if not own or not any(map(_LETTER.search, cells.values())):
        return False
    if any(is_total(_CURRENCY.sub("", text)) for text in cells.values()):
        return True
    column = max(own)
    above = [several[column] for several in numbers[:place] if column in several]
    least = LEAST_ADDED if _is_narrower(rows, numbers, place, place) else LEAST_OF_FULL
    if len(above) < least or not own[column] or len(cells) > min(map(len, rows[:place])):
        return False
    return abs(sum(above) - own[column]) <= ROUNDING * len(above)


def _is_narrower(rows: Sequence[_Cells], numbers: Sequence[dict[int, float]], place: int, first: int) -> bool:
    """Whether a row has a number and fills fewer cells than any of the `first` rows."""
    if not first:  # a table of nothing but sums, each with its name
        return bool(numbers[place]) and len(rows[place]) == NAMED_NUMBER
    return bool(numbers[place]) and len(rows[place]) < min(map(len, rows[:first]))
