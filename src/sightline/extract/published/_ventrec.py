"""VENTrec as published: grow a box onto its twins until it is a table. `find_tables` goes further than this.

The paper's figures are F 0.898, and 0.928 when cells of more than twenty words speak against a table. Where it leaves
something open we took the plain way: a plausible cell holds nothing side by side; of nested boxes the outermost comes
first; a step is looked for wherever two hyperBoxes are joined; and a box is expanded once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum
from itertools import cycle
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, IntArray, prefix_sum
from sightline.data import Cell, Role, Table, TraceStep, Value, origin_at
from sightline.extract.tables import CellGrid, clusters
from sightline.geometry import Box, BoxArray, area, around, contains, intersection
from sightline.page import Page
from sightline.signals import LayoutBlocks, layout_blocks

# -- the double topographical grid of VENTrec -----------------------------------------------------------------------
# After Gatterbauer and Bohunsky, "Table Extraction Using Spatial Reasoning on the CSS2 Visual Box Model" (AAAI 2006).

# Pixels between adjacent boxes, and by which edges on one line may differ; the paper says 0 to 3.
ADJACENT = 3.0

Floats = npt.NDArray[np.float32]


class Direction(Enum):
    """The direction of a neighbour, in the order in which the expansion circulates."""

    RIGHT = (2, 0)
    DOWN = (3, 1)
    LEFT = (0, 2)
    UP = (1, 3)

    @property
    def facing(self) -> int:
        """The box's own edge in this direction, as a column of a box."""
        return self.value[0]

    @property
    def meeting(self) -> int:
        """The edge of the neighbour that meets the box's own edge."""
        return self.value[1]

    @property
    def across(self) -> int:
        """The axis on which neighbours are projected: 1 for right and left, 0 for down and up."""
        return 1 - self.value[0] % 2


class Relation(IntEnum):
    """How the projection of a neighbour relates to that of the box."""

    NONE = 0
    TWIN = 1
    SMALLER = 2
    BIGGER = 3
    STEP = 4


class Neighbours(NamedTuple):
    """Boxes by number, and the relation of each."""

    numbers: IntArray
    relations: IntArray

    def of(self, relation: Relation) -> IntArray:
        """The numbers of the boxes in one relation."""
        numbers: IntArray = self.numbers[self.relations == relation]
        return numbers


@dataclass(frozen=True, eq=False)
class Topography:
    """Boxes and their lines: for each of x0, y0, x1 and y1 all boxes in ascending order, and where their edges are.

    >>> topography = Topography.of(np.float32([[0, 0, 50, 20], [50, 0, 90, 20], [0, 20, 90, 40]]))
    >>> topography.lines(0).tolist(), topography.lines(3).tolist()
    ([0.0, 50.0], [20.0, 40.0])
    >>> below = topography.neighbours((0, 0, 50, 20), Direction.DOWN)
    >>> [(int(number), Relation(relation).name) for number, relation in zip(*below)]
    [(2, 'BIGGER')]
    """

    box: BoxArray
    order: tuple[IntArray, ...]
    edges: tuple[Floats, ...]

    @classmethod
    def of(cls, box: BoxArray) -> "Topography":
        """The topography of some boxes."""
        order = tuple(np.argsort(box[:, edge], kind="stable").astype(np.int32) for edge in range(4))
        return cls(box, order, tuple(box[by_edge, edge] for edge, by_edge in enumerate(order)))

    def __len__(self) -> int:
        return len(self.box)

    def lines(self, edge: int) -> Floats:
        """The distinct lines on which some box has its left (0), upper (1), right (2) or lower (3) edge."""
        return np.unique(self.edges[edge])

    def neighbours(self, box: Box, direction: Direction) -> Neighbours:
        """The boxes that are adjacent to a box or to any rectangle."""
        numbers = self._meeting(direction.meeting, box[direction.facing])
        found = relations(box, self.box[numbers], direction)
        return Neighbours(numbers[found > 0], found[found > 0])

    def _meeting(self, edge: int, line: float) -> IntArray:
        first = np.searchsorted(self.edges[edge], line - ADJACENT)
        last = np.searchsorted(self.edges[edge], line + ADJACENT, side="right")
        return self.order[edge][first:last]


def relations(box: Box, others: BoxArray, direction: Direction) -> IntArray:
    """The relation of each of some boxes to a box, in a direction.

    >>> others = np.float32([[10, 0, 20, 9], [10, 0, 20, 30], [10, 4, 20, 30], [50, 0, 60, 9]])
    >>> [Relation(code).name for code in relations((0, 0, 10, 9), others, Direction.RIGHT)]
    ['TWIN', 'BIGGER', 'STEP', 'NONE']
    """
    low, high = others[:, direction.across], others[:, direction.across + 2]
    start, end = box[direction.across], box[direction.across + 2]
    within = (low >= start - ADJACENT) & (high <= end + ADJACENT)
    around = (low <= start + ADJACENT) & (high >= end - ADJACENT)
    codes: IntArray = _CODES[2 * within + around] * _adjacent(box, others, direction)
    return codes


# By whether a projection lies within that of the box (2) and around it (1).
_CODES = np.array([Relation.STEP, Relation.BIGGER, Relation.SMALLER, Relation.TWIN], dtype=np.int32)


def _adjacent(box: Box, others: BoxArray, direction: Direction) -> BoolArray:
    """Which boxes are close to an edge and overlap it by more than a corner."""
    across = direction.across
    shared = np.minimum(others[:, across + 2], box[across + 2]) - np.maximum(others[:, across], box[across])
    apart = np.abs(others[:, direction.meeting] - box[direction.facing])
    adjacent: BoolArray = (apart <= ADJACENT) & (shared > ADJACENT)
    return adjacent


# -- VENTrec as published -------------------------------------------------------------------------------------------

# How many levels of twins are built from smaller boxes; spans nest two or three deep.
DEEPEST = 12
FEWEST = 2  # rows and columns of a table of interest

EVERYWHERE: Box = (-np.inf, -np.inf, np.inf, np.inf)


@dataclass(frozen=True, eq=False)
class HyperBox:
    """A rectangle that its members, boxes by number, fill without overlap."""

    rectangle: Box
    members: IntArray


@dataclass(frozen=True, eq=False)
class ExpansionStep:
    """What an expansion added in a direction, and the resulting rectangle."""

    direction: Direction
    taken: HyperBox
    rectangle: Box

    def __str__(self) -> str:
        return f"{self.direction.name.lower()}: {len(self.taken.members)} → {self.rectangle}"


@dataclass(frozen=True, eq=False)
class Expansion:
    """How a box became a hyperBox, step by step.

    >>> topography = Topography.of(np.float32([[0, 0, 50, 20], [50, 0, 90, 20], [0, 20, 90, 40]]))
    >>> print(expand(topography, 0))
    right: 1 → (0.0, 0.0, 90.0, 20.0)
    down: 1 → (0.0, 0.0, 90.0, 40.0)
    """

    start: int
    steps: tuple[ExpansionStep, ...]
    found: HyperBox

    def __str__(self) -> str:
        return "\n".join(map(str, self.steps))


# ---------------------------------------------------------------------- the expansion


def expand(topography: Topography, start: int) -> Expansion:
    """Expand a box right, down, left, up, and around again until no direction gives anything.

    >>> topography = Topography.of(np.float32([[0, 0, 50, 20], [50, 0, 90, 20], [0, 20, 90, 40]]))
    >>> expand(topography, 2).found.members.tolist()
    [2, 0, 1]
    """
    grown, steps, idle = _single(topography, start), [], 0
    for direction in cycle(Direction):
        taken = _twin(topography, grown, direction, EVERYWHERE)
        idle = 0 if taken else idle + 1
        if taken:
            grown = _join(grown, taken)
            steps.append(ExpansionStep(direction, taken, grown.rectangle))
        if idle == len(Direction):
            break
    return Expansion(start, tuple(steps), grown)


def _twin(
    topography: Topography, grown: HyperBox, direction: Direction, region: Box, depth: int = 0
) -> HyperBox | None:
    """The twin in a direction: a box or, if there is none, one built from smaller boxes."""
    near = topography.neighbours(grown.rectangle, direction)
    for number in _largest_first(topography, near.of(Relation.TWIN)):
        twin = _single(topography, number)
        if _is_in(twin.rectangle, region) and not _has_steps(topography, grown, twin, direction):
            return twin
    smaller = near.of(Relation.SMALLER)
    if depth == DEEPEST or not _fills(topography, smaller, grown.rectangle, direction):
        return None
    return _built(topography, grown, smaller, direction, region, depth)


def _built(
    topography: Topography, grown: HyperBox, smaller: IntArray, direction: Direction, region: Box, depth: int
) -> HyperBox | None:
    """A twin built from smaller neighbours: the first of them, itself expanded along the edge."""
    beside = _beside(grown.rectangle, direction, region)
    at_start = np.abs(topography.box[smaller, direction.across] - beside[direction.across]) <= ADJACENT
    for number in _largest_first(topography, smaller[at_start]):
        twin = _expanded_along(topography, number, direction, beside, depth + 1)
        if twin and not _has_steps(topography, grown, twin, direction):
            return twin
    return None


def _expanded_along(
    topography: Topography, number: int, direction: Direction, region: Box, depth: int
) -> HyperBox | None:
    """A box expanded, along a region's edge and away from it, until it is as long as that; None if it cannot."""
    grown = _single(topography, number)
    along = Direction.RIGHT if direction.across == 0 else Direction.DOWN
    if not _is_in(grown.rectangle, region):
        return None
    while not _is_as_long(grown.rectangle, region, direction.across):
        steps = (_twin(topography, grown, way, region, depth) for way in (along, direction))
        taken = next((step for step in steps if step), None)
        if taken is None:
            return None
        grown = _join(grown, taken)
    return grown


def _single(topography: Topography, number: int) -> HyperBox:
    x0, y0, x1, y1 = topography.box[number].tolist()
    return HyperBox((x0, y0, x1, y1), np.array([number], dtype=np.int32))


def _join(first: HyperBox, other: HyperBox) -> HyperBox:
    a, b = first.rectangle, other.rectangle
    around = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
    return HyperBox(around, np.concatenate([first.members, other.members]))


def _largest_first(topography: Topography, numbers: IntArray) -> list[int]:
    """Of nested boxes the outermost comes first."""
    order = np.argsort(-area(topography.box[numbers]), kind="stable")
    found: list[int] = numbers[order].tolist()
    return found


def _beside(box: Box, direction: Direction, region: Box) -> Box:
    """The part of a region that lies beside a box in a direction."""
    edges = list(region)
    edges[direction.across], edges[direction.across + 2] = box[direction.across], box[direction.across + 2]
    edges[direction.meeting] = box[direction.facing]
    return edges[0], edges[1], edges[2], edges[3]


def _is_in(box: Box, region: Box) -> bool:
    low = all(box[edge] >= region[edge] - ADJACENT for edge in (0, 1))
    return low and all(box[edge] <= region[edge] + ADJACENT for edge in (2, 3))


def _is_as_long(box: Box, region: Box, axis: int) -> bool:
    return all(abs(box[edge] - region[edge]) <= ADJACENT for edge in (axis, axis + 2))


def _fills(topography: Topography, numbers: IntArray, box: Box, direction: Direction) -> bool:
    """Whether boxes cover a whole edge; otherwise no twin can be built from them."""
    across = direction.across
    order = numbers[np.argsort(topography.box[numbers, across], kind="stable")]
    reached = np.maximum.accumulate(np.append(np.float32(box[across]), topography.box[order, across + 2]))
    starts = np.append(topography.box[order, across], np.float32(box[across + 2]))
    return len(numbers) > 0 and bool((starts - reached <= ADJACENT).all())


def _has_steps(topography: Topography, grown: HyperBox, other: HyperBox, direction: Direction) -> bool:
    """Whether a box of the first, where both meet, is a step neighbour of a box of the other."""
    starts, ends = _edge_of(topography, grown, direction.facing, direction.across)
    low, high = _edge_of(topography, other, direction.meeting, direction.across)
    first = np.maximum(np.searchsorted(starts, low + ADJACENT, side="right") - 1, 0)
    last = np.maximum(np.searchsorted(starts, high - ADJACENT) - 1, 0)
    is_aligned = (np.abs(starts[first] - low) <= ADJACENT) & (np.abs(ends[last] - high) <= ADJACENT)
    return not bool(((first == last) | is_aligned).all())


def _edge_of(topography: Topography, whole: HyperBox, edge: int, across: int) -> tuple[IntArray, IntArray]:
    """Where the members along one edge of a hyperBox start and end, in ascending order."""
    line = topography.box[whole.members, edge]
    outer = topography.box[whole.members[np.abs(line - whole.rectangle[edge]) <= ADJACENT]]
    return np.sort(outer[:, across]), np.sort(outer[:, across + 2])


# ---------------------------------------------------------------------- from a page to its tables of interest


@dataclass(frozen=True, eq=False)
class VentrecTrace:
    """Every step: the boxes that may be cells, the lines of the grid, each expansion, and the tables of interest."""

    topography: Topography
    expansions: tuple[Expansion, ...]
    of_interest: tuple[bool, ...]
    found: tuple[Table, ...]

    def steps(self) -> tuple[TraceStep, ...]:
        """The boxes, the double topographical grid, and how boxes grew onto their twins."""
        grown = [(one, is_table) for one, is_table in zip(self.expansions, self.of_interest, strict=True) if one.steps]
        rows = tuple(
            {
                "direction": step.direction.name.lower(),
                "boxes taken": len(step.taken.members),
                "box": step.rectangle,
                "outcome": "" if step is not one.steps[-1] else "table" if is_table else "no table",
            }
            for one, is_table in grown
            for step in one.steps
        )
        lines = [len(self.topography.lines(edge)) for edge in range(4)]
        counted = ({"left": lines[0], "upper": lines[1], "right": lines[2], "lower": lines[3]},)
        boxes = tuple(_box(box) for box in self.topography.box.tolist())
        tables = tuple(table.box for table in self.found if table.box)
        return (
            TraceStep("boxes", "laid-out boxes that may be cells", boxes=boxes),
            TraceStep("grid", "the lines on which boxes have their edges", counted, _drawn_lines(self.topography)),
            TraceStep("expansion", "a box grows onto its twins: right, down, left, up", rows, _last_boxes(grown)),
            TraceStep("tables", "what the boxes grew to, where that is a table", boxes=tables),
        )


def _box(box: "list[float]") -> Box:
    return box[0], box[1], box[2], box[3]


def _last_boxes(grown: "list[tuple[Expansion, bool]]") -> tuple[Box, ...]:
    return tuple(one.found.rectangle for one, _ in grown)


def _drawn_lines(topography: Topography) -> tuple[Box, ...]:
    """The lines of the grid as boxes without a width, from one end of all boxes to the other."""
    if not len(topography):
        return ()
    x0, y0, x1, y1 = around(topography.box.tolist())
    upright = np.unique(np.concatenate([topography.lines(0), topography.lines(2)])).tolist()
    level = np.unique(np.concatenate([topography.lines(1), topography.lines(3)])).tolist()
    return (*((x, y0, x, y1) for x in upright), *((x0, y, x1, y) for y in level))


def ventrec(page: Page, *, most_words: int | None = None, containing: str | None = None) -> list[Table]:
    """The tables of interest of a page by the published method alone, largest first.

    With `most_words` a table with a longer cell is none (the paper's heuristic has 20); with `containing` only tables
    with that text in some cell are given.

    >>> from sightline.testing import grid_page
    >>> ventrec(grid_page([["Name", "Price"], ["EOS 5D", "1200"], ["D850", "2100"]]))[0].rows
    [['Name', 'Price'], ['EOS 5D', '1200'], ['D850', '2100']]
    """
    found = trace_ventrec(page, most_words=most_words).found
    return [table for table in found if _holds(table, containing)]


def trace_ventrec(page: Page, *, most_words: int | None = None) -> VentrecTrace:
    """As `ventrec`, with every step.

    >>> from sightline.testing import grid_page
    >>> trace = trace_ventrec(grid_page([["Name", "Price"], ["EOS 5D", "1200"], ["D850", "2100"]]))
    >>> [row["direction"] for row in trace.steps()[2].rows]
    ['right', 'down', 'down']
    """
    blocks = layout_blocks(page)
    population = _population(blocks)
    topography = Topography.of(blocks.box[population])
    expanded = list(_expansions(topography, blocks.ink[population] > 0))
    tables = [
        (one.found.rectangle, _table(page, blocks.node[population], grid)) for one, grid in expanded if grid is not None
    ]
    good = [(box, table) for box, table in tables if most_words is None or _longest(table) <= most_words]
    of_interest = tuple(grid is not None for _, grid in expanded)
    return VentrecTrace(topography, tuple(one for one, _ in expanded), of_interest, tuple(_apart(good)))


def _expansions(topography: Topography, has_ink: BoolArray) -> Iterator[tuple[Expansion, CellGrid | None]]:
    """What the boxes with ink expand to, each with its grid where that is a table of interest.

    A box that an expansion has taken would lead there again, and what lies in a table is a part of it.
    """
    done = ~has_ink
    for start in range(len(topography)):
        if done[start]:
            continue
        expansion = expand(topography, start)
        found = expansion.found
        done[found.members] = True
        grid = _grid_of_interest(topography, found, has_ink)
        if grid is not None:
            done |= contains(np.array(found.rectangle, dtype=np.float32), topography.box)
        yield expansion, grid


def _population(blocks: LayoutBlocks) -> IntArray:
    """The blocks that may be cells: with a size, and nothing side by side in them; of equal ones the outermost."""
    sized = (blocks.box[:, 2:] - blocks.box[:, :2] > ADJACENT).all(axis=1)
    may_be = sized & ~_holds_beside(blocks)
    above = np.maximum(blocks.parent, 0)
    is_alike = (np.abs(blocks.box - blocks.box[above]) <= ADJACENT).all(axis=1) & (blocks.parent >= 0)
    return np.flatnonzero(may_be & ~(is_alike & may_be[above])).astype(np.int32)


def _holds_beside(blocks: LayoutBlocks) -> BoolArray:
    """Which blocks contain, at any depth, children side by side: rows and whole tables, not cells."""
    order, _ = blocks.children
    box, next_box = order[:-1], order[1:]
    common = intersection(blocks.box[box], blocks.box[next_box])
    is_beside = (common[:, 2] - common[:, 0] <= ADJACENT) & (common[:, 3] - common[:, 1] > ADJACENT)
    is_beside &= (blocks.parent[box] == blocks.parent[next_box]) & (blocks.parent[box] >= 0)
    holds = np.zeros(len(blocks), dtype=bool)
    holds[blocks.parent[box[is_beside]]] = True
    for number in np.flatnonzero(holds).tolist():
        _mark_above(holds, blocks.parent, number)
    return holds


def _mark_above(marked: BoolArray, parent: IntArray, number: int) -> None:
    above = parent[number]
    while above >= 0 and not marked[above]:
        marked[above] = True
        above = parent[above]


def _grid_of_interest(topography: Topography, found: HyperBox, has_ink: BoolArray) -> CellGrid | None:
    """The cells of a hyperBox without rows and columns of empty ones; None if they are not a table of interest."""
    box = topography.box[found.members]
    (row, row_span), (column, column_span) = _places(box, 1), _places(box, 0)
    inked = has_ink[found.members]
    row, row_span = _without_empty(row, row_span, inked)
    column, column_span = _without_empty(column, column_span, inked)
    stays = (row_span > 0) & (column_span > 0)
    places = (part[stays] for part in (row, column, row_span, column_span))
    grid = CellGrid(found.members[stays], box[stays], *places)
    is_tiled = bool((grid.taken() == 1).all())
    return grid if is_tiled and min(grid.shape) >= FEWEST else None


def _places(box: BoxArray, axis: int) -> tuple[IntArray, IntArray]:
    """The first line and the number of lines that each box takes along an axis."""
    first, lines = clusters(box[:, axis], ADJACENT)
    end = np.searchsorted(lines, box[:, axis + 2] - ADJACENT)
    return first, np.maximum(end - first, 1).astype(np.int32)


def _without_empty(first: IntArray, span: IntArray, inked: BoolArray) -> tuple[IntArray, IntArray]:
    """Places along an axis when the lines in which no cell has ink are left out.

    >>> _without_empty(np.int32([0, 1, 2]), np.int32([1, 1, 1]), np.array([True, False, True]))[0].tolist()
    [0, 1, 1]
    """
    size = int((first + span).max(initial=0)) + 1
    starts, ends = np.bincount(first[inked], minlength=size), np.bincount((first + span)[inked], minlength=size)
    kept = prefix_sum(np.cumsum(starts - ends) > 0).astype(np.int32)
    return kept[first], kept[first + span] - kept[first]


def _table(page: Page, nodes: IntArray, grid: CellGrid) -> Table:
    """A grid as a table; its first row is the heading, about which the method says nothing."""
    numbers = nodes[grid.block]
    places = np.stack([grid.row, grid.column, grid.row_span, grid.column_span], axis=1).tolist()
    cells = [
        Cell(row, column, tall, wide, Value(text, None, origin_at(page, (number,), (x0, y0, x1, y1))), _role(row))
        for (row, column, tall, wide), text, number, (x0, y0, x1, y1) in zip(
            places, page.texts_of(numbers), numbers.tolist(), grid.box.tolist(), strict=True
        )
    ]
    sheet = page.sheet_of(grid.bounds)
    return Table(tuple(cells), header_rows=1, box=grid.bounds, sheet=sheet, language=page.language)


def _role(row: int) -> Role:
    return "data" if row else "column header"


def _longest(table: Table) -> int:
    return max(len(cell.text.split()) for cell in table.anchors)


def _holds(table: Table, text: str | None) -> bool:
    return text is None or any(text.casefold() in cell.text.casefold() for cell in table.anchors)


def _apart(found: list[tuple[Box, Table]]) -> list[Table]:
    """The tables that no larger one overlaps, largest first."""
    boxes = np.array([box for box, _ in found], dtype=np.float32).reshape(-1, 4)
    kept: list[int] = []
    for number in np.argsort(-area(boxes), kind="stable").tolist():
        common = intersection(boxes[kept], boxes[number])
        if not (common[:, 2:] - common[:, :2] > ADJACENT).all(axis=1).any():
            kept.append(number)
    return [found[number][1] for number in kept]
