"""Arrow: what pyarrow, polars, pandas and DuckDB make of the stream."""

import io
from datetime import UTC, date, datetime, time
from decimal import Decimal

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sightline.data import Records, Table, Value

ROWS: list[list[str | None]] = [
    ["n", "x", "price", "day", "stamp", "utc", "time", "weight", "text", "link"],
    ["5", "1,5", "1.234,50 €", "15.4.2024", "15.4.2024 14:30", "2024-04-15T10:00:00Z", "14:30", "5 kg", "ä", "http://a.b"],
    ["7", "2,5", "-3 €", "1.5.1815", "1.5.1815", "2024-04-16T10:00:00Z", "00:00", "500 g", "", "http://c.d"],
    ["n/a", "–", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", None, None],
]  # fmt: skip
TABLE = Table.from_rows(ROWS, language="de")
TYPES = {
    "n": "int64",
    "x": "double",
    "price": "decimal128(38, 2)",
    "day": "date32[day]",
    "stamp": "timestamp[us]",
    "utc": "timestamp[us, tz=UTC]",
    "time": "time64[us]",
    "weight": "double",
    "text": "string",
    "link": "string",
}
FIRST = {
    "n": 5,
    "x": 1.5,
    "price": Decimal("1234.50"),
    "day": date(2024, 4, 15),
    "stamp": datetime(2024, 4, 15, 14, 30),
    "utc": datetime(2024, 4, 15, 10, tzinfo=UTC),
    "time": time(14, 30),
    "weight": 5.0,
    "text": "ä",
    "link": "http://a.b",
}


def test_arrow_has_typed_columns() -> None:
    """Each kind has its Arrow type."""
    schema = pyarrow.table(TABLE).schema
    assert {field.name: str(field.type) for field in schema} == TYPES


def test_arrow_has_the_typed_values() -> None:
    """Values are those of the columns; what is missing is null."""
    rows = TABLE.to_arrow().to_pylist()
    assert rows[0] == FIRST
    assert rows[1]["price"] == Decimal("-3.00")
    assert rows[1]["day"] == date(1815, 5, 1)
    assert rows[1]["weight"] == 0.5
    assert set(rows[2].values()) == {None}


def test_arrow_fields_know_currency_and_unit() -> None:
    """What the type cannot say is metadata of the field."""
    schema = TABLE.to_arrow().schema
    assert schema.field("price").metadata == {b"sightline.currency": b"EUR"}
    assert schema.field("weight").metadata == {b"sightline.unit": b"kg"}


def test_polars_reads_the_stream() -> None:
    """Polars takes it without our importing it."""
    frame = polars.DataFrame(TABLE)
    assert frame.row(0, named=True) == FIRST
    assert TABLE.to_polars().equals(frame)


def test_pandas_reads_the_stream_and_ours_is_alike() -> None:
    """Pandas takes the stream, and `to_pandas` keeps whole numbers whole."""
    assert pandas.DataFrame.from_arrow(TABLE)["x"].tolist()[:2] == [1.5, 2.5]
    frame = TABLE.to_pandas()
    assert frame["n"].dtype == "Int64"
    assert frame["day"][1] == pandas.Timestamp(1815, 5, 1)
    assert frame["price"][0] == Decimal("1234.50")
    assert frame["text"][1] == ""
    assert frame.isna().all(axis=1)[2]


def test_duckdb_reads_the_stream() -> None:
    """DuckDB queries the table by its name."""
    seen = TABLE
    assert seen
    relation = duckdb.sql("select sum(price), max(weight), count(text) from seen")
    assert relation is not None
    assert relation.fetchall() == [(Decimal("1231.50"), 5.0, 2)]


def test_parquet_round_trip() -> None:
    """A Parquet file has the same types and values."""
    read = pyarrow.parquet.read_table(io.BytesIO(TABLE.to_parquet()))
    assert read.to_pylist() == TABLE.to_arrow().to_pylist()
    assert {field.name: str(field.type) for field in read.schema} == TYPES


def test_arrow_of_dates_without_a_year_is_text() -> None:
    """Month and day alone are no date, and stay as they are written."""
    assert Table.from_rows([["d"], ["15/4"], ["2/5"]]).to_arrow().to_pylist() == [{"d": "15/4"}, {"d": "2/5"}]


def test_arrow_names_stay_different_after_cleaning() -> None:
    """Two names that differ only in what cannot be written stay two columns."""
    assert Records([{chr(0xD800): "1", chr(0xD801): "2"}]).to_arrow().column_names == ["�", "� (2)"]


def test_arrow_of_nothing() -> None:
    """No columns, or columns without rows."""
    assert pyarrow.table(Records([])).num_columns == 0
    assert Table.from_rows([["a", "b"]]).to_arrow().shape == (0, 2)


def test_arrow_of_values_that_came_typed() -> None:
    """Values given with the cells are used as they are."""
    records = Records([{"p": Value("5 €", Decimal("5.125"))}, {"p": Value("6 €")}])
    assert records.to_arrow().column("p").to_pylist() == [Decimal("5.125"), Decimal("6.000")]


@pytest.mark.parametrize("kind", ["text", "numbers"])
@settings(max_examples=50)
@given(data=st.data())
def test_arrow_gives_back_any_column(kind: str, data: st.DataObject) -> None:
    """Texts and numbers of any column come back as they were typed, in pyarrow and polars."""
    texts = st.text(max_size=6) if kind == "text" else st.integers(-(10**17), 10**17).map(str)
    cells = data.draw(st.lists(st.none() | texts, max_size=6))
    records = Records([{"a": cell} for cell in cells])
    expected = [value.replace("\ud800", "�") if isinstance(value, str) else value for value in _values(records)]
    if not any(isinstance(value, str) and not value.isprintable() for value in expected):
        read = records.to_arrow()
        assert (read.column("a").to_pylist() if cells else []) == expected
        assert (polars.DataFrame(records)["a"].to_list() if cells else []) == expected


def _values(records: Records) -> list[object]:
    return list(records.columns[0].values) if records.columns else []
