"""Runs whose process is gone: somebody hears of it, once, whoever notices."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ..._wait import BOUND, wait_until
from ._shops import Told
from .conftest import FlowFolder

pytestmark = pytest.mark.filterwarnings("ignore:'imghdr' is deprecated:DeprecationWarning")

# Runs a flow, and stops for ever in the middle of it.
STOPPING = """
import sys
from pathlib import Path
from sightline.flow.run import run_flow
from sightline.flow.spec import Flow

def stop(event):
    if event.kind == "done":
        print("done", flush=True)
        sys.stdin.read()

run_flow(Flow.load(sys.argv[1]), store=Path(sys.argv[1]).parent / "store", on_event=stop)
"""
STEPS = "shop:\n  read: shop.csv\nkept:\n  deliver: shop\n  to: kept.csv\n"


def killed(file: Path) -> None:
    """Run a flow until its first step is done, then kill its process."""
    command = [sys.executable, "-c", STOPPING, str(file)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "done\n"
        os.kill(process.pid, signal.SIGKILL)
        process.wait(BOUND)


def test_a_run_that_is_killed_is_told_of(folder: FlowFolder, told: Told) -> None:
    """By a process of its own, at once and once; the run goes on later, and ends well."""
    head = f'on_failure: "{told.address}"\non_success: "{told.address}"\n'
    killed(folder.write(STEPS, head))
    wait_until(lambda: told.titles == ["prices: failed"])
    assert b"its process ended before the run did" in told.service.requests[0].body
    found = folder.run()
    assert found.verdict == "ok"
    assert folder.kinds()["shop"] == "reused"
    assert told.titles == ["prices: failed", "prices: ok"]


def test_the_next_run_tells_if_nobody_else_could(folder: FlowFolder, told: Told) -> None:
    """As after a power cut, which ends the waiting process, too."""
    file = folder.write(STEPS)
    killed(file)  # nobody is named yet, so nobody waits
    folder.write(STEPS, f'on_failure: "{told.address}"\n')
    folder.run()
    folder.run()
    assert told.titles == ["prices: failed"]


def test_an_end_that_was_not_told_is_told_by_the_next_run(folder: FlowFolder, told: Told) -> None:
    """If the process ended between the last step and the message."""
    head = f'on_success: "{told.address}"\n'
    folder.run(STEPS, head=head)
    run = next((folder.path / "store/flows/prices/runs").glob("*/run.json"))
    run.write_text(run.read_text().replace('"told": "', '"told": "", "was": "', 1))
    folder.run()
    assert told.titles == ["prices: ok"] * 3
