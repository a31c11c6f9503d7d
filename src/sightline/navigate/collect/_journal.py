"""What was collected so far, in a file, so that an interrupted collection can go on where it was.

The first entry says what is collected; each other one is a page of the list, why the list ended, the wrapper that was
learned for details, or what a details page holds.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec

from sightline.data import Record, Records, Value
from sightline.errors import UnreadableError, UsageError
from sightline.files import writing
from sightline.project import Journal, read_journal

__all__ = ["CollectJournal", "Kept", "KeptDetails", "KeptEnd", "KeptPage", "Task"]


class Task(NamedTuple):
    """What is collected: from where, how records are read, and how their details; "" for none."""

    start: str
    reader: str
    details: str = ""


class KeptPage(NamedTuple):
    """A page that was read: its address, how it was reached, how many records it shows, the new ones, and doubts."""

    address: str
    way: str
    shown: int
    records: Records
    doubts: tuple[str, ...] = ()


class KeptEnd(NamedTuple):
    """Why the list ended, and what may be missing from it."""

    stop: str
    why: str
    doubts: tuple[str, ...]


class KeptDetails(NamedTuple):
    """What a details page holds, and what became of it."""

    details: str
    record: Record | None
    status: str


_Entry: TypeAlias = KeptPage | KeptEnd | KeptDetails | str


@dataclass
class Kept:
    """What an earlier run of the same task left."""

    pages: list[KeptPage] = field(default_factory=list)
    end: KeptEnd | None = None
    details: list[KeptDetails] = field(default_factory=list)
    wrapper: str | None = None

    def take(self, entry: _Entry) -> None:
        """Add a line of the journal; of several ends the last one counts."""
        if isinstance(entry, KeptPage):
            self.pages.append(entry)
        elif isinstance(entry, KeptDetails):
            self.details.append(entry)
        elif isinstance(entry, KeptEnd):
            self.end = entry
        else:
            self.wrapper = entry


class CollectJournal:
    """Keeps what was collected; `path` None keeps nothing."""

    def __init__(self, path: str | os.PathLike[str] | None, task: Task) -> None:
        self._path = Path(path) if path is not None else None
        self._task = task
        self._begun = False

    def read(self) -> Kept:
        """What an earlier run of the same task left; nothing if there was no such run."""
        if self._path is None or not self._path.exists():
            return Kept()
        try:
            content = read_journal(self._path)
            head = msgspec.json.decode(content.lines[0], type=_Head)
        except (IndexError, msgspec.DecodeError, OSError) as problem:
            told = f"{self._path} is not what an interrupted collection left; name another file."
            raise UsageError(told) from problem
        if head.collects != tuple(self._task):
            start = head.collects[0]
            of = f"of {start}" if start != self._task.start else "with other choices"
            raise UsageError(
                f"{self._path} was left by another collection, {of}; remove it to collect {self._task.start}."
            )
        kept = Kept()
        try:
            for document in content.entries(dict[str, Any], "an entry")[1:]:
                kept.take(_entry(document))
        except (UnreadableError, KeyError, TypeError, AttributeError) as problem:
            raise UsageError(f"{self._path} is damaged; remove it to collect {self._task.start} anew.") from problem
        self._begun = True
        return kept

    def add(self, entry: KeptPage | KeptEnd | KeptDetails) -> None:
        """Add a page of the list, its end, or a details page."""
        document = entry._asdict()
        if isinstance(entry, KeptPage):
            document["records"] = entry.records.to_dicts()
        elif isinstance(entry, KeptDetails):
            document["record"] = Records([entry.record]).to_dicts()[0] if entry.record is not None else None
        self._append(document)

    def add_wrapper(self, wrapper: str) -> None:
        """Add the wrapper that was learned for the details pages."""
        self._append({"wrapper": wrapper})

    def _append(self, document: dict[str, Any]) -> None:
        if self._path is None:
            return
        head = [] if self._begun else [_Head(tuple(self._task))]
        with writing(self._path), Journal(self._path, sync=False) as journal:
            journal.add(*head, document)
        self._begun = True


class _Head(msgspec.Struct, frozen=True):
    """What is collected, as the first line of the file says."""

    collects: tuple[str, ...]


def _entry(document: dict[str, Any]) -> _Entry:
    if "wrapper" in document:
        return str(document["wrapper"])
    if "stop" in document:
        return KeptEnd(document["stop"], document["why"], tuple(document["doubts"]))
    if "details" in document:
        record = document["record"]
        return KeptDetails(document["details"], _record(record) if record is not None else None, document["status"])
    records = Records([_record(record) for record in document["records"]])
    doubts = tuple(document.get("doubts", ()))
    return KeptPage(document["address"], document["way"], document["shown"], records, doubts)


def _record(document: dict[str, Any]) -> Record:
    return Record({name: _field(value) for name, value in document.items()})


def _field(value: Any) -> Any:
    """A field of a record from plain values."""
    if isinstance(value, str):
        return Value(value)
    if isinstance(value, dict):
        return _record(value)
    return tuple(map(_field, value)) if isinstance(value, Sequence) else None
