"""The tabs of a session: the first, and those that its pages open."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

from sightline.errors import LimitError, SourceError, UsageError
from sightline.net import Limits, RequestPolicy
from sightline.page import ENTER
from sightline.sources.browser._element_scripts import WHOLE_PATH
from sightline.sources.browser._hand import Hand
from sightline.sources.browser._listen_scripts import HEARING
from sightline.sources.browser._pipe import CallError, Connection
from sightline.sources.browser._tab import Tab
from sightline.sources.browser._tab_wire import TabStart
from sightline.sources.browser._visit import BLANK, Visit

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


# -- the way of a session's pages through the request policy --------------------------------------------------------
# A click, a script or a redirect may lead anywhere. The browser asks here before it leaves for another page;
# robots.txt, address rules and pace hold as for an address that the user gave. Parts of a page and its frames go by
# unasked.

WEB = ("http://", "https://")


class Waiting(Protocol):
    """A deadline that does not run while a page waits for its turn."""

    def pause(self) -> None:
        """Stop the clock."""

    def resume(self) -> None:
        """Let it run again."""


class Passage:
    """Lets the pages of one session ask one at a time; holds the host's turn until the action is over."""

    def __init__(self, requests: RequestPolicy) -> None:
        self._requests = requests
        self._turn = AsyncExitStack()
        self._origin = ""
        self._one_by_one = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._acting = False
        self._refused: SourceError | None = None
        self.deadline: Waiting | None = None
        self.on_refused: Callable[[SourceError], None] | None = None  # told at once, for a person who clicked
        self.origins: set[str] = set()  # those that pages were let through to

    async def begin_action(self) -> None:
        """Forget what was refused before."""
        await self._give_back()
        self._acting = True
        self._refused = None

    async def end_action(self) -> None:
        """Give the host's turn back, from which its delay counts."""
        self._acting = False
        self.deadline = None
        await self._give_back()

    def check(self) -> None:
        """Raise why a page of this action was refused, if one was."""
        if self._refused:
            raise self._refused

    async def close(self) -> None:
        """Abandon whatever still waits."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._release()

    async def enter(self, url: str) -> str:
        """Wait for the turn of an address, and return the form of it that the browser takes; a SourceError refuses."""
        async with self._one_by_one:
            location = await self._requests.check(url)
            if location.origin == self._origin:
                self._requests.check_known_robots(location, source=url)
            else:
                # The turn before goes back first: who holds one host and waits for another may wait forever.
                await self._release()
                location = await self._turn.enter_async_context(self._requests.turn(url))
                self._origin = location.origin
        self.origins.add(location.origin)
        return location.browser_url

    def ask(self, tab: Tab, visit: Visit | None, params: dict[str, Any]) -> None:
        """Decide about a document that a tab is about to request."""
        top = params.get("frameId") == tab.target and params.get("resourceType") == "Document"
        if top and params["request"]["url"].startswith(WEB):
            task = asyncio.get_running_loop().create_task(self._decide(tab, visit, params))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            tab.let_through(params)

    async def _decide(self, tab: Tab, visit: Visit | None, params: dict[str, Any]) -> None:
        number = {"requestId": params["requestId"]}
        waiting = [one for one in (visit, self.deadline) if one]
        for one in waiting:
            one.pause()
        try:
            await self.enter(params["request"]["url"])
        except SourceError as problem:
            self._refused = self._refused or problem
            if self.on_refused:
                self.on_refused(problem)
            # Aborting leaves the page in place; after any other reason there would be an error page instead.
            tab.connection.send("Fetch.failRequest", {**number, "errorReason": "Aborted"}, session=tab.session)
        else:
            tab.let_through(params)
        finally:
            for one in waiting:
                one.resume()
        if not self._acting:
            await self._give_back()

    async def _give_back(self) -> None:
        """Release the turn, unless a page is waiting for the next one: that releases it itself."""
        if not self._one_by_one.locked():
            await self._release()

    async def _release(self) -> None:
        self._origin = ""
        await self._turn.aclose()
        self._turn = AsyncExitStack()


# Users and passwords for sites that ask for them by HTTP (basic authentication), each for one origin only.

DEFAULT_PORTS = {"http": 80, "https": 443}


class Logins:
    """The logins of one session. A password is sent to its own origin only, and once for each request."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, int], tuple[str, str]] = {}
        self._tried: set[str] = set()

    def add(self, address: str, user: str, password: str) -> None:
        """Remember a login for the origin of an address."""
        origin = _origin(address)
        if origin is None:
            raise UsageError(f"{address} is not the address of a site; give one that starts with https:// or http://.")
        self._known[origin] = (user, password)

    def begin_action(self) -> None:
        """Let every login be tried again."""
        self._tried.clear()

    def answer(self, tab: Tab, params: dict[str, Any]) -> None:
        """Answer a site that asks for a user; unknown or rejected ones are not asked again, but see its error page."""
        number, challenge = params["requestId"], params["authChallenge"]
        origin = _origin(challenge.get("origin", "")) if challenge.get("source") != "Proxy" else None
        login = self._known.get(origin) if origin and number not in self._tried else None
        self._tried.add(number)
        reply = {"response": "CancelAuth"}
        if login:
            reply = {"response": "ProvideCredentials", "username": login[0], "password": login[1]}
        answer = {"requestId": number, "authChallengeResponse": reply}
        tab.connection.send("Fetch.continueWithAuth", answer, session=tab.session)


def _origin(address: str) -> tuple[str, str, int] | None:
    try:
        place = urlsplit(address)
        port = place.port or DEFAULT_PORTS.get(place.scheme)
    except ValueError:
        return None
    return (place.scheme, place.hostname, port) if place.hostname and port else None


# -- the frames of a tab in which our script listens ----------------------------------------------------------------

WORLD_SECONDS = 5.0


class FrameWorlds:
    """The isolated worlds of one tab and its frames; a frame of another site may have a session of its own."""

    def __init__(self, tab: Tab, calls: Sequence[tuple[str, dict[str, Any]]]) -> None:
        self._tab = tab
        self._calls = calls
        self._frames: dict[tuple[str, int], str] = {}  # by session and number of the world
        self._worlds: dict[str, tuple[str, int]] = {}
        self._parents: dict[str, str] = {}
        self._paths: dict[str, str] = {}
        self.on_message: Callable[[str, str], None] | None = None

    def learn(self, tree: dict[str, Any]) -> None:
        """Learn the frames that are there."""
        left = [tree["frameTree"]]
        while left:
            one = left.pop()
            left += one.get("childFrames", ())
            if "parentId" in one["frame"]:
                self._parents[one["frame"]["id"]] = one["frame"]["parentId"]

    def see(self, method: str, params: dict[str, Any], session: str = "") -> None:
        """Process an event of the tab, or of a frame's own session."""
        session = session or self._tab.session
        if method == "Runtime.bindingCalled" and params["name"] == HEARING:
            frame = self._frames.get((session, params["executionContextId"]))
            if frame and self.on_message:
                self.on_message(frame, params["payload"])
        elif method == "Runtime.executionContextCreated" and params["context"]["name"] == HEARING:
            context = params["context"]
            frame = context["auxData"]["frameId"]
            self._frames[session, context["id"]] = frame
            self._worlds[frame] = (session, context["id"])
        elif method == "Page.frameAttached":
            self._parents[params["frameId"]] = params["parentFrameId"]
        elif method == "Page.frameDetached" and params.get("reason") != "swap":
            self._worlds.pop(params["frameId"], None)
        elif method == "Page.frameNavigated" and params["frame"]["id"] == self._tab.target:
            self._worlds = {frame: world for frame, world in self._worlds.items() if frame == self._tab.target}
        elif method == "Target.attachedToTarget":
            self._attached(params)
        elif method == "Inspector.targetCrashed" and session != self._tab.session:
            self._tab.connection.listen(session, None)

    async def refresh(self) -> None:
        """Learn anew where the frames are, for the moment when one can no longer be asked."""
        for frame in [frame for frame in self._worlds if frame != self._tab.target]:
            await self.path_of(frame)

    async def path_of(self, frame: str) -> str:
        """What comes before the path of an element in a frame: where the frame is, or was when it was last there."""
        if frame == self._tab.target:
            return ""
        with suppress(CallError, KeyError):
            self._paths[frame] = await self._look_up(frame)
        return self._paths.get(frame, "")

    async def _look_up(self, frame: str) -> str:
        parent = self._parents[frame]
        session, world = self._worlds[parent]
        owner = await self._call("DOM.getFrameOwner", {"frameId": frame}, session)
        place = {"backendNodeId": owner["backendNodeId"], "executionContextId": world}
        handle = (await self._call("DOM.resolveNode", place, session))["object"]["objectId"]
        options = {"functionDeclaration": WHOLE_PATH, "objectId": handle, "returnByValue": True}
        path = (await self._call("Runtime.callFunctionOn", options, session))["result"]["value"]
        self._tab.connection.send("Runtime.releaseObject", {"objectId": handle}, session=session)
        return f"{await self.path_of(parent)}{path}{ENTER}"

    async def _call(self, method: str, params: dict[str, Any], session: str) -> dict[str, Any]:
        return await self._tab.connection.call(method, params, session=session, seconds=WORLD_SECONDS)

    def _attached(self, params: dict[str, Any]) -> None:
        """A frame has a process of its own: listen there, too, before it loads anything."""
        session, connection = params["sessionId"], self._tab.connection
        info = params["targetInfo"]
        if "parentFrameId" in info:
            self._parents.setdefault(info["targetId"], info["parentFrameId"])
        connection.listen(session, lambda method, inner: self.see(method, inner, session))
        for method, options in (("Page.enable", {}), ("Runtime.enable", {}), *self._calls):
            connection.send(method, options, session=session)
        connection.send("Runtime.runIfWaitingForDebugger", session=session)
