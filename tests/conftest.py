"""What holds for every test: nothing is judged by the clock, and the terminal of whoever runs them changes nothing.

Files are kept in memory where there is room, and what Python compiles is kept.
"""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from sightline import native
from sightline.redaction import forget_secrets

# How long an example takes says how busy the machine is; `bench` measures time. The first few examples find most of
# what there is to find; `make test-all` asks for more, and `--hypothesis-profile=wide` for the rest, after a change of
# what a test is about.
settings.register_profile("sightline", deadline=None, max_examples=20)
settings.register_profile("thorough", deadline=None, max_examples=50)
settings.register_profile("wide", deadline=None, max_examples=1000)
settings.load_profile("sightline")

# A console that is made while these are set keeps to them, whatever the environment of a single command says.
for _name in ("COLUMNS", "LINES", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
    os.environ.pop(_name, None)

# Where Python is told not to keep what it compiles, every worker and every command that a test starts would compile the
# package anew: a fifth of the time that a command takes, and half of what it takes to collect the tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Nothing that collecting the tests makes is garbage, and looking for some takes a fifth of its time. Only in workers:
# the process that hands out the tests is never told that collecting has ended.
if "PYTEST_XDIST_WORKER" in os.environ:
    gc.disable()

# A shell that runs the tests in the background of a script has Ctrl-C ignored, also by the commands that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The projects that somebody works in are theirs; tests remember theirs elsewhere.
os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="sightline-state-")

MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes; all tests together leave far less, as folders of tests that passed are removed


def _has_room(folder: Path) -> bool:
    """Whether tests can keep their files here, among them programs to be run."""
    if not os.access(folder, os.W_OK):
        return False
    return shutil.disk_usage(folder).free > ROOM and not os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0)


# What we write is safe on the disk before it counts as written, which takes time on a busy one, and none in memory. A
# process that is killed loses nothing in either.
if _has_room(MEMORY):
    os.environ.setdefault("TMPDIR", str(MEMORY))


@pytest.fixture(scope="module", params=["kernels", "python"])
def either_way(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run what the compiled kernels do by them, and by their twins in Python."""
    kept = native.kernels
    if request.param == "python":
        native.kernels = None
    elif kept is None:
        pytest.skip("the kernels are not compiled")
    yield
    native.kernels = kept


@pytest.fixture(autouse=True)
def no_secrets_of_others() -> Iterator[None]:
    """A secret that one test reads is not hidden from the next: it may be a word that the other one looks for."""
    yield
    forget_secrets()


# The tests that take longest, so that they begin first: a worker that takes one up last works on while the others wait.
LONGEST = (
    "tests/test_plain_install.py",
    "tests/studio/test_business_case.py",
    "tests/test_canary.py",
    "tests/flow/normalise/test_batches.py",
    "tests/scale/",
    "tests/navigate/",
    "tests/flow/run/",
    "tests/extract/schemas/",
    "tests/cli/",
    "tests/sites/",
    "tests/studio/",
    "tests/bench/",
    "tests/test_growth.py",
)


def _rank(item: pytest.Item) -> int:
    """How soon a test begins: those in the first of the longest files first."""
    return next((rank for rank, start in enumerate(LONGEST) if item.nodeid.startswith(start)), len(LONGEST))


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for tests in the files of tests, and not also for examples in docstrings, of which they have none."""
    found = yield
    return [one for one in found if not isinstance(one, DoctestModule)]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests; the others keep their order."""
    items.sort(key=_rank)


def pytest_collection_finish() -> None:
    """Look for garbage from now on, only among what the tests themselves make."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    """Leave all of it to be taken down in order."""
    gc.unfreeze()
