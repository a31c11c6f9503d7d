"""CSV according to RFC 4180: commas, CRLF, doubled quotes; safe to open in a spreadsheet."""

import re
from collections.abc import Sequence

from sightline.data._column import Column
from sightline.data._exports._text import defused, encodable
from sightline.data._types import Typed

__all__ = ["csv_text"]

# Semicolons and tabs too, since spreadsheets of many countries split at them.
_NEEDS_QUOTES = re.compile(r'[",;\t\r\n]|\A\s|\s\Z')

# Most fields are words and numbers, which need no quotes and run nothing; to see that at once saves half of the time.
_PLAIN = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z .%/:-]*[0-9A-Za-z.%])?")


def csv_text(columns: Sequence[Column], *, typed: bool = False, raw: bool = False) -> str:
    """One line of names, then the rows; what was not found is an empty field, an empty text is `""`."""
    rows = zip(*(_fields(column, typed=typed) for column in columns), strict=True)
    lines = [[column.name for column in columns], *map(list, rows)]
    alone = len(columns) == 1
    return "".join(",".join(_written(field, alone=alone, raw=raw) for field in line) + "\r\n" for line in lines)


def _fields(column: Column, *, typed: bool) -> list[str | None]:
    if not typed:
        return list(column.texts)
    pairs = zip(column.texts, column.values, strict=True)
    # A coerced column has its texts beside it, so what does not fit is left out.
    return [(None if column.coerce else text) if value is None else _plain(value) for text, value in pairs]


def _plain(value: Typed) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int | float) else _exact(value)


def _exact(value: Typed) -> str:
    return value.isoformat() if hasattr(value, "isoformat") else f"{value:f}"


def _written(field: str | None, *, alone: bool, raw: bool) -> str:
    if field is None:
        return '""' if alone else ""  # a line with nothing on it would be skipped by readers
    if _PLAIN.fullmatch(field):
        return field
    text = encodable(field).replace("\x00", "\ufffd")
    if not raw:
        text = defused(text)
    if not text or _NEEDS_QUOTES.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text
