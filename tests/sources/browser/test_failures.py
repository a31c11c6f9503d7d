"""Tabs and browsers that crash or hang: one page pays, and only after a second try."""

import asyncio
import os
import re
import signal
import stat
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sightline import Page
from sightline.errors import BrowserError, BrowserMissing, DeadlineError, SightlineError, UnreachableError
from sightline.net import Document, Limits
from sightline.sources import Browser, BrowserSettings, Loader
from sightline.sources.browser._process import BrowserProcess
from sightline.sources.browser._settling import QUIET_SECONDS

from ..._server import Request, serve
from ..._wait import BOUND, LONG, happened, wait_until
from ._site import asked, html, processes, rendered, shared_loader, site, texts

LOOP = "<p>before<script>while (true) {}</script>"
MOVING = "<script>setInterval(() => document.body.append(document.createElement('i')), 5)</script>"
SOON = Limits(settle_seconds=1, load_seconds=LONG, page_seconds=LONG)  # for pages that never come to rest
PATIENT = Limits(settle_seconds=LONG, load_seconds=LONG, page_seconds=LONG)  # only an event ends the wait


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


def _with_killer(kill: Callable[[BrowserProcess], None], times: int) -> list[Page | SightlineError]:
    """Load a page and then another, while `kill` strikes so many times at the browser of the first.

    It strikes when the page is on show and will not come to rest; the try after the last strike finds one that does.
    """
    shown: list[Request] = []

    async def first(_: Request, writer: asyncio.StreamWriter) -> None:
        busy = f"<p>first{MOVING}<script>fetch('/shown')</script>"
        writer.write(html(busy if len(shown) < times else "<p>first"))

    async def told(request: Request, _: asyncio.StreamWriter) -> None:
        shown.append(request)

    async def strike(browser: Browser) -> None:
        for number in range(1, times + 1):
            await happened(lambda number=number: len(shown) == number)  # type: ignore[misc]
            assert browser.processes[0]
            kill(browser.processes[0])

    async def run() -> list[Page | SightlineError]:
        results: list[Page | SightlineError] = []
        routes = {"/first": first, "/shown": told, "/next": html("<p>next")}
        async with serve(routes) as here, Browser(BrowserSettings(tabs=1), PATIENT) as browser:
            striking = asyncio.create_task(strike(browser))
            for path in ("/first", "/next"):
                try:
                    results.append(await browser.load_url(here.url(path)))
                except SightlineError as error:
                    results.append(error)
            await striking
        return results

    return asyncio.run(run())


def _kill_renderers(process: BrowserProcess) -> None:
    for pid in _renderers(process):
        os.kill(pid, signal.SIGKILL)


def _kill_browser(process: BrowserProcess) -> None:
    os.killpg(process.pid, signal.SIGKILL)  # as its own process may be a script that only started the browser


@pytest.mark.slow
@pytest.mark.parametrize("kill", [_kill_renderers, _kill_browser])
def test_browser_tries_a_killed_page_again(kill: Callable[[BrowserProcess], None]) -> None:
    """A renderer or a whole browser that dies under a page costs it one more try, and the next page nothing."""
    first, after = _with_killer(kill, 1)
    assert isinstance(first, Page), first
    assert isinstance(after, Page), after
    assert (texts(first), texts(after)) == (["first"], ["next"])


@pytest.mark.slow
def test_browser_gives_up_a_page_that_dies_twice() -> None:
    """After the second death the error names the page, and the next page is loaded as if nothing had been."""
    first, after = _with_killer(_kill_renderers, 2)
    assert isinstance(first, BrowserError)
    assert "/first: could not be rendered in 2 tries" in first.message
    assert isinstance(after, Page), after


@pytest.mark.slow
def test_browser_stops_a_script_without_end() -> None:
    """A script that never ends is stopped; what was there before it is the page."""
    page = shared_loader(None, SOON).load(f"<!doctype html>{LOOP}".encode())
    assert texts(page) == ["before"]
    assert any("did not finish" in note for note in page.notes)


@pytest.mark.slow
def test_browser_stops_scripts_that_come_again() -> None:
    """A script that hangs whenever it runs cannot hang the capture."""
    script = b"setInterval(() => { const end = Date.now() + 1e6; while (Date.now() < end); }, 1)"
    body = b"<!doctype html><p>text<script>" + script + b"</script>"
    page = shared_loader(None, SOON).load(body)
    assert texts(page) == ["text"]
    assert texts(rendered("<p>next")) == ["next"]


def test_browser_keeps_to_the_deadline_of_a_page() -> None:
    """A page that is not at rest by page_seconds is over, and the message names the page and the setting.

    Nothing may change for longer than that before a page with scripts is at rest, so no machine is too fast for it.
    """
    seconds = QUIET_SECONDS / 2
    body = f"<!doctype html><p>x{MOVING}".encode()
    with pytest.raises(DeadlineError, match=rf"<bytes>.*{re.escape(f'{seconds:g}')} s.*page_seconds"):
        Loader(limits=replace(PATIENT, page_seconds=seconds)).load(body)


@pytest.mark.slow
def test_browser_does_not_count_the_wait_for_a_tab() -> None:
    """A page that waits for its turn, for longer than it may take, has its whole time when the turn comes."""

    async def run() -> Page:
        loop = asyncio.get_running_loop()
        async with Browser(BrowserSettings(tabs=1), PATIENT) as browser:
            await browser._slots.acquire()  # as another page does
            loading = asyncio.create_task(browser.load_document(_document("<p>x")))
            await happened(lambda: browser._slots._waiters)
            clock = loop.time
            loop.time = lambda: clock() + 2 * PATIENT.page_seconds  # type: ignore[method-assign]
            browser._slots.release()
            return await loading

    assert texts(asyncio.run(run())) == ["x"]


@pytest.mark.slow
def test_browser_holds_its_memory_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that eats memory without end dies alone, and the browser goes on with the next."""
    for module in ("_settling", "_tab"):  # its script is busy, not endless
        monkeypatch.setattr(f"sightline.sources.browser.{module}.ANSWER_SECONDS", BOUND)
    script = "const kept = []; setInterval(() => kept.push(new Uint8Array(30_000_000).fill(1)), 20)"
    hog = html(f"<p>x<script>fetch('/never'); {script}</script>")  # which cannot come to rest before its answer

    async def never(_: Request, __: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    async def run() -> tuple[str, Page, int]:
        settings = BrowserSettings(tabs=1, memory=600_000_000)
        routes = {"/hog": hog, "/never": never, "/next": html("<p>next")}
        async with serve(routes) as here, Browser(settings, PATIENT) as browser:
            with pytest.raises(BrowserError) as caught:
                await browser.load_url(here.url("/hog"))
            page = await browser.load_url(here.url("/next"))
            assert browser.processes[0]
            return caught.value.message, page, browser.processes[0].memory()

    message, page, memory = asyncio.run(run())
    assert "memory" in message
    assert texts(page) == ["next"]
    assert memory < 600_000_000


def test_browser_says_when_a_page_leads_nowhere() -> None:
    """A page whose script goes to one that does not answer is an error, not the browser's own error page."""
    with (
        site({"/": html("<p>x<script>location.href = 'http://127.0.0.1:1/'</script>")}) as here,
        pytest.raises(UnreachableError, match="another page"),
    ):
        shared_loader().load(here.url())


@pytest.mark.slow
def test_browser_replaces_tabs_after_their_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tab shows so many pages and no more; the pages do not notice."""
    for module in ("_settling", "_tab"):
        monkeypatch.setattr(f"sightline.sources.browser.{module}.ANSWER_SECONDS", BOUND)

    async def run() -> list[int]:
        counts = []
        async with Browser(BrowserSettings(tabs=1, pages_per_tab=2)) as browser:
            for number in range(5):
                page = await browser.load_document(_document(f"<p>{number}"))
                assert texts(page) == [str(number)]
                counts.append(len(browser._sealed.idle))
        return counts

    assert asyncio.run(run()) == [1, 0, 1, 0, 1]


def test_browser_says_when_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without any browser the error tells how to get one; a named one that is not there is named."""
    monkeypatch.setattr("sightline.sources.browser._process.COMMANDS", ())
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
    program.write_text("#!/bin/sh\nexec tail -f /dev/null\n")
    program.chmod(0o755)
    monkeypatch.setenv("SIGHTLINE_BROWSER", str(program))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("sightline.sources.browser._process.START_SECONDS", 0.3)
    with pytest.raises(BrowserError, match="did not start"):
        Loader().load(b"<p>x")
    assert [path.name for path in tmp_path.iterdir()] == ["browser"]
    assert not processes(tmp_path)


def test_browser_without_a_sandbox_says_what_helps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In most containers Chromium can't make one; what it says then ends in the middle of a long advice."""
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\necho 'FATAL: No usable sandbox! If you want to live dangerously' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("SIGHTLINE_BROWSER", str(program))
    with pytest.raises(
        BrowserError, match=r"allow user namespaces, or, .* SIGHTLINE_BROWSER that adds --no-sandbox\.$"
    ):
        Loader().load(b"<p>x")


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """Ctrl-C raises, also where the tests run in the background of a script, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.slow
@pytest.mark.usefixtures("_interruptible")
def test_loader_stops_what_nobody_waits_for() -> None:
    """A loop over pages that is left early, or interrupted, leaves a loader that works."""
    main = threading.main_thread().ident
    assert main
    interrupted: list[bool] = []

    async def interrupting(_: Request, writer: asyncio.StreamWriter) -> None:
        writer.write(html("<p>x"))
        if asked(here).count("/many") >= 5 and not interrupted:  # two may be asked for at once, so it need not be 5
            interrupted.append(True)
            signal.pthread_kill(main, signal.SIGINT)

    routes = {"/": html("<p>x"), "/many": interrupting}
    with site(routes) as here, Loader(browser=BrowserSettings(tabs=2)) as loader:
        pages = loader.load_all([here.url()] * 20)
        next(pages)
        pages.close()  # type: ignore[attr-defined]
        with pytest.raises(KeyboardInterrupt):
            list(loader.load_all([here.url("/many")] * 500))
        assert len(asked(here)) < 500
        assert texts(loader.load(here.url())) == ["x"]
        wait_until(lambda: loader._users == 0)


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


@pytest.mark.slow
def test_loader_works_inside_a_running_loop() -> None:
    """A notebook has a loop running already; the plain call works there."""

    async def cell() -> Page:
        return shared_loader().load(b"<!doctype html><p>x")

    assert texts(asyncio.run(cell())) == ["x"]


@pytest.mark.slow
def test_loader_closes_an_idle_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that nobody needs goes away by itself and comes back when needed."""
    monkeypatch.setattr("sightline.sources._load.IDLE_SECONDS", 0.2)
    loader = Loader()
    loader.load(b"<!doctype html><p>x")
    assert loader._browser
    process = loader._browser.processes[0]
    assert process
    wait_until(lambda: loader._browser is None and not process._profile.path.exists())
    assert texts(loader.load(b"<!doctype html><p>y")) == ["y"]
    loader.close()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_loader_works_in_a_forked_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """A forked child starts a browser of its own and does not disturb its parent's."""
    monkeypatch.setattr("sightline.sources._load.IDLE_SECONDS", LONG)
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
    before = loader._browser.processes[0]
    assert texts(loader.load(b"<!doctype html><p>z")) == ["z"]
    assert loader._browser.processes[0] is before
    loader.close()
