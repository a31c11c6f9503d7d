"""What holds for every test: nothing is judged by the clock, and the terminal of whoever runs them changes nothing.

Files are kept in memory where there is room.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

# How long an example takes says how busy the machine is; `bench` measures time.
settings.register_profile("sightline", deadline=None)
settings.load_profile("sightline")

# A console that is made while these are set keeps to them, whatever the environment of a single command says.
for _name in ("COLUMNS", "LINES", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
    os.environ.pop(_name, None)

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


# The tests that take longest, so that they begin first: a worker that takes one up last works on while the others wait.
LONGEST = ("tests/studio/test_business_case.py", "tests/studio/", "tests/scale/", "tests/server/", "tests/sources/")


def _rank(item: pytest.Item) -> int:
    """How soon a test begins: those in the first of the longest files first."""
    return next((rank for rank, start in enumerate(LONGEST) if item.nodeid.startswith(start)), len(LONGEST))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests; the others keep their order."""
    items.sort(key=_rank)
