"""The state of a schedule on disk: for each flow, up to when all due times are decided, the run underway, and entries.

All of that is one file, which is replaced as a whole. Entries that are old enough move to files of their own before
they leave it; if the process is killed between the two, they are in both, and their numbers tell.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeAlias, TypeVar
from urllib.parse import quote

import msgspec

from sightline.errors import UsageError
from sightline.files import make_folder, read_bytes, write_bytes, writing
from sightline.flow.schedule._timetable import Timetable
from sightline.project import Lock
from sightline.settings import Settings, setting

# -- what is scheduled: a flow with its timetable and settings, and a single run of it ------------------------------

LONGEST_NAME = 200  # as a folder; file systems allow 255 bytes


@dataclass(frozen=True, kw_only=True)
class ScheduleSettings(Settings):
    """What becomes of times that could not be kept, and how punctual a flow is."""

    catch_up: Literal["one", "none", "all"] = setting(
        "one", help="what runs for the times missed while nothing ran: one, none or all", choices=("one", "none", "all")
    )
    catch_up_limit: int = setting(24, help="how many of the missed times `all` runs, the latest ones", minimum=1)
    overlap: Literal["skip", "queue"] = setting(
        "skip", help="what becomes of times that come while the flow still runs", choices=("skip", "queue")
    )
    jitter: int = setting(0, help="up to how many seconds later it starts, by its name", minimum=0, maximum=3600)
    attempts: int = setting(3, help="how often a run that was killed is begun before it counts as failed", minimum=1)


@dataclass(frozen=True)
class ScheduledFlow:
    """A flow, by its name, and when to run it.

    `apart` names what it shares with no flow that runs at the same time, such as the hosts that it asks.
    """

    name: str
    timetable: Timetable
    settings: ScheduleSettings = ScheduleSettings()
    apart: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Reject names that cannot name a folder."""
        if not 0 < len(self.folder) <= LONGEST_NAME or self.name in (".", "..") or self.name.strip() != self.name:
            raise UsageError(
                f"{self.name!r:.60} cannot be the name of a scheduled flow; take a short one, without blanks around it."
            )

    @property
    def folder(self) -> str:
        """The name of the folder that its state is kept in."""
        return folder_of(self.name)

    @property
    def delay(self) -> timedelta:
        """How much later than due it starts: always the same, so that the order of its runs is that of its times."""
        number = int.from_bytes(blake2b(self.name.encode(), digest_size=8).digest(), "big")
        return timedelta(seconds=number % (self.settings.jitter + 1))


@dataclass(frozen=True)
class ScheduledRun:
    """One run of a flow, handed to whatever runs it.

    `id` is made of the flow and the due time. If a run is killed, the next attempt has the same id, so that it can go
    on where the first one stopped, or see that there is nothing left to do. The run stands for `count` due times, from
    `first` to `due`; there are several if some were missed.
    """

    id: str
    flow: str
    due: datetime
    first: datetime
    count: int = 1
    attempt: int = 1


class WorkerDied(Exception):
    """What `run` raises if the process that did the work is gone; the run is attempted again as after any kill."""


def folder_of(flow: str) -> str:
    """A name as that of a folder.

    >>> folder_of("shops/prices")
    'shops%2Fprices'
    """
    return quote(flow, safe=" ")


def run_id(flow: str, due: datetime) -> str:
    """The same for the same due time, always.

    >>> run_id("prices", datetime(2026, 3, 30, 4, 30, tzinfo=UTC))
    'prices-20260330T043000Z'
    """
    return f"{flow}-{due.astimezone(UTC):%Y%m%dT%H%M%SZ}"


# What a schedule tells while it runs.


@dataclass(frozen=True)
class ScheduleWaits:
    """Nothing is due; this flow is the next one, for its time `due`, at `start` (which is later if it has a jitter)."""

    flow: str
    due: datetime
    start: datetime


@dataclass(frozen=True)
class RunStarted:
    """A run begins, or begins again after it was killed (`run.attempt` is then 2 or more)."""

    run: ScheduledRun


@dataclass(frozen=True)
class RunDied:
    """The process that did a run died, and the schedule goes on: it attempts the run again, or gives it up."""

    run: ScheduledRun
    why: str


@dataclass(frozen=True)
class RunEnded:
    """A run is over, and noted. `note` is what it returned, or the error."""

    run: ScheduledRun
    outcome: Literal["done", "failed"]
    note: str
    seconds: float


@dataclass(frozen=True)
class TimesSkipped:
    """`count` due times from `first` to `last` get no run of their own; if another run stands for them, it is `run`."""

    flow: str
    first: datetime
    last: datetime
    count: int
    reason: str
    run: str = ""


@dataclass(frozen=True)
class TimetableChanged:
    """A flow has another timetable than when it was last scheduled; its times count from now on."""

    flow: str
    before: str
    after: str


@dataclass(frozen=True)
class ClockMoved:
    """The clock of the machine was set, or the machine was asleep: it showed `before`, and now it shows `after`."""

    before: datetime
    after: datetime


@dataclass(frozen=True)
class StopRequested:
    """Ctrl-C or SIGTERM came; the schedule ends after the current runs. It is told from the handler of the signal."""


ScheduleEvent: TypeAlias = (
    ScheduleWaits | RunStarted | RunDied | RunEnded | TimesSkipped | TimetableChanged | ClockMoved | StopRequested
)


# -- the state of a schedule on disk --------------------------------------------------------------------------------

T = TypeVar("T")

KEPT = 100  # entries that stay in the state; half of a file that takes a millisecond to write
FOLDER, LOCK, STATE = "schedule", "schedule.lock", "state.json"
WORKERS = "workers.lock"  # shared by all processes that do runs; they end with the schedule, but not before it


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
            with writing(self.folder):
                Lock(self.folder / WORKERS, wait=True).release()  # what a schedule that was killed had begun has ended
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
