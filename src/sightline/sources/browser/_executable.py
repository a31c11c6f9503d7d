"""Finding an installed Chromium, Chrome or Edge."""

import os
import shutil
import sys
from pathlib import Path

__all__ = ["SHELLS", "VARIABLE", "WINDOW_HINT", "find_browser"]

VARIABLE = "SIGHTLINE_BROWSER"

# The headless shell comes first: it is the same engine without a desktop, and needs half the time and memory.
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
COMMANDS = (
    *SHELLS,
    *("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"),
    *("microsoft-edge-stable", "microsoft-edge"),
)
WINDOW_HINT = (
    "install Chromium, Chrome or Edge itself (on Debian or Ubuntu: `apt-get install chromium`), or set "
    f"{VARIABLE} to the path of one"
)
MAC_APPLICATIONS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)


def find_browser(*, headed: bool = False) -> Path | None:
    """The browser that will be used: the one named by SIGHTLINE_BROWSER, or the first that is installed.

    Only browsers that can open a window are `headed`.
    """
    named = os.environ.get(VARIABLE)
    if named:
        found = shutil.which(named)
        return Path(found) if found else None
    for command in COMMANDS:
        found = shutil.which(command) if not headed or command not in SHELLS else None
        if found:
            return Path(found)
    return _on_a_mac() if sys.platform == "darwin" else None


def _on_a_mac() -> Path | None:
    folders = (Path("/Applications"), Path.home() / "Applications")
    candidates = (folder / application for application in MAC_APPLICATIONS for folder in folders)
    return next((path for path in candidates if path.exists()), None)
