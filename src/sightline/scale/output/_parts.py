"""The files of a shard: its rows and its documents, written under temporary names and renamed when all is on disk."""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from sightline.errors import MissingExtra, OutputError
from sightline.files import sync_folder, writing
from sightline.scale.output._facts import STATUSES, DocumentOutcome, PartFacts, PartFile, causes_of, most_common
from sightline.scale.output._layout import escaped, storable_text
from sightline.scale.output._rows import FIRST, LAST, RowMaker, unpacked

RECORDS, DOCUMENTS = "records", "documents"
"""The two folders of an output: rows, and what became of each document."""

_TEMPORARIES = ".part-*.tmp"

BATCH_BYTES = 16_000_000
"""Of packed rows that become one row group; writing takes some ten times as much memory for a moment."""

BATCH_DOCUMENTS = 1000

DOCUMENT_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("source", pa.string()),
        ("url", pa.string()),
        ("status", pa.string()),
        ("reasons", pa.list_(pa.string())),
        ("cause", pa.string()),
        ("page", pa.string()),
        ("bytes", pa.int64()),
        ("seconds", pa.float64()),
        ("cpu_seconds", pa.float64()),
        ("rows", pa.int64()),
        ("shard", pa.string()),
        ("wrapper", pa.string()),
    ]
)
"""The columns of `documents/`; `wrapper` is the digest of the wrapper's text, and empty without one."""


def part_name(kind: str, shard: str) -> str:
    """The name of a shard's file within the output folder.

    >>> part_name(RECORDS, "000017")
    'records/part-000017.parquet'
    """
    return f"{kind}/part-{shard}.parquet"


def _temporary(kind: str, shard: str, fence: int) -> str:
    """A name that readers of folders skip; nobody else writes to it, since a fence has one holder."""
    return f"{kind}/.part-{shard}.{fence}.tmp"


def write_parts(
    folder: Path, shard: str, fence: int, outcomes: Iterable[DocumentOutcome], maker: RowMaker
) -> PartFacts:
    """Write the rows and the documents of a shard under temporary names, so that they outlive a loss of power.

    `publish_parts` gives them their names. Memory does not grow with the rows of the outcomes.
    """
    tally = _Tally(len(maker.fields))
    with (
        PartWriter(folder / _temporary(RECORDS, shard, fence), maker.schema) as records,
        PartWriter(folder / _temporary(DOCUMENTS, shard, fence), DOCUMENT_SCHEMA) as documents,
    ):
        about = []
        for some in _batches(outcomes):
            batch = _record_batch(some, maker)
            tally.add(some, batch)
            records.write(batch)
            about.append(_document_batch(some, shard, maker.version))
        # At once, since few documents of long texts would make many row groups, each of which costs 2 kB.
        documents.write(*about)
    files = [
        PartFile(part_name(kind, shard), part.bytes, part.rows, part.sha256)
        for kind, part in ((RECORDS, records), (DOCUMENTS, documents))
    ]
    return tally.facts(tuple(files))


def publish_parts(folder: Path, facts: PartFacts, shard: str, fence: int) -> None:
    """Give the files of a shard their names; files of an earlier try are replaced.

    To publish twice does nothing the second time.
    """
    for kind, file in zip((RECORDS, DOCUMENTS), facts.files, strict=True):
        temporary, final = folder / _temporary(kind, shard, fence), folder / file.name
        with explained(final):
            try:
                temporary.replace(final)
            except FileNotFoundError as problem:
                if not final.exists() or hashlib.sha256(final.read_bytes()).hexdigest() != file.sha256:
                    raise OutputError(
                        f"{temporary} is gone before it got its name; start the batch again, which makes it anew."
                    ) from problem
            sync_folder(final.parent)


def discard_parts(folder: Path, shard: str, fence: int) -> None:
    """Remove what a try left under temporary names, if anything."""
    for kind in (RECORDS, DOCUMENTS):
        with suppress(OSError):
            (folder / _temporary(kind, shard, fence)).unlink(missing_ok=True)


def discard_all_parts(folder: Path) -> None:
    """Remove what all tries left under temporary names: those of workers that were killed, when nobody works."""
    for kind in (RECORDS, DOCUMENTS):
        for path in (folder / kind).glob(_TEMPORARIES):
            with suppress(OSError):
                path.unlink(missing_ok=True)


class _Tally:
    """Counts what goes into the files of a shard."""

    def __init__(self, width: int) -> None:
        self._statuses: Counter[str] = Counter()
        self._causes: Counter[Any] = Counter()
        self._filled = [0] * width
        self._ids = hashlib.sha256()
        self._documents = self._rows = self._bytes = 0
        self._seconds = self._cpu_seconds = self._slowest = 0.0

    def add(self, outcomes: Sequence[DocumentOutcome], rows: Any) -> None:
        """Count some documents and their rows."""
        for one in outcomes:
            self._ids.update(("\n" * bool(self._documents) + escaped(one.id)).encode())
            self._documents += 1
        self._statuses.update(one.status for one in outcomes)
        self._causes.update(causes_of(outcomes))
        self._rows += rows.num_rows
        self._bytes += sum(one.bytes for one in outcomes)
        self._seconds += sum(one.seconds for one in outcomes)
        self._cpu_seconds += sum(one.cpu_seconds for one in outcomes)
        self._slowest = max(self._slowest, *(one.seconds for one in outcomes))
        for place, column in enumerate(rows.columns[len(FIRST) : -len(LAST)]):
            self._filled[place] += _filled(column)

    def facts(self, files: tuple[PartFile, ...]) -> PartFacts:
        """All that was counted."""
        ok, suspicious, failed, quarantined = (self._statuses[status] for status in STATUSES)
        return PartFacts(
            documents=self._documents,
            ok=ok,
            suspicious=suspicious,
            failed=failed,
            quarantined=quarantined,
            rows=self._rows,
            bytes=self._bytes,
            seconds=self._seconds,
            cpu_seconds=self._cpu_seconds,
            files=files,
            ids_digest=self._ids.hexdigest(),
            filled=tuple(self._filled),
            causes=most_common(self._causes),
            slowest=self._slowest,
        )


def _filled(column: Any) -> int:
    """How many rows have a value; an empty list has none."""
    if pa.types.is_list(column.type):
        return int(pc.sum(pc.greater(pc.list_value_length(column), 0)).as_py() or 0)
    return int(len(column) - column.null_count)


def _batches(outcomes: Iterable[DocumentOutcome]) -> Iterator[list[DocumentOutcome]]:
    """Outcomes in pieces that fit into memory."""
    some: list[DocumentOutcome] = []
    size = 0
    for one in outcomes:
        some.append(one)
        size += len(one.rows)
        if size >= BATCH_BYTES or len(some) == BATCH_DOCUMENTS:
            yield some
            some, size = [], 0
    if some:
        yield some


def _record_batch(outcomes: Sequence[DocumentOutcome], maker: RowMaker) -> Any:
    packed = [unpacked(one.rows) for one in outcomes]
    first: list[list[Any]] = [[], [], [], []]
    for one, rows in zip(outcomes, packed, strict=True):
        count = len(rows)
        first[0] += [escaped(one.id)] * count
        first[1] += [escaped(one.source)] * count
        first[2] += range(1, count + 1)
        first[3] += [one.status] * count
    columns = list(zip(*(row for rows in packed for row in rows), strict=True)) or [()] * (
        len(maker.schema) - len(FIRST)
    )
    arrays = [pa.array(values, field.type) for values, field in zip([*first, *columns], maker.schema, strict=True)]
    return pa.record_batch(arrays, schema=maker.schema)


def _document_batch(outcomes: Sequence[DocumentOutcome], shard: str, version: str) -> Any:
    columns: list[Any] = [
        [escaped(one.id) for one in outcomes],
        [escaped(one.source) for one in outcomes],
        [escaped(one.url) for one in outcomes],
        [one.status for one in outcomes],
        [[storable_text(reason) for reason in one.reasons] for one in outcomes],
        [storable_text(one.cause) for one in outcomes],
        [one.page for one in outcomes],
        [one.bytes for one in outcomes],
        [one.seconds for one in outcomes],
        [one.cpu_seconds for one in outcomes],
        [one.row_count for one in outcomes],
        [shard] * len(outcomes),
        [version] * len(outcomes),
    ]
    arrays = [pa.array(values, field.type) for values, field in zip(columns, DOCUMENT_SCHEMA, strict=True)]
    return pa.record_batch(arrays, schema=DOCUMENT_SCHEMA)


# -- A Parquet file that is written under a temporary name, and digested while it is written ------------------------

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError as problem:
    raise MissingExtra("flow", "Writing the rows of a batch") from problem


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
