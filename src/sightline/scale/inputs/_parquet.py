"""Parquet files with a page in each row, in a column that is found by its name or by what stands in it."""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from sightline.errors import LimitError, MissingExtra, SourceError, UnreadableError, UsageError
from sightline.net import Document, DocumentKind, Limits, megabytes, sniff
from sightline.scale.inputs._kinds import BatchInput, DocumentReference, InputSettings
from sightline.scale.inputs._storage import is_remote, local_path, open_file

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_PAGE_NAMES = ("html", "content", "body", "page")
_URL_NAMES = ("url", "uri")
_LOOKED_AT = 16  # rows in which a page is looked for, if the names of the columns do not tell
# Rows that are decoded at once: of pages with 100 KB, 64 are 6 MB. What has to be held beside them is a data page of
# the file, of 1,024 rows with most writers.
_BATCH_ROWS = 64
_BUFFER_BYTES = 1 << 20


def page_columns(name: str, settings: InputSettings) -> tuple[str, str]:
    """The columns of a file that hold the pages and their addresses; the second may be missing.

    A UsageError names the columns, if they do not tell by themselves which one holds the pages.
    """
    with _opened(name) as file:
        schema = file.schema_arrow
        for column in (settings.column, settings.url_column):
            if column and column not in schema.names:
                raise UsageError(f"{name} has no column {column!r}; its columns are {', '.join(schema.names)}.")
        page = settings.column or _page_column(file, name)
        url = settings.url_column or next(iter(_named(schema, _URL_NAMES)), "")
    return page, url


def list_parquet(found: BatchInput, _: Limits) -> Iterator[DocumentReference]:
    """A reference for every row, counted from 1; only the file's own description is read."""
    with _opened(found.name) as file:
        count = file.metadata.num_rows
    for row in range(1, count + 1):
        yield DocumentReference(f"{found.name}#{row}", position=row - 1)


class ParquetReading:
    """Reads the rows of one file; the batch of the last row is kept, so that ascending rows are decoded once."""

    def __init__(self, found: BatchInput, limits: Limits) -> None:
        self._found = found
        self._limits = limits
        self._file = _opened(found.name)
        self._starts = _group_starts(self._file)
        self._group = -1
        self._batches: Iterator[pa.RecordBatch] = iter(())
        self._batch: pa.RecordBatch | None = None
        self._first = 0  # the row with which the batch begins

    def read(self, reference: DocumentReference) -> Document | SourceError:
        """The document of a reference."""
        try:
            batch, row = self._at(reference.position)
        except (OSError, ValueError) as problem:
            self._group = -1
            return UnreadableError(reference.id, f"its part of the file is damaged ({_first_line(problem)}).")
        cell = batch.column(self._found.column)[row].as_py()
        url = batch.column(self._found.url_column)[row].as_py() if self._found.url_column else None
        return self._document(reference.id, cell, url)

    def close(self) -> None:
        """Close the file."""
        self._file.close(force=True)

    def _document(self, id: str, cell: str | bytes | None, url: object) -> Document | SourceError:
        if cell is None:
            return UnreadableError(id, f"its column {self._found.column} is empty (null), so there is nothing to read.")
        content = cell.encode() if isinstance(cell, str) else cell
        if len(content) > self._limits.decoded_bytes:
            problem = f"is larger than {megabytes(self._limits.decoded_bytes)}; raise decoded_bytes to read it."
            return LimitError(id, problem, limit="decoded_bytes")
        charset = "utf-8" if isinstance(cell, str) else None
        return Document(id, url if isinstance(url, str) else "", content, media_type="text/html", charset=charset)

    def _at(self, row: int) -> "tuple[pa.RecordBatch, int]":
        """The batch that holds a row, and where the row stands in it."""
        group = sum(start <= row for start in self._starts) - 1
        if group != self._group or row < self._first:
            self._begin(group)
        while self._batch is None or row >= self._first + self._batch.num_rows:
            self._first += self._batch.num_rows if self._batch is not None else 0
            self._batch = next(self._batches, None)
            if self._batch is None:
                raise ValueError("it has fewer rows than it says")
        return self._batch, row - self._first

    def _begin(self, group: int) -> None:
        columns = [column for column in (self._found.column, self._found.url_column) if column]
        self._batches = self._file.iter_batches(_BATCH_ROWS, row_groups=[group], columns=columns)
        self._group, self._batch, self._first = group, None, self._starts[group]


def _opened(name: str) -> "pq.ParquetFile":
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as problem:
        raise MissingExtra("scale", f"Reading {name}") from problem
    place: Any = open_file(name) if is_remote(name) else local_path(name)
    try:
        # Without buffering ahead, a group of rows is not read as a whole before its first row.
        return pq.ParquetFile(place, pre_buffer=False, buffer_size=_BUFFER_BYTES)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as problem:
        raise UnreadableError(name, f"isn't a Parquet file, or is damaged ({_first_line(problem)}).") from problem


def _first_line(problem: Exception) -> str:
    return str(problem).partition("\n")[0].rstrip(".")


def _group_starts(file: "pq.ParquetFile") -> list[int]:
    starts, row = [], 0
    for group in range(file.metadata.num_row_groups):
        starts.append(row)
        row += file.metadata.row_group(group).num_rows
    return starts


# -- which column --------------------------------------------------------------------------------------------------


def _page_column(file: "pq.ParquetFile", name: str) -> str:
    """The only column that is named like one of pages, else the only one that begins with markup."""
    candidates = _named(file.schema_arrow, _PAGE_NAMES) or list(_with_markup(file))
    if len(candidates) == 1:
        return candidates[0]
    names = ", ".join(candidates or file.schema_arrow.names)
    which = "several columns may hold the pages" if candidates else "no column is known to hold pages"
    raise UsageError(f"In {name}, {which}: {names}; name the right one with --column.")


def _named(schema: "pa.Schema", names: tuple[str, ...]) -> list[str]:
    return [field.name for field in schema if field.name.lower() in names and _is_text(field.type)]


def _with_markup(file: "pq.ParquetFile") -> Iterator[str]:
    columns = [field.name for field in file.schema_arrow if _is_text(field.type)]
    batches = file.iter_batches(_LOOKED_AT, columns=columns) if columns else iter(())
    for first in islice(batches, 1):
        for column in columns:
            cells = [cell for cell in first.column(column).to_pylist() if cell]
            if cells and all(_begins_with_markup(cell) for cell in cells):
                yield column


def _begins_with_markup(cell: str | bytes) -> bool:
    return sniff(cell.encode() if isinstance(cell, str) else cell) is DocumentKind.HTML


def _is_text(kind: "pa.DataType") -> bool:
    from pyarrow import types

    inner = kind.value_type if types.is_dictionary(kind) else kind
    tests = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    return any(test(inner) for test in tests)
