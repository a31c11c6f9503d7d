"""The folder of a batch: made, locked while a driver whose ledger stands in it is at work, and tidied in the end."""

import glob
import os
import secrets
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sightline.errors import UsageError
from sightline.files import make_folder
from sightline.project import Lock, remove_abandoned
from sightline.scale._journal import remove_journals
from sightline.scale.inputs import is_called_like_input
from sightline.scale.output import DOCUMENTS, RECORDS, discard_all_parts
from sightline.sources.files import CRAWL_INDEX

__all__ = ["JOB_FILE", "LEDGER_FILE", "WORK_FOLDER", "Owner", "batch_folder", "check_apart", "output_folder", "tidy"]

JOB_FILE = "job.json"
LEDGER_FILE = "ledger.sqlite"
WORK_FOLDER = "_work"
_LOCK = "driver.lock"


def output_folder(name: str) -> Path:
    """The folder to write to; a UsageError for a name that must be meant as an input, since OUTPUT was forgotten.

    >>> output_folder("https://shop.example/")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: https://shop.example/ stands where the folder to write to is named, but...
    """
    folder = Path(name)
    if not folder.is_dir() and (is_called_like_input(name) or glob.has_magic(name)):
        raise UsageError(
            f"{name} stands where the folder to write to is named, but is called like an input; name the folder last."
        )
    return folder


def check_apart(folder: Path, inputs: Iterable[str]) -> None:
    """Refuse to write into an input, which would then hold the output as well."""
    whole = folder.resolve()
    for name in inputs:
        start = Path(name.partition("**")[0] or ".")
        walked = ("**" in name or start.is_dir()) and not (start / CRAWL_INDEX).exists()
        if walked and whole.is_relative_to(start.resolve()):
            raise UsageError(f"{folder} lies within the input {name}, of which it would become a part; choose another.")


def tidy(folder: Path) -> None:
    """Remove what workers that were killed have left behind; to be called when all shards are done."""
    discard_all_parts(folder)
    remove_journals(folder / WORK_FOLDER)
    remove_dead_owners(folder / WORK_FOLDER)


@contextmanager
def batch_folder(folder: Path, *, shared: bool) -> Iterator[Path]:
    """The work folder of a batch; unless `shared`, for this driver alone."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; a batch needs a folder for what it writes.")
    foreign = folder.exists() and any(folder.iterdir()) and not (folder / WORK_FOLDER).exists()
    if foreign:
        raise UsageError(
            f"{folder} holds files that are not of a batch; name an empty or new folder last, or that of a batch to go "
            "on with it."
        )
    for name in (WORK_FOLDER, RECORDS, DOCUMENTS):
        make_folder(folder / name)
    work = folder / WORK_FOLDER
    if shared:
        yield work
        return
    try:
        lock = Lock(work / _LOCK)
    except BlockingIOError as problem:
        raise UsageError(
            f"Another batch into {folder} is running; wait for its end, or choose another folder."
        ) from problem
    with lock:
        yield work


# Who holds a lease: a name with a locked file, by which others on the machine know at once when it is dead.

_SUFFIX, _WORDS = ".lock", ".stderr"


class Owner:
    """A supervisor's name; the system unlocks its file when the process ends, however it ends."""

    def __init__(self, folder: Path, label: str) -> None:
        self._folder = folder
        self.name = f"{socket.gethostname()}:{os.getpid()}:{label}:{secrets.token_hex(4)}"
        self._path = _lock_file(folder, self.name)
        self._lock = Lock(self._path)

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
        self._lock.release()


def _lock_file(folder: Path, name: str) -> Path:
    return folder / (name.replace(":", "_") + _SUFFIX)


def remove_dead_owners(folder: Path) -> None:
    """Remove what owners on this machine have left that were killed."""
    for path in folder.glob(f"{socket.gethostname()}_*{_SUFFIX}"):
        _remove_if_dead(path)


def _remove_if_dead(path: Path) -> bool:
    if not remove_abandoned(path):
        return False
    path.with_suffix(_WORDS).unlink(missing_ok=True)
    return True
