"""The folder of a crawl: made, locked while a crawl runs in it, and as it was before if that crawl never began."""

import fcntl
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from sightline.errors import OutputError, UsageError
from sightline.files import FULL

__all__ = ["crawl_folder", "is_running", "not_writable"]

_LOCK = "crawl.lock"
_OWN_FILE = re.compile(r"crawl\.(lock|sqlite|sqlite-wal|sqlite-shm)|pages-\d+\.warc\.gz|(pages|found)\.cdxj")
# Whoever asks for the status holds the lock for an instant, which must not keep a crawl from its beginning.
_PATIENCE = 0.5
_LOOK_EVERY = 0.02


@contextmanager
def crawl_folder(folder: Path, has_begun: Callable[[], bool]) -> Iterator[None]:
    """A folder for this process alone; what was made for a crawl that fails before it has begun is removed again."""
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise OutputError(f"Could not create {folder}: {problem.strerror}; choose another folder.") from problem
    is_empty = all(path.name == _LOCK for path in folder.iterdir())
    with (folder / _LOCK).open("w") as stream:
        _lock(stream, folder)
        try:
            yield
        except BaseException:
            if is_empty and not has_begun():
                _remove(folder, made)
            raise


def is_running(folder: Path) -> bool:
    """Whether a crawl is at work in a folder; the system unlocks it when a process ends, however it ends."""
    try:
        with (folder / _LOCK).open() as stream:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False


def not_writable(folder: Path, problem: OSError | sqlite3.OperationalError) -> OutputError:
    """The error for a folder that cannot be written to, with what to do about it."""
    remedy = "mend that, or choose another folder"
    if isinstance(problem, sqlite3.Error):
        reason, remedy = str(problem), "free some space or mend that"  # SQLite does not say which of the two it is
    else:
        reason = problem.strerror or str(problem)
        remedy = "free some space there" if problem.errno in FULL else remedy
    return OutputError(
        f"Could not write into {folder}: {reason}; {remedy}, then give the same command again; nothing is lost."
    )


def _lock(stream: IO[str], folder: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as problem:
            if time.monotonic() > until:
                raise UsageError(
                    f"Another crawl into {folder} is running; wait for its end, or choose another folder."
                ) from problem
            time.sleep(_LOOK_EVERY)
        else:
            return


def _remove(folder: Path, made: list[Path]) -> None:
    """Remove the files of a crawl, and the folders that were made for it, innermost first."""
    with suppress(OSError):  # what cannot be removed stays; the error that led here says more
        for path in folder.iterdir():
            if _OWN_FILE.fullmatch(path.name):
                path.unlink()
        for one in made:
            one.rmdir()
