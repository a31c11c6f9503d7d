"""Excel: typed cells, and text that is only text."""

import io
import sys
from datetime import datetime, time

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.worksheet.worksheet import Worksheet

from sightline.data import Table, export
from sightline.errors import MissingExtra, UsageError


def sheet_of(content: bytes, place: int = 0) -> Worksheet:
    """A sheet of a workbook, read back."""
    sheet = openpyxl.load_workbook(io.BytesIO(content)).worksheets[place]
    assert isinstance(sheet, Worksheet)
    return sheet


def test_excel_writes_typed_cells() -> None:
    """Numbers are numbers, money has its currency, dates are dates."""
    head = ["Count", "Price", "Day", "Time", "Weight", "ZIP"]
    rows = [head, ["5", "1.234,50 €", "15.4.2024", "14:30", "5 kg", "01067"]]
    sheet = sheet_of(Table.from_rows(rows, language="de").to_excel())
    values = [cell.value for cell in sheet[2]]
    assert values == [5, 1234.5, datetime(2024, 4, 15), time(14, 30), 5, "01067"]
    assert "EUR" in sheet["B2"].number_format
    assert "kg" in sheet["E2"].number_format


def test_excel_head_is_bold_and_frozen() -> None:
    """Names stay in sight."""
    sheet = sheet_of(Table.from_rows([["a"], ["1"]]).to_excel())
    assert sheet["A1"].font.bold
    assert sheet.freeze_panes == "A2"


@pytest.mark.parametrize("text", ["=1+1", "@SUM(A1)", "+1+1", "http://evil.example", "mailto:a@b.example", "{=1}"])
def test_excel_never_writes_a_formula_or_a_link(text: str) -> None:
    """A text is a text, whatever it looks like."""
    sheet = sheet_of(Table.from_rows([[text], [text], ["words"]]).to_excel())
    for cell in (sheet["A1"], sheet["A2"]):
        assert (cell.value, cell.data_type, cell.hyperlink) == (text, "s", None)


def test_excel_keeps_what_it_cannot_hold_as_text() -> None:
    """Old dates, zones, long numbers and unread cells stay as they were seen."""
    rows = [["Day", "Stamp", "Id"], ["1.4.1815", "2024-04-15T10:00:00Z", "123456789012345678"], ["x", "y", "z"]]
    rows += [["1.4.2015", "2024-04-15T10:00:00Z", "5"]] * 3
    sheet = sheet_of(Table.from_rows(rows, language="de").to_excel())
    assert [cell.value for cell in sheet[2]] == rows[1]
    assert [cell.value for cell in sheet[3]] == rows[2]


def test_excel_cuts_long_texts_and_says_so() -> None:
    """A cell holds 32,767 characters; what is cut is marked."""
    value = sheet_of(Table.from_rows([["a"], ["x" * 40_000]]).to_excel())["A2"].value
    assert isinstance(value, str)
    assert len(value) == 32_767
    assert value.endswith("… (cut)")


def test_excel_writes_several_tables_as_sheets() -> None:
    """Each table has its own sheet, named by its caption, and the first sheet lists them with their sources."""
    tables = [
        Table.from_rows([["a"], [text]], caption=caption) for text, caption in zip("xy", ("P: [1]", None), strict=True)
    ]
    content = export(tables, "xlsx", sources=["https://a.example/", "b.html"])
    workbook = openpyxl.load_workbook(io.BytesIO(content))
    assert workbook.sheetnames == ["Contents", "P- -1-", "Table 2"]
    assert [workbook[name]["A2"].value for name in workbook.sheetnames[1:]] == ["x", "y"]
    assert [[cell.value for cell in row] for row in workbook["Contents"].iter_rows()] == [
        ["Sheet", "Title", "Rows", "Columns", "Source"],
        ["P- -1-", "P: [1]", 1, 1, "https://a.example/"],
        ["Table 2", None, 1, 1, "b.html"],
    ]


def test_excel_takes_texts_that_xml_forbids() -> None:
    """What no XML file may contain is replaced, and the workbook opens."""
    table = Table.from_rows([["a\uffff"], ["b\ufffe\x00c"]])
    assert sheet_of(table.to_excel())["A1"].value == "a\ufffd"


@given(st.lists(st.none() | st.text(max_size=40), max_size=6))
def test_excel_takes_any_titles(titles: list[str | None]) -> None:
    """Whatever tables are called, their sheets have names that Excel takes, each once."""
    content = export([Table.from_rows([["a"], ["x"]], caption=title) for title in [*titles, "last"]], "xlsx")
    names = openpyxl.load_workbook(io.BytesIO(content)).sheetnames
    assert len({name.casefold() for name in names}) == len(names) == len(titles) + (1 if not titles else 2)
    assert all(0 < len(name) <= 31 for name in names)


def test_excel_is_the_same_for_the_same_data() -> None:
    """No clock gets into the file."""
    table = Table.from_rows([["a"], ["1"]])
    assert table.to_excel() == table.to_excel()


def test_excel_refuses_more_than_a_sheet_holds() -> None:
    """The message names formats without that limit."""
    with pytest.raises(UsageError, match=r"use \.csv or \.parquet"):
        Table.from_rows([["a"] * 16_385]).to_excel()


@pytest.mark.parametrize(
    ("module", "method", "extra"),
    [
        ("xlsxwriter", "to_excel", "excel"),
        ("pyarrow", "to_arrow", "parquet"),
        ("pyarrow.parquet", "to_parquet", "parquet"),
        ("pandas", "to_pandas", "pandas"),
        ("polars", "to_polars", "polars"),
    ],
)
def test_export_without_its_extra_says_what_to_install(
    module: str, method: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A missing optional dependency is told with the command that brings it."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"sightline-data\[{extra}\]"):
        getattr(Table.from_rows([["a"], ["1"]]), method)()
