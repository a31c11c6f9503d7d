"""The service as a process: in real time, stopped by signals, and killed."""

import random
import signal
import subprocess
import sys
import time
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from sightline.flow.schedule import Timetable, schedule_history

from ._services import unexplained

KILLS = 20
PROCESS = Path(__file__).with_name("_process.py")


class _Service:
    """A running schedule, whose output is its events."""

    def __init__(self, store: Path, *arguments: object) -> None:
        command = [sys.executable, str(PROCESS), str(store), *map(str, arguments)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.said: list[str] = []

    def __enter__(self) -> "_Service":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def wait_for(self, event: str, times: int = 1) -> None:
        """Read until an event has been told so often."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.strip())
            times -= line.strip() == event
            if not times:
                return
        pytest.fail(f"the schedule ended without {event}")

    def send(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)


def _runs(store: Path) -> list[tuple[str, int]]:
    lines = (store / "runs.txt").read_text().splitlines()
    return [(line.split()[0], int(line.split()[1])) for line in lines]


@pytest.mark.slow
def test_every_second_in_real_time(tmp_path: Path) -> None:
    """With the clock of the machine, each second has its run or its entry, and no run begins before it is due."""
    with _Service(tmp_path, 0, 1, "every second UTC") as service:
        service.wait_for("RunEnded", 4)
        service.send(signal.SIGTERM)
        service.wait_for("ended")
    entries = schedule_history(tmp_path, "prices")
    timetable = Timetable.read("every second UTC")
    assert unexplained(entries, timetable, entries[0].due, entries[-1].until) == []
    assert all(entry.began >= entry.due for entry in entries if entry.began)
    assert [run for run, _ in _runs(tmp_path)] == [entry.run for entry in entries if entry.outcome == "done"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_while_it_waits_ends_it_at_once(tmp_path: Path, number: signal.Signals) -> None:
    """Nothing runs and the next time is far: a signal wakes the schedule up, which ends without an error."""
    with _Service(tmp_path, 0, 1, "on the first day of the year at 6:30 UTC") as service:
        service.wait_for("sleeps")
        service.send(number)
        service.wait_for("StopRequested")
        service.wait_for("ended")
        assert service.process.wait() == 0
    assert "slept" not in service.said


def test_first_signal_waits_for_the_run(tmp_path: Path) -> None:
    """Ctrl-C during a run: the run goes on to its end, is noted, and then the schedule ends."""
    (tmp_path / "hold").touch()
    with _Service(tmp_path, 0, 1, "every second UTC") as service:
        service.wait_for("RunStarted")
        service.send(signal.SIGINT)
        service.wait_for("StopRequested")
        (tmp_path / "hold").unlink()
        service.wait_for("RunEnded")
        service.wait_for("ended")
        assert service.process.wait() == 0
    [entry] = schedule_history(tmp_path, "prices")
    assert entry.outcome == "done"


def test_second_signal_interrupts_the_run(tmp_path: Path) -> None:
    """A second Ctrl-C ends a run that would never end; the next start goes on with the same run."""
    (tmp_path / "hold").touch()
    with _Service(tmp_path, 0, 1, "every second UTC") as service:
        service.wait_for("RunStarted")
        service.send(signal.SIGINT)
        service.wait_for("StopRequested")
        service.send(signal.SIGINT)
        assert service.process.wait() != 0
    assert schedule_history(tmp_path, "prices") == []
    (tmp_path / "hold").unlink()
    with _Service(tmp_path, 0, 1, "every second UTC") as service:
        service.wait_for("RunEnded")
        service.send(signal.SIGTERM)
        service.wait_for("ended")
    assert schedule_history(tmp_path, "prices")[0].attempts == 2


@pytest.mark.slow
@pytest.mark.parametrize("catch_up", ["one", "all"])
def test_kills_double_and_lose_no_run(tmp_path: Path, catch_up: str) -> None:
    """Killed at random instants: every time has one entry, and a run is only attempted again if it had not ended."""
    chance = random.Random(22)
    arguments = (tmp_path, time.time(), 1000, "every 2 minutes Europe/Vienna", catch_up)
    for _ in range(KILLS // 2):
        with _Service(*arguments) as service:
            service.wait_for("RunStarted", chance.randint(1, 3))
            time.sleep(chance.random() * 0.1)  # any instant will do, and a run takes about as long
            service.send(signal.SIGKILL)
    with _Service(*arguments) as service:
        service.wait_for("RunEnded", 3)
        service.send(signal.SIGTERM)
        service.wait_for("ended")
    entries = schedule_history(tmp_path, "prices")
    timetable = Timetable.read("every 2 minutes Europe/Vienna")
    assert unexplained(entries, timetable, entries[0].due, entries[-1].until) == []
    runs = _runs(tmp_path)
    # In order of their times, and the attempts of each one after the other: nothing runs that had ended.
    assert all(one < other for one, other in pairwise(runs))
    assert [run for run, _ in groupby(runs, key=lambda run: run[0])] == [
        entry.run for entry in entries if entry.outcome == "done"
    ]
    assert not list(tmp_path.glob("**/*.part"))
