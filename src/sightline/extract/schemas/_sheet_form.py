"""A PDF as a form: what stands beside or below its label, tables with headings, and all else in paragraphs.

Documents of one template share their labels, wherever these stand on the sheet and whatever blocks the page has made of
them. So the sheet is written anew, as a page of entries, each a label with its value: the rows of a table of labels and
values, a line with a colon, a label and what is right of it or below it. Tables keep their headings and rows; sums
below the rows are entries, too. What follows learns from this page as from any other.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sightline.extract.schemas._outline import RECORD
from sightline.extract.schemas._sheet_entries import JOINED, Entry, entries_of
from sightline.extract.schemas._sheet_labels import SheetLabels, texts_of
from sightline.extract.schemas._sheet_lines import HEADINGS, SheetPiece, SheetRow, is_next_line, read_lines
from sightline.extract.schemas._sheet_tables import FormTable, tables_and_pieces
from sightline.page import Builder, Page

AFTER = "0after-"  # what a paragraph is after; with a digit before letters, no field is named by it
ENTRY, LABEL, VALUE, PARAGRAPH, CONSTANT = "div", "label", "span", "p", "h6"
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, eq=False)
class SheetForm:
    """A PDF written anew: the page, and for each of its nodes that of the PDF whose words it has, or that is around."""

    page: Page
    nodes: tuple[int, ...]


def form_of(page: Page, known: SheetLabels) -> SheetForm:
    """A PDF written anew as entries, tables and paragraphs, from top to bottom."""
    sheet = read_lines(page)
    tables, loose = tables_and_pieces(sheet, known)
    said = [piece for piece in sheet.furniture if _says_known(piece, known)]
    entries = _continued(entries_of([*sheet.blocks, *said, *loose], known), tables)
    writer = _Writer(page)
    parts: list[Entry | FormTable] = [*entries, *tables]
    anchor = ""
    for part in sorted(parts, key=lambda part: (part.box[1], part.box[0])):
        if isinstance(part, FormTable):
            writer.table(part)
            anchor = "table"
        else:
            writer.entry(part, known, anchor)
            anchor = _anchor_of(part, known) or anchor
    return writer.form()


def _says_known(piece: SheetPiece, known: SheetLabels) -> bool:
    """Whether what recurs on sheets has something of the template in it, unlike the number of the sheet.

    On a document of one sheet, nothing recurs, and the same words are a block.
    """
    return any(map(known.is_known, piece.each_line())) or known.label_words(piece) > 0


def _continued(entries: Sequence[Entry], tables: Sequence[FormTable]) -> list[Entry]:
    """What is left when the lines that go on below a cell have been added to it; tables may have been parted there."""
    cells = sorted(
        ((cell.last[1], row, column) for table in tables for row in table.rows for column, cell in row.cells.items()),
        key=lambda one: one[0],
    )
    tops = [top for top, _, _ in cells]
    left = []
    for entry in entries:
        piece = entry.value
        if entry.label is None and piece is not None and piece.tag not in HEADINGS:
            near = slice(bisect_left(tops, piece.first[1] - 2 * JOINED * piece.size), bisect_left(tops, piece.first[1]))
            found = next((one for one in cells[near] if _goes_on_in(one[1], one[2], piece)), None)
            if found is not None:
                _, row, column = found
                row.cells[column] = row.cells[column].joined(piece)
                continue
        left.append(entry)
    return left


def _goes_on_in(row: SheetRow, column: int, piece: SheetPiece) -> bool:
    """Whether a piece is the next line of a cell: not of the first column, whose cells begin rows."""
    return column > 0 and len(row.cells) > 1 and is_next_line(row.cells[column], piece, JOINED)


def _anchor_of(entry: Entry, known: SheetLabels) -> str:
    """What all documents say here, in small letters: by this the next paragraphs are told from others."""
    piece = entry.label or entry.value
    assert piece is not None
    text = next(texts_of(piece))
    return "-".join(_LETTERS.findall(text)) if text in known.lines else ""


class _Writer:
    """Writes pieces into elements, and keeps which nodes of the page they were."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._builder = Builder()
        self._numbers: list[int] = []
        self._open("html", 0)
        self._open("body", 0)

    def entry(self, entry: Entry, known: SheetLabels, anchor: str) -> None:
        """A label with its value; one of both is a block by itself, a paragraph with the `anchor` above it."""
        if entry.label is not None and entry.value is not None:
            self._within(ENTRY, entry.label, lambda: self._pair(entry))
        elif entry.label is not None:
            self.block(CONSTANT, entry.label)
        elif entry.value is not None:
            if known.is_constant(entry.value):
                self.block(CONSTANT, entry.value)
            else:
                self.block(PARAGRAPH, entry.value, {"class": f"{AFTER}{anchor}"} if anchor else None)

    def _pair(self, entry: Entry) -> None:
        assert entry.label is not None and entry.value is not None
        self.block(LABEL, entry.label)
        self.block(VALUE, entry.value)

    def table(self, table: FormTable) -> None:
        """A heading and the rows below it, a cell for each column."""
        first = table.head or table.rows[0]
        self._within("table", next(iter(first.cells.values())), lambda: self._rows(table))

    def _rows(self, table: FormTable) -> None:
        if table.head is not None:
            self._row(table.head, table.columns, "th")
        for row in table.rows:
            self._row(row, table.columns, "td")

    def _row(self, row: SheetRow, columns: int, tag: str) -> None:
        near, attributes = next(iter(row.cells.values())), {"class": RECORD} if tag == "td" else None
        self._within("tr", near, lambda: self._cells(row, columns, tag, attributes), attributes)

    def _cells(self, row: SheetRow, columns: int, tag: str, attributes: Mapping[str, str] | None) -> None:
        near = next(iter(row.cells.values()))
        for column in range(columns):
            if column in row.cells:
                self.block(tag, row.cells[column], attributes)
            else:
                self._within(tag, near, lambda: None, attributes)

    def block(self, tag: str, piece: SheetPiece, attributes: Mapping[str, str] | None = None) -> None:
        """An element with the words of a piece."""
        self._within(tag, piece, lambda: self._text(piece), attributes)

    def form(self) -> SheetForm:
        """What was written."""
        self._builder.close()
        self._builder.close()
        page = self._page
        facts = {"kind": page.kind, "url": page.url, "title": page.title, "sheets": page.sheets}
        return SheetForm(self._builder.page(**facts, viewport=page.viewport), tuple(self._numbers))

    def _open(self, tag: str, number: int, attributes: Mapping[str, str] | None = None) -> None:
        self._builder.open(tag, attributes)
        self._numbers.append(number)

    def _within(
        self, tag: str, piece: SheetPiece, write: Callable[[], None], attributes: Mapping[str, str] | None = None
    ) -> None:
        """An element around what is written; it is that around the first word."""
        words = piece.words
        self._open(tag, int(self._page.parent[words.node[piece.numbers[0]]]), attributes)
        write()
        self._builder.close()

    def _text(self, piece: SheetPiece) -> None:
        """The texts of the nodes that the words are in, each cut to these."""
        words = piece.words
        for place, run in enumerate(words.runs(piece.numbers)):
            first, last = words.start[run[0]], words.end[run[-1]]
            lead = " " if place else ""
            text = lead + words.raw(words.node[run[0]])[first:last]
            starts = [words.start[word] - first + len(lead) for word in run]
            ends = [words.end[word] - first + len(lead) for word in run]
            self._builder.text_of_words(text, starts, ends, [words.box[word] for word in run])
            self._numbers.append(words.node[run[0]])
