"""What a tab is told before its first page."""

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from sightline.net import SiteAccess
from sightline.sources.browser._scripts import LAY_OUT_ALL
from sightline.sources.browser._settings import BrowserSettings

__all__ = ["NOTHING", "WORLD", "TabStart", "asking_for_all", "guarding"]

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
