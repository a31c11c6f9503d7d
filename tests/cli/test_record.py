"""`sightline record`: a window opens, what is done in it is written, and Ctrl-C ends it with a replay."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sightline.sources.browser._process import find_browser

from .._wait import BOUND, wait_until
from ..sources.browser._site import html, site


@pytest.fixture
def display() -> Iterator[str]:
    """A display of our own."""
    server = shutil.which("Xvfb")
    if not server or not find_browser(headed=True):
        pytest.skip("needs Xvfb and a browser with windows")
    command = [server, "-displayfd", "1", "-screen", "0", "1400x1100x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout
            yield f":{process.stdout.readline().strip()}"
        finally:
            process.terminate()


def run(*words: str, **environment: str) -> "subprocess.Popen[str]":
    """The program, started."""
    command = [sys.executable, "-m", "sightline", "record", *words]
    known = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return subprocess.Popen(
        command, env={**known, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_record_writes_a_script_and_replays_it(display: str, tmp_path: Path) -> None:
    """The file is there from the first step on, and Ctrl-C ends the recording, not the replay."""
    out = tmp_path / "shop.nav.yaml"
    with site({"/": html("<title>Shop</title><h1>Shop</h1><button>Go</button>")}) as here:
        with run(here.url("/"), "-o", str(out), DISPLAY=display) as program:
            wait_until(out.exists)
            program.send_signal(signal.SIGINT)
            printed, notes = program.communicate(timeout=BOUND)
        assert program.returncode == 0, notes
        assert f"- open: {here.url('/')}" in out.read_text()
        assert printed.splitlines() == [f"  1  open {here.url('/')}", "1 of 1 steps replayed · ok"]
        assert "Playing it once in a fresh browser" in notes


def test_record_needs_a_display(tmp_path: Path) -> None:
    """The error says what is missing."""
    if not find_browser(headed=True):
        pytest.skip("needs a browser with windows")
    with run("http://127.0.0.1:9/", "-o", str(tmp_path / "x.nav.yaml")) as program:
        _, notes = program.communicate(timeout=BOUND)
    assert program.returncode == 1
    assert "there is no display" in notes
    assert "`sightline studio`" in notes


@pytest.mark.slow
def test_record_needs_an_address(tmp_path: Path) -> None:
    """A file cannot be recorded."""
    with run("shop.html", "-o", str(tmp_path / "x.nav.yaml")) as program:
        _, notes = program.communicate(timeout=BOUND)
    assert program.returncode == 2
    assert "shop.html is not an address" in notes
