"""Delivery to a file: CSV, TSV, JSON, JSON lines, Excel or Parquet, each replaced as a whole."""

from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv, parquet

from sightline.data import defused
from sightline.errors import MissingExtra
from sightline.flow.deliver._arrays import in_pieces, plain, prepared
from sightline.flow.deliver._rows import PLAIN, as_json, as_rows, as_text, check_finite
from sightline.flow.deliver._schema import LoadColumns, load_columns
from sightline.flow.deliver._target import Delivered, Load, TextFileOptions, no_batch
from sightline.project import explained, replacing

# JSON lines are written so many rows at a time, which takes a few megabytes however many rows a piece has.
WRITTEN_ROWS = 4_096
# Without one of these, a text isn't a formula, nor is any part of it; most texts have none, or not at a beginning.
_MAY_RUN = "[=@+\\-\t\r＝＠＋－]"
# JSON allows these as they are, but many readers take them for the end of a line.
_LINE_ENDS = {char.encode(): f"\\u{ord(char):04x}".encode() for char in "\u0085\u2028\u2029"}


class RowWriter(Protocol):
    """Writes pieces of rows in one format."""

    def write(self, piece: Any) -> None:
        """Add the rows of a piece."""

    def finish(self) -> None:
        """Write what comes last; the stream stays open."""

    def close(self) -> None:
        """Let go of what the writer holds, also after an error."""


def deliver_load(load: Load, batches: Iterable[Any]) -> Delivered:
    """Write a file anew; the same load again writes it again."""
    if load.target.kind == "excel":
        try:
            from sightline.flow.deliver._excel import ExcelWriter
        except ImportError as problem:
            raise MissingExtra("excel", f"Delivering to {load.target}") from problem

        return write_rows(load, batches, ExcelWriter)
    writer = _WRITERS[load.target.kind]
    if isinstance(load.options, TextFileOptions) and load.options.raw:
        writer = partial(writer, raw=True)
    return write_rows(load, batches, writer)


def write_rows(
    load: Load, batches: Iterable[Any], writer_of: Callable[[BinaryIO, Any, LoadColumns], RowWriter]
) -> Delivered:
    """Write all rows to the file of a load."""
    pieces = in_pieces(batches)
    first = next(pieces, None)
    if first is None:
        raise no_batch(load)
    columns = load_columns(first.schema, (), PLAIN)
    shown = str(load.target)
    with replacing(Path(load.target.place).absolute(), shown) as stream:
        with explained(shown):
            writer = writer_of(stream, first.schema, columns)
        rows = fill(writer, chain([first], pieces), shown)
    return Delivered(rows, inserted=rows)


def fill(writer: RowWriter, pieces: Iterable[Any], shown: str) -> int:
    """Write all pieces, and count their rows; errors of the source of the rows stay what they are."""
    rows = 0
    with closing(writer):
        for piece in pieces:
            with explained(shown):
                writer.write(piece)
            rows += piece.num_rows
        with explained(shown):
            writer.finish()
    return rows


class _CsvWriter:
    """Texts in quotes, numbers without, and nothing at all for NULL: what was empty stays empty, and not missing.

    A text that a spreadsheet would run gets an apostrophe, as in every export; `raw` leaves it as it is.
    """

    delimiter = ","

    def __init__(self, stream: BinaryIO, schema: Any, columns: LoadColumns, *, raw: bool = False) -> None:  # noqa: ARG002
        self._stream, self._columns, self._started, self._raw = stream, columns, False, raw

    def write(self, piece: Any) -> None:
        """Add the rows, with the names before the first of them."""
        batch = prepared(piece, self._columns.names, self._columns.kinds, PLAIN)
        values = [_base64(column) if pa.types.is_binary(column.type) else column for column in batch.columns]
        names = list(self._columns.names)
        if not self._raw:
            values, names = [_defused(column) for column in values], list(map(defused, names))
        how = csv.WriteOptions(include_header=not self._started, delimiter=self.delimiter, quoting_style="needed")
        csv.write_csv(pa.record_batch(values, names=names), self._stream, how)
        self._started = True

    def finish(self) -> None:
        """Nothing comes last."""

    def close(self) -> None:
        """Nothing is held."""


class _TsvWriter(_CsvWriter):
    delimiter = "\t"


def _defused(column: Any) -> Any:
    """A column in which no text runs; only texts with a sign that could begin a formula are looked at."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return column
    suspects = pc.fill_null(pc.match_substring_regex(column, _MAY_RUN), fill_value=False)
    if not pc.any(suspects).as_py():
        return column
    texts = [defused(text) for text in column.filter(suspects).to_pylist()]
    return pc.replace_with_mask(column, suspects, pa.array(texts, column.type))


def _base64(column: Any) -> Any:
    return pa.array([None if value is None else as_text(value) for value in column.to_pylist()], pa.string())


class _JsonLinesWriter:
    """One object a line."""

    start, between, end, empty = b"", b"\n", b"\n", b""

    def __init__(self, stream: BinaryIO, schema: Any, columns: LoadColumns) -> None:  # noqa: ARG002
        self._stream, self._columns, self._wrote = stream, columns, False

    def write(self, piece: Any) -> None:
        """Add the rows."""
        check_finite(piece, "JSON")
        for first in range(0, piece.num_rows, WRITTEN_ROWS):
            rows = as_rows(piece.slice(first, WRITTEN_ROWS), self._columns)
            content = self.between.join(as_json(row) for row in rows)
            for char, escape in _LINE_ENDS.items():
                content = content.replace(char, escape)
            self._stream.write((self.between if self._wrote else self.start) + content)
            self._wrote = True

    def finish(self) -> None:
        """End the last line; a file without rows is empty."""
        self._stream.write(self.end if self._wrote else self.empty)

    def close(self) -> None:
        """Nothing is held."""


class _JsonWriter(_JsonLinesWriter):
    """A list of objects."""

    start, between, end, empty = b"[\n", b",\n", b"\n]\n", b"[]\n"


class ParquetWriter:
    """Every type that Arrow has, as it is."""

    def __init__(self, stream: BinaryIO, schema: Any, columns: LoadColumns | None = None) -> None:  # noqa: ARG002
        self._writer = parquet.ParquetWriter(stream, schema_without_runs(schema), compression="zstd")

    def write(self, piece: Any) -> None:
        """Add the rows as row groups."""
        self._writer.write_batch(without_runs(piece))

    def finish(self) -> None:
        """Write the footer."""
        self._writer.close()

    def close(self) -> None:
        """After an error, write no more; Arrow would try that again when the stream is closed."""
        with suppress(OSError, pa.ArrowException):
            self._writer.close()
        self._writer.is_open = False


def schema_without_runs(schema: Any) -> Any:
    """A schema that Parquet's writer takes: it takes everything but runs of equal values."""
    return pa.schema(
        [
            field.with_type(field.type.value_type) if pa.types.is_run_end_encoded(field.type) else field
            for field in schema
        ],
        schema.metadata,
    )


def without_runs(piece: Any) -> Any:
    """A piece that Parquet's writer takes."""
    columns = [plain(column) if pa.types.is_run_end_encoded(column.type) else column for column in piece.columns]
    return pa.record_batch(columns, schema=schema_without_runs(piece.schema))


_WRITERS: dict[str, Callable[..., RowWriter]] = {
    "csv": _CsvWriter,
    "tsv": _TsvWriter,
    "json": _JsonWriter,
    "jsonl": _JsonLinesWriter,
    "parquet": ParquetWriter,
}
