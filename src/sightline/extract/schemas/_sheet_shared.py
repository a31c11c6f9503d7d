"""Which lines and labels documents of one template share, learned from several of them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil

from sightline.extract.schemas._sheet_labels import (
    COLONS,
    SheetLabels,
    can_be_label,
    compared,
    prefix_words,
    texts_of,
)
from sightline.extract.schemas._sheet_lines import HEADINGS, SheetContent, SheetPiece, read_lines
from sightline.extract.schemas._sheet_tables import tables_and_pieces
from sightline.page import Page

# Of the documents, and at least so many of them, say a label. An optional field is on a quarter of them or more; by
# chance, few documents share more of their values. What is marked as a label needs only be on two.
SHARED, LEAST_SHARED = 0.25, 2
CONSTANT = 0.6  # of the documents say what belongs to the template itself
MOST_TIMES = 2.0  # on a sheet, on average: a label comes once or, as heading of a column and of its sum, twice
FOLLOWS = 0.5  # of the places of a text are right of a more frequent label, or in rows: then it is a value


def sheet_labels(pages: Sequence[Page]) -> SheetLabels:
    """What these documents share."""
    sheets = [read_lines(page) for page in pages]
    lines = _shared(map(_line_texts, sheets), pages)
    headed = _shared(map(_marked_texts, sheets), pages)
    prefixes = _shared(map(_prefixes, sheets), pages)
    usual = ceil(SHARED * len(pages))
    constant = frozenset(text for text, count in lines.items() if count >= CONSTANT * len(pages))
    likely = {text for text, count in lines.items() if can_be_label(text) and (count >= usual or text in headed)}
    first = SheetLabels(constant, frozenset(likely - _values(sheets, lines)))
    in_rows = _mostly_in_rows(sheets, first, texts_of)
    begins = frozenset(text for text, count in prefixes.items() if can_be_label(text) and count >= usual)
    begins -= _mostly_in_rows(sheets, first, _prefixes_of)
    return SheetLabels(constant - in_rows, first.labels - in_rows, begins)


def _values(sheets: Sequence[SheetContent], lines: Mapping[str, int]) -> set[str]:
    """Texts that are mostly right of a more frequent one: its values."""
    follows: Counter[str] = Counter()
    places: Counter[str] = Counter()
    for sheet in sheets:
        for left, right in _neighbours(sheet):
            places[right] += 1
            follows[right] += lines.get(left, 0) > lines.get(right, 0)
    return {text for text, count in places.items() if follows[text] > FOLLOWS * count}


def _mostly_in_rows(
    sheets: Sequence[SheetContent], known: SheetLabels, said_by: Callable[[SheetPiece], Iterable[str]]
) -> frozenset[str]:
    """Texts that are mostly in the rows of tables with headings: many documents name the same things there."""
    inside: Counter[str] = Counter()
    everywhere: Counter[str] = Counter()
    for sheet in sheets:
        everywhere.update(text for piece in _pieces(sheet) for text in said_by(piece))
        tables, _ = tables_and_pieces(sheet, known)
        cells = (piece for table in tables for row in table.rows for piece in row.cells.values())
        inside.update(text for piece in cells for text in said_by(piece))
    return frozenset(text for text, count in inside.items() if count > FOLLOWS * everywhere[text])


def _shared(texts: Iterable[Iterable[str]], pages: Sequence[Page]) -> dict[str, int]:
    """The texts that several pages have, once a sheet at most, with the number of these pages."""
    having: Counter[str] = Counter()
    times: dict[str, float] = defaultdict(float)
    for page, of_page in zip(pages, texts, strict=True):
        for text, count in Counter(of_page).items():
            having[text] += 1
            times[text] += count / max(1, len(page.sheets))
    return {
        text: count
        for text, count in having.items()
        if count >= LEAST_SHARED and times[text] <= MOST_TIMES * count and any(map(str.isalpha, text))
    }


def _pieces(sheet: SheetContent) -> Iterator[SheetPiece]:
    yield from sheet.blocks
    for table in sheet.tables:
        for row in table.rows:
            yield from row.cells.values()


def _line_texts(sheet: SheetContent) -> Iterator[str]:
    return (text for piece in _pieces(sheet) for text in texts_of(piece))


def _marked_texts(sheet: SheetContent) -> Iterator[str]:
    """What is marked as a label: headings, and lines that end with a colon."""
    for piece in _pieces(sheet):
        if len(piece.lines) == 1 and (piece.tag in HEADINGS or piece.text.endswith(COLONS)):
            yield compared(piece.text)


def _prefixes(sheet: SheetContent) -> Iterator[str]:
    return (text for piece in _pieces(sheet) for text in _prefixes_of(piece))


def _prefixes_of(piece: SheetPiece) -> Iterator[str]:
    """What lines begin with, up to a colon or to a word with digits."""
    for line in piece.each_line():
        if count := prefix_words(line):
            yield compared(line.cut(count)[0].text)


def _neighbours(sheet: SheetContent) -> Iterator[tuple[str, str]]:
    """Texts of cells, and of the cells right of them."""
    for table in sheet.tables:
        for row in table.rows:
            cells = [compared(piece.text) for piece in row.cells.values()]
            yield from pairwise(cells)
