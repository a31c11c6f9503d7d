"""The one reader of rows: files by their suffix, results of this package, dicts, and whatever speaks Arrow."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from sightline.data import Exportable
from sightline.errors import MissingExtra, UnreadableError, UsageError
from sightline.flow.rows._excel import excel_table
from sightline.flow.rows._limits import Budget, RowLimits, TextChunk, TextTable, check_names, text_of_value
from sightline.flow.rows._text_files import csv_batches, csv_table, json_lines_table, json_table

if TYPE_CHECKING:
    import pyarrow as pa

TextColumns: TypeAlias = dict[str, list[str | None]]
"""A table as texts: the values of each column by its name; an empty cell is None."""

RowSource: TypeAlias = str | os.PathLike[str] | Exportable | Iterable[Mapping[str, Any]] | Any
"""A file (.csv .tsv .jsonl .json .parquet .xlsx), a result such as `Records`, dicts, an Arrow table or a data frame."""

_TABLES: Mapping[str, Callable[[Budget], TextTable]] = {
    ".csv": csv_table,
    ".tsv": csv_table,
    ".jsonl": json_lines_table,
    ".json": json_table,
    ".xlsx": excel_table,
}
_PARQUET = ".parquet"
FILE_SUFFIXES = (*_TABLES, _PARQUET)
"""How the names of files of rows end."""


@dataclass(frozen=True)
class RowBatches:
    """Rows as a schema and a function that gives the batches; each call reads them anew."""

    schema: "pa.Schema"
    batches: "Callable[[], Iterator[pa.RecordBatch]]"


def read_batches(path: Path, limits: RowLimits | None = None, check: Callable[[], None] | None = None) -> RowBatches:
    """The rows of a file, by its suffix. RowCells of CSV, Excel and JSON are texts; those of Parquet have their types.

    `check` is called again and again while the file is read; what it raises ends the reading.
    """
    budget = _budget(path, limits, check)
    try:
        import pyarrow as pa
    except ImportError as problem:
        raise MissingExtra("flow", f"Reading {path} as a stream") from problem
    _check_opens(path)
    if _suffix(path) == _PARQUET:
        schema = parquet_schema(budget)
        return RowBatches(schema, lambda: parquet_batches(schema, budget))
    table = _TABLES[_suffix(path)](budget)
    schema = pa.schema([(name, pa.string()) for name in table.names])
    if _suffix(path) in (".csv", ".tsv"):
        return RowBatches(schema, lambda: csv_batches(table, schema, budget))

    def batches() -> "Iterator[pa.RecordBatch]":
        for chunk in table.chunks():
            yield pa.record_batch([pa.array(values, pa.string()) for values in chunk], schema=schema)

    return RowBatches(schema, batches)


def read_columns(source: RowSource, name: str = "the table", limits: RowLimits | None = None) -> TextColumns:
    """The rows of a source as texts; `name` is what errors call it.

    >>> read_columns([{"id": 1, "name": "EOS 5D"}, {"id": 2, "price": 9.5}])
    {'id': ['1', '2'], 'name': ['EOS 5D', None], 'price': [None, '9.5']}
    """
    if isinstance(source, str | os.PathLike):
        return _of_file(Path(source), limits)
    if isinstance(source, Exportable):
        return _of_rows(source.to_dicts(), name)
    if hasattr(source, "__arrow_c_stream__"):
        return _of_arrow(source)
    if isinstance(source, Iterable) and not isinstance(source, bytes | Mapping):
        return _of_rows(source, name)
    raise UsageError(f"{name} is a {type(source).__name__}; give a file, a list of dicts, or a data frame.")


def _budget(path: Path, limits: RowLimits | None, check: Callable[[], None] | None = None) -> Budget:
    if _suffix(path) not in FILE_SUFFIXES:
        known = f"{', '.join(FILE_SUFFIXES[:-1])} or {FILE_SUFFIXES[-1]}"
        raise UsageError(f"{path} isn't a table that can be read; give a file that ends in {known}.")
    budget = Budget(path, limits or RowLimits())
    if check is not None:
        budget.check = check
    return budget


def _suffix(path: Path) -> str:
    return path.suffix.lower()


def _check_opens(path: Path) -> None:
    """Say why a file cannot be read, before anything is made of it."""
    try:
        with path.open("rb"):
            pass
    except (OSError, ValueError) as problem:  # a name may hold what no name can
        said = getattr(problem, "strerror", None) or problem
        raise UnreadableError(str(path), f"cannot be read ({said}); check its name.") from problem


def _of_file(path: Path, limits: RowLimits | None) -> TextColumns:
    budget = _budget(path, limits)
    _check_opens(path)
    if _suffix(path) == _PARQUET:
        schema = parquet_schema(budget)
        return _joined(schema.names, map(_texts_of, parquet_batches(schema, budget)))
    table = _TABLES[_suffix(path)](budget)
    return _joined(table.names, table.chunks())


def _joined(names: Iterable[str], chunks: Iterable[TextChunk]) -> TextColumns:
    columns: TextColumns = {name: [] for name in names}
    for chunk in chunks:
        for values, more in zip(columns.values(), chunk, strict=True):
            values += more
    return columns


def _texts_of(batch: "pa.RecordBatch") -> TextChunk:
    return [list(map(text_of_value, column.to_pylist())) for column in batch.columns]


def _of_arrow(source: Any) -> TextColumns:
    import nanoarrow  # takes a while, and only this needs it

    stream = nanoarrow.ArrayStream(source)
    names = [field.name for field in stream.schema.fields]
    columns: TextColumns = {name: [] for name in names}
    for batch in stream:
        for at, name in enumerate(names):
            columns[name].extend(text_of_value(value) for value in batch.child(at).iter_py())
    return columns


def _of_rows(rows: Iterable[Any], name: str) -> TextColumns:
    columns: TextColumns = {}
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise UsageError(f"Row {number + 1} of {name} is a {type(row).__name__}; give rows as dicts.")
        for key, value in row.items():
            name_of = str(key)
            if name_of not in columns:
                columns[name_of] = [None] * number
            columns[name_of].append(text_of_value(value))
        for values in columns.values():
            if len(values) == number:
                values.append(None)
    return columns


# Reads Parquet by batches of Arrow; texts that it stores once are counted as often as they come.

BATCH_ROWS = 1 << 16
"""Rows of a batch: enough for the work on a batch to outweigh the work about it, and some ten megabytes at most."""


def parquet_schema(budget: Budget) -> "pa.Schema":
    """The columns of a file, with their types."""
    try:
        from pyarrow import parquet
    except ImportError as problem:
        raise MissingExtra("parquet", f"Reading {budget.path}") from problem
    with _problems(budget):
        schema = parquet.read_schema(budget.path)
        check_names(schema.names, budget)
        return schema.remove_metadata()


def parquet_batches(schema: "pa.Schema", budget: Budget) -> "Iterator[pa.RecordBatch]":
    """The rows of a file."""
    import pyarrow as pa
    from pyarrow import parquet

    budget = budget.again()
    with _problems(budget):
        texts = [one.name for one in schema if pa.types.is_string(one.type) or pa.types.is_binary(one.type)]
        with parquet.ParquetFile(budget.path, read_dictionary=texts) as file:
            for batch in file.iter_batches(BATCH_ROWS):
                budget.check()
                budget.spend_rows(batch.num_rows)
                yield from _decoded(batch, schema, budget)


def _decoded(batch: "pa.RecordBatch", schema: "pa.Schema", budget: Budget) -> "Iterator[pa.RecordBatch]":
    """A batch with its texts where they come; one that would be too large at once is cut in two."""
    import pyarrow as pa

    size = sum(_size(column, budget) for column in batch.columns)
    if size > budget.limits.row_bytes and batch.num_rows > 1:
        half = batch.num_rows // 2
        yield from _decoded(batch.slice(0, half), schema, budget)
        yield from _decoded(batch.slice(half), schema, budget)
        return
    budget.spend_bytes(size)
    columns = [
        column.dictionary_decode().cast(one.type) if isinstance(column, pa.DictionaryArray) else column
        for column, one in zip(batch.columns, schema, strict=True)
    ]
    found = pa.record_batch(columns, schema=schema)
    found.validate(full=True)  # texts that are none would be an error of whoever reads them later
    yield found


def _size(column: "pa.Array", budget: Budget) -> int:
    """The bytes of a column when every text is written where it comes."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not isinstance(column, pa.DictionaryArray):
        return int(column.nbytes)
    lengths = pc.binary_length(column.dictionary)
    budget.spend_cell(pc.max(lengths).as_py() or 0)
    return int(pc.sum(lengths.take(column.indices)).as_py() or 0) + 4 * len(column)


@contextmanager
def _problems(budget: Budget) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError) as problem:
        said = (str(problem).splitlines() or [type(problem).__name__])[0].rstrip(".")
        told = f"isn't a Parquet file, or is damaged ({said:.120}); check where it comes from."
        raise UnreadableError(str(budget.path), told) from problem
