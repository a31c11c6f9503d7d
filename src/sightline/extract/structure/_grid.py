"""The rows and columns of an area that is taken for a table.

Columns come from drawn lines and, between these, from the white that runs down between the pieces; rows from drawn
lines and, between these, from the lines of text, of which those that only go on with a cell above (or begin one below)
are put to it.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from statistics import median
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from sightline.arrays import AnyFloats
from sightline.extract.structure._columns import Column, columns_of, joints
from sightline.extract.structure._edges import Edges
from sightline.extract.structure._heads import spread_headings
from sightline.extract.structure._layout import Layout, Line
from sightline.extract.structure._pieces import parted_at
from sightline.extract.structure._rows import MOST_HEADINGS, Row, leading_of, visual_rows, wrapped

__all__ = ["Cell", "FoundTable", "Grid", "build"]

Box: TypeAlias = tuple[float, float, float, float]

Area: TypeAlias = tuple[int, int, int, int]
Areas: TypeAlias = dict[tuple[int, int], Area]

SAME = 5.0  # CSS pixels: borders so close are one, drawn as a double line or as the sides of two fills
COVERS = 0.6  # of a side of a cell: how much of it a line must cover to part it from the next
BEYOND = 8.0  # CSS pixels: where lines reach so far beyond the last crossing one, there is another column or row
FILLED = 0.25  # of the cells of a lattice: in tables more than this hold text, in charts less
NUMBERS = 0.3  # of the pieces beside the first column, where nothing but white parts the columns
MOST_PLACES = 40_000
DEEP = 3  # lines of text in the fullest cell of a band, on average, up to which drawn lines are taken to part all rows


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its place, its spans, and the words that stand in it."""

    row: int
    column: int
    rows: int
    columns: int
    words: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class FoundTable:
    """A table on a sheet: its cells, where its columns begin and how far their texts reach, and how it was found."""

    box: Box
    rows: int
    columns: int
    cells: tuple[Cell, ...]
    lefts: tuple[float, ...]
    kind: str
    lines: tuple[Line, ...] = ()
    reach: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, eq=False)
class Grid:
    """Where the borders of an area lie, and which of them are drawn in which band or column."""

    xs: list[float]
    ys: list[float]
    upright: npt.NDArray[np.bool_]  # (bands, columns - 1): a line parts column c from c + 1
    level: npt.NDArray[np.bool_]  # (bands - 1, columns): a line parts band b from b + 1
    hard: list[bool]  # for each inner border of columns, whether a line is drawn there at all
    closed: tuple[bool, bool]  # whether a line is drawn above the first band and below the last

    @property
    def bands(self) -> int:
        return len(self.ys) - 1

    @property
    def columns(self) -> int:
        return len(self.xs) - 1


def build(layout: Layout, box: Box, lines: Sequence[Line], edges: Edges, kind: str) -> FoundTable | None:
    """The table in an area, or None if there are no two rows and columns to it."""
    lines = sorted(lines, key=lambda line: (line.middle, line.x0))
    if len(lines) < 3:
        return None
    grid = _grid(box, lines, edges)
    if grid is not None and grid.columns > 2:
        parted = parted_at(layout, lines, grid.xs[1:-1])
        if len(parted) > len(lines):
            lines = sorted(parted, key=lambda line: (line.middle, line.x0))
            grid = _grid(box, lines, edges)
    if grid is None or grid.columns < 2 or grid.bands * grid.columns > MOST_PLACES:
        return None
    return _Filled(grid, lines, edges, kind).table()


# ------------------------------------------------------------------ borders


def _grid(box: Box, lines: Sequence[Line], edges: Edges) -> Grid | None:
    x0, y0, x1, y1 = box
    across = edges.across[(edges.across[:, 0] > y0 - SAME) & (edges.across[:, 0] < y1 + SAME)]
    across = across[(np.minimum(across[:, 2], x1) - np.maximum(across[:, 1], x0)) > BEYOND]
    down = edges.down[(edges.down[:, 0] > x0 - SAME) & (edges.down[:, 0] < x1 + SAME)]
    down = down[(np.minimum(down[:, 2], y1) - np.maximum(down[:, 1], y0)) > BEYOND]
    ys = _places([*across[:, 0].tolist()], y0, y1)
    xs = _places([*down[:, 0].tolist()], x0, x1)
    xs, ys = _with_text(xs, ys, lines)
    upright = _upright(xs, ys, down)
    used = np.any(upright, axis=0)
    xs = [xs[0], *(x for x, seen in zip(xs[1:-1], np.atleast_1d(used).tolist(), strict=True) if seen), xs[-1]]
    hard = [True] * (len(xs) - 2)
    xs, hard = _with_white(xs, hard, lines)
    upright = _upright(xs, ys, down)
    upright[:, [not drawn for drawn in hard]] = True  # white parts columns in every band that nothing stands across
    closed = tuple(bool((np.abs(across[:, 0] - y) < SAME).any()) for y in (ys[0], ys[-1]))
    return Grid(xs, ys, upright, _level(xs, ys, across), hard, closed)  # type: ignore[arg-type]


def _places(values: list[float], first: float, last: float) -> list[float]:
    """Borders in order, those close together as one, between the two ends."""
    found = [first]
    for value in sorted(values):
        if value - found[-1] >= SAME:
            found.append(value)
    if last - found[-1] >= SAME:
        found.append(last)
    elif len(found) > 1:
        found[-1] = last
    else:
        found.append(last)
    return found


def _with_text(xs: list[float], ys: list[float], lines: Sequence[Line]) -> tuple[list[float], list[float]]:
    """Without the outer borders beyond which nothing stands: a shadow, a double frame."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    top, bottom = min(line.middle for line in lines), max(line.middle for line in lines)
    while len(xs) > 2 and xs[1] <= left + 1:
        xs = xs[1:]
    while len(xs) > 2 and xs[-2] >= right - 1:
        xs = xs[:-1]
    while len(ys) > 2 and ys[1] <= top:
        ys = ys[1:]
    while len(ys) > 2 and ys[-2] >= bottom:
        ys = ys[:-1]
    return xs, ys


def _upright(xs: list[float], ys: list[float], down: AnyFloats) -> npt.NDArray[np.bool_]:
    """In which bands a line is drawn along each inner border of columns."""
    found = np.zeros((len(ys) - 1, max(len(xs) - 2, 0)), dtype=bool)
    low, high = np.array(ys[:-1]), np.array(ys[1:])
    for place, x in enumerate(xs[1:-1]):
        mine = down[np.abs(down[:, 0] - x) < SAME]
        for _, start, end in mine.tolist():
            found[:, place] |= np.minimum(high, end) - np.maximum(low, start) >= COVERS * (high - low)
    return found


def _level(xs: list[float], ys: list[float], across: AnyFloats) -> npt.NDArray[np.bool_]:
    """In which columns a line is drawn along each inner border of bands."""
    found = np.zeros((max(len(ys) - 2, 0), len(xs) - 1), dtype=bool)
    left, right = np.array(xs[:-1]), np.array(xs[1:])
    for place, y in enumerate(ys[1:-1]):
        mine = across[np.abs(across[:, 0] - y) < SAME]
        for _, start, end in mine.tolist():
            found[place] |= np.minimum(right, end) - np.maximum(left, start) >= COVERS * (right - left)
    return found


def _with_white(xs: list[float], hard: list[bool], lines: Sequence[Line]) -> tuple[list[float], list[bool]]:
    """With borders where white runs down between the pieces inside what lines leave as one column."""
    more: list[float] = []
    drawn = len(xs) > 2
    for left, right in pairwise(xs):
        inside = [line for line in lines if left - 1 <= (line.x0 + line.x1) / 2 <= right + 1]
        within = [line for line in inside if line.x0 > left - SAME and line.x1 < right + SAME]
        columns = columns_of(within) if len(within) > 1 else []
        if drawn:
            columns = _firm(columns, len(visual_rows(within)))
        more += joints(columns)
    both = sorted([*((x, True) for x in xs[1:-1]), *((x, False) for x in more)])
    return [xs[0], *(x for x, _ in both), xs[-1]], [drawn for _, drawn in both] if both else hard


def _firm(columns: list[Column], rows: int) -> list[Column]:
    """Columns inside a drawn one, joined where few rows have both: lines part what is to be parted."""
    firm: list[Column] = []
    for column in columns:
        both = len(firm[-1].rows & column.rows) if firm else 0
        if firm and (both < 2 or both < 0.5 * rows):
            firm[-1] = Column(firm[-1].x0, max(firm[-1].x1, column.x1), firm[-1].rows | column.rows)
        else:
            firm.append(column)
    return firm


# ------------------------------------------------------------------ cells


class _Filled:
    """A grid with the lines of its area in it, on the way to a table."""

    def __init__(self, grid: Grid, lines: Sequence[Line], edges: Edges, kind: str) -> None:
        self.grid, self.lines, self.kind = grid, lines, kind
        self.open: dict[Area, bool] = {}
        self.one: dict[Area, bool] = {}
        self.span = {id(line): self._columns(line) for line in lines}
        rows = visual_rows(lines)
        self._part_neighbours(rows)
        if not any(self._is_parted(row) for row in rows[:MOST_HEADINGS]):
            self.span = spread_headings(rows, self._first_numbers(rows), self.span, self._extents(), edges)
        self.leading = leading_of([b.middle - a.middle for a, b in pairwise(rows)], median(line.size for line in lines))
        self.band = {id(line): self._band(line) for line in lines}

    def _is_parted(self, row: Row) -> bool:
        """Whether upright lines are drawn in the band of a row: then they say what a heading stands over."""
        return bool(self.grid.upright[self._band(row.lines[0]), self.grid.hard].any())

    def _part_neighbours(self, rows: Sequence[Row]) -> None:
        """Pieces side by side never share a cell if there are columns enough for both."""
        for row in rows:
            for left, right in pairwise(row.lines):
                (a, b), (c, d) = self.span[id(left)], self.span[id(right)]
                if b < c:
                    continue
                if b < d:
                    self.span[id(right)] = (b + 1, d)
                elif a < c:
                    self.span[id(left)] = (a, c - 1)

    def _first_numbers(self, rows: Sequence[Row]) -> int:
        """The first row in which most of what stands beside the first column are numbers; 0 if it comes late."""
        rich = max(len(row.lines) for row in rows) / 2
        for place, row in enumerate(rows[:MOST_HEADINGS]):
            beside = [line for line in row.lines if self.span[id(line)][0] > 0]
            if beside and len(row.lines) >= rich and 2 * sum(line.is_number for line in beside) >= len(beside):
                return place
        return 0

    def _extents(self) -> list[tuple[float, float]]:
        """From where to where the texts of each column reach; of one without any, the column itself."""
        xs = self.grid.xs
        found = []
        for column in range(self.grid.columns):
            inside = [line for line in self.lines if self.span[id(line)] == (column, column)]
            found.append(
                (min(line.x0 for line in inside), max(line.x1 for line in inside))
                if inside
                else (xs[column], xs[column + 1])
            )
        return found

    def _columns(self, line: Line) -> tuple[int, int]:
        """From which column to which a line stands: where it lies mostly, or across the white of several."""
        xs = self.grid.xs
        middle = (line.x0 + line.x1) / 2
        slack = 0.3 * line.size
        covered = [c for c in range(self.grid.columns) if min(line.x1, xs[c + 1]) - max(line.x0, xs[c]) > slack]
        home = min(max(bisect_right(xs, middle) - 1, 0), self.grid.columns - 1)
        if not covered:
            return home, home
        first, last = covered[0], covered[-1]
        band = self._band(line)
        while last > first and any(self.grid.hard[c] and self.grid.upright[band, c] for c in range(first, last)):
            # a drawn line is never crossed: text that juts out over it belongs where most of it is
            first, last = (first + 1, last) if home > first else (first, last - 1)
        return first, last

    def _band(self, line: Line) -> int:
        return min(max(bisect_right(self.grid.ys, line.middle) - 1, 0), self.grid.bands - 1)

    def table(self) -> FoundTable | None:
        rows = self._text_rows()
        if not rows:
            return None
        cells = self._cells(rows)
        if self.kind == "lattice" and (
            self._filled_share() < FILLED or not (any(self.grid.hard) or self.grid.bands > 1)
        ):
            return None
        if self.kind != "white" and not any(self.grid.hard) and not self._speaks():
            return None
        return _closed(cells, self.grid, self.lines, self.kind, self._extents())

    def _filled_share(self) -> float:
        """How many of the drawn cells hold any text; in charts few do."""
        areas = self.areas
        filled = {areas[self.band[id(line)], self.span[id(line)][0]] for line in self.lines}
        return len(filled) / len(set(areas.values()))

    def _speaks(self) -> bool:
        """Where no line parts the columns, numbers must, or a third column: two columns of words are anything."""
        beside = [line for line in self.lines if self.span[id(line)][0] > 0]
        numbers = sum(line.has_numbers_only for line in beside)
        if self.kind == "zone" and self.grid.bands > 1 and len(set(self.band.values())) == self.grid.bands:
            return True
        return numbers >= NUMBERS * len(beside) or (self.grid.columns > 2 and len(visual_rows(self.lines)) > 2)

    # -------------------------------------------------------------- rows

    def _text_rows(self) -> list[list[Line]]:
        """The lines of each row of the table, from top to bottom; drawn rows may have several lines of text."""
        bands: list[list[Line]] = [[] for _ in range(self.grid.bands)]
        for line in self.lines:
            bands[self.band[id(line)]].append(line)
        filled = [band for band in bands if band]
        body = next((n for n, band in enumerate(bands) if band and self._has_numbers(band)), 0)
        shallow = sum(map(self._depth, filled)) <= DEEP * len(filled)
        ruled = len(filled) >= 3 and (shallow or (any(self.grid.hard) and self.kind == "lattice"))
        found: list[list[Line]] = []
        self.row_band: list[int] = []
        for number, band in enumerate(bands):
            if not band:
                continue
            inner = (number > 0 or self.grid.closed[0]) and (number + 1 < len(bands) or self.grid.closed[1])
            above = any(bands[:number])
            heading = True if number < body and inner else False if above and inner else None
            split = self._split(band, ruled=ruled and inner, heading=heading)
            found += split
            self.row_band += [number] * len(split)
        return found

    def _depth(self, band: list[Line]) -> int:
        """How many lines the fullest cell of a band has."""
        counts: dict[int, int] = {}
        for line in band:
            counts[self.span[id(line)][0]] = counts.get(self.span[id(line)][0], 0) + 1
        return max(counts.values())

    def _has_numbers(self, band: list[Line]) -> bool:
        """Whether most of what stands beside the first column are numbers."""
        beside = [line for line in band if self.span[id(line)][0] > 0]
        return 2 * sum(line.is_number for line in beside) >= len(beside) > 0

    def _split(self, band: list[Line], *, ruled: bool, heading: bool | None) -> list[list[Line]]:
        rows = visual_rows(band)
        if len(rows) == 1:
            return [band]
        columns = [
            {c for line in row.lines for c in range(self.span[id(line)][0], self.span[id(line)][1] + 1)} for row in rows
        ]
        filled = set().union(*columns)
        if self.grid.bands > 1 and sum(len(held) > 1 for held in columns) <= 1 and not heading:
            return [band]
        if ruled:
            full = sum(len(held) >= 0.7 * len(filled) for held in columns) / len(rows)
            beside = [line for line in band if self.span[id(line)][0] > 0]
            numbers = sum(line.is_number for line in beside) / max(len(beside), 1)
            several = (full == 1 and (len(rows) > 2 or numbers >= 0.5)) or (full >= 0.6 and numbers >= 0.5)
            form = full == 1 and _is_label_and_value(rows)
            if len(filled) == 1 or heading or not (form or several):
                return [band]
        return wrapped(rows, self.span, self.grid.columns, heading=heading, leading=self.leading)

    # -------------------------------------------------------------- cells

    def _cells(self, rows: list[list[Line]]) -> list[Cell]:
        """The cells of all rows: pieces of one place together, drawn cells over all that they cover."""
        places: dict[tuple[int, int, int, int], list[Line]] = {}
        areas = self.areas
        for row, lines in enumerate(rows):
            for line in lines:
                key = self._place(line, row, areas)
                places.setdefault(key, []).append(line)
        cells = []
        for (top, bottom, left, right), held in _apart(places).items():
            words = tuple(word for line_row in visual_rows(held) for line in line_row.lines for word in line.words)
            cells.append(Cell(top, left, bottom - top + 1, right - left + 1, words))
        return cells

    @cached_property
    def areas(self) -> Areas:
        """For each place of the drawn grid the cell around it: first and last band, first and last column."""
        grid = self.grid
        root = {(b, c): (b, c) for b in range(grid.bands) for c in range(grid.columns)}

        def find(place: tuple[int, int]) -> tuple[int, int]:
            while root[place] != place:
                place = root[place]
            return place

        for b, c in np.argwhere(~grid.upright).tolist():
            root[find((b, c + 1))] = find((b, c))
        for b, c in np.argwhere(~grid.level).tolist():
            root[find((b + 1, c))] = find((b, c))
        members: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for place in root:
            members.setdefault(find(place), []).append(place)
        found = {}
        for held in members.values():
            bands, columns = zip(*held, strict=True)
            area = (min(bands), max(bands), min(columns), max(columns))
            for place in held:
                found[place] = area
        return found

    def _place(self, line: Line, row: int, areas: Areas) -> tuple[int, int, int, int]:
        """The rows and columns of the cell that a line belongs to."""
        first, last = self.span[id(line)]
        band = self.row_band[row]
        top, bottom, left, right = areas[band, first]
        drawn = any(self.grid.hard)
        if drawn and not self._is_open(areas[band, first]):
            left, right = min(left, first), max(right, last)
            left, right = self._narrowed(left, right, first, last)
        else:
            left, right = first, last
        rows = [r for r, b in enumerate(self.row_band) if top <= b <= bottom]
        if bottom > top and rows and drawn and self._is_one(areas[band, first], areas):
            return rows[0], rows[-1], left, right
        return row, row, left, right

    @cached_property
    def _at(self) -> dict[tuple[int, int], list[Line]]:
        """The lines that begin in each place of the grid, in their order."""
        found: dict[tuple[int, int], list[Line]] = {}
        for line in self.lines:
            found.setdefault((self.band[id(line)], self.span[id(line)][0]), []).append(line)
        return found

    def _held(self, area: Area) -> list[Line]:
        """The lines of a cell, in their order."""
        top, bottom, left, right = area
        if top == bottom and left == right:
            return self._at.get((top, left), [])
        places = product(range(top, bottom + 1), range(left, right + 1))
        return sorted((line for place in places for line in self._at.get(place, ())), key=lambda line: line.middle)

    def _is_flat(self, line: Line, areas: Areas) -> bool:
        """Whether a line stands in a cell of one band."""
        top, bottom, _, _ = areas[self.band[id(line)], self.span[id(line)][0]]
        return top == bottom

    def _is_open(self, area: Area) -> bool:
        """Whether pieces stand side by side in what lines leave as one cell: then white parts them."""
        if area not in self.open:
            held = self._held(area)
            spans = [{self.span[id(line)] for line in row.lines} for row in visual_rows(held)]
            self.open[area] = any(len(each) > 1 for each in spans)
        return self.open[area]

    def _narrowed(self, left: int, right: int, first: int, last: int) -> tuple[int, int]:
        """Not over white borders that the line itself does not cross."""
        while left < first and not self.grid.hard[left]:
            left += 1
        while right > last and not self.grid.hard[right - 1]:
            right -= 1
        return left, right

    def _is_one(self, area: Area, areas: Areas) -> bool:
        """As `_holds_one`, asked once for each cell."""
        if area not in self.one:
            self.one[area] = self._holds_one(area, areas)
        return self.one[area]

    def _holds_one(self, area: Area, areas: Areas) -> bool:
        """Whether the text in a cell over several bands is one text, not one for each of them."""
        top, bottom, left, right = area
        held = self._held(area)
        if len({self.band[id(other)] for other in held}) <= 1:
            return True
        beside = [
            other.middle
            for other in self.lines
            if top <= self.band[id(other)] <= bottom
            and not left <= self.span[id(other)][0] <= right
            and self._is_flat(other, areas)
        ]
        level = [any(abs(one.middle - other) < 0.25 * one.size for other in beside) for one in held]
        return not all(level)


def _is_label_and_value(rows: Sequence[Row]) -> bool:
    """Whether words stand above what has digits in it, as in the boxes of a form."""
    digits = [sum(any(c.isdigit() for c in line.text) for line in row.lines) / len(row.lines) for row in rows]
    return len(rows) == 2 and digits[0] == 0 and digits[1] >= 0.6


def _apart(places: dict[tuple[int, int, int, int], list[Line]]) -> dict[tuple[int, int, int, int], list[Line]]:
    """Cells that overlap are one: the wider takes in the narrower."""
    found: dict[tuple[int, int, int, int], list[Line]] = {}
    taken: dict[tuple[int, int], tuple[int, int, int, int]] = {}
    for key in sorted(places, key=lambda key: -(key[1] - key[0] + 1) * (key[3] - key[2] + 1)):
        top, bottom, left, right = key
        over = {taken[r, c] for r in range(top, bottom + 1) for c in range(left, right + 1) if (r, c) in taken}
        if over:
            found[min(over)] += places[key]
            continue
        found[key] = list(places[key])
        taken |= {(r, c): key for r in range(top, bottom + 1) for c in range(left, right + 1)}
    return found


def _closed(
    cells: list[Cell], grid: Grid, lines: Sequence[Line], kind: str, extents: Sequence[tuple[float, float]]
) -> FoundTable | None:
    """The table without rows and columns in which no cell begins."""
    rows = sorted({cell.row for cell in cells})
    columns = sorted({cell.column for cell in cells})
    if len(rows) < 2 or len(columns) < 2:
        return None
    closed = []
    for cell in cells:
        tall = sum(cell.row <= row < cell.row + cell.rows for row in rows)
        wide = sum(cell.column <= column < cell.column + cell.columns for column in columns)
        closed.append(Cell(rows.index(cell.row), columns.index(cell.column), tall, wide, cell.words))
    box = (
        min(line.x0 for line in lines),
        min(line.y0 for line in lines),
        max(line.x1 for line in lines),
        max(line.y1 for line in lines),
    )
    lefts = tuple(grid.xs[column] for column in columns)
    ordered = tuple(sorted(closed, key=lambda cell: (cell.row, cell.column)))
    reach = tuple(extents[column] for column in columns)
    return FoundTable(box, len(rows), len(columns), ordered, lefts, kind, tuple(lines), reach)
