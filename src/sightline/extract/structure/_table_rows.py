"""Step 7d: the rows of a table: which rows of text go on in the cells of the row above, and which begin a new one.

Drawn lines part rows. Between two of them there may be one row, whose cells have several lines, or several rows. The
trees in `rows.json` judge every row of text by what it is like beside the one above it; they were grown by
`python -m bench.pdf.grow_rows` from tables whose cells are known.

Distances are in multiples of the size of the type.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress, pairwise
from statistics import median

import numpy as np
import numpy.typing as npt

from sightline.extract.structure._placed_lines import PlacedLines
from sightline.extract.structure._printed_line import LineRow, PrintedLine, Spans, TableKind, rows_of
from sightline.trees import Forest, load_forest

ROW_MEASURES: dict[str, str] = {
    "step": "the distance to the row above",
    "least steps": "the same, in the least such distance of the table",
    "usual steps": "the same, in the usual distance",
    "most steps": "the same, in the greatest distance",
    "step before": "the distance of the two rows before, in this one",
    "step after": "the distance of the row to the next, in this one",
    "cells": "share of the columns that the row fills",
    "cells above": "the same, of the row above",
    "cells after": "the same, of the row below",
    "fullest": "the same, of the fullest row",
    "columns": "how many columns there are",
    "first": "whether the first column is filled",
    "first above": "the same, of the row above",
    "first after": "the same, of the row below",
    "first alone": "whether nothing but the first column is filled",
    "first alone above": "the same, of the row above",
    "below": "share of the cells that have one above them",
    "new": "how many cells have none above them",
    "numbers": "share of the cells that are numbers",
    "numbers above": "the same, of the row above",
    "clashes": "how many numbers have a number above them, beside the first column",
    "small letters": "share of the cells that begin in small letters",
    "capitals": "share of the cells that begin in capital letters",
    "first small": "whether the first cell begins in a small letter",
    "hyphens": "share of the cells above that end in a hyphen",
    "stops": "share of the cells above that end like a sentence",
    "commas": "share of the cells above that end in a comma",
    "open": "share of the cells above with a bracket that is not closed",
    "most room": "how much room the line above leaves beside the first word of a cell, where it leaves the most",
    "least room": "the same, where it leaves the least",
    "room in first": "the same, of the first cell with one above it",
    "rows in band": "how many rows of text stand between the same drawn lines",
    "place in band": "which of these the row is",
    "rows after": "how many of these follow",
    "bands": "share of the rows of text that drawn lines part from the next",
    "closed": "whether lines are drawn above and below",
    "uprights": "share of the borders between columns that are drawn",
    "several in band": "share of the rows of the band that have several cells",
    "full in band": "share of the rows of the band that fill most of what its fullest row does",
    "numbers in band": "share of the cells of the band beside the first column that are numbers",
    "usual band": "how many rows of text most bands have",
    "wrapped in band": "share of the pairs of lines in one column of the band where the first word below had no room",
    "wrapped in all": "the same, of all bands",
    "bold": "share of the cells that are bold",
    "bold above": "the same, of the row above",
    "size": "the size of the type, in that of the row above",
    "indent": "how far the first cell begins to the right of the one above it",
    "same left": "share of the cells that begin where the one above begins",
    "wide": "whether a cell is over several columns",
    "wide above": "the same, of the row above",
    "whole above": "whether a cell of the row above is over all columns",
    "firsts": "share of the rows that fill the first column",
    "full rows": "share of the rows that fill most columns",
    "all numbers": "share of all cells beside the first column that are numbers",
    "from numbers": "how many rows below the first row with many numbers",
    "words": "how many words the longest cell has",
    "words above": "the same, of the row above",
    "kind": "0 where lines that meet are the evidence, 1 for lines of one width, 2 for rows alone",
}

# From which chance on a row goes on. Rows are judged right as often with 0.5 as with 0.7; held out, tables of `twins`
# have F1 0.883 with 0.5 and 0.887 with 0.7, documents of the competition 0.952 and 0.949. Of the fields of invoices,
# which no tree has seen, one is read in neither way with 0.7.
LIKELY = 0.5
# The same for all rows of a band of a lattice together, in the mean: a band of three and more rows of text is one row
# more often than not. Out of fold, 0.982 of the bands of ICDAR's documents are right (0.976 where each row is judged
# alone), and 0.918 of those of manuals (0.896), from 0.2 to 0.4. Bands of two rows are often a label and its value.
LIKELY_BAND = 0.25
MOST_STEPS, MOST_ROOM, MOST_ROWS = 6.0, 30.0, 12.0
NO_NUMBERS = 9.0
MOST_FROM_NUMBERS = 4.0
FULL = 0.75  # share of the columns
SAME_LEFT = 0.2
BLANK = 0.25
KINDS = {"lattice": 0.0, "zone": 1.0, "white": 2.0}
SENTENCE_ENDS, HYPHENS = (".", ":", ";", "?", "!"), ("-", "\u2010", "\u00ad")

Matrix = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TableRow:
    """The lines of a row of the table, and the band that it stands in."""

    band: int
    lines: list[PrintedLine]


def table_rows(placed: PlacedLines, kind: TableKind) -> list[TableRow]:
    """The rows of the table, from top to bottom."""
    texts = text_rows(placed)
    pairs = _pairs(texts)
    likely = _likely(measured_pairs(placed, kind, texts))
    goes_on = likely >= LIKELY
    if kind == "lattice" and placed.grid.bands > 1:
        goes_on |= _means([texts[place][0] for place in pairs], likely) >= LIKELY_BAND
    joined = set(compress(pairs, goes_on))
    found: list[TableRow] = []
    for place, (band, row) in enumerate(texts):
        if place in joined:
            found[-1].lines.extend(row.lines)
        else:
            found.append(TableRow(band, list(row.lines)))
    return found


def _pairs(texts: Sequence[tuple[int, LineRow]]) -> list[int]:
    """The rows of text that stand below another of their band."""
    return [place for place in range(1, len(texts)) if texts[place - 1][0] == texts[place][0]]


def _likely(matrix: Matrix) -> Floats:
    """How likely the second row of each pair goes on in the cells of the first."""
    if not len(matrix):
        return np.zeros(0)
    judge = row_forest()
    names = list(ROW_MEASURES)
    return judge.likely(matrix[:, [names.index(name) for name in judge.names]])


def _means(bands: Sequence[int], likely: Floats) -> Floats:
    """For each pair the mean of its band; 0 where it is the only one."""
    if not bands:
        return likely
    _, places, counts = np.unique(bands, return_inverse=True, return_counts=True)
    means: Floats = np.where(counts > 1, np.bincount(places, likely) / counts, 0.0)[places]
    return means


@cache
def row_forest() -> Forest:
    """The trees, with the names of the measures that they ask for."""
    return load_forest("sightline.extract.structure", "rows.json")


def text_rows(placed: PlacedLines) -> list[tuple[int, LineRow]]:
    """The rows of text of each band, from top to bottom."""
    if placed.grid.bands == 1:
        return [(0, row) for row in placed.rows]
    bands: list[list[PrintedLine]] = [[] for _ in range(placed.grid.bands)]
    for line in placed.lines:
        bands[placed.bands[line]].append(line)
    return [(number, row) for number, band in enumerate(bands) if band for row in rows_of(band)]


def measured_pairs(placed: PlacedLines, kind: TableKind, texts: Sequence[tuple[int, LineRow]]) -> Matrix:
    """What is measured of each row of text below another of its band, in the order of `ROW_MEASURES`."""
    table = _Table(placed, kind, texts)
    return np.array([table.measures(place) for place in _pairs(texts)], dtype=np.float32).reshape(-1, len(ROW_MEASURES))


@dataclass(frozen=True, eq=False)
class _Text:
    """A row of text with what is asked of it more than once."""

    cells: dict[int, PrintedLine]  # by their first column
    first: bool
    numbers: int
    wide: bool
    whole: bool
    bold: float
    words: int

    @property
    def alone(self) -> bool:
        """Whether nothing but the first column is filled."""
        return self.first and len(self.cells) == 1


def _text(row: LineRow, spans: Spans, columns: int) -> _Text:
    cells = {spans[line][0]: line for line in row.lines}
    return _Text(
        cells,
        0 in cells,
        sum(line.is_numeric for line in row.lines),
        any(spans[line][1] > spans[line][0] for line in row.lines),
        any(spans[line] == (0, columns - 1) for line in row.lines),
        sum(line.bold for line in row.lines) / len(row.lines),
        max(len(line.words) for line in row.lines),
    )


@dataclass(frozen=True, eq=False)
class _Table:
    """The rows of text of a table with what is measured of all of them together."""

    placed: PlacedLines
    kind: TableKind
    rows: Sequence[tuple[int, LineRow]]

    @cached_property
    def columns(self) -> int:
        return self.placed.grid.columns

    @cached_property
    def texts(self) -> list[_Text]:
        return [_text(row, self.placed.spans, self.columns) for _, row in self.rows]

    @cached_property
    def steps(self) -> list[float]:
        """The distance of each row to the one above it in its band; 0 where there is none."""
        pairs = pairwise(self.rows)
        return [0.0, *(after.middle - row.middle if band == below else 0.0 for (band, row), (below, after) in pairs)]

    @cached_property
    def bounds(self) -> list[tuple[int, int]]:
        """For each row the first row of its band, and the one after the last."""
        found: list[tuple[int, int]] = []
        start = 0
        for place in range(1, len(self.rows) + 1):
            if place == len(self.rows) or self.rows[place][0] != self.rows[start][0]:
                found += [(start, place)] * (place - start)
                start = place
        return found

    @cached_property
    def all_steps(self) -> tuple[float, float, float]:
        """The least, the usual and the greatest distance of two rows of one band."""
        steps = [step for step in self.steps if step > 0] or [1.0]
        return min(steps), median(steps), max(steps)

    @cached_property
    def shares(self) -> tuple[float, float, float, float]:
        """How much the fullest row fills, which rows fill the first column, and most columns, and what is numbers."""
        texts = self.texts
        count = len(texts)
        beside = [line for text in texts for column, line in text.cells.items() if column > 0]
        return (
            max(len(text.cells) for text in texts) / self.columns,
            sum(text.first for text in texts) / count,
            sum(len(text.cells) >= FULL * self.columns for text in texts) / count,
            sum(line.is_numeric for line in beside) / max(len(beside), 1),
        )

    @cached_property
    def body(self) -> int | None:
        """The first row of which most cells beside the first column are numbers, and that fills half of the fullest."""
        rich = max(len(text.cells) for text in self.texts) / 2
        for place, text in enumerate(self.texts):
            beside = [line for column, line in text.cells.items() if column > 0]
            if beside and len(text.cells) >= rich and 2 * sum(line.is_numeric for line in beside) >= len(beside):
                return place
        return None

    @cached_property
    def usual_band(self) -> float:
        """How many rows of text most bands have."""
        counts = [stop - start for start, stop in dict.fromkeys(self.bounds)]
        return min(median(counts), MOST_ROWS)

    @cached_property
    def rooms(self) -> list[list[float]]:
        """For each row the room beside the lines above its cells, from the first column to the last; see `_rooms`."""
        pairs = pairwise([None, *self.texts])
        return [
            [] if above is None or start == place or row is None else self._rooms(row, above)
            for place, ((above, row), (start, _)) in enumerate(zip(pairs, self.bounds, strict=True))
        ]

    @cached_property
    def wrapped(self) -> float:
        """Share of all lines below others of their band that had no room beside these."""
        return _share_below(self.rooms)

    @cached_property
    def widths(self) -> list[tuple[float, float]]:
        return list(self.placed.extents)

    def measures(self, place: int) -> list[float]:
        """What is measured of a row beside the one above it."""
        start, stop = self.bounds[place]
        row, above = self.texts[place], self.texts[place - 1]
        after = self.texts[place + 1] if place + 1 < stop else None
        return [
            *self._distances(place, stop),
            *self._filled(row, above, after),
            *self._contents(row, above),
            *((max(rooms), min(rooms), rooms[0]) if (rooms := self.rooms[place]) else (-MOST_ROOM,) * 3),
            *self._band(place, start, stop),
            *self._looks(row, above),
            *self._shares(place),
            min(row.words, MOST_ROOM),
            min(above.words, MOST_ROOM),
            KINDS[self.kind],
        ]

    def _distances(self, place: int, stop: int) -> Iterator[float]:
        step = self.steps[place]
        yield min(step / self.rows[place][1].lines[0].size, MOST_STEPS)
        yield from (min(step / max(one, 0.1), MOST_STEPS) for one in self.all_steps)
        unit = max(step, 0.1)
        yield min(self.steps[place - 1] / unit, MOST_STEPS)
        yield min(self.steps[place + 1] / unit, MOST_STEPS) if place + 1 < stop else 0.0

    def _filled(self, row: _Text, above: _Text, after: _Text | None) -> Iterator[float]:
        yield len(row.cells) / self.columns
        yield len(above.cells) / self.columns
        yield len(after.cells) / self.columns if after else 0.0
        yield self.shares[0]
        yield self.columns
        yield row.first
        yield above.first
        yield after.first if after else 0.5
        yield row.alone
        yield above.alone
        shared = row.cells.keys() & above.cells.keys()
        yield len(shared) / len(row.cells)
        yield len(row.cells) - len(shared)

    def _contents(self, row: _Text, above: _Text) -> Iterator[float]:
        cells, count, others = row.cells, len(row.cells), len(above.cells)
        yield row.numbers / count
        yield above.numbers / others
        shared = [column for column in cells if column > 0 and column in above.cells]
        yield sum(cells[column].is_numeric and above.cells[column].is_numeric for column in shared)
        yield sum(line.text[:1].islower() for line in cells.values()) / count
        yield sum(line.text[:1].isupper() for line in cells.values()) / count
        yield cells[min(cells)].text[:1].islower()
        ends = [line.text for line in above.cells.values()]
        for signs in (HYPHENS, SENTENCE_ENDS, (",",)):
            yield sum(text.endswith(signs) for text in ends) / others
        yield sum(text.count("(") > text.count(")") or text.count("[") > text.count("]") for text in ends) / others

    def _rooms(self, row: _Text, above: _Text) -> list[float]:
        """How much wider the columns are than the lines above with the first word of the cells behind them."""
        rooms = []
        for column in sorted(row.cells.keys() & above.cells.keys()):
            line, over = row.cells[column], above.cells[column]
            left, right = self.widths[column]
            first = (line.x1 - line.x0) * len(line.text.split(" ", 1)[0]) / max(len(line.text), 1)
            room = ((right - left) - (over.x1 - over.x0) - first) / line.size - BLANK
            rooms.append(min(max(room, -MOST_ROOM), MOST_ROOM))
        return rooms

    def _band(self, place: int, start: int, stop: int) -> Iterator[float]:
        grid = self.placed.grid
        band = self.rows[place][0]
        above, below = grid.closed
        yield min(stop - start, MOST_ROWS)
        yield min(place - start, MOST_ROWS)
        yield min(stop - place - 1, MOST_ROWS)
        yield grid.bands / len(self.rows)
        yield (band > 0 or above) + (band + 1 < grid.bands or below)
        yield sum(grid.drawn) / len(grid.drawn) if grid.drawn else 0.0
        texts = self.texts[start:stop]
        yield sum(len(text.cells) > 1 for text in texts) / len(texts)
        most = max(len(text.cells) for text in texts)
        yield sum(len(text.cells) >= FULL * most for text in texts) / len(texts)
        beside = [line for text in texts for column, line in text.cells.items() if column > 0]
        yield sum(line.is_numeric for line in beside) / max(len(beside), 1)
        yield self.usual_band
        yield _share_below(self.rooms[start + 1 : stop])
        yield self.wrapped

    def _looks(self, row: _Text, above: _Text) -> Iterator[float]:
        yield row.bold
        yield above.bold
        shared = sorted(row.cells.keys() & above.cells.keys())
        line = row.cells[min(row.cells)]
        yield line.size / max(above.cells[min(above.cells)].size, 0.1)
        offsets = [(row.cells[column].x0 - above.cells[column].x0) / line.size for column in shared]
        yield min(max(offsets[0], -MOST_ROOM), MOST_ROOM) if offsets else 0.0
        yield sum(abs(offset) < SAME_LEFT for offset in offsets) / max(len(offsets), 1)
        yield row.wide
        yield above.wide
        yield above.whole

    def _shares(self, place: int) -> Iterator[float]:
        _, firsts, full, numbers = self.shares
        yield firsts
        yield full
        yield numbers
        most = MOST_FROM_NUMBERS
        yield NO_NUMBERS if self.body is None else min(max(place - self.body, -most), most)


def _share_below(rooms: Sequence[Sequence[float]]) -> float:
    """The share of lines below others that had no room beside these; a half where there are none."""
    known = [room for several in rooms for room in several]
    return sum(room < 0 for room in known) / len(known) if known else 0.5
