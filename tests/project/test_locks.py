"""Only one process has a lock, and looking at it keeps nobody from taking it."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sightline.project import is_held, marked_lock

from .._wait import LONG

TAKES_IT = """
import sys
from pathlib import Path
from sightline.project import marked_lock
for _ in range(200):
    with marked_lock(Path(sys.argv[1])):
        pass
"""


def test_one_process_has_it(tmp_path: Path) -> None:
    """The other one learns who, and a lock that was given back can be taken."""
    path = tmp_path / "lock"
    assert not is_held(path)
    for _ in range(2):
        with marked_lock(path):
            assert is_held(path)
            refused = subprocess.run(
                [sys.executable, "-c", TAKES_IT, path], capture_output=True, text=True, check=False, timeout=LONG
            )
            assert "BlockingIOError" in refused.stderr
        assert not is_held(path)


def test_looking_never_makes_work_be_refused(tmp_path: Path) -> None:
    """Two hundred times it is taken, while others look all the time."""
    path = tmp_path / "lock"
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            is_held(path)

    lookers = [threading.Thread(target=look) for _ in range(3)]
    for one in lookers:
        one.start()
    try:
        taken = subprocess.run(
            [sys.executable, "-c", TAKES_IT, path], capture_output=True, text=True, check=False, timeout=LONG
        )
    finally:
        ended.set()
        for one in lookers:
            one.join()
    assert (taken.returncode, taken.stderr) == (0, "")


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    """However that dies."""
    path = tmp_path / "lock"
    program = f"import os, signal\nfrom pathlib import Path\nfrom sightline.project import marked_lock\n\
with marked_lock(Path({str(path)!r})): os.kill(os.getpid(), signal.SIGKILL)"
    subprocess.run([sys.executable, "-c", program], check=False, timeout=LONG)
    assert not is_held(path)
    with pytest.raises(ZeroDivisionError), marked_lock(path):
        assert 1 / 0
    assert not is_held(path)
