"""Checks the keys of rows that are staged in a Parquet file."""

from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from sightline.errors import OutputError

__all__ = ["check_keys"]

SHOWN = 5  # rows that an error names


def check_keys(path: Path, key: Sequence[str], shown: str) -> None:
    """Raise an error that names the key and the rows if a key is empty or comes more than once."""
    if not key:
        return
    table = parquet.read_table(path, columns=list(key)).select(list(key))
    said = ", ".join(key)
    empty = pc.indices_nonzero(reduce(pc.or_, (pc.is_null(column) for column in table.columns)))
    if len(empty):
        raise OutputError(
            f"{shown}: the key {said} is empty in {_rows(empty)} of the load; give each row a key, or append."
        )
    names = [f"k{place}" for place in range(len(key))]
    numbered = table.rename_columns(names).append_column("row", pa.array(range(table.num_rows), pa.int64()))
    counts = numbered.group_by(names).aggregate([("row", "count"), ("row", "list")])
    doubled = counts.filter(pc.greater(counts["row_count"], 1)).slice(0, 1).to_pylist()
    if doubled:
        values = ", ".join(f"{doubled[0][name]!r:.60}" for name in names)
        raise OutputError(
            f"{shown}: the key {said} is {values} in {_rows(sorted(doubled[0]['row_list']))} of the load; "
            "keep one row of each key, or append."
        )


def _rows(places: Any) -> str:
    """Rows by their numbers, counted from 1."""
    numbers = [str(int(str(place)) + 1) for place in places[:SHOWN]]
    more = ", …" if len(places) > SHOWN else ""
    return f"row{'s' * (len(numbers) > 1)} {', '.join(numbers)}{more}"
