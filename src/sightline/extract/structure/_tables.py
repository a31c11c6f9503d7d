"""Steps 2 to 7: the tables of a sheet.

    edges ──► lattices ──┐
    lines ──► pieces ────┼──► areas ──► borders ──► rows ──► cells ──► tables
              zones ─────┤
              white ─────┘

Three kinds of evidence propose areas, the firmest first: edges that meet (`_lattices`), edges of one width below each
other with rows of pieces between them (`_zones`), and such rows alone (`_white_runs`). Lines that a table has taken are
not seen by the next kind of evidence.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sightline.extract.structure._area_parts import part_of, parts_with_tables
from sightline.extract.structure._cells import TableArea, table_in_area
from sightline.extract.structure._header_rows import with_header_rows
from sightline.extract.structure._layout import Edges, Lattice, PrintedWords, SheetLines, edges_of, lattices_of
from sightline.extract.structure._pieces import (
    is_item,
    is_prose,
    pieces_of,
    with_running_text,
)
from sightline.extract.structure._printed_line import (
    FEWEST_LINES,
    FoundTable,
    LineRow,
    PrintedLine,
    hull_of,
    lines_in,
    lines_of,
    rows_of,
)
from sightline.extract.structure._table_measures import with_judgement
from sightline.extract.structure._white_runs import (
    RICH,
    PrintedColumn,
    columns_of,
    cut_at_rivers,
    parts_between,
    runs_of,
    titles_between,
)
from sightline.geometry import Box, around

MOST_IN_BAND = 5  # rows of headings that may be painted as one


@dataclass(frozen=True, eq=False)
class SheetTables:
    """Every step of the tables of a sheet: edges, lattices, pieces, the areas that were tried, and the tables."""

    edges: Edges
    lattices: tuple[Lattice, ...]
    pieces: tuple[PrintedLine, ...]
    areas: tuple[TableArea, ...]

    @property
    def tables(self) -> tuple[FoundTable, ...]:
        """The tables, from top to bottom."""
        found = [area.table for area in self.areas if area.table is not None]
        return tuple(sorted(found, key=lambda table: (table.box[1], table.box[0])))


def tables_of(words: PrintedWords, sheet: SheetLines, without: Collection[str] = ()) -> SheetTables:
    """The tables of a sheet with all steps; rules in `without` are left out."""
    edges = edges_of(sheet)
    lines = [line for line in sheet.lines if not line.running and not line.turned]
    lines = with_running_text(words, cut_at_rivers(words, lines) if "rivers" not in without else lines)
    pieces = pieces_of(words, lines, edges) if "pieces" not in without else lines
    search = _Search(words, sheet, edges, pieces, without)
    lattices = lattices_of(edges) if "lattices" not in without else []
    search.try_lattices(lattices)
    if "zones" not in without:
        search.try_zones()
    if "white" not in without:
        search.try_white()
    return SheetTables(edges, tuple(lattices), tuple(pieces), tuple(search.areas))


class _Search:
    """Tries areas one after the other, and keeps the lines that no table has taken."""

    def __init__(
        self,
        words: PrintedWords,
        sheet: SheetLines,
        edges: Edges,
        pieces: Sequence[PrintedLine],
        without: Collection[str],
    ) -> None:
        self.words, self.sheet, self.edges, self.without = words, sheet, edges, without
        self.free = list(pieces)
        self.areas: list[TableArea] = []
        self.charts: list[Box] = []

    def try_lattices(self, lattices: Sequence[Lattice]) -> None:
        """Edges that meet; those that aren't a table may draw a chart, whose labels aren't a table either."""
        for lattice in lattices:
            if self._is_band(lattice):
                continue
            if len(lattice.edges.across) > 1 or len(lattice.edges.down) > 1:
                area = TableArea("lattice", lattice.box, rows_of(lines_in(self.free, lattice.box)))
                if self._keep(self._with_table(area, lattice.edges)):
                    continue
            if len(lattice.edges.across) > 2:
                self.charts.append(lattice.box)

    def _is_band(self, lattice: Lattice) -> bool:
        """Whether a lattice is only painted behind headings: nothing parts its columns, and they go on below it."""
        if len(lattice.edges.down) > 2:
            return False
        inside = len(rows_of(lines_in(self.free, lattice.box)))
        return 0 < inside <= MOST_IN_BAND and len(rows_of_zone(self.free, lattice.box)) > 2 * inside

    def try_zones(self) -> None:
        """Edges of one width below each other."""
        taken = [*(area.table.box for area in self.areas if area.table is not None), *self.charts]
        for zone in zones_of(self.free, self.edges, taken):
            for part in parts_of_zone(self.free, zone, self.edges):
                rows = rows_of_zone(self.free, part)
                if rows:
                    area = TableArea("zone", around([part, hull_of(lines_of(rows))]), rows)
                    for table in self._in_parts(area):
                        self._keep(table)

    def try_white(self) -> None:
        """Rows of pieces alone."""
        labels = {line for box in self.charts for line in lines_in(self.free, box)}
        for rows in runs_of([line for line in self.free if line not in labels]):
            for area in self._in_parts(TableArea("white", hull_of(lines_of(rows)), rows)):
                self._keep(area)

    def _in_parts(self, area: TableArea) -> list[TableArea]:
        """The tables of an area; where titles part it and every part is a table, these parts."""
        titles = titles_between(area.rows) if "titles" not in self.without else []
        if titles:
            bounds = parts_between(len(area.rows), titles)
            parts = [self._with_table(part_of(area, start, stop)) for start, stop in bounds]
            if all(part.table is not None for part in parts):
                return parts
        if "parts" in self.without:
            return [self._with_table(area)]
        return parts_with_tables(self.words, self.sheet, self.edges, area)

    def _with_table(self, area: TableArea, edges: Edges | None = None) -> TableArea:
        edges = edges or self.edges
        return with_judgement(self.words, self.sheet, edges, table_in_area(self.words, area, edges))

    def _keep(self, area: TableArea) -> bool:
        """Note an area; whether it has a table, which then takes its lines."""
        if area.table is None:
            self.areas.append(area)
            return False
        table = with_header_rows(self.words, self.sheet, self.edges, area.table)
        self.areas.append(replace(area, table=table))
        taken = {word for line in area.table.lines for word in line.words}
        self.free = [line for line in self.free if line.words[0] not in taken]
        return True


# Step 6b: areas between lines of one width below each other, as tables in books have them.
#
# A line above, one below the headings and one at the end bound such a table; nothing parts its columns but white.

SHORTEST_RULE = 60.0  # CSS pixels: shorter lines underline words
# Measured: F1 is the same at 0.4, and even where no two lines have enough in common (1.6): on those documents the other
# evidence finds the same tables.
ONE_WIDTH = 0.8  # share of the longer of two lines that they must have in common to bound one table
HIT = 0.5  # share of a line that must lie in an area already taken to be part of it
HIT_SLACK = 3.0  # CSS pixels: how far beside that area the line may lie
FEW_ROWS = 6  # rows of text: no more may be one row of cells with several lines each
SEVERAL = 0.25  # share of the rows that have several pieces in a band with a table
IN_SEVERAL = 0.6  # share of the lines that stand in such rows
PROSE = 0.3  # share of the lines of a band that may be running text
ROOMY = 3.2  # of the size of the type, for each row: with so much room around it, text is a heading between two lines
LOST = 2  # columns that disappear when two parts of a zone are taken together, if these are two tables
CLASHING = 4  # columns that each part must have to be a table by itself
# Measured: F1 is the same from 0.75 to 3.
REACH = 1.5  # of the size of the type: rows that continue a table beyond its lines are no further apart
JUTS_OUT = 10.0  # CSS pixels: how far such rows may reach beyond the lines on both sides
FITTING = 0.6  # share of the pieces of such a row that stand below a column of the table


def zones_of(lines: Sequence[PrintedLine], edges: Edges, taken: Sequence[Box]) -> list[Box]:
    """The areas between lines of one width that have rows of several pieces; none that overlaps an area in `taken`."""
    across = [edge for edge in edges.across.tolist() if edge[2] - edge[1] >= SHORTEST_RULE]
    across = [edge for edge in across if not any(_hits(edge, box) for box in taken)]
    return [zone for family in _families(across) for zone in _in_family(lines, family)]


def _hits(edge: Sequence[float], box: Box) -> bool:
    y, x0, x1 = edge
    return box[1] - HIT_SLACK <= y <= box[3] + HIT_SLACK and min(x1, box[2]) - max(x0, box[0]) > HIT * (x1 - x0)


def _families(across: list[list[float]]) -> list[list[list[float]]]:
    """Lines of about one width and place, from top to bottom."""
    families: list[list[list[float]]] = []
    for edge in sorted(across):
        _, x0, x1 = edge
        for family in families:
            _, left, right = family[-1]
            if min(x1, right) - max(x0, left) >= ONE_WIDTH * max(x1 - x0, right - left):
                family.append(edge)
                break
        else:
            families.append([edge])
    return families


# ------------------------------------------------------------------ the bands between lines


def _in_family(lines: Sequence[PrintedLine], family: list[list[float]]) -> list[Box]:
    """The stretches of bands that hold rows of several pieces, or little; other bands part them."""
    zones: list[Box] = []
    run: list[tuple[Box, bool]] = []
    for (y, x0, x1), (next_y, left, right) in pairwise(family):
        box = (min(x0, left), y, max(x1, right), next_y)
        rows = rows_of(lines_in(lines, box))
        tabular = _is_tabular(rows)
        if tabular or _is_little(rows, next_y - y):
            run.append((box, tabular))
        else:
            zones += _zone(run)
            run = []
    return zones + _zone(run)


def _is_tabular(rows: Sequence[LineRow]) -> bool:
    """Whether most rows have several pieces, and few lines are running text."""
    count = sum(len(row.lines) for row in rows)
    if not count or _prose(rows) > PROSE * count:
        return False
    several = sum(len(row.lines) > 1 and not is_item(row) and not is_prose(row) for row in rows)
    if len(rows) <= FEW_ROWS and several and len(columns_of(rows)) > 1:
        return True
    inside = sum(len(row.lines) for row in rows if len(row.lines) > 1 and not is_item(row))
    return several >= max(1, SEVERAL * len(rows)) and inside >= IN_SEVERAL * count


def _is_little(rows: Sequence[LineRow], height: float) -> bool:
    """Whether a band holds nothing, or a few short lines that aren't a heading with room around it."""
    if not rows:
        return True
    count = sum(len(row.lines) for row in rows)
    roomy = len(rows) <= 2 and height > ROOMY * len(rows) * rows[0].lines[0].size
    return len(rows) <= FEW_ROWS and _prose(rows) <= PROSE * count and not roomy


def _prose(rows: Sequence[LineRow]) -> int:
    """How many lines stand in rows of running text."""
    return sum(len(row.lines) for row in rows if is_prose(row))


def _zone(run: list[tuple[Box, bool]]) -> list[Box]:
    """The area from the first band with rows of several pieces to the last."""
    firm = [place for place, (_, tabular) in enumerate(run) if tabular]
    if not firm:
        return []
    return [around([box for box, _ in run[firm[0] : firm[-1] + 1]])]


# ------------------------------------------------------------------ tables of one width below each other


def parts_of_zone(lines: Sequence[PrintedLine], zone: Box, edges: Edges) -> list[Box]:
    """A zone, cut at the lines below which other columns begin."""
    x0, y0, x1, y1 = zone
    whole = [
        y
        for y, left, right in edges.across.tolist()
        if y0 + 2 < y < y1 - 2 and min(right, x1) - max(left, x0) > ONE_WIDTH * (x1 - x0)
    ]
    parts: list[tuple[float, float, list[PrintedLine]]] = []
    for top, bottom in pairwise([y0, *whole, y1]):
        held = lines_in(lines, (x0, top, x1, bottom))
        if parts and not _clash(parts[-1][2], held):
            parts[-1] = (parts[-1][0], bottom, [*parts[-1][2], *held])
        else:
            parts.append((top, bottom, held))
    return [(x0, top, x1, bottom) for top, bottom, _ in parts]


def _clash(above: Sequence[PrintedLine], below: Sequence[PrintedLine]) -> bool:
    """Whether two parts have columns of their own, which disappear when both are taken together."""
    counts = [len(columns_of(rows_of(lines))) for lines in (above, below)]
    if min(counts) < CLASHING:
        return False
    return len(columns_of(rows_of([*above, *below]))) <= max(counts) - LOST


# ------------------------------------------------------------------ rows beyond the lines


def rows_of_zone(lines: Sequence[PrintedLine], zone: Box) -> list[LineRow]:
    """The rows of a zone, with those that continue its columns below its last line or above its first."""
    x0, y0, x1, y1 = zone
    held = lines_in(lines, zone)
    rows = rows_of(held)
    if len(held) < FEWEST_LINES:
        return rows
    near = [line for line in lines if line.x0 > x0 - JUTS_OUT and line.x1 < x1 + JUTS_OUT and not line.prose]
    below, above = [line for line in near if line.middle > y1], [line for line in near if line.middle < y0]
    for beyond, down in ((rows_of(below), True), (rows_of(above)[::-1], False)):
        more = _continuing(rows, beyond, down=down)
        if more:
            rows = rows_of([*lines_of(rows), *more])
    return rows


def _continuing(rows: Sequence[LineRow], beyond: Sequence[LineRow], *, down: bool) -> list[PrintedLine]:
    """The lines of the rows beyond a zone that continue its columns; the nearest row comes first."""
    columns = columns_of(_fullest(rows))
    if len(columns) < 2:
        return []
    edge = max(row.bottom for row in rows) if down else min(row.top for row in rows)
    found: list[PrintedLine] = []
    waiting: list[PrintedLine] = []
    for row in beyond:
        gap = row.top - edge if down else edge - row.bottom
        if gap > REACH * row.lines[0].size or is_item(row):
            break
        if len(row.lines) == 1 and _stands_in_one(row.lines[0], columns, first=down):
            waiting += row.lines  # the first line of a label or of a heading; the next row tells
        elif len(row.lines) > 1 and _fits(row, columns, down=down):
            found += [*waiting, *row.lines]
            waiting = []
            if any(not any(column.overlap(line) > 0 for column in columns) for line in row.lines):
                columns = columns_of(
                    _fullest([*rows, *rows_of(found)])
                )  # below an empty corner the first column begins here
        else:
            break
        edge = row.bottom if down else row.top
    return found


def _fullest(rows: Sequence[LineRow]) -> list[LineRow]:
    """The rows with nearly as many pieces as the fullest: headings over several columns have fewer."""
    most = max((len(row.lines) for row in rows), default=0)
    return [row for row in rows if len(row.lines) >= RICH * most]


def _fits(row: LineRow, columns: Sequence[PrintedColumn], *, down: bool) -> bool:
    """Whether most pieces of a row stand below columns; below a table, none may stand across two of them."""
    counts = [sum(column.overlap(line) > 0 for column in columns) for line in row.lines]
    if down and max(counts) > 1:
        return False
    return sum(count > 0 for count in counts) >= max(2, FITTING * len(counts))


def _stands_in_one(line: PrintedLine, columns: Sequence[PrintedColumn], *, first: bool) -> bool:
    """Whether a piece stands in one column alone; with `first`, in the first."""
    over = [place for place, column in enumerate(columns) if column.overlap(line) > 0]
    return over == [0] if first else len(over) == 1
