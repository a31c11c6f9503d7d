"""Reads CSV: by Python, which says where a file is wrong, and by Arrow, which is faster and means the same."""

import codecs
import csv
import io
import json
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from sightline.errors import UnreadableError
from sightline.flow.rows._limits import Budget, RowCells, TextChunk, TextTable, check_names, chunks_of, text_of_value

if TYPE_CHECKING:
    import pyarrow as pa

_SAMPLE = 1 << 16  # bytes that show by which sign cells are parted
_SAMPLE_ROWS = 20
_DELIMITERS = ",;\t|"
_PIECE = 1 << 20  # letters of a line that are read at once
_BLOCK = 1 << 22  # bytes that Arrow reads at once
_SMALLEST_BLOCK = 1 << 16
_LEAST_FAST = 1 << 14  # bytes of a file from which on Arrow is faster than it takes to ask it
_field_lock = threading.Lock()


def csv_table(budget: Budget) -> TextTable:
    """The table of a CSV file; rows with fewer cells than names end in empty ones."""
    budget.spend_bytes(budget.path.stat().st_size)
    with closing(numbered_cells(budget)) as lines:
        _, first = next(lines, (0, []))
    names = check_names(first, budget)
    if not names:
        raise UnreadableError(str(budget.path), "is empty; give a table with a line of names.")

    def chunks() -> Iterator[TextChunk]:
        return _chunks_from(budget.again(), len(names), 0)

    return TextTable(names, chunks)


def _chunks_from(budget: Budget, width: int, skipped: int) -> Iterator[TextChunk]:
    """The chunks of the rows after the first ones."""
    with closing(numbered_cells(budget)) as lines:
        rows = islice(lines, 1 + skipped, None)
        yield from chunks_of((_filled(cells, width, number, budget) for number, cells in rows), width, budget)


def _filled(cells: list[str], width: int, line: int, budget: Budget) -> RowCells:
    if len(cells) > width:
        parted = "put cells that hold the sign between cells in quotes"
        told = f"there are {len(cells)} cells, but {width} name{'' if width == 1 else 's'}; {parted}."
        raise UnreadableError(f"{budget.path}, line {line}", told)
    return [cell or None for cell in cells] + [None] * (width - len(cells))


def numbered_cells(budget: Budget) -> Generator[tuple[int, list[str]]]:
    """The cells of each line that has some, and the number of the line that it ends in."""
    delimiter = _delimiter(budget.path)
    with budget.path.open(encoding="utf-8-sig", newline="") as stream:
        lines = csv.reader(_bounded_lines(stream, delimiter, budget), delimiter=delimiter)
        with _problems(budget, lines):
            while (cells := _next_row(lines, budget.limits.cell_bytes)) is not None:
                if cells:
                    yield lines.line_num, cells


def _next_row(lines: "Iterator[list[str]]", cell_bytes: int) -> list[str] | None:
    """The next row, or None; the limit of cells is one of the whole process, so it is ours for this row only."""
    with _field_lock:
        before = csv.field_size_limit(cell_bytes)
        try:
            return next(lines, None)
        finally:
            csv.field_size_limit(before)


def _delimiter(path: Path) -> str:
    """The sign between cells: by which the first rows have as many cells as there are names, and most of them."""
    with path.open("rb") as stream:
        sample = stream.read(_SAMPLE).decode("utf-8-sig", "replace")
    if path.suffix.lower() == ".tsv" and "\t" in sample:
        return "\t"
    return max(_DELIMITERS, key=lambda sign: _fit(sample, sign))


def _fit(sample: str, delimiter: str) -> tuple[float, int]:
    lines = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    try:
        widths = [len(cells) for cells in islice(filter(None, lines), _SAMPLE_ROWS + 1)]
    except csv.Error:  # the reader of the rows says what is wrong
        widths = []
    if len(sample) >= _SAMPLE and len(widths) <= _SAMPLE_ROWS:
        widths = widths[:-1] or widths  # the end of the sample cut the last one
    if not widths or widths[0] == 1:
        return 0.0, 0
    rows = widths[1:] or widths
    return sum(width == widths[0] for width in rows) / len(rows), widths[0]


def _bounded_lines(stream: io.TextIOBase, delimiter: str, budget: Budget) -> Iterator[str]:
    """Lines of a file; one that has too large a cell, or is too long, is not held whole."""
    while line := stream.readline(_PIECE):
        if len(line) >= _PIECE and not line.endswith(("\n", "\r")):
            line = _long_line(line, stream, delimiter, budget)
        yield line


def _long_line(first: str, stream: io.TextIOBase, delimiter: str, budget: Budget) -> str:
    pieces, length, cell = [first], len(first), 0
    piece = first
    while True:
        last = max(piece.rfind(delimiter), piece.rfind('"'))
        letters = len(piece.rstrip("\r\n"))
        cell = letters - last - 1 if last >= 0 else cell + letters
        budget.spend_cell(cell)
        budget.spend_row(length)
        budget.check()
        if piece.endswith(("\n", "\r")) or not (piece := stream.readline(_PIECE)):
            return "".join(pieces)
        pieces.append(piece)
        length += len(piece)


@contextmanager
def _problems(budget: Budget, lines: Any) -> Iterator[None]:
    """Say in which line a file is no CSV, or not UTF-8."""
    try:
        yield
    except csv.Error as problem:
        if "field larger than" in str(problem):
            budget.spend_cell(budget.limits.cell_bytes + 1)
        where = f"{budget.path}, line {lines.line_num}"
        raise UnreadableError(where, f"this isn't valid CSV ({problem}); fix that line.") from problem
    except UnicodeDecodeError as problem:
        where = f"{budget.path}, line {_first_not_utf8(budget.path)}"
        raise UnreadableError(where, "is not UTF-8; save the file as UTF-8, and try again.") from problem


def _first_not_utf8(path: Path) -> int:
    """The number of the first line that is not UTF-8."""
    number = 1
    with path.open("rb") as stream:
        while piece := stream.readline(_PIECE):
            # a long line is read by pieces, which may end in the middle of a letter
            whole = piece if piece.endswith(b"\n") else piece + stream.read(3)
            if not _is_utf8(whole[: len(piece)]) and not _is_utf8(whole):
                return number
            stream.seek(len(piece) - len(whole), io.SEEK_CUR)
            number += piece.endswith(b"\n")
    return number


def _is_utf8(piece: bytes) -> bool:
    return piece.decode("utf-8", "ignore").encode() == piece


# ---------------------------------------------------------------------- by Arrow


def csv_batches(table: TextTable, schema: "pa.Schema", budget: Budget) -> "Iterator[pa.RecordBatch]":
    """The rows as batches of Arrow; where Arrow refuses a row, Python reads on, or says what is wrong with it."""
    import pyarrow as pa

    done = 0
    budget = budget.again()
    # Arrow joins a row of two blocks at most, so no cell that it reads is larger than it may be.
    block = min(_BLOCK, budget.limits.cell_bytes // 2)
    if block >= _SMALLEST_BLOCK and budget.path.stat().st_size >= _LEAST_FAST and _starts_with_names(budget.path):
        try:
            for batch in _fast(budget.path, block, schema):
                budget.check()
                budget.spend_rows(batch.num_rows)
                done += batch.num_rows
                yield batch
        except pa.ArrowInvalid:
            pass  # rows with fewer cells than names, or with larger ones than a block
        else:
            return
    for chunk in _chunks_from(_counted(budget, done), len(table.names), done):
        yield pa.record_batch([pa.array(values, pa.string()) for values in chunk], schema=schema)


def _counted(budget: Budget, rows: int) -> Budget:
    new = budget.again()
    new.rows = rows
    return new


def _starts_with_names(path: Path) -> bool:
    """Whether no empty line comes before that of the names; Arrow would count it as that line."""
    with path.open("rb") as stream:
        return stream.read(4).removeprefix(b"\xef\xbb\xbf")[:1] not in (b"\r", b"\n", b"")


def _fast(path: Path, block: int, schema: "pa.Schema") -> "Iterator[pa.RecordBatch]":
    from pyarrow import csv as arrow_csv

    with arrow_csv.open_csv(
        path,
        arrow_csv.ReadOptions(block_size=block, column_names=schema.names, skip_rows_after_names=1),
        arrow_csv.ParseOptions(delimiter=_delimiter(path), newlines_in_values=True),
        arrow_csv.ConvertOptions(
            column_types=schema, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=True
        ),
    ) as reader:
        yield from reader


# -- reads JSON: an object a line, or a list of objects, row by row -------------------------------------------------

_SLACK = 16  # letters: a number, word or escape that the end of a piece cuts is shorter
_BLANKS = " \t\r\n"
_CHECKED_ROWS = 1 << 12
Rows = Callable[[Budget], Iterator[dict[str, Any]]]


def json_lines_table(budget: Budget) -> TextTable:
    """The table of a file with an object in each line."""
    return _table(_of_lines, budget)


def json_table(budget: Budget) -> TextTable:
    """The table of a file with a list of objects, or an object that has one."""
    return _table(_of_document, budget)


def _table(rows: Rows, budget: Budget) -> TextTable:
    """Rows may have other names than the first, so the names are those of all of them."""
    budget.spend_bytes(budget.path.stat().st_size)
    found: dict[str, None] = {}
    for number, row in enumerate(rows(budget)):
        found.update(dict.fromkeys(row))
        budget.spend_columns(len(found))
        if number % _CHECKED_ROWS == 0:
            budget.check()
    names = tuple(found)

    def cells() -> Iterator[RowCells]:
        return ([text_of_value(row.get(name)) for name in names] for row in rows(budget))

    def chunks() -> Iterator[TextChunk]:
        return chunks_of(cells(), len(names), budget.again())

    return TextTable(names, chunks)


def _of_lines(budget: Budget) -> Iterator[dict[str, Any]]:
    with budget.path.open("rb") as stream:
        number = 0
        while line := stream.readline(budget.limits.row_bytes + 1):
            number += 1
            budget.spend_row(len(line))
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
            if line.strip():
                yield _object(line, f"{budget.path}, line {number}")


def _of_document(budget: Budget) -> Iterator[dict[str, Any]]:
    with budget.path.open(encoding="utf-8-sig", newline="") as stream:
        try:
            letters = _Letters(stream, budget)
            if letters.next_sign() == "[":
                yield from _of_list(letters, budget)
            else:
                yield from _of_object(letters, budget)
        except UnicodeDecodeError as problem:
            raise UnreadableError(str(budget.path), "is not UTF-8; save it as UTF-8, and try again.") from problem


def _of_list(letters: "_Letters", budget: Budget) -> Iterator[dict[str, Any]]:
    letters.skip()
    if letters.next_sign() != "]":
        for number in range(1, budget.limits.table_rows + 2):
            yield _object(letters.value().encode(), f"{budget.path}, row {number}")
            if (sign := letters.next_sign()) == "]":
                break
            if sign != ",":
                raise UnreadableError(f"{budget.path}, after row {number}", "a comma is missing; fix it.")
            letters.skip()
    letters.skip()
    if letters.next_sign():
        raise UnreadableError(str(budget.path), "isn't valid JSON (there is something after its list); fix it.")


def _of_object(letters: "_Letters", budget: Budget) -> Iterator[dict[str, Any]]:
    """The first list of an object, which has to be read whole."""
    document = _parsed(letters.rest().encode(), str(budget.path))
    if isinstance(document, dict):
        document = next((value for value in document.values() if isinstance(value, list)), None)
    if not isinstance(document, list):
        raise UnreadableError(str(budget.path), "holds no list of rows; give a list of objects.")
    for number, row in enumerate(document, start=1):
        yield _checked(row, f"{budget.path}, row {number}")


def _object(content: bytes, where: str) -> dict[str, Any]:
    return _checked(_parsed(content, where), where)


def _checked(row: Any, where: str) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise UnreadableError(where, "isn't an object; give one with names and values.")
    return row


def _parsed(content: bytes, where: str) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as problem:
        raise UnreadableError(where, f"isn't valid JSON ({problem}); fix it, and try again.") from problem


class _Letters:
    """The letters of a document, of which only what is being read is held."""

    def __init__(self, stream: io.TextIOBase, budget: Budget) -> None:
        self._stream = stream
        self._budget = budget
        self._held = ""
        self._at = 0
        self._decoder = json.JSONDecoder()

    def next_sign(self) -> str:
        """The next letter that isn't a blank; empty at the end."""
        while True:
            while self._at < len(self._held):
                if self._held[self._at] not in _BLANKS:
                    return self._held[self._at]
                self._at += 1
            if not self._more():
                return ""

    def skip(self) -> None:
        """Go on after that letter."""
        self._at += 1

    def value(self) -> str:
        """The text of the next value, whole."""
        self.next_sign()
        while True:
            try:
                _, end = self._decoder.raw_decode(self._held, self._at)
            except json.JSONDecodeError as problem:
                is_cut = problem.pos >= len(self._held) - _SLACK or problem.msg.startswith("Unterminated")
                if not is_cut or not self._more():
                    raise self._unreadable(problem.msg) from problem
            except RecursionError as problem:
                raise self._unreadable("it is nested too deeply") from problem
            except ValueError as problem:  # a number with more digits than Python reads
                raise self._unreadable(str(problem)) from problem
            else:
                found = self._held[self._at : end]
                self._at = end
                return found

    def rest(self) -> str:
        """All that comes."""
        while self._more():
            pass
        return self._held[self._at :]

    def _more(self) -> bool:
        """Read on: as much as is held, so that a long value is not looked at for each piece."""
        self._budget.check()
        self._held = self._held[self._at :]
        self._at = 0
        self._budget.spend_row(len(self._held))
        piece = self._stream.read(max(_PIECE, len(self._held)))
        self._held += piece
        return bool(piece)

    def _unreadable(self, problem: str) -> UnreadableError:
        shown = self._held[self._at : self._at + 30]
        return UnreadableError(str(self._budget.path), f"isn't valid JSON ({problem}, at {shown!r}); fix it and retry.")
