"""Reads JSON: an object a line, or a list of objects, row by row."""

import codecs
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import orjson

from sightline.errors import UnreadableError
from sightline.flow.rows._limits import Budget, RowCells, TextChunk, TextTable, chunks_of, text_of_value

__all__ = ["json_lines_table", "json_table"]

_PIECE = 1 << 20  # letters that are read at once
_SLACK = 16  # letters: a number, word or escape that the end of a piece cuts is shorter
_BLANKS = " \t\r\n"
_CHECKED_ROWS = 1 << 12
Rows = Callable[[Budget], Iterator[dict[str, Any]]]


def json_lines_table(budget: Budget) -> TextTable:
    """The table of a file with an object in each line."""
    return _table(_of_lines, budget)


def json_table(budget: Budget) -> TextTable:
    """The table of a file with a list of objects, or an object that has one."""
    return _table(_of_document, budget)


def _table(rows: Rows, budget: Budget) -> TextTable:
    """Rows may have other names than the first, so the names are those of all of them."""
    budget.spend_bytes(budget.path.stat().st_size)
    found: dict[str, None] = {}
    for number, row in enumerate(rows(budget)):
        found.update(dict.fromkeys(row))
        budget.spend_columns(len(found))
        if number % _CHECKED_ROWS == 0:
            budget.check()
    names = tuple(found)

    def cells() -> Iterator[RowCells]:
        return ([text_of_value(row.get(name)) for name in names] for row in rows(budget))

    def chunks() -> Iterator[TextChunk]:
        return chunks_of(cells(), len(names), budget.again())

    return TextTable(names, chunks)


def _of_lines(budget: Budget) -> Iterator[dict[str, Any]]:
    with budget.path.open("rb") as stream:
        number = 0
        while line := stream.readline(budget.limits.row_bytes + 1):
            number += 1
            budget.spend_row(len(line))
            if number == 1:
                line = line.removeprefix(codecs.BOM_UTF8)
            if line.strip():
                yield _object(line, f"{budget.path}, line {number}")


def _of_document(budget: Budget) -> Iterator[dict[str, Any]]:
    with budget.path.open(encoding="utf-8-sig", newline="") as stream:
        try:
            letters = _Letters(stream, budget)
            if letters.next_sign() == "[":
                yield from _of_list(letters, budget)
            else:
                yield from _of_object(letters, budget)
        except UnicodeDecodeError as problem:
            raise UnreadableError(str(budget.path), "is not UTF-8; save it as UTF-8, and try again.") from problem


def _of_list(letters: "_Letters", budget: Budget) -> Iterator[dict[str, Any]]:
    letters.skip()
    if letters.next_sign() != "]":
        for number in range(1, budget.limits.table_rows + 2):
            yield _object(letters.value().encode(), f"{budget.path}, row {number}")
            if (sign := letters.next_sign()) == "]":
                break
            if sign != ",":
                raise UnreadableError(f"{budget.path}, after row {number}", "a comma is missing; fix it.")
            letters.skip()
    letters.skip()
    if letters.next_sign():
        raise UnreadableError(str(budget.path), "isn't valid JSON (there is something after its list); fix it.")


def _of_object(letters: "_Letters", budget: Budget) -> Iterator[dict[str, Any]]:
    """The first list of an object, which has to be read whole."""
    document = _parsed(letters.rest().encode(), str(budget.path))
    if isinstance(document, dict):
        document = next((value for value in document.values() if isinstance(value, list)), None)
    if not isinstance(document, list):
        raise UnreadableError(str(budget.path), "holds no list of rows; give a list of objects.")
    for number, row in enumerate(document, start=1):
        yield _checked(row, f"{budget.path}, row {number}")


def _object(content: bytes, where: str) -> dict[str, Any]:
    return _checked(_parsed(content, where), where)


def _checked(row: Any, where: str) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise UnreadableError(where, "isn't an object; give one with names and values.")
    return row


def _parsed(content: bytes, where: str) -> Any:
    try:
        return orjson.loads(content)
    except orjson.JSONDecodeError as problem:
        raise UnreadableError(where, f"isn't valid JSON ({problem}); fix it, and try again.") from problem


class _Letters:
    """The letters of a document, of which only what is being read is held."""

    def __init__(self, stream: io.TextIOBase, budget: Budget) -> None:
        self._stream = stream
        self._budget = budget
        self._held = ""
        self._at = 0
        self._decoder = json.JSONDecoder()

    def next_sign(self) -> str:
        """The next letter that isn't a blank; empty at the end."""
        while True:
            while self._at < len(self._held):
                if self._held[self._at] not in _BLANKS:
                    return self._held[self._at]
                self._at += 1
            if not self._more():
                return ""

    def skip(self) -> None:
        """Go on after that letter."""
        self._at += 1

    def value(self) -> str:
        """The text of the next value, whole."""
        self.next_sign()
        while True:
            try:
                _, end = self._decoder.raw_decode(self._held, self._at)
            except json.JSONDecodeError as problem:
                is_cut = problem.pos >= len(self._held) - _SLACK or problem.msg.startswith("Unterminated")
                if not is_cut or not self._more():
                    raise self._unreadable(problem.msg) from problem
            except RecursionError as problem:
                raise self._unreadable("it is nested too deeply") from problem
            except ValueError as problem:  # a number with more digits than Python reads
                raise self._unreadable(str(problem)) from problem
            else:
                found = self._held[self._at : end]
                self._at = end
                return found

    def rest(self) -> str:
        """All that comes."""
        while self._more():
            pass
        return self._held[self._at :]

    def _more(self) -> bool:
        """Read on: as much as is held, so that a long value is not looked at for each piece."""
        self._budget.check()
        self._held = self._held[self._at :]
        self._at = 0
        self._budget.spend_row(len(self._held))
        piece = self._stream.read(max(_PIECE, len(self._held)))
        self._held += piece
        return bool(piece)

    def _unreadable(self, problem: str) -> UnreadableError:
        shown = self._held[self._at : self._at + 30]
        return UnreadableError(str(self._budget.path), f"isn't valid JSON ({problem}, at {shown!r}); fix it and retry.")
