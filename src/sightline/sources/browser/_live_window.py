"""The window of a session for a person who sees it as a stream of pictures: the tab that is current, and its events.

Pictures come from the browser's screencast. Each is acknowledged as it comes, and whoever shows them takes the newest:
there is no queue that could grow.
"""

import asyncio
import base64
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from sightline.errors import SightlineError, SourceError, UsageError
from sightline.geometry import Box
from sightline.sources.browser._actions import Select
from sightline.sources.browser._live_hand import LiveEvent, LiveHand, MouseMotion
from sightline.sources.browser._open_tabs import OpenTab
from sightline.sources.browser._pipe import CallError
from sightline.sources.browser._visit import BLANK

if TYPE_CHECKING:
    from sightline.sources.browser._tab_session import TabSession

# What a viewer of a session is told: pictures, the tabs, and what waits for a person's answer.


class WindowPicture(NamedTuple):
    """One picture of the window, as a JPEG, with how far the page was scrolled when it was taken."""

    jpeg: bytes
    scroll: tuple[float, float]


@dataclass(frozen=True)
class LiveTab:
    """A tab as its row of tabs shows it."""

    url: str
    title: str


@dataclass(frozen=True)
class WaitingDialog:
    """A dialog of the page that waits for an answer; `kind` is alert, confirm, prompt or beforeunload."""

    kind: str
    message: str
    suggested: str = ""


@dataclass(frozen=True)
class WaitingChooser:
    """A page that wants files."""

    several: bool


@dataclass(frozen=True)
class WaitingChoice:
    """A box of options that was opened: a browser draws it in a window of its own, which no picture shows."""

    xpath: str
    box: Box
    options: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class PointedElement:
    """The element at a point of the window; `xpath` is that of the input whose label it is, if it is one."""

    xpath: str
    tag: str
    box: Box


@dataclass(frozen=True)
class LiveFacts:
    """The session as a person sees it; `gone` says why there is nothing to see any more."""

    tabs: tuple[LiveTab, ...] = ()
    tab: int = 0
    can_back: bool = False
    can_forward: bool = False
    loading: bool = False
    dialog: WaitingDialog | None = None
    chooser: WaitingChooser | None = None
    choice: WaitingChoice | None = None
    refused: str = ""
    downloads: tuple[str, ...] = field(default=())
    gone: str = ""


QUALITY = 60  # of the JPEGs: letters stay sharp, and a picture of 1280 x 800 has some 60 to 120 kB
CALL_SECONDS = 5.0
# Events after which the address, the title or the history of a tab may be another.
MOVING = frozenset(
    ("Page.frameNavigated", "Page.navigatedWithinDocument", "Page.loadEventFired", "Page.domContentEventFired")
)
CRASHED = "The tab crashed or was closed; open an address to go on."


@dataclass(eq=False)
class _ShownTab:
    """What is known of one tab."""

    opened: OpenTab
    url: str = ""
    title: str = ""
    back: bool = False
    forward: bool = False
    loading: bool = False
    dialog: WaitingDialog | None = None
    chooser: tuple[int, bool] | None = None
    choice: WaitingChoice | None = None
    files: list[str] = field(default_factory=list)


class LiveWindow:
    """Shows a session, and takes what a person does; lives in the session's event loop."""

    def __init__(
        self,
        session: "TabSession",
        on_picture: Callable[[WindowPicture], None],
        on_change: Callable[[], None],
        size: tuple[int, int],
    ) -> None:
        self._session = session
        self._on_picture = on_picture
        self._on_change = on_change
        self._size = size
        self._newest = 0.0  # when the picture that is shown was taken
        self._shown: OpenTab | None = None
        self._known: dict[int, _ShownTab] = {}
        self._refused = ""
        self._downloads: list[str] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.hand: LiveHand = LiveHand(lambda: session.tabs.current.tab, self._choose)
        self.driven: bool = True  # by a person: new tabs are gone to, and dialogs wait for an answer

    async def open(self) -> None:
        """Show the session from here."""
        tabs = self._session.tabs
        tabs.on_view = self._tabs_changed
        self._session.passage.on_refused = self._refusal
        for opened in tabs.open:
            self._watch(opened)
        self.hand.open()
        await self._show()

    async def close(self) -> None:
        """Show it no longer."""
        self._session.tabs.on_view = None
        self._session.passage.on_refused = None
        for one in self._known.values():
            one.opened.tab.on_view = None
            one.opened.tab.answers_dialogs = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.hand.close()
        if self._shown:
            self._send(self._shown, "Page.stopScreencast")

    def drive(self, *, driven: bool) -> None:
        """Say whether a person drives, or a script does, which answers dialogs by itself."""
        self.driven = driven
        for one in self._known.values():
            one.opened.tab.answers_dialogs = not driven
            self._intercept(one.opened)

    # ------------------------------------------------------------------ what is there

    @property
    def facts(self) -> LiveFacts:
        """The session as a person sees it now."""
        tabs = self._session.tabs
        shown = [self._known[id(one)] for one in tabs.open if id(one) in self._known]
        here = self._known.get(id(tabs.current))
        if here is None or here not in shown:
            return LiveFacts(gone=CRASHED)
        return LiveFacts(
            tabs=tuple(LiveTab(one.url, one.title) for one in shown),
            tab=shown.index(here),
            can_back=here.back,
            can_forward=here.forward,
            loading=here.loading,
            dialog=here.dialog,
            chooser=WaitingChooser(here.chooser[1]) if here.chooser else None,
            choice=here.choice,
            refused=self._refused,
            downloads=tuple(self._downloads),
        )

    async def pointed(self, x: float, y: float) -> PointedElement | None:
        """The element at a point of the window."""
        found = await self.hand.under(x, y)
        if not found:
            return None
        left, top, right, bottom = found["box"]
        return PointedElement(found["labelled"] or found["path"], found["tag"], (left, top, right, bottom))

    # ------------------------------------------------------------------ what a person does

    def put(self, event: LiveEvent) -> None:
        """Pass an event of the mouse or the keys on; while a dialog waits, a page takes none."""
        here = self._known.get(id(self._session.tabs.current))
        if here and here.choice and not (isinstance(event, MouseMotion) and event.kind != "down"):
            here.choice = None
            self._on_change()
        if here is None or not here.dialog:
            self._refused = ""
            self.hand.put(event)

    async def answer_dialog(self, *, accept: bool, text: str | None) -> None:
        """Answer the dialog of the tab that is shown."""
        here = self._here()
        if here.dialog is None:
            raise UsageError("There is no dialog to answer any more.")
        answer = {"accept": accept, **({} if text is None else {"promptText": text})}
        with suppress(CallError):  # it was answered meanwhile, or the page is gone
            await here.opened.tab.call("Page.handleJavaScriptDialog", answer, seconds=CALL_SECONDS)

    async def give_files(self, files: tuple[str, ...]) -> None:
        """Give the page the files that it asked for; none leaves it as it is."""
        here = self._here()
        wanted, here.chooser = here.chooser, None
        self._on_change()
        if wanted is None:
            raise UsageError("The page asks for no files any more; click its button again.")
        if files:
            given = {"files": list(files), "backendNodeId": wanted[0]}
            await here.opened.tab.call("DOM.setFileInputFiles", given, seconds=CALL_SECONDS)

    async def choose(self, option: str | None) -> None:
        """Choose an option of the box that was opened; None closes it."""
        here = self._here()
        waiting, here.choice = here.choice, None
        self._on_change()
        if waiting and option is not None:
            await self._session.act(Select(waiting.xpath, (option,)))

    async def go(self, steps: int) -> None:
        """Go back or forward in the history of the tab; 0 loads the page again."""
        tab = self._session.tabs.current.tab
        if not steps:
            await tab.call("Page.reload", seconds=CALL_SECONDS)
            return
        history = await tab.call("Page.getNavigationHistory", seconds=CALL_SECONDS)
        number = history["currentIndex"] + steps
        entries = history["entries"]
        if not 0 <= number < len(entries) or entries[number]["url"] == BLANK:
            raise UsageError("There is no further page in the history of this tab.")
        await tab.call("Page.navigateToHistoryEntry", {"entryId": entries[number]["id"]}, seconds=CALL_SECONDS)

    async def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        self._size = (width, height)
        if self._shown:  # one that runs would go on in the old size
            self._send(self._shown, "Page.stopScreencast")
        self._shown = None
        await self._show()

    # ------------------------------------------------------------------ tabs

    def _here(self) -> _ShownTab:
        here = self._known.get(id(self._session.tabs.current))
        if here is None:
            raise UsageError(CRASHED)
        return here

    def _watch(self, opened: OpenTab) -> None:
        one = self._known[id(opened)] = _ShownTab(opened)
        opened.tab.on_view = lambda method, params: self._hear(one, method, params)
        opened.tab.answers_dialogs = not self.driven
        self._start(self._refresh(one))

    def _tabs_changed(self, opened: OpenTab | None) -> None:
        if opened is not None:
            self._watch(opened)
            if self.driven:
                self._start(self._follow(opened))
        current = self._session.tabs.current
        if id(current) not in self._known:
            self._watch(current)
        self._start(self._show())

    async def _follow(self, opened: OpenTab) -> None:
        """Go to a tab that a click has opened, as browsers do, once it answers."""
        await self._session.tabs.settled()
        tabs = self._session.tabs.open
        if opened in tabs and self.driven:
            self._session.tabs.switch(tabs.index(opened))

    async def _show(self) -> None:
        """Take pictures of the tab that is current, and of no other."""
        current = self._session.tabs.current
        if current is self._shown:
            return
        before, self._shown = self._shown, current
        if before and not before.closed:
            self._send(before, "Page.stopScreencast")
        width, height = self._size
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        cast = {"format": "jpeg", "quality": QUALITY, "maxWidth": width, "maxHeight": height, "everyNthFrame": 1}
        current.tab.to_front()
        self._send(current, "Emulation.setDeviceMetricsOverride", size)
        self._intercept(current)
        self._send(current, "Page.startScreencast", cast)
        self._on_change()

    def _intercept(self, opened: OpenTab) -> None:
        self._send(opened, "Page.setInterceptFileChooserDialog", {"enabled": self.driven})

    # ------------------------------------------------------------------ what is heard

    def _hear(self, one: _ShownTab, method: str, params: dict[str, Any]) -> None:
        if method == "Page.screencastFrame":
            self._picture(one, params)
            return
        if method in MOVING:
            self._start(self._refresh(one))
        elif method == "Page.frameStartedLoading" and params.get("frameId") == one.opened.tab.target:
            one.loading = True
        elif method == "Page.frameStoppedLoading" and params.get("frameId") == one.opened.tab.target:
            one.loading = False
            self._start(self._refresh(one))
        elif method == "Page.javascriptDialogOpening" and self.driven:
            one.dialog = WaitingDialog(
                params.get("type", "alert"), params.get("message", ""), params.get("defaultPrompt", "")
            )
        elif method == "Page.javascriptDialogClosed":
            one.dialog = None
        elif method == "Page.fileChooserOpened":
            one.chooser = (params.get("backendNodeId", 0), params.get("mode") == "selectMultiple")
        elif method == "Page.downloadWillBegin":
            self._downloads.append(params.get("suggestedFilename", ""))
        elif method == "Inspector.targetCrashed":
            self._start(self._left(one))
        else:
            return
        self._on_change()

    def _picture(self, one: _ShownTab, params: dict[str, Any]) -> None:
        self._send(one.opened, "Page.screencastFrameAck", {"sessionId": params["sessionId"]})
        about = params["metadata"]
        taken = float(about.get("timestamp", self._newest))
        # They are encoded side by side, so one may come behind a newer one, and would stay on the screen.
        if one.opened is self._shown and taken >= self._newest:
            self._newest = taken
            scroll = (float(about.get("scrollOffsetX", 0)), float(about.get("scrollOffsetY", 0)))
            self._on_picture(WindowPicture(base64.b64decode(params["data"]), scroll))

    async def _left(self, one: _ShownTab) -> None:
        """Go on in another tab when the one that is shown was closed."""
        tabs = self._session.tabs
        if one.opened is tabs.current and tabs.open:
            tabs.switch(-1)
        self._on_change()

    async def _refresh(self, one: _ShownTab) -> None:
        """Learn the address, the title and the history of a tab."""
        with suppress(CallError):
            history = await one.opened.tab.call("Page.getNavigationHistory", seconds=CALL_SECONDS)
            at, entries = history["currentIndex"], history["entries"]
            before, one.url = one.url, "" if entries[at]["url"] == BLANK else entries[at]["url"]
            one.title = entries[at]["title"]
            one.back = at > 0 and entries[at - 1]["url"] != BLANK
            one.forward = at + 1 < len(entries)
            one.choice = one.choice if one.url == before else None
            self._on_change()

    def _choose(self, found: dict[str, Any]) -> None:
        """Somebody opened a box of options."""
        here = self._known.get(id(self._session.tabs.current))
        if here:
            left, top, right, bottom = found["box"]
            here.choice = WaitingChoice(found["path"], (left, top, right, bottom), tuple(found["options"]))
            self._on_change()

    def _refusal(self, problem: SourceError) -> None:
        self._refused = problem.message
        self._on_change()

    def _start(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and isinstance(task.exception(), SightlineError):
            self._refused = str(task.exception())
            self._on_change()

    def _send(self, opened: OpenTab, method: str, params: dict[str, Any] | None = None) -> None:
        opened.tab.connection.send(method, params, session=opened.tab.session)
