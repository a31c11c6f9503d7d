"""Queries of DuckDB over the rows of steps: its memory is bounded, and what does not fit goes to a folder."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from sightline.errors import UsageError
from sightline.flow._duckdb import not_allowed, open_duckdb
from sightline.flow.rows import BATCH_ROWS, RowBatches

__all__ = ["Duck"]

MEMORY_MB = 400
"""What DuckDB may use of the memory: a good part of the 1.5 GB that a whole run may take; the rest goes to disk."""


class Duck:
    """Runs queries over named tables; a table is anything that DuckDB reads by Arrow, and can be read often."""

    def __init__(
        self, tables: Mapping[str, Any], spill: Path, *, folders: Iterable[Path] = (), memory_mb: int = MEMORY_MB
    ) -> None:
        """Queries may read files in `folders` as well; in none if none is named."""
        self._tables = dict(tables)
        self._spill = spill
        self._folders = tuple(folders)
        self._memory_mb = memory_mb

    @contextmanager
    def _connected(self) -> Iterator["duckdb.DuckDBPyConnection"]:
        with open_duckdb(folders=self._folders, spill=self._spill, memory=f"{self._memory_mb}MB") as connection:
            for name, table in self._tables.items():
                connection.register(name, table)
            yield connection

    def query(self, sql: str) -> RowBatches:
        """The rows of a query; it is checked now, and run when the batches are asked for."""
        sql = sql.rstrip().removesuffix(";")
        with self._connected() as connection, _told(sql):
            # a line of its own, since a comment may end the query
            schema = _relation(connection, f"SELECT * FROM ({sql}\n) LIMIT 0").to_arrow_table().schema

        def batches() -> Iterator[pa.RecordBatch]:
            with self._connected() as connection, _told(sql):
                for batch in _relation(connection, sql).to_arrow_reader(BATCH_ROWS):
                    yield pa.record_batch(batch.columns, schema=schema)  # a name that came twice has another there

        return RowBatches(schema, batches)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """The few rows of a query."""
        with self._connected() as connection, _told(sql):
            return connection.execute(sql).fetchall()


def _relation(connection: "duckdb.DuckDBPyConnection", sql: str) -> Any:
    return connection.sql(sql)


@contextmanager
def _told(sql: str) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as problem:
        if isinstance(problem, duckdb.PermissionException):
            raise UsageError(not_allowed(problem)) from problem
        lines = str(problem).splitlines()
        said = lines[0].removesuffix(".")
        meant = next((line.strip() for line in lines[1:] if "Candidate" in line or "Did you mean" in line), "")
        hint = f" ({meant.rstrip('.')})" if meant else ""
        raise UsageError(f"the query “{' '.join(sql.split()):.80}” cannot be run: {said}{hint}; mend it.") from problem
