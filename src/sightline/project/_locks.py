"""Locks between processes: they end with their process, however it dies.

A lock also counts in every container that shares the folder. The system can only say whether something is locked by
trying to lock it, so that a look might keep the work from starting. Where others look (`is_held`), the lock is
therefore two files: the lock itself, which is taken only to do the work, and beside it a mark, which its holder locks
as well. Looking tries the mark.
"""

import errno
import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MARK = ".held"  # the suffix of the mark
PATIENCE = 2.0  # seconds for those who look, whose look takes microseconds; the mark is for show, so then work begins
LOOK_EVERY = 0.005


def take(handle: int, *, wait: bool = False, shared: bool = False) -> bool:
    """Lock an open file; False if another opening of it is locked and we don't wait."""
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    return True


class Lock:
    """A lock on a file, which is made if it isn't there, or on a folder that exists.

    It is held until it is released, or its process ends. Each opening has a lock of its own, so threads exclude each
    other as processes do. The file says who holds it, `words`; if that is somebody else and we don't `wait`, the
    BlockingIOError has their words as its text. Those who take it `shared` exclude only those who want it alone.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "lock"
    >>> with Lock(path, words="process 17"):
    ...     Lock(path)
    Traceback (most recent call last):
    ...
    BlockingIOError: [Errno 11] process 17
    """

    def __init__(
        self, path: Path, *, wait: bool = False, words: str = "", mode: int = 0o666, shared: bool = False
    ) -> None:
        flags = os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT
        self._handle = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
        if not take(self._handle, wait=wait, shared=shared):
            holder = "" if path.is_dir() else os.pread(self._handle, 100, 0).decode("utf-8", "replace").strip()
            self.release()
            raise BlockingIOError(errno.EWOULDBLOCK, holder or "unknown")
        if words:
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, words.encode(), 0)

    def __enter__(self) -> "Lock":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Give the lock back; once more changes nothing."""
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)


@contextmanager
def marked_lock(path: Path) -> Iterator[None]:
    """Hold a lock that others look at with `is_held`; the file has the number of our process."""
    with Lock(path, words=str(os.getpid())), _mark(path).open("a") as mark:
        until = time.monotonic() + PATIENCE
        while not take(mark.fileno()) and time.monotonic() < until:
            time.sleep(LOOK_EVERY)
        yield


def is_held(path: Path) -> bool:
    """Whether some process holds a `marked_lock`; looking keeps nobody from taking it."""
    try:
        with _mark(path).open("rb") as mark:
            return not take(mark.fileno(), shared=True)
    except FileNotFoundError:
        return False


def remove_abandoned(path: Path) -> bool:
    """Remove a file or folder that nobody holds the lock of any more; False if somebody does.

    What isn't there was removed by its owner, so that is True.
    """
    if not path.exists():
        return True
    try:
        with Lock(path):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
    except BlockingIOError:
        return False
    except FileNotFoundError:
        pass  # its owner removed it at this very moment
    return True


def _mark(path: Path) -> Path:
    return path.with_name(path.name + MARK)
