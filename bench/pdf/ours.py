"""PDFs as we read them, by public calls alone: the tables of a document, and the words of a sheet with their labels."""

import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import sightline as sl
from bench.pages import naming
from bench.pdf.icdar import Cell, Found, Region
from bench.pdf.labels import CAPTION, HEADING, LIST, OTHER, PARAGRAPH, TABLE, Word
from bench.processes import processor_seconds
from sightline.data import Table
from sightline.errors import SightlineError
from sightline.geometry import around
from sightline.page import Page

POINTS = 0.75  # in a CSS pixel
LABEL_OF = {
    **{f"h{level}": HEADING for level in range(1, 7)},
    "li": LIST,
    "table": TABLE,
    "caption": CAPTION,
    "figcaption": CAPTION,
    "p": PARAGRAPH,
    **dict.fromkeys(("address", "aside", "figure", "footer", "header", "math", "nav"), OTHER),
}

Box = tuple[float, float, float, float]
ROUNDS = 3


@dataclass(frozen=True)
class Said:
    """A word of a page with its node and its box, in CSS pixels."""

    text: str
    node: int
    box: Box


@dataclass(frozen=True)
class Timing:
    """The processor time of a sheet in milliseconds, by all sheets that were read: opening alone, and with tables."""

    opening: float
    whole: float
    sheets: int


def opened(path: Path) -> Page:
    """The page of a document; what is raised that is no error of ours names it."""
    with naming(path.name):
        page: Page = sl.open(str(path))
    return page


def read_tables(path: Path) -> list[Found]:
    """The tables of a document: everything that is timed, from the file on."""
    page = opened(path)
    return tables_of(page, sl.tables(page))


def tables_of(page: Page, tables: Iterable[Table]) -> list[Found]:
    """Tables as they are scored: one that goes on over several sheets is one table, with a region on each."""
    return [_found(page, table) for table in tables]


def _found(page: Page, table: Table) -> Found:
    cells = tuple(
        Cell(cell.row, cell.row + cell.row_span - 1, cell.column, cell.column + cell.column_span - 1, cell.text)
        for cell in table.anchors
    )
    regions = tuple(_regions(page, table))
    pages = frozenset(region.page for region in regions) or frozenset({table.sheet + 1})
    return Found(cells, pages, regions, table.header_rows)


def _regions(page: Page, table: Table) -> Iterator[Region]:
    """The box of the table where it stands on one sheet, else the box around its cells on each of them."""
    boxes: dict[int, list[Box]] = {}
    for cell in table.anchors:
        if cell.text and cell.origin is not None and cell.origin.box is not None:
            boxes.setdefault(_sheet(page, cell.origin.box), []).append(cell.origin.box)
    if table.box is not None and len(boxes) < 2:
        boxes = {_sheet(page, table.box): [table.box]}
    for sheet, several in sorted(boxes.items()):
        yield _in_points(page, sheet, around(several))


def _sheet(page: Page, box: Box) -> int:
    """The sheet that the middle of a box stands on, from 0."""
    middle = (box[1] + box[3]) / 2
    return int(np.clip(np.searchsorted(page.sheets[:, 1], middle, side="right") - 1, 0, len(page.sheets) - 1))


def _in_points(page: Page, sheet: int, box: Box) -> Region:
    x0, _, _, y1 = map(float, page.sheets[sheet])
    left, top, right, bottom = map(float, box)
    return Region(sheet + 1, (left - x0) * POINTS, (y1 - bottom) * POINTS, (right - x0) * POINTS, (y1 - top) * POINTS)


def said(page: Page) -> list[Said]:
    """The words of a page, in its order."""
    words = page.words
    rows = zip(words.node.tolist(), words.start.tolist(), words.end.tolist(), words.box.tolist(), strict=True)
    return [Said(page.strings[page.text[node]][start:end], node, tuple(box)) for node, start, end, box in rows]


def labelled(page: Page) -> list[Word]:
    """The words of the first sheet with their labels, their boxes in thousandths of the sheet."""
    x0, y0, x1, y1 = map(float, page.sheets[0])
    words = said(page)
    labels = {node: label_of(page, node) for node in {word.node for word in words}}
    found = []
    for word in words:
        left, top, right, bottom = word.box
        box = (
            1000 * (left - x0) / (x1 - x0),
            1000 * (top - y0) / (y1 - y0),
            1000 * (right - x0) / (x1 - x0),
            1000 * (bottom - y0) / (y1 - y0),
        )
        found.append(Word(word.text, box, labels[word.node]))
    return found


def label_of(page: Page, node: int) -> str:
    """What the nearest element around a node that says it says it is; what is in none of these is something else."""
    while node >= 0:
        label = LABEL_OF.get(page.strings[page.tag[node]])
        if label is not None:
            return label
        node = int(page.parent[node])
    return OTHER


# ---------------------------------------------------------------- what reading costs


def timed(files: Sequence[Path]) -> Timing | None:
    """The median of some rounds over all files; None where none can be read."""
    readable = [path for path in files if _sheets(path)]  # the first look warms everything up
    if not readable:
        return None
    sheets = sum(_sheets(path) for path in readable)
    opening = statistics.median(_seconds(readable, with_tables=False) for _ in range(ROUNDS))
    whole = statistics.median(_seconds(readable, with_tables=True) for _ in range(ROUNDS))
    return Timing(1000 * opening / sheets, 1000 * whole / sheets, sheets)


def _sheets(path: Path) -> int:
    """How many sheets a document has; 0 where it cannot be read."""
    try:
        page = opened(path)
    except SightlineError:
        return 0
    sl.tables(page)
    return len(page.sheets)


def _seconds(files: Sequence[Path], *, with_tables: bool) -> float:
    """The time of one round; each page is a new one, so that nothing is remembered from the last."""
    began = processor_seconds()
    for path in files:
        page = opened(path)
        if with_tables:
            sl.tables(page)
    return processor_seconds() - began
