"""The rows of a run as a file: the cells of each column with their places, to be shown and exported again."""

from collections.abc import Sequence
from typing import Any

import zstandard

from sightline.data import Column, ColumnType, Origin, Value
from sightline.documents import decoded_document, encoded_document
from sightline.errors import UsageError

__all__ = ["read_columns", "written_columns"]

FORMAT = "sightline rows"
MOST_ROWS_BYTES = 1_000_000_000  # of the document; a million rows of five short cells have about 400 MB


def written_columns(columns: Sequence[Column]) -> bytes:
    """Columns as the bytes of a file."""
    pages: dict[str, int] = {}
    document = {"format": FORMAT, "columns": [_column(column, pages) for column in columns], "pages": list(pages)}
    return zstandard.ZstdCompressor(level=3).compress(encoded_document(document))


def read_columns(content: bytes, name: str) -> tuple[Column, ...]:
    """The columns in the bytes of a file; an error says that it is another file.

    >>> column = Column("price", (Value("5 €", origin=Origin("3f2a", (17,), (0.0, 1.0, 2.0, 3.0))), None))
    >>> read_columns(written_columns([column]), "x.rows") == (column,)
    True
    """
    try:
        plain = zstandard.ZstdDecompressor().decompress(content, max_output_size=MOST_ROWS_BYTES)
        document = decoded_document(plain, MOST_ROWS_BYTES)
        pages = document["pages"]
        return tuple(_read(column, pages) for column in document["columns"])
    except (zstandard.ZstdError, UsageError, KeyError, TypeError, ValueError, IndexError) as problem:
        raise UsageError(
            f"{name}: these are not the rows of a run; remove the file from the project folder."
        ) from problem


def _column(column: Column, pages: dict[str, int]) -> dict[str, Any]:
    found: dict[str, Any] = {"name": column.name, "cells": [_cell(cell, pages) for cell in column.cells]}
    if column.declared is not None:
        found["declared"] = column.declared.to_json()
    if column.language is not None:
        found["language"] = column.language
    return found


def _cell(cell: Value | None, pages: dict[str, int]) -> Any:
    """A text alone, or with its place: page, nodes, box, sheet and the text it is a part of."""
    if cell is None or cell.origin is None:
        return None if cell is None else cell.text
    origin = cell.origin
    page = pages.setdefault(origin.page, len(pages))
    return [cell.text, page, list(origin.nodes), origin.box, origin.sheet, origin.original]


def _read(column: dict[str, Any], pages: list[str]) -> Column:
    declared = ColumnType.from_json(column["declared"]) if "declared" in column else None
    cells = tuple(_value(cell, pages) for cell in column["cells"])
    return Column(column["name"], cells, declared, column.get("language"))


def _value(cell: Any, pages: list[str]) -> Value | None:
    if cell is None or isinstance(cell, str):
        return None if cell is None else Value(cell)
    text, page, nodes, box, sheet, original = cell
    origin = Origin(pages[page], tuple(nodes), None if box is None else tuple(box), sheet, original)
    return Value(text, origin=origin)
