"""What tables and records share: every export, as a method and by the name of a format."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sightline.data._column import Column
from sightline.data._exports._csv import csv_text
from sightline.data._exports._excel import excel_bytes
from sightline.data._exports._frames import pandas_frame, parquet_bytes, polars_frame, pyarrow_table
from sightline.data._exports._html import html_document, rows_html
from sightline.data._exports._json import json_bytes, json_lines
from sightline.data._exports._xml import xml_document, xml_rows
from sightline.data._plain_python import Plain, XPath
from sightline.errors import UsageError

__all__ = ["FORMATS", "Exportable", "export"]


class Exportable(ABC):
    """Exports to every format from columns and dicts; the base of `Table` and `Records`."""

    @property
    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """The flat, typed columns."""

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

    def to_csv(self, *, typed: bool = False, raw: bool = False) -> str:
        """CSV; typed values instead of texts as seen on request; `raw` leaves formulas as they are."""
        return csv_text(self.columns, typed=typed, raw=raw)

    def to_jsonl(self, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None) -> str:
        """One JSON object per line."""
        return json_lines(self.to_dicts(origins=origins, typed=typed, xpath=xpath))

    def to_xml(self, *, origins: bool = False, typed: bool = False, xpath: XPath | None = None) -> str:
        """An XML document."""
        return xml_document(xml_rows(self.to_dicts(origins=origins, typed=typed, xpath=xpath)))

    def to_html(self) -> str:
        """An HTML `<table>`."""
        return rows_html(self.columns)

    def to_excel(self) -> bytes:
        """An Excel workbook; needs the extra `excel`."""
        return excel_bytes([self.columns])

    def to_parquet(self) -> bytes:
        """A Parquet file; needs the extra `parquet`."""
        return parquet_bytes(self)

    def to_arrow(self) -> Any:
        """A pyarrow table; needs the extra `parquet`."""
        return pyarrow_table(self)

    def to_pandas(self) -> Any:
        """A pandas frame; needs the extra `pandas`."""
        return pandas_frame(self.columns)

    def to_polars(self) -> Any:
        """A polars frame; needs the extra `polars`."""
        return polars_frame(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The Arrow stream by which pandas, polars, DuckDB and pyarrow read this."""
        from sightline.data._exports._arrow import arrow_stream  # nanoarrow is slow to import

        return arrow_stream(self.columns).__arrow_c_stream__(requested_schema)


def export(
    data: Exportable | Iterable[Exportable], format: str, *, origins: bool = False, xpath: XPath | None = None
) -> bytes:
    r"""A table, records, or several of them, as a file's content; the format is named by its suffix.

    CSV, JSON lines and Parquet hold one table; JSON, XML, HTML and Excel also several.
    `origins` adds box and XPath of every value to JSON, JSON lines and XML; `xpath` finds the latter.

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
    return FORMATS[name](tables, several=several, how={"origins": origins, "xpath": xpath})


_SINGLE = ("csv", "jsonl", "parquet")


def _csv(tables: Sequence[Exportable], **_: Any) -> bytes:
    return tables[0].to_csv().encode()


def _jsonl(tables: Sequence[Exportable], *, how: dict[str, Any], **_: Any) -> bytes:
    return tables[0].to_jsonl(**how).encode()


def _json(tables: Sequence[Exportable], *, several: bool, how: dict[str, Any]) -> bytes:
    documents = [table.to_json(**how) for table in tables]
    return json_bytes(documents if several else documents[0])


def _xml(tables: Sequence[Exportable], *, several: bool, how: dict[str, Any]) -> bytes:
    bodies = [xml_rows(table.to_dicts(**how)) for table in tables]
    return xml_document(f"<tables>\n{''.join(bodies)}</tables>\n" if several else bodies[0]).encode()


def _html(tables: Sequence[Exportable], **_: Any) -> bytes:
    return html_document("\n".join(table.to_html() for table in tables)).encode()


def _xlsx(tables: Sequence[Exportable], **_: Any) -> bytes:
    return excel_bytes([table.columns for table in tables])


def _parquet(tables: Sequence[Exportable], **_: Any) -> bytes:
    return tables[0].to_parquet()


FORMATS: dict[str, Callable[..., bytes]] = {
    "csv": _csv,
    "jsonl": _jsonl,
    "json": _json,
    "xml": _xml,
    "xlsx": _xlsx,
    "parquet": _parquet,
    "html": _html,
}
