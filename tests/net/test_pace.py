"""One request at a time to a host, and a pause between two."""

import asyncio
from itertools import pairwise

import pytest

from sightline.net._pace import Pace


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

    return asyncio.run(run())


def test_pace_keeps_visits_apart() -> None:
    """The next visit of a host begins when the one before has ended and the delay is over."""
    seen = intervals(["a"] * 4, 0.08)
    gaps = [after[1] - before[2] for before, after in pairwise(seen)]
    assert all(gap >= 0.078 for gap in gaps)


def test_pace_holds_up_only_the_same_host() -> None:
    """Other hosts are visited meanwhile."""
    seen = intervals(["a", "b", "c", "d"], 5.0)
    assert max(start for _, start, _ in seen) - min(start for _, start, _ in seen) < 0.5


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

    assert asyncio.run(run()) >= 0.045


def test_pace_frees_the_host_when_a_waiting_visitor_gives_up() -> None:
    """A visitor who is cancelled while waiting does not block the lane."""

    async def run() -> bool:
        pace = Pace()
        async with pace.turn("a", delay=0.0):
            waiting = asyncio.create_task(_visit(pace))
            await asyncio.sleep(0.01)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        async with asyncio.timeout(1), pace.turn("a", delay=0.0):
            return True

    assert asyncio.run(run())


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

    assert asyncio.run(run()) <= 10_000
