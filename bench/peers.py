"""What others are asked in environments of their own, where their many dependencies stay out of ours.

docs/benchmarks.md tells how each environment is made. The scripts that run there import nothing of this project.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.frame import CACHE


def python_of(environment: str) -> Path:
    """The interpreter of an environment; ours where it was not made."""
    python = CACHE / environment / "bin" / "python"
    return python if python.exists() else Path(sys.executable)


def answered(environment: str, script: Path, question: object, *arguments: str) -> Any:
    """What a script makes of a question; both are JSON."""
    python = python_of(environment)
    command = [str(python), "-I", str(script), *arguments]
    asked = json.dumps(question, default=str)
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"bench: {' '.join((script.stem, *arguments))} failed in {python}:\n{done.stderr}")
    return json.loads(done.stdout)
