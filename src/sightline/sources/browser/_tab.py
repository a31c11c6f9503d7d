"""A tab: opens an address in a profile of its own, and answers what the page and the browser ask."""

import asyncio
import base64
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeAlias

from sightline.errors import DeadlineError, LimitError
from sightline.net import Limits, SiteAccess
from sightline.sources.browser._library import SHELF, Library, SavedAnswer
from sightline.sources.browser._pipe import CallError, CallTimeout, Connection
from sightline.sources.browser._settings import BrowserSettings
from sightline.sources.browser._settling import ANSWER_SECONDS, SettlingTab
from sightline.sources.browser._tab_wire import CALL_SECONDS, NOTHING, TabStart, asking_for_all, guarding
from sightline.sources.browser._visit import BLANK, BLOCKED, Visit, check_limits, check_start

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


class Tab(SettlingTab):
    """A browser tab with its own profile. Not for concurrent use."""

    worn: bool
    stirred: bool
    scripts_stopped: bool

    def __init__(self, connection: Connection, context: str, target: str, session: str) -> None:
        super().__init__(connection, context, target, session)
        self._visit: Visit | None = None
        self._library: Library | None = None
        self._remote = False
        self._without_scripts = False
        self.pages: int = 0
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
        self.on_answer: Callable[[str, dict[str, Any]], None] | None = None  # likewise: who keeps what pages fetch
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

    # ------------------------------------------------------------------ what the browser says, and our answers

    def _hear(self, method: str, params: dict[str, Any]) -> None:
        if self.on_event:
            self.on_event(method, params)
        if self.on_view:
            self.on_view(method, params)
        if self.on_answer:
            self.on_answer(method, params)
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
        {"name": "Access-Control-Allow-Origin", "value": "*"},
    ]
    if answer.sandboxed:
        headers.append({"name": "Content-Security-Policy", "value": "sandbox allow-scripts"})
    return headers


# -- dialogs of a page (alert ---------------------------------------------------------------------------------------

LEAVING = "beforeunload"


@dataclass(frozen=True)
class DialogAnswer:
    """How to answer dialogs: whether to accept them, and what to type into a prompt (None: what it suggests)."""

    accept: bool = True
    text: str | None = None


@dataclass(frozen=True)
class Dialog:
    """A dialog that a page opened, and how it was answered; `kind` is alert, confirm, prompt or beforeunload."""

    kind: str
    message: str
    accepted: bool
    text: str | None = None


class Dialogs:
    """Answers the dialogs of a session, at most `most` of them for each action."""

    def __init__(self, most: int) -> None:
        self.answer: DialogAnswer = DialogAnswer()
        self.seen: list[Dialog] = []
        self._most = most
        self._opened = 0

    @property
    def endless(self) -> bool:
        """Whether the page opened more dialogs than one action may cause."""
        return self._opened > self._most

    def begin_action(self) -> None:
        """Count from here."""
        self._opened = 0

    def reply(self, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to a dialog that opens."""
        self._opened += 1
        kind = params.get("type", "alert")
        # Nobody who says where to go wants to be asked whether to leave.
        accept = kind == LEAVING or (self.answer.accept and not self.endless)
        text = self._text(params) if kind == "prompt" and accept else None
        if not self.endless:
            self.seen.append(Dialog(kind, params.get("message", ""), accept, text))
        return {"accept": accept} if text is None else {"accept": accept, "promptText": text}

    def check(self, source: str) -> None:
        """Raise if the page went on opening dialogs."""
        if self.endless:
            problem = f"opened more than {self._most} dialogs in a row, so its scripts were stopped"
            raise LimitError(source, f"{problem}; raise the limit `dialogs` if it needs so many.", limit="dialogs")

    def _text(self, params: dict[str, Any]) -> str:
        suggested: str = params.get("defaultPrompt", "")
        return suggested if self.answer.text is None else self.answer.text
