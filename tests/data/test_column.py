"""Columns: typed only where nothing is lost; what stands in the way is named; coercion keeps the texts."""

import warnings
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Basic, Column, ColumnType, Records, SetOf, Table, TupleOf, Value
from sightline.errors import CoercionWarning

TIMES = ["12.31", "12.40", "12.55", "13.02"]


def _column(name: str, texts: list[str | None], declared: ColumnType | None = None) -> Column:
    return Column(name, tuple(None if text is None else Value(text) for text in texts), declared)


@pytest.mark.parametrize(
    "odd", ["DNF", "12.31 (PB)", "3 x 5 km", "5-7", "<5", "sold out", "0.12345678901234567891", "see below"]
)
def test_column_with_a_value_that_does_not_fit_is_text(odd: str) -> None:
    """One value that a number cannot stand for keeps the whole column as it was seen."""
    column = _column("time", [*TIMES, odd])
    assert column.type.kind == "text"
    assert column.values == (*TIMES, odd)
    assert (column.usual.kind, column.misfits) == ("number", (odd,))


@pytest.mark.parametrize("missing", ["n/a", "–", "", "k. A.", "unknown", None])
def test_column_with_missing_values_keeps_its_type(missing: str | None) -> None:
    """A mark that says nothing, or nothing at all, is no value and loses none."""
    column = _column("time", [*TIMES, missing])
    assert column.values == (12.31, 12.40, 12.55, 13.02, None)
    assert column.misfits == ()


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("", ["04103", "10115"]),
        ("ZIP code", ["90210", "10001"]),
        ("PLZ", ["10115"]),
        ("phone", ["7935551234"]),
        ("ISBN", ["9783161484100"]),
        ("", ["9783161484100", "9780306406157"]),
        ("", ["7935551234", "7935551299"]),
        ("Artikelnummer", ["4711", "4712"]),
        ("", ["12345", "12345-6789", "90210", "10001", "60601"]),
    ],
)
def test_column_of_codes_is_text(name: str, texts: list[str]) -> None:
    """Postcodes, telephone numbers and the like stay as written, by their name or by their form."""
    column = _column(name, texts)
    assert column.type.kind == "text"
    assert column.values == tuple(texts)


@pytest.mark.parametrize("name", ["Population", "telephoto", "year", "", "No.", "rank"])
def test_column_of_numbers_is_no_code(name: str) -> None:
    """Numbers of several lengths, or short ones, are numbers whatever they count."""
    assert _column(name, ["7", "12", "1024"]).values == (7, 12, 1024)


def test_column_decides_a_learned_type_anew() -> None:
    """A type learned from other pages is kept if it fits, else decided by what was read; nothing becomes nothing."""
    learned = ColumnType(kind="number", integer=True)
    assert _column("code", ["12345", "90210"], learned).values == (12345, 90210)
    assert _column("code", ["04103", "12345-6789"], learned).values == ("04103", "12345-6789")
    assert _column("price", ["12.50"], learned).values == (12.5,)
    dates = ColumnType(kind="date", date_order="DMY")
    assert _column("day", ["2024-05-02"], dates).values == (date(2024, 5, 2),)
    assert _column("day", ["12.5 kg"], dates).values == (12.5,)
    mixed = _column("price", ["5", "call us"], learned)
    assert (mixed.type.kind, mixed.usual, mixed.misfits) == ("text", learned, ("call us",))


def test_column_learned_as_text_stays_text() -> None:
    """A column does not change its type only because one page has nothing but numbers in it."""
    assert _column("size", ["42"], ColumnType()).values == ("42",)


def test_column_keeps_dates_without_a_year() -> None:
    """8 May stays 8 May."""
    column = _column("day", ["8 May", "9 May"])
    assert column.values == ("8 May", "9 May")


def test_readings_type_each_cell_by_itself() -> None:
    """Where every cell has a type of its own, numbers stay numbers beside what is none."""
    column = _column("time", [*TIMES, "DNF", "n/a"])
    assert column.readings == (12.31, 12.40, 12.55, 13.02, None, None)


def test_coercion_keeps_the_texts_and_warns() -> None:
    """The usual type, a second column with the texts, and a warning with column, count and three examples."""
    table = Table.from_rows(
        [["time", "name"], *([text, "x"] for text in [*TIMES * 4, "DNF", "DNF", "DNS", "DSQ", "n/a"])]
    )
    with pytest.warns(CoercionWarning, match=r"time: 4 of 21 values are not a number \('DNF', 'DNS', 'DSQ'\)"):
        frame = table.to_pandas(coerce=True)
    assert list(frame.columns) == ["time", "time (text)", "name"]
    assert frame["time"].isna().sum() == 5
    assert frame["time (text)"].tolist()[-5:] == ["DNF", "DNF", "DNS", "DSQ", "n/a"]
    assert table.to_pandas()["time"].tolist()[-5:] == ["DNF", "DNF", "DNS", "DSQ", "n/a"]


def test_coercion_of_what_fits_changes_nothing() -> None:
    """No second column and no warning where nothing is lost."""
    table = Table.from_rows([["a"], ["1"], ["2"]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert table.to_arrow(coerce=True).equals(table.to_arrow())


def test_coercion_takes_a_name_that_is_free() -> None:
    """The second column never takes the name of another."""
    rows = [["a", "a (text)"], *([text, "x"] for text in [*TIMES, "DNF"])]
    with pytest.warns(CoercionWarning, match=r"'a \(text 2\)'"):
        frame = Table.from_rows(rows).to_polars(coerce=True)
    assert frame.columns == ["a", "a (text 2)", "a (text)"]


def test_exports_lose_nothing_in_any_format(tmp_path: Path) -> None:
    """What does not fit is there in CSV, Excel, Parquet and JSON lines."""
    import openpyxl
    import pyarrow.parquet

    schema = TupleOf((("p", Basic(ColumnType(kind="money", currency="EUR", decimal=","))),))
    records = Records([{"p": "5 €"}, {"p": "7,50 €"}, {"p": "auf Wunsch"}], schema, "de")
    assert records.to_csv(typed=True).split() == ["p", "5", "€", '"7,50', '€"', "auf", "Wunsch"]
    sheet = openpyxl.load_workbook(records.to_excel(tmp_path / "x.xlsx")).active
    assert [row[0].value for row in sheet.iter_rows(min_row=2)] == [5, 7.5, "auf Wunsch"]
    table = pyarrow.parquet.read_table(records.to_parquet(tmp_path / "x.parquet"))
    assert table.column("p").to_pylist() == ["5 €", "7,50 €", "auf Wunsch"]
    with pytest.warns(CoercionWarning):
        assert records.to_arrow(coerce=True).column("p").to_pylist() == [Decimal("5.00"), Decimal("7.50"), None]


@given(
    st.lists(st.none() | st.text(max_size=8) | st.from_regex(r"\A-?[0-9]{1,20}([.,][0-9]{1,20})?( kg)?\Z"), max_size=6)
)
def test_column_never_loses_a_value(texts: list[str | None]) -> None:
    """Whatever a column holds: a value is missing only where its text says nothing."""
    column = _column("x", texts)
    for text, value in zip(texts, column.values, strict=True):
        assert value is not None or text is None or column.type.holds(text)
        if isinstance(value, float | int) and text and column.type.kind == "number":
            assert column.type.holds(text)


def test_nested_values_are_typed_only_if_nothing_is_lost() -> None:
    """In lists and records within records too: one value that does not fit keeps all of its place as they were seen."""
    number = Basic(ColumnType(kind="number", integer=True))
    schema = TupleOf((("place", TupleOf((("zip", number), ("people", number)))), ("codes", SetOf(number))))
    records = Records(
        [
            {"place": {"zip": "04103", "people": "1200"}, "codes": ["1", "2"]},
            {"place": {"zip": "12345-6789", "people": "900"}, "codes": ["3"]},
        ],
        schema,
    )
    assert records.to_dicts(typed=True) == [
        {"place": {"zip": "04103", "people": 1200}, "codes": [1, 2]},
        {"place": {"zip": "12345-6789", "people": 900}, "codes": [3]},
    ]
    assert str(records.typed().schema) == "(place: (zip: text, people: number), codes: {number})"
