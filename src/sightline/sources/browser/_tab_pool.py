"""The tabs of one browser process: opened when needed, reused while clean, and kept within a memory budget."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from sightline.sources.browser._process import BrowserProcess
from sightline.sources.browser._settings import BrowserSettings
from sightline.sources.browser._tab import Tab

__all__ = ["TabPool"]

WATCH_SECONDS = (
    0.5  # between two checks of the browser's memory while pages are open; a check takes about a millisecond
)


class TabPool:
    """Tabs of a process that is started with the first of them, and again when it died or grew too large."""

    def __init__(
        self,
        settings: BrowserSettings,
        user_agent: str,
        arguments: Callable[[], Awaitable[tuple[str, ...]]],
        *,
        started: Callable[[BrowserProcess], Awaitable[None]] | None = None,
    ) -> None:
        self._settings = settings
        self._user_agent = user_agent
        self._arguments = arguments
        self._started = started
        self._starting = asyncio.Lock()
        self._busy = 0
        self._over_budget = False
        self._watcher: asyncio.Task[None] | None = None
        self.process: BrowserProcess | None = None
        self.idle: list[Tab] = []

    async def close(self) -> None:
        """Quit the process; the next tab starts it again."""
        self.idle.clear()
        if self._watcher:
            self._watcher.cancel()
        process, self.process = self.process, None
        if process:
            await process.stop()

    @asynccontextmanager
    async def tab(self) -> AsyncIterator[Tab]:
        """A clean tab; returned to the pool if all went well, otherwise closed."""
        self._busy += 1
        kept = False
        tab = None
        try:
            process = await self._running()
            tab = self._take_idle() or await Tab.open(process.connection, self._settings, user_agent=self._user_agent)
            yield tab
            kept = tab.pages < self._settings.pages_per_tab and await tab.leave() and process is self.process
        finally:
            self._busy -= 1
            if kept and tab:
                self.idle.append(tab)
            elif tab:
                await asyncio.shield(tab.close())

    def _take_idle(self) -> Tab | None:
        """An idle tab that is still alive."""
        while self.idle:
            tab = self.idle.pop()
            if not tab.worn:
                return tab
        return None

    async def _running(self) -> BrowserProcess:
        """The process, started if there is none or the last one died or grew too large."""
        async with self._starting:
            if self.process and self.process.alive and not self._too_large():
                return self.process
            if self.process:
                await self.process.stop()
            self.idle.clear()
            self.process = await BrowserProcess.start(await self._arguments(), headed=self._settings.headed)
            if self._started:
                await self._started(self.process)
            if self._watcher is None or self._watcher.done():
                self._watcher = asyncio.create_task(self._watch())
            return self.process

    # ------------------------------------------------------------------ memory

    def _too_large(self) -> bool:
        """Whether the browser, with no other page open, uses too much memory and must be replaced."""
        return self._busy == 1 and self._over_budget and self.process is not None and self._is_over()

    def _is_over(self) -> bool:
        return self.process is not None and self.process.memory() > self._settings.memory

    async def _watch(self) -> None:
        """Keep the browser within its memory budget: close idle tabs first, then the largest page."""
        while self.process:
            await asyncio.sleep(WATCH_SECONDS)
            self._over_budget = self.process is not None and self.process.alive and self._is_over()
            if not self._over_budget:
                continue
            if self.idle:
                await self.idle.pop().close()
            elif self._busy and self.process:
                self.process.kill_largest_page()
