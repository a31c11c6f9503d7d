"""A file as a table of texts that is read chunk by chunk, so that it may be larger than the memory."""

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias

import orjson

from sightline.errors import UnreadableError
from sightline.flow.rows._limits import Budget

__all__ = ["RowCells", "TextChunk", "TextTable", "check_names", "chunks_of", "text_of_value"]

RowCells: TypeAlias = Sequence[str | None]
"""The texts of a row, one for each name; an empty cell is None."""
TextChunk: TypeAlias = list[list[str | None]]
"""The texts of some rows, column by column."""

_CHUNK_ROWS = 1 << 12
_CHUNK_CELLS = 1 << 20
_CHUNK_LETTERS = 1 << 24


@dataclass(frozen=True)
class TextTable:
    """The names of the columns, and a function that reads the chunks of rows anew each time."""

    names: tuple[str, ...]
    chunks: Callable[[], Iterator[TextChunk]]


def check_names(given: Sequence[str], budget: Budget) -> tuple[str, ...]:
    """The names of the columns; each must be there once."""
    budget.spend_columns(len(given))
    names = tuple(name.strip() for name in given)
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise UnreadableError(str(budget.path), f"has two columns named {name!r:.100}; rename one of them.")
        seen.add(name)
    return names


def chunks_of(rows: Iterable[RowCells], width: int, budget: Budget) -> Iterator[TextChunk]:
    """Rows by chunks, each of few enough rows, cells and letters; every cell is counted."""
    most = max(1, min(_CHUNK_ROWS, _CHUNK_CELLS // max(width, 1)))
    chunk: list[RowCells] = []
    letters = 0
    for row in rows:
        letters += budget.spend_cells(row)
        chunk.append(row)
        if len(chunk) >= most or letters >= _CHUNK_LETTERS:
            budget.check()
            yield _columns(chunk, width)
            chunk, letters = [], 0
    budget.check()
    if chunk:
        yield _columns(chunk, width)


def _columns(rows: Sequence[RowCells], width: int) -> TextChunk:
    return [list(column) for column in zip(*rows, strict=True)] if width else []


# How a value is written as the text of a cell: in one way, whatever kind of file or object it comes from.

# So that a date inside a list is written as one alone is: by `_plain`.
_OPTIONS = orjson.OPT_NON_STR_KEYS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS


def text_of_value(value: Any) -> str | None:
    """A value as a text; what is empty is None. Truth, lists and objects are written as JSON, so nothing is lost.

    >>> [text_of_value(one) for one in ("", True, 2.5, Decimal("380.20"), ["a", 1], {"b": None})]
    [None, 'true', '2.5', '380.20', '["a",1]', '{"b":null}']
    """
    if isinstance(value, str):
        return value or None
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple | Mapping):
        return orjson.dumps(_jsonable(value), default=_plain, option=_OPTIONS).decode()
    return _plain(value) or None


def _jsonable(value: Any) -> Any:
    """The same with numbers that JSON libraries do not write as texts of their digits."""
    if isinstance(value, Mapping):
        return {str(name): _jsonable(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_jsonable(one) for one in value]
    is_long = isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 63
    return str(value) if is_long else value


def _plain(value: Any) -> str:
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    if isinstance(value, bytes | bytearray | memoryview):
        return _of_bytes(bytes(value))
    return str(value)


def _of_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return base64.b64encode(value).decode()
