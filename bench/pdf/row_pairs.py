"""Rows of text in true tables, and whether each goes on in the cells above: what the trees of rows are grown from.

A row of text is told which row of the true table it is from by the texts of its pieces. Rows come in order, so of all
ways to tell them in order the one with the most letters is taken; where a row of the table does not have all of its
letters then, nothing is known of its rows of text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.pdf.areas import known_tables
from bench.pdf.known import Grid, KnownDocument, of_manuals, plain
from sightline.errors import SightlineError
from sightline.extract.structure._placed_lines import place_lines
from sightline.extract.structure._printed_line import LineRow
from sightline.extract.structure._table_rows import measured_pairs, text_rows

ALL = 0.92  # share of the letters of a row that must be told, on either side
MOST_PAIRS = 300  # of a manual


@dataclass(frozen=True)
class RowSample:
    """A row of text below another: where it comes from, its band, what is measured of it, and whether it goes on."""

    source: str
    family: str
    document: str
    band: str
    measures: tuple[float, ...]
    goes_on: bool


def pairs_of(document: KnownDocument) -> Iterator[RowSample]:
    """The rows of text of the tables of a document of which it is known whether they go on."""
    for number, layout, found in known_tables(document):
        for order, area in enumerate(found.areas):
            if area.table is None or area.grid is None:
                continue
            known = document.told(number, layout.sheets[number], area.rows)
            grids = document.grids(number, known)
            if not grids:
                continue
            placed = place_lines(area.grid, area.rows, found.edges)
            texts = text_rows(placed)
            rows = rows_told([row for _, row in texts], grids)
            below = [place for place in range(1, len(texts)) if texts[place - 1][0] == texts[place][0]]
            for place, measures in zip(below, measured_pairs(placed, area.kind, texts).tolist(), strict=True):
                row, above = rows[place], rows[place - 1]
                if row is not None and above is not None:
                    name = document.path.stem
                    band = f"{number}, {order}, {texts[place][0]}"
                    yield RowSample(document.source, document.family, name, band, tuple(measures), row == above)


def rows_told(rows: Sequence[LineRow], grids: Sequence[Grid]) -> list[int | None]:
    """For each row of text the row of the true table that it is from, of the table that holds the most of them."""
    told = [_rows_of_grid(rows, grid) for grid in grids]
    return max(told, key=lambda one: sum(place is not None for place in one))


def _rows_of_grid(rows: Sequence[LineRow], grid: Grid) -> list[int | None]:
    pieces = [[text for line in row.lines if (text := plain(line.text))] for row in rows]
    letters = np.array([sum(map(len, texts)) for texts in pieces])
    shared = np.array([[_letters(texts, cells) for cells in grid] for texts in pieces], dtype=float).reshape(
        len(rows), len(grid)
    )
    chosen = in_order(shared)
    held = np.zeros(len(grid))
    for place, row in enumerate(chosen):
        held[row] += shared[place, row]
    whole = np.array([sum(map(len, cells)) for cells in grid])
    sure = (held >= ALL * whole) & (held <= whole / ALL) & (whole > 0)
    return [
        row if sure[row] and shared[place, row] >= ALL * letters[place] and letters[place] else None
        for place, row in enumerate(chosen)
    ]


def _letters(texts: Sequence[str], cells: Sequence[str]) -> int:
    """How many letters of some pieces stand in the cells of a row."""
    return sum(len(text) for text in texts if any(text in cell for cell in cells))


def in_order(shared: npt.NDArray[np.float64]) -> list[int]:
    """For each row a column, none before that of the row above, so that they share the most together.

    >>> in_order(np.array([[3, 0], [1, 1], [0, 2]]))
    [0, 0, 1]
    """
    count, width = shared.shape
    best = np.zeros(width)
    backward = np.zeros((count, width), dtype=int)
    for place in range(count):
        lowest = np.maximum.accumulate(best)
        first = np.zeros(width, dtype=int)
        for column, (before, now) in enumerate(pairwise(lowest), start=1):
            first[column] = column if best[column] >= now and now > before else first[column - 1]
        backward[place] = first
        best = lowest + shared[place]
    column = int(best.argmax())
    chosen = []
    for place in range(count - 1, -1, -1):
        chosen.append(column)
        column = int(backward[place, column])
    return chosen[::-1]


def pairs_of_manuals(folder: Path) -> list[RowSample]:
    """The rows of text of all manuals of a package."""
    found: list[RowSample] = []
    for document in of_manuals(folder):
        try:
            several = list(pairs_of(document))
        except SightlineError:  # a few packages hold files that are damaged
            continue
        found += several[:MOST_PAIRS]
    return found
