"""The command as a process: that tests may run it inside of their own, and what only a process can show."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from .._wait import BOUND
from ._command import COMMAND, Outcome, environment, started
from ._inside import sightline, surroundings

Run = Callable[..., Outcome]

TABLE = "<!doctype html><meta charset=utf-8><title>Wege</title><table><tr><th>Ort<th>Länge<tr><td>Köln<td>12 km</table>"
MANY = "<!doctype html><table><tr><th>Number<th>Word" + f"<tr><td>1<td>{'word' * 300}" * 500  # more than a pipe holds


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("tables", "ways.html", "--static"), 0),
        (("tables", "-", "--static", "--json"), 0),
        (("tables", "ways.html", "gone.html", "--static"), 1),
        (("tables", "--no-such-flag"), 2),
        (("top", "--help"), 0),
    ],
)
def test_command_is_the_same_in_a_process_and_inside(tmp_path: Path, arguments: tuple[str, ...], status: int) -> None:
    """A test that runs the command inside of its own process learns what a user would see, to the last character."""
    (tmp_path / "ways.html").write_text(TABLE, "utf-8")

    def outcome(run: Run) -> Outcome:
        return run(*arguments, folder=tmp_path, stdin=TABLE.encode(), COLUMNS="90")

    found = outcome(sightline)
    assert found == outcome(started)
    assert found.status == status
    assert found.output or found.errors


def test_command_inside_leaves_the_process_as_it_was(tmp_path: Path) -> None:
    """Folder, variables, words and handlers are those from before, also after a command that failed."""
    before = surroundings()
    assert sightline("show", "gone.html", folder=tmp_path, SIGHTLINE_BROWSER="/nonexistent").status == 1
    assert surroundings() == before


@pytest.mark.slow
def test_command_stops_quietly_when_nobody_reads_on(tmp_path: Path) -> None:
    """`sightline … | head` ends without a traceback, once as text and once as JSON."""
    (tmp_path / "many.html").write_text(MANY)
    for flags in ((), ("--json",)):
        command = [*COMMAND, "tables", "many.html", "--static", "--all", *flags]
        with subprocess.Popen(
            command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as running:
            assert running.stdout
            assert running.stderr
            running.stdout.read(10)
            running.stdout.close()
            errors = running.stderr.read()
        assert (running.returncode, errors) == (0, b"")


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_command_writes_in_the_encoding_of_its_output(tmp_path: Path, encoding: str) -> None:
    """Text for a terminal is in the encoding that it has; JSON is UTF-8 always."""
    (tmp_path / "ways.html").write_text(TABLE, "utf-8")

    def printed(*flags: str) -> bytes:
        command = [*COMMAND, "tables", "ways.html", "--static", *flags]
        more = environment(PYTHONIOENCODING=encoding)
        return subprocess.run(command, cwd=tmp_path, env=more, capture_output=True, check=True, timeout=BOUND).stdout

    assert "Köln" in printed().decode(encoding)
    assert "Köln" in printed("--json").decode("utf-8")


@pytest.mark.slow
def test_a_closed_pipe_does_not_hide_a_verdict(tmp_path: Path) -> None:
    """With `set -o pipefail`, `sightline … | head` ends with the status of what is doubtful; the verdict comes last."""
    (tmp_path / "many.html").write_text(MANY)
    command = [*COMMAND, "tables", "many.html", "--static", "--all", "--nodes", "2000"]
    whole = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, check=False, timeout=BOUND)
    assert whole.returncode == 3
    assert whole.stderr.decode().splitlines()[-1] == "verdict: suspicious"
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.read(10)
        running.stdout.close()
        running.stderr.read()
    assert running.returncode == 3
