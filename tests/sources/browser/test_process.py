"""The browser's process: how it starts, what it holds, and that nothing of it stays."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sightline.sources import find_browser
from sightline.sources.browser._process import BrowserProcess, UserDataFolder, sweep_user_data

from ..._wait import BOUND, group_is_gone, happened, wait_until


def test_process_starts_and_leaves_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A browser answers, knows what it holds, and is gone with its children and its profile when stopped."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    async def run() -> tuple[int, int]:
        process = await BrowserProcess.start()
        assert process.alive
        assert len(list(tmp_path.iterdir())) == 1
        memory = process.memory()
        await process.stop()
        assert not process.alive
        return process.pid, memory

    pid, memory = asyncio.run(run())
    assert 10_000_000 < memory < 2_000_000_000
    wait_until(lambda: group_is_gone(pid))
    assert list(tmp_path.iterdir()) == []


def test_process_stops_one_that_does_not_listen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that hangs is asked, and then ended with its children."""
    monkeypatch.setattr("sightline.sources.browser._process.STOP_SECONDS", 0.2)

    async def run() -> int:
        process = await BrowserProcess.start()
        os.killpg(process.pid, signal.SIGSTOP)
        await process.stop()
        return process.pid

    pid = asyncio.run(run())
    wait_until(lambda: group_is_gone(pid))


def test_process_cancelled_at_its_start_is_gone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever stops waiting for a browser leaves none behind."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    async def run() -> None:
        starting = asyncio.create_task(BrowserProcess.start())
        await happened(lambda: list(tmp_path.iterdir()))
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)

    asyncio.run(run())
    assert list(tmp_path.iterdir()) == []


def test_profile_is_swept_only_without_its_owner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Profiles of living owners stay, whatever their process number; those of dead ones go."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    mine = UserDataFolder()
    program = (
        f"import os, tempfile; tempfile.tempdir = {str(tmp_path)!r}\n"
        "from sightline.sources.browser._process import UserDataFolder\n"
        "print(UserDataFolder().path, flush=True); os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=BOUND, check=True)
    dead = Path(done.stdout.decode().strip())
    (tmp_path / "sightline-browser-young").mkdir()
    old = tmp_path / "sightline-browser-old"
    old.mkdir()
    os.utime(old, (0, 0))
    assert dead.exists()
    sweep_user_data()
    assert {path.name for path in tmp_path.iterdir()} == {mine.path.name, "sightline-browser-young"}
    mine.remove()
    assert not mine.path.exists()


def test_browser_is_found_by_name_or_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The variable may hold a path or a command; without it the first installed browser is taken."""
    monkeypatch.delenv("SIGHTLINE_BROWSER", raising=False)
    found = find_browser()
    assert found, "these tests need a browser; run `sightline doctor --install`"
    monkeypatch.setenv("SIGHTLINE_BROWSER", found.name)
    assert find_browser() == found
    monkeypatch.setenv("SIGHTLINE_BROWSER", str(tmp_path / "none"))
    assert find_browser() is None
    monkeypatch.delenv("SIGHTLINE_BROWSER")
    monkeypatch.setattr("sightline.sources.browser._process.COMMANDS", ("no-such-browser",))
    assert find_browser() is None
