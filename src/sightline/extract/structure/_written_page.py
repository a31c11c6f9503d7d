"""Step 14: write the parts of all sheets as a page of elements."""

from collections.abc import Sequence
from itertools import groupby

from sightline.extract.structure._block_kinds import BlockKind
from sightline.extract.structure._found_table import FoundTable, PrintedCell
from sightline.extract.structure._layout import Layout, PrintedWords
from sightline.extract.structure._leaders import leader_of
from sightline.extract.structure._sheet_parts import SheetPart
from sightline.extract.structure._writer import StructuredPageWriter
from sightline.geometry import Box
from sightline.page import Page, PrintedSheet

__all__ = ["written_page"]

ELEMENTS: dict[BlockKind, tuple[str, dict[str, str] | None]] = {
    BlockKind.PLAIN: ("p", None),
    BlockKind.CAPTION: ("figcaption", None),
    BlockKind.NOTE: ("aside", {"role": "doc-footnote"}),
    BlockKind.FORMULA: ("div", {"role": "math"}),
    BlockKind.REFERENCE: ("div", {"role": "doc-biblioentry"}),
    BlockKind.FIGURE: ("figure", None),
    BlockKind.HEADER: ("header", None),
    BlockKind.FOOTER: ("footer", None),
}


def written_page(layout: Layout, parts: Sequence[Sequence[SheetPart]]) -> Page:
    """The page of a document, its words in elements that say what they are."""
    printed = layout.printed
    writer = StructuredPageWriter(layout)
    builder = writer.builder
    builder.open("html", style=printed.styles[0])
    builder.open("body")
    for sheet, held in zip(printed.sheets, parts, strict=True):
        builder.open("section", sheet.attributes, box=sheet.box)
        _write_parts(writer, held)
        _write_pictures(writer, sheet)
        builder.close()
    builder.close()
    builder.close()
    return printed.finished(builder)


def _write_pictures(writer: StructuredPageWriter, sheet: PrintedSheet) -> None:
    for tag, boxes in (("img", sheet.images), ("svg", sheet.figures)):
        for box in boxes.tolist():
            writer.builder.open(tag, box=box)
            writer.builder.close()


def _write_parts(writer: StructuredPageWriter, parts: Sequence[SheetPart]) -> None:
    """The parts of a sheet; items that follow each other are one list."""
    for is_item, group in groupby(parts, key=lambda part: part.kind is BlockKind.ITEM):
        if is_item:
            writer.builder.open("ul")
            for item in group:
                writer.element("li", item.lines)
            writer.builder.close()
        else:
            for part in group:
                _write_part(writer, part)


def _write_part(writer: StructuredPageWriter, part: SheetPart) -> None:
    if part.table is not None:
        _write_table(writer, part, part.table)
    elif part.kind is BlockKind.HEADING:
        writer.element(f"h{part.level}", part.lines)
    else:
        tag, attributes = ELEMENTS[part.kind]
        writer.element(tag, part.lines, attributes)


# ------------------------------------------------------------------ tables


def _write_table(writer: StructuredPageWriter, part: SheetPart, table: FoundTable) -> None:
    words = [word for cell in table.cells for word in cell.words]
    cell_style, row_style = writer.style("td", words), writer.style("tr", words)
    heights = _heights(writer.words, table)
    covered = _covered(table)
    rows: list[dict[int, PrintedCell]] = [{} for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = cell
    writer.builder.open("table", style=writer.style("table", words))
    if part.caption:
        writer.element("caption", part.caption)
    for row, cells in enumerate(rows):
        tag = "th" if row < table.header_rows else "td"
        writer.builder.open("tr", style=row_style)
        last = max((column for column, cell in cells.items() if cell.words), default=-1)
        for column in range(table.columns):
            if column in cells:
                _write_cell(writer, tag, cells[column], cell_style, leads=column < last)
            elif (row, column) not in covered:
                writer.builder.open(tag, box=_empty_box(table, heights[row], column), style=cell_style)
                writer.builder.close()
        writer.builder.close()
    writer.builder.close()


def _covered(table: FoundTable) -> set[tuple[int, int]]:
    """The places of a table that some cell covers."""
    return {
        (row, column)
        for cell in table.cells
        for row in range(cell.row, cell.row + cell.rows)
        for column in range(cell.column, cell.column + cell.columns)
    }


def _write_cell(
    writer: StructuredPageWriter, tag: str, cell: PrintedCell, plain: tuple[str, ...] | None, *, leads: bool
) -> None:
    """A cell without the dots that lead from it to its row, which are kept as an attribute."""
    attributes = {}
    if cell.rows > 1:
        attributes["rowspan"] = str(cell.rows)
    if cell.columns > 1:
        attributes["colspan"] = str(cell.columns)
    texts = [writer.words.text[word] for word in cell.words]
    dots, tail = leader_of(texts, leads=leads)
    held = cell.words[: len(cell.words) - dots]
    if dots or tail:
        last = texts[len(held) - 1]
        attributes["data-leader"] = " ".join([*([last[len(last) - tail :]] if tail else []), *texts[len(held) :]])
    style = writer.style(tag, held) or plain
    writer.builder.open(tag, attributes, style=style)
    writer.write_words(held, style, without=tail)
    writer.builder.close()


def _heights(words: PrintedWords, table: FoundTable) -> list[tuple[float, float]]:
    """The upper and lower end of each row, by the words of its cells; without any, those of the row above."""
    held: list[list[int]] = [[] for _ in range(table.rows)]
    for cell in table.cells:
        if cell.rows == 1:
            held[cell.row] += cell.words
    found: list[tuple[float, float]] = []
    for row in held:
        if row:
            found.append((min(words.box[word][1] for word in row), max(words.box[word][3] for word in row)))
        else:
            found.append(found[-1] if found else (table.box[1], table.box[1] + 1))
    return found


def _empty_box(table: FoundTable, height: tuple[float, float], column: int) -> Box:
    """The box of an empty cell."""
    left = table.lefts[column]
    right = table.lefts[column + 1] if column + 1 < len(table.lefts) else table.box[2]
    return left, height[0], max(right, left + 1), height[1]
