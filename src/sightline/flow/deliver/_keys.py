"""Checks the keys of rows that are staged in a Parquet file."""

from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from sightline.errors import OutputError
from sightline.flow.deliver._moves import numbered_rows

__all__ = ["check_keys"]


def check_keys(path: Path, key: Sequence[str], shown: str) -> None:
    """Raise an error that names the key and the rows if a key is empty or comes more than once."""
    if not key:
        return
    table = parquet.read_table(path, columns=list(key)).select(list(key))
    said = ", ".join(key)
    empty = pc.indices_nonzero(reduce(pc.or_, (pc.is_null(column) for column in table.columns)))
    if len(empty):
        raise OutputError(
            f"{shown}: the key {said} is empty in {_said(empty.to_pylist())} of the load; "
            "give each row a key, or append."
        )
    names = [f"k{place}" for place in range(len(key))]
    numbered = table.rename_columns(names).append_column("row", pa.array(range(table.num_rows), pa.int64()))
    counts = numbered.group_by(names).aggregate([("row", "count"), ("row", "list")])
    doubled = counts.filter(pc.greater(counts["row_count"], 1)).slice(0, 1).to_pylist()
    if doubled:
        values = ", ".join(f"{doubled[0][name]!r:.60}" for name in names)
        raise OutputError(
            f"{shown}: the key {said} is {values} in {_said(doubled[0]['row_list'])} of the load; "
            "keep one row of each key, or append."
        )


def _said(places: Sequence[int]) -> str:
    return numbered_rows([place + 1 for place in sorted(places)])
