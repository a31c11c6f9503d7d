"""Locks between processes, and a look at them that never stands in the way of those who need one.

A lock ends with its process, however that dies, and counts in every container that shares the folder. The system can
say whether a file is locked only by trying to lock it. So a lock is two files: the lock itself, which is taken only to
do the work, and beside it a mark, which its holder locks as well. Looking tries the mark: somebody who looks at the
very moment at which work begins is waited for, and cannot make it be refused.
"""

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["is_held", "locked_file"]

MARK = ".held"  # the suffix of the mark
PATIENCE = 2.0  # seconds for those who look, whose look takes microseconds; the mark is for show, so then work begins
LOOK_EVERY = 0.005


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Hold a lock while the block runs; the file has the number of the process that does.

    If another process has it, BlockingIOError has what it wrote into the file as its text.
    """
    with path.open("a+") as stream:
        if not _taken(stream.fileno()):
            stream.seek(0)
            raise BlockingIOError(errno.EWOULDBLOCK, stream.read().strip() or "unknown")
        stream.truncate(0)
        stream.write(str(os.getpid()))
        stream.flush()
        with _mark(path).open("a") as mark:
            until = time.monotonic() + PATIENCE
            while not _taken(mark.fileno()) and time.monotonic() < until:
                time.sleep(LOOK_EVERY)
            yield


def is_held(path: Path) -> bool:
    """Whether some process holds a lock; looking keeps nobody from taking it."""
    try:
        with _mark(path).open("rb") as mark:
            return not _taken(mark.fileno(), fcntl.LOCK_SH)
    except FileNotFoundError:
        return False


def _mark(path: Path) -> Path:
    return path.with_name(path.name + MARK)


def _taken(handle: int, way: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(handle, way | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
