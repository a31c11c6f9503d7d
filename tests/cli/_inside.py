"""Runs a command inside of the tests' own process, where starting a new one is not what is tested."""

from contextlib import chdir
from pathlib import Path

from typer.testing import CliRunner

from sightline.cli import program
from sightline.errors import SightlineError, UsageError

from ._command import Outcome


def inside(command: str, *arguments: str | Path, folder: Path) -> Outcome:
    """Run a command with these arguments; errors become lines and a status as the program itself makes them."""
    with chdir(folder):
        done = CliRunner().invoke(
            program([command]), [command, *map(str, arguments)], env={"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}
        )
    if isinstance(done.exception, SightlineError):
        status = 2 if isinstance(done.exception, UsageError) else 1
        return Outcome(status, done.stdout, f"{done.stderr}sightline: {done.exception.message}\n")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Outcome(done.exit_code, done.stdout, done.stderr)
