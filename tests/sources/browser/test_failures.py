"""Tabs and browsers that crash or hang: one page pays, and only after a second try."""

import asyncio
import os
import signal
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sightline import BrowserSettings, Limits, Page
from sightline.errors import BrowserError, BrowserMissing, DeadlineError, SightlineError
from sightline.net import Document
from sightline.sources import Browser, Loader
from sightline.sources.browser._process import BrowserProcess

from ._site import html, processes, rendered, shared_loader, site, texts, wait_until

LOOP = "<p>before<script>while (true) {}</script>"
MOVING = "<script>setInterval(() => document.body.append(document.createElement('i')), 5)</script>"
QUICK = Limits(load_seconds=1, settle_seconds=0.3, page_seconds=8)


def _document(body: str) -> Document:
    return Document(source="here", url="", content=f"<!doctype html>{body}".encode())


def _renderers(process: BrowserProcess) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            group = int((folder / "stat").read_bytes().rpartition(b")")[2].split()[2])
            if group == process.pid and b"--type=renderer" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def _with_killer(
    kill: Callable[[BrowserProcess], None], times: int, limits: Limits | None = None
) -> list[Page | SightlineError]:
    """Load a slow page, then a quick one, while `kill` strikes so many times at the browser of the first."""

    async def strike(browser: Browser) -> None:
        for _ in range(times):
            before = browser.process
            while browser.process is None or (browser.process is before and times > 1 and not browser.process.alive):
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.7)
            kill(browser.process)

    async def run() -> list[Page | SightlineError]:
        results: list[Page | SightlineError] = []
        async with Browser(BrowserSettings(tabs=1), limits or Limits(settle_seconds=1)) as browser:
            striking = asyncio.create_task(strike(browser))
            for body in (f"<p>slow{MOVING}", "<p>next"):
                try:
                    results.append(await browser.load_document(_document(body)))
                except SightlineError as error:
                    results.append(error)
            await striking
        return results

    return asyncio.run(run())


def _kill_renderers(process: BrowserProcess) -> None:
    for pid in _renderers(process):
        os.kill(pid, signal.SIGKILL)


def _kill_browser(process: BrowserProcess) -> None:
    os.kill(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("kill", [_kill_renderers, _kill_browser])
def test_browser_tries_a_killed_page_again(kill: Callable[[BrowserProcess], None]) -> None:
    """A renderer or a whole browser that dies under a page costs it one more try, and the next page nothing."""
    slow, after = _with_killer(kill, 1)
    assert isinstance(slow, Page), slow
    assert isinstance(after, Page), after
    assert (texts(slow), texts(after)) == (["slow"], ["next"])


def test_browser_gives_up_a_page_that_dies_twice() -> None:
    """After the second death the error names the page, and the next page is loaded as if nothing had been."""
    slow, after = _with_killer(_kill_renderers, 2, Limits(settle_seconds=3))
    assert isinstance(slow, BrowserError)
    assert "here: could not be rendered in 2 tries" in slow.message
    assert isinstance(after, Page), after


def test_browser_stops_a_script_without_end() -> None:
    """A script that never ends is stopped; what was there before it is the page."""
    page = shared_loader(None, QUICK).load(f"<!doctype html>{LOOP}".encode())
    assert texts(page) == ["before"]
    assert any("without end" in note for note in page.notes)


def test_browser_stops_scripts_that_come_again() -> None:
    """A script that hangs whenever it runs cannot hang the capture."""
    script = b"setInterval(() => { const end = Date.now() + 1e6; while (Date.now() < end); }, 1)"
    body = b"<!doctype html><p>text<script>" + script + b"</script>"
    page = shared_loader(None, QUICK).load(body)
    assert texts(page) == ["text"]
    assert texts(rendered("<p>next")) == ["next"]


def test_browser_keeps_to_the_deadline_of_a_page() -> None:
    """Whatever a page does, at page_seconds it is over, and the message names the page and the setting."""
    body = f"<!doctype html><p>x{MOVING}".encode()
    limits = Limits(page_seconds=0.4, settle_seconds=5)
    began = time.monotonic()
    with pytest.raises(DeadlineError, match=r"<bytes>.*0\.4 s.*page_seconds"):
        Loader(limits=limits).load(body)
    assert time.monotonic() - began < 4


def test_browser_does_not_count_the_wait_for_a_tab() -> None:
    """A page that waits for its turn has its whole time when the turn comes."""
    slow = f"<!doctype html><p>x{MOVING}".encode()

    async def run() -> list[Page]:
        limits = Limits(page_seconds=1.8, settle_seconds=0.5)
        async with Browser(BrowserSettings(tabs=1), limits) as browser:
            documents = [Document(source=str(number), url="", content=slow) for number in range(4)]
            return list(await asyncio.gather(*map(browser.load_document, documents)))

    assert len(asyncio.run(run())) == 4


def test_browser_holds_its_memory_budget() -> None:
    """A page that eats memory without end dies alone, and the browser goes on with the next."""
    script = "const kept = []; setInterval(() => kept.push(new Uint8Array(30_000_000).fill(1)), 20)"
    hog = f"<p>x{MOVING}<script>{script}</script>"

    async def run() -> tuple[str, Page, int]:
        settings = BrowserSettings(tabs=1, memory=600_000_000)
        async with Browser(settings, Limits(settle_seconds=20)) as browser:
            with pytest.raises(BrowserError) as caught:
                await browser.load_document(_document(hog))
            page = await browser.load_document(_document("<p>next"))
            assert browser.process
            return caught.value.message, page, browser.process.memory()

    message, page, memory = asyncio.run(run())
    assert "memory" in message
    assert texts(page) == ["next"]
    assert memory < 600_000_000


def test_browser_replaces_tabs_after_their_pages() -> None:
    """A tab shows so many pages and no more; the pages do not notice."""

    async def run() -> list[int]:
        counts = []
        async with Browser(BrowserSettings(tabs=1, pages_per_tab=2)) as browser:
            for number in range(5):
                page = await browser.load_document(_document(f"<p>{number}"))
                assert texts(page) == [str(number)]
                counts.append(len(browser._idle))
        return counts

    assert asyncio.run(run()) == [1, 0, 1, 0, 1]


def test_browser_says_when_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without any browser the error tells how to get one; a named one that is not there is named."""
    monkeypatch.setattr("sightline.sources.browser._executable.COMMANDS", ())
    monkeypatch.delenv("SIGHTLINE_BROWSER", raising=False)
    with pytest.raises(BrowserMissing, match="doctor --install"):
        Loader().load(b"<p>x")
    monkeypatch.setenv("SIGHTLINE_BROWSER", str(tmp_path / "none"))
    with pytest.raises(BrowserError, match=r"does not exist.*SIGHTLINE_BROWSER"):
        Loader().load(b"<p>x")
    (tmp_path / "file").write_text("no program")
    monkeypatch.setenv("SIGHTLINE_BROWSER", str(tmp_path / "file"))
    with pytest.raises(BrowserError, match="cannot be run"):
        Loader().load(b"<p>x")


@pytest.mark.parametrize(
    ("script", "problem"),
    [("#!/bin/sh\necho 'no display' >&2; exit 1", "no display"), ("#!/no/such/interpreter\n", "could not be started")],
)
def test_browser_says_why_it_did_not_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, problem: str
) -> None:
    """A browser that ends at once or cannot run is an error with its own last words; no profile stays."""
    program = tmp_path / "browser"
    program.write_text(script)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("SIGHTLINE_BROWSER", str(program))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(BrowserError, match=problem):
        Loader().load(b"<p>x")
    assert [path.name for path in tmp_path.iterdir()] == ["browser"]


def test_browser_says_when_it_does_not_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A program that starts and says nothing is given up in time, and killed."""
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("SIGHTLINE_BROWSER", str(program))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("sightline.sources.browser._process.START_SECONDS", 0.3)
    with pytest.raises(BrowserError, match="did not start"):
        Loader().load(b"<p>x")
    assert [path.name for path in tmp_path.iterdir()] == ["browser"]
    assert not processes(tmp_path)


def test_loader_stops_what_nobody_waits_for() -> None:
    """A loop over pages that is left early, or interrupted, leaves a loader that works."""
    with site({"/": html("<p>x")}) as here, Loader(settings=BrowserSettings(tabs=2)) as loader:
        pages = loader.load_all([here.url()] * 20)
        next(pages)
        pages.close()  # type: ignore[attr-defined]
        interrupt = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
        interrupt.start()
        with pytest.raises(KeyboardInterrupt):
            list(loader.load_all([here.url()] * 500))
        assert texts(loader.load(here.url())) == ["x"]
        assert wait_until(lambda: loader._users == 0)


def test_loader_serves_several_threads() -> None:
    """Plain calls from several threads share one browser."""
    with Loader() as loader:
        results: list[list[str]] = []
        threads = [
            threading.Thread(target=lambda n=n: results.append(texts(loader.load(f"<!doctype html><p>{n}".encode()))))  # type: ignore[misc]
            for n in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(results) == [[str(n)] for n in range(6)]


def test_loader_works_inside_a_running_loop() -> None:
    """A notebook has a loop running already; the plain call works there."""

    async def cell() -> Page:
        return shared_loader().load(b"<!doctype html><p>x")

    assert texts(asyncio.run(cell())) == ["x"]


def test_loader_closes_an_idle_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that nobody needs goes away by itself and comes back when needed."""
    monkeypatch.setattr("sightline.sources._load.IDLE_SECONDS", 0.2)
    loader = Loader()
    loader.load(b"<!doctype html><p>x")
    assert loader._browser
    process = loader._browser.process
    assert process
    assert wait_until(lambda: loader._browser is None and not process._profile.path.exists())
    assert texts(loader.load(b"<!doctype html><p>y")) == ["y"]
    loader.close()


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_loader_works_in_a_forked_child() -> None:
    """A forked child starts a browser of its own and does not disturb its parent's."""
    loader = Loader()
    loader.load(b"<!doctype html><p>x")
    child = os.fork()
    if child == 0:
        try:
            loader.close()
            good = texts(loader.load(b"<!doctype html><p>y")) == ["y"]
            loader.close()
        finally:
            os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert loader._browser
    before = loader._browser.process
    assert texts(loader.load(b"<!doctype html><p>z")) == ["z"]
    assert loader._browser.process is before
    loader.close()
