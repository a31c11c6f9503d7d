"""Areas of PDFs that may be tables, and what is known of them: the samples that the trees of tables are grown from.

Manuals tell it by themselves: where a package holds the PDF edition and the HTML edition of a manual, the texts of an
area stand in a table of data there, or outside of all tables. What stands in a table that lays out the page tells
nothing. Other documents have a truth: the regions of ICDAR's, the labels of docbank's words, the boxes of the tables of
`twins`, the texts of what was printed.
"""

import json
import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from pathlib import Path
from unittest.mock import patch

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bench.frame import Options, folder_of
from bench.pdf.flowing import Flowing, flowing
from bench.pdf.icdar import WITHOUT_REGIONS, Document, Region, read_documents
from bench.pdf.labels import TABLE, read_words
from bench.pdf.ours import POINTS
from bench.pdf.printed import Printed, print_sheets
from bench.pdf.reports import Report, reports
from sightline.errors import SightlineError
from sightline.extract.structure import _tables
from sightline.extract.structure._area_parts import best_of, part_of, stretches_of
from sightline.extract.structure._cells import TableArea, table_in_area
from sightline.extract.structure._layout import Edges, PrintedWords, SheetLines, layout_of
from sightline.extract.structure._printed_line import LineRow, PrintedLine, lines_of
from sightline.extract.structure._table_measures import area_measures
from sightline.sources.pdf import PdfLimits, PdfSettings
from sightline.sources.pdf._open import read_printed

HERE = Path(__file__).parent
FURTHER = HERE / "further_areas.jsonl"

HALF = 0.5  # of what an area and a table have in common, from which on the area is taken for the table
KNOWN = 0.6  # share of the words of an area of which it must be known what they are
SLACK = 4.0  # CSS pixels: how far beside the box of a true table a line may have its middle
NEAR = 3.0, 5.0  # thousandths of a sheet: the same for words of docbank
MOST_SHEETS, MOST_BYTES = 120, 8_000_000  # of a manual
MOST_ALIKE = 24  # areas of a manual with one answer
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
LEFT_OUT = re.compile("[\\s\\-\u00ad\u2010-\u2015\u2212'\"\u2018-\u201f\u00b4`\u2022\u25cf\u00b7\u200b-\u200f\ufeff]")


@dataclass(frozen=True)
class KnownRows:
    """The true tables that each row of an area stands in, by their numbers; None where that is not known.

    Where not all tables of a sheet are known, a row in none of them may be one of a table all the same.
    """

    tables: Sequence[frozenset[int] | None]
    is_complete: bool = True


LEADER = re.compile("[._]{4,}")

Told = Callable[[int, SheetLines, Sequence[LineRow]], KnownRows]
"""What is known of the rows of an area on a sheet (from 0)."""


@dataclass(frozen=True)
class AreaSample:
    """An area: where it comes from, what is measured of it, and how much of it and of a true table are the same."""

    source: str
    family: str
    document: str
    measures: tuple[float, ...]
    shared: float
    is_whole: bool  # not a part of another area

    @property
    def is_table(self) -> bool:
        """Whether it is a table rather than not."""
        return self.shared >= HALF


def samples_of(path: Path, source: str, family: str, told: Told, *, most_sheets: int = 0) -> list[AreaSample]:
    """The areas of a document of which it is known what they are; areas that are no table keep no line."""
    found: list[AreaSample] = []
    settings = PdfSettings(sheets=f"1-{most_sheets}" if most_sheets else "")
    layout = layout_of(read_printed(path.name, path.read_bytes(), settings=settings, limits=PdfLimits()))
    for number, sheet in enumerate(layout.sheets):
        recorder = _Recorder(found, (source, family, path.stem), number, told)
        with (
            patch.object(_tables, "with_judgement", recorder.judged),
            patch.object(_tables, "parts_with_tables", recorder.parted),
        ):
            _tables.tables_of(layout.words, sheet)
    return found


@dataclass(frozen=True)
class _Recorder:
    """What takes the place of the judge: the truth decides, and where there is none, lines drawn do."""

    found: list[AreaSample]
    names: tuple[str, str, str]
    sheet_number: int
    told: Told

    def judged(self, words: PrintedWords, sheet: SheetLines, edges: Edges, area: TableArea) -> TableArea:
        """An area that is not parted."""
        if area.table is None:
            return area
        shared = shared_with(self.told(self.sheet_number, sheet, area.rows), area.rows, 0, len(area.rows))
        self._note(words, sheet, edges, area, shared)
        return area if (area.kind != "white" if shared is None else shared >= HALF) else replace(area, table=None)

    def parted(self, words: PrintedWords, sheet: SheetLines, edges: Edges, area: TableArea) -> list[TableArea]:
        """The parts of an area that have the most in common with true tables."""
        known = self.told(self.sheet_number, sheet, area.rows)
        parts: dict[tuple[int, int], TableArea] = {}
        worth: dict[tuple[int, int], float] = {}
        for bounds in stretches_of(area.rows):
            part = table_in_area(words, part_of(area, *bounds), edges)
            shared = shared_with(known, area.rows, *bounds)
            is_whole = bounds == (0, len(area.rows))
            if shared is None and is_whole and area.kind != "white":
                shared = HALF  # lines are drawn, so that it may be one
            elif part.table is not None:
                self._note(words, sheet, edges, part, shared, is_whole=is_whole)
            parts[bounds] = part
            has_table = part.table is not None and shared is not None and shared >= HALF
            worth[bounds] = len(lines_of(part.rows)) * (shared or 0.0) if has_table else 0.0
        chosen = [parts[bounds] for bounds in best_of(worth)]
        return chosen or [replace(parts[0, len(area.rows)], table=None)]

    def _note(
        self,
        words: PrintedWords,
        sheet: SheetLines,
        edges: Edges,
        area: TableArea,
        shared: float | None,
        *,
        is_whole: bool = True,
    ) -> None:
        if shared is not None:
            measures = tuple(area_measures(words, sheet, edges, area))
            self.found.append(AreaSample(*self.names, measures, shared, is_whole))


def shared_with(known: KnownRows, rows: Sequence[LineRow], start: int, stop: int) -> float | None:
    """How much some rows of an area and a true table have in common, of all that is in either; None if unknown.

    Of the table only what stands in the area counts.
    """
    weights = [sum(len(line.words) for line in row.lines) for row in rows]
    pairs = list(zip(weights, known.tables, strict=True))
    inside = pairs[start:stop]
    told = sum(weight for weight, tables in inside if tables is not None)
    if told < KNOWN * sum(weight for weight, _ in inside):
        return None
    numbers = frozenset[int]().union(*(tables for _, tables in inside if tables is not None))
    if not numbers:
        return 0.0 if known.is_complete else None
    return max(
        _common(inside, number) / (told + _common(pairs, number) - _common(inside, number)) for number in numbers
    )


def _common(pairs: Iterable[tuple[int, frozenset[int] | None]], number: int) -> int:
    return sum(weight for weight, tables in pairs if tables is not None and number in tables)


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


def of_icdar(documents: Iterable[Document]) -> Iterator[AreaSample]:
    """Documents of the competition: each is a family of its own."""
    for document in documents:
        if document.name not in WITHOUT_REGIONS:
            boxes: dict[int, list[Region]] = defaultdict(list)
            for region in (region for truth in document.regions for region in truth):
                boxes[region.page].append(region)
            yield from samples_of(document.path, "icdar", document.name, by_boxes(boxes))


def of_docbank(folder: Path) -> Iterator[AreaSample]:
    """Sheets of papers, by the labels of their words."""
    for path in sorted(folder.glob("*.pdf")):
        words = [word.box for word in read_words(path.with_suffix(".txt")) if word.label == TABLE]
        yield from samples_of(path, "docbank", "papers", _by_words(words))


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


def of_twins(folder: Path) -> Iterator[AreaSample]:
    """Manuals whose tables are known; on sheets where there may be more, the areas that were looked at by hand."""
    boxes: dict[str, dict[int, list[Region]]] = defaultdict(lambda: defaultdict(list))
    for table in map(json.loads, (folder / "truth.jsonl").read_text("utf-8").splitlines()):
        for sheet, box in table["bbox"].items():
            boxes[table["doc"]][int(sheet)].append(Region(int(sheet), *box))
    looked_at: dict[str, dict[tuple[int, tuple[str, ...]], bool]] = defaultdict(dict)
    for line in map(json.loads, FURTHER.read_text("utf-8").splitlines()):
        looked_at[line["document"]][line["sheet"], tuple(line["begins"])] = line["table"]
    for document in map(json.loads, (folder / "documents.jsonl").read_text("utf-8").splitlines()):
        name = document["doc"]
        told = _looked_at(by_boxes(boxes[name], document["complete_pages"]), looked_at[name])
        yield from samples_of(folder / document["file"], "twins", document["toolchain"], told)


def _looked_at(told: Told, further: Mapping[tuple[int, tuple[str, ...]], bool]) -> Told:
    def both(number: int, sheet: SheetLines, rows: Sequence[LineRow]) -> KnownRows:
        known = told(number, sheet, rows)
        is_table = further.get((number + 1, tuple(line.text for line in lines_of(rows)[:3])))
        if known.is_complete or is_table is None or any(known.tables):
            return known
        return KnownRows([frozenset({0} if is_table else ())] * len(rows))

    return both


def of_printed(documents: Iterable[Printed]) -> Iterator[AreaSample]:
    """What a browser printed, by the texts of the cells; each style is a family of its own."""
    for document in documents:
        texts: dict[int, list[str]] = defaultdict(list)
        for sheet, pages in zip(document.sheets, document.pages, strict=True):
            for page in pages:
                texts[page].append("".join(plain(cell.text) for cell in sheet.cells))
        yield from samples_of(document.path, "printed", document.style, _by_texts(texts))


def of_reports(documents: Iterable[Report]) -> Iterator[AreaSample]:
    """Reports that were set by a browser, by LibreOffice and by TeX; each style is a family of its own."""
    for document in documents:
        texts: dict[int, list[str]] = defaultdict(list)
        for layout, pages in zip(document.layouts, document.pages, strict=True):
            for page in pages:
                texts[page] += ["".join(plain(cell.text) for cell in table.cells) for table in layout.tables]
        yield from samples_of(document.path, "reports", document.style, _by_texts(texts))


def _by_texts(texts: Mapping[int, Sequence[str]]) -> Told:
    def told(number: int, _sheet: SheetLines, rows: Sequence[LineRow]) -> KnownRows:
        here = texts.get(number + 1, ())
        return KnownRows(
            [
                frozenset(place for place, text in enumerate(here) if _mostly(row, partial(_is_among, text)))
                for row in rows
            ]
        )

    return told


def of_flowing(documents: Iterable[Flowing]) -> Iterator[AreaSample]:
    """Running text in columns: nothing there is a table."""
    for document in documents:
        yield from samples_of(document.path, "flowing", document.style, by_boxes({}))


def _is_among(texts: str, line: PrintedLine) -> bool:
    return plain(line.text) in texts


# ---------------------------------------------------------------- manuals in two editions


@dataclass(frozen=True)
class Edition:
    """The HTML edition of a package's manuals: the texts of tables of data, of other tables, and of all the rest."""

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
    tables: list[str] = []
    others: list[str] = []
    rest: list[str] = []
    read = 0
    for path in sorted(path for path in folder.rglob("*.htm*") if path.is_file() and not path.is_symlink()):
        size = path.stat().st_size
        if size > MOST_PAGE or read + size > MOST_MARKUP:
            continue
        read += size
        tree = LexborHTMLParser(_decoded(path.read_bytes()))
        if tree.body is None:
            continue
        for node in tree.css("script, style"):
            node.decompose()
        for table in tree.css("table"):
            (tables if _is_data(table) else others).append(_text_of(table))
        for table in tree.css("table"):
            table.decompose()
        rest.append(plain(tree.body.text()))
    starts = [0, *accumulate(len(text) + 1 for text in tables)]
    return Edition("\n".join(tables), starts, "\n".join(others), "\n".join(rest))


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _is_data(table: LexborNode) -> bool:
    """Whether a table holds data: rows of several cells, none of them a part of a page."""
    about = f"{table.attributes.get('class') or ''} {table.attributes.get('summary') or ''}"
    if table.css_first(LAID_OUT) or NO_DATA.search(about) or table.attributes.get("role") == "presentation":
        return False
    rows = [[plain(cell.text()) for cell in row.css("td, th")] for row in table.css("tr")]
    several = sum(sum(map(bool, row)) > 1 for row in rows)
    return several > 1 and max(len(text) for row in rows for text in row) <= LONGEST_CELL


def _text_of(table: LexborNode) -> str:
    return "".join(plain(cell.text()) for row in table.css("tr") for cell in row.css("td, th"))


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
        found.add(bisect_right(edition.starts, place))
        place = edition.tables.find(text, place + 1)
    return None if bool(found) == in_rest else frozenset(found)


def _row_text(row: LineRow) -> str:
    return "".join(plain(line.text) for line in row.lines)


def of_manuals(folder: Path) -> list[AreaSample]:
    """The areas of all manuals of a package, a few of each with either answer."""
    edition = edition_of(folder)
    found: list[AreaSample] = []
    known: set[tuple[str, int]] = set()
    for path in sorted(path for path in folder.rglob("*.pdf") if path.is_file()):
        key = path.name, path.stat().st_size
        if key in known or key[1] > MOST_BYTES:
            continue
        known.add(key)
        try:
            several = samples_of(path, "manuals", folder.name, by_edition(edition), most_sheets=MOST_SHEETS)
        except SightlineError:  # a few packages hold files that are damaged
            continue
        counts: Counter[bool] = Counter()
        for one in several:
            counts[one.is_table] += 1
            if counts[one.is_table] <= MOST_ALIKE:
                found.append(one)
    return found


def known_areas(options: Options) -> Iterator[AreaSample]:
    """The areas of all sets, but for the manuals."""
    pdf, pdf2 = folder_of("pdf", options), folder_of("pdf2", options)
    yield from of_icdar([*read_documents(pdf / "icdar2013"), *read_documents(pdf2 / "icdar2013")])
    yield from of_docbank(pdf / "docbank")
    yield from of_twins(folder_of("twins", options))
    tables = folder_of("tables", options) / "truth.jsonl"
    yield from of_printed(print_sheets(tables, None))
    yield from of_reports(reports(tables))
    yield from of_flowing(flowing(folder_of("content", options) / "truth.jsonl"))
