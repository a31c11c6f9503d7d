"""Reads Parquet by batches of Arrow; texts that it stores once are counted as often as they come."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sightline.errors import MissingExtra, UnreadableError
from sightline.flow.rows._limits import Budget
from sightline.flow.rows._table import check_names

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["BATCH_ROWS", "parquet_batches", "parquet_schema"]

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
        told = f"is no Parquet file, or a damaged one ({said:.120}); check where it comes from."
        raise UnreadableError(str(budget.path), told) from problem
