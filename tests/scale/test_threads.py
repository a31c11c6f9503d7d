"""Ctrl-C at every instruction that the main thread runs while a batch starts its workers and looks after them."""

import subprocess
import sys

import pytest

from .._wait import BOUND

pytestmark = pytest.mark.slow

SCRIPT = """
import sys, time
from pathlib import Path
from types import SimpleNamespace
from sightline.scale import Batch, BatchSettings, _batch
from sightline.scale.engines import _local

_batch.POLL = 0.001
_batch.Batch._station = lambda *_, **__: None

def interrupted_at(number):
    # Keep two workers at work until they are looked after, with Ctrl-C at an instruction; whether that came before.
    at_work, ready, seen = [], [], 0

    def work(station, name, cancelled):
        at_work.append(name)
        while not cancelled() and not ready:
            time.sleep(0.001)
        at_work.remove(name)

    def count(frame, event, _):
        nonlocal seen
        frame.f_trace_opcodes = True
        seen += event == "opcode"
        if seen == number:
            sys.settrace(None)
            raise KeyboardInterrupt
        return count

    _local.supervise = work
    batch = Batch(None, [], Path("out"), settings=BatchSettings(workers=2))
    batch._listing = SimpleNamespace(check=lambda: ready.append(True))
    try:
        sys.settrace(count)
        batch._keep_at_work(None, None)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
        assert not at_work, number
    assert seen < number, f"{number} was not heard"
    return False

number = 1
while interrupted_at(number):
    number += 1
print(number)
"""


def test_no_worker_is_left_at_whatever_instruction_ctrl_c_comes() -> None:
    """All have ended, or never begun, when the driver gives up; and the program ends, which waits for no thread."""
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=BOUND, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100
