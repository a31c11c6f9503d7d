"""A session with a window that people see: it needs a display, and pages have the size of the window."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import sightline as sl
from sightline.errors import BrowserError
from sightline.sources import BrowserSettings
from sightline.sources.browser._process import SHELLS, find_browser

from .browser._site import html, site

HEADED = BrowserSettings(headed=True, width=900, height=700)
PAGE = html("""<title>Window</title><p id=told>nothing</p>
<button onclick="told.textContent = event.isTrusted + ' ' + innerWidth">press</button>""")


@pytest.fixture
def display() -> Iterator[str]:
    """A display of our own, as large as a desktop's."""
    server = shutil.which("Xvfb")
    if not server or not find_browser(headed=True):
        pytest.skip("needs Xvfb and a browser with windows")
    # The server chooses a free number and writes it to its standard output when it is ready.
    command = [server, "-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout
            yield f":{process.stdout.readline().strip()}"
        finally:
            process.terminate()


def test_headed_session_opens_a_window(display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything works as without one, and the page knows how large its window is."""
    monkeypatch.setenv("DISPLAY", display)
    with site({"/": PAGE}) as here, sl.session(browser=HEADED) as session:
        page = session.goto(here.url("/")).click("//button").capture()
        told = session.element("//p")
        width, height = page.viewport
        assert told and told.text == f"true {width}"
        assert (width, 400 < height <= 700) == (900, True)
        assert b"--headless" not in _command_line(session)


def test_headed_session_needs_a_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error says what is missing, instead of a browser that ends without a word."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if not find_browser(headed=True):
        pytest.skip("needs a browser with windows")
    with pytest.raises(BrowserError, match=r"there is no display.*without `headed`"):
        sl.session(browser=HEADED).__enter__()


def test_headed_session_needs_a_full_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A headless shell that was named for everything else has no windows."""
    shell = tmp_path / SHELLS[0]
    shell.write_text("#!/bin/sh\n")
    shell.chmod(0o700)
    monkeypatch.setenv("SIGHTLINE_BROWSER", str(shell))
    monkeypatch.setenv("DISPLAY", ":99")
    with pytest.raises(BrowserError, match="has no windows; name a full browser"):
        sl.session(browser=HEADED).__enter__()


def _command_line(session: sl.Session) -> bytes:
    (process,) = session._opened()._browser.processes
    return Path(f"/proc/{process.pid}/cmdline").read_bytes()
