"""The folder of a crawl: made, locked while a crawl runs in it, and as it was before if that crawl never began."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from sightline.errors import OutputError, UsageError
from sightline.files import FULL
from sightline.locks import is_held, locked_file

__all__ = ["crawl_folder", "is_running", "not_writable"]

_LOCK = "crawl.lock"
_OWN_FILE = re.compile(r"crawl\.(lock|lock\.held|sqlite|sqlite-wal|sqlite-shm)|pages-\d+\.warc\.gz|(pages|found)\.cdxj")
_LOCKS = re.compile(r"crawl\.lock(\.held)?")


@contextmanager
def crawl_folder(folder: Path, has_begun: Callable[[], bool]) -> Iterator[None]:
    """A folder for this process alone; what was made for a crawl that fails before it has begun is removed again."""
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise OutputError(f"Could not create {folder}: {problem.strerror}; choose another folder.") from problem
    is_empty = all(_LOCKS.fullmatch(path.name) for path in folder.iterdir())
    with ExitStack() as stack:
        try:
            stack.enter_context(locked_file(folder / _LOCK))
        except BlockingIOError as problem:
            raise UsageError(
                f"Another crawl into {folder} is running (process {problem.strerror}); wait for its end, or choose "
                "another folder."
            ) from problem
        try:
            yield
        except BaseException:
            if is_empty and not has_begun():
                _remove(folder, made)
            raise


def is_running(folder: Path) -> bool:
    """Whether a crawl is at work in a folder; the system unlocks it when a process ends, however it ends."""
    return is_held(folder / _LOCK)


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


def _remove(folder: Path, made: list[Path]) -> None:
    """Remove the files of a crawl, and the folders that were made for it, innermost first."""
    with suppress(OSError):  # what cannot be removed stays; the error that led here says more
        for path in folder.iterdir():
            if _OWN_FILE.fullmatch(path.name):
                path.unlink()
        for one in made:
            one.rmdir()
