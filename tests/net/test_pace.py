"""One request at a time to a host, and a pause between two."""

import asyncio
import selectors
from collections.abc import Coroutine
from itertools import pairwise
from typing import Any, TypeVar

import pytest

from sightline.net._request_policy import Pace

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    """Waits for nothing: where a loop would sleep, its clock is put forward."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What has happened; as there is nothing else that could, the time asked for has passed then."""
        self.now += timeout or 0.0
        return super().select(0)


class _Loop(asyncio.SelectorEventLoop):
    """A loop in which a day passes in no time."""

    def __init__(self) -> None:
        self._times = _Selector()
        super().__init__(self._times)

    def time(self) -> float:
        """Tell the time of this loop."""
        return self._times.now


def passed(work: Coroutine[Any, Any, T]) -> T:
    """Run the work in a loop whose clock does not depend on the machine's."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(work)


def intervals(hosts: list[str], delay: float, work: float = 0.02) -> list[tuple[str, float, float]]:
    """Let one visitor a host entry through and give when each began and ended."""

    async def run() -> list[tuple[str, float, float]]:
        pace, clock, seen = Pace(), asyncio.get_running_loop().time, []

        async def visit(host: str) -> None:
            async with pace.turn(host, delay=delay):
                start = clock()
                await asyncio.sleep(work)
                seen.append((host, start, clock()))

        await asyncio.gather(*map(visit, hosts))
        return seen

    return passed(run())


def test_pace_keeps_visits_apart() -> None:
    """The next visit of a host begins when the one before has ended and the delay is over."""
    seen = intervals(["a"] * 4, 0.08)
    gaps = [after[1] - before[2] for before, after in pairwise(seen)]
    assert gaps == pytest.approx([0.08] * 3)


def test_pace_holds_up_only_the_same_host() -> None:
    """Other hosts are visited meanwhile."""
    seen = intervals(["a", "b", "c", "d"], 5.0)
    assert {start for _, start, _ in seen} == {0.0}


def test_pace_frees_the_host_after_an_error() -> None:
    """A visit that fails still counts and still ends."""

    async def run() -> float:
        pace, clock = Pace(), asyncio.get_running_loop().time
        with pytest.raises(RuntimeError):
            async with pace.turn("a", delay=0.05):
                raise RuntimeError
        start = clock()
        async with pace.turn("a", delay=0.05):
            return clock() - start

    assert passed(run()) == pytest.approx(0.05)


def test_pace_frees_the_host_when_a_waiting_visitor_gives_up() -> None:
    """A visitor who is cancelled while waiting does not block the lane."""

    async def run() -> bool:
        pace = Pace()
        async with pace.turn("a", delay=0.0):
            waiting = asyncio.create_task(_visit(pace))
            await asyncio.sleep(1)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        async with asyncio.timeout(1), pace.turn("a", delay=0.0):
            return True

    assert passed(run())


async def _visit(pace: Pace) -> None:
    async with pace.turn("a", delay=0.0):
        pass


def test_pace_forgets_idle_hosts() -> None:
    """Memory does not grow with the number of hosts ever visited."""

    async def run() -> int:
        pace = Pace()
        for number in range(12_000):
            async with pace.turn(f"h{number}", delay=0.0):
                pass
        return len(pace._lanes)

    assert passed(run()) <= 10_000
