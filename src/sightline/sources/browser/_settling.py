"""Waiting: until a page has loaded, until it is quiet, and until an action has had its effects."""

import asyncio
from contextlib import suppress
from typing import NamedTuple

from sightline.net import Limits
from sightline.sources.browser._element_scripts import LOOK, PICTURES_DRAWN, SCROLL, STAND_STILL, TURN
from sightline.sources.browser._pipe import CallError, CallTimeout, Connection, ConnectionLost
from sightline.sources.browser._tab_wire import TabWire
from sightline.sources.browser._visit import Visit, check_limits

# A page that has not changed since it loaded is watched this long; one that has, longer after its last change.
QUIET_SECONDS = 0.05
QUIET_AFTER_ACTIVITY_SECONDS = 0.15
LOOK_EVERY_SECONDS = 0.025
REFRESH_SECONDS = 1.0  # by which a refresh that a page announces may be late on a busy machine
ANSWER_SECONDS = 2.0  # a tab that takes longer for a trivial question is busy with a script
SCROLL_STEPS = 100
SCROLL_PAUSE_SECONDS = 0.1

# Saved pages have a clock of their own, which stops here: what their timers do before is done, however busy the machine
# is, and what they would do later never is. A second is what sites take to show what they have to show.
SAVED_SECONDS = 1.0
STILL_TURNS = 3  # of ending animations: the end of one may begin the next
DRAWN_TIMES = 2  # what the first picture shows to a script changes the second
DRAWING_SECONDS, DRAWN_EVERY_SECONDS = 0.5, 0.01  # a page in the background is not drawn at all
STILL_SECONDS = 0.1  # for the scripts of a saved page that wait for the end of an animation

# A page that still changes after so many pictures is animated, or busy: then the longer wait decides.
CALM_TURNS = 5


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


class SettlingTab(TabWire):
    """The part of a tab that waits for its page, brings it to rest and scrolls it."""

    def __init__(self, connection: Connection, context: str, target: str, session: str) -> None:
        super().__init__(connection, context, target, session)
        self._stops_time = False  # for saved pages, whose clock is ours
        self.worn: bool = False  # changed in a way that must not affect the next page
        self.scripts_stopped: bool = False
        self.stirred: bool = False  # by the last action: pages, tabs, dialogs or downloads may be on their way

    def _pass_time(self, visit: Visit, seconds: float) -> None:
        """Let so much time pass for a saved page, at once if nothing is to be done or loaded meanwhile."""
        if self._stops_time and visit.scripts:
            self.worn = visit.timed = visit.passing = True  # its clock never goes on by itself again
            policy = {"policy": "pauseIfNetworkFetchesPending", "budget": 1000 * seconds}
            self.connection.send("Emulation.setVirtualTimePolicy", policy, session=self.session)

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
        first = await self._evaluate(PICTURES_DRAWN, seconds=ANSWER_SECONDS)
        until = visit.clock.time() + DRAWING_SECONDS
        while visit.clock.time() < until:
            await asyncio.sleep(DRAWN_EVERY_SECONDS)
            if await self._evaluate(PICTURES_DRAWN, seconds=ANSWER_SECONDS) >= first + DRAWN_TIMES:
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
