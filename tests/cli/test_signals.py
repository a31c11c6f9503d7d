"""Ctrl-C and `kill`: what is finished is kept and said to be partial, at any moment, without a traceback."""

import asyncio
import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from .._wait import BOUND, wait_until
from ..sources.browser._site import Handler, Request, site
from ._command import COMMAND, environment
from ._shop import build, learn

SIGNALS = [(signal.SIGINT, 130), (signal.SIGTERM, 143)]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a shop, with a wrapper for its products."""
    folder = build(tmp_path_factory.mktemp("shop"))
    learn(folder, "p")
    return folder


@contextmanager
def _started(words: Sequence[str], folder: Path, **more: str) -> Iterator["subprocess.Popen[bytes]"]:
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [*COMMAND, *words], cwd=folder, env=environment(**more), stdin=pipe, stdout=pipe, stderr=pipe
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def _ended(words: Sequence[str], folder: Path, number: signal.Signals) -> tuple[int, str, str]:
    """Status, output and errors of a command whose second page never comes, and which is then ended."""

    async def never(_request: Request, _writer: object) -> None:
        wait_for_it.append(True)
        await asyncio.Event().wait()

    wait_for_it: list[bool] = []
    routes: dict[str, Handler] = {"/never": never}
    with site(routes) as here, _started([*words, "p4.html", here.url("/never"), "--static"], folder) as process:
        wait_until(lambda: bool(wait_for_it))
        process.send_signal(number)
        output, errors = process.communicate(timeout=BOUND)
        return process.returncode, output.decode(), errors.decode()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "status"), SIGNALS)
def test_extract_keeps_what_is_finished(shop: Path, tmp_path: Path, number: signal.Signals, status: int) -> None:
    """The file has the records of the pages that were read, with their source; the command says that it is partial."""
    out = tmp_path / "out.csv"
    returned, _, errors = _ended(["extract", "p.wrapper.json", "-o", str(out)], shop, number)
    assert (returned, "Traceback" in errors) == (status, False)
    assert "Ended early: 1 source finished" in errors
    (row,) = csv.DictReader(out.read_text().splitlines())
    assert (row["source"], row["title"]) == ("p4.html", "Camera 4")
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


@pytest.mark.slow
@pytest.mark.parametrize("command", ["tables", "lists", "top", "content", "show"])
def test_commands_keep_what_is_finished(shop: Path, command: str) -> None:
    """The JSON document is whole, has the finished sources, and says that others are missing."""
    returned, output, errors = _ended([command, "--json"], shop, signal.SIGINT)
    document = json.loads(output)
    assert [result["source"] for result in document["results"]] == ["p4.html"]
    assert document["complete"] is False
    assert returned == 130
    assert "Interrupted." in errors


SLOW = """
import pathlib, time
pathlib.Path("importing").touch()
while True:
    time.sleep(0.01)
"""


def test_command_interrupted_while_it_starts_prints_no_traceback(tmp_path: Path) -> None:
    """A person who presses Ctrl-C at once sees one line."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "typer.py").write_text(SLOW)
    with _started(["tables", "x.html"], tmp_path, PYTHONPATH=str(tmp_path / "modules")) as process:
        wait_until((tmp_path / "importing").exists)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=BOUND)
    assert (process.returncode, output) == (130, b"")
    assert errors.decode().strip() == "sightline: Interrupted."


SWALLOWING = """
import os, signal, sys
class Dying:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        sum(range(1000))
dying = Dying()
del dying
while True:
    pass
"""
NAMING = """
import os, signal
class Named:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGINT)
        while True:
            pass
class Owner:
    member = Named()
"""


@pytest.mark.parametrize("module", [SWALLOWING, NAMING], ids=["in a destructor", "while a class is made"])
def test_ctrl_c_is_heard_where_python_swallows_or_renames_it(tmp_path: Path, module: str) -> None:
    """An exception in a `__del__` is only printed, and one in a `__set_name__` becomes another; the program ends."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "typer.py").write_text(module)
    path = os.pathsep.join(filter(None, (str(tmp_path / "modules"), os.environ.get("PYTHONPATH"))))
    with _started(["tables", "x.html"], tmp_path, PYTHONPATH=path) as process:
        output, errors = process.communicate(timeout=BOUND)
    assert (process.returncode, output, errors.decode().strip()) == (130, b"", "sightline: Interrupted.")


def test_program_ends_like_any_other_before_it_is_imported() -> None:
    """While Python still imports, Ctrl-C does what it does to programs without a handler; an ignored one stays so."""
    look = "import signal, sightline.__main__; print(signal.getsignal(signal.SIGINT).name)"
    for before, after in (("default_int_handler", "SIG_DFL"), ("SIG_IGN", "SIG_IGN")):
        script = f"import signal; signal.signal(signal.SIGINT, signal.{before}); {look}"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=BOUND, check=True)
        assert done.stdout.strip() == after


def test_command_leaves_ignored_signals_ignored(tmp_path: Path) -> None:
    """Under `nohup` a closed terminal does not end the work."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "typer.py").write_text(
        "import signal, sys; print(signal.getsignal(signal.SIGHUP).name); sys.exit(7)"
    )
    done = subprocess.run(
        ["nohup", *COMMAND, "tables"],
        cwd=tmp_path,
        env=environment(PYTHONPATH=str(tmp_path / "modules")),
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (7, "SIG_IGN")
