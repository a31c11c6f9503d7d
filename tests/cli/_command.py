"""Runs the real command in a process of its own."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .._wait import BOUND

COMMAND = (str(Path(sys.executable).with_name("sightline")),)


@dataclass(frozen=True)
class Outcome:
    """What a command left behind: its status and what it printed."""

    status: int
    output: str
    errors: str

    @property
    def results(self) -> list[dict[str, Any]]:
        """The results of the JSON contract."""
        found: list[dict[str, Any]] = json.loads(self.output)["results"]
        return found


def environment(**more: str) -> dict[str, str]:
    """The environment for a command: plain text, two hundred columns."""
    return {**os.environ, "COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb", **more}


def started(*arguments: str | Path, stdin: bytes = b"", folder: Path | None = None, **more: str) -> Outcome:
    """Start `sightline` with these arguments and wait for it."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=BOUND,
        cwd=folder,
        env=environment(**more),
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())
