"""The wire to a tab: calls, scripts of ours in the page, and the page as the browser laid it out."""

import base64
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

import orjson

from sightline.geometry import Box
from sightline.net import SiteAccess
from sightline.sources.browser._element_scripts import LAY_OUT_ALL, MEASURE, SHADOWS
from sightline.sources.browser._pipe import CallError, CallTimeout, Connection, ConnectionLost, ScriptFailed
from sightline.sources.browser._settings import BrowserSettings
from sightline.sources.browser._snapshot import STYLES, Shadows
from sightline.sources.browser._word_boxes import LINES, CssFont

CALL_SECONDS = 10.0
LARGEST_SCREENSHOT = 16_000  # pixels each way; the browser's own limit is 16,384


class TabWire:
    """Calls the browser for one tab, and asks the page in it by scripts of ours."""

    def __init__(self, connection: Connection, context: str, target: str, session: str) -> None:
        self.connection = connection
        self.context = context
        self.target = target
        self.session = session
        self._world: int | None = None  # in which our scripts run

    # ------------------------------------------------------------------ calls and scripts

    async def call(
        self, method: str, params: dict[str, Any] | None = None, *, seconds: float = CALL_SECONDS
    ) -> dict[str, Any]:
        """Call a DevTools method of this tab."""
        return await self.connection.call(method, params, session=self.session, seconds=seconds)

    async def _evaluate(self, expression: str, *, seconds: float) -> Any:
        """The value of an expression in an isolated world, where the page's scripts cannot interfere."""
        return await self._value("Runtime.evaluate", "contextId", {"expression": expression}, seconds)

    async def ask(self, function: str, *arguments: object, seconds: float = CALL_SECONDS) -> Any:
        """The value of a function in the isolated world of the page."""
        options = {"functionDeclaration": function, "arguments": [{"value": argument} for argument in arguments]}
        return await self._value("Runtime.callFunctionOn", "executionContextId", options, seconds)

    async def _value(self, method: str, world: str, options: dict[str, Any], seconds: float) -> Any:
        """What a script of ours returns; it is run again if the page was just replaced, and its world with it."""
        try:
            answer = await self._in_world(method, world, options, seconds)
        except (ConnectionLost, CallTimeout):
            raise
        except CallError:
            answer = await self._in_world(method, world, options, seconds)
        if "exceptionDetails" in answer:
            raise ScriptFailed(answer["exceptionDetails"].get("text", "a script of ours failed in the page"))
        return answer["result"].get("value")

    async def _in_world(self, method: str, world: str, options: dict[str, Any], seconds: float) -> dict[str, Any]:
        self._world = self._world or await self._new_world(self.target, self.session, seconds)
        try:
            how = {world: self._world, "returnByValue": True, "awaitPromise": True}
            return await self.call(method, options | how, seconds=seconds)
        except CallError:
            self._world = None
            raise

    async def _new_world(self, frame: str, session: str, seconds: float) -> int:
        world = {"frameId": frame, "worldName": WORLD}
        answer = await self.connection.call("Page.createIsolatedWorld", world, session=session, seconds=seconds)
        return int(answer["executionContextId"])

    async def document_handle(self, group: str, *, frame: str = "", session: str = "") -> str:
        """A handle of the document of the page, or of one of its frames, in our isolated world."""
        session = session or self.session
        world = await self._new_world(frame or self.target, session, CALL_SECONDS)
        options = {"expression": "document", "contextId": world, "objectGroup": group}
        answer = await self.connection.call("Runtime.evaluate", options, session=session, seconds=CALL_SECONDS)
        return str(answer["result"]["objectId"])

    # ------------------------------------------------------------------ capture

    async def capture(self, seconds: float) -> bytes:
        """Tree, boxes, styles and lines of text, as the bytes of the browser's answer."""
        options = {"computedStyles": list(STYLES), "includePaintOrder": False, "includeDOMRects": False}
        return await self.connection.call_raw(
            "DOMSnapshot.captureSnapshot", options, session=self.session, seconds=seconds
        )

    async def shadows(self) -> Shadows:
        """Where shadow trees begin and slots are filled."""
        count, hosts, slots = await self._evaluate(SHADOWS, seconds=CALL_SECONDS)
        return Shadows(count, hosts, slots)

    async def lines(self, paths: list[str]) -> list[list[Box]]:
        """The boxes of the lines of text nodes, found by their XPaths."""
        lines: list[list[Box]] = await self._evaluate(LINES % orjson.dumps(paths).decode(), seconds=CALL_SECONDS)
        return lines

    async def measure(self, fonts: Mapping[CssFont, list[str]]) -> dict[CssFont, dict[str, float]]:
        """The widths of characters in these fonts, alone or followed by another."""
        wanted = [[font.css(), pieces] for font, pieces in fonts.items()]
        widths = await self._evaluate(MEASURE % orjson.dumps(wanted).decode(), seconds=CALL_SECONDS)
        pairs = zip(fonts.items(), widths, strict=True)
        return {font: dict(zip(pieces, measured, strict=True)) for (font, pieces), measured in pairs}

    async def screenshot(self, size: tuple[int, int]) -> bytes:
        """A screenshot of the whole page, up to the browser's maximum size."""
        width, height = (min(max(side, 1), LARGEST_SCREENSHOT) for side in size)
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        options = {"format": "png", "captureBeyondViewport": True, "clip": clip}
        return base64.b64decode((await self.call("Page.captureScreenshot", options, seconds=30))["data"])

    async def window_screenshot(self) -> bytes:
        """A screenshot of what the window shows now."""
        return base64.b64decode((await self.call("Page.captureScreenshot", {"format": "png"}))["data"])


# -- what a tab is told before its first page -----------------------------------------------------------------------

Call: TypeAlias = tuple[str, dict[str, Any]]

WORLD = "sightline"
NOTHING: dict[str, Any] = {}
MEDIA = [
    "mp4",
    "m4v",
    "webm",
    "mov",
    "avi",
    "mkv",
    "ogv",
    "m3u8",
    "mpd",
    "ts",
    "mp3",
    "m4a",
    "aac",
    "ogg",
    "oga",
    "wav",
    "flac",
]
IMAGES = ["png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp"]


def asking_for_all(*, logins: bool = True) -> Call:
    """Ask before every request, and for logins."""
    return "Fetch.enable", {"patterns": [{"urlPattern": "*"}], "handleAuthRequests": logins}


def guarding(access: SiteAccess | None) -> Iterator[Call]:
    """Ask before every document, or before every request if some are changed; nothing may load one in its stead."""
    documents = {"patterns": [{"urlPattern": "*", "resourceType": "Document"}], "handleAuthRequests": True}
    yield asking_for_all() if access and access.changes_requests else ("Fetch.enable", documents)
    yield "Network.setBypassServiceWorker", {"bypass": True}
    yield "Page.setPrerenderingAllowed", {"isAllowed": False}


class TabStart(NamedTuple):
    """How a tab loads pages; a guarded one asks before every document."""

    settings: BrowserSettings
    user_agent: str
    guarded: bool = False
    access: SiteAccess | None = None
    more: tuple[Call, ...] = ()

    def calls(self) -> Iterator[Call]:
        """The DevTools calls that say so."""
        settings = self.settings
        # A window that people see has the size they give it.
        width, height = (0, 0) if settings.headed else (settings.width, settings.height)
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        yield "Page.enable", NOTHING
        yield "Network.enable", {"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}
        yield "Page.setLifecycleEventsEnabled", {"enabled": True}
        yield "Inspector.enable", NOTHING
        yield "Emulation.setDeviceMetricsOverride", size
        yield "Page.addScriptToEvaluateOnNewDocument", {"source": LAY_OUT_ALL, "worldName": WORLD}
        yield "Runtime.enable", NOTHING  # without it that script runs on pages with scripts of their own only
        yield "Network.setUserAgentOverride", {"userAgent": self.user_agent}
        yield "Network.setBlockedURLs", {"urls": self.blocked()}
        if not settings.scripts:
            yield "Emulation.setScriptExecutionDisabled", {"value": True}
        if self.guarded:
            yield from guarding(self.access)
        yield from self.more

    def blocked(self) -> list[str]:
        """The addresses of what is not loaded, as patterns."""
        settings = self.settings
        suffixes = [*(MEDIA if not settings.media else ()), *(IMAGES if not settings.images else ())]
        return [pattern for suffix in suffixes for pattern in (f"*.{suffix}", f"*.{suffix}?*")]
