"""A browser session with blocking calls: `with Session() as session: session.goto(…); page = session.capture()`."""

import os
import queue
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Self

from sightline.errors import UsageError
from sightline.net import CrawlPolicy, Document, Limits, RequestPolicy, origins_of
from sightline.page import ENTER, Page, PageAnswers, PageRequest
from sightline.sources._loop import RUNTIME
from sightline.sources.browser import (
    Action,
    AnswerSettings,
    Back,
    Browser,
    BrowserSettings,
    Check,
    Click,
    Dialog,
    DialogAnswer,
    Download,
    Drag,
    ElementFacts,
    ElementQuery,
    Fill,
    Hover,
    LiveEvent,
    LiveFacts,
    LiveWindow,
    PointedElement,
    Press,
    Reload,
    Scroll,
    Select,
    SessionFiles,
    SessionSettings,
    TabListener,
    TabSession,
    Upload,
    UserEvent,
    WindowPicture,
    tab_session,
)

# What a session and its frames have in common: the actions on elements, each named by its XPath.


class ElementVerbs(ABC):
    """Actions on elements; each returns the object itself, so that they can be chained."""

    @abstractmethod
    def act(self, action: Action) -> Self:
        """Do something on the page, and wait until it is at rest again."""

    @abstractmethod
    def locate(self, query: ElementQuery) -> tuple[str, ...]:
        """The full paths of all elements that match."""

    @abstractmethod
    def facts(self, xpath: str) -> ElementFacts | None:
        """What is at a full path, or None."""

    def located(self, *, css: str | None = None, xpath: str | None = None) -> tuple[str, ...]:
        """The full paths of all elements that match a CSS selector or an XPath now, as captured pages have them."""
        if (css is None) == (xpath is None):
            raise UsageError("Give a CSS selector or an XPath, one of the two: located(css=…) or located(xpath=…).")
        text = css if css is not None else xpath or ""
        return self.locate(ElementQuery(self._path(text), css is not None))

    def element(self, xpath: str) -> ElementFacts | None:
        """What is at a path now: its tag, text, attributes and state; None if nothing is."""
        return self.facts(self._path(xpath))

    def click(self, xpath: str) -> Self:
        """Click in the middle of an element."""
        return self.act(Click(self._path(xpath)))

    def double_click(self, xpath: str) -> Self:
        """Click twice in the middle of an element."""
        return self.act(Click(self._path(xpath), count=2))

    def drag(self, xpath: str, *, to: str | None = None, by: tuple[float, float] | None = None) -> Self:
        """Press the mouse on an element, move it over another one or by so many pixels, and release it."""
        if (to is None) == (by is None):
            raise UsageError("Say where to drag: drag(xpath, to=xpath) or drag(xpath, by=(right, down)).")
        return self.act(Drag(self._path(xpath), None if to is None else self._path(to), by or (0.0, 0.0)))

    def fill(self, xpath: str, text: str) -> Self:
        """Replace the text of an input, or the value of a date, time, colour or slider."""
        return self.act(Fill(self._path(xpath), text))

    def select(self, xpath: str, *options: str) -> Self:
        """Choose options of a `<select>` by their texts or values; a list for several can also be cleared."""
        return self.act(Select(self._path(xpath), options))

    def check(self, xpath: str) -> Self:
        """Turn on a checkbox, radio button or switch; nothing happens if it is on."""
        return self.act(Check(self._path(xpath)))

    def uncheck(self, xpath: str) -> Self:
        """Turn off a checkbox or switch; nothing happens if it is off."""
        return self.act(Check(self._path(xpath), on=False))

    def hover(self, xpath: str) -> Self:
        """Move the mouse to the middle of an element."""
        return self.act(Hover(self._path(xpath)))

    def upload(self, xpath: str, *files: str | os.PathLike[str]) -> Self:
        """Choose files for an `<input type=file>`, which may be hidden behind a button of the page."""
        return self.act(Upload(self._path(xpath), tuple(str(Path(file).absolute()) for file in files)))

    def frame(self, xpath: str) -> "SessionFrame":
        """The inside of a frame, or of an element with an open shadow root; paths there start anew."""
        return SessionFrame(self, self._path(xpath))

    def _path(self, xpath: str) -> str:
        return xpath


class SessionFrame(ElementVerbs):
    """The inside of a frame or shadow root of a session's page."""

    def __init__(self, around: ElementVerbs, xpath: str) -> None:
        self._around = around
        self._xpath = xpath

    def act(self, action: Action) -> Self:
        """Do something on the page; the paths of actions are those of the whole page."""
        self._around.act(action)
        return self

    def locate(self, query: ElementQuery) -> tuple[str, ...]:
        """The full paths of all elements that match; the query is one of the whole page."""
        return self._around.locate(query)

    def facts(self, xpath: str) -> ElementFacts | None:
        """What is at a path of the whole page, or None."""
        return self._around.facts(xpath)

    def _path(self, xpath: str) -> str:
        return f"{self._xpath}{ENTER}{xpath}"


# A session seen and worked by a person who is elsewhere, with calls from any thread.

SIZE = (1280, 800)


class Viewing:
    """The window of a session as pictures, and the mouse and keys of whoever looks at them.

    `on_picture` and `on_change` are called from the thread of the sessions, and must return at once.
    """

    def __init__(
        self,
        tab: TabSession,
        on_picture: Callable[[WindowPicture], None],
        on_change: Callable[[], None],
        size: tuple[int, int] = SIZE,
    ) -> None:
        self._window = LiveWindow(tab, on_picture, on_change, size)
        RUNTIME.run(self._window.open())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Look no longer."""
        RUNTIME.run(self._window.close())

    @property
    def facts(self) -> LiveFacts:
        """What there is to see besides the picture."""
        return self._window.facts

    def put(self, event: LiveEvent) -> None:
        """Move the mouse, turn the wheel, press a key or type a text; returns at once."""
        RUNTIME.loop.call_soon_threadsafe(self._window.put, event)

    def drive(self, *, driven: bool) -> None:
        """Say whether the person drives, or a script does."""
        RUNTIME.loop.call_soon_threadsafe(lambda: self._window.drive(driven=driven))

    def pointed(self, x: float, y: float) -> PointedElement | None:
        """The element at a point of the window."""
        return RUNTIME.run(self._window.pointed(x, y))

    def answer_dialog(self, *, accept: bool, text: str | None = None) -> None:
        """Answer the dialog that waits."""
        RUNTIME.run(self._window.answer_dialog(accept=accept, text=text))

    def give_files(self, files: tuple[str, ...]) -> None:
        """Give the page the files that it asked for."""
        RUNTIME.run(self._window.give_files(files))

    def choose(self, option: str | None) -> None:
        """Choose an option of the box that was opened."""
        RUNTIME.run(self._window.choose(option))

    def go(self, steps: int) -> None:
        """Go back (-1), forward (1), or load the page again (0)."""
        RUNTIME.run(self._window.go(steps))

    def resize(self, width: int, height: int) -> None:
        """Give the window another size."""
        RUNTIME.run(self._window.resize(width, height))


# Listening to a person in a session, with blocking calls: `for event in session.listen(): …`.


class Listening:
    """The events of a person in the tabs of a session, in order; ends when it is closed or the last tab is."""

    def __init__(self, tab: TabSession) -> None:
        self._events: queue.Queue[UserEvent | None] = queue.Queue()
        self._listener = TabListener(tab, self._tell)
        RUNTIME.run(self._listener.open())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[UserEvent]:
        while (event := self._events.get()) is not None:
            yield event
            self._events.task_done()
        self._events.task_done()

    def drained(self) -> None:
        """Wait until whoever reads the events is done with those so far."""
        self._events.join()

    def rest(self) -> None:
        """Wait until the page is at rest and everything so far was told."""
        RUNTIME.run(self._listener.rest())

    @property
    def dialog(self) -> dict[str, Any] | None:
        """The dialog that waits for the person's answer, as the browser describes it."""
        return self._listener.dialog

    def close(self) -> None:
        """Listen no longer; whoever reads the events comes to their end."""
        RUNTIME.run(self._listener.close())
        self._events.put(None)

    def _tell(self, event: UserEvent) -> None:
        self._events.put(event)
        if event.kind == "closed" and not event.tabs:
            self._events.put(None)


class SiteAnswer(NamedTuple):
    """The status and headers that a page came with."""

    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()


class Session(ElementVerbs):
    """A tab that stays open, with its cookies, until closed. Works in ordinary code and inside a running event loop.

    Requests follow the same rules as for any other page: robots.txt, pace and limits apply.
    """

    def __init__(
        self,
        *,
        browser: BrowserSettings | None = None,
        limits: Limits | None = None,
        policy: CrawlPolicy | None = None,
        settings: SessionSettings | None = None,
        downloads: str | os.PathLike[str] | None = None,
        state: str | os.PathLike[str] | None = None,
    ) -> None:
        self._browser = browser or BrowserSettings()
        self._limits = limits or Limits()
        self._policy = policy or CrawlPolicy()
        self._settings = settings or SessionSettings()
        self._files = SessionFiles(downloads=_absolute(downloads), state=_absolute(state))
        self._named = set(self._policy.named)  # shared with the request policy
        self._stack: AsyncExitStack | None = None
        self._tab: TabSession | None = None

    def __enter__(self) -> Self:
        self._opened()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            RUNTIME.run(self.shut())

    def goto(self, url: str) -> Self:
        """Go to an address and wait until the page is at rest."""
        if not self._named:  # links may lead anywhere; the first address is one that somebody named
            self._named.update(origins_of([url]))
        RUNTIME.run(self._opened().goto(url))
        return self

    def act(self, action: Action) -> Self:
        """Do something on the page, and wait until it is at rest again."""
        RUNTIME.run(self._opened().act(action))
        return self

    def press(self, key: str) -> Self:
        """Press a key: a character or a name such as `Enter`, also with modifiers, as in `Control+a`."""
        return self.act(Press(key))

    def scroll(self, top: int) -> Self:
        """Scroll the window so that this many pixels of the page are above it."""
        return self.act(Scroll(top))

    def back(self) -> Self:
        """Go back to the previous page."""
        return self.act(Back())

    def reload(self) -> Self:
        """Load the page again."""
        return self.act(Reload())

    def download(self, xpath: str) -> Download:
        """Click an element and wait for the file that it offers; the session needs a folder for `downloads`."""
        return RUNTIME.run(self._opened().download(xpath))

    @property
    def stores_downloads(self) -> bool:
        """Whether there is a folder for downloads."""
        return self._files.downloads is not None

    @property
    def downloads(self) -> tuple[Download, ...]:
        """The files that were stored so far, whichever action started them."""
        return tuple(self._at_rest().downloads.done)

    @property
    def tabs(self) -> tuple[str, ...]:
        """The addresses of the open tabs, in the order in which they were opened."""
        return tuple(one.visit.address if one.visit else "" for one in self._at_rest().tabs.open)

    def tab(self, number: int) -> Self:
        """Go on in another tab, by its number in `tabs`; -1 is the newest."""
        RUNTIME.run(self._opened().switch(number))
        return self

    @contextmanager
    def aside(self) -> Iterator[Self]:
        """A tab of its own, as long as the block runs: `goto` another page there, and find this one as it was."""
        tab = self._opened().aside()
        RUNTIME.run(tab.__aenter__())
        try:
            yield self
        finally:
            RUNTIME.run(tab.__aexit__(None, None, None))

    def login(self, address: str, user: str, password: str) -> Self:
        """Give a user and password to the site of this address when it asks for them by HTTP (basic authentication)."""
        self._opened().logins.add(address, user, password)
        return self

    def dialog(self, *, accept: bool = True, text: str | None = None) -> Self:
        """Say how dialogs are answered from now on; `text` is for prompts. Without this, all are accepted."""
        self._at_rest().dialogs.answer = DialogAnswer(accept, text)
        return self

    @property
    def dialogs(self) -> tuple[Dialog, ...]:
        """The dialogs that pages have opened so far, and how they were answered."""
        return tuple(self._at_rest().dialogs.seen)

    def locate(self, query: ElementQuery) -> tuple[str, ...]:
        """The full paths of all elements that match; `located` makes the query."""
        return RUNTIME.run(self._opened().located(query))

    def facts(self, xpath: str) -> ElementFacts | None:
        """What is at a full path, or None."""
        return RUNTIME.run(self._opened().element(xpath))

    def screenshot(self, *, hide: Sequence[str] = ()) -> bytes:
        """What the window shows, as a PNG; the elements at the paths of `hide` are painted over."""
        return RUNTIME.run(self._opened().screenshot(hide))

    def renew(self) -> Self:
        """Open the page again in a fresh tab with the same cookies and storage, after a crash."""
        RUNTIME.run(self._opened().renew())
        return self

    @property
    def answer(self) -> SiteAnswer:
        """What the site answered for the page in the tab."""
        visit = self._opened().tabs.current.visit
        return SiteAnswer(visit.status, visit.headers) if visit else SiteAnswer()

    def capture(self, *, log_in: bool = False, picture: bool = False) -> Page:
        """The page as it is now, with a `picture` of it if you want one.

        One that only asks for a password is an error, unless you want to `log_in` there.
        """
        return RUNTIME.run(self._opened().capture(log_in=log_in, picture=picture))

    def keep_answers(self, settings: AnswerSettings | None) -> Self:
        """Keep the JSON that pages fetch from here, within these limits; None, as at first, keeps nothing."""
        RUNTIME.run(self._opened().keep_answers(settings))
        return self

    def take_answers(self) -> PageAnswers:
        """The JSON that pages fetched since this was last asked for, and what of it was not kept."""
        return RUNTIME.run(self._opened().take_answers())

    def fetch(self, request: PageRequest) -> Document:
        """What a request brings, of any status, without the browser; robots.txt, pace and limits hold as for pages."""
        return RUNTIME.run(self._opened().fetch(request))

    def view(
        self,
        on_picture: Callable[[WindowPicture], None],
        on_change: Callable[[], None],
        size: tuple[int, int] = (1280, 800),
    ) -> Viewing:
        """See the window as pictures from here, and work in it by mouse and keys, until that is closed."""
        return Viewing(self._opened(), on_picture, on_change, size)

    def listen(self) -> Listening:
        """Hear what a person does in the tabs of this session from here, as `UserEvent`s, until that is closed."""
        return Listening(self._opened())

    def close(self) -> None:
        """Close the tab and its browser; cookies and storage are forgotten, or kept in the file of the `state`."""
        try:
            if self._tab is not None:
                RUNTIME.run(self._tab.rest())  # the last action has its effects, and its errors are told
        finally:
            RUNTIME.run(self.shut())

    async def shut(self) -> None:
        """Close everything, in the loop; `close` is the blocking version."""
        stack, self._stack, self._tab = self._stack, None, None
        if stack is not None:
            await stack.aclose()

    def _opened(self) -> TabSession:
        if self._tab is None:
            RUNTIME.close_at_exit(self)
            self._tab = RUNTIME.run(self._open())
        return self._tab

    def _at_rest(self) -> TabSession:
        tab = self._opened()
        RUNTIME.run(tab.rest())
        return tab

    async def _open(self) -> TabSession:
        async with AsyncExitStack() as stack:
            requests = await stack.enter_async_context(RequestPolicy(self._limits, self._policy, named=self._named))
            browser = Browser(self._browser, self._limits, self._policy, requests=requests)
            stack.push_async_callback(browser.close)
            tab = await stack.enter_async_context(tab_session(browser, self._settings, self._files))
            self._stack = stack.pop_all()
        return tab


def _absolute(path: str | os.PathLike[str] | None) -> Path | None:
    return None if path is None else Path(path).absolute()
