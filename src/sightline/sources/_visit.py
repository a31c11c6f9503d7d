"""One visit to a page: what the browser's events say of it, and when it has come to rest."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Visit"]

# Connections that stay open for good and say nothing about whether a page is complete.
ENDLESS = frozenset(("EventSource", "WebSocket", "Ping", "Media", "Preflight", "CSPViolationReport"))


@dataclass
class Visit:
    """The state of one navigation, fed by events; lives as long as the page is open."""

    clock: asyncio.AbstractEventLoop
    frame: str
    loader: str = ""
    url: str = ""
    loaded: bool = False
    crashed: bool = False
    status: int | None = None
    media_type: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    redirects: int = 0
    requests: int = 0
    wire_bytes: int = 0
    decoded_bytes: int = 0
    under_way: set[str] = field(default_factory=set)
    progress: float = 0.0
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    elements: int = 0
    own_fonts: bool = False
    notes: list[str] = field(default_factory=list)
    _main: str = ""

    def see(self, method: str, params: dict[str, Any]) -> None:
        """Take in one event."""
        handler = HANDLERS.get(method)
        if handler:
            handler(self, params)
            self.progress = self.clock.time()
            self.changed.set()

    def _request(self, params: dict[str, Any]) -> None:
        if params.get("request", {}).get("url", "").startswith(("data:", "blob:")):
            return
        number = params["requestId"]
        is_main = params.get("type") == "Document" and params.get("frameId") == self.frame
        if is_main:
            self._main = number
            self.redirects += "redirectResponse" in params
        self.requests += 1
        if params.get("type") not in ENDLESS:
            self.under_way.add(number)

    def _response(self, params: dict[str, Any]) -> None:
        if params["requestId"] != self._main:
            return
        response = params["response"]
        self.status = response.get("status")
        self.media_type = response.get("mimeType", "")
        self.headers = tuple((str(name), str(value)) for name, value in response.get("headers", {}).items())
        self.url = response.get("url", self.url)

    def _data(self, params: dict[str, Any]) -> None:
        if params["requestId"] == self._main:
            self.decoded_bytes += params.get("dataLength", 0)
            self.wire_bytes += params.get("encodedDataLength", 0)

    def _finished(self, params: dict[str, Any]) -> None:
        self.under_way.discard(params["requestId"])

    def _lifecycle(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self.frame and params["name"] == "load" and params["loaderId"] == self.loader:
            self.loaded = True

    def _navigated(self, params: dict[str, Any]) -> None:
        frame = params["frame"]
        if frame["id"] == self.frame and self.loader and frame["loaderId"] != self.loader:
            self.loader, self.loaded = frame["loaderId"], False

    def _crash(self, params: dict[str, Any]) -> None:
        self.crashed = True


HANDLERS = {
    "Network.requestWillBeSent": Visit._request,
    "Network.responseReceived": Visit._response,
    "Network.dataReceived": Visit._data,
    "Network.loadingFinished": Visit._finished,
    "Network.loadingFailed": Visit._finished,
    "Page.lifecycleEvent": Visit._lifecycle,
    "Page.frameNavigated": Visit._navigated,
    "Inspector.targetCrashed": Visit._crash,
}
