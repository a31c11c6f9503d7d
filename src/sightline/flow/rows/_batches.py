"""Reads files of rows as a stream of Arrow batches, so that a table may be larger than the memory."""

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from sightline.errors import MissingExtra, UnreadableError, UsageError
from sightline.flow.rows._read import LARGEST_CELL, SUFFIXES, check_names, read_columns, text_of

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["BATCH_ROWS", "RowBatches", "read_batches"]

BATCH_ROWS = 1 << 16
"""Rows of a batch: enough for the work on a batch to outweigh the work about it, and some ten megabytes at most."""
_LINES = 1 << 12  # of a file that Python reads, at once
_BLOCK = 1 << 22  # bytes of a CSV that Arrow reads at once
_SAMPLE = 1 << 16  # bytes of a CSV that show how it is written


@dataclass(frozen=True)
class RowBatches:
    """Rows as a schema and a function that gives the batches; each call reads them anew."""

    schema: "pa.Schema"
    batches: "Callable[[], Iterator[pa.RecordBatch]]"


def read_batches(path: Path) -> RowBatches:
    """The rows of a file, by its suffix. Cells of CSV, Excel and JSON are texts; those of Parquet have their types."""
    suffix = path.suffix.lower()
    if suffix not in (".csv", ".tsv", ".jsonl", ".json", ".parquet", ".xlsx"):
        raise UsageError(f"{path} is no table that can be read; give a file that ends in {SUFFIXES}.")
    try:
        import pyarrow as pa
    except ImportError as problem:
        raise MissingExtra("flow", f"Reading {path} as a stream") from problem
    try:
        with path.open("rb") as stream:
            sample = stream.read(_SAMPLE)
    except OSError as problem:
        raise UnreadableError(str(path), f"cannot be read ({problem.strerror}); check its name.") from problem
    if suffix in (".csv", ".tsv"):
        return _csv(path, sample)
    if suffix == ".parquet":
        return _parquet(path)
    if suffix == ".jsonl":
        return _json_lines(path)
    columns = read_columns(path)
    table = pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
    return RowBatches(table.schema, lambda: iter(table.to_batches(BATCH_ROWS)))


# ---------------------------------------------------------------------- CSV


def _csv(path: Path, sample: bytes) -> RowBatches:
    import pyarrow as pa

    head = text_of(sample[: sample.rfind(b"\n") + 1] or sample, path)
    delimiter = max(",;\t|", key=head.split("\n", 1)[0].count)
    names = check_names(_first_row(path, delimiter), path)
    if not names:
        raise UnreadableError(str(path), "is empty; give a table with a line of names.")
    schema = pa.schema([(name, pa.string()) for name in names])

    def batches() -> "Iterator[pa.RecordBatch]":
        done = 0
        try:
            for batch in _fast_csv(path, delimiter, schema):
                done += batch.num_rows
                yield batch
        except pa.ArrowInvalid:
            # Arrow refuses rows with fewer cells than names, and cells larger than a block; Python reads them, or says
            # in which line the trouble is.
            yield from _slow_csv(path, delimiter, schema, done)

    return RowBatches(schema, batches)


def _first_row(path: Path, delimiter: str) -> list[str]:
    with _opened(path) as stream:
        lines = csv.reader(stream, delimiter=delimiter)
        with _csv_problems(path, lines):
            return next(lines, [])
    return []


@contextmanager
def _csv_problems(path: Path, lines: Any) -> Iterator[None]:
    """Say in which line a file is no CSV, or not UTF-8."""
    try:
        yield
    except csv.Error as problem:
        where = f"{path}, line {lines.line_num}"
        raise UnreadableError(where, f"this is no CSV ({problem}); mend that line.") from problem
    except UnicodeDecodeError as problem:
        where = f"line {_first_not_utf8(path)}"
        raise UnreadableError(str(path), f"is not UTF-8 ({where}); save it as UTF-8, and try again.") from problem


def _fast_csv(path: Path, delimiter: str, schema: "pa.Schema") -> "Iterator[pa.RecordBatch]":
    from pyarrow import csv as arrow_csv

    reader = arrow_csv.open_csv(
        path,
        arrow_csv.ReadOptions(block_size=_BLOCK, column_names=schema.names, skip_rows=0, skip_rows_after_names=1),
        arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
        arrow_csv.ConvertOptions(
            column_types=schema, null_values=[""], strings_can_be_null=True, quoted_strings_can_be_null=True
        ),
    )
    yield from reader


def _slow_csv(path: Path, delimiter: str, schema: "pa.Schema", skipped: int) -> "Iterator[pa.RecordBatch]":
    import pyarrow as pa

    width = len(schema.names)
    with _opened(path) as stream:
        csv.field_size_limit(LARGEST_CELL)
        lines = csv.reader(stream, delimiter=delimiter)
        next(lines, None)
        rows = islice((row for row in lines if row), skipped, None)
        with _csv_problems(path, lines):
            while chunk := list(islice(rows, _LINES)):
                for number, row in enumerate(chunk, start=lines.line_num - len(chunk) + 1):
                    if len(row) > width:
                        raise UnreadableError(
                            f"{path}, about line {number}",
                            f"there are {len(row)} cells, but {width} names; put cells that hold {delimiter!r} in "
                            "quotes.",
                        )
                columns = [[row[at] or None if at < len(row) else None for row in chunk] for at in range(width)]
                yield pa.record_batch([pa.array(values, pa.string()) for values in columns], schema=schema)


def _first_not_utf8(path: Path) -> int:
    """The number of the first line that is not UTF-8."""
    with path.open("rb") as stream:
        lines = enumerate(stream, start=1)
        return next((number for number, line in lines if line.decode("utf-8", "ignore").encode() != line), 1)


def _opened(path: Path) -> io.TextIOWrapper:
    return path.open(encoding="utf-8-sig", newline="")


# ---------------------------------------------------------------------- others


def _parquet(path: Path) -> RowBatches:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        schema = parquet.read_schema(path)
    except pa.ArrowInvalid as problem:
        raise UnreadableError(str(path), "is no Parquet file; check where it comes from.") from problem

    def batches() -> "Iterator[pa.RecordBatch]":
        with parquet.ParquetFile(path) as file:
            yield from file.iter_batches(BATCH_ROWS)

    return RowBatches(schema, batches)


def _json_lines(path: Path) -> RowBatches:
    import pyarrow as pa

    names: dict[str, None] = {}
    for row in _objects(path):
        names.update(dict.fromkeys(row))
    schema = pa.schema([(name, pa.string()) for name in names])

    def batches() -> "Iterator[pa.RecordBatch]":
        rows = _objects(path)
        while chunk := list(islice(rows, _LINES)):
            columns = [[_said(row.get(name)) for row in chunk] for name in names]
            yield pa.record_batch([pa.array(values, pa.string()) for values in columns], schema=schema)

    return RowBatches(schema, batches)


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError as problem:
                where = f"{path}, line {number}"
                raise UnreadableError(where, f"is no JSON ({problem}); mend it, and try again.") from problem
            if not isinstance(row, dict):
                raise UnreadableError(f"{path}, line {number}", "is no object; give one with names and values.")
            yield row


def _said(value: Any) -> str | None:
    """A value as a text; lists and objects as JSON, so that nothing of them is lost."""
    if value is None or value == "":
        return None
    return orjson.dumps(value).decode() if isinstance(value, list | dict | bool) else str(value)
