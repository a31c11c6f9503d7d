"""A visit to a page: what the browser's events report, and when the page has settled."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from sightline.errors import LimitError, SourceError, UnreachableError, UnreadableError
from sightline.net import Limits, status_problem

# Connections that stay open for good and say nothing about whether a page is complete.
ENDLESS = frozenset(("EventSource", "WebSocket", "Ping", "Media", "Preflight", "CSPViolationReport"))
BLANK = "about:blank"
SAME_DOCUMENT = ("sameDocument", "SameDocument")

_Answer: TypeAlias = tuple[str, int | None, str, tuple[tuple[str, str], ...], bool, int, int]


@dataclass
class Visit:
    """The state of one visit, fed by events; lives as long as the page is open.

    A page may redirect, by script or by `<meta http-equiv=refresh>`: it has loaded when no redirect is in progress or
    announced for the next `patience` seconds, and the current document has loaded.
    """

    clock: asyncio.AbstractEventLoop
    frame: str
    source: str = ""
    loader: str = ""
    url: str = ""
    patience: float = 0.0
    crashed: bool = False
    closed: bool = False  # by the page itself
    status: int | None = None
    media_type: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    redirects: int = 0
    requests: int = 0
    capped: bool = False  # it wanted more parts than allowed, and gets no more
    wire_bytes: int = 0
    decoded_bytes: int = 0
    under_way: set[str] = field(default_factory=set)
    origins: set[str] = field(default_factory=set)
    progress: float = 0.0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    elements: int = 0
    scripts: bool = False
    fonts: str = ""
    scrolled: bool = False
    window: tuple[int, int] = (0, 0)
    frames_of_others: bool = False
    held: int = 0  # requests for the page that wait for their turn
    waited: float = 0.0  # seconds for which they did
    timed: bool = False  # it is a saved page whose clock has stopped, or will when the time granted to it has passed
    passing: bool = False  # that time has not passed yet
    moves: int = 0  # how often the address changed or began to
    notes: list[str] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    _within: str = ""  # the address that the page has given itself without leaving
    _main: str = ""
    _before: "_Answer | None" = None  # what is known of the page that a request for another may replace
    _packed: bool = False
    _of_frames: dict[str, str] = field(default_factory=dict)  # frames by the requests for their documents
    _loaded: set[str] = field(default_factory=set)
    _leaving: bool = False
    _leaving_soon: bool = False
    _held_since: float = 0.0

    @property
    def loaded(self) -> bool:
        """Whether the document has loaded and will stay."""
        return self.loader in self._loaded and not self.leaving

    @property
    def leaving(self) -> bool:
        """Whether the page is about to be replaced by another."""
        return self._leaving or self._leaving_soon

    @property
    def address(self) -> str:
        """The address that the tab shows; scripts can change it without a request."""
        return self._within or self.url

    def begin_action(self) -> None:
        """Count redirects and requests from here: limits are for the consequences of one action."""
        self.redirects = self.requests = 0
        self.capped = False
        self.waited = 0.0
        self.progress = self.clock.time()

    def pause(self) -> None:
        """A request for the next page begins to wait for its turn; that time is not the page's."""
        self.held += 1
        self._held_since = self.clock.time() if self.held == 1 else self._held_since

    def resume(self) -> None:
        """The request has its turn, or was refused."""
        self.held -= 1
        if not self.held:
            self.progress = self.clock.time()
            self.waited += self.progress - self._held_since
            self.changed.set()

    async def moved(self, moves: int, seconds: float) -> None:
        """Wait until the tab has moved more often than this: the browser may answer a call before that."""
        with suppress(TimeoutError):  # a page may hold on to itself; then there is nothing to wait for
            async with asyncio.timeout(seconds):
                while self.moves <= moves and not self.crashed:
                    self.changed.clear()
                    await self.changed.wait()

    def note(self, text: str) -> None:
        """Add a note, once."""
        if text not in self.notes:
            self.notes.append(text)

    def gap(self, text: str) -> None:
        """Add a note that says that something is missing."""
        self.note(text)
        if text not in self.gaps:
            self.gaps.append(text)

    def see(self, method: str, params: dict[str, Any]) -> None:
        """Process an event."""
        handler = HANDLERS.get(method)
        if handler:
            handler(self, params)
            self.progress = self.clock.time()
            self.changed.set()

    def _request(self, params: dict[str, Any]) -> None:
        address = params.get("request", {}).get("url", "")
        if address.startswith(("data:", "blob:")):
            return
        number = params["requestId"]
        if params.get("type") == "Document":
            place = urlsplit(address)
            if params.get("frameId") == self.frame:
                self._before = self._before if number == self._main else self._answer()
                self._main = number
                self.origins.add(f"{place.scheme}://{place.netloc}")
                self.redirects += "redirectResponse" in params
            else:
                self._of_frames[number] = params.get("frameId", "")
                self.frames_of_others = self.frames_of_others or place.netloc != urlsplit(self.url).netloc
        self.requests += 1
        if params.get("type") not in ENDLESS:
            self.under_way.add(number)

    def _answer(self) -> "_Answer":
        return self.url, self.status, self.media_type, self.headers, self._packed, self.wire_bytes, self.decoded_bytes

    def _failed(self, params: dict[str, Any]) -> None:
        """An answer that did not become a page, such as a download, leaves the page before as it was."""
        self._finished(params)
        if params["requestId"] == self._main != self.loader and self.loader and self._before:
            self.url, self.status, self.media_type, self.headers = self._before[:4]
            self._packed, self.wire_bytes, self.decoded_bytes = self._before[4:]

    def _response(self, params: dict[str, Any]) -> None:
        if params["requestId"] != self._main:
            return
        response = params["response"]
        self.status = response.get("status")
        self.media_type = response.get("mimeType", "")
        self.headers = tuple((str(name), str(value)) for name, value in response.get("headers", {}).items())
        self.url = response.get("url", self.url)
        headers = {name.lower(): value for name, value in self.headers}
        self._packed = "content-encoding" in headers
        self.wire_bytes = int(headers["content-length"]) if headers.get("content-length", "").isdecimal() else 0

    def _data(self, params: dict[str, Any]) -> None:
        if params["requestId"] == self._main:
            self.decoded_bytes += params.get("dataLength", 0)
            self.wire_bytes = self.wire_bytes if self._packed else max(self.wire_bytes, self.decoded_bytes)

    def _finished(self, params: dict[str, Any]) -> None:
        self.under_way.discard(params["requestId"])
        if params["requestId"] == self._main:
            self.wire_bytes = max(self.wire_bytes, int(params.get("encodedDataLength", 0)))

    def _detached(self, params: dict[str, Any]) -> None:
        """A frame is gone, or went to a process of its own, where the end of its request is not announced to us."""
        gone = {number for number, frame in self._of_frames.items() if frame == params["frameId"]}
        self.under_way -= gone

    def _lifecycle(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self.frame and params["name"] == "load":
            self._loaded.add(params["loaderId"])

    def _requested(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self.frame and params.get("disposition", "currentTab") == "currentTab":
            self._leaving = True

    def _announced(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self.frame and params.get("delay", 0) <= self.patience:
            self._leaving_soon = True

    def _recalled(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self.frame:
            self._leaving_soon = False

    def _started(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self.frame and not params.get("navigationType", "").endswith(SAME_DOCUMENT):
            self._leaving = params.get("url") != BLANK
            self.moves += 1

    def _stopped(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self.frame:
            self._leaving = False

    def _navigated(self, params: dict[str, Any]) -> None:
        frame = params["frame"]
        if frame["id"] != self.frame or frame.get("url") == BLANK:
            return
        # Requests of the previous page are dropped with it, often without an event.
        self.under_way.intersection_update({self._main})
        if self.loader and frame["loaderId"] != self.loader:
            self.redirects += 1
            self.wire_bytes = self.decoded_bytes = 0
        self.loader = frame["loaderId"]
        self.timed = self.passing = False
        self._within = ""
        self._leaving = self._leaving_soon = False

    def _passed(self, _: dict[str, Any]) -> None:
        self.passing = False

    def _moved_within(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self.frame:
            self.moves += 1
            self._within = params.get("url", "")

    def _crash(self, params: dict[str, Any]) -> None:
        self.crashed = True
        self.closed = "targetId" in params  # then the browser says that we were detached, which a crash does not do


HANDLERS = {
    "Network.requestWillBeSent": Visit._request,
    "Network.responseReceived": Visit._response,
    "Network.dataReceived": Visit._data,
    "Network.loadingFinished": Visit._finished,
    "Network.loadingFailed": Visit._failed,
    "Page.frameDetached": Visit._detached,
    "Page.lifecycleEvent": Visit._lifecycle,
    "Page.frameRequestedNavigation": Visit._requested,
    "Page.frameScheduledNavigation": Visit._announced,
    "Page.frameClearedScheduledNavigation": Visit._recalled,
    "Page.frameStartedNavigating": Visit._started,
    "Page.frameStoppedLoading": Visit._stopped,
    "Page.frameNavigated": Visit._navigated,
    "Page.navigatedWithinDocument": Visit._moved_within,
    "Inspector.targetCrashed": Visit._crash,
    "Emulation.virtualTimeBudgetExpired": Visit._passed,
}


# What can go wrong with a visit, in words: the table from the browser's errors to ours.

MARKUP_TYPES = frozenset(("", "text/html", "application/xhtml+xml", "text/plain", "application/xml", "text/xml"))

# What is read without the browser: PDFs, and pictures, which it would put into a page of its own.
PRINTED = frozenset({"application/pdf", "image/png", "image/jpeg", "image/tiff", "image/webp"})
TOO_MANY_REDIRECTS = "net::ERR_TOO_MANY_REDIRECTS"
ABORTED = "net::ERR_ABORTED"
BLOCKED = "net::ERR_BLOCKED_BY_CLIENT"
CERTIFICATE = "net::ERR_CERT_"
WITHOUT_CONTENT = (204, 205)
UNREACHABLE = {
    "net::ERR_NAME_NOT_RESOLVED": "the host has no address; check the spelling",
    "net::ERR_CONNECTION_REFUSED": "the host refuses connections; check the port, or try later",
    "net::ERR_INTERNET_DISCONNECTED": "there is no network",
    "net::ERR_CONNECTION_RESET": "the host closed the connection; try later",
    "net::ERR_CONNECTION_CLOSED": "the host closed the connection; try later",
    "net::ERR_EMPTY_RESPONSE": "the host sent no answer; try later",
    "net::ERR_ADDRESS_UNREACHABLE": "the host is unreachable; check your connection",
    "net::ERR_CONNECTION_TIMED_OUT": "the host does not answer; try later",
    "net::ERR_TUNNEL_CONNECTION_FAILED": "the address may not be visited",
    "net::ERR_PROXY_CONNECTION_FAILED": "the proxy cannot be reached; check its address",
    "net::ERR_UNSAFE_REDIRECT": "redirects to an address that may not be visited",
    "net::ERR_UNKNOWN_URL_SCHEME": "redirects to something that is not a web address",
    "net::ERR_INVALID_REDIRECT": "redirects to something that is not a web address",
    "net::ERR_SSL_PROTOCOL_ERROR": "the host does not support TLS properly; try http://",
    "net::ERR_INVALID_RESPONSE": "the host's answer is not HTTP",
    "net::ERR_INVALID_HTTP_RESPONSE": "the host's answer is not HTTP",
}
BROKEN = frozenset(("net::ERR_CONNECTION_RESET", "net::ERR_CONNECTION_CLOSED", "net::ERR_EMPTY_RESPONSE"))


ERROR_STATUS = 400  # and all above


class IsPrinted(UnreadableError):
    """The address leads to a PDF or a picture, which is read without the browser."""


def check_start(error: str | None, visit: Visit, source: str, limits: Limits) -> None:
    """Raise the error with which a navigation ended, if any."""
    if not error:
        return
    if error == TOO_MANY_REDIRECTS:
        raise LimitError(
            source, f"redirects more than {limits.redirects} times, perhaps in a circle.", limit="redirects"
        )
    if error == ABORTED and visit.status in WITHOUT_CONTENT:
        raise UnreachableError(source, f"answered with status {visit.status}, which means that there is no content.")
    if error == ABORTED and visit.media_type in PRINTED:
        raise IsPrinted(source, f"is {visit.media_type}.")
    if error == ABORTED:
        _check_status(visit, source)
        kind = visit.media_type or "something that is not a page"
        raise UnreadableError(source, f"is a download ({kind}); save it and give the file instead.")
    if error.startswith(CERTIFICATE):
        raise UnreachableError(source, f"the host's certificate is not valid ({error.removeprefix('net::ERR_')}).")
    _check_status(visit, source)  # of a download with an error status, the browser says that it is not HTTP
    problem = UNREACHABLE.get(error, f"could not be loaded ({error})") + "."
    raise UnreachableError(source, problem, passing=error in BROKEN)


def check_kind(visit: Visit, source: str) -> None:
    """Reject anything but markup and text."""
    if visit.media_type in PRINTED:
        raise IsPrinted(source, f"is {visit.media_type}.")
    if visit.media_type not in MARKUP_TYPES and not visit.media_type.endswith("+xml"):
        _check_status(visit, source)
        raise UnreadableError(source, f"is {visit.media_type}, not a page; give the address of a page.")


def _check_status(visit: Visit, source: str) -> None:
    """Reject an error status: what a server sends with it says nothing about the address."""
    if visit.status is not None and visit.status >= ERROR_STATUS:
        raise status_problem(source, visit.status)


def check_limits(visit: Visit, source: str, limits: Limits) -> None:
    """Check the limits that are counted while a page loads."""
    problem: SourceError | None = None
    if visit.redirects > limits.redirects:
        text = f"redirects more than {limits.redirects} times, perhaps in a circle (limit: redirects)."
        problem = LimitError(source, text, limit="redirects")
    elif visit.wire_bytes > limits.document_bytes:
        text = f"is larger than {limits.document_bytes:,} bytes; raise the limit `document_bytes` to read it."
        problem = LimitError(source, text, limit="document_bytes")
    elif visit.decoded_bytes > limits.decoded_bytes:
        text = f"unpacks to more than {limits.decoded_bytes:,} bytes; raise the limit `decoded_bytes` to read it."
        problem = LimitError(source, text, limit="decoded_bytes")
    if problem:
        raise problem
