"""Step 4 of a PDF: from bare blocks to headings, paragraphs, lists, captions, notes and tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from sightline.extract.structure._joined import joined_tables
from sightline.extract.structure._kinds import Kind, document_of, kinds_of
from sightline.extract.structure._layout import Layout, Line, Sheet, layout_of
from sightline.extract.structure._levels import levels_of
from sightline.extract.structure._paragraphs import Paragraph, paragraphs_of
from sightline.extract.structure._part import Part
from sightline.extract.structure._pieces import part_of
from sightline.extract.structure._settings import StructureSettings
from sightline.extract.structure._tables import Cell, FoundTable, tables_of
from sightline.extract.structure._write import Writer
from sightline.page import DrawnRules, Page

__all__ = ["Part", "StructureTrace", "structured", "trace_structure"]

TAGS = {
    Kind.PLAIN: ("p", None),
    Kind.CAPTION: ("figcaption", None),
    Kind.NOTE: ("aside", {"role": "doc-footnote"}),
    Kind.FORMULA: ("div", {"role": "math"}),
    Kind.REFERENCE: ("div", {"role": "doc-biblioentry"}),
    Kind.FIGURE: ("figure", None),
}


@dataclass(frozen=True, eq=False)
class StructureTrace:
    """Every step: the lines, the tables of each sheet, and the parts in the order in which they are read."""

    layout: Layout
    tables: tuple[tuple[FoundTable, ...], ...]
    parts: tuple[tuple[Part, ...], ...]


def structured(page: Page, *, settings: StructureSettings | None = None) -> Page:
    """A PDF's bare page with its structure; any other page, also one that has its structure already, as it is."""
    if page.kind != "pdf" or not len(page.with_tag("span")):  # lines are spans on a bare page only
        return page
    trace = trace_structure(page, settings=settings)
    return _written(trace)


def trace_structure(page: Page, *, settings: StructureSettings | None = None) -> StructureTrace:
    """As `structured`, with every step instead of the page."""
    without = (settings or StructureSettings()).without
    layout = layout_of(page, tagged="tags" not in without)
    tables = [tuple(tables_of(layout, sheet, without)) for sheet in layout.sheets]
    document = document_of(layout)
    parts: list[list[Part]] = []
    cited = False
    for sheet, found in zip(layout.sheets, tables, strict=True):
        ordered = list(_in_order(layout, sheet, found))
        texts = [one for one in ordered if isinstance(one, Paragraph)]
        kinds, cited = kinds_of(document, sheet, texts, cited=cited)
        of = dict(zip(map(id, texts), kinds, strict=True))
        parts.append([_part(one, of) for one in ordered])
    levels = levels_of([part for each in parts for part in each if part.kind == Kind.HEADING])
    parts = [[replace(part, level=levels.get(id(part), 0)) for part in each] for each in parts]
    parts = [_with_captions(each) for each in parts]
    if "joining" not in without:
        parts = joined_tables(layout, parts)
    return StructureTrace(layout, tuple(tables), tuple(map(tuple, parts)))


def _part(one: "Paragraph | FoundTable | Part", kinds: dict[int, Kind]) -> Part:
    if isinstance(one, Part):
        return one
    if isinstance(one, Paragraph):
        return Part(kinds[id(one)], one.lines)
    return Part("table", one.lines, one)


def _in_order(layout: Layout, sheet: Sheet, tables: Sequence[FoundTable]) -> Iterator[Paragraph | FoundTable | Part]:
    """What stands on a sheet, in reading order; a table stands where its first line does."""
    holder = {word: table for table in tables for line in table.lines for word in line.words}
    written: set[int] = set()
    parts = [part for line in sheet.lines for part in _in_and_out(layout, line, holder)]
    for (table, _, running), group in groupby(parts, key=lambda part: (part[0], part[1].block, part[1].running)):
        lines = [line for _, line in group]
        if table is not None:
            if id(table) not in written:
                written.add(id(table))
                yield table
        elif running:
            yield _running(sheet, lines)
        else:
            yield from paragraphs_of(lines)


def _in_and_out(layout: Layout, line: Line, holder: dict[int, FoundTable]) -> Iterator[tuple[FoundTable | None, Line]]:
    """A line with the table that holds it; one that a table takes in part only is parted, so that no word is lost."""
    held = [holder.get(word) for word in line.words]
    if len(set(map(id, held))) == 1:
        yield held[0], line
        return
    for table, group in groupby(zip(held, line.words, strict=True), key=lambda pair: pair[0]):
        yield table, part_of(layout, line, [word for _, word in group])


def _running(sheet: Sheet, lines: list[Line]) -> Part:
    middle = (sheet.box[1] + sheet.box[3]) / 2
    return Part("header" if lines[0].y0 < middle else "footer", tuple(lines))


def _with_captions(parts: list[Part]) -> list[Part]:
    """Captions right above or below a table go into it."""
    found = list(parts)
    for place, part in enumerate(parts):
        if part.kind != "table":
            continue
        for near in (place - 1, place + 1):
            if 0 <= near < len(found) and found[near] is not None and found[near].kind == Kind.CAPTION:
                found[place] = replace(part, caption=found[near].lines)
                found[near] = Part("taken")
                break
    return [part for part in found if part.kind != "taken"]


# ------------------------------------------------------------------ writing


def _written(trace: StructureTrace) -> Page:
    page, layout = trace.layout.page, trace.layout
    writer = Writer(layout)
    builder = writer.builder
    plain = tuple(page.strings[value] for value in page.style[0].tolist())
    builder.open("html", style=plain)
    builder.open("body")
    for sheet, parts in zip(layout.sheets, trace.parts, strict=True):
        node = page.node(sheet.node)
        builder.open("section", dict(node.attributes), box=sheet.box)
        _sheet(writer, parts)
        for tag, boxes in (("img", sheet.images), ("svg", sheet.figures)):
            for box in boxes.tolist():
                builder.open(tag, box=box)
                builder.close()
        builder.close()
    builder.close()
    builder.close()
    colours = [builder.string_id(page.strings[value]) for value in page.rules.colour.tolist()]
    return builder.page(
        url=page.url,
        title=page.title,
        kind=page.kind,
        viewport=page.viewport,
        sheets=page.sheets,
        rules=DrawnRules(box=page.rules.box, colour=np.array(colours, dtype=np.int32)),
        screenshot=page.screenshot,
        notes=page.notes,
    )


def _sheet(writer: Writer, parts: Sequence[Part]) -> None:
    place = 0
    while place < len(parts):
        part = parts[place]
        if part.kind == Kind.ITEM:
            stop = place
            while stop < len(parts) and parts[stop].kind == Kind.ITEM:
                stop += 1
            writer.builder.open("ul")
            for item in parts[place:stop]:
                writer.element("li", item.lines)
            writer.builder.close()
            place = stop
            continue
        _one(writer, part)
        place += 1


def _one(writer: Writer, part: Part) -> None:
    if part.kind == Kind.HEADING:
        writer.element(f"h{part.level}", part.lines)
    elif part.table is not None:
        _table(writer, part)
    elif part.kind in ("header", "footer"):
        writer.element(part.kind, part.lines)
    else:
        tag, attributes = TAGS[Kind(part.kind)]
        writer.element(tag, part.lines, attributes)


def _table(writer: Writer, part: Part) -> None:
    table = part.table
    assert table is not None
    words = [word for cell in table.cells for word in cell.words]
    plain, line = writer.style("td", words), writer.style("tr", words)
    heights = _heights(writer.layout, table)
    rows: list[list[Cell]] = [[] for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row].append(cell)
    covered = {
        (cell.row + down, cell.column + right)
        for cell in table.cells
        for down in range(cell.rows)
        for right in range(cell.columns)
    }
    writer.builder.open("table", style=writer.style("table", words))
    if part.caption:
        writer.element("caption", part.caption)
    for row, cells in enumerate(rows):
        writer.builder.open("tr", style=line)
        at = {cell.column: cell for cell in cells}
        for column in range(table.columns):
            if column in at:
                _cell(writer, at[column], plain)
            elif (row, column) not in covered:
                writer.builder.open("td", box=_blank(table, heights[row], column), style=plain)
                writer.builder.close()
        writer.builder.close()
    writer.builder.close()


def _cell(writer: Writer, cell: Cell, plain: tuple[str, ...] | None) -> None:
    spans = {name: str(count) for name, count in (("rowspan", cell.rows), ("colspan", cell.columns)) if count > 1}
    style = writer.style("td", cell.words) or plain
    writer.builder.open("td", spans, style=style)
    writer.words(cell.words, style)
    writer.builder.close()


def _heights(layout: Layout, table: FoundTable) -> list[tuple[float, float]]:
    """From where to where each row reaches, by its words; a row without any of its own has that of the one above."""
    found: list[tuple[float, float]] = []
    for row in range(table.rows):
        words = [word for cell in table.cells if cell.row == row and cell.rows == 1 for word in cell.words]
        if words:
            boxes = [layout.word_box[word] for word in words]
            found.append((min(box[1] for box in boxes), max(box[3] for box in boxes)))
        else:
            found.append(found[-1] if found else (table.box[1], table.box[1] + 1))
    return found


def _blank(table: FoundTable, height: tuple[float, float], column: int) -> tuple[float, float, float, float]:
    """Where an empty cell is."""
    left = table.lefts[column]
    right = table.lefts[column + 1] if column + 1 < len(table.lefts) else table.box[2]
    return left, height[0], max(right, left + 1), height[1]
