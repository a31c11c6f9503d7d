"""Reads tables of rows: files by their suffix, results of this package, dicts, and whatever speaks Arrow."""

import csv
import io
import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias
from zipfile import BadZipFile

import orjson

from sightline.data import Exportable
from sightline.errors import MissingExtra, UnreadableError, UsageError

__all__ = ["LARGEST_CELL", "SUFFIXES", "RowSource", "TextColumns", "check_names", "read_columns", "text_of"]

TextColumns: TypeAlias = dict[str, list[str | None]]
"""A table as texts: the values of each column by its name; an empty cell is None."""

RowSource: TypeAlias = str | os.PathLike[str] | Exportable | Iterable[Mapping[str, Any]] | Any
"""A file (.csv .tsv .jsonl .json .parquet .xlsx), a result such as `Records`, dicts, an Arrow table or a data frame."""

LARGEST_CELL = 1 << 30
SUFFIXES = ".csv, .tsv, .jsonl, .json, .parquet or .xlsx"


def read_columns(source: RowSource, name: str = "the table") -> TextColumns:
    """The rows of a source as texts; `name` is what errors call it.

    >>> read_columns([{"id": 1, "name": "EOS 5D"}, {"id": 2, "price": 9.5}])
    {'id': ['1', '2'], 'name': ['EOS 5D', None], 'price': [None, '9.5']}
    """
    if isinstance(source, str | os.PathLike):
        return _read_file(Path(source))
    if isinstance(source, Exportable):
        return _of_rows(source.to_dicts(), name)
    if hasattr(source, "__arrow_c_stream__"):
        return _of_arrow(source)
    if isinstance(source, Iterable) and not isinstance(source, bytes | Mapping):
        return _of_rows(source, name)
    raise UsageError(f"{name} is a {type(source).__name__}; give a file, a list of dicts, or a data frame.")


def _read_file(path: Path) -> TextColumns:
    suffix = path.suffix.lower()
    if suffix not in _READERS:
        raise UsageError(f"{path} is no table that can be read; give a file that ends in {SUFFIXES}.")
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise UnreadableError(str(path), f"cannot be read ({problem.strerror}); check its name.") from problem
    columns = _READERS[suffix](content, path)
    if not columns or not next(iter(columns.values())):
        raise UnreadableError(str(path), "has no rows; give a table with a line of names and at least one row.")
    return columns


def text_of(content: bytes, path: Path) -> str:
    """The text of a file in UTF-8; an error names the line that is not."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise UnreadableError(str(path), f"is not UTF-8 (line {line}); save it as UTF-8, and try again.") from problem


def _read_csv(content: bytes, path: Path) -> TextColumns:
    text = text_of(content, path)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t|", key=first.count)
    csv.field_size_limit(LARGEST_CELL)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        names = check_names(next(lines, []), path)
        rows = [row for row in lines if row]
    except csv.Error as problem:
        where = f"{path}, line {lines.line_num}"
        raise UnreadableError(where, f"this is no CSV ({problem}); mend that line.") from problem
    for number, row in enumerate(rows, start=2):
        if len(row) > len(names):
            raise UnreadableError(
                f"{path}, row {number}",
                f"there are {len(row)} cells, but {len(names)} names; put cells that hold {delimiter!r} in quotes.",
            )
    return {name: [row[at] or None if at < len(row) else None for row in rows] for at, name in enumerate(names)}


def check_names(given: Sequence[str], path: Path) -> list[str]:
    """The names of the columns; each must be there once."""
    names = [name.strip() for name in given]
    doubled = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if doubled is not None:
        raise UnreadableError(str(path), f"has two columns named {doubled!r}; rename one of them.")
    return names


def _read_json_lines(content: bytes, path: Path) -> TextColumns:
    rows = []
    for number, line in enumerate(content.splitlines(), start=1):
        if line.strip():
            rows.append(_parsed(line, f"{path}, line {number}"))
    return _of_rows(rows, str(path))


def _read_json(content: bytes, path: Path) -> TextColumns:
    document = _parsed(content, str(path))
    if isinstance(document, dict):
        document = next((value for value in document.values() if isinstance(value, list)), document)
    if not isinstance(document, list):
        raise UnreadableError(str(path), "holds no list of rows; give a list of objects.")
    return _of_rows(document, str(path))


def _parsed(content: bytes, where: str) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as problem:
        raise UnreadableError(where, f"is no JSON ({problem}); mend it, and try again.") from problem


def _read_parquet(content: bytes, path: Path) -> TextColumns:
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError as problem:
        raise MissingExtra("parquet", f"Reading {path}") from problem
    try:
        return _of_arrow(parquet.read_table(io.BytesIO(content)))
    except pa.ArrowInvalid as problem:
        raise UnreadableError(str(path), "is no Parquet file; check where it comes from.") from problem


def _read_excel(content: bytes, path: Path) -> TextColumns:
    try:
        import openpyxl
    except ImportError as problem:
        raise MissingExtra("excel", f"Reading {path}") from problem
    try:
        sheet = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True).worksheets[0]
        lines = [["" if cell is None else cell for cell in line] for line in sheet.iter_rows(values_only=True)]
    except _NO_EXCEL as problem:
        raise UnreadableError(str(path), "is no Excel file; check where it comes from.") from problem
    names = check_names([str(cell) for cell in lines[0]] if lines else [], path)
    return _of_rows([dict(zip(names, line, strict=False)) for line in lines[1:] if any(line)], str(path))


# No archive, half of one, one of something else, and XML that is none.
_NO_EXCEL = (BadZipFile, zlib.error, EOFError, KeyError, IndexError, ValueError, SyntaxError)


def _of_arrow(source: Any) -> TextColumns:
    import nanoarrow  # takes a while, and only this needs it

    stream = nanoarrow.ArrayStream(source)
    names = [field.name for field in stream.schema.fields]
    columns: TextColumns = {name: [] for name in names}
    for batch in stream:
        for at, name in enumerate(names):
            columns[name].extend(_said(value) for value in batch.child(at).iter_py())
    return columns


def _of_rows(rows: Iterable[Any], name: str) -> TextColumns:
    columns: TextColumns = {}
    for number, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise UsageError(f"Row {number + 1} of {name} is a {type(row).__name__}; give rows as dicts.")
        for key, value in row.items():
            name_of = str(key)
            if name_of not in columns:
                columns[name_of] = [None] * number
            columns[name_of].append(_said(value))
        for values in columns.values():
            if len(values) == number:
                values.append(None)
    return columns


def _said(value: Any) -> str | None:
    """A value as it would be written; what is empty is None."""
    return None if value is None or value == "" else str(value)


_READERS = {
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".jsonl": _read_json_lines,
    ".json": _read_json,
    ".parquet": _read_parquet,
    ".xlsx": _read_excel,
}
