"""Reads the first sheet of an Excel workbook row by row, and counts what it decompresses to while it is read."""

import io
import re
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any
from zipfile import BadZipFile, ZipFile

from sightline.errors import MissingExtra, UnreadableError
from sightline.flow.rows._limits import Budget, RowCells, TextChunk, TextTable, check_names, chunks_of, text_of_value

MOST_ROWS = 1 << 20
"""Rows of a sheet: Excel has no more, so a file that has is none that Excel wrote."""
MOST_TEXTS = 4 * MOST_ROWS
"""Different texts of a workbook, all of which are held in the memory: four for each row of a full sheet."""
# No archive, half of one, one that is encrypted or of something else, XML that is none, and values that make no sense.
_NO_EXCEL = (
    *(BadZipFile, zlib.error, EOFError, KeyError, IndexError, ValueError, TypeError, AttributeError),
    *(SyntaxError, NotImplementedError, RuntimeError, OverflowError, OSError),
)
_PART_START = re.compile(rb"<(?:\w+:)?(?:c|row|si)[\s>/]")
_USUAL_STARTS = (b"<c ", b"<c>", b"<row ", b"<row>", b"<si>")
_PIECE = 1 << 20  # bytes that are read at once
_OVERLAP = 32  # bytes: the start of an element that two pieces share is shorter


def excel_table(budget: Budget) -> TextTable:
    """The table of the first sheet; its first row has the names."""
    rows = _rows(budget)
    with _problems(budget):
        first = next(rows, [])
    while first and not first[-1]:  # cells that only have a format
        first = first[:-1]
    names = check_names([cell or "" for cell in first], budget)
    rows.close()
    if not names:
        raise UnreadableError(str(budget.path), "is empty; give a table with a line of names.")

    def chunks() -> Iterator[TextChunk]:
        counted = budget.again()
        with _problems(counted):
            yield from chunks_of(_filled(_rows(counted), len(names), counted), len(names), counted)

    return TextTable(names, chunks)


def _filled(rows: Iterator[list[str | None]], width: int, budget: Budget) -> Iterator[RowCells]:
    next(rows, None)
    for number, row in enumerate(rows, start=2):
        if any(row[width:]):
            told = f"there are {len(row)} cells, but {width} names; name every column."
            raise UnreadableError(f"{budget.path}, row {number}", told)
        if any(row):
            yield row[:width] + [None] * (width - len(row))


def _rows(budget: Budget) -> Generator[list[str | None]]:
    """The texts of each row of the first sheet."""
    try:
        from openpyxl.reader.excel import ExcelReader
    except ImportError as problem:
        raise MissingExtra("excel", f"Reading {budget.path}") from problem
    with budget.path.open("rb") as file:
        reader = ExcelReader(file, read_only=True, data_only=True, keep_links=False)
        _scan(_CountedArchive(file, budget.again()))
        reader.archive = _CountedArchive(file, budget)
        reader.read()
        sheet = reader.wb.worksheets[0]
        sheet.reset_dimensions()  # it may say that it is larger than it is, and every row would be filled up to that
        for number, cells in enumerate(sheet.iter_rows(values_only=True), start=1):
            if number > MOST_ROWS:
                raise _too_many(budget)
            budget.spend_columns(len(cells))
            yield [text_of_value(cell) for cell in cells]


def _scan(archive: "_CountedArchive") -> None:
    """Decompress the parts of rows once, which is quick: what is too large is found before it is read."""
    for name in archive.namelist():
        if _has_rows(name):
            with archive.open(name) as part:
                while part.read(_PIECE):
                    pass


def _has_rows(name: str) -> bool:
    return "worksheets/" in name or "sharedStrings" in name


class _CountedArchive(ZipFile):
    """An archive that counts the bytes that come out of it."""

    def __init__(self, file: Any, budget: Budget) -> None:
        super().__init__(file)
        self._budget = budget

    def open(self, name: Any, *options: Any, **more: Any) -> Any:
        """A part, whose bytes are counted while they are read."""
        part = super().open(name, *options, **more)
        return _CountedPart(part, self._budget, has_rows=_has_rows(getattr(name, "filename", name)))


class _CountedPart(io.RawIOBase):
    """A part of an archive: the whole of a small one, or one of rows, of which no single cell may be too large."""

    def __init__(self, part: Any, budget: Budget, *, has_rows: bool) -> None:
        self._part = part
        self._budget = budget
        self._has_rows = has_rows
        self._since_cell = 0
        self._read = 0
        self._end = b""
        self._rows = 0
        self._texts = 0

    def readable(self) -> bool:
        """It can be read."""
        return True

    def read(self, size: int | None = -1) -> bytes:
        """The next bytes; all of them only where the part may be held whole."""
        if size is None or size < 0:
            return b"".join(iter(lambda: self.read(_PIECE), b""))
        piece: bytes = self._part.read(size)
        self._count(piece)
        return piece

    def _count(self, piece: bytes) -> None:
        self._budget.check()
        self._budget.spend_bytes(len(piece))
        self._read += len(piece)
        if not self._has_rows:
            self._budget.spend_row(self._read, "a part")
            return
        self._rows += piece.count(b"<row")
        self._texts += piece.count(b"<si")
        if self._rows > MOST_ROWS or self._texts > MOST_TEXTS:
            raise _too_many(self._budget)
        seen = self._end + piece
        start = _last_start(seen)
        self._since_cell = len(seen) - start if start >= 0 else self._since_cell + len(piece)
        self._budget.spend_cell(self._since_cell)
        self._end = seen[-_OVERLAP:]

    def close(self) -> None:
        """Close it."""
        self._part.close()
        super().close()


def _too_many(budget: Budget) -> UnreadableError:
    told = f"has more than {MOST_ROWS:,} rows, which no sheet of Excel has; check where it comes from."
    return UnreadableError(str(budget.path), told)


def _last_start(xml: bytes) -> int:
    """Where the last cell, row or shared text begins; -1 if none does."""
    start = max(map(xml.rfind, _USUAL_STARTS))
    if start < 0:  # written in another way
        start = max((found.start() for found in _PART_START.finditer(xml)), default=-1)
    return start


@contextmanager
def _problems(budget: Budget) -> Iterator[None]:
    try:
        yield
    except _NO_EXCEL as problem:
        said = f"isn't a readable Excel file ({type(problem).__name__})"
        told = f"{said}; check where it comes from, or save it anew."
        raise UnreadableError(str(budget.path), told) from problem
