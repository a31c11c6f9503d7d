"""The binary format of COPY: what is written is what the server has, of every kind, to the last digit."""

from datetime import UTC, date, datetime, time
from decimal import Decimal, localcontext
from typing import Any

import psycopg
import pyarrow as pa
import pytest
from bench.flow.postgres import LocalPostgres
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sightline.errors import OutputError
from sightline.flow.deliver import deliver
from sightline.flow.deliver._dialect import POSTGRES
from sightline.flow.deliver._kinds import Kind, arrow_type, kind_of
from sightline.flow.deliver._postgres_rows import HEADER, TRAILER, copied_rows

from ._databases import PostgresDatabase

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
SINGLE = Kind("float", 32)
DIGITS = ((1, 0), (4, 4), (5, 1), (9, 2), (18, 6), (19, 3), (20, 0), (38, 2), (38, 38), (39, 7), (76, 10), (76, 0))


def _decimals(digits: int, scale: int) -> st.SearchStrategy[Decimal]:
    return st.integers(-(10**digits) + 1, 10**digits - 1).map(lambda number: Decimal(f"{number}E-{scale}"))


KINDS: dict[str, tuple[Any, st.SearchStrategy[Any]]] = {
    "boolean": (pa.bool_(), st.booleans()),
    "small": (pa.int16(), st.integers(-(2**15), 2**15 - 1)),
    "integer": (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    "big": (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    "single": (pa.float32(), st.floats(width=32, allow_nan=False)),
    "double": (pa.float64(), st.floats(allow_nan=False)),
    "text": (pa.string(), TEXTS),
    "bytes": (pa.binary(), st.binary()),
    "day": (pa.date32(), st.dates()),
    "hour": (pa.time64("us"), st.times()),
    "moment": (pa.timestamp("us"), st.datetimes()),
    "instant": (pa.timestamp("us", "UTC"), st.datetimes(timezones=st.just(UTC))),
    **{
        f"decimal {digits}.{scale}": (arrow_type(kind_of(type)), _decimals(digits, scale))
        for digits, scale in DIGITS
        if (type := pa.decimal128(digits, scale) if digits <= 38 else pa.decimal256(digits, scale))
    },
}


@pytest.fixture(scope="module")
def connection(server: LocalPostgres) -> Any:
    """A connection whose session has what the rows are copied into."""
    with psycopg.connect(server.url(), autocommit=True, prepare_threshold=None) as connection:
        yield connection


def _read_back(connection: Any, batch: Any) -> list[tuple[Any, ...]]:
    kinds = [kind_of(column.type) for column in batch.columns]
    columns = ", ".join(f"c{place} {POSTGRES.type_of(kind)}" for place, kind in enumerate(kinds) if kind)
    connection.execute("DROP TABLE IF EXISTS pg_temp.copied")
    connection.execute(f"CREATE TEMPORARY TABLE copied ({columns})")
    with connection.cursor() as cursor, cursor.copy("COPY copied FROM STDIN (FORMAT binary)") as copy:
        for content in (HEADER, copied_rows(batch, kinds), TRAILER):
            copy.write(content)
    # As a text, a `real` has only as many digits as tell it from the next one.
    exact = ", ".join(f"c{place}" if kind != SINGLE else f"c{place}::float8" for place, kind in enumerate(kinds))
    found: list[tuple[Any, ...]] = connection.execute(f"SELECT {exact} FROM copied ORDER BY ctid").fetchall()
    return found


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_all_kinds_arrive_as_they_are(connection: Any, data: st.DataObject) -> None:
    """Any columns, with and without empty values, also in a slice of a longer batch."""
    names = data.draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=6))
    rows = data.draw(st.integers(0, 6))
    columns = []
    for name in names:
        type, values = KINDS[name]
        maybe = data.draw(st.sampled_from([values, values | st.none()]))
        columns.append(pa.array(data.draw(st.lists(maybe, min_size=rows, max_size=rows)), type))
    batch = pa.record_batch(columns, names=[f"c{place}" for place in range(len(names))])
    part = batch.slice(data.draw(st.integers(0, rows)))
    expected = [tuple(row.values()) for row in part.to_pylist()]
    assert _read_back(connection, part) == expected


def test_scale_of_a_decimal_is_kept(connection: Any) -> None:
    """A price of 12.50 has two digits behind the point, and a zero as well."""
    column = pa.array([Decimal("12.50"), Decimal("0.00"), Decimal("-0.07"), None], pa.decimal128(38, 2))
    found = _read_back(connection, pa.record_batch({"c0": column}))
    assert [str(price) for (price,) in found] == ["12.50", "0.00", "-0.07", "None"]


def test_odd_floats(connection: Any) -> None:
    """NaN, infinities and the zero below zero arrive."""
    column = pa.array([float("nan"), float("inf"), float("-inf"), -0.0], pa.float64())
    assert [str(value) for (value,) in _read_back(connection, pa.record_batch({"c0": column}))] == [
        "nan",
        "inf",
        "-inf",
        "-0.0",
    ]


@pytest.mark.parametrize(
    ("type", "number"),
    [
        (pa.date32(), -(2**31)),
        (pa.date32(), 2**31 - 1),
        (pa.timestamp("us"), -(2**63)),
        (pa.timestamp("us", "UTC"), -(2**63)),
    ],
)
def test_days_that_the_server_does_not_have(postgres: PostgresDatabase, type: Any, number: int) -> None:
    """They are refused; the lowest number would be an infinity there."""
    column = pa.array([number], pa.int32() if pa.types.is_date(type) else pa.int64()).view(type)
    with pytest.raises(OutputError, match="out of range"):
        deliver([pa.record_batch({"day": column})], postgres.target(), load="a", mode="append")
    assert postgres.tables() == set()


def test_many_digits_are_exact(connection: Any) -> None:
    """Also 76 of them, where Python would round by its own context."""
    with localcontext() as context:
        context.prec = 76
        number = Decimal("-" + "9" * 70 + ".123456")
        found = _read_back(connection, pa.record_batch({"c0": pa.array([number], pa.decimal256(76, 6))}))
    assert str(found[0][0]) == str(number)


def test_days_before_1970_and_midnight(connection: Any) -> None:
    """The server counts from 2000, Arrow from 1970, and both go below zero."""
    columns = {
        "c0": pa.array([date(1, 1, 1), date(1999, 12, 31)], pa.date32()),
        "c1": pa.array([datetime(1, 1, 1), datetime(1969, 12, 31, 23, 59, 59, 999999)], pa.timestamp("us")),
        "c2": pa.array([time(0), time(23, 59, 59, 999999)], pa.time64("us")),
    }
    batch = pa.record_batch(columns)
    assert _read_back(connection, batch) == [tuple(row.values()) for row in batch.to_pylist()]
