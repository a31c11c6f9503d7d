"""A tab that stays open: navigate, act on the page, and capture it as often as needed."""

import asyncio
from contextlib import suppress

from sightline.errors import ActionError, BrowserError, DeadlineError, UnreachableError, UsageError
from sightline.page import Page
from sightline.sources.browser._actions import Action, Back, Reload
from sightline.sources.browser._browser import Browser
from sightline.sources.browser._dialogs import Dialogs
from sightline.sources.browser._elements import OutOfReach
from sightline.sources.browser._failures import check_kind
from sightline.sources.browser._hand import Hand
from sightline.sources.browser._history import go_back, reload
from sightline.sources.browser._pipe import CallError
from sightline.sources.browser._session_settings import SessionSettings
from sightline.sources.browser._tab import Tab
from sightline.sources.browser._visit import Visit

__all__ = ["TabSession"]


class TabSession:
    """One open tab of a browser, in its event loop; `Browser.session` opens it and closes it for good."""

    def __init__(self, browser: Browser, tab: Tab, settings: SessionSettings) -> None:
        self._browser = browser
        self._tab = tab
        self.dialogs = tab.dialogs = Dialogs(settings.dialogs)
        self._hand = Hand(tab)
        self._visit: Visit | None = None

    async def goto(self, url: str) -> None:
        """Go to an address and wait until the page is at rest; robots.txt, pace and limits hold as for any page."""
        self.dialogs.begin_action()
        async with self._browser.door.turn(url) as location, self._deadline(url):
            visit = await self._tab.visit(location.browser_url, url, self._browser.limits)
        self._visit = visit
        self._browser.received += visit.wire_bytes
        self.dialogs.check(url)
        check_kind(visit, url)
        if visit.redirects:
            await self._browser.door.check(visit.url, source=url)
        if visit.status is not None and visit.status >= 400:
            raise UnreachableError(url, f"answered with status {visit.status}; check the address.")

    async def act(self, action: Action) -> None:
        """Do something on the page, with real input events, and wait until the page is at rest again."""
        visit = self._current()
        visit.begin_action()
        self.dialogs.begin_action()
        async with self._deadline(visit.url):
            await self._do(action, visit)
            await self._tab.settle(visit, self._browser.limits)
        self.dialogs.check(visit.source)
        if visit.redirects:
            await self._browser.door.check(visit.url, source=visit.source)

    async def capture(self) -> Page:
        """The page as it is now."""
        visit = self._current()
        async with self._deadline(visit.url):
            page = await self._browser.captured(self._tab, visit, visit.source)
        await self._browser.check_answer(page, visit, visit.source)
        return page

    def _current(self) -> Visit:
        if self._visit is None:
            raise UsageError("The session has no page yet; open one first with goto().")
        return self._visit

    def _deadline(self, source: str) -> "_Deadline":
        return _Deadline(source, self._browser.limits.page_seconds)

    async def _do(self, action: Action, visit: Visit) -> None:
        try:
            done = await self._hand.do(action)
        except OutOfReach as problem:
            raise await self._explained(problem, action, visit) from problem
        if not done and isinstance(action, Back):
            await go_back(self._tab, visit, self._browser.limits)
        elif not done and isinstance(action, Reload):
            await reload(self._tab, visit, self._browser.limits)

    async def _explained(self, problem: OutOfReach, action: Action, visit: Visit) -> ActionError:
        """The error for a user, with what the window shows."""
        xpath = getattr(action, "xpath", "")
        screenshot = None
        with suppress(CallError):  # a page that cannot be drawn does not hide the problem
            screenshot = await self._tab.window_screenshot()
        text = f"{xpath} {problem.problem}."
        return ActionError(visit.source, text, xpath=xpath, cover=problem.cover, screenshot=screenshot)


class _Deadline:
    """A time limit whose end is an error that names the page."""

    def __init__(self, source: str, seconds: float) -> None:
        self._source = source
        self._seconds = seconds
        self._timeout = asyncio.timeout(seconds)

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        try:
            await self._timeout.__aexit__(kind, error, trace)  # type: ignore[arg-type]
        except TimeoutError as problem:
            text = f"took longer than {self._seconds:g} s; raise the limit `page_seconds` to wait longer."
            raise DeadlineError(self._source, text) from problem
        if isinstance(error, CallError):
            raise BrowserError(self._source, f"the tab did not answer ({error}); open a new session.") from error
