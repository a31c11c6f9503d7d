"""Records as rows: texts as they were seen, and beside them what has no column."""

from typing import Any, TypeAlias

from sightline.data import Extraction, Field, Record, Schema, Value
from sightline.scale.output._layout import MIXED, Path, RecordColumn, columns_of
from sightline.scale.output._places import place_of, places_of
from sightline.scale.output._texts import json_text

__all__ = ["RecordRows", "Row"]

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
    """An item of a list of records; one that is no record is a part of its own."""
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
