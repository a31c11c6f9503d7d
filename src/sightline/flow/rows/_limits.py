"""What a file of rows may cost, and what counts it while the file is read."""

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeAlias

import orjson

from sightline.errors import LimitError, UnreadableError
from sightline.net import megabytes
from sightline.settings import Settings, setting

_MB = 1_000_000
_WIDEST = 4  # bytes of a letter in UTF-8


@dataclass(frozen=True, kw_only=True)
class RowLimits(Settings):
    """What a file of rows may cost; reaching a limit is an error that names it."""

    table_columns: int = setting(20_000, help="maximum number of columns of a file of rows", minimum=1)
    table_rows: int = setting(100_000_000, help="maximum number of rows of a file", minimum=1)
    cell_bytes: int = setting(4 * _MB, help="maximum bytes of a cell", minimum=1)
    row_bytes: int = setting(64 * _MB, help="maximum bytes of a row, or of anything else that is read whole", minimum=1)
    table_bytes: int = setting(1_000 * _MB, help="maximum bytes of a file of rows after decompression", minimum=1)


def _nothing() -> None:
    """Nobody may want the reading to stop."""


@dataclass
class Budget:
    """Counts what a file has cost so far; `check` raises an error as soon as nobody wants its rows any more."""

    path: Path
    limits: RowLimits = field(default_factory=RowLimits)
    check: Callable[[], None] = _nothing
    rows: int = 0
    decoded: int = 0

    def again(self) -> "Budget":
        """The same for reading the file once more."""
        return Budget(self.path, self.limits, self.check)

    def spend_columns(self, count: int) -> None:
        """There are so many columns."""
        if count > self.limits.table_columns:
            raise self._over(f"has more than {self.limits.table_columns:,} columns", "table_columns")

    def spend_rows(self, count: int = 1) -> None:
        """So many more rows were read."""
        self.rows += count
        if self.rows > self.limits.table_rows:
            raise self._over(f"has more than {self.limits.table_rows:,} rows", "table_rows")

    def spend_bytes(self, count: int) -> None:
        """So many more bytes were decoded."""
        self.decoded += count
        if self.decoded > self.limits.table_bytes:
            raise self._over(f"is larger than {megabytes(self.limits.table_bytes)} when decoded", "table_bytes")

    def spend_cells(self, cells: Sequence[str | None]) -> int:
        """A row of cells was read; returns how many letters they have."""
        self.spend_rows()
        lengths = [len(cell) for cell in cells if cell]
        longest = max(lengths, default=0)
        if longest * _WIDEST > self.limits.cell_bytes and longest > 0:
            self.spend_cell(max(len(cell.encode("utf-8", "replace")) for cell in cells if cell))
        return sum(lengths)

    def spend_cell(self, count: int) -> None:
        """A cell has so many bytes, or more."""
        if count > self.limits.cell_bytes:
            raise self._over(f"has a cell of more than {megabytes(self.limits.cell_bytes)}", "cell_bytes")

    def spend_row(self, count: int, what: str = "a row") -> None:
        """What is read whole has so many bytes, or more."""
        if count > self.limits.row_bytes:
            raise self._over(f"has {what} of more than {megabytes(self.limits.row_bytes)}", "row_bytes")

    def _over(self, problem: str, limit: str) -> LimitError:
        told = f"{problem}; check where it comes from, or raise the limit `{limit}`."
        return LimitError(str(self.path), told, limit=limit)


# A file as a table of texts that is read chunk by chunk, so that it may be larger than the memory.

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
