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

from sightline.extract.structure._columns import cut_at_rivers
from sightline.extract.structure._edges import Edges, Lattice, edges_of, lattices_of
from sightline.extract.structure._header_rows import with_header_rows
from sightline.extract.structure._layout import PrintedWords, SheetLines
from sightline.extract.structure._pieces import pieces_of
from sightline.extract.structure._printed_line import FoundTable, PrintedLine, hull_of, lines_in, lines_of, rows_of
from sightline.extract.structure._running_text import is_contents, is_equations, is_prose_in_columns, with_running_text
from sightline.extract.structure._table_in_area import TableArea, table_in_area
from sightline.extract.structure._white_runs import is_white_table, parts_between, runs_of, titles_between
from sightline.extract.structure._zones import parts_of_zone, rows_of_zone, zones_of
from sightline.geometry import Box

__all__ = ["SheetTables", "tables_of"]

# Share of the area of a table without upright lines: where a figure covers more, the texts are its labels. Set by hand.
COVERED = 0.15


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
        self.figures: list[list[float]] = sheet.figures.tolist()
        self.free = list(pieces)
        self.areas: list[TableArea] = []
        self.charts: list[Box] = []

    def try_lattices(self, lattices: Sequence[Lattice]) -> None:
        """Edges that meet; those that are no table may draw a chart, whose labels are no table either."""
        for lattice in lattices:
            if self._is_band(lattice):
                continue
            if len(lattice.edges.across) > 1 or len(lattice.edges.down) > 1:
                area = TableArea("lattice", lattice.box, rows_of(lines_in(self.free, lattice.box)))
                if self._keep(table_in_area(self.words, area, lattice.edges)):
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
                    area = TableArea("zone", _hull([part, hull_of(lines_of(rows))]), rows)
                    for table in self._in_parts(area):
                        self._keep(self._unless_figure(table))

    def try_white(self) -> None:
        """Rows of pieces alone."""
        labels = {line for box in self.charts for line in lines_in(self.free, box)}
        for rows in runs_of([line for line in self.free if line not in labels]):
            if is_contents(rows) or is_equations(rows):
                continue
            for area in self._in_parts(TableArea("white", hull_of(lines_of(rows)), rows)):
                self._keep(self._unless_figure(area))

    def _in_parts(self, area: TableArea) -> list[TableArea]:
        """An area with its table; where titles part it and every part is a table, the parts with theirs."""
        titles = titles_between(area.rows) if "titles" not in self.without else []
        if titles:
            bounds = parts_between(len(area.rows), titles)
            parts = [self._with_table(_part_of(area, start, stop)) for start, stop in bounds]
            if all(part.table is not None for part in parts):
                return parts
        return [self._with_table(area)]

    def _with_table(self, area: TableArea) -> TableArea:
        found = table_in_area(self.words, area, self.edges)
        if area.kind == "white" and found.table is not None and not is_white_table(found.table, area.rows):
            return replace(found, table=None)
        return found

    def _keep(self, area: TableArea) -> bool:
        """Note an area; whether it has a table, which then takes its lines."""
        if area.table is None or is_prose_in_columns(self.words, area.table, self.edges):
            self.areas.append(replace(area, table=None))
            return False
        table = with_header_rows(self.words, self.sheet, self.edges, area.table)
        self.areas.append(replace(area, table=table))
        taken = {word for line in area.table.lines for word in line.words}
        self.free = [line for line in self.free if line.words[0] not in taken]
        return True

    def _unless_figure(self, area: TableArea) -> TableArea:
        """An area without its table, where a figure is drawn over much of it: the texts are its labels."""
        if area.table is not None and any(_covers(box, area.table.box) for box in self.figures):
            return replace(area, table=None)
        return area


def _part_of(area: TableArea, start: int, stop: int) -> TableArea:
    """Some rows of an area as one, up to the rows above and below them."""
    x0, y0, x1, y1 = area.box
    top = y0 if start == 0 else area.rows[start - 1].bottom
    bottom = y1 if stop == len(area.rows) else area.rows[stop].top
    return TableArea(area.kind, (x0, top, x1, bottom), area.rows[start:stop])


def _covers(figure: Sequence[float], box: Box) -> bool:
    x0, y0, x1, y1 = box
    left, top, right, bottom = figure
    shared = max(min(x1, right) - max(x0, left), 0) * max(min(y1, bottom) - max(y0, top), 0)
    return shared > COVERED * (x1 - x0) * (y1 - y0)


def _hull(boxes: Sequence[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)
