"""`sightline save`: pages into files, whole or not at all."""

import os
import resource
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import sightline as sl

from .._wait import BOUND, LONG, group_is_gone, wait_until
from ..sources.browser._site import Site, html, processes, reply, site
from ._command import COMMAND, environment, started
from ._inside import sightline


def _pages(folder: Path, *names: str) -> None:
    for name in names:
        (folder / f"{name}.html").write_text(f"<!doctype html><title>{name}</title><p>Text of {name}")


def test_save_writes_a_page_that_opens_again(tmp_path: Path) -> None:
    """A rendered page is saved with its boxes and opened again without a browser."""
    _pages(tmp_path, "a")
    done = sightline("save", "a.html", "-o", "a.page", folder=tmp_path)
    assert (done.status, done.errors) == (0, "")
    assert "a.html → a.page" in done.output
    page = sl.open(tmp_path / "a.page")
    assert (page.kind, page.title, len(page.words)) == ("rendered", "a", 3)


def test_save_gives_every_page_a_file_of_its_own(tmp_path: Path) -> None:
    """Several pages go into a folder; names that would collide get numbers."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        _pages(tmp_path / folder, "x", "X")
    done = sightline("save", "--static", "one", "two/*.html", "-o", "out", "--json", folder=tmp_path)
    assert done.status == 0
    assert len({Path(result["saved"]["path"]).name.casefold() for result in done.results}) == 4
    assert len(list((tmp_path / "out").iterdir())) == 4


def test_save_names_stay_inside_the_folder(tmp_path: Path) -> None:
    """Whatever a source is called, its page lands in the named folder."""
    odd = tmp_path / "..hidden name?.html"
    odd.write_text("<p>x")
    done = sightline("save", "--static", odd, "-o", tmp_path / "out")
    assert done.status == 0
    (saved,) = (tmp_path / "out").iterdir()
    assert saved.name == "hidden-name.page"


def test_save_of_several_into_one_file_is_an_error(tmp_path: Path) -> None:
    """One file holds one page: several sources are refused at once, the second page of a glob when it comes."""
    _pages(tmp_path, "a", "b")
    named = sightline("save", "--static", "a.html", "b.html", "-o", "x.page", folder=tmp_path)
    assert named.status == 2
    assert "only one page" in named.errors
    assert not (tmp_path / "x.page").exists()
    found = sightline("save", "--static", "*.html", "-o", "x.page", folder=tmp_path)
    assert found.status == 1
    assert "only one page" in found.errors
    assert sl.open(tmp_path / "x.page").title == "a"


def test_save_refuses_other_suffixes(tmp_path: Path) -> None:
    """A name that promises another format is refused before anything is loaded."""
    done = sightline("save", "https://example.invalid/", "-o", tmp_path / "x.txt")
    assert done.status == 2
    assert ".page" in done.errors
    assert not list(tmp_path.iterdir())


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_save_leaves_nothing_half_written(tmp_path: Path) -> None:
    """When the disk is full (here: no file may grow so large), no file is left, neither whole nor in part."""
    (tmp_path / "a.html").write_text("<p>" + " ".join(str(n * 7919) for n in range(50_000)))

    def no_space() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    done = subprocess.run(
        [*COMMAND, "save", "--static", "a.html", "-o", "a.page"],
        cwd=tmp_path,
        env=environment(PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        preexec_fn=no_space,
        timeout=BOUND,
        check=False,
    )
    assert done.returncode == 1
    assert b"Could not write a.page" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]


class _Running:
    """A `save` of a page that stays busy; when it is made, the page is on show in its browser."""

    def __init__(self, folder: Path, here: Site) -> None:
        self.profiles = folder / "profiles"
        self.profiles.mkdir()
        for_ever = ("--settle-seconds", f"{LONG}", "--page-seconds", f"{LONG}")
        self.process = subprocess.Popen(
            [*COMMAND, "save", here.url(), "-o", "busy.page", *for_ever],
            cwd=folder,
            env=environment(TMPDIR=str(self.profiles)),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        wait_until(lambda: "/shown" in here.paths())
        (self.browser, *_) = (os.getpgid(pid) for pid in processes(f"--user-data-dir={self.profiles}"))

    def end(self) -> tuple[int, bytes]:
        """Status and errors of the process, when it and its browser are gone."""
        _, errors = self.process.communicate(timeout=BOUND)
        wait_until(lambda: group_is_gone(self.browser))
        return self.process.returncode, errors


@pytest.fixture
def running(tmp_path: Path) -> Iterator[_Running]:
    """A `save` in the middle of its work; nothing of it outlives the test."""
    busy = (
        "<p>x<script>fetch('/shown'); setInterval(() => document.body.append(document.createElement('i')), 5)</script>"
    )
    with site({"/": html(busy), "/shown": reply()}) as here:
        one = _Running(tmp_path, here)
        yield one
        one.process.kill()
        one.process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_save_ends_with_its_browser(running: _Running, tmp_path: Path, number: signal.Signals, status: int) -> None:
    """After Ctrl-C or `kill` neither a browser nor a profile nor half a file is left."""
    running.process.send_signal(number)
    returned, errors = running.end()
    assert returned == status
    assert b"Traceback" not in errors
    assert not list(running.profiles.glob("sightline-browser-*"))
    assert not (tmp_path / "busy.page").exists()


@pytest.mark.slow
def test_save_killed_outright_leaves_no_browser(running: _Running, tmp_path: Path) -> None:
    """After `kill -9` the browser sees its pipe close and quits; its profile goes when the next one starts."""
    running.process.kill()
    running.end()
    assert list(running.profiles.glob("sightline-browser-*"))
    _pages(tmp_path, "a")
    done = started("save", tmp_path / "a.html", "-o", tmp_path / "a.page", TMPDIR=str(running.profiles))
    assert done.status == 0
    assert not list(running.profiles.glob("sightline-browser-*"))
