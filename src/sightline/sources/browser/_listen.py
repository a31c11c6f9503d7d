"""Listening to a person: what they do in the tabs of a session, each with the page as it was before.

What an element is called, and what is around it, must be learned before a click changes the page, and a capture takes a
moment. So the page is captured whenever it has come to rest: after loading, after anything that a person did, after it
changed by itself, and when the mouse has come to another control (which may have opened a menu). An event has the last
capture that was complete when it arrived; a person takes longer from one act to the next than a page to come to rest.
"""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import orjson

from sightline.errors import SourceError
from sightline.page import Page
from sightline.sources.browser._actions import UserEvent
from sightline.sources.browser._listen_scripts import HEARING, LISTEN
from sightline.sources.browser._open_tabs import FrameWorlds, OpenTab
from sightline.sources.browser._pipe import CallError

if TYPE_CHECKING:
    from sightline.sources.browser._tab_session import TabSession

# In the tab of a page, and again in each of its frames that has a process of its own.
LISTENING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("Runtime.addBinding", {"name": HEARING, "executionContextName": HEARING}),
    ("Page.addScriptToEvaluateOnNewDocument", {"source": LISTEN, "worldName": HEARING, "runImmediately": True}),
    (
        "Target.setAutoAttach",
        {
            "autoAttach": True,
            "waitForDebuggerOnStart": True,
            "flatten": True,
            "filter": [{"type": "iframe", "exclude": False}, {"exclude": True}],
        },
    ),
)
ACTS = frozenset(("click", "drag", "input", "choice", "check", "files", "key", "scroll"))
NAMES = {"path": "xpath", "id": "identity", "control": "label_of", "controlType": "label_type"}
WAITS = (0.02, 0.05, 0.1, 0.2, 0.4)  # seconds between tries to ask a tab that is being replaced
GONE = (CallError, SourceError)  # of a page that was left, or a tab that was closed, while we looked at it


@dataclass(eq=False)
class _HeardTab:
    """One tab that is listened to."""

    opened: OpenTab
    frames: FrameWorlds
    page: Page | None = None  # the last one at rest
    stirred: bool = True  # something happened since
    acted: bool = False  # and it was the person
    asked: bool = False  # the page itself asked to go elsewhere
    dialog: dict[str, Any] | None = None
    started: dict[str, Any] = field(default_factory=dict)
    place: int = 0  # in the history of the tab


class TabListener:
    """Hears a person in all tabs of a session; lives in the session's event loop."""

    def __init__(self, session: "TabSession", tell: Callable[[UserEvent], None]) -> None:
        self._session = session
        self._tell = tell
        self._tabs: list[_HeardTab] = []
        self._queue: asyncio.Queue[Coroutine[Any, Any, None]] = asyncio.Queue()
        self._stirred = asyncio.Event()
        self._calm = asyncio.Event()
        self._looking: asyncio.Task[Page | None] | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Listen from here."""
        tabs = self._session.tabs
        tabs.start = tabs.start._replace(more=LISTENING)
        tabs.on_open = self._adopt
        for opened in tabs.open:
            await self._hear_tab(opened)
        loop = asyncio.get_running_loop()
        self._tasks = [loop.create_task(self._work()), loop.create_task(self._watch())]

    async def close(self) -> None:
        """Listen no longer; the scripts stay in their pages, but nobody hears them."""
        self._session.tabs.on_open = None
        self._session.tabs.start = self._session.tabs.start._replace(more=())
        for one in self._tabs:
            # Which world belongs to which frame is said once only, so that is still heard, for the next listener.
            one.opened.tab.on_event, one.opened.tab.answers_dialogs = one.frames.see, True
            one.frames.on_message = None
        for task in (*self._tasks, *([self._looking] if self._looking else [])):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        while not self._queue.empty():
            self._queue.get_nowait().close()

    async def rest(self) -> None:
        """Wait until every event so far was told, and the page is at rest and known."""
        while True:
            await self._queue.join()
            if self._stirring:  # such as a tab that has its first page now
                self._stir(self._stirring[0])
            await self._calm.wait()
            if self._calm.is_set() and self._queue.empty():
                return

    @property
    def dialog(self) -> dict[str, Any] | None:
        """The dialog that waits for an answer, as the browser describes it."""
        return next((one.dialog for one in self._tabs if one.dialog), None)

    # ------------------------------------------------------------------ tabs

    async def _hear_tab(self, opened: OpenTab) -> None:
        is_new = opened.frames is None
        heard, tab = self._join(opened), opened.tab
        if is_new:
            await asyncio.gather(*(tab.call(method, params) for method, params in LISTENING))
            heard.frames.learn(await tab.call("Page.getFrameTree"))
        heard.place = await _place(heard)

    def _adopt(self, opened: OpenTab) -> None:
        self._join(opened)
        self._put(self._opened(len(self._tabs) - 1))

    def _join(self, opened: OpenTab) -> _HeardTab:
        opened.frames = opened.frames or FrameWorlds(opened.tab, LISTENING)
        heard = _HeardTab(opened, opened.frames)
        self._tabs.append(heard)
        heard.frames.on_message = lambda frame, message: self._message(heard, frame, message)
        opened.tab.on_event = lambda method, params: self._browser(heard, method, params)
        opened.tab.answers_dialogs = False
        self._stir(heard)
        return heard

    async def _opened(self, number: int) -> None:
        self._emit(UserEvent(kind="tab", tab=number, tabs=len(self._open)))

    @property
    def _open(self) -> list[_HeardTab]:
        return [one for one in self._tabs if not one.opened.closed]

    def _number(self, heard: _HeardTab) -> int:
        tabs = self._open
        return tabs.index(heard) if heard in tabs else len(tabs)

    # ------------------------------------------------------------------ what is heard

    def _message(self, heard: _HeardTab, frame: str, payload: str) -> None:
        """Take a report of our script, with the page as it is known now."""
        try:
            message = orjson.loads(payload)
        except orjson.JSONDecodeError:
            return
        kind = message.get("kind")
        if kind != "changed" and isinstance(message.get("path"), str):
            if kind in ACTS:
                heard.acted = True
                heard.opened.tab.begin_action()
            self._put(self._element_event(heard, frame, message, heard.page))
        self._stir(heard)

    async def _element_event(self, heard: _HeardTab, frame: str, message: dict[str, Any], page: Page | None) -> None:
        above = await heard.frames.path_of(frame)
        known = {NAMES.get(key, key): value for key, value in message.items()}
        for key in ("xpath", "label_of", "onto"):
            if known.get(key):
                known[key] = above + known[key]
        for key in ("options", "files", "by"):
            if known.get(key) is not None:
                known[key] = tuple(known[key])
        fields = {key: value for key, value in known.items() if key in UserEvent.__dataclass_fields__}
        self._emit(UserEvent(**{**fields, "page": page, "tab": self._number(heard), "tabs": len(self._open)}))

    def _browser(self, heard: _HeardTab, method: str, params: dict[str, Any]) -> None:
        """Take an event of the browser itself."""
        heard.frames.see(method, params)
        handler = _HANDLERS.get(method)
        if handler:
            handler(self, heard, params)

    def _dialog_opens(self, heard: _HeardTab, params: dict[str, Any]) -> None:
        heard.dialog = params
        if self._looking:  # a page that shows a dialog answers nothing, and must not be taken for one that hangs
            self._looking.cancel()

    def _dialog_closes(self, heard: _HeardTab, params: dict[str, Any]) -> None:
        dialog, heard.dialog = heard.dialog or {}, None
        typed = params.get("userInput", "") if dialog.get("type") == "prompt" and params.get("result") else ""
        self._put(
            self._plain(
                heard,
                kind="dialog",
                type=dialog.get("type", ""),
                message=dialog.get("message", ""),
                text=dialog.get("defaultPrompt", ""),
                accepted=bool(params.get("result")),
                value=typed,
            )
        )
        self._stir(heard)

    def _downloads(self, heard: _HeardTab, params: dict[str, Any]) -> None:
        name = params.get("suggestedFilename", "")
        self._put(self._plain(heard, kind="download", url=params.get("url", ""), message=name))

    def _asks(self, heard: _HeardTab, params: dict[str, Any]) -> None:
        heard.asked = heard.asked or params.get("frameId") == heard.opened.tab.target

    def _starts(self, heard: _HeardTab, params: dict[str, Any]) -> None:
        if params["frameId"] == heard.opened.tab.target:
            heard.started = params

    def _navigated(self, heard: _HeardTab, params: dict[str, Any]) -> None:
        frame = params.get("frame", {}).get("id") or params.get("frameId")
        if frame != heard.opened.tab.target:
            return
        started, heard.started = heard.started, {}
        kind = str(started.get("navigationType", ""))
        by_page = heard.acted or heard.asked or ("frame" not in params and "istory" not in kind)
        heard.asked = False
        url = str(started.get("url") or params.get("frame", params).get("url", ""))
        self._put(self._moved(heard, kind, url, heard.place, by_page=by_page))
        self._stir(heard)

    async def _moved(self, heard: _HeardTab, how: str, url: str, place: int, *, by_page: bool) -> None:
        steps = 0
        if by_page or url.startswith("about:"):
            kind = "arrived"
        elif how.startswith("history"):
            steps = await _place(heard) - place
            kind = "back" if steps < 0 else "forward"
        else:
            kind = "reload" if how.startswith("reload") else "opened"
        await self._plain(heard, kind=kind, url=url, times=max(1, abs(steps)))

    def _closes(self, heard: _HeardTab, _: dict[str, Any]) -> None:
        heard.stirred, heard.dialog = False, None
        self._put(self._plain(heard, kind="closed"))

    async def _plain(self, heard: _HeardTab, **known: Any) -> None:
        self._emit(UserEvent(**known, tab=self._number(heard), tabs=len(self._open), page=heard.page))

    # ------------------------------------------------------------------ telling and looking

    def _put(self, work: Coroutine[Any, Any, None]) -> None:
        self._queue.put_nowait(work)

    def _emit(self, event: UserEvent) -> None:
        self._tell(event)

    def _stir(self, heard: _HeardTab) -> None:
        heard.stirred = True
        self._calm.clear()
        self._stirred.set()

    @property
    def _stirring(self) -> list[_HeardTab]:
        """Tabs to look at; one that shows a dialog has to wait for its answer."""
        return [one for one in self._open if one.stirred and not one.dialog and one.opened.visit]

    async def _work(self) -> None:
        """Tell events in the order in which they came."""
        while True:
            work = await self._queue.get()
            with suppress(*GONE):
                await work
            self._queue.task_done()
            await asyncio.sleep(0)

    async def _watch(self) -> None:
        """Capture pages that have come to rest."""
        while True:
            if not self._stirring:
                self._calm.set()
                self._stirred.clear()
                await self._stirred.wait()
                continue
            self._calm.clear()
            heard = self._stirring[-1]
            self._looking = asyncio.get_running_loop().create_task(self._look(heard))
            await asyncio.wait((self._looking,))
            if self._looking.cancelled():  # by a dialog
                heard.stirred = True
                continue
            page = self._looking.result()
            heard.page = page or heard.page
            if page and not heard.stirred:
                heard.acted = False
                self._put(self._plain(heard, kind="rest"))

    async def _look(self, heard: _HeardTab) -> Page | None:
        """The page once it is at rest; None if the tab is gone."""
        while heard.opened.visit and not heard.opened.closed:
            heard.stirred = False
            with suppress(*GONE):
                await heard.opened.tab.settle(heard.opened.visit, self._session.limits)
                page = await self._session.capture_of(heard.opened)
                await heard.frames.refresh()
                if not heard.started:
                    heard.place = await _place(heard)
                return page
        heard.stirred = False
        return None


async def _place(heard: _HeardTab) -> int:
    """Where a tab is in its history; while one page is being replaced by another, the browser cannot say."""
    for wait in WAITS:
        try:
            history = await heard.opened.tab.call("Page.getNavigationHistory")
        except CallError:
            await asyncio.sleep(wait)
        else:
            return int(history["currentIndex"])
    return heard.place


_HANDLERS: dict[str, Callable[[TabListener, _HeardTab, dict[str, Any]], None]] = {
    "Page.javascriptDialogOpening": TabListener._dialog_opens,
    "Page.javascriptDialogClosed": TabListener._dialog_closes,
    "Page.downloadWillBegin": TabListener._downloads,
    "Page.frameRequestedNavigation": TabListener._asks,
    "Page.frameScheduledNavigation": TabListener._asks,
    "Page.frameStartedNavigating": TabListener._starts,
    "Page.frameNavigated": TabListener._navigated,
    "Page.navigatedWithinDocument": TabListener._navigated,
    "Inspector.targetCrashed": TabListener._closes,
}
