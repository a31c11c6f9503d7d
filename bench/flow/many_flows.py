"""A thousand small flows in one schedule, with two workers: `python -m bench.flow.many_flows [--flows N]`.

Each flow reads three rows of its own and delivers them to a DuckDB file of its own. All of them are due at the same
time, in the night before, so that `sightline schedule` catches up with them as soon as it starts. The processor time
is that of the schedule and its workers from their start to their end, divided by the number of flows; the memory at
the end is compared with what it was when a tenth of the flows had run.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import monotonic

import duckdb

from bench.frame import Figure, tell
from bench.processes import Process, family
from sightline.flow.schedule import Schedule, ScheduledFlow, ScheduledRun, Timetable, schedule_history

FLOWS, WORKERS = 1000, 2
MOST_MILLISECONDS = 150  # of processor time a flow
MOST_GROWTH = 1.1  # of memory, from the first tenth of the flows to the end
MEGABYTE = 1e6
ROWS = "id,name,price\n{0}1,camera,1.50\n{0}2,lens,2.50\n{0}3,strap,3.50\n"
FLOW = """\
flow: 1
schedule: {timetable}
steps:
  offers:
    read: {name}.csv
  kept:
    deliver: offers
    to: {name}.duckdb#offers
"""


@dataclass(frozen=True)
class _Memory:
    """What a schedule and its workers hold, in MB."""

    schedule: float
    workers: float


@dataclass(frozen=True)
class _Cost:
    """What all runs took together."""

    seconds: float  # of processor time
    elapsed: float
    early: _Memory
    late: _Memory
    peak: _Memory


def many_flow_figures(flows: int = FLOWS) -> list[Figure]:
    """Runs that are missing or doubled, the cost of a flow, and how memory grows."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = [f"flow{number:04}" for number in range(flows)]
        timetable = f"every day at {datetime.now(UTC) - timedelta(hours=12):%H:%M} UTC"
        for one in names:
            (folder / f"{one}.csv").write_text(ROWS.format(one))
            (folder / f"{one}.flow.yaml").write_text(FLOW.format(name=one, timetable=timetable))
        _schedule_yesterday([ScheduledFlow(one, Timetable.read(timetable)) for one in names], folder / "store")
        cost = _served(folder, names)
        wrong = sum(_is_wrong(folder, one) for one in names)
    title = f"{flows:,} flows"
    return [
        Figure.of(f"{title}: not run exactly once", wrong, 0, "lower"),
        Figure.of(f"{title}: cost of one", 1000 * cost.seconds / flows, MOST_MILLISECONDS, "lower", "ms of CPU"),
        Figure.of(f"{title}: all of them", cost.elapsed, None, "lower", "s by the clock"),
        _growth(f"{title}: memory of the schedule", cost.late.schedule, cost.early.schedule),
        _growth(f"{title}: memory of its workers", cost.late.workers, cost.early.workers),
        Figure.of(f"{title}: memory of the schedule at the peak", cost.peak.schedule, None, "lower", "MB"),
        Figure.of(f"{title}: memory of its workers at the peak", cost.peak.workers, None, "lower", "MB"),
    ]


def _growth(name: str, late: float, early: float) -> Figure:
    return Figure.ratio(f"{name} at the end, beside that at 10 %", late, early, MOST_GROWTH, "lower", "x, of MB")


class _Yesterday:
    """A clock that stands still a day ago."""

    def __init__(self) -> None:
        self._time = datetime.now(UTC) - timedelta(days=1)

    def now(self) -> datetime:
        """A day ago."""
        return self._time

    def wait(self, seconds: float) -> None:
        """Nobody waits."""

    def wake(self) -> None:
        """Nobody waits."""


def _schedule_yesterday(flows: Sequence[ScheduledFlow], store: Path) -> None:
    """Have the flows scheduled since yesterday, so that a time of each was missed in the night."""
    clock = _Yesterday()

    def run(_: ScheduledRun) -> str:
        raise AssertionError("nothing is due yet")

    Schedule(flows, store, run=run, clock=clock).serve(until=clock.now())


def _served(folder: Path, names: Sequence[str]) -> _Cost:
    """Serve until each flow has run once, with looks at the memory after each of them."""
    files = [f"{one}.flow.yaml" for one in names]
    command = [sys.executable, "-m", "sightline", "schedule", *files, "--store", "store", "--workers", str(WORKERS)]
    began, before = monotonic(), _ended_seconds()
    looks: list[_Memory] = []
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as schedule:
        assert schedule.stdout is not None
        for _ in range(len(names)):
            schedule.stdout.readline()  # of a run that has ended
            looks.append(_memory(family(schedule.pid)))
        schedule.send_signal(signal.SIGTERM)
        schedule.communicate()
    peak = _Memory(max(one.schedule for one in looks), max(one.workers for one in looks))
    return _Cost(_ended_seconds() - before, monotonic() - began, looks[len(looks) // 10], looks[-1], peak)


def _memory(processes: Sequence[Process]) -> _Memory:
    sizes = [process.bytes / MEGABYTE for process in processes]
    return _Memory(sizes[0], sum(sizes[1:]))


def _ended_seconds() -> float:
    """The processor time of all processes that were started from here, directly or not, and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _is_wrong(folder: Path, name: str) -> bool:
    """Whether the flow did not run exactly once, or its rows are not all there once."""
    file = folder / f"{name}.duckdb"
    if not file.exists():
        return True
    done = [(entry.outcome, entry.attempts) for entry in schedule_history(folder / "store", name)]
    with duckdb.connect(str(file), read_only=True) as connection:
        rows = connection.execute("SELECT count(*), count(DISTINCT id) FROM offers").fetchone()
    return done != [("done", 1)] or rows != (3, 3)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flows", type=int, default=FLOWS, help="how many flows")
    tell(many_flow_figures(parser.parse_args().flows))
