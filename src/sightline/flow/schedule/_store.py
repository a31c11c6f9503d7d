"""The state of a schedule on disk: for each flow, up to when all due times are decided, the run underway, and entries.

All of that is one file, which is replaced as a whole. Entries that are old enough move to files of their own before
they leave it; if the process is killed between the two, they are in both, and their numbers tell.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from sightline.errors import UsageError
from sightline.files import make_folder, read_bytes, write_bytes, writing
from sightline.flow.schedule._flows import ScheduledRun, folder_of
from sightline.project import Lock

__all__ = ["FlowState", "ScheduleEntry", "ScheduleStore", "schedule_history"]

T = TypeVar("T")

KEPT = 100  # entries that stay in the state; half of a file that takes a millisecond to write
FOLDER, LOCK, STATE = "schedule", "schedule.lock", "state.json"


@dataclass(frozen=True)
class ScheduleEntry:
    """What became of a due time, or of `count` of them in a row, from `due` to `until`.

    `done` and `failed` are runs; `covered` times are those that the run `run` stands for, with `due` before its own.
    """

    number: int
    outcome: Literal["done", "failed", "skipped", "covered"]
    due: datetime
    until: datetime
    count: int = 1
    run: str = ""
    note: str = ""
    began: datetime | None = None
    ended: datetime | None = None
    attempts: int = 0


@dataclass(frozen=True)
class FlowState:
    """All that is known of a flow: every due time up to `decided` has an entry, or is that of the run underway."""

    flow: str
    timetable: str
    decided: datetime
    underway: ScheduledRun | None = None
    began: datetime | None = None
    entries: tuple[ScheduleEntry, ...] = ()
    numbered: int = 0

    def with_entry(self, entry: ScheduleEntry) -> "FlowState":
        """With one more entry, which gets the next number."""
        number = self.numbered + 1
        return replace(self, entries=(*self.entries, replace(entry, number=number)), numbered=number)


class ScheduleStore:
    """Reads and writes the states of flows in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other schedules out; the lock goes with the process, however it ends."""
        make_folder(self.folder)
        try:
            with writing(self.folder):
                lock = Lock(self.folder / LOCK)
        except BlockingIOError as problem:
            raise UsageError(f"A schedule already runs in {self.folder}; stop it, or use another store.") from problem
        with lock:
            for left in self.folder.glob("*/.*.part"):
                left.unlink()  # of a process that was killed while it wrote
            yield

    def read(self, flow: str) -> FlowState | None:
        """The state of a flow; None if it was never scheduled."""
        path = self._folder_of(flow) / STATE
        return _decoded(path, FlowState) if path.exists() else None

    def write(self, state: FlowState) -> FlowState:
        """Replace the state of a flow; older entries move to a file of their own."""
        folder = self._folder_of(state.flow)
        make_folder(folder)
        if len(state.entries) >= 2 * KEPT:
            old = state.entries[:KEPT]
            write_bytes(folder / f"entries-{old[0].number:09}.json", msgspec.json.encode(old))
            state = replace(state, entries=state.entries[KEPT:])
        write_bytes(folder / STATE, msgspec.json.encode(state))
        return state

    def history(self, flow: str) -> list[ScheduleEntry]:
        """All entries of a flow, in order."""
        # The state first: what leaves it afterwards is in the files of old entries already.
        state = self.read(flow)
        found = {entry.number: entry for entry in (state.entries if state else ())}
        for path in self._folder_of(flow).glob("entries-*.json"):
            found |= {entry.number: entry for entry in _decoded(path, tuple[ScheduleEntry, ...])}
        return [found[number] for number in sorted(found)]

    def _folder_of(self, flow: str) -> Path:
        return self.folder / folder_of(flow)


def schedule_history(store: Path, flow: str) -> Sequence[ScheduleEntry]:
    """What became of each due time of a flow, oldest first; also while a schedule runs in that store."""
    return ScheduleStore(store).history(flow)


def _decoded(path: Path, kind: type[T]) -> T:
    content = read_bytes(path, "a schedule writes it")
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise UsageError(
            f"{path} was not written by a schedule ({problem}); move it away, and the flow begins anew."
        ) from problem
