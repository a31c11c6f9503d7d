"""Files of rows cost only so much: each limit is an error that names it, reached before the memory is."""

import csv
import io
import tracemalloc
import zipfile
from collections.abc import Iterable
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sightline.errors import JobCancelled, LimitError, UnreadableError
from sightline.flow.rows import RowLimits, read_batches, read_columns
from sightline.flow.rows._limits import Budget
from sightline.flow.rows._text_files import numbered_cells
from sightline.jobs import Cancel

MB = 1_000_000
HEAD = (
    b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    b'<row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c></row>'
)
TAIL = b"</sheetData></worksheet>"


def _count(path: Path, limits: RowLimits | None = None) -> int:
    return sum(batch.num_rows for batch in read_batches(path, limits).batches())


def _refused(path: Path, limit: str, limits: RowLimits | None = None) -> None:
    """Both ways of reading refuse it, and say what to do."""
    for read in (lambda: _count(path, limits), lambda: read_columns(path, limits=limits)):
        with pytest.raises(LimitError, match=f"raise the limit `{limit}`") as caught:
            read()
        assert caught.value.limit == limit


def _workbook(path: Path, parts: Iterable[bytes], part: str = "xl/worksheets/sheet1.xml") -> Path:
    """A workbook, a part of which is written by hand, and not held whole."""
    book = openpyxl.Workbook()
    book.active.append(["id", "name"])
    made = io.BytesIO()
    book.save(made)
    with zipfile.ZipFile(made) as whole, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in whole.namelist():
            if name != part:
                archive.writestr(name, whole.read(name))
        with archive.open(part, "w", force_zip64=True) as stream:
            for piece in parts:
                stream.write(piece)
    return path


def _large_cell(megabytes: int) -> Iterable[bytes]:
    yield HEAD + b'<row r="2"><c r="A2" t="inlineStr"><is><t>'
    for _ in range(megabytes):
        yield b"x" * MB
    yield b"</t></is></c></row>" + TAIL


@pytest.mark.slow
def test_a_csv_may_have_many_columns_but_not_any_number(tmp_path: Path) -> None:
    """Twenty thousand are read; more are refused by the line of names alone."""
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"c{number}" for number in range(20_000)) + "\n" + "1," * 19_999 + "1\n")
    assert _count(path) == 1
    path.write_text(",".join(f"c{number}" for number in range(300_000)) + "\n")
    _refused(path, "table_columns")
    assert _count(path, RowLimits(table_columns=300_000)) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "head", "body", "tail", "limit"),
    [
        ("one.csv", "id,text\n1,", "x" * MB, "\n", "cell_bytes"),
        ("quoted.csv", 'id,text\n1,"', "x,y\n" * (MB // 4), '"\n', "cell_bytes"),
        ("commas.csv", 'id,text\n1,"', "x," * (MB // 2), '"\n', "row_bytes"),
        ("one.jsonl", '{"a": "', "x" * MB, '"}\n', "row_bytes"),
        ("one.json", '[{"a": "', "x" * MB, '"}]', "row_bytes"),
        ("object.json", '{"rows": [{"a": "', "x" * MB, '"}]}', "row_bytes"),
    ],
)
def test_a_large_cell_is_refused_before_it_is_held(
    tmp_path: Path, name: str, head: str, body: str, tail: str, limit: str
) -> None:
    """A cell of 40 MB takes no more memory than the limit says, however the file is written."""
    path = tmp_path / name
    with path.open("w") as stream:
        stream.write(head)
        for _ in range(40):
            stream.write(body)
        stream.write(tail)
    limits = RowLimits(row_bytes=8 * MB)
    _refused(path, limit, limits)
    tracemalloc.start()
    with pytest.raises(LimitError):
        _count(path, limits)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 36 * MB


def test_a_limit_that_was_raised_for_one_file_holds_for_no_other(tmp_path: Path) -> None:
    """Python has one limit of cells for the whole process: that of a file is set for its own rows, and taken back."""
    path, before = tmp_path / "table.csv", csv.field_size_limit()
    path.write_text("id,text\n" + f"1,{'x' * 2_000}\n" * 3)
    rows = numbered_cells(Budget(path, RowLimits(cell_bytes=3_000)))
    assert next(rows) == (1, ["id", "text"])
    _refused(path, "cell_bytes", RowLimits(cell_bytes=1_000))
    assert [len(cells[1]) for _, cells in rows] == [2_000] * 3
    assert csv.field_size_limit() == before


def test_a_cell_as_large_as_it_may_be_is_read(tmp_path: Path) -> None:
    """The limit is one of bytes, and can be raised."""
    path = tmp_path / "table.csv"
    path.write_text("id,text\n1," + "x" * (4 * MB) + "\n")
    assert len(read_columns(path)["text"][0] or "") == 4 * MB
    assert _count(path) == 1
    path.write_text("id,text\n1," + "é" * (2 * MB + 1) + "\n")
    _refused(path, "cell_bytes")
    assert _count(path, RowLimits(cell_bytes=5 * MB)) == 1


def test_rows_and_bytes_are_counted(tmp_path: Path) -> None:
    """Of every format."""
    path = tmp_path / "table.csv"
    path.write_text("id\n" + "1\n" * 30_000)
    _refused(path, "table_rows", RowLimits(table_rows=29_999))
    _refused(path, "table_bytes", RowLimits(table_bytes=50_000))
    lines = tmp_path / "table.jsonl"
    lines.write_text('{"id": 1}\n' * 100)
    _refused(lines, "table_rows", RowLimits(table_rows=99))
    _refused(lines, "table_bytes", RowLimits(table_bytes=999))
    table = tmp_path / "table.parquet"
    pq.write_table(pa.table({"id": ["a"] * 100}), table)
    _refused(table, "table_rows", RowLimits(table_rows=99))
    _refused(table, "table_bytes", RowLimits(table_bytes=99))


@pytest.mark.slow
def test_a_text_that_parquet_stores_once_is_counted_as_often_as_it_comes(tmp_path: Path) -> None:
    """A file of some kilobytes may be 60 GB of texts."""
    path = tmp_path / "small.parquet"
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000, pa.int32()), pa.array(["x" * 3 * MB]))
    pq.write_table(pa.table({"text": texts}), path, store_schema=False)
    _refused(path, "table_bytes")
    _refused(path, "cell_bytes", RowLimits(cell_bytes=MB))


@pytest.mark.slow
def test_a_cell_of_a_workbook_is_counted_while_it_is_decompressed(tmp_path: Path) -> None:
    """However it is cut into runs of text."""
    _refused(_workbook(tmp_path / "cell.xlsx", _large_cell(100)), "cell_bytes")
    runs = (HEAD, b'<row r="2"><c r="A2" t="inlineStr"><is>', *[b"<r><t>" + b"x" * MB + b"</t></r>"] * 40)
    _refused(_workbook(tmp_path / "runs.xlsx", (*runs, b"</is></c></row>", TAIL)), "cell_bytes")
    shared = (b"<sst>", b"<si><t>", *[b"x" * MB] * 40, b"</t></si></sst>")
    _refused(_workbook(tmp_path / "shared.xlsx", shared, "xl/sharedStrings.xml"), "cell_bytes")
    styles = (b"<styleSheet>", *[b"<font/>" * (MB // 7)] * 40, b"</styleSheet>")
    _refused(_workbook(tmp_path / "styles.xlsx", styles, "xl/styles.xml"), "row_bytes", RowLimits(row_bytes=20 * MB))


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(b"<row><c><v>1</v></c></row>" * 1_100_000, id="written"),
        pytest.param(b'<row r="2000000000"><c r="A2000000000"><v>1</v></c></row>', id="left out"),
    ],
)
def test_a_workbook_has_no_more_rows_than_excel(tmp_path: Path, rows: bytes) -> None:
    """Neither rows that are there, nor such as a number leaves out."""
    path = _workbook(tmp_path / "rows.xlsx", (HEAD, rows, TAIL))
    with pytest.raises(UnreadableError, match="more than 1,048,576 rows"):
        _count(path)


def test_a_workbook_that_says_it_is_larger_is_read_as_it_is(tmp_path: Path) -> None:
    """Rows are not filled up to columns that are not there."""
    head = HEAD.replace(b"<sheetData>", b'<dimension ref="A1:XFD1048576"/><sheetData>')
    path = _workbook(tmp_path / "table.xlsx", (head, b'<row r="2"><c r="A2"><v>7</v></c></row>', TAIL))
    assert read_columns(path) == {"id": ["7"]}


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".json", ".xlsx", ".parquet"])
def test_reading_ends_when_nobody_wants_the_rows(tmp_path: Path, suffix: str) -> None:
    """Between two batches, of every format."""
    path = tmp_path / f"table{suffix}"
    rows = [{"id": str(number), "text": "x" * 50} for number in range(20_000)]
    match suffix:
        case ".csv":
            path.write_text("id,text\n" + "".join(f"{row['id']},{row['text']}\n" for row in rows))
        case ".jsonl":
            path.write_text("".join(f'{{"id": "{row["id"]}"}}\n' for row in rows))
        case ".json":
            path.write_text("[" + ",".join(f'{{"id": "{row["id"]}"}}' for row in rows) + "]")
        case ".xlsx":
            _workbook(path, (HEAD, b"<row><c><v>1</v></c></row>" * 20_000, TAIL))
        case ".parquet":
            pq.write_table(pa.Table.from_pylist(rows), path)
    cancel = Cancel()
    table = read_batches(path, check=cancel.check)
    cancel.cancel()
    with pytest.raises(JobCancelled):
        list(table.batches())
