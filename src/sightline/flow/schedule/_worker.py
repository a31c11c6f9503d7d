"""The process that does runs for a schedule, one after the other, until the schedule hangs up."""

import gc
import os
import signal
import sys
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from types import FrameType
from typing import BinaryIO, Literal

import msgspec

from sightline.errors import SightlineError
from sightline.flow.schedule._flow_runs import FlowOrder, do_flow_run
from sightline.flow.schedule._workers import WorkerMessage
from sightline.project import Lock
from sightline.redaction import redacted


def main() -> None:
    """Do what is ordered at standard input, and answer at standard output."""
    down, up = _own_streams()
    for number in (signal.SIGINT, signal.SIGTERM):
        # When to end is for the schedule to say. Not ignored, since programs that are started from here would be born
        # with that.
        signal.signal(number, _not_for_us)
    orders: SimpleQueue[FlowOrder] = SimpleQueue()
    Thread(target=_listen, args=(down, orders), daemon=True).start()
    with Lock(Path(sys.argv[1]), wait=True, shared=True):
        _import_what_runs_need()
        _say(up, WorkerMessage("ready"))
        while True:
            _do(orders.get(), up)


def _own_streams() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to the schedule, which no library prints to and no program that is started from here reads from."""
    down, up = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return down, up


def _not_for_us(number: int, frame: FrameType | None) -> None:
    """Do nothing about a signal."""


def _listen(down: BinaryIO, orders: "SimpleQueue[FlowOrder]") -> None:
    """Take orders; when there can be none any more, end at once with everything that was started from here.

    The run that is interrupted by that is attempted again, as after any kill.
    """
    for line in down:
        orders.put(msgspec.json.decode(line, type=FlowOrder))
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _import_what_runs_need() -> None:
    """Import before the first run what every one would, and have the search for garbage pass it by."""
    import duckdb  # noqa: F401
    import pyarrow.compute  # noqa: F401

    from sightline.flow.deliver import deliver  # noqa: F401
    from sightline.flow.run import run_due  # noqa: F401

    gc.freeze()


def _do(order: FlowOrder, up: BinaryIO) -> None:
    kind: Literal["done", "failed"] = "done"
    try:
        note = do_flow_run(order, lambda text: _say(up, WorkerMessage("told", redacted(text))))
    except SightlineError as problem:
        kind, note = "failed", problem.message
    _say(up, WorkerMessage(kind, redacted(note)))


def _say(up: BinaryIO, message: WorkerMessage) -> None:
    up.write(msgspec.json.encode(message) + b"\n")
    up.flush()
