"""All steps in order: from a printed document to a page with headings, paragraphs, lists, captions, notes and tables.

1      the document as lines (`_layout`)
2–7    the tables of each sheet (`_tables`)
8      the paragraphs between them (`_reading_order`, `_paragraphs`)
9–11   what each paragraph is (`_block_kinds`, `_footnotes`, `_references`)
12     the levels of headings (`_heading_levels`)
13     captions, and tables that continue on the next sheet (`_sheet_parts`, `_continued_tables`)
14     the page (`_written_page`)
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sightline.data import TraceStep
from sightline.extract.structure._cells import TableArea
from sightline.extract.structure._layout import Edges, Layout, SheetLines, layout_of
from sightline.extract.structure._paragraphs import SMALLER, BlockKind, Paragraph, TextNorms, kinds_of, norms_of
from sightline.extract.structure._printed_line import FoundTable, hull_of
from sightline.extract.structure._sheet_parts import (
    SheetPart,
    in_reading_order,
    join_continued,
    with_captions,
    with_levels,
)
from sightline.extract.structure._tables import SheetTables, tables_of
from sightline.extract.structure._written_page import written_page
from sightline.geometry import Box
from sightline.page import Page, Printed, bare_page
from sightline.settings import Settings, check_rules, setting

# The settings of structure recognition.

RULES = {
    "tags": "the tag tree of a tagged PDF is a witness for headings, items, captions, notes and tables",
    "lattices": "lines that meet draw the cells of a table",
    "zones": "lines of one width below each other bound a table",
    "white": "rows of pieces that are aligned below each other are a table without any line",
    "rivers": "lines are cut where white runs down through several rows",
    "titles": "a title with headings below it parts two tables",
    "parts": "tables begin and end where rows are farther apart, or where a line stands alone",
    "pieces": "lines are cut after leaders, between numbers and at upright lines, and signs join their numbers",
    "joining": "a table that continues on the next sheet is joined to the one before it",
}


@dataclass(frozen=True, kw_only=True)
class StructureSettings(Settings):
    """The rules that find the structure of a PDF; `without` leaves some out, to see what each is worth.

    >>> StructureSettings(without=("tags",)).without
    ('tags',)
    """

    without: tuple[str, ...] = setting((), help="the rules of structure that are left out", hidden=True)

    def __post_init__(self) -> None:
        """Reject names that are not in `RULES`."""
        super().__post_init__()
        check_rules(self.without, RULES)


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
            {
                "sheet": sheet,
                "kind": area.kind,
                "table": area.table is not None,
                "likely": area.likely,
                "box": area.box,
            }
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


# Step 10: footnotes, small texts at the foot of a sheet.

LOWER_PART = 0.45  # of the height of a sheet: notes begin below
NOTE = re.compile(r"\s*(?:\d{1,3}|[*†‡§¶]{1,3}|[a-z]|\(\d{1,3}\))(?=[\s)A-Z“\"])")
SHORTEST_RULE, THICKEST_RULE = 40.0, 4.0  # CSS pixels, of the line that parts notes from the text
RULE_ABOVE, RULE_OVERLAP = 1.5, 3.0  # of the size of the type and CSS pixels: how far above a note that line is drawn
RULE_BESIDE = 3.0  # of the size of the type: how far from the left of a note that line may begin


def with_footnotes(
    norms: TextNorms, sheet: SheetLines, paragraphs: Sequence[Paragraph], kinds: Sequence[BlockKind]
) -> list[BlockKind]:
    """The kinds, with small texts that begin with a mark or stand below a line, and have only notes below, as notes."""
    x0, top, x1, bottom = sheet.box
    found = list(kinds)
    text_below: set[int] = set()  # the halves of the sheet that already have text of the usual size below
    for place in sorted(range(len(paragraphs)), key=lambda place: -paragraphs[place].y1):
        paragraph = paragraphs[place]
        half = round((paragraph.x0 - x0) / max((x1 - x0) / 2, 1))
        small = paragraph.size < SMALLER * norms.size
        low = paragraph.y0 > top + LOWER_PART * (bottom - top)
        able = found[place] in (BlockKind.PLAIN, BlockKind.ITEM, BlockKind.HEADING)
        if half not in text_below and small and low and able:
            if _is_marked(norms, paragraph) or _is_below_rule(sheet, paragraph):
                found[place] = BlockKind.NOTE
        elif found[place] is BlockKind.PLAIN and not small:
            text_below.add(half)
    return found


def _is_marked(norms: TextNorms, paragraph: Paragraph) -> bool:
    return paragraph.lines[0].number in norms.raised or NOTE.match(paragraph.text) is not None


def _is_below_rule(sheet: SheetLines, paragraph: Paragraph) -> bool:
    """Whether a short line is drawn right above a paragraph."""
    box, size = sheet.rules, paragraph.size
    if not len(box):
        return False
    near = (box[:, 3] <= paragraph.y0 + RULE_OVERLAP) & (box[:, 3] > paragraph.y0 - RULE_ABOVE * size)
    near &= abs(box[:, 0] - paragraph.x0) < RULE_BESIDE * size
    line = (box[:, 2] - box[:, 0] > SHORTEST_RULE) & (box[:, 3] - box[:, 1] < THICKEST_RULE)
    return bool((near & line).any())


# Step 11: references, by the heading above them or by looking like citations.

FEWEST = 3  # references on a sheet, or close together, that make a list of them
MOSTLY = 0.5  # share of the text of a sheet: if references are more, the paragraphs between them are references too
BESIDE = 2  # paragraphs before and after that are looked at
LONGEST = 10  # lines
FEWEST_SIGNS = 4  # of a citation: see `_looks_cited`
EARLY = 160  # characters in which the year of an author-year citation stands
BIBLIOGRAPHY = re.compile(
    r"(?:\d+\.?\s+)?(?:references|bibliography|literatur(?:verzeichnis)?|works cited|r[ée]f[ée]rences)[.:]?",
    re.IGNORECASE,
)
YEAR = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b")
CITED = re.compile(
    r"\[[A-Za-z]{0,4}\+?\d{1,4}\]|\d{1,3}\.\s|[A-Z][\w'’-]+,\s+(?:[A-Z]\.[\s-]?)+|(?:[A-Z]\.[\s~-]?){1,3}\s?[A-Z][\w'’-]+[,\s]"
)
CITATION = re.compile(
    r"\b(?:arXiv|Phys|Physics|Rev|Review|Lett|Letters|Proc|Proceedings|Journal|Math|Trans|Transactions|Conf|Conference|"
    r"Workshop|Symposium|Advances|Springer|Press|University|pp|pages|vol|volume|no|doi|IEEE|ACM|Astro|preprint|thesis|"
    r"Report|Nature|Science|et al|eds?)\b[.:]?",
    re.IGNORECASE,
)


def with_references(
    paragraphs: Sequence[Paragraph], kinds: Sequence[BlockKind], *, listed: bool
) -> tuple[list[BlockKind], bool]:
    """The kinds with references, and whether a list of them continues on the next sheet.

    `listed` says whether such a list continues from the sheet before.
    """
    able = [kind in (BlockKind.PLAIN, BlockKind.ITEM, BlockKind.NOTE) for kind in kinds]
    cited = [can and _looks_cited(paragraph) for can, paragraph in zip(able, paragraphs, strict=True)]
    places = [place for place, is_cited in enumerate(cited) if is_cited]
    mostly = len(places) >= FEWEST and _length(paragraphs, cited) > MOSTLY * _length(paragraphs, able)
    around = range(places[0] - 1, places[-1] + 2) if mostly else range(0)
    found = list(kinds)
    for place, paragraph in enumerate(paragraphs):
        if found[place] is BlockKind.HEADING:
            listed = BIBLIOGRAPHY.fullmatch(paragraph.text.strip()) is not None
        elif able[place] and (listed or place in around or (cited[place] and _has_company(cited, place))):
            found[place] = BlockKind.REFERENCE
    return found, listed or (mostly and any(cited[-2:]))


def _length(paragraphs: Sequence[Paragraph], chosen: Sequence[bool]) -> int:
    """The characters of the chosen paragraphs."""
    return sum(len(paragraph.text) for paragraph, is_chosen in zip(paragraphs, chosen, strict=True) if is_chosen)


def _has_company(cited: Sequence[bool], place: int) -> bool:
    """Whether the paragraphs around one look like citations as well."""
    return sum(cited[max(place - BESIDE, 0) : place + BESIDE + 1]) >= FEWEST


def _looks_cited(paragraph: Paragraph) -> bool:
    """Whether a paragraph is built like a reference: a mark or names first, a year, words for journals and books."""
    text = paragraph.text
    if len(paragraph.lines) > LONGEST or not YEAR.search(text):
        return False
    signs = 2 * bool(CITED.match(text)) + min(len(CITATION.findall(text)), 3)
    signs += (text.count(",") > 2) + (text[:1].isupper() and YEAR.search(text[:EARLY]) is not None)
    return signs >= FEWEST_SIGNS
