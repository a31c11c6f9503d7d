"""The loop in a thread: plain calls from anywhere."""

import asyncio
import gc
import os
import subprocess
import sys
import threading

import pytest

from sightline.sources._loop import LoopThread

from .._wait import BOUND, wait_until


async def _double(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


def test_loop_runs_coroutines_for_plain_callers() -> None:
    """The result comes back, an error is raised, and the thread is another."""

    async def fail() -> None:
        raise KeyError(threading.current_thread().name)

    thread = LoopThread()
    assert thread.run(_double(21)) == 42
    with pytest.raises(KeyError, match="sightline"):
        thread.run(fail())


def test_loop_works_inside_a_running_loop() -> None:
    """A caller whose own loop is running may wait for ours."""
    thread = LoopThread()

    async def cell() -> int:
        return thread.run(_double(4))

    assert asyncio.run(cell()) == 8


def test_loop_cancels_what_it_no_longer_waits_for() -> None:
    """When the wait ends without a result, the work ends too."""
    thread = LoopThread()

    async def for_ever() -> None:
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        thread.run(for_ever(), 0.05)
    wait_until(lambda: not asyncio.all_tasks(thread.loop))


def test_loop_forgets_owners_that_are_gone() -> None:
    """Registering for the end keeps nothing alive."""

    class Owner:
        async def shut(self) -> None:
            """Do nothing."""

    thread = LoopThread()
    thread.close_at_exit(Owner())
    gc.collect()
    assert len(thread._closing) == 0


def test_loop_closes_its_owners_at_the_end() -> None:
    """Whoever is registered is closed when the interpreter ends, even if another never finishes."""
    program = """
import asyncio
from sightline.sources import _loop
class Owner:
    def __init__(self, ends): self.ends = ends
    async def shut(self):
        if not self.ends: await asyncio.Event().wait()
        print("closed")
_loop.STOP_SECONDS = 1
thread = _loop.LoopThread()
owners = [Owner(False), Owner(True)]
for owner in owners: thread.close_at_exit(owner)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=BOUND, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, b"closed")


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_loop_begins_anew_in_a_forked_child() -> None:
    """A forked child, which has no copy of the thread, gets a loop of its own."""
    thread = LoopThread()
    assert thread.run(_double(1)) == 2
    child = os.fork()
    if child == 0:
        os._exit(0 if thread.run(_double(3)) == 6 and thread.generation == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert thread.generation == 0
