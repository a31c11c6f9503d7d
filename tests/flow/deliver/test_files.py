"""Files as targets: each is replaced as a whole, keeps every value, and is as it was after whatever goes wrong."""

import csv
import io
import json
import resource
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pytest
from pyarrow import parquet

from sightline.data import defused
from sightline.errors import OutputError, UsageError
from sightline.flow.deliver import Delivered, deliver

from ._killing import Killable
from ._samples import EVERYTHING

SUFFIXES = (".csv", ".tsv", ".json", ".jsonl", ".xlsx", ".parquet")
ROWS = pa.record_batch({"id": [1, 2], "price": [3, 4]})


def _write(path: Path, *batches: Any) -> Delivered:
    return deliver(batches, str(path), load="a", mode="replace")


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(("suffix", "delimiter"), [(".csv", ","), (".tsv", "\t")])
def test_csv_tells_missing_from_empty_and_rounds_nothing(tmp_path: Path, suffix: str, delimiter: str) -> None:
    """Texts are in quotes, NULL is nothing at all, numbers have all their digits, lists are JSON."""
    path = tmp_path / f"all{suffix}"
    assert _write(path, EVERYTHING, EVERYTHING) == Delivered(6, inserted=6)
    names, first, second, third, *again = csv.reader(io.StringIO(path.read_text("utf-8")), delimiter=delimiter)
    assert names == EVERYTHING.schema.names
    assert again == [first, second, third]
    assert dict(zip(names, first, strict=True)) == {
        "id": "1",
        "name": 'EOS "5D", black\nbody',
        "price": "12345678901234567890.12",
        "weight": "0.1",
        "sold": "true",
        "day": "2026-05-03",
        "hour": "06:30:00.000000",
        "seen": "2026-05-03 06:30:00.000001",
        "instant": "2026-05-03 00:00:00.000000Z",
        "picture": "AP8=",
        "offers": '[{"shop":"Foto Huber","price":"9.90"}]',
    }
    assert f'2{delimiter}""{delimiter}0.10' in path.read_text("utf-8")
    assert f"3{delimiter * 10}" in path.read_text("utf-8")


@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
def test_json_keeps_digits_and_hierarchy(tmp_path: Path, suffix: str) -> None:
    """Decimals are numbers with all their digits; lists and structs stay what they are."""
    path = tmp_path / f"all{suffix}"
    _write(path, EVERYTHING)
    text = path.read_text("utf-8")
    read = lambda one: json.loads(one, parse_float=Decimal)  # noqa: E731
    rows = read(text) if suffix == ".json" else [read(line) for line in text.splitlines()]
    assert rows[0]["price"] == Decimal("12345678901234567890.12")
    assert rows[0]["offers"] == [{"shop": "Foto Huber", "price": Decimal("9.90")}]
    assert rows[0]["seen"] == "2026-05-03T06:30:00.000001"
    assert [row["name"] for row in rows] == ['EOS "5D", black\nbody', "", None]
    assert rows[2] == {**dict.fromkeys(EVERYTHING.schema.names), "id": 3}


def test_json_lines_end_only_where_rows_do(tmp_path: Path) -> None:
    """Characters that some readers take for the end of a line are escaped."""
    path = tmp_path / "a.jsonl"
    _write(path, pa.record_batch({"text": ["a\u2028b\u0085c\nd"]}))
    assert len(path.read_text("utf-8").splitlines()) == 1
    assert json.loads(path.read_text("utf-8")) == {"text": "a\u2028b\u0085c\nd"}


def test_parquet_keeps_every_type(tmp_path: Path) -> None:
    """What is read is what was delivered, with its types; runs are the same values."""
    path = tmp_path / "all.parquet"
    _write(path, EVERYTHING)
    assert parquet.read_table(path).equals(pa.Table.from_batches([EVERYTHING]))
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["a", "b"]))
    _write(path, pa.record_batch([runs, pa.array([1, 2, 3], pa.uint64())], names=["runs", "n"]))
    assert parquet.read_table(path).to_pydict() == {"runs": ["a", "a", "b"], "n": [1, 2, 3]}


def test_excel_is_typed_where_it_is_exact(tmp_path: Path) -> None:
    """What a cell would round or cannot say is a text; nothing is a formula."""
    path = tmp_path / "all.xlsx"
    extra = pa.record_batch({"id": [1], "formula": ["=1+1"], "price": [Decimal("19.90")], "long": [1 << 60]})
    _write(path, extra)
    cells = [cell.value for cell in openpyxl.load_workbook(path).worksheets[0][2]]
    assert cells == [1, "=1+1", 19.9, str(1 << 60)]
    assert openpyxl.load_workbook(path).worksheets[0]["B2"].data_type == "s"
    _write(path, EVERYTHING)
    sheet = openpyxl.load_workbook(path).worksheets[0]
    first = dict(zip(EVERYTHING.schema.names, [cell.value for cell in sheet[2]], strict=True))
    assert first["price"] == "12345678901234567890.12"
    assert first["day"] == datetime(2026, 5, 3)
    assert first["seen"] == "2026-05-03T06:30:00.000001"
    assert first["offers"] == '[{"shop":"Foto Huber","price":9.90}]'
    assert sheet["F3"].value == date(1850, 1, 1).isoformat()
    assert sheet["G2"].is_date


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_file_without_rows_has_its_columns(tmp_path: Path, suffix: str) -> None:
    """A batch with columns and no rows empties the file; no batch at all is refused, and leaves it."""
    path = tmp_path / f"a{suffix}"
    _write(path, ROWS)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="no batch came"):
        _write(path)
    assert path.read_bytes() == before
    assert _write(path, ROWS.slice(0, 0)) == Delivered()
    assert path.read_bytes() != before
    if suffix in (".csv", ".tsv"):
        assert "price" in path.read_text("utf-8")
    if suffix == ".json":
        assert json.loads(path.read_text("utf-8")) == []


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_error_of_the_source_leaves_the_old_file(tmp_path: Path, suffix: str) -> None:
    """Rows that end in an error never become the file, and leave no part behind."""

    def broken() -> Iterator[Any]:
        yield ROWS
        raise RuntimeError("the source broke")

    path = tmp_path / f"a{suffix}"
    _write(path, ROWS)
    before = path.read_bytes()
    with pytest.raises(RuntimeError, match="the source broke"):
        deliver(broken(), str(path), load="b", mode="replace")
    assert path.read_bytes() == before
    assert _names(tmp_path) == [path.name]


FULL = """
import os, resource, signal
from sightline.errors import OutputError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
batch = pa.record_batch({"id": [*range(200_000)], "text": [os.urandom(16).hex() for _ in range(200_000)]})
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
try:
    deliver([batch], target, load="b", mode="replace")
except OutputError as problem:
    print(problem, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_full_disk_leaves_the_old_file(tmp_path: Path, suffix: str, processes: Killable) -> None:
    """A write beyond what may be written is one clear sentence; the old file is whole, and nothing else is there."""
    path = tmp_path / f"a{suffix}"
    _write(path, ROWS)
    before = path.read_bytes()
    *said, status = processes.says(FULL, target=str(path))
    assert status == "ended 0"
    assert "the disk is full" in said[0], said
    assert path.read_bytes() == before
    assert _names(tmp_path) == [path.name]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


KILLED = """
import os, signal
def rows():
    yield pa.record_batch({"id": [*range(300_000)]})
    os.kill(os.getpid(), signal.SIGKILL)
deliver(rows(), target, load="b", mode="replace")
"""


def test_kill_leaves_the_old_file_and_the_next_load_tidies_up(tmp_path: Path, processes: Killable) -> None:
    """The part of a killed process is removed by the next load, that of a living one stays."""
    path = tmp_path / "a[1].csv"
    _write(path, ROWS)
    before = path.read_bytes()
    assert [*processes.says(KILLED, target=str(path))] == ["ended 9"]
    assert path.read_bytes() == before
    assert len(_names(tmp_path)) == 2

    def while_another_writes() -> Iterator[Any]:
        yield ROWS
        _write(path, ROWS)
        yield ROWS

    deliver(while_another_writes(), str(path), load="c", mode="replace")
    assert _names(tmp_path) == [path.name]
    assert len(path.read_text("utf-8").splitlines()) == 5


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".xlsx"])
def test_numbers_that_a_format_lacks_are_told(tmp_path: Path, suffix: str) -> None:
    """NaN is an error that names the column, also deep inside of one, instead of a silent null."""
    for column in (pa.array([float("nan")]), pa.array([[{"a": float("inf")}]])):
        with pytest.raises(OutputError, match="'weight' has NaN"):
            _write(tmp_path / f"a{suffix}", pa.record_batch([column], names=["weight"]))
    assert _names(tmp_path) == []


def test_excel_tells_what_no_cell_holds(tmp_path: Path) -> None:
    """Too long a text is an error with row and column, and is not cut."""
    batch = pa.record_batch({"text": ["a", "b" * 40_000]})
    with pytest.raises(OutputError, match="Row 2 has a text of 40,000 characters in the column 'text'"):
        _write(tmp_path / "a.xlsx", batch)


@pytest.mark.parametrize(
    ("mode", "key", "hint"), [("append", [], "parquet:folder/"), ("upsert", ["id"], "a table of a database")]
)
def test_other_modes_are_refused_with_a_way_out(tmp_path: Path, mode: Any, key: list[str], hint: str) -> None:
    """A file is replaced; the error names a target that takes the mode."""
    with pytest.raises(UsageError, match=hint):
        deliver([ROWS], str(tmp_path / "a.csv"), load="a", mode=mode, key=key)


def test_missing_folder_is_told(tmp_path: Path) -> None:
    """No folder is made for a file."""
    with pytest.raises(OutputError, match="there is no such folder"):
        _write(tmp_path / "no" / "a.csv", ROWS)


def test_values_that_would_be_lost_are_told(tmp_path: Path) -> None:
    """Nanoseconds and durations are errors that name the column."""
    with pytest.raises(OutputError, match="'seen' has values that cannot be delivered without loss"):
        _write(tmp_path / "a.csv", pa.record_batch({"seen": pa.array([1], pa.timestamp("ns"))}))
    with pytest.raises(UsageError, match="'took' is of the type"):
        _write(tmp_path / "a.csv", pa.record_batch({"took": pa.array([1], pa.duration("s"))}))


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_no_text_of_a_file_runs_in_a_spreadsheet(tmp_path: Path, suffix: str) -> None:
    """As in every export; numbers stay, and `raw` writes all as they are."""
    texts = ['=HYPERLINK("https://x.example","y")', "-5 kg", None, "a;=1+1", "@SUM(A1)", "plain"]
    batch = pa.record_batch({"=name": texts, "n": [-1, 2, 3, 4, 5, 6]})
    path = tmp_path / f"x.{suffix}"
    delimiter = "," if suffix == "csv" else "\t"
    for raw in (False, True):
        deliver([batch], str(path), load="1", mode="replace", options={"raw": raw})
        with path.open(newline="") as stream:
            rows = list(csv.reader(stream, delimiter=delimiter))
        written = [text or "" if raw else defused(text or "") for text in texts]
        assert rows[0] == (["=name", "n"] if raw else ["'=name", "n"])
        assert [row[0] for row in rows[1:]] == written
        assert [row[1] for row in rows[1:]] == ["-1", "2", "3", "4", "5", "6"]
