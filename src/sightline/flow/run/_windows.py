"""A few rows out of a file of many: only the batches that hold them are read."""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import pyarrow as pa

__all__ = ["RowWindows"]


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
