"""`sightline save`: pages into files, whole or not at all."""

import os
import resource
import signal
import subprocess
import time
from pathlib import Path

import pytest

import sightline as sl

from ._command import COMMAND, environment, sightline


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
    assert "one page only" in named.errors
    assert not (tmp_path / "x.page").exists()
    found = sightline("save", "--static", "*.html", "-o", "x.page", folder=tmp_path)
    assert found.status == 1
    assert "one page only" in found.errors
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
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert b"Could not write a.page" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["a.html"]


class _Running:
    """A `save` of a page that stays busy, with its browser surely running."""

    def __init__(self, folder: Path) -> None:
        self.profiles = folder / "profiles"
        self.profiles.mkdir()
        (folder / "busy.html").write_text(
            "<!doctype html><p>x"
            "<script>setInterval(() => document.body.append(document.createElement('i')), 5)</script>"
        )
        command = [*COMMAND, "save", "busy.html", "-o", "busy.page", "--settle-seconds", "30"]
        environ = environment(TMPDIR=str(self.profiles))
        self.process = subprocess.Popen(
            command, cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.group = 0
        until = time.monotonic() + 20
        while len(self.browsers()) < 3:
            assert time.monotonic() < until
            time.sleep(0.05)
        time.sleep(0.3)

    def browsers(self) -> list[int]:
        """The living processes of the browser, found by its profile and then by its process group."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                state, _, group = (folder / "stat").read_bytes().rpartition(b")")[2].split()[:3]
                if not self.group and f"--user-data-dir={self.profiles}".encode() in (folder / "cmdline").read_bytes():
                    self.group = int(group)
            except OSError:
                continue
            if self.group and int(group) == self.group and state != b"Z":
                found.append(int(folder.name))
        return found

    def end(self) -> tuple[int, bytes, float]:
        """Status and errors of the process, and how long it and its browser took to end."""
        began = time.monotonic()
        _, errors = self.process.communicate(timeout=10)
        while self.browsers() and time.monotonic() - began < 5:
            time.sleep(0.02)
        return self.process.returncode, errors, time.monotonic() - began


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_save_ends_with_its_browser(tmp_path: Path, number: signal.Signals, status: int) -> None:
    """After Ctrl-C or `kill` neither a browser nor a profile nor half a file is left, within three seconds."""
    running = _Running(tmp_path)
    running.process.send_signal(number)
    returned, errors, seconds = running.end()
    assert returned == status
    assert b"Traceback" not in errors
    assert seconds < 3
    assert not running.browsers()
    assert not list(running.profiles.glob("sightline-browser-*"))
    assert not (tmp_path / "busy.page").exists()


def test_save_killed_outright_leaves_no_browser(tmp_path: Path) -> None:
    """After `kill -9` the browser sees its pipe close and quits; its profile goes when the next one starts."""
    running = _Running(tmp_path)
    os.kill(running.process.pid, signal.SIGKILL)
    _, _, seconds = running.end()
    assert seconds < 3
    assert not running.browsers()
    assert list(running.profiles.glob("sightline-browser-*"))
    _pages(tmp_path, "a")
    done = sightline("save", tmp_path / "a.html", "-o", tmp_path / "a.page", TMPDIR=str(running.profiles))
    assert done.status == 0
    assert not list(running.profiles.glob("sightline-browser-*"))
