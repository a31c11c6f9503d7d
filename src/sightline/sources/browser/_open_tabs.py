"""The tabs of a session: the first, and those that its pages open."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sightline.errors import LimitError, UsageError
from sightline.net import Limits
from sightline.sources.browser._hand import Hand
from sightline.sources.browser._pipe import CallError, Connection
from sightline.sources.browser._tab import Tab
from sightline.sources.browser._tab_start import TabStart
from sightline.sources.browser._visit import BLANK, Visit

if TYPE_CHECKING:
    from sightline.sources.browser._frame_worlds import FrameWorlds

__all__ = ["OpenTab", "OpenTabs", "Windows"]

# New tabs and windows that pages of sessions open: each is stopped before its first request, until it has an owner.

CALL_SECONDS = 10.0
PAGES_ONLY = [{"type": "page", "exclude": False}, {"exclude": True}]

Owner = Callable[[str, dict[str, Any]], None]
"""Takes the DevTools session of a new tab, and the browser's description of it."""


class Windows:
    """Hands new tabs of one browser process to whoever owns the tab that opened them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._owners: dict[str, Owner] = {}

    async def watch(self) -> None:
        """Hear of every new tab, before it loads anything."""
        self._connection.listen(None, self._hear)
        attach = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True, "filter": PAGES_ONLY}
        await self._connection.call("Target.setAutoAttach", attach, seconds=CALL_SECONDS)

    def claim(self, target: str, owner: Owner) -> None:
        """Take the tabs that this one opens."""
        self._owners[target] = owner

    def release(self, target: str) -> None:
        """Take no more of them."""
        self._owners.pop(target, None)

    def turn_away(self, session: str, target: str) -> None:
        """Close a new tab. It must go on first, as its opener waits with it; but none of its requests does."""
        self._connection.send("Fetch.enable", session=session)
        self._connection.send("Runtime.runIfWaitingForDebugger", session=session)
        self._connection.send("Target.closeTarget", {"targetId": target})

    def _hear(self, method: str, params: dict[str, Any]) -> None:
        if method != "Target.attachedToTarget" or not params.get("waitingForDebugger"):
            return
        info, session = params["targetInfo"], params["sessionId"]
        opener = info.get("openerId")
        owner = self._owners.get(opener or "")
        if owner:
            owner(session, info)
        elif opener:
            self.turn_away(session, info["targetId"])
        else:  # one of our own, which has a session besides this one
            self._connection.send("Runtime.runIfWaitingForDebugger", session=session)
            self._connection.send("Target.detachFromTarget", {"sessionId": session})


@dataclass(eq=False)
class OpenTab:
    """One tab of a session with the page that it shows."""

    tab: Tab
    visit: Visit | None = None
    frames: "FrameWorlds | None" = None  # in which somebody listens, or once did
    hand: Hand = field(init=False)

    def __post_init__(self) -> None:
        """Give the tab a hand."""
        self.hand = Hand(self.tab)

    @property
    def closed(self) -> bool:
        """Whether the tab is gone."""
        return self.visit is not None and self.visit.crashed


class OpenTabs:
    """The tabs of one session; one of them is the current one."""

    def __init__(self, first: Tab, windows: Windows, limits: Limits, start: TabStart, *, most: int) -> None:
        self._current = OpenTab(first)
        self._all = [self._current]
        self._windows = windows
        self._limits = limits
        self.start = start
        self.on_open: Callable[[OpenTab], None] | None = None  # told of a new tab before it loads anything
        self.on_view: Callable[[OpenTab | None], None] | None = None  # told of a new tab, or None: another is current
        self._most = most
        self._announced: list[str] = []
        self._arriving: set[asyncio.Task[None]] = set()
        self._too_many = False
        self._claim(first)

    @property
    def current(self) -> OpenTab:
        """The tab that the session acts in, and that a viewer shows."""
        return self._current

    @current.setter
    def current(self, opened: OpenTab) -> None:
        changed = opened is not self._current
        self._current = opened
        if changed and self.on_view:
            self.on_view(None)

    @property
    def open(self) -> list[OpenTab]:
        """The tabs that are open, in the order in which they were opened."""
        return [one for one in self._all if not one.closed]

    def begin_action(self) -> None:
        """Count from here, without the tabs that are gone."""
        for one in [one for one in self._all if one.closed and one is not self.current]:
            self._all.remove(one)
            self._windows.release(one.tab.target)
            one.tab.connection.listen(one.tab.session, None)
        self._too_many = False
        self._announced.clear()
        for one in self.open:
            one.tab.begin_action()

    def check(self, source: str) -> None:
        """Raise if pages opened more tabs than allowed."""
        if self._too_many:
            problem = f"opened more than {self._most} tabs, and the rest was closed"
            raise LimitError(source, f"{problem}; raise the limit `tabs` if it needs so many.", limit="tabs")

    def switch(self, number: int) -> None:
        """Make another tab the current one."""
        tabs = self.open
        if not -len(tabs) <= number < len(tabs):
            count = "one tab" if len(tabs) == 1 else f"{len(tabs)} tabs"
            raise UsageError(f"There is no tab {number}; the session has {count}, and the first is 0.")
        self.current = tabs[number]
        self.current.tab.to_front()

    def leave_closed(self) -> bool:
        """If the page closed the current tab itself, go on with the newest other one; False if there is none."""
        here = self.current
        if not (here.visit and here.visit.closed and self.open):
            return False
        self.switch(-1)
        return True

    async def renew(self) -> Tab:
        """Put a fresh tab of the same profile in the place of the current one, whose page is gone."""
        old = self.current.tab
        tab = await Tab.create(old.connection, old.context, (self.start.settings.width, self.start.settings.height))
        self._entrust(tab, old)
        await tab.prepare(self.start)
        self._all[self._all.index(self.current)] = self.current = OpenTab(tab)
        self._claim(tab)
        self._windows.release(old.target)
        old.connection.listen(old.session, None)
        old.connection.send("Target.closeTarget", {"targetId": old.target})
        return tab

    async def add(self) -> OpenTab:
        """A further tab of the same profile, and make it the current one."""
        other = self.current.tab
        tab = await Tab.create(other.connection, other.context, (self.start.settings.width, self.start.settings.height))
        self._entrust(tab, other)
        await tab.prepare(self.start)
        self._all.append(opened := OpenTab(tab))
        self._claim(tab)
        self.current = opened
        return opened

    def drop(self, opened: OpenTab, back_to: OpenTab) -> None:
        """Close a tab that was added, and go on in another one."""
        self._all.remove(opened)
        self._windows.release(opened.tab.target)
        opened.tab.connection.listen(opened.tab.session, None)
        opened.tab.connection.send("Target.closeTarget", {"targetId": opened.tab.target})
        self.current = back_to
        self.current.tab.to_front()

    async def settled(self) -> None:
        """Wait until the new tabs have loaded."""
        while self._arriving:
            await asyncio.wait(self._arriving)

    async def close(self) -> None:
        """Forget all tabs; their profile is discarded by the owner of the first."""
        for task in self._arriving:
            task.cancel()
        await asyncio.gather(*self._arriving, return_exceptions=True)
        for one in self._all:
            self._windows.release(one.tab.target)
        for one in self._all[1:]:
            one.tab.connection.listen(one.tab.session, None)

    # ------------------------------------------------------------------ new tabs

    def _claim(self, tab: Tab) -> None:
        tab.on_window = self._announced.append
        self._windows.claim(tab.target, self._adopt)

    def _adopt(self, session: str, info: dict[str, Any]) -> None:
        """Take a new tab in, before it loads anything."""
        first = self._all[0].tab
        url = self._announced.pop(0) if self._announced else ""
        if len(self.open) >= self._most:
            self._too_many = True
            self._windows.turn_away(session, info["targetId"])
            return
        tab = Tab(first.connection, first.context, info["targetId"], session)
        self._entrust(tab, first)
        visit = tab.listen_for(url, self._limits)
        self._all.append(opened := OpenTab(tab, visit))
        self._claim(tab)
        if self.on_open:
            self.on_open(opened)
        if self.on_view:
            self.on_view(opened)
        task = asyncio.get_running_loop().create_task(self._welcome(tab, visit))
        self._arriving.add(task)
        task.add_done_callback(self._arriving.discard)

    def _entrust(self, tab: Tab, other: Tab) -> None:
        """Let the session answer for a tab as it does for another one."""
        tab.worn = True
        tab.dialogs, tab.on_request, tab.access = other.dialogs, other.on_request, other.access
        tab.on_download, tab.on_login = other.on_download, other.on_login

    async def _welcome(self, tab: Tab, visit: Visit) -> None:
        with suppress(CallError):  # a tab may close at once; then it is not among the open ones
            await tab.prepare(self.start, waiting=True)
            if visit.source not in ("", BLANK):
                await visit.moved(0, self._limits.load_seconds)
            await tab.settle(visit, self._limits)
