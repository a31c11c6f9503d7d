"""The browser's profile: a separate folder for each run, removed afterwards, however the run ended.

Its owner holds a lock on it. A lock ends with its process, however that dies, and is seen by processes elsewhere (in
another container, say) that share the folder but not our process numbers: so whoever finds a profile without a lock
may remove it.
"""

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

from sightline.errors import BrowserError

__all__ = ["UserDataFolder", "sweep_user_data"]

PREFIX = "sightline-browser-"
LOCK = "owner.lock"
SECONDS_TO_LOCK = 60.0  # a folder without a lock file may be one that is just being made


class UserDataFolder:
    """A fresh profile folder, locked by us until it is removed."""

    def __init__(self) -> None:
        try:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
            self._lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            text = f"has no place for the browser's profile ({problem.strerror}); free some space or set TMPDIR."
            raise BrowserError(tempfile.gettempdir(), text) from problem

    def release(self) -> None:
        """Release the lock."""
        lock, self._lock = self._lock, -1
        if lock >= 0:
            os.close(lock)

    def remove(self) -> None:
        """Remove the folder; anything a dying process still writes to it is removed at the next start."""
        shutil.rmtree(self.path, ignore_errors=True)
        self.release()


def sweep_user_data() -> None:
    """Remove the profiles of processes that were killed before they could clean up."""
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        if _is_abandoned(path):
            shutil.rmtree(path, ignore_errors=True)


def _is_abandoned(path: Path) -> bool:
    try:
        lock = os.open(path / LOCK, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return _age(path) > SECONDS_TO_LOCK
    except OSError:  # of another user
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0
