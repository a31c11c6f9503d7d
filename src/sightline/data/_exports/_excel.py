"""Excel workbooks: typed cells, a bold and frozen head, and never a formula or a link."""

import io
import re
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from sightline.data._column import Column
from sightline.data._exports._text import encodable, xml_text
from sightline.data._types import ColumnType
from sightline.data._value import Value
from sightline.errors import MissingExtra, UsageError

# Excel's own limits.
_MOST_ROWS, _MOST_COLUMNS, _LONGEST_TEXT = 1_048_576, 16_384, 32_767
_MOST_DIGITS = 15
_FIRST_YEAR = 1900
_CUT = "… (cut)"

# Wide enough for a heading, narrow enough that a column of prose does not fill the window.
_NARROWEST, _WIDEST = 8, 60
_SAMPLED_ROWS = 200

_OPTIONS = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
CONTENTS = "Contents"
_LONGEST_NAME = 31
_NO_CHARACTERS = re.compile("[\ufffe\uffff]")  # which XML forbids; control characters are escaped
_NOT_IN_NAMES = re.compile(r"[\x00-\x1f\[\]:*?/\\]")
# A fixed date, so that the same data gives the same file.
_CREATED = datetime(2000, 1, 1)


def excel_bytes(
    tables: Sequence[Sequence[Column]], titles: Sequence[str | None] = (), sources: Sequence[str] = ()
) -> bytes:
    """A workbook with one sheet for each table, given by its columns; several have a sheet that lists them.

    `titles` name the sheets, as far as Excel allows; `sources` say where each table is from.
    """
    try:
        import xlsxwriter
    except ImportError as problem:
        raise MissingExtra("excel", "Writing Excel files") from problem
    stream = io.BytesIO()
    workbook = xlsxwriter.Workbook(stream, _OPTIONS)
    workbook.set_properties({"created": _CREATED})
    names = sheet_names([*titles, *[None] * (len(tables) - len(titles))])
    if len(tables) > 1:
        _write_sheet(workbook, workbook.add_worksheet(CONTENTS), _contents(names, tables, titles, sources))
    for name, columns in zip(names, tables, strict=True):
        _write_sheet(workbook, workbook.add_worksheet(name), columns)
    workbook.close()
    return stream.getvalue()


def sheet_names(titles: Sequence[str | None]) -> list[str]:
    """Names that Excel takes: without its special signs, at most 31 characters, each once; a number where none is left.

    >>> sheet_names(["Prices: [2024]", None, "Prices- -2024-"])
    ['Prices- -2024-', 'Table 2', 'Prices- -2024- (2)']
    """
    taken = {CONTENTS.casefold(), "history"}  # the latter is Excel's own
    names = []
    for number, title in enumerate(titles, start=1):
        plain = _NOT_IN_NAMES.sub("-", " ".join(xml_text(title or "").split())).strip("' ")
        stem = _within(plain, _LONGEST_NAME).strip("' ") or f"Table {number}"
        name, count = stem, 1
        while name.casefold() in taken:
            count += 1
            name = f"{_within(stem, _LONGEST_NAME - len(f' ({count})'))} ({count})"
        taken.add(name.casefold())
        names.append(name)
    return names


def _within(name: str, most: int) -> str:
    """The beginning of a name; Excel counts in units of UTF-16."""
    return name[:most].encode("utf-16-le")[: 2 * most].decode("utf-16-le", "ignore")


def _contents(
    names: Sequence[str], tables: Sequence[Sequence[Column]], titles: Sequence[str | None], sources: Sequence[str]
) -> list[Column]:
    """The columns of the sheet that lists the others."""
    rows = [str(len(columns[0].cells) if columns else 0) for columns in tables]
    parts = {"Sheet": names, "Title": titles, "Rows": rows, "Columns": [str(len(columns)) for columns in tables]}
    listed = parts | ({"Source": sources} if any(sources) else {})
    return [
        Column(name, tuple(Value(text) if text else None for text in texts)) for name, texts in listed.items() if texts
    ]


def _write_sheet(workbook: Any, sheet: Any, columns: Sequence[Column]) -> None:
    height = len(columns[0].cells) if columns else 0
    if height >= _MOST_ROWS or len(columns) > _MOST_COLUMNS:
        raise UsageError(
            f"{height} rows by {len(columns)} columns are more than an Excel sheet holds; use .csv or .parquet."
        )
    bold = workbook.add_format({"bold": True})
    sheet.freeze_panes(1, 0)
    for place, column in enumerate(columns):
        sheet.set_column(place, place, _width(column))
        sheet.write_string(0, place, _text(column.name), bold)
        _write_column(sheet, place, column, workbook.add_format({"num_format": _number_format(column.usual)}))


def _write_column(sheet: Any, place: int, column: Column, style: Any) -> None:
    for row, (text, value) in enumerate(zip(column.texts, column.readings, strict=True), start=1):
        if isinstance(value, date | time) and _is_storable(value):
            sheet.write_datetime(row, place, value, style)
        elif isinstance(value, int | float | Decimal) and _is_exact(value):
            sheet.write_number(row, place, float(value), style)
        elif text is not None:
            sheet.write_string(row, place, _text(text))


def _is_storable(value: date | time) -> bool:
    """Excel counts days from 1900, and knows no time zones."""
    is_zoned = isinstance(value, datetime | time) and value.tzinfo is not None
    return not is_zoned and (isinstance(value, time) or value.year > _FIRST_YEAR)


def _is_exact(value: int | float | Decimal) -> bool:
    return isinstance(value, float) or len(Decimal(value).as_tuple().digits) <= _MOST_DIGITS


def _text(text: str) -> str:
    written = _NO_CHARACTERS.sub("\ufffd", encodable(text))
    return written if len(written) <= _LONGEST_TEXT else written[: _LONGEST_TEXT - len(_CUT)] + _CUT


def _width(column: Column) -> int:
    longest = max((len(text) for text in column.texts[:_SAMPLED_ROWS] if text), default=0)
    return min(max(len(column.name), longest, _NARROWEST) + 2, _WIDEST)


def _number_format(type: ColumnType) -> str:
    if type.kind == "date":
        return "yyyy-mm-dd hh:mm:ss" if type.with_time else "yyyy-mm-dd"
    if type.kind == "money":
        return f"#,##0.00 [${type.currency}]"
    if type.kind == "measure":
        unit = (type.unit or "").replace('"', "")
        return f'General "{unit}"'
    return "hh:mm:ss" if type.kind == "time" else "General"
