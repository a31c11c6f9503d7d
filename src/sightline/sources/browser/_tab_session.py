"""A tab that stays open: navigate, act on the page, and capture it as often as needed."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from sightline.errors import (
    ActionError,
    BrowserError,
    CrashError,
    DeadlineError,
    SourceError,
    UnreachableError,
    UsageError,
)
from sightline.net import Document, Fetcher, Limits, status_problem
from sightline.page import Page, PageAnswers, PageRequest
from sightline.sources.browser._actions import Action, Back, Click, Fill, Reload
from sightline.sources.browser._answers import AnswerKeeper
from sightline.sources.browser._browser import Browser
from sightline.sources.browser._downloads import Download, Downloads
from sightline.sources.browser._elements import ElementFacts, ElementQuery, OutOfReach, element_facts, located, picture
from sightline.sources.browser._open_tabs import Logins, OpenTab, OpenTabs, Passage, Windows
from sightline.sources.browser._pipe import CallError, ConnectionLost
from sightline.sources.browser._settings import AnswerSettings, SessionFiles, SessionSettings
from sightline.sources.browser._state import SessionState, restore
from sightline.sources.browser._tab import Dialogs, Tab
from sightline.sources.browser._tab_wire import TabStart
from sightline.sources.browser._visit import BLANK, Visit, check_kind

UNAUTHORISED = 401


@asynccontextmanager
async def tab_session(
    browser: Browser, settings: SessionSettings | None = None, files: SessionFiles | None = None
) -> "AsyncIterator[TabSession]":
    """A tab of a browser that stays open."""
    async with browser.own_tab() as (tab, windows):
        session = TabSession(browser, tab, windows, settings or SessionSettings(), files or SessionFiles())
        try:
            await session.open()
            yield session
        finally:
            await session.close()


class TabSession:
    """One open tab of a browser, in its event loop; `Browser.session` opens it and closes it for good."""

    def __init__(
        self, browser: Browser, tab: Tab, windows: Windows, settings: SessionSettings, files: SessionFiles
    ) -> None:
        self._browser = browser
        self._first = tab
        self._passage = Passage(browser.requests)
        self.dialogs: Dialogs = Dialogs(settings.dialogs)
        tab.dialogs = self.dialogs
        self.downloads: Downloads = Downloads(
            files.downloads, most=settings.download_bytes, seconds=settings.download_seconds
        )
        self.logins: Logins = Logins()
        self._restless = False  # whether the last action may still have effects
        self._acted = 0.0
        self._state: SessionState | None = None
        self._state_file = files.state
        self._keeper: AnswerKeeper | None = None
        tab.on_download, tab.on_login = self.downloads.hear, self.logins.answer
        tab.access = browser.requests.access
        start = TabStart(browser.settings, browser.policy.user_agent, guarded=True, access=tab.access)
        self.tabs: OpenTabs = OpenTabs(tab, windows, browser.limits, start, most=settings.tabs)

    async def open(self) -> None:
        """Have the request policy answer for every page from here."""
        await self._first.guard(self._passage.ask)
        await self.downloads.open(self._first)
        if (login := self._browser.requests.access.state) and not self._state_file:
            await restore(self._first, login, str(self._browser.policy.state))
        if self._state_file:
            state = SessionState(self._state_file)
            await state.restore(self._first)
            self._state = state

    async def close(self) -> None:
        """Abandon what is under way; the first tab is its owner's to close, and the others go with it."""
        self.downloads.close()
        if self._keeper:
            self._keeper.abandon()
        await self._passage.close()
        await self.tabs.close()
        if self._state:
            with suppress(CallError):  # of a browser that is gone nothing can be kept; the file stays as it was
                await self._state.save(self._first, self._passage.origins)

    async def goto(self, url: str) -> None:
        """Go to an address and wait until the page is at rest; robots.txt, pace and limits hold as for any page."""
        self._restless = False
        async with self._action(url) as deadline:
            deadline.pause()
            address = await self._passage.enter(url)
            deadline.resume()
            visit = await self._arrive(address, url)
        self._browser.received += visit.wire_bytes
        check_kind(visit, url)
        if visit.status == UNAUTHORISED:
            raise UnreachableError(url, "asks for a user and password; give the right ones with login().")
        if visit.status is not None and visit.status >= 400:
            raise status_problem(url, visit.status)

    async def _arrive(self, address: str, url: str) -> Visit:
        if self.tabs.current.tab.scripts_stopped:
            # Another page has its own chance, and a tab whose scripts were stopped may never answer again.
            await self._replace_tab()
        here = self.tabs.current
        try:
            here.visit = await here.tab.visit(address, url, self._browser.limits)
        except SourceError:
            here.tab.stay(here.visit)
            raise
        return here.visit

    async def act(self, action: Action) -> None:
        """Do something on the page, with real input events, and wait until its effects at once are over.

        Effects that come later are waited for before the page is read, and before the next action if they have begun.
        """
        if self._restless and self._stirred():
            await self.rest()
        here, visit = self.tabs.current, self._current()
        try:
            async with self._action(visit.url) as deadline:
                await self._do(action, visit)
                self._acted = visit.clock.time()
                self._restless = await self._calm(here, action)
                if not self._restless:
                    await self._settle(here, deadline)
        except BrowserError:
            # A page that closes its own tab has done what was asked of it.
            if not self.tabs.leave_closed():
                raise

    async def rest(self) -> None:
        """Wait until the page is at rest, after the late effects of the last action as well."""
        if not self._restless:
            return
        self._restless = False
        here, visit = self.tabs.current, self._current()
        try:
            async with self._effects(visit.url) as deadline:
                await self._settle(here, deadline, since=self._acted)
        except BrowserError:
            # A page that closes its own tab has done what was asked of it.
            if not self.tabs.leave_closed():
                raise

    async def _calm(self, here: OpenTab, action: Action) -> bool:
        """Whether the effects that an action had at once are all it has, as far as can be seen."""
        quick = isinstance(action, Click | Fill) and self._browser.settings.scripts and here.visit
        # A text that was typed is an effect; a click has one if it changes the page.
        return bool(quick) and await here.tab.calm(self._current(), self._browser.limits, seen=isinstance(action, Fill))

    async def _settle(self, here: OpenTab, deadline: "_Deadline", *, since: float | None = None) -> None:
        if here.visit:
            await here.tab.settle(here.visit, self._browser.limits, since=since)
        await self.tabs.settled()
        await self._stored(deadline)

    def _stirred(self) -> bool:
        """Whether more has begun to happen since the last action seemed to be over."""
        here = self.tabs.current
        return here.tab.stirred or bool(here.visit and here.visit.under_way)

    async def download(self, xpath: str) -> Download:
        """Click an element and wait for the file that the page offers."""
        if self.downloads.folder is None:
            raise UsageError("The session stores no downloads; name a folder for them: session(downloads=…).")
        await self.rest()
        here, visit, before = self.tabs.current, self._current(), len(self.downloads.done)
        async with self._action(visit.url) as deadline:
            await self._do(Click(xpath), visit)
            await here.tab.settle(visit, self._browser.limits)
            if not await self.downloads.begun(self._browser.limits.load_seconds):
                raise await self._explained(OutOfReach("was clicked, but started no download"), Click(xpath), visit)
            await self._stored(deadline)
        return self.downloads.done[before]

    async def _stored(self, deadline: "_Deadline") -> None:
        """Wait for downloads, which have a time limit of their own."""
        deadline.pause()
        await self.downloads.finished()
        deadline.resume()

    async def switch(self, number: int) -> None:
        """Go on in another tab."""
        await self.rest()
        self.tabs.switch(number)

    async def renew(self) -> None:
        """Open the page of the current tab in a fresh one of the same profile, after a crash."""
        url, old = self._current().address, self.tabs.current.tab
        if old.connection.lost.is_set():
            raise CrashError(url, "the browser is gone, with all that it had stored; open a new session.")
        async with _Deadline(url, self._browser.limits.page_seconds):
            await self._replace_tab()
        await self.goto(url)

    async def _replace_tab(self) -> None:
        old = self.tabs.current.tab
        fresh = await self.tabs.renew()
        if old is self._first:
            self._first = fresh

    @asynccontextmanager
    async def aside(self) -> AsyncIterator[None]:
        """A tab of its own for a while; afterwards the session is where it was."""
        await self.rest()
        before = self.tabs.current
        async with _Deadline(self._current().address, self._browser.limits.page_seconds):
            opened = await self.tabs.add()
        try:
            yield
        finally:
            self.tabs.drop(opened, before)

    # ------------------------------------------------------------------ what is there

    async def located(self, query: ElementQuery) -> tuple[str, ...]:
        """The full paths of all elements that match."""
        await self.rest()
        async with self._asking():
            return await located(self.tabs.current.hand.elements, query)

    async def element(self, xpath: str) -> ElementFacts | None:
        """What is at a path now, or None."""
        await self.rest()
        async with self._asking():
            return await element_facts(self.tabs.current.hand.elements, xpath)

    async def screenshot(self, hide: Sequence[str]) -> bytes:
        """What the window shows, as a PNG, with some elements painted over."""
        await self.rest()
        async with self._asking():
            return await picture(self.tabs.current.tab, self.tabs.current.hand.elements, hide)

    def _asking(self) -> "_Deadline":
        return _Deadline(self._current().url, self._browser.limits.page_seconds)

    # ------------------------------------------------------------------ what pages fetch

    async def keep_answers(self, settings: AnswerSettings | None) -> None:
        """Keep the JSON that the pages of the current tab fetch from here; None keeps no more."""
        here = self.tabs.current.tab
        if self._keeper:
            self._keeper.close()
            self._keeper = here.on_answer = None
        if settings:
            self._keeper = AnswerKeeper(here, settings)
            here.on_answer = self._keeper.hear
            await self._keeper.open()

    async def take_answers(self) -> PageAnswers:
        """What was kept since this was last asked for."""
        await self.rest()
        return await self._keeper.take() if self._keeper else PageAnswers()

    async def fetch(self, request: PageRequest) -> Document:
        """Ask for something without the browser, by the same policy: robots.txt, pace and limits."""
        await self.rest()
        posted = request.body.encode() if request.method == "POST" else None
        fetcher = Fetcher(self._browser.requests)
        return await fetcher.fetch(request.url, headers=dict(request.headers), posted=posted)

    # ------------------------------------------------------------------ how it is done

    @asynccontextmanager
    async def _action(self, source: str) -> AsyncIterator["_Deadline"]:
        """Everything that one action causes at once, counted from here."""
        await self._passage.begin_action()
        self.dialogs.begin_action()
        self.tabs.begin_action()
        self.downloads.begin_action()
        self.logins.begin_action()
        async with self._effects(source) as deadline:
            yield deadline

    @asynccontextmanager
    async def _effects(self, source: str) -> AsyncIterator["_Deadline"]:
        """What an action causes: its deadline, and what it may not do is its error."""
        self._passage.deadline = deadline = _Deadline(source, self._browser.limits.page_seconds)
        try:
            async with deadline:
                yield deadline
        except SourceError:
            self._passage.check()  # the cause, where a refused page looks like one that did not answer
            raise
        finally:
            await self._passage.end_action()
        self._passage.check()
        self.dialogs.check(source)
        self.tabs.check(source)
        self.downloads.check()

    @property
    def passage(self) -> Passage:
        """What lets pages through, or refuses them."""
        return self._passage

    @property
    def limits(self) -> Limits:
        """The limits of every page."""
        return self._browser.limits

    async def capture_of(self, opened: OpenTab) -> Page:
        """A tab as it is now, whatever it shows."""
        if opened.visit is None:
            raise AssertionError("a tab without a page has nothing to capture")
        return await self._browser.captured(opened.tab, opened.visit, opened.visit.source)

    async def capture(self, *, log_in: bool = False, picture: bool = False) -> Page:
        """The page as it is now; one that only asks for a password is an error, unless that is what one wants to do."""
        await self.rest()
        visit = self._current()
        async with _Deadline(visit.url, self._browser.limits.page_seconds):
            page = await self._browser.captured(self.tabs.current.tab, visit, visit.source, picture=picture)
        await self._browser.check_answer(page, visit, visit.source, log_in=log_in)
        return page

    def _current(self) -> Visit:
        visit = self.tabs.current.visit
        if visit is None:
            raise UsageError("The session has no page yet; open one first with goto().")
        return visit

    async def _do(self, action: Action, visit: Visit) -> None:
        here = self.tabs.current
        try:
            done = await self._reached(here, action)
        except OutOfReach as problem:
            raise await self._explained(problem, action, visit) from problem
        if not done and isinstance(action, Back):
            await go_back(here.tab, visit, self._browser.limits)
        elif not done and isinstance(action, Reload):
            await reload(here.tab, visit, self._browser.limits)

    async def _reached(self, here: OpenTab, action: Action) -> bool:
        """Do it; what is out of reach may come with a late effect of the last action, and is then tried again."""
        try:
            return await here.hand.do(action)
        except OutOfReach as problem:
            if problem.acted or not self._restless or here.visit is None:
                raise
        await here.tab.settle(here.visit, self._browser.limits, since=self._acted)
        return await here.hand.do(action)

    async def _explained(self, problem: OutOfReach, action: Action, visit: Visit) -> ActionError:
        """The error for a user, with what the window shows."""
        xpath = getattr(action, "xpath", "")
        screenshot = None
        with suppress(CallError):  # a page that cannot be drawn does not hide the problem
            screenshot = await self.tabs.current.tab.window_screenshot()
        text = f"{xpath} {problem.problem}."
        return ActionError(visit.source, text, xpath=xpath, cover=problem.cover, screenshot=screenshot)


class _Deadline:
    """A time limit whose end is an error that names the page. It can be stopped, as often as it is then started."""

    def __init__(self, source: str, seconds: float) -> None:
        self._source = source
        self._seconds = seconds
        self._timeout = asyncio.timeout(seconds)
        self._left = 0.0
        self._pauses = 0
        self._over = False

    def pause(self) -> None:
        """Stop the clock while a page waits for its turn."""
        self._pauses += 1
        when = self._timeout.when()
        if self._pauses == 1 and when is not None and not self._over:
            self._left = when - asyncio.get_running_loop().time()
            self._timeout.reschedule(None)

    def resume(self) -> None:
        """Let the clock run again."""
        self._pauses -= 1
        if not self._pauses and not self._over:
            self._timeout.reschedule(asyncio.get_running_loop().time() + self._left)

    async def __aenter__(self) -> "_Deadline":
        await self._timeout.__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._over = True
        try:
            await self._timeout.__aexit__(kind, error, trace)  # type: ignore[arg-type]
        except TimeoutError as problem:
            text = f"took longer than {self._seconds:g} s; raise the limit `page_seconds` to wait longer."
            raise DeadlineError(self._source, text) from problem
        if isinstance(error, ConnectionLost):
            raise CrashError(
                self._source, f"the tab crashed ({error}); open the page again with renew(), or open a new session."
            ) from error
        if isinstance(error, CallError):
            raise BrowserError(self._source, f"the tab did not answer ({error}); open a new session.") from error


# The history of a tab: back, and the same page again.


async def go_back(tab: Tab, visit: Visit, limits: Limits) -> None:
    """Start to go to the previous page."""
    history = await tab.call("Page.getNavigationHistory")
    number = history["currentIndex"] - 1
    entries = history["entries"]
    if number < 0 or entries[number]["url"] == BLANK:
        raise UsageError("There is no page to go back to: this is the session's first page.")
    moves = visit.moves
    await tab.call("Page.navigateToHistoryEntry", {"entryId": entries[number]["id"]})
    await visit.moved(moves, limits.load_seconds)


async def reload(tab: Tab, visit: Visit, limits: Limits) -> None:
    """Start to load the page again."""
    moves = visit.moves
    await tab.call("Page.reload")
    await visit.moved(moves, limits.load_seconds)
