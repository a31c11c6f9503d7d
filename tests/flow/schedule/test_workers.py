"""`sightline schedule` with workers: processes that overlap, are killed, and never outlive their schedule."""

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from sightline.flow.schedule import FlowOrder, FlowWorkers, Timetable, WorkerDied, schedule_history
from sightline.flow.schedule._store import ScheduleStore

from ..._wait import BOUND, group_is_gone, wait_until
from ..deliver._service import Answer, Request, Service
from ._services import BEGIN, unexplained

SECONDS = "every second UTC"


class Receiver:
    """Takes what flows deliver: lists it as it comes, and answers when it is told to."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self.keys: Counter[str] = Counter()
        self.may_answer = threading.Event()

    def __call__(self, request: Request) -> Answer:
        """Answer, in time."""
        self.came.append(request.path[1:])
        self.keys[request.headers["idempotency-key"]] += 1
        self.may_answer.wait(BOUND)
        return Answer()


class Site:
    """A folder with two flows, which deliver a row to a service, and a schedule of them."""

    def __init__(self, folder: Path, receiver: Receiver, url: str) -> None:
        self.folder, self.receiver = folder, receiver
        (folder / "rows.csv").write_text("name,price\nA,1\n")
        for name in "ab":
            (folder / f"{name}.flow.yaml").write_text(
                f"flow: 1\nsteps:\n  rows:\n    read: rows.csv\n  out:\n    deliver: rows\n    to: {url}/{name}\n"
            )
        self.processes: list[subprocess.Popen[str]] = []

    def start(self) -> subprocess.Popen[str]:
        """Start `sightline schedule` with two workers."""
        command = [sys.executable, "-m", "sightline", "schedule", "a.flow.yaml", "b.flow.yaml", "--workers", "2"]
        process = subprocess.Popen(
            [*command, "--at", SECONDS, "--store", "store"], cwd=self.folder, stderr=subprocess.PIPE, text=True
        )
        self.processes.append(process)
        return process

    def wait_for(self, *names: str) -> None:
        """Until so many deliveries of the flows have come, and wait for an answer."""
        wait_until(lambda: not Counter(names) - Counter(self.receiver.came))

    def worker(self, name: str) -> int:
        """The number of the process that runs the flow, as the lock of the flow says."""
        return int((self.folder / "store" / "flows" / name / "lock").read_text())

    def first(self, name: str) -> tuple[str, int]:
        """What became of the first due time of a flow, and in how many attempts."""
        entry = schedule_history(self.folder / "store", name)[0]
        return entry.outcome, entry.attempts

    def check(self) -> None:
        """Each due time has one entry, and each run was delivered under one key."""
        histories = [schedule_history(self.folder / "store", name) for name in "ab"]
        for history in histories:
            assert unexplained(history, Timetable.read(SECONDS), history[0].due, history[-1].until) == []
        done = [entry.run for history in histories for entry in history if entry.outcome == "done"]
        assert len({*done}) == len(done) == len(self.receiver.keys)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """Two flows whose deliveries wait until they may go on."""
    receiver = Receiver()
    with Service(receiver) as service:
        site = Site(tmp_path, receiver, service.url)
        yield site
        receiver.may_answer.set()
        for process in site.processes:
            process.kill()
            process.communicate()


def _stop(process: "subprocess.Popen[str]", number: signal.Signals = signal.SIGTERM) -> list[str]:
    """Send a signal, and return what the schedule said until it says that the signal came."""
    assert process.stderr is not None
    process.send_signal(number)
    said = []
    for line in process.stderr:
        said.append(line.strip())
        if line.startswith("Stopping after the current runs"):
            return said
    pytest.fail("the schedule ended without a word on the signal")


@pytest.mark.slow
def test_ctrl_c_waits_for_both_runs(site: Site) -> None:
    """Both are under way at once, in processes of their own; they end, are noted, and the workers are gone."""
    schedule = site.start()
    site.wait_for("a", "b")
    workers = [site.worker(name) for name in "ab"]
    assert len({*workers, schedule.pid}) == 3
    _stop(schedule, signal.SIGINT)
    site.receiver.may_answer.set()
    assert schedule.wait() == 0
    assert [site.first(name) for name in "ab"] == [("done", 1)] * 2
    wait_until(lambda: all(map(group_is_gone, workers)))
    site.check()


@pytest.mark.slow
def test_second_ctrl_c_does_not_wait(site: Site) -> None:
    """It ends at once with its workers, and the runs are attempted again at the next start."""
    schedule = site.start()
    site.wait_for("a", "b")
    workers = [site.worker(name) for name in "ab"]
    _stop(schedule, signal.SIGINT)
    schedule.send_signal(signal.SIGINT)
    assert schedule.wait() != 0
    assert all(map(group_is_gone, workers))
    assert [schedule_history(site.folder / "store", name) for name in "ab"] == [[], []]


@pytest.mark.slow
def test_a_worker_that_is_killed_takes_no_other_run_with_it(site: Site) -> None:
    """Its run is attempted again, by another process; the other one goes on where it was."""
    schedule = site.start()
    site.wait_for("a", "b")
    killed, other = site.worker("a"), site.worker("b")
    os.kill(killed, signal.SIGKILL)
    site.wait_for("a", "a", "b")
    assert site.worker("a") not in (killed, other)
    assert site.worker("b") == other
    site.receiver.may_answer.set()
    assert "sightline: a: its process was ended by SIGKILL, before the run was over." in _stop(schedule)
    assert schedule.wait() == 0
    assert (site.first("a"), site.first("b")) == (("done", 2), ("done", 1))
    site.check()


@pytest.mark.slow
def test_a_schedule_that_is_killed_leaves_no_worker_behind(site: Site) -> None:
    """The workers end with it, in the middle of their runs, which the next start attempts again, each once."""
    schedule = site.start()
    site.wait_for("a", "b")
    workers = [site.worker(name) for name in "ab"]
    schedule.kill()
    schedule.wait()
    again = site.start()
    site.wait_for("a", "a", "b", "b")
    assert all(map(group_is_gone, workers))
    site.receiver.may_answer.set()
    _stop(again)
    assert again.wait() == 0
    assert [site.first(name) for name in "ab"] == [("done", 2)] * 2
    site.check()


@pytest.mark.slow
def test_a_worker_stays_for_the_next_run_unless_it_has_died(site: Site) -> None:
    """One process does several runs; one that died while it had nothing to do is replaced before it gets an order."""
    site.receiver.may_answer.set()
    orders = [FlowOrder(str(site.folder / f"{name}.flow.yaml"), str(site.folder), BEGIN, {}) for name in "ab"]
    with ScheduleStore(site.folder).locked(), FlowWorkers(site.folder) as workers:
        assert workers.run(orders[0]) == "ok, 1 row delivered"
        [first] = workers.processes
        assert workers.run(orders[1]) == "ok, 1 row delivered"
        assert workers.processes == {first}
        os.kill(first, signal.SIGKILL)
        os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
        assert workers.run(orders[0]) == "ok, 1 row delivered"
        [second] = workers.processes
        assert second != first
    assert group_is_gone(second)
    with pytest.raises(WorkerDied, match="has ended"):
        workers.run(orders[0])


@pytest.mark.slow
def test_the_next_schedule_waits_until_no_worker_is_left(site: Site) -> None:
    """Whoever has an order holds a lock, so that no run is begun again while a process still does it."""
    order = FlowOrder(str(site.folder / "a.flow.yaml"), str(site.folder), BEGIN, {})

    def died() -> None:
        with pytest.raises(WorkerDied, match="SIGKILL"):
            workers.run(order)

    with FlowWorkers(site.folder) as workers:
        with ScheduleStore(site.folder).locked():
            began = threading.Thread(target=died)
            began.start()
            site.wait_for("a")
        locked = threading.Event()

        def next_one() -> None:
            with ScheduleStore(site.folder).locked():
                locked.set()

        waiting = threading.Thread(target=next_one)
        waiting.start()
        [process] = workers.processes
        assert not locked.is_set()
        os.kill(process, signal.SIGKILL)
        assert locked.wait(BOUND)
        waiting.join()
        began.join()
