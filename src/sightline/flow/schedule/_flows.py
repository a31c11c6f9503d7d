"""What is scheduled: a flow with its timetable and settings, and a single run of it."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import Literal, TypeAlias
from urllib.parse import quote

from sightline.errors import UsageError
from sightline.flow.schedule._timetable import Timetable
from sightline.settings import Settings, setting

__all__ = [
    "ClockMoved",
    "RunEnded",
    "RunStarted",
    "ScheduleEvent",
    "ScheduleSettings",
    "ScheduleWaits",
    "ScheduledFlow",
    "ScheduledRun",
    "StopRequested",
    "TimesSkipped",
    "TimetableChanged",
    "folder_of",
    "run_id",
]

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
    """A flow, by its name, and when to run it."""

    name: str
    timetable: Timetable
    settings: ScheduleSettings = ScheduleSettings()

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
    """Ctrl-C or SIGTERM came; the schedule ends after the current run. It is told from the handler of the signal."""


ScheduleEvent: TypeAlias = (
    ScheduleWaits | RunStarted | RunEnded | TimesSkipped | TimetableChanged | ClockMoved | StopRequested
)
