"""One tab: goes to an address, waits until the page has come to rest, and brings it home in one call."""

import asyncio
import base64
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import orjson

from sightline.errors import DeadlineError, LimitError, SourceError, UnreachableError, UnreadableError
from sightline.sources._browser_settings import BrowserSettings
from sightline.sources._library import Library
from sightline.sources._limits import Limits
from sightline.sources._pipe import CallError, Connection
from sightline.sources._styles import STYLES
from sightline.sources._visit import Visit
from sightline.sources._words import EMOJI, EMOJI_SLOT, Font

__all__ = ["Tab"]

CALL_SECONDS = 10.0
WORLD = "sightline"
# A page on which nothing moved since it loaded is watched this long; one that still moved, longer after its last move.
QUIET_SECONDS = 0.05
QUIET_AFTER_ACTIVITY_SECONDS = 0.15
LOOK_EVERY_SECONDS = 0.025
ANSWER_SECONDS = 2.0  # a tab that takes longer for the smallest question is busy with a script
SCROLL_STEPS = 100
SCROLL_PAUSE_SECONDS = 0.1
TALLEST_SCREENSHOT = 16_000  # pixels; the browser's own limit is 16,384

MEDIA = ("mp4", "m4v", "webm", "mov", "avi", "mkv", "ogv", "m3u8", "mpd", "ts", "mp3", "m4a", "aac", "ogg", "oga", "wav", "flac")
IMAGES = ("png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp")

# Parts that are laid out only when scrolled to would be missing without a word (`content-visibility: auto`).
LAY_OUT_ALL = """
const sheet = new CSSStyleSheet();
sheet.replaceSync('*:not([hidden]) { content-visibility: visible !important }');
document.adoptedStyleSheets.push(sheet);
"""
LOOK = """(() => { const all = document.getElementsByTagName('*'), root = document.documentElement;
let scripts = 0; for (const s of document.scripts) if (!s.type || /javascript|module/i.test(s.type)) scripts++;
return [all.length, root ? root.scrollHeight : 0, root ? root.scrollWidth : 0,
  document.fonts.status === 'loaded' ? 1 : 0, document.fonts.size, scripts, document.readyState === 'complete' ? 1 : 0] })()"""
SCROLL = "(() => { window.scrollTo(0, %d); return document.documentElement.scrollHeight })()"
MEASURE = """(fonts => { const pen = document.createElement('canvas').getContext('2d');
return fonts.map(([font, characters]) => { pen.font = font; return Array.from(characters, c => pen.measureText(c).width) }) })(%s)"""

UNREACHABLE = {
    "net::ERR_NAME_NOT_RESOLVED": "the host has no address; check the spelling",
    "net::ERR_CONNECTION_REFUSED": "the host refuses connections; check the port, or try later",
    "net::ERR_INTERNET_DISCONNECTED": "there is no network",
    "net::ERR_CONNECTION_RESET": "the host broke off the connection; try later",
    "net::ERR_EMPTY_RESPONSE": "the host answered nothing; try later",
    "net::ERR_ADDRESS_UNREACHABLE": "there is no way to the host",
    "net::ERR_TUNNEL_CONNECTION_FAILED": "the address may not be visited",
    "net::ERR_PROXY_CONNECTION_FAILED": "the address may not be visited",
}
TOO_MANY_REDIRECTS = "net::ERR_TOO_MANY_REDIRECTS"
ABORTED = "net::ERR_ABORTED"


class Tab:
    """A browser tab in a profile of its own. Not for use by two at once."""

    def __init__(self, connection: Connection, context: str, target: str, session: str) -> None:
        self._connection = connection
        self._context = context
        self._target = target
        self._session = session
        self._visit: Visit | None = None
        self._library: Library | None = None
        self._remote = False
        self._answers: set[asyncio.Task[None]] = set()
        self.pages = 0
        self.worn = False  # changed in a way that the next page must not see

    # ------------------------------------------------------------------ opening and closing

    @classmethod
    async def open(cls, connection: Connection, settings: BrowserSettings, *, user_agent: str) -> "Tab":
        """A new tab in a new profile."""
        context = (await connection.call("Target.createBrowserContext", seconds=CALL_SECONDS))["browserContextId"]
        place = {"url": "about:blank", "browserContextId": context, "width": settings.width, "height": settings.height}
        target = (await connection.call("Target.createTarget", place, seconds=CALL_SECONDS))["targetId"]
        attach = {"targetId": target, "flatten": True}
        session = (await connection.call("Target.attachToTarget", attach, seconds=CALL_SECONDS))["sessionId"]
        tab = cls(connection, context, target, session)
        connection.listen(session, tab._hear)
        await tab._prepare(settings, user_agent)
        return tab

    async def _prepare(self, settings: BrowserSettings, user_agent: str) -> None:
        blocked = [*(MEDIA if not settings.media else ()), *(IMAGES if not settings.images else ())]
        patterns = [pattern for suffix in blocked for pattern in (f"*.{suffix}", f"*.{suffix}?*")]
        size = {"width": settings.width, "height": settings.height, "deviceScaleFactor": 1, "mobile": False}
        calls: list[tuple[str, dict[str, Any]]] = [
            ("Page.enable", {}),
            ("Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}),
            ("Page.setLifecycleEventsEnabled", {"enabled": True}),
            ("Inspector.enable", {}),
            ("Emulation.setDeviceMetricsOverride", size),
            ("Page.addScriptToEvaluateOnNewDocument", {"source": LAY_OUT_ALL, "worldName": WORLD}),
            ("Network.setUserAgentOverride", {"userAgent": user_agent}),
            ("Network.setBlockedURLs", {"urls": patterns}),
        ]
        if not settings.scripts:
            calls.append(("Emulation.setScriptExecutionDisabled", {"value": True}))
        await asyncio.gather(*(self._call(method, params) for method, params in calls))
        deny = {"behavior": "deny", "browserContextId": self._context}
        await self._connection.call("Browser.setDownloadBehavior", deny, seconds=CALL_SECONDS)

    async def close(self) -> None:
        """Close the tab and forget its profile."""
        self._connection.listen(self._session, None)
        for task in self._answers:
            task.cancel()
        with suppress(CallError, TimeoutError):
            await self._connection.call(
                "Target.disposeBrowserContext", {"browserContextId": self._context}, seconds=ANSWER_SECONDS
            )

    async def leave(self) -> None:
        """Go away from the page and forget what it stored, so that the next one starts clean."""
        self._visit = self._library = None
        self._connection.send("Fetch.disable", session=self._session)
        self._connection.send("Page.navigate", {"url": "about:blank"}, session=self._session)
        await self._connection.call("Storage.clearCookies", {"browserContextId": self._context}, seconds=ANSWER_SECONDS)

    # ------------------------------------------------------------------ a visit

    async def visit(self, url: str, source: str, limits: Limits, *, library: Library | None = None, remote: bool = False) -> Visit:
        """Go to an address and wait until the page is there and at rest; whatever is missing is noted."""
        self.pages += 1
        self._library, self._remote = library, remote
        if library:
            await self._call("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        visit = self._visit = Visit(clock=asyncio.get_running_loop(), frame=self._target, url=url)
        began = visit.clock.time()
        try:
            started = await self._call("Page.navigate", {"url": url}, seconds=limits.load_seconds)
        except TimeoutError as problem:
            raise DeadlineError(source, f"did not answer within {limits.load_seconds:g} s (load_seconds).") from problem
        _check_start(started.get("errorText"), visit, source, limits)
        visit.loader = visit.loader or started.get("loaderId", "")
        await self._until_loaded(visit, source, limits, began)
        await self._until_quiet(visit, source, limits)
        return visit

    def _check(self, visit: Visit, source: str, limits: Limits) -> None:
        """Stop at the limits that are errors, cut at the one that is not: parts beyond the last allowed fail to load."""
        _check_limits(visit, source, limits)
        if visit.requests > limits.subresources and not self.worn:
            self.worn = True
            self._connection.send("Network.setBlockedURLs", {"urls": ["*"]}, session=self._session)
            visit.notes.append(f"The page wanted more than {limits.subresources:,} parts; the rest was left out (subresources).")

    async def _until_loaded(self, visit: Visit, source: str, limits: Limits, began: float) -> None:
        while not visit.loaded and not visit.crashed:
            self._check(visit, source, limits)
            now = visit.clock.time()
            stalled = visit.progress + limits.settle_seconds - now
            left = min(began + limits.load_seconds - now, stalled if visit.status else limits.load_seconds)
            if left <= 0:
                visit.notes.append("The page was still loading when it was captured (load_seconds, settle_seconds).")
                return
            visit.changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await visit.changed.wait()

    async def _until_quiet(self, visit: Visit, source: str, limits: Limits) -> None:
        """Wait until neither the network nor the layout moves; a page without scripts rests once it has loaded."""
        began = last_move = visit.clock.time()
        before: list[int] | None = None
        moved = False
        while True:
            self._check(visit, source, limits)
            seen = await self._look(visit)
            now = visit.clock.time()
            if seen != before or visit.under_way:
                moved = moved or before is not None
                before, last_move = seen, now
            visit.elements, _, _, fonts_ready, fonts, scripts, _ = seen
            visit.own_fonts = fonts > 0
            quiet = 0.0 if not scripts else QUIET_AFTER_ACTIVITY_SECONDS if moved else QUIET_SECONDS
            if fonts_ready and not visit.under_way and now - last_move >= quiet:
                return
            if now - began > limits.settle_seconds:
                visit.notes.append("The page was still moving when it was captured (settle_seconds).")
                return
            await asyncio.sleep(LOOK_EVERY_SECONDS)

    async def _look(self, visit: Visit) -> list[int]:
        """A few numbers that change when the page does; a script that blocks the answer is stopped."""
        try:
            return await self._numbers(LOOK)
        except TimeoutError:
            await self._call("Runtime.terminateExecution", seconds=ANSWER_SECONDS)
            visit.notes.append("A script ran without end and was stopped.")
            return await self._numbers(LOOK)

    async def _numbers(self, expression: str, seconds: float = ANSWER_SECONDS) -> list[int]:
        numbers: list[int] = await self._evaluate(expression, seconds=seconds)
        return numbers

    async def scroll_to_end(self, visit: Visit, limits: Limits) -> None:
        """Scroll down step by step as long as the page grows, then back to the top."""
        at, height, step = 0, 1, 800
        for _ in range(SCROLL_STEPS):
            if at >= height:
                break
            at += step
            height = await self._evaluate(SCROLL % at, seconds=ANSWER_SECONDS)
            await asyncio.sleep(SCROLL_PAUSE_SECONDS)
            with suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    while visit.under_way:
                        await asyncio.sleep(LOOK_EVERY_SECONDS)
        else:
            visit.notes.append(f"The page went on growing; scrolling stopped after {SCROLL_STEPS} steps.")
        await self._evaluate(SCROLL % 0, seconds=ANSWER_SECONDS)
        await self._until_quiet(visit, visit.url, limits)

    # ------------------------------------------------------------------ bringing it home

    async def capture(self, seconds: float) -> bytes:
        """Tree, boxes, styles and lines of text, as the bytes of the browser's answer."""
        options = {"computedStyles": list(STYLES), "includePaintOrder": False, "includeDOMRects": False}
        return await self._connection.call_raw(
            "DOMSnapshot.captureSnapshot", options, session=self._session, seconds=seconds
        )

    async def measure(self, fonts: Mapping[Font, str]) -> dict[Font, dict[str, float]]:
        """The widths of characters in these fonts."""
        wanted = [[font.css(), characters.replace(EMOJI_SLOT, EMOJI)] for font, characters in fonts.items()]
        widths = await self._evaluate(MEASURE % _literal(wanted), seconds=CALL_SECONDS)
        pairs = zip(fonts.items(), widths, strict=True)
        return {font: dict(zip(characters, measured, strict=True)) for (font, characters), measured in pairs}

    async def screenshot(self, size: tuple[int, int]) -> bytes:
        """A picture of the whole page."""
        clip = {"x": 0, "y": 0, "width": max(size[0], 1), "height": min(max(size[1], 1), TALLEST_SCREENSHOT), "scale": 1}
        options = {"format": "png", "captureBeyondViewport": True, "clip": clip}
        return base64.b64decode((await self._call("Page.captureScreenshot", options, seconds=30))["data"])

    # ------------------------------------------------------------------ the wire

    async def _call(self, method: str, params: dict[str, Any] | None = None, *, seconds: float = CALL_SECONDS) -> dict[str, Any]:
        return await self._connection.call(method, params, session=self._session, seconds=seconds)

    async def _evaluate(self, expression: str, *, seconds: float) -> Any:
        """The value of an expression in a world of our own, where the page's scripts cannot interfere."""
        async with asyncio.timeout(seconds):
            world = {"frameId": self._target, "worldName": WORLD}
            context = (await self._call("Page.createIsolatedWorld", world, seconds=seconds))["executionContextId"]
            options = {"expression": expression, "contextId": context, "returnByValue": True}
            answer = await self._call("Runtime.evaluate", options, seconds=seconds)
        if "exceptionDetails" in answer:
            raise CallError(answer["exceptionDetails"].get("text", "a script of ours failed in the page"))
        return answer["result"].get("value")

    def _hear(self, method: str, params: dict[str, Any]) -> None:
        if method == "Page.javascriptDialogOpening":
            self._connection.send("Page.handleJavaScriptDialog", {"accept": True}, session=self._session)
        elif method == "Fetch.requestPaused":
            self._answer(params)
        elif self._visit:
            self._visit.see(method, params)

    def _answer(self, params: dict[str, Any]) -> None:
        """Serve a request of a saved page from its library; what was not saved fails at once, or is fetched if allowed."""
        number, url = {"requestId": params["requestId"]}, params["request"]["url"]
        found = self._library.find(url, params.get("resourceType", "")) if self._library else None
        if found:
            headers = [
                {"name": "Content-Type", "value": found.media_type},
                {"name": "Access-Control-Allow-Origin", "value": "*"},
            ]
            body = base64.b64encode(found.body).decode()
            answer = {**number, "responseCode": 200, "responseHeaders": headers, "body": body}
            self._connection.send("Fetch.fulfillRequest", answer, session=self._session)
        elif self._remote and url.startswith(("http://", "https://")) and not url.startswith("http://saved.invalid"):
            self._connection.send("Fetch.continueRequest", number, session=self._session)
        else:
            self._connection.send("Fetch.failRequest", {**number, "errorReason": "BlockedByClient"}, session=self._session)


def _literal(value: Any) -> str:
    """A value as JavaScript source; JSON is, but for two line separators that are safe since ES2019."""
    return orjson.dumps(value).decode()


def _check_start(error: str | None, visit: Visit, source: str, limits: Limits) -> None:
    if not error:
        return
    if error == TOO_MANY_REDIRECTS:
        raise LimitError(source, f"redirects more than {limits.redirects} times, perhaps in a circle.", limit="redirects")
    if error == ABORTED:
        kind = visit.media_type or "something that is not a page"
        raise UnreadableError(source, f"is a download ({kind}); save it and give the file instead.")
    raise UnreachableError(source, UNREACHABLE.get(error, f"could not be loaded ({error})") + ".")


def _check_limits(visit: Visit, source: str, limits: Limits) -> None:
    """The limits that are counted while a page loads."""
    problem: SourceError | None = None
    if visit.redirects > limits.redirects:
        problem = LimitError(source, f"redirects more than {limits.redirects} times.", limit="redirects")
    elif visit.wire_bytes > limits.document_bytes:
        text = f"is larger than {limits.document_bytes:,} bytes; raise the limit `document_bytes` to read it."
        problem = LimitError(source, text, limit="document_bytes")
    elif visit.decoded_bytes > limits.decoded_bytes:
        text = f"unpacks to more than {limits.decoded_bytes:,} bytes; raise the limit `decoded_bytes` to read it."
        problem = LimitError(source, text, limit="decoded_bytes")
    if problem:
        raise problem
