"""Delivery to an Excel workbook: typed cells where Excel is exact, texts where it would round; never a formula."""

import re
import tempfile
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, BinaryIO

import xlsxwriter
from xlsxwriter.exceptions import XlsxWriterException

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver._rows import as_json, as_rows, as_text, check_finite
from sightline.flow.deliver._schema import LoadColumns

# Excel's own limits.
_MOST_ROWS, _MOST_COLUMNS, _LONGEST_TEXT = 1_048_576, 16_384, 32_767
_MOST_DIGITS = 15
_FIRST_YEAR = 1900
_NO_CHARACTERS = re.compile("[\ufffe\uffff]")  # which XML forbids; control characters are escaped

_OPTIONS = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
# A fixed date, so that the same rows give the same file.
_CREATED = datetime(2000, 1, 1)


class ExcelWriter:
    """One sheet with a bold head that stays in view."""

    def __init__(self, stream: BinaryIO, schema: Any, columns: LoadColumns) -> None:
        if len(schema) > _MOST_COLUMNS:
            raise UsageError(f"{len(schema)} columns are more than an Excel sheet holds; use .csv or .parquet.")
        self._columns, self._rows = columns, 0
        self._kept = tempfile.TemporaryDirectory(prefix="sightline-", ignore_cleanup_errors=True)
        self._book = xlsxwriter.Workbook(stream, {**_OPTIONS, "tmpdir": self._kept.name})
        self._book.set_properties({"created": _CREATED})
        self._sheet = self._book.add_worksheet("Rows")
        self._sheet.freeze_panes(1, 0)
        self._formats = {
            "date": self._book.add_format({"num_format": "yyyy-mm-dd"}),
            "time": self._book.add_format({"num_format": "hh:mm:ss"}),
            "timestamp": self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"}),
        }
        bold = self._book.add_format({"bold": True})
        for place, name in enumerate(columns.names):
            self._sheet.write_string(0, place, self._text(name, name), bold)

    def write(self, piece: Any) -> None:
        """Add the rows."""
        if self._rows + piece.num_rows >= _MOST_ROWS:
            raise OutputError(
                f"There are more than {_MOST_ROWS - 1:,} rows, which no sheet holds; use .csv or .parquet."
            )
        check_finite(piece, "Excel")
        for row in as_rows(piece, self._columns):
            self._rows += 1
            self._write_row(list(row.values()))

    def _write_row(self, values: Sequence[Any]) -> None:
        for place, value in enumerate(values):
            if value is not None:
                self._write_cell(place, value)

    def _write_cell(self, place: int, value: Any) -> None:
        """A cell of the type of its value, if the cell then holds exactly that value."""
        if isinstance(value, bool):
            self._sheet.write_boolean(self._rows, place, value)
        elif isinstance(value, float) or (isinstance(value, int | Decimal) and _is_exact(value)):
            self._sheet.write_number(self._rows, place, float(value))
        elif isinstance(value, date | time) and _is_storable(value):
            family = self._columns.kinds[place].family
            self._sheet.write_datetime(self._rows, place, value, self._formats[family])
        else:
            text = as_json(value).decode() if isinstance(value, list | dict) else as_text(value)
            self._sheet.write_string(self._rows, place, self._text(text, self._columns.names[place]))

    def _text(self, text: str, column: str) -> str:
        if len(text.encode("utf-16-le")) // 2 > _LONGEST_TEXT:
            raise OutputError(
                f"Row {self._rows} has a text of {len(text):,} characters in the column {column!r}, and a cell holds "
                f"{_LONGEST_TEXT:,}; use .csv or .parquet."
            )
        if _NO_CHARACTERS.search(text):
            raise OutputError(
                f"Row {self._rows} has U+FFFE or U+FFFF in the column {column!r}, which Excel does not allow; "
                "remove it first."
            )
        return text

    def finish(self) -> None:
        """Write the workbook."""
        try:
            self._book.close()
        except XlsxWriterException as problem:
            # It wraps what the system said, which is the reason that counts.
            raise OSError(*getattr(problem.args[0], "args", (0, str(problem)))) from problem

    def close(self) -> None:
        """Remove the rows that were kept on disk until the workbook could be written."""
        self._sheet.row_data_fh.close()
        self._kept.cleanup()


def _is_storable(value: date | time) -> bool:
    """Excel counts days from 1900 and milliseconds, and knows no time zones."""
    if isinstance(value, datetime | time) and (value.tzinfo is not None or value.microsecond % 1000):
        return False
    return isinstance(value, time) or value.year > _FIRST_YEAR


def _is_exact(value: int | Decimal) -> bool:
    digits = Decimal(value).normalize().as_tuple().digits
    return len(digits) <= _MOST_DIGITS
