"""Waiting for what a test needs to have happened: an event, never a time.

How long that takes is the machine's affair. The bound is there so that a test which waits in vain fails instead of
hanging, and is far above anything that a busy machine needs.
"""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["BOUND", "LONG", "group_is_gone", "group_of", "happened", "wait_until"]

BOUND = 60.0  # no test waits longer for one event
LONG = 600.0  # for limits that must not be what ends a test
LOOK_EVERY = 0.01


def wait_until(condition: Callable[[], object]) -> None:
    """Return as soon as the condition holds."""
    until = time.monotonic() + BOUND
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(LOOK_EVERY)


async def happened(condition: Callable[[], object]) -> None:
    """Return as soon as the condition holds, and let others of the loop go on until then."""
    until = time.monotonic() + BOUND
    while not condition():
        assert time.monotonic() < until, "waited in vain"
        await asyncio.sleep(LOOK_EVERY)


def group_of(group: int) -> list[int]:
    """The living processes of a process group; those that only nobody has reaped yet are dead."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, own = (folder / "stat").read_bytes().rpartition(b")")[2].split()[:3]
        except OSError:
            continue
        if int(own) == group and state != b"Z":
            found.append(int(folder.name))
    return found


def group_is_gone(group: int) -> bool:
    """Whether no process of the group lives."""
    return not group_of(group)
