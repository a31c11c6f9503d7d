"""Per-host pacing: one request at a time, and a pause after each."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

__all__ = ["Pace"]

_REMEMBERED_HOSTS = 10_000  # a crawl visits far fewer hosts at once; idle ones are forgotten beyond this


@dataclass
class _Lane:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    free_at: float = 0.0
    users: int = 0


class Pace:
    """Lets requests to a host through one by one, at least `delay` seconds after the end of the previous one."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}

    @asynccontextmanager
    async def turn(self, host: str, *, delay: float) -> AsyncIterator[None]:
        """Wait for the host to be free, hold it, and keep it closed for `delay` seconds afterwards."""
        clock = asyncio.get_running_loop().time
        lane = self._lane(host)
        lane.users += 1
        try:
            async with lane.lock:
                await asyncio.sleep(max(0.0, lane.free_at - clock()))
                try:
                    yield
                finally:
                    lane.free_at = clock() + delay
        finally:
            lane.users -= 1

    def _lane(self, host: str) -> _Lane:
        if host not in self._lanes and len(self._lanes) >= _REMEMBERED_HOSTS:
            now = asyncio.get_running_loop().time()
            self._lanes = {name: lane for name, lane in self._lanes.items() if lane.users or lane.free_at > now}
        return self._lanes.setdefault(host, _Lane())
