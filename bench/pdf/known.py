"""Documents of which it is known what tables they have, and how each row of text is told where it belongs.

Manuals tell it by themselves: where a package holds the PDF edition and the HTML edition of a manual, the texts of an
area stand in a table of data there, or outside of all tables. What stands in a table that lays out the page tells
nothing. Other documents have a truth: the regions of ICDAR's, the labels of docbank's words, the boxes of the tables of
`twins`, the texts of what was printed.
"""

import json
import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bench.frame import Options, folder_of
from bench.pdf.flowing import Flowing, flowing
from bench.pdf.icdar import WITHOUT_REGIONS, Cell, Document, Region, read_documents
from bench.pdf.labels import TABLE, read_words
from bench.pdf.ours import POINTS
from bench.pdf.printed import Printed, print_sheets
from bench.pdf.reports import Report, reports
from sightline.extract.structure._layout import SheetLines
from sightline.extract.structure._printed_line import LineRow, PrintedLine, lines_of

HERE = Path(__file__).parent
FURTHER = HERE / "further_areas.jsonl"

SLACK = 4.0  # CSS pixels: how far beside the box of a true table a line may have its middle
NEAR = 3.0, 5.0  # thousandths of a sheet: the same for words of docbank
MOST_SHEETS, MOST_BYTES = 120, 8_000_000  # of a manual
MOST_TABLES = 8  # that are looked at for one text
MOST_MARKUP, MOST_PAGE = 30_000_000, 6_000_000  # bytes of HTML: of a package, and of a page
LONGEST_CELL = 600  # characters; where a cell is longer, the table lays out a page
LEAST_ROW, LEAST_PIECE = 8, 6  # characters by which a row and a piece are looked for
LAID_OUT = "table table, pre, ul, ol, dl, form, img[width], hr"
NO_DATA = re.compile(
    r"menu|index|nav|member|cartouche|header|footer|toc|verbatim|note|tip|warning|caution|admon|important|"
    r"preformatted|equation|lilypond",
    re.IGNORECASE,
)
LEADER = re.compile("[._]{4,}")
LEFT_OUT = re.compile("[\\s\\-\u00ad\u2010-\u2015\u2212'\"\u2018-\u201f\u00b4`\u2022\u25cf\u00b7\u200b-\u200f\ufeff]")


Grid = Sequence[Sequence[str]]
"""The texts of the cells of each row of a true table; one over several rows is in all of them."""


@dataclass(frozen=True)
class KnownRows:
    """The true tables that each row of an area stands in, by their numbers; None where that is not known.

    Where not all tables of a sheet are known, a row in none of them may be one of a table all the same.
    """

    tables: Sequence[frozenset[int] | None]
    is_complete: bool = True


Told = Callable[[int, SheetLines, Sequence[LineRow]], KnownRows]
"""What is known of the rows of an area on a sheet (from 0)."""

Grids = Callable[[int, KnownRows], Sequence[Grid]]
"""The true tables that rows of a sheet (from 0) may be from, where their cells are known."""


@dataclass(frozen=True)
class KnownDocument:
    """A PDF, the set and the family that it is from, and what is known of its rows and of its tables."""

    path: Path
    source: str
    family: str
    told: Told
    grids: Grids
    most_sheets: int = 0
    rows_alone: frozenset[int] = frozenset()  # sheets (from 0) that teach which rows go on, but not what is a table


def no_grids(_number: int, _known: KnownRows) -> Sequence[Grid]:
    """Where no cells are known."""
    return ()


def grids_on(pages: Mapping[int, Sequence[Grid]]) -> Grids:
    """By the pages (from 1) that the tables stand on."""
    return lambda number, _known: pages.get(number + 1, ())


def grid_of(cells: Iterable[Cell]) -> Grid:
    """The texts of the cells of each row."""
    rows: dict[int, list[str]] = defaultdict(list)
    for cell in cells:
        if text := plain(cell.text):
            for row in range(cell.top, max(cell.top, cell.bottom) + 1):
                rows[row].append(text)
    return [rows[row] for row in sorted(rows)]


# ---------------------------------------------------------------- documents with a truth


def by_boxes(boxes: Mapping[int, Sequence[Region]], known: Iterable[int] | None = None) -> Told:
    """By the boxes of the true tables of each sheet (from 1); where sheets are `known`, all tables of these are."""
    complete = None if known is None else set(known)

    def told(number: int, sheet: SheetLines, rows: Sequence[LineRow]) -> KnownRows:
        x0, _, _, y1 = sheet.box
        true = [
            (x0 + box.x0 / POINTS, y1 - box.y1 / POINTS, x0 + box.x1 / POINTS, y1 - box.y0 / POINTS)
            for box in boxes.get(number + 1, ())
        ]
        tables = [
            frozenset(place for place, box in enumerate(true) if _mostly(row, partial(_is_in, box))) for row in rows
        ]
        return KnownRows(tables, complete is None or number + 1 in complete)

    return told


def _is_in(box: tuple[float, float, float, float], line: PrintedLine) -> bool:
    x0, y0, x1, y1 = box
    return x0 - SLACK <= line.centre <= x1 + SLACK and y0 - SLACK <= line.middle <= y1 + SLACK


def _mostly(row: LineRow, is_true: Callable[[PrintedLine], bool]) -> bool:
    """Whether most words of a row stand in lines of a kind."""
    return 2 * sum(len(line.words) for line in row.lines if is_true(line)) > sum(len(line.words) for line in row.lines)


def of_icdar(documents: Iterable[Document]) -> Iterator[KnownDocument]:
    """Documents of the competition: each is a family of its own."""
    for document in documents:
        boxes: dict[int, list[Region]] = defaultdict(list)
        for region in (region for truth in document.regions for region in truth):
            boxes[region.page].append(region)
        pages: dict[int, list[Grid]] = defaultdict(list)
        for table in (table for truth in document.structures for table in truth):
            for page in table.pages:
                pages[page].append(grid_of(table.cells))
        told = by_boxes(boxes) if document.name not in WITHOUT_REGIONS else by_boxes({}, known=())
        yield KnownDocument(document.path, "icdar", document.name, told, grids_on(pages))


def of_docbank(folder: Path) -> Iterator[KnownDocument]:
    """Sheets of papers, by the labels of their words."""
    for path in sorted(folder.glob("*.pdf")):
        words = [word.box for word in read_words(path.with_suffix(".txt")) if word.label == TABLE]
        yield KnownDocument(path, "docbank", "papers", _by_words(words), no_grids)


def _by_words(boxes: Sequence[tuple[float, float, float, float]]) -> Told:
    down, along = NEAR

    def told(number: int, sheet: SheetLines, rows: Sequence[LineRow]) -> KnownRows:
        if number:
            return KnownRows([None] * len(rows))
        x0, y0, x1, y1 = sheet.box
        wide, high = 1000 / (x1 - x0), 1000 / (y1 - y0)

        def is_true(line: PrintedLine) -> bool:
            middle, left, right = (line.middle - y0) * high, (line.x0 - x0) * wide, (line.x1 - x0) * wide
            return any(
                top - down <= middle <= bottom + down and left - along <= (start + stop) / 2 <= right + along
                for start, top, stop, bottom in boxes
            )

        return KnownRows([frozenset({0} if _mostly(row, is_true) else ()) for row in rows])

    return told


def of_twins(folder: Path) -> Iterator[KnownDocument]:
    """Manuals whose tables are known; on sheets where there may be more, the areas that were looked at by hand."""
    boxes: dict[str, dict[int, list[Region]]] = defaultdict(lambda: defaultdict(list))
    pages: dict[str, dict[int, list[Grid]]] = defaultdict(lambda: defaultdict(list))
    for table in map(json.loads, (folder / "truth.jsonl").read_text("utf-8").splitlines()):
        for sheet, box in table["bbox"].items():
            boxes[table["doc"]][int(sheet)].append(Region(int(sheet), *box))
            pages[table["doc"]][int(sheet)].append(grid_of(Cell(*cell) for cell in table["cells"]))
    looked_at: dict[str, dict[tuple[int, tuple[str, ...]], bool]] = defaultdict(dict)
    for line in map(json.loads, FURTHER.read_text("utf-8").splitlines()):
        looked_at[line["document"]][line["sheet"], tuple(line["begins"])] = line["table"]
    for document in map(json.loads, (folder / "documents.jsonl").read_text("utf-8").splitlines()):
        name = document["doc"]
        told = _looked_at(by_boxes(boxes[name], document["complete_pages"]), looked_at[name])
        yield KnownDocument(folder / document["file"], "twins", document["toolchain"], told, grids_on(pages[name]))


def _looked_at(told: Told, further: Mapping[tuple[int, tuple[str, ...]], bool]) -> Told:
    def both(number: int, sheet: SheetLines, rows: Sequence[LineRow]) -> KnownRows:
        known = told(number, sheet, rows)
        is_table = further.get((number + 1, tuple(line.text for line in lines_of(rows)[:3])))
        if known.is_complete or is_table is None or any(known.tables):
            return known
        return KnownRows([frozenset({0} if is_table else ())] * len(rows))

    return both


def of_printed(documents: Iterable[Printed]) -> Iterator[KnownDocument]:
    """What a browser printed, by the texts of the cells; each style is a family of its own."""
    for document in documents:
        tables: dict[int, list[Grid]] = defaultdict(list)
        for sheet, pages in zip(document.sheets, document.pages, strict=True):
            for page in pages:
                tables[page].append(grid_of(sheet.cells))
        yield KnownDocument(document.path, "printed", document.style, _by_texts(tables), grids_on(tables))


def of_reports(documents: Iterable[Report]) -> Iterator[KnownDocument]:
    """Reports that were set by a browser, by LibreOffice and by TeX; each style is a family of its own."""
    for document in documents:
        tables: dict[int, list[Grid]] = defaultdict(list)
        for layout, pages in zip(document.layouts, document.pages, strict=True):
            for page in pages:
                tables[page] += [grid_of(table.cells) for table in layout.tables]
        told, grids, forms = _by_texts(tables), grids_on(tables), _pages_of(document, "form")
        yield KnownDocument(document.path, "reports", document.style, told, grids, rows_alone=forms)


def _pages_of(document: Report, kind: str) -> frozenset[int]:
    """The pages (from 0) that show a kind of layout.

    Those of forms: trees that were grown with them lost a whole table of the competition and won none of the forms.
    """
    pairs = zip(document.layouts, document.pages, strict=True)
    return frozenset(page - 1 for layout, pages in pairs if layout.kind == kind for page in pages)


def of_flowing(documents: Iterable[Flowing]) -> Iterator[KnownDocument]:
    """Running text in columns: nothing there is a table."""
    for document in documents:
        yield KnownDocument(document.path, "flowing", document.style, by_boxes({}), no_grids)


def _by_texts(tables: Mapping[int, Sequence[Grid]]) -> Told:
    texts = {page: ["".join(text for row in grid for text in row) for grid in grids] for page, grids in tables.items()}

    def told(number: int, _sheet: SheetLines, rows: Sequence[LineRow]) -> KnownRows:
        here = texts.get(number + 1, ())
        return KnownRows(
            [
                frozenset(place for place, text in enumerate(here) if _mostly(row, partial(_is_among, text)))
                for row in rows
            ]
        )

    return told


def _is_among(texts: str, line: PrintedLine) -> bool:
    return plain(line.text) in texts


# ---------------------------------------------------------------- manuals in two editions


@dataclass(frozen=True)
class Edition:
    """The HTML edition of a package's manuals: the texts of tables of data, of other tables, and of all the rest."""

    grids: Sequence[Grid]
    tables: str
    starts: Sequence[int]  # where each table begins in their text
    others: str
    rest: str


def plain(text: str) -> str:
    """What both editions share of a text: no white space, hyphens, quotes, bullets or leaders.

    >>> plain("a ﬁne - “Day” . . . . 12")
    'afineDay12'
    """
    return LEADER.sub("", LEFT_OUT.sub("", unicodedata.normalize("NFKC", text)))


def edition_of(folder: Path) -> Edition:
    """The texts of all HTML files of a package, up to a bound."""
    grids: list[Grid] = []
    others: list[str] = []
    rest: list[str] = []
    read = 0
    for path in sorted(path for path in folder.rglob("*.htm*") if path.is_file() and not path.is_symlink()):
        size = path.stat().st_size
        if size > MOST_PAGE or read + size > MOST_MARKUP:
            continue
        read += size
        tree = LexborHTMLParser(decoded(path.read_bytes()))
        if tree.body is None:
            continue
        for node in tree.css("script, style"):
            node.decompose()
        for table in tree.css("table"):
            grid = _grid(table)
            if _is_data(table, grid):
                grids.append(grid)
            else:
                others.append(_text_of(grid))
        for table in tree.css("table"):
            table.decompose()
        rest.append(plain(tree.body.text()))
    tables = [_text_of(grid) for grid in grids]
    starts = [0, *accumulate(len(text) + 1 for text in tables)]
    return Edition(grids, "\n".join(tables), starts, "\n".join(others), "\n".join(rest))


def decoded(content: bytes) -> str:
    """The text of a file in UTF-8, or else in Latin-1."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _is_data(table: LexborNode, grid: Grid) -> bool:
    """Whether a table holds data: rows of several cells, none of them a part of a page."""
    about = f"{table.attributes.get('class') or ''} {table.attributes.get('summary') or ''}"
    if table.css_first(LAID_OUT) or NO_DATA.search(about) or table.attributes.get("role") == "presentation":
        return False
    several = sum(sum(map(bool, row)) > 1 for row in grid)
    return several > 1 and max(len(text) for row in grid for text in row) <= LONGEST_CELL


def _grid(table: LexborNode) -> Grid:
    return [[plain(cell.text()) for cell in row.css("td, th")] for row in table.css("tr")]


def _text_of(grid: Grid) -> str:
    return "".join(text for row in grid for text in row)


def by_edition(edition: Edition) -> Told:
    """By where the rows and the pieces of an area stand in the other edition."""

    def told(_number: int, _sheet: SheetLines, rows: Sequence[LineRow]) -> KnownRows:
        return KnownRows([_tables_of_row(edition, row) for row in rows])

    return told


def _tables_of_row(edition: Edition, row: LineRow) -> frozenset[int] | None:
    """The tables of an edition that hold a row, or else its pieces; none where the rest of the text does."""
    whole = _row_text(row)
    if len(whole) >= LEAST_ROW and (found := _tables_with(edition, whole)) is not None:
        return found
    pieces = [text for line in row.lines if len(text := plain(line.text)) >= LEAST_PIECE]
    told = [found for text in pieces if (found := _tables_with(edition, text)) is not None]
    if 2 * len(told) <= len(row.lines):
        return None
    in_tables = [found for found in told if found]
    return frozenset[int]().union(*in_tables) if 2 * len(in_tables) > len(told) else frozenset()


def _tables_with(edition: Edition, text: str) -> frozenset[int] | None:
    """The tables with a text, none if it stands outside of all tables; None if it stands in both, or nowhere."""
    in_rest = text in edition.rest
    if text in edition.others:
        return None
    found: set[int] = set()
    place = edition.tables.find(text)
    while place >= 0 and len(found) < MOST_TABLES:
        found.add(bisect_right(edition.starts, place) - 1)
        place = edition.tables.find(text, place + 1)
    return None if bool(found) == in_rest else frozenset(found)


def _row_text(row: LineRow) -> str:
    return "".join(plain(line.text) for line in row.lines)


def of_manuals(folder: Path) -> Iterator[KnownDocument]:
    """The manuals of a package, each once."""
    edition = edition_of(folder)
    told = by_edition(edition)
    seen: set[tuple[str, int]] = set()

    def grids(_number: int, known: KnownRows) -> Sequence[Grid]:
        numbers = frozenset[int]().union(*(tables for tables in known.tables if tables))
        return [edition.grids[number] for number in sorted(numbers)]

    for path in sorted(path for path in folder.rglob("*.pdf") if path.is_file()):
        key = path.name, path.stat().st_size
        if key not in seen and key[1] <= MOST_BYTES:
            seen.add(key)
            yield KnownDocument(path, "manuals", folder.name, told, grids, MOST_SHEETS)


def known_documents(options: Options) -> Iterator[KnownDocument]:
    """The documents of all sets, but for the manuals."""
    pdf, pdf2 = folder_of("pdf", options), folder_of("pdf2", options)
    yield from of_icdar([*read_documents(pdf / "icdar2013"), *read_documents(pdf2 / "icdar2013")])
    yield from of_docbank(pdf / "docbank")
    yield from of_twins(folder_of("twins", options))
    tables = folder_of("tables", options) / "truth.jsonl"
    yield from of_printed(print_sheets(tables, None))
    yield from of_reports(reports(tables))
    yield from of_flowing(flowing(folder_of("content", options) / "truth.jsonl"))
