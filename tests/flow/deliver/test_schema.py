"""Columns and types: nothing is lost on the way, and a table is never changed unasked."""

import datetime as dt
import pickle
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from sightline.errors import OutputError, SchemaChanged, UsageError
from sightline.flow.deliver import deliver

from ._databases import Database

MOMENT = dt.datetime(2026, 5, 3, 12, 30, 15, 123456)
# Each Arrow column, and what DuckDB and PostgreSQL give back; what SQLite does is last, where it differs.
COLUMNS: dict[str, tuple[Any, ...]] = {
    "i8": (pa.array([-128, None], pa.int8()), [-128, None]),
    "i64": (pa.array([2**63 - 1, None], pa.int64()), [2**63 - 1, None]),
    "u32": (pa.array([2**32 - 1, None], pa.uint32()), [2**32 - 1, None]),
    "u64": (pa.array([2**64 - 1, None], pa.uint64()), [Decimal(2**64 - 1), None], [str(2**64 - 1), None]),
    "f32": (pa.array([0.1, None], pa.float32()), [pytest.approx(0.1), None]),
    "f64": (pa.array([0.1 + 0.2, None]), [0.1 + 0.2, None]),
    "money": (
        pa.array([Decimal("-12345678901234567890123456789012345.120"), None], pa.decimal128(38, 3)),
        [Decimal("-12345678901234567890123456789012345.120"), None],
        ["-12345678901234567890123456789012345.120", None],
    ),
    "cents": (
        pa.array([Decimal("0.10"), Decimal(100)], pa.decimal128(9, 2)),
        [Decimal("0.1"), 100],
        ["0.10", "100.00"],
    ),
    "flag": (pa.array([True, None]), [True, None]),
    "text": (pa.array(["", None]), ["", None]),
    "odd": (pa.array(['a"b\\c,\n\td', "\\N"], pa.large_string()), ['a"b\\c,\n\td', "\\N"]),
    "kind": (pa.array(["red", "red"]).dictionary_encode(), ["red", "red"]),
    "day": (pa.array([MOMENT.date(), None]), [MOMENT.date(), None], ["2026-05-03", None]),
    "time": (pa.array([MOMENT.time(), None], pa.time64("us")), [MOMENT.time(), None], ["12:30:15.123456", None]),
    "local": (pa.array([MOMENT, None], pa.timestamp("us")), [MOMENT, None], ["2026-05-03 12:30:15.123456", None]),
    "bytes": (pa.array([b'\x00\xff"', None], pa.binary()), [b'\x00\xff"', None]),
    "list": (pa.array([[1, None], None]), ["[1,null]", None]),
    "struct": (pa.array([{"a": "ü", "b": Decimal("1.5")}, None]), ['{"a":"ü","b":"1.5"}', None]),
    "nothing": (pa.nulls(2), [None, None]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COLUMNS)
def test_values_come_back_as_they_were(database: Database, name: str) -> None:
    """Every type, twice: the second load of the same values changes nothing, so they compare as equal too."""
    column, *expected = COLUMNS[name]
    batch = pa.record_batch({"id": pa.array([1, 2]), name: column})
    deliver([batch], database.target(), load="1", mode="upsert", key=["id"])
    found = [value for (value,) in database.rows(f'SELECT "{name}" FROM prices ORDER BY id')]
    assert found == (expected[-1] if database.name == "sqlite" else expected[0])
    assert deliver([batch], database.target(), load="2", mode="upsert", key=["id"]).unchanged == 2


def test_instants_are_kept_whatever_their_zone(database: Database) -> None:
    """Half past noon in Vienna is half past ten in UTC, and the same instant again is no change."""
    for number, zone in enumerate(("Europe/Vienna", "UTC")):
        column = pa.array([dt.datetime(2026, 5, 3, 10, 30, tzinfo=dt.UTC)], pa.timestamp("ms", zone))
        batch = pa.record_batch({"id": [1], "seen": column})
        done = deliver([batch], database.target(), load=str(number), mode="upsert", key=["id"])
    assert done.unchanged == 1
    assert database.rows("SELECT count(*) FROM prices WHERE seen = '2026-05-03 10:30:00.000000+00:00'") == [(1,)]


@pytest.mark.parametrize(
    ("column", "problem"),
    [
        (pa.array([1], pa.timestamp("ns")), "'seen' has values that cannot be delivered without loss"),
        (pa.array([1], pa.duration("s")), "'seen' is of the type duration"),
        (pa.array([[float("nan")]]), "'seen' has values that cannot be delivered without loss"),
        (pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"]).buffers()), "'seen' has values .* UTF8|UTF-8"),
    ],
)
def test_what_would_be_lost_is_an_error(database: Database, column: Any, problem: str) -> None:
    """Nanoseconds, durations, NaN inside JSON and texts that are not UTF-8 name their column."""
    with pytest.raises((OutputError, UsageError), match=problem):
        deliver([pa.record_batch({"seen": column})], database.target(), load="1", mode="append")


def test_nan_is_kept_or_refused(database: Database) -> None:
    """SQLite would make NULL of it, so there it is an error."""
    batch = pa.record_batch({"x": [float("nan"), float("inf")]})
    if database.name == "sqlite":
        with pytest.raises(OutputError, match="column 'x' has NaN"):
            deliver([batch], database.target(), load="1", mode="append")
        return
    deliver([batch], database.target(), load="1", mode="append")
    assert sorted(map(str, (value for (value,) in database.rows("SELECT x FROM prices")))) == ["inf", "nan"]


# ---------------------------------------------------------------------- changes of the columns


def _changed(database: Database, columns: dict[str, Any]) -> SchemaChanged:
    with pytest.raises(SchemaChanged) as caught:
        deliver([pa.record_batch(columns)], database.target(), load="2", mode="append")
    return caught.value


def _first(database: Database, columns: dict[str, Any]) -> None:
    deliver([pa.record_batch(columns)], database.target(), load="1", mode="append")


def test_new_column_is_proposed_then_added(database: Database) -> None:
    """The error carries the statement; allowed, it is run and reported; old rows have NULL there."""
    _first(database, {"id": [1]})
    new = {"id": [2], "shop": ["b"]}
    problem = _changed(database, new)
    assert len(problem.statements) == 1
    assert 'ADD COLUMN "shop"' in problem.statements[0]
    assert pickle.loads(pickle.dumps(problem)).statements == problem.statements
    done = deliver([pa.record_batch(new)], database.target(), load="2", mode="append", allow_schema_changes=True)
    assert done.schema_changes == problem.statements
    assert database.rows("SELECT * FROM prices ORDER BY id") == [(1, None), (2, "b")]


def test_proposed_statements_run_as_they_are(database: Database) -> None:
    """Whoever runs them by hand can deliver then."""
    _first(database, {"id": [1]})
    database.run(*_changed(database, {"id": [2], "shop": ["b"]}).statements)
    assert deliver([pa.record_batch({"id": [2], "shop": ["b"]})], database.target(), load="2", mode="append").rows == 1


def test_type_is_widened_without_loss(database: Database) -> None:
    """Integers become wider integers, decimals get more digits; values that were there are the same."""
    _first(database, {"n": pa.array([1], pa.int16()), "m": pa.array([Decimal("1.5")], pa.decimal128(3, 1))})
    wide = {"n": pa.array([2**40]), "m": pa.array([Decimal("12345.678")], pa.decimal128(9, 3))}
    if database.name != "sqlite":  # which has one type for all integers, and one for all decimals
        assert len(_changed(database, wide).statements) == 2
    deliver([pa.record_batch(wide)], database.target(), load="2", mode="append", allow_schema_changes=True)
    found = database.rows("SELECT n, m FROM prices ORDER BY n")
    assert [(n, Decimal(m)) for n, m in found] == [(1, Decimal("1.5")), (2**40, Decimal("12345.678"))]


@pytest.mark.slow
@pytest.mark.parametrize(
    "columns",
    [
        {"id": [1]},
        {"id": ["x"], "price": [1.5]},
        {"id": [1], "price": pa.array([Decimal("1.5")], pa.decimal128(5, 2))},
        {"id": [1], "price": pa.array([2**60])},
    ],
    ids=["missing column", "text for a number", "decimal for a float", "integer for a float"],
)
def test_destructive_change_is_never_made(database: Database, columns: dict[str, Any]) -> None:
    """Dropping a column, or a type that would lose something, is refused even if changes are allowed."""
    _first(database, {"id": [1], "price": [2.5]})
    for allowed in (False, True):
        with pytest.raises(SchemaChanged, match="change the load to fit"):
            batch = pa.record_batch(columns)
            deliver([batch], database.target(), load="2", mode="append", allow_schema_changes=allowed)
    assert database.rows("SELECT id, price FROM prices") == [(1, 2.5)]


def test_smaller_type_needs_no_change(database: Database) -> None:
    """What fits, fits: small integers into big ones and into decimals."""
    _first(database, {"a": pa.array([2**40]), "b": pa.array([Decimal("1.5")], pa.decimal128(12, 2))})
    small = pa.record_batch({"b": pa.array([3], pa.int16()), "A": pa.array([5], pa.int8())})
    assert deliver([small], database.target(), load="2", mode="append").schema_changes == ()
    found = database.rows("SELECT a, b FROM prices ORDER BY a")
    assert tuple(map(Decimal, found[0])) == (5, 3)


def test_column_that_the_database_fills_may_be_missing(database: Database) -> None:
    """A default is what the table is made for."""
    database.run("CREATE TABLE prices (id BIGINT, source VARCHAR DEFAULT 'ours')")
    deliver([pa.record_batch({"id": [1]})], database.target(), load="1", mode="append")
    assert database.rows("SELECT * FROM prices") == [(1, "ours")]


def test_history_needs_its_columns(database: Database) -> None:
    """A table of another mode does not become a history, and a load has no columns of that name."""
    _first(database, {"id": [1]})
    with pytest.raises(UsageError, match="keeps no history"):
        deliver([pa.record_batch({"id": [1]})], database.target(), load="2", mode="history", key=["id"])
    with pytest.raises(UsageError, match="'valid_from' is one that history adds"):
        batch = pa.record_batch({"id": [1], "valid_from": [1]})
        deliver([batch], database.target("other"), load="2", mode="history", key=["id"])


def test_decimals_stay_exact_in_every_target(database: Database) -> None:
    """380.20 stays 380.20, a tiny number is no power of ten, and a number with other zeros is the same number."""
    kind = pa.decimal128(20, 10)
    prices = [Decimal("380.2000000000"), Decimal("0E-10"), Decimal("1E-10")]
    first = pa.table({"id": [1, 2, 3], "price": pa.array(prices, kind)})
    deliver(first.to_batches(), database.target(), load="1", mode="upsert", key=["id"])
    found = [row[0] for row in database.rows("SELECT price FROM prices ORDER BY id")]
    assert [format(Decimal(str(one)), "f") for one in found] == ["380.2000000000", "0.0000000000", "0.0000000001"]
    fewer = pa.array([Decimal("380.20"), Decimal("0.5")], pa.decimal128(5, 2))
    again = pa.table({"id": [1, 2], "price": fewer})
    done = deliver(again.to_batches(), database.target(), load="2", mode="upsert", key=["id"])
    assert (done.updated, done.unchanged) == (1, 1)


def test_decimals_of_a_key_are_numbers(database: Database) -> None:
    """1.5 and 1.50 are one key."""
    for load, kind in (("1", pa.decimal128(4, 1)), ("2", pa.decimal128(4, 1))):
        table = pa.table({"id": pa.array([Decimal("1.5"), Decimal(2)], kind), "n": [1, 2]})
        done = deliver(table.to_batches(), database.target(), load=load, mode="upsert", key=["id"])
    assert (done.inserted, done.unchanged) == (0, 2)
