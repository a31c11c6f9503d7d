"""Sequences of loads, held against a plain Python model of what should be there."""

import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.flow.deliver import Delivered, _key_watch, deliver

from ._databases import Database, DuckFile, PostgresDatabase, SqliteFile

START = datetime(2026, 1, 1, tzinfo=UTC)
# Few keys and values, so that most loads meet what is there; texts may be empty, which is not NULL.
LOADS = st.lists(
    st.dictionaries(st.integers(1, 5), st.tuples(st.none() | st.integers(0, 2), st.sampled_from(["", "a", None]))),
    max_size=6,
)
Row = tuple[int | None, str | None]


def _batch(rows: dict[int, Row]) -> list[pa.RecordBatch]:
    columns = [[*rows], [number for number, _ in rows.values()], [text for _, text in rows.values()]]
    types = (pa.int64(), pa.int32(), pa.string())
    arrays = [pa.array(column, type) for column, type in zip(columns, types, strict=True)]
    return [pa.record_batch(arrays, names=["id", "number", "text"])]


def _upserts(database: Database, table: str, loads: Sequence[dict[int, Row]]) -> None:
    model: dict[int, Row] = {}
    for number, rows in enumerate(loads):
        done = deliver(_batch(rows), database.target(table), load=str(number), mode="upsert", key=["id"])
        new = rows.keys() - model.keys()
        changed = {key for key in rows.keys() & model.keys() if rows[key] != model[key]}
        assert done == Delivered(len(rows), len(new), len(changed), len(rows) - len(new) - len(changed))
        model |= rows
    if loads:
        found = database.rows(f"SELECT id, number, text FROM {table}")
        assert sorted(found) == sorted((key, *row) for key, row in model.items())


def _history(database: Database, table: str, loads: Sequence[dict[int, Row]]) -> None:
    open_rows: dict[int, Row] = {}
    closed: list[tuple[int, Row]] = []
    for number, rows in enumerate(loads):
        at = START + timedelta(days=number)
        done = deliver(_batch(rows), database.target(table), load=str(number), mode="history", key=["id"], at=at)
        gone = open_rows.keys() - rows.keys()
        changed = {key for key in rows.keys() & open_rows.keys() if rows[key] != open_rows[key]}
        new = rows.keys() - open_rows.keys()
        unchanged = len(rows) - len(new) - len(changed)
        assert done == Delivered(len(rows), len(new), len(changed), unchanged, len(gone))
        closed += [(key, open_rows[key]) for key in gone | changed]
        open_rows = dict(rows)
    if loads:
        found = database.rows(f"SELECT id, number, text, valid_to IS NULL FROM {table}")
        expected = [(key, *row, True) for key, row in open_rows.items()] + [(key, *row, False) for key, row in closed]
        assert sorted(found, key=repr) == sorted([(*row[:3], bool(row[3])) for row in expected], key=repr)


def _runs(examples: int) -> settings:
    slow = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=examples, suppress_health_check=slow)


def _equals_the_model(kind: type[DuckFile | SqliteFile], loads: list[dict[int, Row]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = kind(Path(folder))
        _upserts(database, "upserts", loads)
        _history(database, "histories", loads)


@_runs(20)
@given(loads=LOADS)
def test_sqlite_equals_the_model(loads: list[dict[int, Row]]) -> None:
    """Whatever loads come, rows and counts are those of the model."""
    _equals_the_model(SqliteFile, loads)


# A load takes DuckDB twenty times as long as the other two, which run the same statements.
@pytest.mark.slow
@_runs(5)
@given(loads=LOADS.filter(lambda loads: len(loads) > 1))
def test_duckdb_equals_the_model(loads: list[dict[int, Row]]) -> None:
    """The same in DuckDB."""
    _equals_the_model(DuckFile, loads)


@pytest.mark.slow
@_runs(12)
@given(loads=LOADS)
@pytest.mark.parametrize("watched", [False, True])
def test_postgres_equals_the_model(
    postgres: PostgresDatabase, monkeypatch: pytest.MonkeyPatch, loads: list[dict[int, Row]], *, watched: bool
) -> None:
    """The same on the server, with keys that the database looks at and with such as are watched while they come."""
    if watched:
        monkeypatch.setattr(_key_watch, "FEW_ROWS", 0)
    postgres.run("DROP TABLE IF EXISTS upserts, histories, _sightline_loads")
    _upserts(postgres, "upserts", loads)
    _history(postgres, "histories", loads)
