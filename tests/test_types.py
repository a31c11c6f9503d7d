"""Whoever uses the package with a type checker knows the types of everything that it exports."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ._wait import LONG

LEAST = 99.0  # percent; the rest are types that only a checker of another kind infers


@pytest.mark.slow
def test_public_types_are_known(tmp_path: Path) -> None:
    """As pyright counts them: names that packages export, and all that these refer to."""
    programs = Path(sys.executable).parent
    if not (programs / "pyright").exists():
        pytest.skip("pyright is not installed; `make test-all` installs it")
    found = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "VIRTUAL_ENV": str(programs.parent)}
    command = [programs / "pyright", "--verifytypes", "sightline", "--ignoreexternal"]
    done = subprocess.run(command, env=found, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=LONG)
    score = re.search(r"Type completeness score: ([\d.]+)%", done.stdout)
    assert score, done.stdout + done.stderr
    assert float(score[1]) >= LEAST, "\n".join(line for line in done.stdout.splitlines() if "error" in line)
