"""Who holds a lease: a name with a locked file, by which others on the machine know at once when it is dead."""

import fcntl
import os
import secrets
import socket
from pathlib import Path

__all__ = ["Owner", "remove_dead_owners"]

_SUFFIX, _WORDS = ".lock", ".stderr"


class Owner:
    """A supervisor's name; the system unlocks its file when the process ends, however it ends."""

    def __init__(self, folder: Path, label: str) -> None:
        self._folder = folder
        self.name = f"{socket.gethostname()}:{os.getpid()}:{label}:{secrets.token_hex(4)}"
        self._path = _lock_file(folder, self.name)
        self._stream = self._path.open("w")
        fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def knows_dead(self, other: str) -> bool:
        """Whether another owner, on this machine, is dead. Of other machines, only the end of a lease tells."""
        if other == self.name or not other.startswith(f"{socket.gethostname()}:"):
            return False
        return _remove_if_dead(_lock_file(self._folder, other))

    @property
    def words(self) -> Path:
        """Where the standard error of its children goes."""
        return self._path.with_suffix(_WORDS)

    def close(self) -> None:
        """Give the name up."""
        self.words.unlink(missing_ok=True)
        self._path.unlink(missing_ok=True)
        self._stream.close()


def _lock_file(folder: Path, name: str) -> Path:
    return folder / (name.replace(":", "_") + _SUFFIX)


def remove_dead_owners(folder: Path) -> None:
    """Remove what owners on this machine have left that were killed."""
    for path in folder.glob(f"{socket.gethostname()}_*{_SUFFIX}"):
        _remove_if_dead(path)


def _remove_if_dead(path: Path) -> bool:
    try:
        with path.open() as stream:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
            path.with_suffix(_WORDS).unlink(missing_ok=True)
            path.unlink(missing_ok=True)
    except BlockingIOError:
        return False
    except FileNotFoundError:
        pass  # it went away in peace, and had given back what it held
    return True
