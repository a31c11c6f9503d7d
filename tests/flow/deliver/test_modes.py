"""Each mode on each database: what is there afterwards, what is counted, and that a load is delivered once."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver import Delivered, DeliveryMode, deliver

from ._databases import Database, PostgresBySqlAlchemy, PostgresDatabase, SqliteBySqlAlchemy

FIRST = {1: 100, 2: 200, 3: None}
SECOND = {1: 100, 2: 250, 4: 400}
EARLY, LATE = datetime(2026, 5, 1, tzinfo=UTC), datetime(2026, 5, 8, tzinfo=UTC)


def batches(prices: dict[int, int | None], rows: int = 2) -> list[pa.RecordBatch]:
    """Prices by their numbers, in small batches."""
    table = pa.table({"id": pa.array(list(prices), pa.int64()), "price": pa.array(list(prices.values()), pa.int64())})
    return table.to_batches(max_chunksize=rows)


def prices_in(database: Database) -> list[tuple[int, int | None]]:
    """All rows, in order."""
    return database.rows("SELECT id, price FROM prices ORDER BY id, price")  # type: ignore[return-value]


def test_append_adds_all_rows(database: Database) -> None:
    """Rows that are there stay, and every row of a load is added."""
    deliver(batches(FIRST), database.target(), load="a", mode="append")
    done = deliver(batches(SECOND), database.target(), load="b", mode="append")
    assert done == Delivered(rows=3, inserted=3)
    assert {*prices_in(database)} == {*FIRST.items(), *SECOND.items()}
    assert len(prices_in(database)) == 6


def test_replace_leaves_only_the_new_rows(database: Database) -> None:
    """The rows of the last load are all that is there."""
    deliver(batches(FIRST), database.target(), load="a", mode="replace")
    assert deliver(batches(SECOND), database.target(), load="b", mode="replace").inserted == 3
    assert prices_in(database) == sorted(SECOND.items())


def test_upsert_changes_what_differs(database: Database) -> None:
    """Known keys are updated, new ones added, and those that did not come stay."""
    deliver(batches(FIRST), database.target(), load="a", mode="upsert", key=["id"])
    done = deliver(batches(SECOND), database.target(), load="b", mode="upsert", key=["id"])
    assert done == Delivered(rows=3, inserted=1, updated=1, unchanged=1)
    assert prices_in(database) == [(1, 100), (2, 250), (3, None), (4, 400)]


def test_upsert_by_two_columns_and_by_nothing_else(database: Database) -> None:
    """A key may have several columns, and be all that there is."""
    rows = pa.record_batch({"shop": ["a", "a", "b"], "id": [1, 2, 1]})
    assert deliver([rows], database.target(), load="1", mode="upsert", key=["shop", "id"]).inserted == 3
    assert deliver([rows], database.target(), load="2", mode="upsert", key=["shop", "id"]).unchanged == 3


ODD_NAMES = ["c1", "c0", "n", "old", "new", "stage", "target", "main", "rows", "pg_temp", "100 % :x $1 ?", "counted"]


@pytest.mark.parametrize("table", ["rows", "50 % :x"])
def test_names_mean_columns_and_tables_of_the_load(database: Database, table: str) -> None:
    """Whatever columns and tables are called, also as those that delivery makes itself, or as SQL writes marks."""
    target = database.target(table)
    first, second = (
        pa.record_batch({name: [1, key] if name == "c1" else [7, value] for name in ODD_NAMES})
        for key, value in ((2, 8), (2, 9))
    )
    for mode in ("upsert", "history"):
        place = target if mode == "upsert" else database.target("past")
        assert deliver([first], place, load="1", mode=mode, key=["c1"]).inserted == 2
        done = deliver([second], place, load="2", mode=mode, key=["c1"])
        assert (done.inserted, done.updated, done.unchanged) == (0, 1, 1)
    with pytest.raises(OutputError, match="the key c1 is 1 in rows 1 and 2"):
        doubled = pa.record_batch({name: [1, 1] for name in ODD_NAMES})
        deliver([doubled], target, load="3", mode="upsert", key=["c1"])
    wider = pa.record_batch({name: [5] for name in [*ODD_NAMES, "5 % :y"]})
    deliver([wider], target, load="4", mode="upsert", key=["c1"], allow_schema_changes=True)
    assert database.rows(f'SELECT count("5 % :y"), count("100 % :x $1 ?") FROM "{table}"') == [(1, 3)]


def test_history_tells_what_was(database: Database) -> None:
    """Changed rows are closed and opened anew, gone ones closed, the others untouched; each key has one open row."""
    deliver(batches(FIRST), database.target(), load="a", mode="history", key=["id"], at=EARLY)
    done = deliver(batches(SECOND), database.target(), load="b", mode="history", key=["id"], at=LATE)
    assert done == Delivered(rows=3, inserted=1, updated=1, unchanged=1, closed=1)
    on_3_may = (
        "SELECT id, price FROM prices WHERE valid_from <= '2026-05-03 00:00:00+00:00' "
        "AND (valid_to > '2026-05-03 00:00:00+00:00' OR valid_to IS NULL) ORDER BY id"
    )
    assert database.rows(on_3_may) == sorted(FIRST.items())
    assert database.rows("SELECT id, price FROM prices WHERE valid_to IS NULL ORDER BY id") == sorted(SECOND.items())
    assert len(prices_in(database)) == 5


def test_history_has_one_load_of_an_instant(database: Database) -> None:
    """An instant that has a load already is refused, and nothing changes."""
    deliver(batches(FIRST), database.target(), load="a", mode="history", key=["id"], at=LATE)
    with pytest.raises(UsageError, match="give each load an instant of its own"):
        deliver(batches(SECOND), database.target(), load="b", mode="history", key=["id"], at=LATE)
    assert prices_in(database) == sorted(FIRST.items())


def test_history_by_sqlalchemy_does_not_reach_back(postgres: PostgresDatabase, tmp_path: Path) -> None:
    """There, an instant before one that is there is refused; the engines of our own take it."""
    for database in (SqliteBySqlAlchemy(tmp_path), PostgresBySqlAlchemy(postgres.server)):
        target = database.target("backwards")
        deliver(batches(FIRST), target, load="a", mode="history", key=["id"], at=LATE)
        with pytest.raises(UsageError, match="in the order of their instants"):
            deliver(batches(SECOND), target, load="b", mode="history", key=["id"], at=EARLY)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["append", "replace", "upsert", "history"])
def test_same_load_again_does_nothing(database: Database, mode: DeliveryMode) -> None:
    """The second time its rows are not even looked at, and the counts are those of the first time."""
    key = ["id"] if mode in ("upsert", "history") else []
    first = deliver(batches(FIRST), database.target(), load="a", mode=mode, key=key)
    again = deliver(iter(()), database.target(), load="a", mode=mode, key=key)
    assert again.was_done
    assert (again.rows, again.inserted) == (first.rows, first.inserted) == (3, 3)
    assert prices_in(database) == sorted(FIRST.items())
    assert database.tables() == {"prices", "_sightline_loads"}


def test_load_of_two_tables_is_two_loads(database: Database) -> None:
    """One run delivers to several tables under one id."""
    assert not deliver(batches(FIRST), database.target(), load="a", mode="append").was_done
    assert not deliver(batches(FIRST), database.target("others"), load="a", mode="append").was_done


def test_source_that_fails_changes_nothing(database: Database) -> None:
    """An error of whoever makes the batches comes through as it is; the load can be run again."""

    def failing() -> object:
        yield from batches(FIRST)
        raise ZeroDivisionError("the source")

    with pytest.raises(ZeroDivisionError):
        deliver(failing(), database.target(), load="a", mode="append")  # type: ignore[arg-type]
    assert deliver(batches(FIRST), database.target(), load="a", mode="append").inserted == 3
    assert len(prices_in(database)) == 3


@pytest.mark.parametrize("table", ["prices", "fresh"])
def test_doubled_key_is_named(database: Database, table: str) -> None:
    """The error names the key, its value and the rows, in a new table as in an old one; nothing is delivered."""
    deliver(batches(FIRST), database.target(), load="a", mode="upsert", key=["id"])
    doubled = pa.record_batch({"id": [7, 8, 7], "price": [1, 2, 3]})
    with pytest.raises(OutputError, match="the key id is 7 in rows 1 and 3 of the load"):
        deliver([doubled], database.target(table), load="b", mode="upsert", key=["id"])
    assert prices_in(database) == sorted(FIRST.items())
    assert database.tables() == {"prices", "_sightline_loads"}


def test_empty_key_is_named(database: Database) -> None:
    """The error names the key and the first rows without one."""
    empty = pa.record_batch({"id": pa.array([7, *[None] * 9], pa.int64())})
    with pytest.raises(OutputError, match=r"the key id is empty in rows 2, 3, 4, 5, 6, … of the load"):
        deliver([empty], database.target(), load="b", mode="history", key=["id"])


def test_replace_is_never_seen_empty(database: Database) -> None:
    """Whoever reads while rows are replaced finds all of the old or all of the new ones."""
    deliver(batches(FIRST), database.target(), load="a", mode="replace")

    def looking() -> object:
        yield from batches(SECOND)
        assert prices_in(database) == sorted(FIRST.items())

    deliver(looking(), database.target(), load="b", mode="replace")  # type: ignore[arg-type]
    with pytest.raises(OutputError):
        deliver([pa.record_batch({"id": [None], "price": [1]})], database.target(), load="c", mode="upsert", key=["id"])
    assert prices_in(database) == sorted(SECOND.items())
