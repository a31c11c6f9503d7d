"""Loads of due dates: one that is delivered again replaces what it delivered, and a late one goes into its place."""

import tempfile
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver import DatedLoad, Delivered, DeliveryMode, deliver

from ._databases import Database, DuckFile, PostgresDatabase, SqliteFile

START = datetime(2026, 11, 1, 6, 30, tzinfo=UTC)
Prices = dict[int, int | None]


def dated(day: int, revision: str = "a", **more: object) -> DatedLoad:
    """The load of a day in November."""
    return DatedLoad("prices/kept", START + timedelta(days=day - 1), revision, "store", **more)  # type: ignore[arg-type]


def batches(prices: Prices) -> list[pa.RecordBatch]:
    """Prices by their numbers."""
    columns = [pa.array(list(prices), pa.int64()), pa.array(list(prices.values()), pa.int64())]
    return [pa.record_batch(columns, names=["id", "price"])]


def send(database: Database, prices: Prices, load: DatedLoad, mode: DeliveryMode, **more: object) -> Delivered:
    """Deliver prices."""
    key = ["id"] if mode in ("upsert", "history") else []
    return deliver(batches(prices), database.target(), load=load, mode=mode, key=key, **more)  # type: ignore[arg-type]


def prices_in(database: Database) -> list[tuple[object, ...]]:
    """All rows, in order."""
    return database.rows("SELECT id, price FROM prices ORDER BY id, price")


def test_a_day_that_is_appended_again_replaces_its_rows(database: Database) -> None:
    """Those of other days stay; the same revision again does nothing."""
    send(database, {1: 10, 2: 20}, dated(1), "append")
    send(database, {1: 11, 2: 21}, dated(2), "append")
    again = send(database, {1: 12, 3: 30}, dated(1, "b"), "append")
    assert (again.inserted, again.replaced) == (2, 2)
    assert prices_in(database) == [(1, 11), (1, 12), (2, 21), (3, 30)]
    assert send(database, {9: 9}, dated(1, "b"), "append").was_done
    assert send(database, {}, dated(2, "b"), "append").replaced == 2
    assert prices_in(database) == [(1, 12), (3, 30)]


def test_rows_that_nobody_can_tell_apart_are_not_replaced(database: Database) -> None:
    """A table of somebody else's has no column for the load: its rows are added, and never replaced by a guess."""
    deliver(batches({1: 10}), database.target(), load="mine", mode="append")
    send(database, {2: 20}, dated(1), "append")
    with pytest.raises(OutputError, match="no column _sightline_load says which they are"):
        send(database, {2: 21}, dated(1, "b"), "append")
    assert prices_in(database) == [(1, 10), (2, 20)]


def test_a_table_gets_the_column_of_loads_if_changes_are_allowed(database: Database) -> None:
    """And rows of before have none."""
    deliver(batches({1: 10}), database.target(), load="mine", mode="append")
    send(database, {2: 20}, dated(1), "append", allow_schema_changes=True)
    assert send(database, {2: 21}, dated(1, "b"), "append").replaced == 1
    deliver(batches({3: 30}), database.target(), load="mine too", mode="append")
    found = database.rows("SELECT id, price, _sightline_load FROM prices ORDER BY id")
    assert found == [(1, 10, None), (2, 21, "prices/kept/2026-11-01T06:30:00Z"), (3, 30, None)]


def test_another_store_is_not_another_revision(database: Database) -> None:
    """Two stores that deliver the same date of a flow of the same name would replace each other's rows."""
    send(database, {1: 10}, dated(1), "append")
    other = DatedLoad("prices/kept", START, "b", "elsewhere")
    with pytest.raises(OutputError, match="by a run of another store"):
        send(database, {1: 11}, other, "append")


def test_a_late_day_does_not_replace_a_later_one(database: Database) -> None:
    """A table that shows the latest day goes on showing it; the day itself again is another matter."""
    send(database, {1: 12}, dated(2), "replace")
    late = send(database, {1: 10}, dated(1), "replace")
    assert (late.rows, bool(late.later)) == (0, True)
    assert prices_in(database) == [(1, 12)]
    assert not send(database, {1: 13}, dated(2, "b"), "replace").later
    assert prices_in(database) == [(1, 13)]


def test_a_late_day_updates_nothing_that_a_later_one_brought(database: Database) -> None:
    """But keys that no other day had are added."""
    send(database, {1: 12}, dated(2), "upsert")
    late = send(database, {1: 10, 5: 50}, dated(1), "upsert")
    assert (late.inserted, late.updated, bool(late.later)) == (1, 0, True)
    assert prices_in(database) == [(1, 12), (5, 50)]
    assert send(database, {1: 14}, dated(3), "upsert").updated == 1


def test_loads_of_other_steps_say_nothing_about_what_is_late(database: Database) -> None:
    """Two flows may keep their rows in one table."""
    send(database, {1: 12}, dated(5), "upsert")
    other = DatedLoad("others/kept", START, "a", "store")
    assert not send(database, {1: 13}, other, "upsert").later
    assert prices_in(database) == [(1, 13)]


HISTORY = "SELECT id, price, valid_from, valid_to FROM prices ORDER BY id, valid_from"


def _days(database: Database) -> list[tuple[object, ...]]:
    """The history with days in place of instants."""
    return [(id, price, _day(since), _day(until)) for id, price, since, until in database.rows(HISTORY)]


def _day(instant: object) -> int | None:
    if instant is None:
        return None
    found = datetime.fromisoformat(str(instant))
    return (found.astimezone(UTC) - START).days + 1


def reaching_back(database: Database) -> None:
    """Only the databases with an engine of their own take late loads of histories."""
    if "sqlalchemy" in database.target():
        pytest.skip("histories by SQLAlchemy take loads in the order of their instants")


def test_a_late_day_goes_into_its_place_in_a_history(database: Database) -> None:
    """What was known before and afterwards stays, and what is the same is one row."""
    reaching_back(database)
    send(database, {1: 10, 2: 20, 3: 30}, dated(1), "history")
    send(database, {1: 10, 2: 22, 4: 40}, dated(5), "history")
    done = send(database, {1: 10, 2: 21, 4: 40}, dated(3), "history")
    assert (done.inserted, done.updated, done.unchanged, done.closed) == (1, 1, 1, 1)
    assert _days(database) == [
        (1, 10, 1, None),
        (2, 20, 1, 3),
        (2, 21, 3, 5),
        (2, 22, 5, None),
        (3, 30, 1, 3),
        (4, 40, 3, None),
    ]


def test_a_day_again_replaces_what_it_said_in_a_history(database: Database) -> None:
    """Up to the next day of which there was a load, also if that changed nothing."""
    reaching_back(database)
    for day in (1, 2, 3):
        send(database, {1: 10}, dated(day), "history")
    send(database, {1: 11, 2: 20}, dated(2, "b"), "history")
    assert _days(database) == [(1, 10, 1, 2), (1, 11, 2, 3), (1, 10, 3, None), (2, 20, 2, 3)]
    send(database, {1: 10}, dated(2, "c"), "history")
    assert _days(database) == [(1, 10, 1, None)]


def test_a_late_day_that_is_not_complete_closes_nothing(database: Database) -> None:
    """Keys that did not come stay as they were."""
    reaching_back(database)
    send(database, {1: 10, 2: 20}, dated(1), "history")
    send(database, {1: 10, 2: 20}, dated(3), "history")
    send(database, {1: 15}, dated(2), "history", complete=False)
    assert _days(database) == [(1, 10, 1, 2), (1, 15, 2, 3), (1, 10, 3, None), (2, 20, 1, None)]


def test_two_loads_of_one_instant_are_a_mistake(database: Database) -> None:
    """One of the two would be lost."""
    send(database, {1: 10}, dated(1), "history")
    with pytest.raises(UsageError, match="give each load an instant of its own"):
        deliver(batches({1: 11}), database.target(), load="mine", mode="history", key=["id"], at=START)


# ---------------------------------------------------------------------- folders

FOLDERS = ("parquet", "delta")


def _sent(folder: Path, kind: str, prices: Prices, load: DatedLoad | str, mode: DeliveryMode) -> Delivered:
    key = ["id"] if mode == "upsert" else []
    return deliver(batches(prices), f"{kind}:{folder}/", load=load, mode=mode, key=key)


def _rows_of(folder: Path, kind: str) -> list[tuple[object, ...]]:
    """All rows of a folder, in order."""
    if kind == "delta":
        table = pytest.importorskip("deltalake").DeltaTable(folder).to_pyarrow_dataset().to_table()
    else:
        table = pa.concat_tables([parquet.read_table(path) for path in sorted(folder.glob("*.parquet"))])
    return sorted((row["id"], row["price"]) for row in table.select(["id", "price"]).to_pylist())


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_day_again_replaces_its_rows_in_a_folder(tmp_path: Path, kind: str) -> None:
    """As in a table; loads without a date are added beside it."""
    folder = tmp_path / "rows"
    _sent(folder, kind, {1: 10, 2: 20}, dated(1), "append")
    _sent(folder, kind, {1: 11}, dated(2), "append")
    _sent(folder, kind, {7: 70}, "mine", "append")
    again = _sent(folder, kind, {1: 12, 3: 30}, dated(1, "b"), "append")
    assert (again.inserted, again.replaced) == (2, 2)
    assert _rows_of(folder, kind) == [(1, 11), (1, 12), (3, 30), (7, 70)]
    assert _sent(folder, kind, {9: 9}, dated(1, "b"), "append").was_done
    _sent(folder, kind, {1: 13}, dated(1, "c"), "append")
    assert _rows_of(folder, kind) == [(1, 11), (1, 13), (7, 70)]


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_late_day_does_not_replace_a_later_one_in_a_folder(tmp_path: Path, kind: str) -> None:
    """What the folder shows stays; the day itself again replaces it."""
    folder = tmp_path / "rows"
    _sent(folder, kind, {1: 12}, dated(2), "replace")
    assert _sent(folder, kind, {1: 10}, dated(1), "replace").later
    assert _rows_of(folder, kind) == [(1, 12)]
    assert not _sent(folder, kind, {1: 13}, dated(2, "b"), "replace").later
    assert _rows_of(folder, kind) == [(1, 13)]


def test_a_late_day_updates_nothing_later_in_delta(tmp_path: Path) -> None:
    """But adds keys that no other day had."""
    folder = tmp_path / "rows"
    _sent(folder, "delta", {1: 12}, dated(2), "upsert")
    late = _sent(folder, "delta", {1: 10, 5: 50}, dated(1), "upsert")
    assert (late.inserted, late.updated) == (1, 0)
    assert _rows_of(folder, "delta") == [(1, 12), (5, 50)]


# ---------------------------------------------------------------------- against a model

LOADS = st.lists(
    st.tuples(st.integers(1, 6), st.dictionaries(st.integers(1, 4), st.none() | st.integers(0, 2))), max_size=8
)


def _expected(loads: list[tuple[int, Prices]]) -> list[tuple[object, ...]]:
    """The history of the last load of each day: for each key its values, as long as they were the same."""
    days = sorted(dict(loads).items())
    found: dict[tuple[int, int], list[object]] = {}
    open_rows: dict[int, list[object]] = {}
    for day, prices in days:
        for key in [*open_rows]:
            if key not in prices or prices[key] != open_rows[key][1]:
                open_rows.pop(key)[3] = day
        for key, price in prices.items():
            if key not in open_rows:
                open_rows[key] = found[key, day] = [key, price, day, None]
    return [tuple(found[place]) for place in sorted(found)]


def _holds(database: Database, loads: list[tuple[int, Prices]]) -> None:
    for number, (day, prices) in enumerate(loads):
        send(database, prices, dated(day, str(number)), "history")
    if loads:
        assert _days(database) == _expected(loads)
        instants = [(row[0], row[2], row[3]) for row in _days(database)]
        assert all(one[0] != other[0] or one[2] is not None for one, other in pairwise(instants))


MANY = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
FEW = settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@MANY
@given(loads=LOADS)
def test_sqlite_keeps_the_history_of_days_in_any_order(loads: list[tuple[int, Prices]]) -> None:
    """In whatever order days come, and however often: the history is that of the last load of each."""
    with tempfile.TemporaryDirectory() as folder:
        _holds(SqliteFile(Path(folder)), loads)


@pytest.mark.slow
@FEW
@given(loads=LOADS)
def test_duckdb_keeps_the_history_of_days_in_any_order(loads: list[tuple[int, Prices]]) -> None:
    """The same in DuckDB."""
    with tempfile.TemporaryDirectory() as folder:
        _holds(DuckFile(Path(folder)), loads)


@pytest.mark.slow
@MANY
@given(loads=LOADS)
def test_postgres_keeps_the_history_of_days_in_any_order(
    postgres: PostgresDatabase, loads: list[tuple[int, Prices]]
) -> None:
    """The same on the server."""
    postgres.run("DROP TABLE IF EXISTS prices, _sightline_loads")
    _holds(postgres, loads)
