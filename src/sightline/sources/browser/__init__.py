"""Pages rendered by Chromium, Chrome or Edge, driven over the DevTools pipe."""

from sightline.sources.browser._browser import Browser
from sightline.sources.browser._executable import find_browser
from sightline.sources.browser._failures import IsPdf
from sightline.sources.browser._scriptless import PLAIN, shows_more
from sightline.sources.browser._settings import BrowserSettings
from sightline.sources.browser._styles import STYLES

__all__ = [
    "PLAIN",
    "STYLES",
    "Browser",
    "BrowserSettings",
    "IsPdf",
    "find_browser",
    "shows_more",
]
