"""A tab: opens an address, waits until the page has settled, and captures it in one call."""

import asyncio
import base64
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

import orjson

from sightline.errors import DeadlineError
from sightline.geometry import Box
from sightline.net import Limits, SiteAccess
from sightline.sources.browser._dialogs import Dialogs
from sightline.sources.browser._library import SHELF, Library, SavedAnswer
from sightline.sources.browser._pipe import CallError, CallTimeout, Connection, ConnectionLost, ScriptFailed
from sightline.sources.browser._scripts import DRAWN, LOOK, MEASURE, SCROLL, SHADOWS, STAND_STILL, TURN
from sightline.sources.browser._settings import BrowserSettings
from sightline.sources.browser._snapshot import STYLES, Shadows
from sightline.sources.browser._tab_start import NOTHING, WORLD, TabStart, asking_for_all, guarding
from sightline.sources.browser._visit import BLANK, BLOCKED, Visit, check_limits, check_start
from sightline.sources.browser._word_boxes import LINES, CssFont

__all__ = ["Tab"]

CALL_SECONDS = 10.0
# A page that has not changed since it loaded is watched this long; one that has, longer after its last change.
QUIET_SECONDS = 0.05
QUIET_AFTER_ACTIVITY_SECONDS = 0.15
LOOK_EVERY_SECONDS = 0.025
REFRESH_SECONDS = 1.0  # by which a refresh that a page announces may be late on a busy machine
ANSWER_SECONDS = 2.0  # a tab that takes longer for a trivial question is busy with a script
SCROLL_STEPS = 100
SCROLL_PAUSE_SECONDS = 0.1
LARGEST_SCREENSHOT = 16_000  # pixels each way; the browser's own limit is 16,384

# Saved pages have a clock of their own, which stops here: what their timers do before is done, however busy the machine
# is, and what they would do later never is. A second is what sites take to show what they have to show.
SAVED_SECONDS = 1.0
STILL_TURNS = 3  # of ending animations: the end of one may begin the next
DRAWN_TIMES = 2  # what the first picture shows to a script changes the second
DRAWING_SECONDS, DRAWN_EVERY_SECONDS = 0.5, 0.01  # a page in the background is not drawn at all
STILL_SECONDS = 0.1  # for the scripts of a saved page that wait for the end of an animation

# A page that still changes after so many pictures is animated, or busy: then the longer wait decides.
CALM_TURNS = 5

DOWNLOADS = ("Page.downloadWillBegin", "Page.downloadProgress")

# Events after which a page may become another, or bring others: effects of an action that take their time.
STIRRING = frozenset(
    (
        *("Page.frameRequestedNavigation", "Page.frameScheduledNavigation", "Page.frameStartedNavigating"),
        *("Page.frameNavigated", "Page.navigatedWithinDocument", "Page.windowOpen", "Page.javascriptDialogOpening"),
        *("Page.downloadWillBegin", "Fetch.requestPaused", "Inspector.targetCrashed"),
    )
)

STAYED = "The page wanted to go to another one, which was not saved with it; it was captured without leaving."

OnRequest: TypeAlias = "Callable[[Tab, Visit | None, dict[str, Any]], None]"
"""Who answers for a document that a tab is about to request, from the parameters of `Fetch.requestPaused`."""


class PageGlance(NamedTuple):
    """A few facts about the page that show whether it is changing."""

    elements: int
    height: int
    width: int
    fonts_ready: int
    fonts: str  # the fonts that the page brings, and which of them have loaded
    scripts: int
    left: int
    top: int
    refresh: float  # seconds until the page says it will replace itself; -1 if it does not
    inner_width: int  # of the window
    inner_height: int


class Tab:
    """A browser tab with its own profile. Not for concurrent use."""

    def __init__(self, connection: Connection, context: str, target: str, session: str) -> None:
        self.connection = connection
        self.context = context
        self.target = target
        self.session = session
        self._visit: Visit | None = None
        self._library: Library | None = None
        self._remote = False
        self._without_scripts = False
        self._stops_time = False  # for saved pages, whose clock is ours
        self._world: int | None = None
        self.pages = 0
        self.worn = False  # changed in a way that must not affect the next page
        self.scripts_stopped = False
        self.stirred = False  # by the last action: pages, tabs, dialogs or downloads may be on their way
        self._blocked: list[str] = []
        self.dialogs: Dialogs | None = None  # of a session; otherwise all are accepted
        self.on_window: Callable[[str], None] | None = None  # told the address of a tab that the page is about to open
        self.on_download: Callable[[str, dict[str, Any]], None] | None = None  # told of downloads, by their events
        self.on_drag: Callable[[dict[str, Any]], None] | None = None  # given what the page begins to drag
        self.on_login: Callable[[Tab, dict[str, Any]], None] | None = None  # asked for a user and password
        self.on_request: OnRequest | None = None  # of a session; otherwise saved pages have their library
        self.access: SiteAccess | None = None  # what requests carry, unless the page is a saved one
        self._asked_proxy: set[str] = set()  # requests for which the proxy was told who we are
        self.on_event: Callable[[str, dict[str, Any]], None] | None = (
            None  # told of everything, before it is dealt with
        )
        self.on_view: Callable[[str, dict[str, Any]], None] | None = None  # told of everything as well: who shows it
        self.answers_dialogs = True  # unless a person does

    # ------------------------------------------------------------------ opening and closing

    @classmethod
    async def open(cls, connection: Connection, settings: BrowserSettings, *, user_agent: str) -> "Tab":
        """A new tab in a new profile."""
        context = (await connection.call("Target.createBrowserContext", seconds=CALL_SECONDS))["browserContextId"]
        tab = None
        try:
            half_open = await cls.create(connection, context, (settings.width, settings.height))
            await half_open.prepare(TabStart(settings, user_agent))
            deny = {"behavior": "deny", "browserContextId": context}
            await connection.call("Browser.setDownloadBehavior", deny, seconds=CALL_SECONDS)
            tab = half_open
        finally:
            if tab is None:
                connection.send("Target.disposeBrowserContext", {"browserContextId": context})
        return tab

    @classmethod
    async def create(cls, connection: Connection, context: str, size: tuple[int, int]) -> "Tab":
        """A new tab in a profile, to be prepared."""
        place = {"url": "about:blank", "browserContextId": context, "width": size[0], "height": size[1]}
        target = (await connection.call("Target.createTarget", place, seconds=CALL_SECONDS))["targetId"]
        attach = {"targetId": target, "flatten": True}
        session = (await connection.call("Target.attachToTarget", attach, seconds=CALL_SECONDS))["sessionId"]
        tab = cls(connection, context, target, session)
        connection.listen(session, tab._hear)
        return tab

    async def prepare(self, start: TabStart, *, waiting: bool = False) -> None:
        """Set the tab up for its pages; one that a page opened is `waiting` for that, and answers only afterwards."""
        self._blocked = start.blocked()
        run = [("Runtime.runIfWaitingForDebugger", NOTHING)] if waiting else []
        await asyncio.gather(*(self.call(method, params) for method, params in (*start.calls(), *run)))

    def listen_for(self, url: str, limits: Limits) -> Visit:
        """Follow the page that a new tab is about to load."""
        clock = asyncio.get_running_loop()
        self._visit = Visit(clock=clock, frame=self.target, url=url, source=url, patience=limits.settle_seconds)
        self.connection.listen(self.session, self._hear)
        return self._visit

    def to_front(self) -> None:
        """Make it the tab that is seen, so that its page runs at full speed and has the keyboard."""
        self.connection.send("Page.bringToFront", session=self.session)

    async def stop_scripts(self) -> None:
        """Disable scripts for the next page; the tab is not reused."""
        self.worn = self._without_scripts = True
        await self.call("Emulation.setScriptExecutionDisabled", {"value": True})

    async def guard(self, on_request: OnRequest) -> None:
        """Ask before every document that the tab requests from here."""
        self.on_request = on_request
        await asyncio.gather(*(self.call(method, params) for method, params in guarding(self.access)))

    async def close(self) -> None:
        """Close the tab and discard its profile."""
        self.connection.listen(self.session, None)
        with suppress(CallError):
            await self.connection.call(
                "Target.disposeBrowserContext", {"browserContextId": self.context}, seconds=ANSWER_SECONDS
            )

    async def leave(self) -> bool:
        """Leave the page and clear what it stored; False if the tab must not be reused."""
        visit, self._visit, self._library = self._visit, None, None
        if self.worn or visit is None or visit.crashed or visit.frames_of_others:
            return False
        try:
            self.connection.send("Fetch.disable", session=self.session)
            if visit.scripts or visit.under_way:  # otherwise the page is inert, and the next one can simply replace it
                await self.call("Page.navigate", {"url": BLANK}, seconds=ANSWER_SECONDS)
                self._world = None
            await asyncio.gather(*self._forgetting(visit))
        except CallError:
            return False
        return not self.worn

    def _forgetting(self, visit: Visit) -> Iterator[Awaitable[Any]]:
        """The calls that clear every trace of this page for the next one."""
        yield self.connection.call("Storage.clearCookies", {"browserContextId": self.context}, seconds=ANSWER_SECONDS)
        if visit.scripts:
            yield self._evaluate("name = ''", seconds=ANSWER_SECONDS)
            for origin in visit.origins:
                kept = {"origin": origin, "storageTypes": "all"}
                yield self.call("Storage.clearDataForOrigin", kept, seconds=ANSWER_SECONDS)

    # ------------------------------------------------------------------ a visit

    async def visit(
        self, url: str, source: str, limits: Limits, *, library: Library | None = None, remote: bool = False
    ) -> Visit:
        """Open an address and wait until the page has loaded and settled; anything missing is noted."""
        self.pages += 1
        self.begin_action()
        self._library, self._remote = library, remote
        if library or (self.access and self.access.changes_requests and not self.on_request):
            self.connection.send(*asking_for_all(logins=self.access is not None), session=self.session)
        clock = asyncio.get_running_loop()
        visit = self._visit = Visit(
            clock=clock, frame=self.target, url=url, source=source, patience=limits.settle_seconds
        )
        self._world = None
        self._stops_time = library is not None and not remote and not self._without_scripts
        began = clock.time()
        await self._start(visit, url, limits)
        while True:
            await self._until_loaded(visit, limits, began)
            await self._until_quiet(visit, limits)
            if not visit.leaving or clock.time() - began - visit.waited > limits.load_seconds:
                return visit

    def _pass_time(self, visit: Visit, seconds: float) -> None:
        """Let so much time pass for a saved page, at once if nothing is to be done or loaded meanwhile."""
        if self._stops_time and visit.scripts:
            self.worn = visit.timed = visit.passing = True  # its clock never goes on by itself again
            policy = {"policy": "pauseIfNetworkFetchesPending", "budget": 1000 * seconds}
            self.connection.send("Emulation.setVirtualTimePolicy", policy, session=self.session)

    def begin_action(self) -> None:
        """Count what the page causes from here, and let a page that wanted too many parts have some again."""
        self.stirred = False
        if self._visit and self._visit.capped:
            self.connection.send("Network.setBlockedURLs", {"urls": self._blocked}, session=self.session)
        if self._visit:
            self._visit.begin_action()

    def stay(self, visit: Visit | None) -> None:
        """Go on with the page before: another one was asked for, and did not come."""
        self._visit = visit

    async def _start(self, visit: Visit, url: str, limits: Limits) -> None:
        try:
            started = await self.call("Page.navigate", {"url": url}, seconds=limits.load_seconds)
            if started.get("errorText") == BLOCKED and self._library is None:
                # A page whose address ends like that of a picture or film is blocked as if it were one.
                self.worn = True
                await self.call("Network.setBlockedURLs", {"urls": []})
                started = await self.call("Page.navigate", {"url": url}, seconds=limits.load_seconds)
        except CallTimeout as problem:
            text = (
                f"did not answer within {limits.load_seconds:g} s; raise the limit `load_seconds` if the site is slow."
            )
            raise DeadlineError(visit.source, text) from problem
        check_limits(visit, visit.source, limits)
        check_start(started.get("errorText"), visit, visit.source, limits)
        visit.loader = visit.loader or started.get("loaderId", "")

    def _check(self, visit: Visit, limits: Limits) -> None:
        """Raise at the limits that are errors; beyond the one that is not, further parts fail to load."""
        if visit.crashed:
            raise ConnectionLost("the tab crashed")
        check_limits(visit, visit.source, limits)
        if visit.requests > limits.subresources + 1 and not visit.capped:
            self.worn = visit.capped = True
            self.connection.send("Network.setBlockedURLs", {"urls": ["*"]}, session=self.session)
            visit.gap(
                f"The page wanted more than {limits.subresources:,} parts; the rest is missing; raise `subresources`."
            )

    async def _until_loaded(self, visit: Visit, limits: Limits, began: float) -> None:
        while True:
            self._check(visit, limits)
            if visit.loaded:
                return
            now = visit.clock.time()
            stalled = visit.progress + limits.settle_seconds - now
            left = min(
                began + visit.waited + limits.load_seconds - now, stalled if visit.status else limits.load_seconds
            )
            if left <= 0 and not visit.held:
                visit.gap("The page was still loading when it was captured; raise `load_seconds` and `settle_seconds`.")
                return
            visit.changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(None if visit.held else left):
                    await visit.changed.wait()

    async def _until_quiet(self, visit: Visit, limits: Limits) -> None:
        """Wait until network and layout are quiet; a page without scripts has settled once it has loaded."""
        began = last_move = visit.clock.time()
        before: PageGlance | None = None
        moved = False
        while not visit.leaving:
            self._check(visit, limits)
            glance = await self._look(visit, limits)
            if not visit.timed:
                self._pass_time(visit, SAVED_SECONDS)
            now = visit.clock.time()
            if glance != before or visit.under_way:
                moved = moved or before is not None
                before, last_move = glance, now
            if (
                glance
                and glance.fonts_ready
                and not visit.under_way
                and now - last_move >= self._quiet_seconds(visit, moved=moved)
                and not self._has_plans(visit, glance, now - began)
            ):
                return
            if now - began > limits.settle_seconds:
                visit.note("The page was still moving when it was captured (settle_seconds).")
                return
            await asyncio.sleep(LOOK_EVERY_SECONDS)

    def _quiet_seconds(self, visit: Visit, *, moved: bool) -> float:
        """How long nothing may change before a page counts as quiet; timers change a saved page no more."""
        if not visit.scripts:
            return 0.0
        return QUIET_AFTER_ACTIVITY_SECONDS if moved and not visit.timed else QUIET_SECONDS

    def _has_plans(self, visit: Visit, glance: PageGlance, seconds: float) -> bool:
        """Whether the page is going to change by itself soon: by its timers, if it is a saved one, or by a refresh."""
        if visit.passing:
            return True
        announced = 0 <= glance.refresh <= visit.patience and seconds <= glance.refresh + REFRESH_SECONDS
        return announced and not visit.timed

    async def _look(self, visit: Visit, limits: Limits) -> PageGlance | None:
        """A few facts about the page, or None while it is being replaced; a script that blocks the answer is stopped.

        A timer may restart it before scripts are disabled; then it is stopped again.
        """
        until = visit.clock.time() + limits.load_seconds
        while True:
            try:
                glance = await self._glance(ANSWER_SECONDS)
                break
            except CallTimeout:
                if visit.clock.time() > until:
                    raise
                await self._stop_scripts(visit)
        if glance:
            visit.elements = glance.elements
            visit.fonts = glance.fonts
            visit.window = (glance.inner_width, glance.inner_height)
            visit.scrolled = glance.left != 0 or glance.top != 0
            visit.scripts = visit.scripts or glance.scripts > 0
        return glance

    async def _glance(self, seconds: float) -> PageGlance | None:
        try:
            return PageGlance(*await self._evaluate(LOOK, seconds=seconds))
        except (ConnectionLost, CallTimeout):
            raise
        except CallError:
            return None

    async def _stop_scripts(self, visit: Visit) -> None:
        """Stop the running script, and disable scripts on this page.

        The call is answered only if there is one: a page may also be busy with the layout of very many parts.
        """
        self.worn = True
        with suppress(CallTimeout):
            await self.call("Runtime.terminateExecution", seconds=ANSWER_SECONDS)
            self.scripts_stopped = True
            self.connection.send("Emulation.setScriptExecutionDisabled", {"value": True}, session=self.session)
            visit.note("A script did not finish and was stopped.")

    async def stand_still(self, visit: Visit, limits: Limits) -> None:
        """Bring every animation to its end, and those without one to where they are a moment after they began.

        Otherwise the same page would be captured in another state each time. The end of an animation may begin the
        next, so this is repeated a few times.
        """
        for _ in range(STILL_TURNS):
            if visit.timed:
                await self._draw(visit)
            if not await self._evaluate(STAND_STILL, seconds=ANSWER_SECONDS):
                return
            self._pass_time(visit, STILL_SECONDS)
            await self._until_quiet(visit, limits)

    async def _draw(self, visit: Visit) -> None:
        """Wait until the page was drawn again: what scripts do when something comes into sight, they do then."""
        first = await self._evaluate(DRAWN, seconds=ANSWER_SECONDS)
        until = visit.clock.time() + DRAWING_SECONDS
        while visit.clock.time() < until:
            await asyncio.sleep(DRAWN_EVERY_SECONDS)
            if await self._evaluate(DRAWN, seconds=ANSWER_SECONDS) >= first + DRAWN_TIMES:
                return

    async def scroll_to_end(self, visit: Visit, limits: Limits) -> None:
        """Scroll down step by step as long as the page grows, then back to the top."""
        at, height, step = 0, 1, 800
        for _ in range(SCROLL_STEPS):
            if at >= height:
                break
            at += step
            height = await self._evaluate(SCROLL % at, seconds=ANSWER_SECONDS)
            self._pass_time(visit, SCROLL_PAUSE_SECONDS)
            await asyncio.sleep(SCROLL_PAUSE_SECONDS)
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    while visit.under_way:
                        await asyncio.sleep(LOOK_EVERY_SECONDS)
        else:
            visit.gap(
                f"The page went on growing; scrolling stopped after {SCROLL_STEPS} steps, and the rest is missing."
            )
        await self.scroll_to_top()
        await self._until_quiet(visit, limits)

    async def scroll_to_top(self) -> None:
        """Scroll back to the top: boxes fixed to the window are captured at its position."""
        await self._evaluate(SCROLL % 0, seconds=ANSWER_SECONDS)

    async def scroll_to(self, top: int) -> None:
        """Scroll so that this many pixels of the page are above the window."""
        await self._evaluate(SCROLL % top, seconds=ANSWER_SECONDS)

    async def calm(self, visit: Visit, limits: Limits, *, seen: bool) -> bool:
        """Wait until the effects that an action has at once are over; False if there are others, or may be.

        What scripts do in the same moment is done when the next picture is drawn without a change. Requests are waited
        for if they are short. Timers of the page cannot be seen, so an action without any effect, unless one was
        `seen`, may have one that is still to come.
        """
        until = visit.clock.time() + QUIET_AFTER_ACTIVITY_SECONDS
        for _ in range(CALM_TURNS):
            self._check(visit, limits)
            while visit.under_way and not self.stirred and visit.clock.time() < until:
                visit.changed.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout_at(until):
                        await visit.changed.wait()
            if self.stirred or visit.leaving or visit.under_way or self.scripts_stopped:
                return False
            before, moves = await self._turn()
            seen = seen or before + moves > 0
            if moves < 0 or self.stirred:
                return False
            if not moves and not visit.under_way:
                return seen
        return False

    async def _turn(self) -> tuple[int, int]:
        """How much has changed since an action, and how much more does until the next picture; -1: nobody knows."""
        try:
            before, moves = await self.ask(TURN, seconds=ANSWER_SECONDS)
        except ConnectionLost:
            raise
        except CallError:
            return 0, -1
        return before, moves

    async def settle(self, visit: Visit, limits: Limits, *, since: float | None = None) -> None:
        """Wait until the effects of an action are over: navigation, requests, layout changes."""
        began = visit.clock.time()
        visit.progress = began
        pause = QUIET_AFTER_ACTIVITY_SECONDS - (began - since if since is not None else 0.0)
        while True:
            # An action may take effect a moment later, also on a page without scripts: a link, a form.
            await asyncio.sleep(max(0.0, pause))
            pause = QUIET_AFTER_ACTIVITY_SECONDS
            if visit.leaving:
                await self._until_loaded(visit, limits, began)
            await self._until_quiet(visit, limits)
            if not visit.leaving or visit.clock.time() - began - visit.waited > limits.load_seconds:
                return

    # ------------------------------------------------------------------ capture

    async def capture(self, seconds: float) -> bytes:
        """Tree, boxes, styles and lines of text, as the bytes of the browser's answer."""
        options = {"computedStyles": list(STYLES), "includePaintOrder": False, "includeDOMRects": False}
        return await self.connection.call_raw(
            "DOMSnapshot.captureSnapshot", options, session=self.session, seconds=seconds
        )

    async def shadows(self) -> Shadows:
        """Where shadow trees begin and slots are filled."""
        count, hosts, slots = await self._evaluate(SHADOWS, seconds=CALL_SECONDS)
        return Shadows(count, hosts, slots)

    async def lines(self, paths: list[str]) -> list[list[Box]]:
        """The boxes of the lines of text nodes, found by their XPaths."""
        lines: list[list[Box]] = await self._evaluate(LINES % orjson.dumps(paths).decode(), seconds=CALL_SECONDS)
        return lines

    async def measure(self, fonts: Mapping[CssFont, list[str]]) -> dict[CssFont, dict[str, float]]:
        """The widths of characters in these fonts, alone or followed by another."""
        wanted = [[font.css(), pieces] for font, pieces in fonts.items()]
        widths = await self._evaluate(MEASURE % orjson.dumps(wanted).decode(), seconds=CALL_SECONDS)
        pairs = zip(fonts.items(), widths, strict=True)
        return {font: dict(zip(pieces, measured, strict=True)) for (font, pieces), measured in pairs}

    async def screenshot(self, size: tuple[int, int]) -> bytes:
        """A screenshot of the whole page, up to the browser's maximum size."""
        width, height = (min(max(side, 1), LARGEST_SCREENSHOT) for side in size)
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        options = {"format": "png", "captureBeyondViewport": True, "clip": clip}
        return base64.b64decode((await self.call("Page.captureScreenshot", options, seconds=30))["data"])

    async def window_screenshot(self) -> bytes:
        """A screenshot of what the window shows now."""
        return base64.b64decode((await self.call("Page.captureScreenshot", {"format": "png"}))["data"])

    # ------------------------------------------------------------------ the wire

    async def call(
        self, method: str, params: dict[str, Any] | None = None, *, seconds: float = CALL_SECONDS
    ) -> dict[str, Any]:
        """Call a DevTools method of this tab."""
        return await self.connection.call(method, params, session=self.session, seconds=seconds)

    async def _evaluate(self, expression: str, *, seconds: float) -> Any:
        """The value of an expression in an isolated world, where the page's scripts cannot interfere."""
        return await self._value("Runtime.evaluate", "contextId", {"expression": expression}, seconds)

    async def ask(self, function: str, *arguments: object, seconds: float = CALL_SECONDS) -> Any:
        """The value of a function in the isolated world of the page."""
        options = {"functionDeclaration": function, "arguments": [{"value": argument} for argument in arguments]}
        return await self._value("Runtime.callFunctionOn", "executionContextId", options, seconds)

    async def _value(self, method: str, world: str, options: dict[str, Any], seconds: float) -> Any:
        """What a script of ours returns; it is run again if the page was just replaced, and its world with it."""
        try:
            answer = await self._in_world(method, world, options, seconds)
        except (ConnectionLost, CallTimeout):
            raise
        except CallError:
            answer = await self._in_world(method, world, options, seconds)
        if "exceptionDetails" in answer:
            raise ScriptFailed(answer["exceptionDetails"].get("text", "a script of ours failed in the page"))
        return answer["result"].get("value")

    async def _in_world(self, method: str, world: str, options: dict[str, Any], seconds: float) -> dict[str, Any]:
        self._world = self._world or await self._new_world(self.target, self.session, seconds)
        try:
            how = {world: self._world, "returnByValue": True, "awaitPromise": True}
            return await self.call(method, options | how, seconds=seconds)
        except CallError:
            self._world = None
            raise

    async def _new_world(self, frame: str, session: str, seconds: float) -> int:
        world = {"frameId": frame, "worldName": WORLD}
        answer = await self.connection.call("Page.createIsolatedWorld", world, session=session, seconds=seconds)
        return int(answer["executionContextId"])

    async def document_handle(self, group: str, *, frame: str = "", session: str = "") -> str:
        """A handle of the document of the page, or of one of its frames, in our isolated world."""
        session = session or self.session
        world = await self._new_world(frame or self.target, session, CALL_SECONDS)
        options = {"expression": "document", "contextId": world, "objectGroup": group}
        answer = await self.connection.call("Runtime.evaluate", options, session=session, seconds=CALL_SECONDS)
        return str(answer["result"]["objectId"])

    def _hear(self, method: str, params: dict[str, Any]) -> None:
        if self.on_event:
            self.on_event(method, params)
        if self.on_view:
            self.on_view(method, params)
        self._process(method, params)

    def _process(self, method: str, params: dict[str, Any]) -> None:
        self.stirred = self.stirred or method in STIRRING
        if method == "Page.javascriptDialogOpening":
            self._answer_dialog(params)
        elif method == "Fetch.authRequired":
            self._answer_login(params)
        elif method in DOWNLOADS and self.on_download:
            self.on_download(method, params)
        elif method == "Input.dragIntercepted" and self.on_drag:
            self.on_drag(params["data"])
        elif method == "Page.windowOpen" and self.on_window:
            self.on_window(params.get("url", ""))
        elif method == "Fetch.requestPaused" and self.on_request:
            self.on_request(self, self._visit, params)
        elif method == "Fetch.requestPaused":
            self._answer(params)
        else:
            if method == "Page.frameNavigated" and params["frame"]["id"] == self.target:
                self._world = None
            self.worn = self.worn or method == "Inspector.targetCrashed"
            if self._visit:
                self._visit.see(method, params)

    def _answer_dialog(self, params: dict[str, Any]) -> None:
        if not self.answers_dialogs:
            return
        reply = self.dialogs.reply(params) if self.dialogs else {"accept": True}
        if self.dialogs and self.dialogs.endless:
            # Before the answer, as the script goes on with it.
            self.scripts_stopped = True
            self.connection.send("Runtime.terminateExecution", session=self.session)
            self.connection.send("Emulation.setScriptExecutionDisabled", {"value": True}, session=self.session)
        self.connection.send("Page.handleJavaScriptDialog", reply, session=self.session)

    def _answer_login(self, params: dict[str, Any]) -> None:
        """Tell the proxy who we are, once for each request; a site is answered by the session, if by anybody."""
        number = params["requestId"]
        proxy = self.access.proxy if self.access and params["authChallenge"].get("source") == "Proxy" else None
        if not proxy and self.on_login:
            self.on_login(self, params)
            return
        reply = {"response": "CancelAuth"}
        if proxy and proxy.user and number not in self._asked_proxy:
            self._asked_proxy.add(number)
            reply = {"response": "ProvideCredentials", "username": proxy.user, "password": proxy.password}
        answer = {"requestId": number, "authChallengeResponse": reply}
        self.connection.send("Fetch.continueWithAuth", answer, session=self.session)

    def let_through(self, params: dict[str, Any]) -> None:
        """Let a request that waits go on, with what its site is to be sent."""
        request, answer = params["request"], {"requestId": params["requestId"]}
        headers = self.access.browser_headers(request["url"], request["headers"]) if self.access else None
        if headers:
            answer["headers"] = [{"name": name, "value": value} for name, value in headers.items()]
        self.connection.send("Fetch.continueRequest", answer, session=self.session)

    def _answer(self, params: dict[str, Any]) -> None:
        """Serve a request of a saved page from its library; missing parts fail, or are fetched if allowed.

        Requests of other pages wait only to be sent with what their site is to be sent.
        """
        if self._library is None:
            self.let_through(params)
            return
        number, url = {"requestId": params["requestId"]}, params["request"]["url"]
        resource = params.get("resourceType", "")
        found = self._library.find(url, resource)
        if found:
            body = base64.b64encode(found.body).decode()
            answer = {**number, "responseCode": 200, "responseHeaders": _headers(found), "body": body}
            self.connection.send("Fetch.fulfillRequest", answer, session=self.session)
        elif self._remote and url.startswith(("http://", "https://")) and not url.startswith(SHELF):
            self.connection.send("Fetch.continueRequest", number, session=self.session)
        else:
            stays = resource == "Document" and params.get("frameId") == self.target
            if stays and self._visit:
                self._visit.note(STAYED)
            # Aborting leaves the page in place; after any other reason there would be an error page instead.
            reason = "Aborted" if stays else "BlockedByClient"
            self.connection.send("Fetch.failRequest", {**number, "errorReason": reason}, session=self.session)


def _headers(answer: SavedAnswer) -> list[dict[str, str]]:
    headers = [
        {"name": "Content-Type", "value": answer.media_type},
        {"name": "SiteAccess-Control-Allow-Origin", "value": "*"},
    ]
    if answer.sandboxed:
        headers.append({"name": "Content-Security-Policy", "value": "sandbox allow-scripts"})
    return headers
