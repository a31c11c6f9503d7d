"""The process that runs the function of a Python step; what it is to do comes as JSON on its standard input."""

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa

from sightline.errors import SightlineError, UsageError
from sightline.flow.run._python import function_of


def main() -> None:
    """Read the tables, call the function, and write what it gives."""
    told = json.loads(sys.stdin.buffer.read())
    tables = [_table(Path(path)) for path in told["tables"]]
    try:
        given = function_of(told["function"], Path.cwd())(*tables, **told["options"])
        table = _as_table(given)
    except SightlineError as problem:
        sys.exit(problem.message)
    with pa.OSFile(told["result"], "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=1 << 16)


def _table(path: Path) -> pa.Table:
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def _as_table(given: Any) -> pa.Table:
    """What the function gave as a table: anything that Arrow reads, such as a frame of pandas or polars."""
    if isinstance(given, pa.Table):
        return given
    if isinstance(given, pa.RecordBatch):
        return pa.Table.from_batches([given])
    if hasattr(given, "__arrow_c_stream__"):
        return pa.table(given)
    raise UsageError(f"The function gave {type(given).__name__}, not an Arrow table; return one, or a data frame.")


if __name__ == "__main__":
    main()
