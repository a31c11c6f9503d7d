"""How pages are rendered: one declaration for Python, the command line and the server."""

import os
from dataclasses import dataclass
from pathlib import Path

from sightline.settings import Settings, setting


@dataclass(frozen=True, kw_only=True)
class BrowserSettings(Settings):
    """How the browser renders a page."""

    headed: bool = setting(default=False, help="whether to show the browser's window, which needs a display")
    width: int = setting(1280, help="width of the window in pixels", minimum=100, maximum=10_000)
    height: int = setting(1024, help="height of the window in pixels", minimum=100, maximum=10_000)
    scripts: bool = setting(default=True, help="whether to run the page's scripts")
    images: bool = setting(default=True, help="whether to load images; without them many boxes move")
    media: bool = setting(default=False, help="whether to load video and audio")
    scroll: bool = setting(
        default=False, help="whether to scroll to the end first, for pages that load content on scrolling"
    )
    screenshot: bool = setting(default=False, help="whether to keep a screenshot of the page")
    remote: bool = setting(default=False, help="whether a saved page may load its missing parts from the network")
    tabs: int = setting(os.cpu_count() or 1, help="how many pages to open at once", minimum=1, maximum=64)
    pages_per_tab: int = setting(200, help="how many pages to open in a tab before replacing it", minimum=1)
    memory: int = setting(
        2_000_000_000, help="how many bytes of memory the browser may use before its tabs are replaced", minimum=1
    )


# What a session may cause: one declaration for all that only sessions do.


@dataclass(frozen=True, kw_only=True)
class SessionSettings(Settings):
    """What the pages of a session may do in answer to an action."""

    dialogs: int = setting(20, help="maximum number of dialogs that one action may open", minimum=0)
    tabs: int = setting(20, help="maximum number of tabs that pages may have open", minimum=1)
    download_bytes: int = setting(500_000_000, help="maximum bytes of a download", minimum=1)
    download_seconds: float = setting(600.0, help="maximum seconds for the downloads of one action", minimum=0.01)


@dataclass(frozen=True, kw_only=True)
class AnswerSettings(Settings):
    """How much of the JSON that pages fetch is kept, if it is kept at all."""

    number: int = setting(200, help="maximum number of answers", minimum=1)
    answer_bytes: int = setting(10_000_000, help="maximum bytes of one answer", minimum=1)
    all_bytes: int = setting(50_000_000, help="maximum bytes of all answers", minimum=1)


@dataclass(frozen=True, kw_only=True)
class SessionFiles:
    """Where a session keeps things, if anywhere: a folder for downloads, a file for cookies and storage."""

    downloads: Path | None = None
    state: Path | None = None
