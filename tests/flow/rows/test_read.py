"""Tables of every format become the same columns, and errors say where a file is wrong."""

from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from sightline.data import Table
from sightline.errors import UnreadableError, UsageError
from sightline.flow.rows import read_columns

ROWS = [{"id": "1", "name": "Café, small", "price": "2.5"}, {"id": "2", "name": "Tea", "price": None}]
COLUMNS = {"id": ["1", "2"], "name": ["Café, small", "Tea"], "price": ["2.5", None]}


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


def test_a_large_cell_is_read(tmp_path: Path) -> None:
    """A cell of five million characters is no reason to stop."""
    path = tmp_path / "table.csv"
    path.write_text("id,text\n1," + "x" * 5_000_000 + "\n")
    assert len(read_columns(path)["text"][0] or "") == 5_000_000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"id,name\n1,\xff\n", r"is not UTF-8 \(line 2\)"),
        (b"id,id\n1,2\n", "two columns named 'id'"),
        (b"id,name\n1,a,b\n", "row 2: there are 3 cells, but 2 names"),
        (b"id,name\n", "has no rows"),
        (b"", "has no rows"),
    ],
)
def test_what_is_wrong_with_a_csv_file_is_said(tmp_path: Path, content: bytes, message: str) -> None:
    """Where, and what to do."""
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    with pytest.raises(UnreadableError, match=message):
        read_columns(path)


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
