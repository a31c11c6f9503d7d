"""What tables and records share: every export, as a method and by the name of a format."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, overload

from sightline.data._column import Column, coerced
from sightline.data._exports._excel import excel_bytes
from sightline.data._exports._text import (
    csv_text,
    html_document,
    json_bytes,
    json_lines,
    rows_html,
    xml_document,
    xml_rows,
)
from sightline.data._result import Plain, XPath
from sightline.errors import UsageError
from sightline.files import write_bytes

PathName: TypeAlias = str | os.PathLike[str]


class Exportable(ABC):
    """Exports to every format from columns and dicts; the base of `Table` and `Records`."""

    @property
    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """The flat, typed columns."""

    def column(self, name: str) -> Column:
        """A column by its name, or by its label, which is the name without unit and notes.

        >>> from sightline.data import Table
        >>> Table.from_rows([["Weight (kg)"], ["5"]]).column("Weight").values
        (5.0,)
        """
        found = [column for column in self.columns if column.name == name]
        found += [column for column in self.columns if column.label == name]
        if not found:
            names = ", ".join(repr(column.name) for column in self.columns)
            raise UsageError(f"There is no column {name!r}; the columns are {names or 'none'}.")
        return found[0]

    @abstractmethod
    def to_json(self, *, origins: bool = False, xpath: XPath | None = None) -> dict[str, Any]:
        """The document of the JSON contract."""

    def to_dicts(
        self, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None
    ) -> list[dict[str, Any]]:
        """One plain dict per row: texts as seen, typed values, or each value with its origin."""
        plain = Plain(typed, origins, xpath)
        names = [column.name for column in self.columns]
        cells = [column.typed_cells if typed or origins else column.cells for column in self.columns]
        return [dict(zip(names, map(plain.of, row), strict=True)) for row in zip(*cells, strict=True)]

    @overload
    def to_csv(self, path: None = None, *, typed: bool = False, raw: bool = False, coerce: bool = False) -> str: ...
    @overload
    def to_csv(self, path: PathName, *, typed: bool = False, raw: bool = False, coerce: bool = False) -> Path: ...
    def to_csv(
        self, path: PathName | None = None, *, typed: bool = False, raw: bool = False, coerce: bool = False
    ) -> str | Path:
        """CSV, returned or written to a file; texts as seen, or typed values; `raw` leaves formulas as they are.

        Here and below, `coerce` gives every column its usual type, with the texts of those that lose something in a
        second column. Without it such a column is text.
        """
        return _given(csv_text(self._columns(coerce=coerce), typed=typed or coerce, raw=raw), path)

    @overload
    def to_jsonl(
        self, path: None = None, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None
    ) -> str: ...
    @overload
    def to_jsonl(
        self, path: PathName, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None
    ) -> Path: ...
    def to_jsonl(
        self, path: PathName | None = None, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None
    ) -> str | Path:
        """One JSON object per line."""
        return _given(json_lines(self.to_dicts(origins=origins, typed=typed, xpath=xpath)), path)

    @overload
    def to_xml(
        self, path: None = None, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None
    ) -> str: ...
    @overload
    def to_xml(
        self, path: PathName, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None
    ) -> Path: ...
    def to_xml(
        self, path: PathName | None = None, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None
    ) -> str | Path:
        """An XML document."""
        return _given(xml_document(xml_rows(self.to_dicts(origins=origins, typed=typed, xpath=xpath))), path)

    @overload
    def to_html(self, path: None = None) -> str: ...
    @overload
    def to_html(self, path: PathName) -> Path: ...
    def to_html(self, path: PathName | None = None) -> str | Path:
        """An HTML `<table>`; written to a file, a whole document with it."""
        table = self._html_table()
        return table if path is None else _given(html_document(table), path)

    def _html_table(self) -> str:
        return rows_html(self.columns)

    @overload
    def to_excel(self, path: None = None, *, coerce: bool = False) -> bytes: ...
    @overload
    def to_excel(self, path: PathName, *, coerce: bool = False) -> Path: ...
    def to_excel(self, path: PathName | None = None, *, coerce: bool = False) -> bytes | Path:
        """An Excel workbook; each cell has a type of its own, so nothing is lost. Needs the extra `excel`."""
        return _given(excel_bytes([self._columns(coerce=coerce)], [getattr(self, "caption", None)]), path)

    @overload
    def to_parquet(self, path: None = None, *, coerce: bool = False) -> bytes: ...
    @overload
    def to_parquet(self, path: PathName, *, coerce: bool = False) -> Path: ...
    def to_parquet(self, path: PathName | None = None, *, coerce: bool = False) -> bytes | Path:
        """A Parquet file; needs the extra `parquet`."""
        return _given(_arrow().parquet_bytes(self._stream(coerce=coerce)), path)

    def to_arrow(self, *, coerce: bool = False) -> Any:
        """A pyarrow table; needs the extra `parquet`."""
        return _arrow().pyarrow_table(self._stream(coerce=coerce))

    def to_pandas(self, *, coerce: bool = False) -> Any:
        """A pandas frame; needs the extra `pandas`."""
        return _arrow().pandas_frame(self._columns(coerce=coerce))

    def to_polars(self, *, coerce: bool = False) -> Any:
        """A polars frame; needs the extra `polars`."""
        return _arrow().polars_frame(self._stream(coerce=coerce))

    def _columns(self, *, coerce: bool) -> tuple[Column, ...]:
        return coerced(self.columns) if coerce else self.columns

    def _stream(self, *, coerce: bool) -> "_Stream":
        return _Stream(self._columns(coerce=coerce))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The Arrow stream by which pandas, polars, DuckDB and pyarrow read this."""
        return _Stream(self.columns).__arrow_c_stream__(requested_schema)


def _arrow() -> Any:
    """What makes Arrow of columns; its library is slow to import, and most calls need none of it."""
    from sightline.data._exports import _arrow

    return _arrow


class _Stream:
    """Columns that other libraries read as an Arrow stream."""

    def __init__(self, columns: tuple[Column, ...]) -> None:
        self._columns = columns

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _arrow().arrow_stream(self._columns).__arrow_c_stream__(requested_schema)


Given = TypeVar("Given", str, bytes)


def _given(content: Given, path: PathName | None) -> Given | Path:
    """The content, or the file into which it was written."""
    if path is None:
        return content
    return write_bytes(path, content.encode() if isinstance(content, str) else content)


def export(  # noqa: PLR0913 - one for each option of the methods
    data: Exportable | Iterable[Exportable],
    format: str,
    *,
    origins: bool = False,
    xpath: XPath | None = None,
    typed: bool = False,
    coerce: bool = False,
    raw: bool = False,
    sources: Sequence[str] = (),
    titles: Sequence[str] = (),
) -> bytes:
    r"""A table, records, or several of them, as a file's content; the format is named by its suffix.

    CSV, JSON lines and Parquet hold one table; JSON, XML, HTML and Excel also several.
    `origins` adds box and XPath of every value to JSON, JSON lines and XML; `xpath` finds the latter. `typed` is for
    CSV, JSON lines and XML, `raw` for CSV, `coerce` for CSV, Excel and Parquet; they mean the same as in `to_csv`.
    Several tables in Excel have a sheet that lists them, with `sources` if these say where each is from; `titles` name
    the sheets, which have the captions of the tables otherwise.

    >>> from sightline.data import Table
    >>> export(Table.from_rows([["a", "b"], ["1", "=2"]]), "csv")
    b"a,b\r\n1,'=2\r\n"
    """
    name = format.lower().lstrip(".")
    if name not in FORMATS:
        raise UsageError(f"There is no format {format!r}; use one of {', '.join(FORMATS)}.")
    several = not isinstance(data, Exportable)
    tables = [data] if isinstance(data, Exportable) else list(data)
    if len(tables) != 1 and name in _SINGLE:
        raise UsageError(
            f"A .{name} file holds one table, not {len(tables)}; choose one, or use .xlsx, .json or .html."
        )
    how = ExportOptions(
        origins=origins, xpath=xpath, typed=typed, coerce=coerce, raw=raw, sources=sources, titles=titles
    )
    return FORMATS[name](tables, several=several, how=how)


_SINGLE = ("csv", "jsonl", "parquet")


@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """What was asked of a file; each format takes what it can."""

    origins: bool = False
    xpath: XPath | None = None
    typed: bool = False
    coerce: bool = False
    raw: bool = False
    sources: Sequence[str] = ()
    titles: Sequence[str] = ()


def _csv(tables: Sequence[Exportable], *, how: ExportOptions, **_: Any) -> bytes:
    return tables[0].to_csv(typed=how.typed, raw=how.raw, coerce=how.coerce).encode()


def _jsonl(tables: Sequence[Exportable], *, how: ExportOptions, **_: Any) -> bytes:
    return tables[0].to_jsonl(origins=how.origins, typed=how.typed, xpath=how.xpath).encode()


def _json(tables: Sequence[Exportable], *, several: bool, how: ExportOptions) -> bytes:
    documents = [table.to_json(origins=how.origins, xpath=how.xpath) for table in tables]
    return json_bytes(documents if several else documents[0])


def _xml(tables: Sequence[Exportable], *, several: bool, how: ExportOptions) -> bytes:
    bodies = [xml_rows(table.to_dicts(origins=how.origins, typed=how.typed, xpath=how.xpath)) for table in tables]
    return xml_document(f"<tables>\n{''.join(bodies)}</tables>\n" if several else bodies[0]).encode()


def _html(tables: Sequence[Exportable], **_: Any) -> bytes:
    return html_document("\n".join(table.to_html() for table in tables)).encode()


def _xlsx(tables: Sequence[Exportable], *, how: ExportOptions, **_: Any) -> bytes:
    columns = [table._columns(coerce=how.coerce) for table in tables]
    return excel_bytes(columns, how.titles or [getattr(table, "caption", None) for table in tables], how.sources)


def _parquet(tables: Sequence[Exportable], *, how: ExportOptions, **_: Any) -> bytes:
    return tables[0].to_parquet(coerce=how.coerce)


FORMATS: dict[str, Callable[..., bytes]] = {
    "csv": _csv,
    "jsonl": _jsonl,
    "json": _json,
    "xml": _xml,
    "xlsx": _xlsx,
    "parquet": _parquet,
    "html": _html,
}
