"""A batch as two Delta tables: each shard is a transaction of the table's own log, in the commit of its rows."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from sightline.errors import MissingExtra, OutputError
from sightline.files import make_folder
from sightline.scale.output._parts import DOCUMENT_SCHEMA, DOCUMENTS, RECORDS, part_name

try:
    import deltalake
    from deltalake.exceptions import DeltaError
except ImportError as problem:
    raise MissingExtra("delta", "Writing a Delta table") from problem

APPLICATION = "sightline batch "
"""Before a shard's id in the log of the table, where other programs note their transactions, too."""

SHARDS_AT_ONCE = 200
"""Shards of one commit: a commit for each would make a log that takes longer to read than the rows."""


def deliver_delta(folder: Path, shards: Iterable[str], schema: Any, job: str, target: Path | None = None) -> int:
    """Add the files of shards to the Delta tables `records` and `documents`; shards that are there already are not.

    `job` tells the shards of one batch from those of another in the same table; `target` is the folder of the tables,
    without it `delta` in the batch's own. The number of rows that were added to `records`.
    """
    place = make_folder(target or folder / "delta")
    added = 0
    remaining = iter(shards)
    while some := list(islice(remaining, SHARDS_AT_ONCE)):
        # First the documents: what is in `records` is always explained there, whenever the power goes.
        _add(folder, place, DOCUMENTS, some, DOCUMENT_SCHEMA, job)
        added += _add(folder, place, RECORDS, some, schema, job)
    return added


def _add(folder: Path, place: Path, kind: str, shards: Sequence[str], schema: Any, job: str) -> int:
    table = make_folder(place / kind)
    try:
        known = deltalake.DeltaTable(table) if deltalake.DeltaTable.is_deltatable(str(table)) else None
        names = {shard: f"{APPLICATION}{job} {shard}" for shard in shards}
        new = [shard for shard in shards if known is None or known.transaction_version(names[shard]) is None]
        if not new:
            return 0
        paths = [folder / part_name(kind, shard) for shard in new]
        rows = _Counted(paths)
        deltalake.write_deltalake(
            table if known is None else known,
            pa.RecordBatchReader.from_batches(schema, rows),
            mode="append",
            commit_properties=deltalake.CommitProperties(
                app_transactions=[deltalake.Transaction(names[shard], 1) for shard in new]
            ),
        )
    except (DeltaError, OSError, pa.ArrowException) as problem:
        said = str(problem).splitlines()[0].rstrip(".")
        raise OutputError(
            f"{table}: Delta could not take the rows ({said:.300}); what was added before stays, so deliver again."
        ) from problem
    return rows.count


class _Counted:
    """The rows of files, one batch after the other."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self.count = 0

    def __iter__(self) -> Iterator[Any]:
        for path in self._paths:
            with parquet.ParquetFile(path) as file:
                for batch in file.iter_batches():
                    self.count += batch.num_rows
                    yield batch
