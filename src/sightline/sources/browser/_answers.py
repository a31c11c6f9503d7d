"""The JSON that pages fetch while they are open, kept as it comes.

Only what scripts fetch (XHR and fetch) counts, by GET or POST, and only the frames of the page's own process. What is
left out is told in `gaps`. Tokens and cookies of the requests stay in memory, for programs that ask again; from the
moment they are seen, nothing that is printed or written repeats them.
"""

import asyncio
import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sightline.net import megabytes, page_answer, remember_request
from sightline.page import PageAnswer, PageAnswers, PageRequest
from sightline.sources.browser._pipe import CallError
from sightline.sources.browser._settings import AnswerSettings
from sightline.sources.browser._tab_wire import TabWire

SCRIPTED = frozenset(("XHR", "Fetch"))
METHODS = frozenset(("GET", "POST"))
HELD_BYTES = 100_000_000  # of all that a page loads, by the browser, until it makes room for what comes later
POSTED_BYTES = 1_000_000  # a query has some hundred; what is larger is an upload
# What servers call JSON: its own types, and those of servers that know no better.
MAYBE_JSON = re.compile(r"json|^text/(?:plain|html|javascript)|javascript|^application/octet-stream|^$")
# What the connection or the browser says, and no script; the browser's own name is ours to say.
OF_BROWSER = re.compile(
    r":.*|sec-.*|user-agent|host|connection|content-length|transfer-encoding|upgrade.*|te|keep-alive|accept-encoding|"
    r"origin|referer|dnt|priority|pragma|cache-control|if-.*|range|proxy-.*"
)


@dataclass
class _Asked:
    """A request that is under way."""

    place: int
    url: str
    method: str
    headers: dict[str, str]
    body: str = ""
    whole: bool = True  # what it posted is known
    status: int = 0
    headers_back: tuple[tuple[str, str], ...] = ()
    size: int = 0

    @property
    def request(self) -> PageRequest:
        """What can be asked again."""
        sent = tuple((name, value) for name, value in self.headers.items() if not OF_BROWSER.fullmatch(name))
        return PageRequest(self.url, self.method, sent, self.body)


@dataclass(eq=False)
class AnswerKeeper:
    """Keeps the answers of one tab, in the order in which they were asked for."""

    tab: TabWire
    settings: AnswerSettings
    _asked: dict[str, _Asked] = field(default_factory=dict)
    _cookies: dict[str, str] = field(default_factory=dict)
    _reading: set[asyncio.Task[None]] = field(default_factory=set)
    _kept: dict[int, PageAnswer] = field(default_factory=dict)  # by their order
    _gaps: dict[str, None] = field(default_factory=dict)
    _bytes: int = 0
    _begun: int = 0
    _sent_before: int = 0

    async def open(self) -> None:
        """Have the browser hold what it received until it was read."""
        sizes = {"maxTotalBufferSize": HELD_BYTES, "maxResourceBufferSize": self.settings.answer_bytes}
        await self.tab.call("Network.enable", {**sizes, "maxPostDataSize": POSTED_BYTES})

    def abandon(self) -> None:
        """Keep nothing from here; the tab is about to be closed."""
        for task in self._reading:
            task.cancel()

    def close(self) -> None:
        """Keep nothing from here; the browser need not hold what it received."""
        self.abandon()
        nothing = {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}
        self.tab.connection.send("Network.enable", nothing, session=self.tab.session)

    async def take(self) -> PageAnswers:
        """The answers since they were last taken, once those that have come are read."""
        while self._reading:
            await asyncio.gather(*self._reading, return_exceptions=True)
        found = PageAnswers(tuple(self._kept[place] for place in sorted(self._kept)), tuple(self._gaps))
        self._kept, self._gaps, self._bytes, self._begun = {}, {}, 0, 0
        return found

    def hear(self, method: str, params: Mapping[str, Any]) -> None:
        """Follow what the browser tells of requests."""
        if handler := HANDLERS.get(method):
            handler(self, params)

    # ------------------------------------------------------------------ what the browser tells

    def _sent(self, params: Mapping[str, Any]) -> None:
        request, number = params["request"], params["requestId"]
        if params.get("type") not in SCRIPTED or request["method"] not in METHODS:
            return
        headers = {str(name).lower(): str(value) for name, value in request["headers"].items()}
        body = request.get("postData", "")
        is_whole = body != "" or not request.get("hasPostData")
        self._sent_before += 1
        asked = _Asked(self._sent_before, request["url"], request["method"], headers, body, is_whole)
        if number in self._cookies:
            asked.headers["cookie"] = self._cookies.pop(number)
        self._asked[number] = asked

    def _sent_more(self, params: Mapping[str, Any]) -> None:
        """The cookies of a request, which are told apart from it, before or after."""
        cookie = next((value for name, value in params["headers"].items() if name.lower() == "cookie"), "")
        if not cookie:
            return
        if asked := self._asked.get(params["requestId"]):
            asked.headers["cookie"] = cookie
        elif len(self._cookies) < self.settings.number:
            self._cookies[params["requestId"]] = cookie

    def _answered(self, params: Mapping[str, Any]) -> None:
        number, response = params["requestId"], params["response"]
        asked = self._asked.get(number)
        if asked is None:
            self._cookies.pop(number, None)
            return
        asked.status = response.get("status", 0)
        asked.headers_back = tuple((str(name), str(value)) for name, value in response.get("headers", {}).items())
        if not 200 <= asked.status < 300 or not MAYBE_JSON.search(response.get("mimeType", "")):
            del self._asked[number]

    def _received(self, params: Mapping[str, Any]) -> None:
        if asked := self._asked.get(params["requestId"]):
            asked.size += params.get("dataLength", 0)

    def _finished(self, params: Mapping[str, Any]) -> None:
        number = params["requestId"]
        asked = self._asked.pop(number, None)
        if asked is None or not self._has_room(asked):
            return
        self._begun += 1
        self._bytes += asked.size
        task = asyncio.get_running_loop().create_task(self._read(number, asked))
        self._reading.add(task)
        task.add_done_callback(self._reading.discard)

    def _failed(self, params: Mapping[str, Any]) -> None:
        self._asked.pop(params["requestId"], None)

    # ------------------------------------------------------------------ what is kept

    def _has_room(self, asked: _Asked) -> bool:
        """Whether an answer is kept; if not, why is told."""
        most = self.settings
        if asked.size > most.answer_bytes:
            limit = f"is larger than {megabytes(most.answer_bytes)}; raise `answer_bytes`"
            self._gaps[f"{asked.request.told} {limit} of AnswerSettings to keep it."] = None
        elif self._begun >= most.number:
            self._gaps[f"Answers after the first {most.number:,} were not kept; raise `number` of AnswerSettings."] = (
                None
            )
        elif self._bytes + asked.size > most.all_bytes:
            said = f"Answers beyond {megabytes(most.all_bytes)} in all were not kept"
            self._gaps[f"{said}; raise `all_bytes` of AnswerSettings."] = None
        elif not asked.whole:
            self._gaps[f"{asked.request.told} posted too much to be asked again, so its answer was not kept."] = None
        else:
            return True
        return False

    async def _read(self, number: str, asked: _Asked) -> None:
        remember_request(asked.url, asked.headers.items())
        try:
            answer = await self.tab.call("Network.getResponseBody", {"requestId": number})
        except CallError:  # the page that asked is gone, and its answers with it
            self._gaps[f"The answer to {asked.request.told} was gone before it could be read."] = None
            return
        body = answer.get("body", "")
        content = base64.b64decode(body) if answer.get("base64Encoded") else body.encode("utf-8", "replace")
        found = page_answer(asked.request, asked.status, asked.headers_back, content)
        if found is not None:
            self._kept[asked.place] = found


HANDLERS = {
    "Network.requestWillBeSent": AnswerKeeper._sent,
    "Network.requestWillBeSentExtraInfo": AnswerKeeper._sent_more,
    "Network.responseReceived": AnswerKeeper._answered,
    "Network.dataReceived": AnswerKeeper._received,
    "Network.loadingFinished": AnswerKeeper._finished,
    "Network.loadingFailed": AnswerKeeper._failed,
}
