"""Method A: tables from the boxes of elements, after VENTrec (Gatterbauer & Bohunsky 2006).

VENTrec grows a rectangle of boxes from one box: to the right along twins, then down onto twins that it builds from
smaller neighbours, and never over a step. Here all boxes grow at once, bottom up through the tree of blocks: boxes side
by side are a line; lines below each other join as long as no cell of one makes a step with a cell of the other. If the
first direction fails the others are tried: lines by their tops, middles or bottoms, and columns before rows.
"""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median
from typing import TypeAlias

import numpy as np

from sightline.extract.tables._grid import ALIGNED, CellGrid, GridFacts, clusters, tile
from sightline.signals import LayoutBlocks

# A gap between two lines that ends a table: this many pixels more than twice what is usual between the lines.
LOOSE = 6.0
# Whatever touches a table, give or take shared borders, belongs to it if it is as wide.
TOUCHING = 3.0
# Lone boxes that touch a table which is complete without them and still belong to it: a title, a remark. More of them
# are text that happens to be as wide as the table.
BEYOND = 1
# Neither a single row nor a single cell beside others is a table.
FEWEST_LINES = 2
FEWEST_CELLS = 3
FARTHEST = 1e9  # pixels; boxes that claim to be further away have no place at all
# Words per cell on average: a grid with more is page layout, and need not be examined closely.
MOST_INK = 100
# Of the boxes in columns, the share that must be in line with one of another column for the columns to be a table.
IN_LINE = 0.8


# Tables have few different rows, as far as edges go; if every row differs, comparing the last ones is enough.
MOST_KEYS = 8
RECENT = 3  # groups of lines that determine how wide a run is and how its lines are spaced

Edges: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(slots=True, eq=False)
class BoxLine:
    """Boxes side by side, from left to right; or a single one, which may be a row around one cell, or a text."""

    cells: tuple[int, ...]
    top: float
    bottom: float
    edges: Edges  # rounded, so that equal lines have equal edges
    lone: bool
    is_text: bool


def element_grids(blocks: LayoutBlocks, without: Collection[str] = ()) -> list[CellGrid]:
    """Every grid of at least two lines formed by the boxes of elements, the inner ones first."""
    found = []
    for lines in _Growth(blocks, without).runs():
        grid = _grid(lines, blocks, spanning_by_edges="edges" not in without)
        if grid is not None and min(grid.shape) > 1:
            found.append(grid)
    return found


class _Growth:
    """Lines grown from the leaves of the block tree upwards; `open` are the blocks that are nothing but lines."""

    def __init__(self, blocks: LayoutBlocks, without: Collection[str]) -> None:
        self.blocks = blocks
        self.without = without
        self.count, self.only, self.caption = blocks.count.tolist(), blocks.only.tolist(), blocks.caption.tolist()
        self.left, self.top, _, self.bottom = blocks.box.T.tolist()
        self.edges = list(
            map(tuple, np.rint(np.clip(blocks.box[:, [0, 2]], -FARTHEST, FARTHEST)).astype(np.int64).tolist())
        )
        self.order, self.start = (column.tolist() for column in blocks.children)
        self.open: dict[int, list[BoxLine]] = {}
        self.columns: dict[tuple[int, ...], list[BoxLine]] = {}
        self.compatible: dict[tuple[Edges, Edges], bool] = {}

    def runs(self) -> Iterator[list[BoxLine]]:
        """Every run of lines; and columns, unless they are a line among others of their kind."""
        for run in self._runs():
            for line in run:
                self.columns.pop(line.cells, None)
            yield run
        yield from self.columns.values()

    def _runs(self) -> Iterator[list[BoxLine]]:
        """Go up the tree; yield every run of lines where it ends."""
        count, only, own_ink = self.count, self.only, self.blocks.own_ink.tolist()
        beside, stacked = self.blocks.spread.beside.tolist(), self.blocks.spread.stacked.tolist()
        for block in range(len(self.blocks) - 1, -1, -1):
            if count[block] == 0:
                continue
            if only[block] >= 0:
                if only[block] in self.open:
                    self.open[block] = self.open.pop(only[block])
            elif own_ink[block] == 0 and beside[block]:
                yield from self._beside(block)
            elif stacked[block]:
                yield from self._below(block, self._stack(block), whole=own_ink[block] == 0)
            else:
                yield from self._below(block, self._scattered(block), whole=own_ink[block] == 0)
        yield from (lines for lines in self.open.values() if len(lines) > 1)

    def _children(self, block: int) -> list[int]:
        children: list[int] = self.order[self.start[block] : self.start[block + 1]]
        return children

    def _line(self, cells: Sequence[int]) -> BoxLine:
        if len(cells) == 1:  # as most are
            (cell,) = cells
            is_text = self.only[cell] < 0
            return BoxLine((cell,), self.top[cell], self.bottom[cell], (self.edges[cell],), lone=True, is_text=is_text)
        ordered = tuple(sorted(cells, key=self.left.__getitem__))
        top, bottom = min(map(self.top.__getitem__, cells)), max(map(self.bottom.__getitem__, cells))
        sides = tuple(map(self.edges.__getitem__, ordered))
        return BoxLine(ordered, top, bottom, sides, lone=False, is_text=False)

    def _beside(self, block: int) -> Iterator[list[BoxLine]]:
        """Children side by side are one line, unless they are columns with cells in line with each other."""
        children = self._children(block)
        may_be_columns = "alternatives" not in self.without and self._may_be_columns(children)
        yield from self._nested(children)
        self.open[block] = [self._line(children)]
        columns = self._in_columns(children) if may_be_columns else None
        if columns:
            self.columns[self.open[block][0].cells] = columns

    def _may_be_columns(self, children: Sequence[int]) -> bool:
        """Whether some of them contain blocks, but none contains lines: tables side by side are not columns."""
        if not any(map(self.count.__getitem__, children)):
            return False
        return all(line.lone for child in children for line in self.open.get(child, ()))

    def _nested(self, cells: Sequence[int]) -> Iterator[list[BoxLine]]:
        """Close what was open inside cells: it is a table in a cell, or none."""
        if self.open.keys().isdisjoint(cells):
            return
        for cell in cells:
            lines = self.open.pop(cell, ())
            if len(lines) >= FEWEST_LINES:
                yield list(lines)

    def _in_columns(self, columns: Sequence[int]) -> list[BoxLine] | None:
        """The lines across columns, if nearly all boxes in the columns are in one."""
        cells = [cell for column in columns for cell in self._column(column)]
        if len(cells) < FEWEST_LINES * len(columns):
            return None
        lines = self._by_place(cells, (1,))
        if lines is None or len(lines) < FEWEST_LINES:
            return None
        in_line = sum(len(line.cells) for line in lines if not line.lone)
        return lines if in_line >= IN_LINE * len(cells) and self._all_compatible(lines) else None

    def _column(self, column: int) -> list[int]:
        only = self.blocks.only
        while only[column] >= 0:
            column = int(only[column])
        return self._children(column) if self.blocks.spread.stacked[column] and self.blocks.own_ink[column] == 0 else []

    def _stack(self, block: int) -> list[list[BoxLine]]:
        """The children of a block from top to bottom, each as its lines."""
        if self.open.keys().isdisjoint(self._children(block)):
            return []
        children = sorted(self._rows(block), key=self.top.__getitem__)
        return [] if self.open.keys().isdisjoint(children) else [self._lines(child) for child in children]

    def _rows(self, block: int) -> list[int]:
        """The children without captions, which are not part of the grid."""
        children = self._children(block)
        if "captions" in self.without:
            return children
        return [child for child in children if not self.caption[child]]

    def _lines(self, child: int) -> list[BoxLine]:
        return self.open.pop(child) if child in self.open else [self._line((child,))]

    def _scattered(self, block: int) -> list[list[BoxLine]]:
        """Children in no single direction: cells of a flat grid in lines, or anything stacked for a while."""
        children = self._children(block)
        if len(children) > FEWEST_CELLS:
            lines = self._by_place(children, (1,) if "alternatives" in self.without else (1, 3, None))
            if lines is not None:
                return [[line] for line in lines]
        if self.open.keys().isdisjoint(children):
            return []
        groups: list[list[BoxLine]] = []
        end = -np.inf
        for child in children:
            if self.top[child] < end - ALIGNED:
                groups.append([])
            groups.append(self._lines(child))
            end = self.bottom[child]
        return groups

    def _by_place(self, cells: Sequence[int], sides: Sequence[int | None]) -> list[BoxLine] | None:
        """The cells in lines by their tops, bottoms or middles: the first of them by which no two cells overlap."""
        boxes = self.blocks.box[list(cells)]
        for side in sides:
            place = (boxes[:, 1] + boxes[:, 3]) / 2 if side is None else boxes[:, side]
            number, _ = clusters(place)
            order = np.lexsort((boxes[:, 0], number))
            same = number[order][1:] == number[order][:-1]
            if (boxes[order][1:, 0] < boxes[order][:-1, 2] - ALIGNED)[same].any() or not same.any():
                continue
            pairs = ((int(number[position]), cells[position]) for position in order.tolist())
            return [self._line([cell for _, cell in group]) for _, group in groupby(pairs, key=lambda pair: pair[0])]
        return None

    def _below(self, block: int, groups: list[list[BoxLine]], *, whole: bool) -> Iterator[list[BoxLine]]:
        """Join the lines below each other; a block that is nothing but one run stays open for its parent."""
        if not groups:
            return
        runs = list(self._joined(groups))
        total = sum(map(len, groups))
        if whole and len(runs) == 1 and len(runs[0]) == total:
            yield from self._nested_in(runs[0])
            self.open[block] = runs[0]
            return
        for run in runs:
            yield from self._nested_in(run)
            if len(run) >= FEWEST_LINES:
                yield run

    def _nested_in(self, run: list[BoxLine]) -> Iterator[list[BoxLine]]:
        for line in run if self.open else ():
            yield from self._nested(line.cells)

    def _joined(self, groups: list[list[BoxLine]]) -> Iterator[list[BoxLine]]:
        """Maximal runs of lines without a step between them and without a wide gap."""
        limit = np.inf if "gaps" in self.without or len(groups) < 2 else _widest_gap(groups)
        run: list[list[BoxLine]] = []
        keys: dict[Edges, None] = {}
        for group in groups:
            new = _keys(group)
            if run and not (self._is_next(run, group, limit) and self._fit_all(new, keys)):
                yield from _trim(run)
                run, keys = [], {}
            run.append(group)
            keys |= new
        yield from _trim(run)

    def _fit_all(self, new: dict[Edges, None], keys: dict[Edges, None]) -> bool:
        """Whether lines with some edges fit those above; of many different ones, the last are compared."""
        if new.keys() <= keys.keys():
            return True
        recent = list(keys)[-MOST_KEYS:]
        return all(self._fit(edges, other) for edges in list(new)[:MOST_KEYS] for other in recent if edges != other)

    def _is_next(self, run: list[list[BoxLine]], group: list[BoxLine], limit: float) -> bool:
        """Whether a group of lines continues a run; a table of its own must touch it and be as wide."""
        last = run[-1]
        if not group or not last:
            return False
        gap = group[0].top - last[-1].bottom
        if "twins" in self.without or (len(group) == 1 and (len(last) == 1 or group[0].lone)):
            return gap <= limit
        lines = [line for lines in run[-RECENT:] for line in lines]
        return gap <= _spacing(lines, group) + TOUCHING and _sides_meet(lines, group)

    def _all_compatible(self, lines: Sequence[BoxLine]) -> bool:
        keys = list(dict.fromkeys(line.edges for line in lines if not line.lone))
        return all(self._fit(edges, other) for edges, other in pairwise(keys))

    def _fit(self, edges: Edges, other: Edges) -> bool:
        if "steps" in self.without:
            return True
        if (edges, other) not in self.compatible:
            in_order = "order" not in self.without and _in_order(edges, other)
            self.compatible[edges, other] = in_order or not _makes_step(edges, other)
        return self.compatible[edges, other]


def _keys(group: list[BoxLine]) -> dict[Edges, None]:
    """The different edges of the lines that have several cells."""
    if len(group) == 1:
        return {} if group[0].lone else {group[0].edges: None}
    return dict.fromkeys(line.edges for line in group if not line.lone)


def _widest_gap(groups: list[list[BoxLine]]) -> float:
    """The gap up to which single lines belong together: about twice the usual one."""
    lines = [group[0] for group in groups if len(group) == 1]
    left, right = _sides(lines) if lines else (0, 0)
    cells = [None if line.is_text and _fills(line, left, right) else line for line in lines]
    return 2 * _usual([after.top - before.bottom for before, after in pairwise(cells) if before and after]) + LOOSE


def _fills(line: BoxLine, left: int, right: int) -> bool:
    """Whether a line takes the whole width: text between the lines, rather than a cell without neighbours."""
    return line.edges[0][0] <= left + ALIGNED and line.edges[-1][1] >= right - ALIGNED


def _spacing(run: list[BoxLine], group: list[BoxLine]) -> float:
    """The usual distance between lines within the one and the other."""
    return _usual([after.top - before.bottom for lines in (run, group) for before, after in pairwise(lines)])


def _usual(gaps: Sequence[float]) -> float:
    """The median, without those below cells that span several lines, which are negative."""
    return median([gap for gap in gaps if gap >= 0] or [0.0])


def _sides_meet(run: list[BoxLine], group: list[BoxLine]) -> bool:
    (left, right), (other_left, other_right) = _sides(run), _sides(group)
    return abs(left - other_left) <= ALIGNED and abs(right - other_right) <= ALIGNED


def _sides(lines: list[BoxLine]) -> tuple[int, int]:
    firm = [line for line in lines if not line.lone] or lines
    return min(line.edges[0][0] for line in firm), max(line.edges[-1][1] for line in firm)


def _makes_step(edges: Edges, other: Edges) -> bool:
    """Whether a cell of one line overlaps a cell of the other without either containing the other."""
    for a0, a1 in edges:
        for b0, b1 in other:
            if b0 >= a1 - ALIGNED:
                break  # and so are all further to the right
            if b1 > a0 + ALIGNED and min(a1, b1) - max(a0, b0) > ALIGNED:
                inside = b0 >= a0 - ALIGNED and b1 <= a1 + ALIGNED
                around = b0 <= a0 + ALIGNED and b1 >= a1 - ALIGNED
                if not (inside or around):
                    return True
    return False


def _in_order(edges: Edges, other: Edges) -> bool:
    """Whether two lines have equally many cells, each clear of all but the one at its own place in the other."""
    if len(edges) != len(other):
        return False
    ends = [max(a[1], b[1]) for a, b in zip(edges, other, strict=True)]
    starts = [min(a[0], b[0]) for a, b in zip(edges, other, strict=True)]
    return all(end <= start for end, start in zip(ends[:-1], starts[1:], strict=True))


def _trim(groups: list[list[BoxLine]]) -> Iterator[list[BoxLine]]:
    """The lines of a run without lone boxes at its ends that are merely near it; nothing if no line has two cells."""
    firm = [place for place, group in enumerate(groups) if any(not line.lone for line in group)]
    if not firm:
        return
    first, last = firm[0], firm[-1]
    lines = [line for group in groups[first : last + 1] for line in group]
    complete = any(len(group) > 1 for group in groups)
    sides, near = _sides(lines), TOUCHING if complete else _spacing(lines, []) + TOUCHING
    while first > 0 and _belongs(groups[first - 1][0], groups[first - 1][0], groups[first][0], sides, near):
        first -= 1
    while last + 1 < len(groups) and _belongs(groups[last + 1][0], groups[last][-1], groups[last + 1][0], sides, near):
        last += 1
    beyond = BEYOND if complete else len(groups)
    first = first if firm[0] - first <= beyond else firm[0]
    last = last if last - firm[-1] <= beyond else firm[-1]
    yield [line for group in groups[first : last + 1] for line in group]


def _belongs(lone: BoxLine, upper: BoxLine, lower: BoxLine, sides: tuple[int, int], near: float) -> bool:
    """Whether a lone box stays within the sides of a run, and the two lines where they meet are near each other."""
    x0, x1 = lone.edges[0]
    return lower.top - upper.bottom <= near and x0 >= sides[0] - ALIGNED and x1 <= sides[1] + ALIGNED


def _grid(lines: Sequence[BoxLine], blocks: LayoutBlocks, *, spanning_by_edges: bool = True) -> CellGrid | None:
    keys = dict.fromkeys(line.edges for line in lines if not line.lone)
    edges = sorted({edge for key in keys for pair in key for edge in pair})
    rows = [(_cell(line.cells[0], edges, blocks),) if line.lone else line.cells for line in lines]
    cells = [cell for row in rows for cell in row]
    if len(cells) < FEWEST_CELLS or blocks.ink[cells].sum() > MOST_INK * len(cells):
        return None
    loose = any(_makes_step(edges, other) for edges, other in pairwise(list(keys)[:MOST_KEYS]))
    facts = GridFacts(mirrored=_is_mirrored(rows), loose=loose, spanning_by_edges=spanning_by_edges)
    return tile(rows, blocks.box, facts)


def _cell(block: int, edges: list[int], blocks: LayoutBlocks) -> int:
    """Of a lone box and the boxes that fill it, the innermost that keeps to the edges of the other cells."""
    chosen, inner = block, block
    while inner >= 0:
        x0, _, x1, _ = blocks.box[inner].tolist()
        if _is_near(x0, edges) and _is_near(x1, edges):
            chosen = inner
        inner = int(blocks.only[inner])
    return chosen


def _is_near(side: float, edges: list[int]) -> bool:
    place = bisect_left(edges, side - ALIGNED)
    return place < len(edges) and edges[place] <= side + ALIGNED


def _is_mirrored(rows: Sequence[Sequence[int]]) -> bool:
    """Whether the document lists most lines from right to left; blocks are numbered in document order."""
    backwards = sum(row[0] > row[-1] for row in rows)
    return backwards * 2 > sum(len(row) > 1 for row in rows)
