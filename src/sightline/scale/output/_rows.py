"""The rows of a document: one maker for each kind of extractor, with a schema that is fixed for the whole job."""

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from sightline.data import Cell, Content, Extraction, Field, Item, ItemList, Origin, Record, Schema, Table, Value
from sightline.errors import LimitError, MissingExtra, UsageError
from sightline.geometry import Box
from sightline.jobs import Extractor, extractor
from sightline.page import Page
from sightline.scale._spec import BatchSpec
from sightline.scale.output._layout import (
    MIXED,
    Form,
    Path,
    RecordColumn,
    columns_of,
    json_text,
    storable,
    storable_text,
)

if TYPE_CHECKING:
    from sightline.extract.wrappers import Wrapper

# -- records as rows: texts as they were seen, and beside them what has no column -----------------------------------

Row: TypeAlias = list[Any]
"""The values of the columns of a kind, then `_more` and `_origins`."""

_Nested: TypeAlias = dict[str, Any]


class RecordRows:
    """Makes the rows of records that follow a schema."""

    def __init__(self, schema: Schema, *, origins: bool) -> None:
        self.columns = columns_of(schema)
        self._origins = origins
        self._width = len(self.columns)
        # Nearly every field is one text at the top of its record: these are found by their name alone.
        self._texts = {
            path[0]: column for path, column in self.columns.items() if len(path) == 1 and column.form == "text"
        }

    def rows(self, found: Extraction) -> list[Row]:
        """One row a record."""
        return [self._row(record) for records in found for record in records]  # type: ignore[attr-defined]

    def _row(self, record: Record) -> Row:
        row: Row = [None] * self._width
        more: _Nested = {}
        places: _Nested = {}
        for name, field in record.items():
            if type(field) is Value and name in self._texts:
                column = self._texts[name]
                row[column.place] = field.text
                if self._origins and field.origin:
                    places[column.name] = place_of(field.origin)
            elif field is not None:
                self._put((name,), field, row, more, places)
        row.append(json_text(more) if more else None)
        row.append(json_text(places) if places else None)
        return row

    def _put(self, path: Path, field: Field, row: Row, more: _Nested, places: _Nested) -> None:
        """Put a field into its column; what does not fit, whole or in part, is kept whole among the rest."""
        column = self.columns.get(path)
        if isinstance(field, Record) and (column is None or column.form == "text"):
            for name, inner in field.items():
                if inner is not None:
                    self._put((*path, name), inner, row, more, places)
            return
        fitted, fits = _fitted(field, column) if column else (None, False)
        if column:
            row[column.place] = fitted
        if not fits:
            _set(more, path, _plain(field))
        if self._origins and (where := places_of(field)):
            _set(places, (column.name,) if column else ("_more", *path), where)


def _fitted(field: Field, column: RecordColumn) -> tuple[Any, bool]:
    """What of a field its column can hold, and whether that is all of it."""
    items = field if isinstance(field, tuple) else (field,)
    if column.form == "text":
        texts = [item.text for item in items if isinstance(item, Value)]
        return (texts[0] if texts else None), len(texts) == 1 == len(items)
    if column.form == "texts":
        fits = not any(isinstance(item, Record) for item in items)
        return [_text(item) for item in items], fits
    made = [_parts(item) for item in items]
    kept = [None if parts is None else {name: text for name, text in parts if name in column.parts} for parts in made]
    return kept, all(parts is None or len(parts) == len(one or ()) for parts, one in zip(made, kept, strict=True))


def _parts(item: Field) -> list[tuple[str, str | None]] | None:
    """An item of a list of records; one that isn't a record is a part of its own."""
    if item is None:
        return None
    return _flat(item, "") if isinstance(item, Record) else [(MIXED, _text(item))]


def _flat(record: Record, prefix: str) -> list[tuple[str, str | None]]:
    parts: list[tuple[str, str | None]] = []
    for name, field in record.items():
        if isinstance(field, Record):
            parts += _flat(field, f"{prefix}{name}.")
        elif field is not None:
            parts.append((f"{prefix}{name}", _text(field)))
    return parts


def _text(field: Field) -> str | None:
    """A value as its text, anything else as JSON."""
    if field is None or isinstance(field, Value):
        return None if field is None else field.text
    return json_text(_plain(field))


def _plain(field: Field) -> Any:
    if field is None or isinstance(field, Value):
        return None if field is None else field.text
    return field.to_dict() if isinstance(field, Record) else [_plain(item) for item in field]


def _set(nested: _Nested, path: Path, content: Any) -> None:
    for name in path[:-1]:
        nested = nested.setdefault(name, {})
    nested[path[-1]] = content


# Where values were seen, as small as it can be said: the page is known from the document, and most have no box.


def place_of(origin: Origin | None) -> dict[str, Any] | None:
    """The nodes of an origin, and whatever else it has.

    >>> place_of(Origin("3f2a", (17,))), place_of(Origin("3f2a", (17,), (1.0, 2.0, 3.04, 4.0)))
    ({'nodes': (17,)}, {'nodes': (17,), 'box': [1.0, 2.0, 3.0, 4.0]})
    """
    if origin is None:
        return None
    place: dict[str, Any] = {"nodes": origin.nodes}
    if origin.box is not None:
        place["box"] = [round(float(edge), 1) for edge in origin.box]
    if origin.sheet != 1:
        place["sheet"] = origin.sheet
    if origin.original:
        place["original"] = origin.original
    return place


def places_of(field: Field) -> Any:
    """The places of all values of a field, nested as they are; None where none is known."""
    if isinstance(field, Value):  # asked first: most fields are, and records are slow to be recognised
        return place_of(field.origin)
    if field is None:
        return None
    if isinstance(field, tuple):
        several = [places_of(item) for item in field]
        return several if any(several) else None
    return {name: place for name, inner in field.items() if (place := places_of(inner))} or None


# Tables, lists and main texts as rows, each kind with columns of its own.

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


# -- the rows of a document -----------------------------------------------------------------------------------------

try:
    import pyarrow as pa
except ImportError as problem:
    raise MissingExtra("flow", "Writing the rows of a batch") from problem


DOCUMENT, MORE, ORIGINS = "_document", "_more", "_origins"

_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())
_WHOLE, _NUMBER, _BOX = pa.int64(), pa.float64(), pa.list_(pa.float32())

FIRST = ((DOCUMENT, _TEXT), ("_source", _TEXT), ("_row", pa.int64()), ("_verdict", _TEXT))
"""Before the columns of the rows: which document, where it is from, the number of the row in it, and its verdict."""

LAST = ((MORE, _TEXT), (ORIGINS, _TEXT))
"""After them, as JSON: what has no column, and where each value was seen."""

_TABLE = (
    ("_table", _WHOLE),
    ("caption", _TEXT),
    ("columns", _TEXTS),
    ("cells", _TEXTS),
    ("box", _BOX),
    ("sheet", _WHOLE),
    ("score", _NUMBER),
)
_LIST = (
    ("_list", _WHOLE),
    ("kind", _TEXT),
    ("caption", _TEXT),
    ("rank", _WHOLE),
    ("level", _WHOLE),
    ("title", _TEXT),
    ("text", _TEXT),
    ("link", _TEXT),
    ("image", _TEXT),
    ("components", _TEXT),
    ("box", _BOX),
    ("score", _NUMBER),
)
_CONTENT = (
    ("title", _TEXT),
    ("author", _TEXT),
    ("date", _TEXT),
    ("text", _TEXT),
    ("language", _TEXT),
    ("address", _TEXT),
    ("images", _TEXTS),
    ("by", _TEXT),
    ("score", _NUMBER),
)
_KINDS: dict[str, Any] = {
    "tables": (_TABLE, table_rows),
    "lists": (_LIST, list_rows),
    "list": (_LIST, list_rows),
    "content": (_CONTENT, content_rows),
}

_VERSION = 12  # hexadecimal digits of a wrapper's digest: enough to tell the wrappers of one project apart


class RowMaker:
    """Makes the rows of documents; all rows of a job have the columns of `schema`, whatever its pages have.

    >>> from sightline.data import Table
    >>> from sightline.testing import list_page
    >>> maker = RowMaker(BatchSpec(extractor="tables"), None)
    >>> found = Extraction("tables", (Table.from_rows([["a"], ["1"], ["2"]]),))
    >>> maker.rows("x.html", list_page(["one"]), found)[1]
    2
    """

    def __init__(self, spec: BatchSpec, wrapper: "Wrapper | None") -> None:
        self.version: str = hashlib.sha256(spec.wrapper.encode()).hexdigest()[:_VERSION] if spec.wrapper else ""
        own, self._make = _records(wrapper.schema) if wrapper else _kind(extractor(spec.extractor))
        self.fields: tuple[Any, ...] = tuple(name for name, _ in own)
        self.schema: Any = pa.schema([pa.field(name, kind) for name, kind in (*FIRST, *own, *LAST)])
        self._origins = spec.origins

    def rows(self, document_id: str, page: Page, extraction: Extraction) -> tuple[bytes, int]:  # noqa: ARG002 - one page
        """The rows of a document in the form that a journal keeps, and how many there are."""
        rows: list[Row] = self._make(extraction, origins=self._origins)
        if not rows:
            return b"", 0
        try:
            packed = msgspec.msgpack.encode(rows)
        except UnicodeEncodeError:  # a lone surrogate; looking for them in every text would cost more
            packed = msgspec.msgpack.encode(storable(rows))
        if len(packed) > MOST_ROW_BYTES:
            what = f"its rows have {len(packed):,} bytes, more than {MOST_ROW_BYTES:,}; leave it out of the batch."
            raise LimitError(document_id, what, limit="MOST_ROW_BYTES")
        return packed, len(rows)


def unpacked(rows: bytes) -> list[Row]:
    """The rows that `RowMaker.rows` packed."""
    return msgspec.msgpack.decode(rows) if rows else []


def _kind(found: Extractor) -> Any:
    """The columns and the maker for what an extractor gives, be it ours or a plugin's."""
    if found.kind not in _KINDS:
        raise UsageError(
            f"A batch has no columns for {found.kind}, which the extractor {found.name!r} gives; use another one."
        )
    return _KINDS[found.kind]


def _records(schema: Schema) -> Any:
    made: dict[bool, RecordRows] = {origins: RecordRows(schema, origins=origins) for origins in (False, True)}
    own = tuple((column.name, arrow_type(column)) for column in made[True].columns.values())
    return own, lambda found, origins: made[origins].rows(found)


def arrow_type(column: RecordColumn) -> Any:
    """The type of a column of records."""
    types: dict[Form, Any] = {"text": _TEXT, "texts": _TEXTS}
    if column.form != "records":
        return types[column.form]
    names = dict.fromkeys(map(storable_text, column.parts))
    return pa.list_(pa.struct([pa.field(name, _TEXT) for name in names]))
