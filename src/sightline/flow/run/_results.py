"""The rows of a step on disk: one Arrow file, written under another name and renamed when it is whole.

Arrow's own format, because it loses no type and is written three times as fast as Parquet.
"""

import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset

from sightline.errors import OutputError, UnreadableError
from sightline.files import FULL
from sightline.flow.rows import RowBatches

__all__ = ["dataset_of", "keep_rows", "kept_rows", "row_count"]

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
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    count = 0
    filled = {} if filled is None else filled
    filled.update(dict.fromkeys(schema.names, 0))
    try:
        with pa.OSFile(str(temporary), "wb") as file, pa.ipc.new_file(file, schema, options=_OPTIONS) as writer:
            for batch in batches:
                if batch.num_rows:
                    writer.write_batch(batch)
                count += batch.num_rows
                for name, column in zip(schema.names, batch.columns, strict=True):
                    filled[name] += len(column) - column.null_count
                on_rows(count)
        with temporary.open("rb") as written:  # before the state of the run says that they are there
            os.fsync(written.fileno())
        temporary.replace(path)
    except OSError as problem:
        remedy = "free some space, and run it again" if problem.errno in FULL else "choose another place for the store"
        raise OutputError(f"Could not write {path}: {problem.strerror or problem}; {remedy}.") from problem
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
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
