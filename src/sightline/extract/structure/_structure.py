"""All steps in order: from a printed document to a page with headings, paragraphs, lists, captions, notes and tables.

1      the document as lines (`_layout`)
2–7    the tables of each sheet (`_tables`)
8      the paragraphs between them (`_reading_order`, `_paragraphs`)
9–11   what each paragraph is (`_block_kinds`, `_footnotes`, `_references`)
12     the levels of headings (`_heading_levels`)
13     captions, and tables that continue on the next sheet (`_sheet_parts`, `_continued_tables`)
14     the page (`_written_page`)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sightline.data import TraceStep
from sightline.extract.structure._block_kinds import TextNorms, kinds_of, norms_of
from sightline.extract.structure._edges import Edges
from sightline.extract.structure._footnotes import with_footnotes, with_references
from sightline.extract.structure._layout import Layout, SheetLines, layout_of
from sightline.extract.structure._paragraphs import Paragraph
from sightline.extract.structure._printed_line import FoundTable, hull_of
from sightline.extract.structure._settings import StructureSettings
from sightline.extract.structure._sheet_parts import (
    SheetPart,
    in_reading_order,
    join_continued,
    with_captions,
    with_levels,
)
from sightline.extract.structure._table_in_area import TableArea
from sightline.extract.structure._tables import SheetTables, tables_of
from sightline.extract.structure._written_page import written_page
from sightline.geometry import Box
from sightline.page import Page, Printed, bare_page

__all__ = ["StructureTrace", "structured", "trace_structure"]


@dataclass(frozen=True, eq=False)
class StructureTrace:
    """Every step: the lines, the table steps of each sheet, the size of the text, and the parts in reading order."""

    layout: Layout
    sheets: tuple[SheetTables, ...]
    norms: TextNorms
    parts: tuple[tuple[SheetPart, ...], ...]

    @cached_property
    def found(self) -> Page:
        """The page with its structure."""
        return written_page(self.layout, self.parts)

    def steps(self) -> tuple[TraceStep, ...]:
        """Edges and pieces, the areas that were tried, the columns and rows of tables, and the parts of each sheet."""
        numbered = list(enumerate(self.sheets, start=1))
        areas = tuple(
            {"sheet": sheet, "kind": area.kind, "table": area.table is not None, "box": area.box}
            for sheet, found in numbered
            for area in found.areas
        )
        tables = tuple(
            {"sheet": sheet, "kind": table.kind, "rows": table.rows, "columns": table.columns, "box": table.box}
            for sheet, found in enumerate(self.tables, start=1)
            for table in found
        )
        parts = tuple(
            {"sheet": sheet, "kind": str(part.kind), "lines": len(part.lines), "box": _box_of(part)}
            for sheet, found in enumerate(self.parts, start=1)
            for part in found
        )
        edges = tuple(box for _, found in numbered for box in _drawn_edges(found.edges))
        pieces = tuple(hull_of([piece]) for _, found in numbered for piece in found.pieces)
        grids = tuple(box for _, found in numbered for area in found.areas for box in _lanes_of(area))
        return (
            TraceStep("edges", "drawn lines, and the sides of filled areas", boxes=edges),
            TraceStep("pieces", "lines of text, cut where wide gaps are", boxes=pieces),
            TraceStep("areas", "where lines or rows of pieces may be a table", areas, _own_boxes(areas)),
            TraceStep("rows and columns", "the borders of rows and columns in each area", boxes=grids),
            TraceStep(
                "tables", "the tables of each sheet, before those that continue are joined", tables, _own_boxes(tables)
            ),
            TraceStep("parts", "what each part of a sheet is, in reading order", parts, _own_boxes(parts)),
        )

    @property
    def tables(self) -> tuple[tuple[FoundTable, ...], ...]:
        """The tables of each sheet, before those that continue are joined."""
        return tuple(sheet.tables for sheet in self.sheets)


def _box_of(part: SheetPart) -> Box | None:
    if part.table is not None:
        return part.table.box
    return hull_of(part.lines) if part.lines else None


def _own_boxes(rows: Sequence[Mapping[str, Any]]) -> tuple[Box, ...]:
    return tuple(row["box"] for row in rows if row["box"])


def _drawn_edges(edges: Edges) -> list[Box]:
    """Edges as boxes without a width."""
    across = [(x0, y, x1, y) for y, x0, x1 in edges.across.tolist()]
    return across + [(x, y0, x, y1) for x, y0, y1 in edges.down.tolist()]


def _lanes_of(area: TableArea) -> list[Box]:
    """The borders of rows and columns of an area, as boxes without a width."""
    if area.grid is None:
        return []
    x0, y0, x1, y1 = area.box
    return [(x, y0, x, y1) for x in area.grid.xs] + [(x0, y, x1, y) for y in area.grid.ys]


def structured(source: Page | Printed, *, settings: StructureSettings | None = None) -> Page:
    """A printed document, or the bare page of one, as a page with its structure; any other page comes back as it is."""
    if isinstance(source, Printed):
        return trace_structure(source, settings=settings).found if source.lines.node else bare_page(source)
    if source.kind != "pdf" or not len(source.with_tag("span")):  # only bare pages have lines as spans
        return source
    return trace_structure(source, settings=settings).found


def trace_structure(source: Page | Printed, *, settings: StructureSettings | None = None) -> StructureTrace:
    """As `structured`, with every step."""
    without = (settings or StructureSettings()).without
    layout = layout_of(source, tagged="tags" not in without)
    sheets = tuple(tables_of(layout.words, sheet, without) for sheet in layout.sheets)
    norms = norms_of(layout)
    parts = with_levels(_parts(layout, sheets, norms))
    parts = [with_captions(each) for each in parts]
    if "joining" not in without:
        parts = join_continued(layout.words, parts)
    return StructureTrace(layout, sheets, norms, tuple(map(tuple, parts)))


def _parts(layout: Layout, tables: Sequence[SheetTables], norms: TextNorms) -> list[list[SheetPart]]:
    """The parts of each sheet, every paragraph with its kind."""
    found = []
    listed = False
    for sheet, held in zip(layout.sheets, tables, strict=True):
        ordered = list(in_reading_order(layout.words, sheet, held.tables))
        parts, listed = _with_kinds(norms, sheet, ordered, listed=listed)
        found.append(parts)
    return found


def _with_kinds(
    norms: TextNorms, sheet: SheetLines, ordered: Sequence[Paragraph | SheetPart], *, listed: bool
) -> tuple[list[SheetPart], bool]:
    """The parts of a sheet from its paragraphs and its other parts; whether a list of references continues."""
    paragraphs = [one for one in ordered if isinstance(one, Paragraph)]
    kinds = with_footnotes(norms, sheet, paragraphs, kinds_of(norms, sheet, paragraphs))
    kinds, listed = with_references(paragraphs, kinds, listed=listed)
    kind = iter(kinds)
    return [SheetPart(next(kind), one.lines) if isinstance(one, Paragraph) else one for one in ordered], listed
