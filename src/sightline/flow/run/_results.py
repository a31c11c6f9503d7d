"""The rows of a step on disk: one Arrow file, written under another name and renamed when it is whole.

Arrow's own format, because it loses no type and is written three times as fast as Parquet.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset

from sightline.errors import UnreadableError
from sightline.files import put_in_place, writing
from sightline.flow.rows import RowBatches

__all__ = ["RowWindows", "dataset_of", "keep_rows", "kept_rows", "row_count"]

_OPTIONS = pa.ipc.IpcWriteOptions(compression="lz4")
OnRows = Callable[[int], None]


def keep_rows(
    path: Path,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch],
    on_rows: OnRows,
    filled: dict[str, int] | None = None,
) -> int:
    """Write batches to a file and return the number of rows; on any failure nothing is there.

    `filled` gets the number of values of each column, which is known while they are written and costly later.
    """
    count = 0
    filled = {} if filled is None else filled
    filled.update(dict.fromkeys(schema.names, 0))
    remedy, full = "choose another place for the store", "free some space, and run it again"
    with (
        writing(path, remedy, full),
        put_in_place(path) as temporary,
        pa.OSFile(str(temporary), "wb") as file,
        pa.ipc.new_file(file, schema, options=_OPTIONS) as writer,
    ):
        for batch in batches:
            if batch.num_rows:
                writer.write_batch(batch)
            count += batch.num_rows
            for name, column in zip(schema.names, batch.columns, strict=True):
                filled[name] += len(column) - column.null_count
            on_rows(count)
    return count


def kept_rows(path: Path) -> RowBatches:
    """The rows of a file that was kept."""
    with _told(path), pa.OSFile(str(path), "rb") as file, pa.ipc.open_file(file) as reader:
        schema = reader.schema
        _ = schema.names  # which are decoded only now

    def batches() -> Iterator[pa.RecordBatch]:
        with _told(path), pa.OSFile(str(path), "rb") as file, pa.ipc.open_file(file) as reader:
            for number in range(reader.num_record_batches):
                batch = reader.get_batch(number)
                batch.validate(full=True)  # or a changed byte would be looked for far beyond the file
                yield batch

    return RowBatches(schema, batches)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Say what to do about rows that can no longer be read."""
    try:
        yield
    except (pa.ArrowException, OSError, ValueError, OverflowError) as problem:
        said = (str(problem).splitlines() or [type(problem).__name__])[0].rstrip(".")
        told = f"the rows that were kept here are damaged ({said:.120}); run the flow again with --fresh."
        raise UnreadableError(str(path), told) from problem


def row_count(path: Path) -> int:
    """How many rows a file has."""
    with _told(path):
        return int(dataset_of(path).count_rows())


def dataset_of(path: Path) -> "pa.dataset.Dataset":
    """A file as DuckDB reads it: column by column, as often as it likes."""
    with _told(path):
        return pa.dataset.dataset(str(path), format="ipc")


# A few rows out of a file of many: only the batches that hold them are read.


@dataclass(frozen=True)
class RowWindows:
    """A file of rows, looked at window by window; where each batch begins is found out once.

    A batch holds at most 65,536 rows, so that any window of a few hundred costs about as much as any other.
    """

    path: Path
    schema: pa.Schema
    starts: tuple[int, ...]
    """The number of the first row of each batch, and at the end that of all rows."""

    @classmethod
    def of(cls, path: Path) -> "RowWindows":
        """Look at a file; only its first column is read, to count the rows of the batches."""
        with pa.memory_map(str(path)) as file:
            with pa.ipc.open_file(file) as whole:
                schema = whole.schema
            if not schema.names:
                return cls(path, schema, (0,))
            options = pa.ipc.IpcReadOptions(included_fields=[_narrowest(schema)])
            with pa.ipc.open_file(file, options=options) as reader:
                sizes = [reader.get_batch(number).num_rows for number in range(reader.num_record_batches)]
        return cls(path, schema, tuple(accumulate(sizes, initial=0)))

    @property
    def total(self) -> int:
        """How many rows there are."""
        return self.starts[-1]

    def window(self, offset: int, limit: int) -> pa.Table:
        """The rows from `offset` on, at most `limit`."""
        first = min(max(offset, 0), self.total)
        last = min(first + max(limit, 0), self.total)
        parts: list[pa.RecordBatch] = []
        if first < last:
            with pa.memory_map(str(self.path)) as file, pa.ipc.open_file(file) as reader:
                for number in range(bisect_right(self.starts, first) - 1, bisect_right(self.starts, last - 1)):
                    start = self.starts[number]
                    own = reader.get_batch(number).slice(max(first - start, 0), last - max(first, start))
                    parts += [own] if own.num_rows else []
                return pa.Table.from_batches(parts, self.schema).combine_chunks()
        return pa.Table.from_batches(parts, self.schema)


def _narrowest(schema: pa.Schema) -> int:
    """The column that is read fastest: numbers rather than texts, texts rather than lists."""
    kinds = [field.type for field in schema]
    return min(range(len(kinds)), key=lambda at: (pa.types.is_nested(kinds[at]), not _is_fixed(kinds[at]), at))


def _is_fixed(kind: pa.DataType) -> bool:
    return bool(pa.types.is_primitive(kind) or pa.types.is_decimal(kind))
