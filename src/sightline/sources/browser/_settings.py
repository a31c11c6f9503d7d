"""How pages are rendered: one declaration for Python, the command line and the server."""

import os
from dataclasses import dataclass

from sightline.settings import Settings, setting

__all__ = ["BrowserSettings"]


@dataclass(frozen=True, kw_only=True)
class BrowserSettings(Settings):
    """What the browser does with a page."""

    width: int = setting(1280, help="how many pixels wide the window is", minimum=100, maximum=10_000)
    height: int = setting(1024, help="how many pixels high the window is", minimum=100, maximum=10_000)
    scripts: bool = setting(default=True, help="whether the page's scripts run")
    images: bool = setting(default=True, help="whether images load; without them many boxes move")
    media: bool = setting(default=False, help="whether video and audio load")
    scroll: bool = setting(default=False, help="whether to scroll to the end first, for pages that load as one scrolls")
    screenshot: bool = setting(default=False, help="whether the page keeps a picture of itself")
    remote: bool = setting(default=False, help="whether a saved page may load its missing parts from the network")
    tabs: int = setting(os.cpu_count() or 1, help="how many pages are open at once", minimum=1, maximum=64)
    pages_per_tab: int = setting(200, help="after how many pages a tab is replaced by a new one", minimum=1)
    memory: int = setting(
        2_000_000_000, help="how many bytes the browser may hold before its tabs are replaced", minimum=1
    )
