"""The folder of our own Ray cluster: its sockets, its logs and its token."""

import fcntl
import os
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

__all__ = ["ray_folder"]

_PREFIX = "sl-ray-"
# Ray's sockets add 68 characters to the folder, and the name of a socket may have 107 (103 on macOS).
_LONGEST = 34
_SHORT = "/tmp"  # mkdtemp makes a folder in it that only this user can read
_ABANDONED_SECONDS = 60.0  # since it was made; its host takes the lock within a second


def ray_folder() -> Path:
    """A new folder with a short name, for this user alone."""
    parent = tempfile.gettempdir()
    if len(parent) + len(_PREFIX) + 8 > _LONGEST:
        parent = _SHORT
    _remove_abandoned(Path(parent))
    return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))


def _remove_abandoned(parent: Path) -> None:
    """Remove what was left when a driver and its host were both killed: folders of this user that nobody has locked."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError):
            found = folder.lstat()
            if found.st_uid == os.getuid() and time.time() - found.st_mtime > _ABANDONED_SECONDS:
                _remove_unlocked(folder)


def _remove_unlocked(folder: Path) -> None:
    lock = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
