"""How long it takes to start: processor time of the import, of `--version` and `--help`, and of a first small job.

Importing numpy is the yardstick, since no job on a page can do without it; what a job costs is told beyond that.
"""

import os
import resource
import subprocess
import sys
from pathlib import Path

from bench.frame import Figure, Options, Outcome

ROUNDS = 9
HERE = Path(__file__).parent.parent
PAGE = HERE / "examples" / "observatory.html"
MOST_SECONDS = 0.20  # for the import, `--version` and `--help`
MOST_BEYOND_NUMPY = 0.45  # for `tables --static` of a small page


def run(_: Options) -> Outcome:
    """Measure each command in processes of its own, the fastest of several, since other work only makes them slower."""
    program = str(Path(sys.executable).with_name("sightline"))
    seconds = {
        "import sightline": _seconds(sys.executable, "-c", "import sightline"),
        "sightline --version": _seconds(program, "--version"),
        "sightline --help": _seconds(program, "--help"),
    }
    numpy = _seconds(sys.executable, "-c", "import numpy")
    tables = _seconds(program, "tables", "--static", str(PAGE))
    bare = [Figure.of(name, ours, MOST_SECONDS, "lower", "s of CPU") for name, ours in seconds.items()]
    beyond = tables - numpy
    job = Figure("tables --static, beyond numpy", tables, numpy, beyond, MOST_BEYOND_NUMPY, "lower", "s of CPU")
    return Outcome(
        task="start",
        peer="import numpy, s",
        corpora=(),
        figures=(*bare, job),
        remarks=(f"Processor time, user and system together; the fastest of {ROUNDS}.",),
    )


def _seconds(*command: str) -> float:
    """The processor time of a command: the fastest of several runs."""
    return min(_once(command) for _ in range(ROUNDS))


def _once(command: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # An installed package has its bytecode; here the first run writes it, whatever the environment says.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
