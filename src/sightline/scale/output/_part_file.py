"""A Parquet file that is written under a temporary name, and digested while it is written."""

import hashlib
import os
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

from sightline.errors import MissingExtra, OutputError
from sightline.files import writing

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError as problem:
    raise MissingExtra("flow", "Writing the rows of a batch") from problem

__all__ = ["PartWriter", "explained"]

COMPRESSION = "zstd"
"""A quarter smaller than Snappy on rows of pages, and as fast to read."""


class _Digesting:
    """A file that is digested as it is written; Parquet is written from the first byte to the last."""

    def __init__(self, path: Path) -> None:
        self._stream = path.open("wb")
        self.digest = hashlib.sha256()
        self.bytes = 0
        self.closed = False

    def write(self, content: Any) -> int:
        """Write, and digest what is written."""
        self._stream.write(content)
        self.digest.update(content)
        self.bytes += len(content)
        return len(content)

    def tell(self) -> int:
        """How much is written."""
        return self.bytes

    def flush(self) -> None:
        """Leave it to `sync`."""

    def sync(self) -> None:
        """Have everything on disk."""
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def close(self) -> None:
        """Close the file."""
        self.closed = True
        self._stream.close()


class PartWriter:
    """Writes batches of rows to a file; whatever ends the writing early, nothing is left of it.

    Use it in a `with` block: at the end of the block the file is complete and on disk.
    """

    def __init__(self, path: Path, schema: Any) -> None:
        self.path, self._schema = path, schema
        self.rows = 0

    def __enter__(self) -> "PartWriter":
        with explained(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = _Digesting(self.path)
        self._writer = parquet.ParquetWriter(self._file, self._schema, compression=COMPRESSION)
        return self

    def write(self, *batches: Any) -> None:
        """Write some rows, as one row group."""
        rows = pa.Table.from_batches(batches, self._schema)
        with explained(self.path):
            self._writer.write_table(rows)
        self.rows += rows.num_rows

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            with explained(self.path):
                self._writer.close()
                self._file.sync()
        except OutputError:
            kind = OutputError
            raise
        finally:
            self._file.close()
            if kind is not None:
                with suppress(OSError):
                    self.path.unlink(missing_ok=True)

    @property
    def bytes(self) -> int:
        """The size of the file."""
        return self._file.bytes

    @property
    def sha256(self) -> str:
        """The digest of the whole file."""
        return self._file.digest.hexdigest()


def explained(path: Path) -> AbstractContextManager[None]:
    """Turn an error of the system into one that says what to do."""
    return writing(path, remedy="see that the folder can be written to", then=", then start the batch again")
