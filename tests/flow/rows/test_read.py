"""Tables of every format become the same columns, and errors say where a file is wrong."""

import csv
import json
import tempfile
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.data import Table
from sightline.errors import UnreadableError, UsageError
from sightline.flow.rows import RowLimits, _text_files, read_batches, read_columns

ROWS = [{"id": "1", "name": "Café, small", "price": "2.5"}, {"id": "2", "name": "Tea", "price": None}]
COLUMNS = {"id": ["1", "2"], "name": ["Café, small", "Tea"], "price": ["2.5", None]}


def _written(path: Path, names: list[str], rows: list[list[str | None]]) -> Path:
    """A table as other programs write it."""
    dicts = [dict(zip(names, row, strict=True)) for row in rows]
    match path.suffix:
        case ".csv" | ".tsv":
            with path.open("w", newline="") as stream:
                # names that hold other signs which part cells are in quotes, as nobody could tell else
                quotes = csv.QUOTE_ALL if any(sign in name for name in names for sign in ";|\t") else csv.QUOTE_MINIMAL
                sign = "\t" if path.suffix == ".tsv" else ","
                csv.writer(stream, delimiter=sign, quoting=quotes).writerows([names, *rows])
        case ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in dicts))
        case ".json":
            path.write_text(json.dumps(dicts, indent=1))
        case ".parquet":
            kinds = pa.schema([(name, pa.string()) for name in names])
            pq.write_table(pa.Table.from_pylist(dicts, kinds), path)
        case ".xlsx":
            book = openpyxl.Workbook(write_only=True)
            sheet = book.create_sheet()
            for row in [names, *rows]:
                sheet.append([openpyxl.cell.WriteOnlyCell(sheet, cell) for cell in row])
            book.save(path)
    return path


def _by_batches(path: Path, limits: RowLimits | None = None) -> dict[str, list[Any]]:
    rows = read_batches(path, limits)
    found: dict[str, list[Any]] = {name: [] for name in rows.schema.names}
    for batch in rows.batches():
        for name, column in zip(found, batch.columns, strict=True):
            found[name] += column.to_pylist()
    return found


def _outcome(read: Callable[[], object]) -> object:
    try:
        return read()
    except UnreadableError as problem:
        return str(problem)


# Letters that XML, and so Excel, can hold; a text that begins with = would be a formula there.
LETTERS = st.text(st.sampled_from("aZ9é,;|\"\n\t <&'.-"), min_size=1, max_size=6).map(lambda text: f"x{text}x")
TABLES = st.lists(LETTERS, min_size=2, max_size=4, unique=True).flatmap(
    lambda names: st.tuples(
        st.just(names),
        st.lists(
            st.lists(st.none() | LETTERS, min_size=len(names), max_size=len(names)).filter(any), min_size=1, max_size=6
        ),
    )
)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".json", ".parquet", ".xlsx"])
def test_files_of_every_format_hold_the_same(tmp_path: Path, suffix: str) -> None:
    """The suffix says how to read a file."""
    path = tmp_path / f"table{suffix}"
    frame = pd.DataFrame(ROWS)
    match suffix:
        case ".csv":
            frame.to_csv(path, index=False)
        case ".jsonl":
            frame.to_json(path, orient="records", lines=True, force_ascii=False)
        case ".json":
            frame.to_json(path, orient="records", force_ascii=False)
        case ".parquet":
            frame.to_parquet(path)
        case ".xlsx":
            frame.to_excel(path, index=False, engine="openpyxl")
    assert read_columns(path) == COLUMNS


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_other_delimiters_are_recognised(tmp_path: Path, delimiter: str) -> None:
    """As spreadsheets of other languages write them, with a byte-order mark."""
    path = tmp_path / "table.csv"
    path.write_text(f"id{delimiter}name\n1{delimiter}Tea\n", "utf-8-sig")
    assert read_columns(path) == {"id": ["1"], "name": ["Tea"]}


def test_frames_and_results_are_tables() -> None:
    """What speaks Arrow, and results of this package, are read as they are."""
    assert read_columns(pl.DataFrame(ROWS)) == COLUMNS
    assert read_columns(Table.from_rows([["id", "name"], ["1", "Tea"]])) == {"id": ["1"], "name": ["Tea"]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id,name\n1,\xff\n", "line 2: is not UTF-8"),
        (b"id,id\n1,2\n", "two columns named 'id'"),
        (b"id,name\n1,a,b\n", "line 2: there are 3 cells, but 2 names"),
        (b"", "is empty; give a table with a line of names"),
        (b"\n\n", "is empty; give a table with a line of names"),
    ],
)
def test_what_is_wrong_with_a_csv_file_is_said(tmp_path: Path, content: bytes, message: str) -> None:
    """Where, and what to do."""
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match=message):
        read_columns(path)


@pytest.mark.parametrize("suffix", [".csv", ".xlsx", ".jsonl", ".json", ".parquet"])
def test_a_table_without_rows_is_a_table(tmp_path: Path, suffix: str) -> None:
    """For whoever wants texts as for flows."""
    path = _written(tmp_path / f"table{suffix}", ["id", "name"], [])
    names = [] if suffix in (".json", ".jsonl") else ["id", "name"]
    assert read_columns(path) == {name: [] for name in names}
    assert _by_batches(path) == read_columns(path)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json", ".parquet", ".xlsx"])
@given(TABLES)
def test_every_format_is_read_in_one_way(suffix: str, table: tuple[list[str], list[list[str | None]]]) -> None:
    """What was written comes back, as texts and as batches alike."""
    names, rows = table
    with tempfile.TemporaryDirectory() as folder:
        path = _written(Path(folder) / f"table{suffix}", names, rows)
        columns = read_columns(path)
        assert columns == {name: [row[at] for row in rows] for at, name in enumerate(names)}
        assert _by_batches(path) == columns


@given(st.lists(st.sampled_from(["a", "b", ",", '"', "\n", "\r\n", "\r", ";", " ", "é", '""', ",,"]), max_size=14))
def test_arrow_reads_a_csv_as_python_does(parts: list[str]) -> None:
    """Also one that is written badly: both give the same rows, or the same error."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        path = Path(folder) / "table.csv"
        path.write_bytes(("x,y\n" + "".join(parts)).encode())
        slow = _outcome(lambda: read_columns(path))
        patched.setattr(_text_files, "_LEAST_FAST", 0)
        assert _outcome(lambda: _by_batches(path)) == slow


VALUES = [
    (True, "true"),
    (False, "false"),
    (3, "3"),
    (2.5, "2.5"),
    (Decimal("380.20"), "380.20"),
    (Decimal("1E+2"), "100"),
    ([1, None], "[1,null]"),
    ({"b": [True]}, '{"b":[true]}'),
    ({"price": Decimal("9.90"), "day": date(2026, 11, 18)}, '{"price":"9.90","day":"2026-11-18"}'),
    (b"tea", "tea"),
    (b"\xff", "/w=="),
    ("", None),
    (None, None),
]


@pytest.mark.parametrize(("value", "text"), VALUES)
def test_a_value_has_one_text(tmp_path: Path, value: object, text: str | None) -> None:
    """Of a dict and of a Parquet file, of a line of JSON and of a list: as JSON, not as Python shows it."""
    assert read_columns([{"x": value}]) == {"x": [text]}
    if value is not None:
        pq.write_table(pa.table({"x": [value]}), tmp_path / "x.parquet")
        assert read_columns(tmp_path / "x.parquet") == {"x": [text]}
    if isinstance(value, str | float | list) or value is None:
        for name, written in (("x.jsonl", {"x": value}), ("x.json", [{"x": value}])):
            (tmp_path / name).write_text(json.dumps(written))
            assert read_columns(tmp_path / name) == _by_batches(tmp_path / name) == {"x": [text]}


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    """A suffix that says nothing, a missing file, and objects that are no rows."""
    with pytest.raises(UsageError, match=r"ends in \.csv"):
        read_columns(tmp_path / "table.doc")
    with pytest.raises(UnreadableError, match="cannot be read"):
        read_columns(tmp_path / "missing.csv")
    with pytest.raises(UsageError, match="give a file, a list of dicts, or a data frame"):
        read_columns(5)
    with pytest.raises(UsageError, match="Row 1 of the table is a int"):
        read_columns([1])


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("name;price, EUR\nTea;2\nMilk;3\n", ["name", "price, EUR"]),
        ("id;name;price, EUR\n1;Tea;2,50\n2;Milk;3,10\n", ["id", "name", "price, EUR"]),
        ("id,a|b;c|d;e\n1,x\n2,y\n", ["id", "a|b;c|d;e"]),
        ('"a;b;c",d\nx,1\n', ["a;b;c", "d"]),
        ("name\nTea, black\n", ["name"]),
    ],
)
def test_the_sign_between_cells_is_told_by_the_rows(tmp_path: Path, text: str, names: list[str]) -> None:
    """Not by how often it is in the line of names, where a name may hold another."""
    path = tmp_path / "table.csv"
    path.write_text(text)
    if names == ["name"]:
        with pytest.raises(UnreadableError, match="2 cells, but 1 name;"):
            read_columns(path)
    else:
        assert list(read_columns(path)) == names
