"""Where the tables of a sheet are.

Three kinds of evidence propose an area: lines that make a lattice; lines of one width below each other with rows of
pieces between them; and such rows alone, where they stand below each other and most of them are numbers.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from sightline.extract.structure._columns import Column, columns_of
from sightline.extract.structure._edges import Edges, Lattice, edges_of, lattices
from sightline.extract.structure._grid import Cell, FoundTable, build
from sightline.extract.structure._layout import Layout, Line, Sheet
from sightline.extract.structure._marks import EQUATION_NUMBER, MARK
from sightline.extract.structure._pieces import LEADER, pieces_of
from sightline.extract.structure._rows import Row, visual_rows

__all__ = ["Cell", "FoundTable", "tables_of"]

Box: TypeAlias = tuple[float, float, float, float]

PROSE_LINES = 3
PROSE_WORDS = 6.0
SHORTEST_RULE = 60.0  # CSS pixels
FEW_ROWS = 6  # lines of text: so many may be one row of cells with several lines each
DRAWN = 0.15  # of the area of a table without upright lines: where a figure covers more, it is the table's own
ROOMY = 3.2  # of the size, for each line: what stands in so much room between two lines is no row, but a heading
CONTENTS = 5  # rows of a text and a number that goes up, from which on they are a table of contents
COMPANY = 0.8  # of the lines of a block of long texts: how many have a piece beside them if they are cells
SAMPLE = 3  # lines that are looked at first
BESIDE = 12.0  # of the size: how far that piece may stand
LOST = 2  # columns that are gone when both parts are taken together
CLASHING = 4  # columns from which on two parts of a zone may be tables of their own
GROUPS = 3.2  # of the size: groups of rows of one table are no further apart
REACH = 1.5  # of the size: rows that go on beyond the lines of a table are no further apart
TABLE_TAG = " Table "
TOLD = 0.8  # of the lines of a table that a tagged PDF says are in one
FEWEST_ROWS = 3
MOST_LABELS = 3  # lines of a label that stand alone before the rest of their row follows
ALIGNED = 0.75  # of the pieces of a table without lines: how many stand right below each other
FULL = 0.55  # of the places of such a table: how many are filled


def tables_of(layout: Layout, sheet: Sheet, without: Collection[str] = ()) -> list[FoundTable]:
    """The tables of a sheet, from top to bottom; rules in `without` are left out."""
    edges = edges_of(layout.page, sheet)
    lines = [line for line in sheet.lines if not line.running and not line.turned]
    _mark_prose(layout, lines)
    _unmark_cells(lines)
    lines = pieces_of(layout, lines, edges) if "pieces" not in without else lines
    found: list[FoundTable] = []
    left = lines
    charts: list[Box] = []
    for lattice in sorted(lattices(edges) if "lattices" not in without else (), key=lambda one: -_area(one.box)):
        table = _latticed(layout, left, lattice)
        if table is not None:
            found.append(table)
            left = _without(left, table)
        elif len(lattice.across) > 2:
            charts.append(lattice.box)
    taken = [*(table.box for table in found), *charts]
    for zone in _zones(left, edges, taken) if "zones" not in without else ():
        for part in _parts(left, zone, edges):
            table = _zoned(layout, left, part, edges)
            if table is not None and not _is_drawn(table, sheet):
                found.append(table)
                left = _without(left, table)
    drawn = {id(line) for box in charts for line in _inside(left, box)}
    for run in _runs([line for line in left if id(line) not in drawn]) if "white" not in without else ():
        table = _unruled(layout, run, edges)
        if table is not None and not _is_drawn(table, sheet):
            found.append(table)
            left = _without(left, table)
    return sorted(found, key=lambda table: (table.box[1], table.box[0]))


def _is_drawn(table: FoundTable, sheet: Sheet) -> bool:
    """Whether a figure is drawn over much of what looks like a table: these are its labels."""
    x0, y0, x1, y1 = table.box
    for left, top, right, bottom in sheet.figures.tolist():
        shared = max(min(x1, right) - max(x0, left), 0) * max(min(y1, bottom) - max(y0, top), 0)
        if shared > DRAWN * _area(table.box):
            return True
    return False


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _without(lines: list[Line], table: FoundTable) -> list[Line]:
    taken = {id(line) for line in table.lines}
    return [line for line in lines if id(line) not in taken]


def _inside(lines: Sequence[Line], box: Box) -> list[Line]:
    x0, y0, x1, y1 = box
    return [line for line in lines if y0 <= line.middle <= y1 and x0 - 2 <= (line.x0 + line.x1) / 2 <= x1 + 2]


# ------------------------------------------------------------------ lines of text


def _mark_prose(layout: Layout, lines: Sequence[Line]) -> None:
    """Mark the lines of running text: in a block of several lines with many words in each."""
    blocks: dict[int, list[Line]] = {}
    for line in lines:
        blocks.setdefault(line.block, []).append(line)
    for held in blocks.values():
        rows = visual_rows(held)
        words = sum(layout.spaced[word] for line in held for word in line.words) + len(held)
        long = words / len(rows)
        if (len(rows) >= PROSE_LINES and long >= PROSE_WORDS) or (len(rows) == 2 and long >= 9) or long >= 14:
            for line in held:
                line.prose = TABLE_TAG not in line.tags


def _unmark_cells(lines: Sequence[Line]) -> None:
    """Long texts in the cells of a table are no running text: to their left a column goes along with them.

    Almost all lines of such a block stand beside a piece that is none, close by, and these pieces are even on their
    left. Beside a page of running text there is none, and the numbers of a table in the next column are not even.
    """
    blocks: dict[int, list[Line]] = {}
    for line in lines:
        if line.prose:
            blocks.setdefault(line.block, []).append(line)
    plain = [line for line in lines if not line.prose]
    for held in blocks.values():
        if all(_left_of(line, plain) is None for line in held[:SAMPLE]):
            continue
        beside = [near for line in held if (near := _left_of(line, plain)) is not None]
        if len(beside) < max(COMPANY * len(held), 1):
            continue
        lefts = sorted(line.x0 for line in beside)
        even = sum(abs(left - lefts[len(lefts) // 2]) < 2 for left in lefts)
        if even >= COMPANY * len(beside):
            for line in held:
                line.prose = False


def _left_of(line: Line, others: Sequence[Line]) -> Line | None:
    """The nearest piece to the left on the same height, if it is not far."""
    near = [
        other
        for other in others
        if abs(other.middle - line.middle) < 0.4 * line.size and 0 < line.x0 - other.x1 < BESIDE * line.size
    ]
    return max(near, key=lambda other: other.x1, default=None)


# ------------------------------------------------------------------ lattices


def _latticed(layout: Layout, lines: list[Line], lattice: Lattice) -> FoundTable | None:
    """The table that a lattice of lines draws, if it is one."""
    if len(lattice.across) < 2 and len(lattice.down) < 2:
        return None
    held = _inside(lines, lattice.box)
    if len(held) < 3:
        return None
    mine = Edges(lattice.across, lattice.down)
    table = build(layout, lattice.box, held, mine, "lattice")
    if table is None or not _is_table(table):
        return None
    return table


def _is_table(table: FoundTable) -> bool:
    """Whether most rows have more than one cell, and the cells are not the paragraphs of a page in frames."""
    if len(table.cells) < 4:
        return False
    filled: dict[int, int] = {}
    for cell in table.cells:
        for row in range(cell.row, cell.row + cell.rows):
            filled[row] = filled.get(row, 0) + 1
    several = sum(count > 1 for count in filled.values())
    return several >= 2 and several >= 0.4 * table.rows


# ------------------------------------------------------------------ zones between lines


def _zones(lines: list[Line], edges: Edges, taken: Sequence[Box]) -> list[Box]:
    """Areas between lines of about one width: stretches of bands with rows of several pieces, or little in them."""
    across = [edge for edge in edges.across.tolist() if edge[2] - edge[1] >= SHORTEST_RULE]
    across = [edge for edge in across if not any(_hits(edge, box) for box in taken)]
    zones: list[Box] = []
    for family in _families(across):
        run: list[tuple[Box, bool]] = []
        for (y, x0, x1), (y2, left, right) in pairwise(family):
            box = (min(x0, left), y, max(x1, right), y2)
            kind = _band_kind(_inside(lines, box), y2 - y)
            if kind == "other":
                zones += _zone(run)
                run = []
            else:
                run.append((box, kind == "tabular"))
        zones += _zone(run)
    return zones


def _families(across: list[list[float]]) -> list[list[list[float]]]:
    """Lines of about one width and place, from top to bottom."""
    families: list[list[list[float]]] = []
    for edge in sorted(across):
        _, x0, x1 = edge
        for family in families:
            _, left, right = family[-1]
            if min(x1, right) - max(x0, left) >= 0.8 * max(x1 - x0, right - left):
                family.append(edge)
                break
        else:
            families.append([edge])
    return families


def _band_kind(lines: Sequence[Line], height: float) -> str:
    """What stands between two lines: rows of several pieces, little or nothing, or something else."""
    if not lines:
        return "little"
    if _is_tabular(lines):
        return "tabular"
    rows = visual_rows(lines)
    prose = sum(len(row.lines) for row in rows if _is_prose(row))
    roomy = len(rows) <= 2 and height > ROOMY * len(rows) * lines[0].size
    return "little" if len(rows) <= FEW_ROWS and prose <= 0.3 * len(lines) and not roomy else "other"


def _zone(run: list[tuple[Box, bool]]) -> list[Box]:
    """The area from the first band with rows of several pieces to the last."""
    firm = [place for place, (_, tabular) in enumerate(run) if tabular]
    if not firm:
        return []
    boxes = [box for box, _ in run[firm[0] : firm[-1] + 1]]
    return [(min(b[0] for b in boxes), boxes[0][1], max(b[2] for b in boxes), boxes[-1][3])]


def _parts(lines: Sequence[Line], zone: Box, edges: Edges) -> list[Box]:
    """A zone, cut at lines where other columns begin: tables of one width below each other."""
    x0, y0, x1, y1 = zone
    whole = [
        y
        for y, left, right in edges.across.tolist()
        if y0 + 2 < y < y1 - 2 and min(right, x1) - max(left, x0) > 0.8 * (x1 - x0)
    ]
    bounds = [y0, *whole, y1]
    parts: list[tuple[float, float, list[Line]]] = []
    for top, bottom in pairwise(bounds):
        held = _inside(lines, (x0, top, x1, bottom))
        if parts and not _clash(parts[-1][2], held):
            parts[-1] = (parts[-1][0], bottom, [*parts[-1][2], *held])
        else:
            parts.append((top, bottom, held))
    return [(x0, top, x1, bottom) for top, bottom, _ in parts]


def _clash(above: Sequence[Line], below: Sequence[Line]) -> bool:
    """Whether two parts have columns of their own, which are lost if they are taken together."""
    one, other = columns_of(above), columns_of(below)
    if min(len(one), len(other)) < CLASHING:
        return False
    return len(columns_of([*above, *below])) <= max(len(one), len(other)) - LOST


def _hits(edge: Sequence[float], box: Box) -> bool:
    y, x0, x1 = edge
    return box[1] - 3 <= y <= box[3] + 3 and min(x1, box[2]) - max(x0, box[0]) > 0.5 * (x1 - x0)


def _is_tabular(lines: Sequence[Line]) -> bool:
    """Whether most rows have several pieces, and few lines are running text."""
    if not lines:
        return False
    rows = visual_rows(lines)
    several = sum(len(row.lines) > 1 and not _is_item(row) and not _is_prose(row) for row in rows)
    prose = sum(len(row.lines) for row in rows if _is_prose(row))
    if len(rows) <= FEW_ROWS and several and len(columns_of(lines)) > 1:
        return prose <= 0.3 * len(lines)
    inside = sum(len(row.lines) for row in rows if len(row.lines) > 1 and not _is_item(row))
    return several >= max(1, 0.25 * len(rows)) and inside >= 0.6 * len(lines) and prose <= 0.3 * len(lines)


def _is_prose(row: Row) -> bool:
    """Whether nothing but running text stands in a row; a long text beside a short one is a cell."""
    return all(line.prose for line in row.lines)


def _is_item(row: Row) -> bool:
    """Whether a row is a mark or number with the text behind it."""
    first, *rest = row.lines
    return len(rest) == 1 and MARK.fullmatch(first.text) is not None and not rest[0].is_number


def _zoned(layout: Layout, lines: list[Line], zone: Box, edges: Edges) -> FoundTable | None:
    held = _inside(lines, zone)
    x0, y0, x1, y1 = zone
    if len(held) < 3:
        return None
    near = [line for line in lines if line.x0 > x0 - 10 and line.x1 < x1 + 10 and not line.prose]
    held += _continued(held, [line for line in near if line.middle > y1], down=True)
    held += _continued(held, [line for line in near if line.middle < y0], down=False)
    table = build(layout, _around(held, zone), held, edges, "zone")
    if table is None or not _is_table(table):
        return None
    return table


def _around(lines: Sequence[Line], box: Box | None = None) -> Box:
    x0, y0, x1, y1 = box or (np.inf, np.inf, -np.inf, -np.inf)
    return (
        min(x0, *(line.x0 for line in lines)),
        min(y0, *(line.y0 for line in lines)),
        max(x1, *(line.x1 for line in lines)),
        max(y1, *(line.y1 for line in lines)),
    )


def _continued(held: list[Line], near: Sequence[Line], *, down: bool) -> list[Line]:
    """The rows that go on with the columns of an area beyond its last line, or stand above its first one."""
    columns = columns_of(held)
    if len(columns) < 2:
        return []
    rows = visual_rows(near)
    edge = max(line.y1 for line in held) if down else min(line.y0 for line in held)
    more: list[Line] = []
    waiting: list[Line] = []
    for row in rows if down else rows[::-1]:
        size = row.lines[0].size
        gap = min(line.y0 for line in row.lines) - edge if down else edge - row.bottom
        if gap > REACH * size or _is_item(row):
            break
        if len(row.lines) < 2 and _stands_in_one(row.lines[0], columns, first=down):
            waiting += row.lines  # the first line of a label, or one of a heading; what follows tells
            edge = row.bottom if down else min(line.y0 for line in row.lines)
            continue
        if len(row.lines) < 2:
            break
        fits = [sum(min(line.x1, c.x1) - max(line.x0, c.x0) > 0 for c in columns) for line in row.lines]
        if (down and max(fits) > 1) or sum(fit > 0 for fit in fits) < max(2, 0.6 * len(fits)):
            break
        more += [*waiting, *row.lines]
        waiting = []
        edge = row.bottom if down else min(line.y0 for line in row.lines)
    return more


def _stands_in_one(line: Line, columns: Sequence[Column], *, first: bool) -> bool:
    """Whether a piece stands in one column alone; with `first`, in the first."""
    over = [place for place, c in enumerate(columns) if min(line.x1, c.x1) - max(line.x0, c.x0) > 0]
    return over == [0] if first else len(over) == 1


# ------------------------------------------------------------------ rows alone


def _runs(lines: Sequence[Line]) -> list[list[Line]]:
    """Stretches of rows of which most have several pieces, one below the other without much room between."""
    rows = visual_rows([line for line in lines if not line.prose])
    runs: list[list[Row]] = []
    current: list[Row] = []
    for row in rows:
        firm = len(row.lines) > 1 and not _is_item(row)
        if current and row.lines[0].y0 - current[-1].bottom > 1.8 * row.lines[0].size:
            runs.append(current)
            current = []
        if firm or (current and sum(len(r.lines) > 1 for r in current[-MOST_LABELS:])):
            current.append(row)
        elif current:
            runs.append(current)
            current = []
    runs.append(current)
    found = []
    for run in _joined_runs([run for run in runs if run]):
        while run and len(run[-1].lines) < 2:
            run.pop()
        if len(run) >= 3:
            found.append([line for row in run for line in row.lines])
    return found


def _joined_runs(runs: list[list[Row]]) -> list[list[Row]]:
    """Stretches with room between them are one where their columns are the same: groups of rows."""
    joined: list[list[Row]] = []
    for run in runs:
        if (
            joined
            and run[0].lines[0].y0 - joined[-1][-1].bottom < GROUPS * run[0].lines[0].size
            and _same_columns(joined[-1], run)
        ):
            joined[-1] = [*joined[-1], *run]
        else:
            joined.append(run)
    return joined


def _same_columns(one: list[Row], other: list[Row]) -> bool:
    first, second = (
        [c for c in columns_of([line for row in rows for line in row.lines]) if len(c.rows) > len(rows) / 3]
        for rows in (one, other)
    )
    if len(first) != len(second) or len(first) < 2:
        return False
    return all(
        min(a.x1, b.x1) - max(a.x0, b.x0) > 0.4 * min(a.x1 - a.x0, b.x1 - b.x0)
        for a, b in zip(first, second, strict=True)
    )


def _is_contents(run: Sequence[Line]) -> bool:
    """Whether most rows lead by dots to a page number, and these go up: a table of contents."""
    rows = visual_rows(run)
    leaders = sum(any(LEADER.search(line.text.replace(" ", "")) for line in row.lines) for row in rows)
    last = [int(row.lines[-1].text) for row in rows if row.lines[-1].text.isdecimal() and len(row.lines[-1].text) < 5]
    upwards = sum(b >= a for a, b in pairwise(last)) >= 0.9 * max(len(last) - 1, 1)
    if leaders >= 0.5 * len(rows):
        return len(last) >= 0.6 * len(rows) and upwards
    pairs = sum(len(row.lines) == 2 and not row.lines[0].has_numbers_only for row in rows)
    return pairs == len(rows) == len(last) >= CONTENTS and upwards and last[-1] - last[0] > len(last)


def _is_equations(run: Sequence[Line]) -> bool:
    """Whether equations stand below each other, with their numbers at the right."""
    numbered = sum(EQUATION_NUMBER.fullmatch(row.lines[-1].text) is not None for row in visual_rows(run))
    formula = sum(line.formula * len(line.text) for line in run) / sum(len(line.text) for line in run)
    return formula > 0.35 or (formula > 0.1 and numbered > 0)


def _unruled(layout: Layout, run: list[Line], edges: Edges) -> FoundTable | None:
    """The table that rows of pieces make without any line, if they stand well below each other."""
    if _is_contents(run) or _is_equations(run):
        return None
    table = build(layout, _around(run), run, edges, "white")
    if table is None or not _is_table(table):
        return None
    if sum(TABLE_TAG in line.tags for line in run) > TOLD * len(run):
        return table
    if table.rows < FEWEST_ROWS:
        return None
    columns = columns_of(run)
    rows = visual_rows(run)
    beside = [line for row in rows for line in row.lines[1:]]
    numbers = sum(line.has_numbers_only for line in beside) / max(len(beside), 1)
    aligned = _aligned(run, columns)
    full = len(table.cells) / (table.rows * table.columns)
    if len(columns) == 2:
        return table if numbers >= 0.5 and aligned >= 0.6 else None
    return table if aligned >= ALIGNED and (full >= FULL or numbers >= 0.5) else None


def _aligned(lines: Sequence[Line], columns: Sequence[Column]) -> float:
    """How many pieces begin, end or have their middle where most of their column does."""
    good = whole = 0
    for column in columns:
        inside = [line for line in lines if line.x0 >= column.x0 - 1 and line.x1 <= column.x1 + 1]
        if len(inside) < 2:
            continue
        best = 0
        for places in (
            [line.x0 for line in inside],
            [line.x1 for line in inside],
            [(line.x0 + line.x1) / 2 for line in inside],
        ):
            middle = sorted(places)[len(places) // 2]
            best = max(best, sum(abs(place - middle) < 0.35 * inside[0].size for place in places))
        good += best
        whole += len(inside)
    return good / whole if whole else 0.0
