"""How long an upsert of a million rows takes, beside the bare bulk load of the same rows: python -m bench.flow.deliver.

The bare loads are the shortest way that each database has: DuckDB makes a table of the Arrow batches, and PostgreSQL
gets them by COPY, as CSV that Arrow writes. They check no key, and loaded twice they have all rows twice. Both sides
are measured in turn, so that a busy machine is busy for both. The bare COPY writes each batch and then sends it; ours
writes the next one meanwhile, which is part of what is measured.
"""

import io
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter

import duckdb
import numpy as np
import psycopg
import pyarrow as pa
from pyarrow import csv

from bench.flow.postgres import LocalPostgres
from bench.frame import Figure, tell
from sightline.flow.deliver import deliver

ROWS, BATCH = 1_000_000, 65_536
TIMES = 3
MOST = 2.0
CHANGED = 20  # one row in so many differs in the second load, and one in so many is new
COLUMNS = (
    "id bigint, name text, price bigint, weight double precision, shop text, stock boolean, region text, rank bigint"
)


def deliver_figures(rows: int = ROWS, times: int = TIMES) -> list[Figure]:
    """Upserts into an empty and into a full table, for both databases."""
    first, second = _offers(rows, 0), _offers(rows, 1)
    with tempfile.TemporaryDirectory() as folder:
        figures = _figures("DuckDB", lambda: _on_duckdb(Path(folder), first, second), times)
    with closing(LocalPostgres()) as server:
        figures += _figures("PostgreSQL", lambda: _on_postgres(server, first, second), times)
    return figures


def medians(work: Callable[[], tuple[float, ...]], times: int) -> list[float]:
    """The medians of what some work takes in its parts."""
    return [median(several) for several in zip(*(work() for _ in range(times)), strict=True)]


def _figures(name: str, work: Callable[[], tuple[float, ...]], times: int) -> list[Figure]:
    bare, empty, full = medians(work, times)
    return [
        Figure.ratio(f"{name}: upsert of 1 million rows", empty, bare, MOST, "lower", "x bare"),
        Figure.ratio(f"{name}: the same again, 5 % changed and 5 % new", full, bare, MOST, "lower", "x bare"),
    ]


def _offers(rows: int, load: int) -> list[pa.RecordBatch]:
    """Offers of shops; those of the next load have other prices here and there, and some are new."""
    chance = np.random.default_rng(20)
    ids = np.arange(rows)
    ids[::CHANGED] += rows * load
    prices = chance.integers(100, 100_000, rows)
    prices[1::CHANGED] += load
    columns = {
        "id": pa.array(ids[chance.permutation(rows)]),  # those of an extraction come in no order
        "name": pa.array([f"Camera model {number}" for number in range(rows)]),
        "price": pa.array(prices),
        "weight": pa.array(chance.random(rows)),
        "shop": pa.array([f"shop {number % 10}" for number in range(rows)]),
        "stock": pa.array(chance.random(rows) > 0.5),
        "region": pa.array([f"region {number % 7}" for number in range(rows)]),
        "rank": pa.array(chance.integers(0, 1_000, rows)),
    }
    return pa.table(columns).to_batches(max_chunksize=BATCH)


def timed(work: Callable[[], object]) -> float:
    """How many seconds some work takes."""
    began = perf_counter()
    work()
    return perf_counter() - began


def _on_duckdb(folder: Path, first: list[pa.RecordBatch], second: list[pa.RecordBatch]) -> tuple[float, float, float]:
    bare, own = folder / "bare.duckdb", folder / "own.duckdb"
    for path in (bare, own):
        path.unlink(missing_ok=True)
    return timed(lambda: load_bare(bare, first)), *_upserts(f"{own}#offers", first, second)


def _upserts(target: str, first: list[pa.RecordBatch], second: list[pa.RecordBatch]) -> tuple[float, float]:
    return (
        timed(lambda: deliver(first, target, load="1", mode="upsert", key=["id"])),
        timed(lambda: deliver(second, target, load="2", mode="upsert", key=["id"])),
    )


def _on_postgres(
    server: LocalPostgres, first: list[pa.RecordBatch], second: list[pa.RecordBatch]
) -> tuple[float, float, float]:
    clear(server, COLUMNS)
    bare = timed(lambda: copy_bare(server.url(), first))
    return bare, *_upserts(f"{server.url()}#offers", first, second)


def clear(server: LocalPostgres, columns: str) -> None:
    """Empty tables, and nothing left for the server to write of what was before."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS bare, offers, _sightline_loads")
        connection.execute(f"CREATE TABLE bare ({columns})")
        connection.execute("CHECKPOINT")


def load_bare(path: Path, batches: list[pa.RecordBatch]) -> None:
    """Load batches into a table of a new file of DuckDB."""
    reader = pa.RecordBatchReader.from_batches(batches[0].schema, batches)
    with duckdb.connect(str(path)) as connection:
        connection.register("incoming", reader)
        connection.execute("CREATE TABLE offers AS SELECT * FROM incoming")


def copy_bare(url: str, batches: list[pa.RecordBatch]) -> None:
    """Load batches into the table `bare` by COPY."""
    with (
        psycopg.connect(url) as connection,
        connection.cursor() as cursor,
        cursor.copy("COPY bare FROM STDIN (FORMAT csv)") as copy,
    ):
        for batch in batches:
            written = io.BytesIO()
            csv.write_csv(batch, written, csv.WriteOptions(include_header=False))
            copy.write(written.getvalue())


if __name__ == "__main__":
    tell(deliver_figures())
