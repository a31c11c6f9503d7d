"""What was collected so far, in a file, so that an interrupted collection can go on where it was.

A JSON object a line: the first says what is collected, each other one is a page. A line that was cut off in the middle
is as if it had not been written.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from sightline.data import Record, Records, Value
from sightline.errors import OutputError, UsageError
from sightline.files import read_bytes

__all__ = ["Journal", "Task"]


class Task(NamedTuple):
    """What is collected: from where, and how records are read."""

    start: str
    reader: str


class JournalPage(NamedTuple):
    """A page that was read: its address, how it was reached, how many records it shows, and the new ones."""

    address: str
    way: str
    shown: int
    records: Records


class Journal:
    """Keeps what was collected; `path` None keeps nothing."""

    def __init__(self, path: str | os.PathLike[str] | None, task: Task) -> None:
        self._path = Path(path) if path is not None else None
        self._task = task

    def read(self) -> list[JournalPage]:
        """The pages of an earlier run of the same task; none if there was no such run."""
        if self._path is None or not self._path.exists():
            return []
        lines = read_bytes(self._path, "name another file").splitlines(keepends=True)
        documents = [_decoded(line) for line in lines if line.endswith(b"\n")]
        head = documents[0] if documents else None
        if not isinstance(head, dict) or "collects" not in head:
            raise UsageError(f"{self._path} is not what an interrupted collection left; name another file.")
        if head["collects"] != list(self._task):
            raise UsageError(
                f"{self._path} was left by another collection, of {head['collects'][0]}; remove it to collect "
                f"{self._task.start}."
            )
        try:
            return [_page(document) for document in documents[1:] if document is not None]
        except (KeyError, TypeError, AttributeError) as problem:
            raise UsageError(f"{self._path} is damaged; remove it to collect {self._task.start} anew.") from problem

    def begin(self) -> None:
        """Start a new one."""
        self._append({"collects": list(self._task)})

    def add(self, page: JournalPage) -> None:
        """Add a page."""
        self._append({**page._asdict(), "records": page.records.to_dicts()})

    def _append(self, document: dict[str, Any]) -> None:
        if self._path is None:
            return
        try:
            with self._path.open("ab") as file:
                file.write(orjson.dumps(document) + b"\n")
        except OSError as problem:
            raise OutputError(f"Could not write {self._path}: {problem.strerror}; choose another place.") from problem


def _decoded(line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        return None


def _page(document: dict[str, Any]) -> JournalPage:
    records = [Record({name: _field(value) for name, value in record.items()}) for record in document["records"]]
    return JournalPage(document["address"], document["way"], document["shown"], Records(records))


def _field(value: Any) -> Any:
    """A field of a record from plain values."""
    if isinstance(value, str):
        return Value(value)
    if isinstance(value, dict):
        return Record({name: _field(inner) for name, inner in value.items()})
    return tuple(map(_field, value)) if isinstance(value, Sequence) else None
