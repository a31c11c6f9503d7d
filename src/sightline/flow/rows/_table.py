"""A file as a table of texts that is read chunk by chunk, so that it may be larger than the memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sightline.errors import UnreadableError
from sightline.flow.rows._limits import Budget

__all__ = ["RowCells", "TextChunk", "TextTable", "check_names", "chunks_of"]

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
