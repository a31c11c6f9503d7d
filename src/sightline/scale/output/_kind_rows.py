"""Tables, lists and main texts as rows, each kind with columns of its own."""

from collections.abc import Iterator
from typing import Any

from sightline.data import Cell, Content, Extraction, Item, ItemList, Table, Value
from sightline.errors import LimitError
from sightline.geometry import Box
from sightline.scale.output._places import place_of, places_of
from sightline.scale.output._records import Row
from sightline.scale.output._texts import json_text

__all__ = ["MOST_ROW_BYTES", "content_rows", "list_rows", "table_rows"]

MOST_ROW_BYTES = 256_000_000
"""Characters of the rows of one document: a cell of 1 MB that spans 1,000 × 60,000 places would be repeated in each."""

LARGEST = 2**63 - 1  # number that a column holds


def table_rows(found: Extraction, *, origins: bool) -> list[Row]:
    """One row for each row of a table below its headings; a table without any is one row."""
    tables: list[Table] = list(found)  # type: ignore[arg-type]
    length = sum(len(cell.text) * cell.row_span * cell.column_span for table in tables for cell in table.anchors)
    if length > MOST_ROW_BYTES:
        raise LimitError(
            "the page",
            f"its tables have {length:,} characters with all repetitions, more than the {MOST_ROW_BYTES:,} that rows "
            "of one document may have; leave the document out, or read its tables with `sightline tables`.",
            limit="MOST_ROW_BYTES",
        )
    return [row for number, table in enumerate(tables, start=1) for row in _rows_of_table(number, table, origins)]


def _rows_of_table(number: int, table: Table, origins: bool) -> Iterator[Row]:  # noqa: FBT001
    columns = table.columns
    names = [column.name for column in columns]
    lines: list[tuple[Value | None, ...]] = list(zip(*(column.cells for column in columns), strict=True)) or [()]
    more = _beside(table, names)
    for line in lines:
        places = [place_of(value.origin) if value else None for value in line] if origins else []
        yield [
            number,
            table.caption,
            names,
            [value.text if value else None for value in line],
            _edges(table.box),
            table.sheet,
            table.score,
            json_text({"cells": more}) if more else None,
            json_text({"cells": places}) if any(places) else None,
        ]
        more = []


def _beside(table: Table, names: list[str]) -> list[dict[str, Any]]:
    """The cells that are in no row and no name of a column: notes, and headings that are joined to others."""
    known = {*names, ""}
    for column in table.columns:
        known.update(value.text for value in column.cells if value)
    return [_cell(cell) for cell in table.anchors if cell.text not in known]


def _cell(cell: Cell) -> dict[str, Any]:
    return {"row": cell.row, "column": cell.column, "role": cell.role, "text": cell.text}


def list_rows(found: Extraction, *, origins: bool) -> list[Row]:
    """One row for each item of each list."""
    lists: list[ItemList] = list(found)  # type: ignore[arg-type]
    return [
        _item_row(number, one, item, origins)
        for number, one in enumerate(lists, start=1)
        for item in one
    ]  # fmt: skip


def _item_row(number: int, one: ItemList, item: Item, origins: bool) -> Row:  # noqa: FBT001
    places = {}
    if origins:
        named = {"title": item.title, "text": item.text, "link": item.link, "image": item.image}
        places = {name: place for name, value in named.items() if (place := places_of(value))}
        if inner := places_of(item.components):
            places["components"] = inner
    return [
        number,
        one.kind,
        one.caption,
        _stored(item.rank),
        item.level,
        item.title.text,
        item.text.text,
        item.link.text if item.link else None,
        item.image.text if item.image else None,
        json_text(item.components.to_dict()) if item.components else None,
        _edges(one.box),
        one.score,
        json_text({"rank": str(item.rank)}) if _stored(item.rank) != item.rank else None,
        json_text(places) if places else None,
    ]


def _stored(rank: int | None) -> int | None:
    """A number that 64 bits can hold; pages have others."""
    return None if rank is None or not -LARGEST <= rank <= LARGEST else rank


def content_rows(found: Extraction, *, origins: bool) -> list[Row]:
    """One row for the main text, if there is any."""
    texts: list[Content] = list(found)  # type: ignore[arg-type]
    return [_text_row(one, origins) for one in texts if one.parts or one.title or one.byline or one.date]


def _text_row(one: Content, origins: bool) -> Row:  # noqa: FBT001
    places = {}
    if origins:
        named = {"title": one.title, "author": one.byline, "date": one.date}
        places = {name: place for name, value in named.items() if (place := places_of(value))}
        if parts := places_of(tuple(part.value for part in one.parts)):
            places["text"] = parts
    return [
        *(one.title and one.title.text, one.byline and one.byline.text, one.date and one.date.text),
        one.text,
        one.language,
        one.address,
        [image.address for image in one.images] or None,
        one.by,
        one.score,
        None,
        json_text(places) if places else None,
    ]


def _edges(box: Box | None) -> list[float] | None:
    return None if box is None else [float(edge) for edge in box]
