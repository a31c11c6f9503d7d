"""The folder of a batch: made, locked while a driver whose ledger stands in it is at work, and tidied in the end."""

import glob
import os
import secrets
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from sightline.errors import UsageError
from sightline.files import make_folder
from sightline.project import Journal, Lock, read_journal, remove_abandoned
from sightline.scale.inputs import is_called_like_input
from sightline.scale.output import DOCUMENTS, RECORDS, discard_all_parts
from sightline.sources.files import CRAWL_INDEX

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


# -- the journal of a shard -----------------------------------------------------------------------------------------
# Whoever takes the shard over goes on after the last outcome; a document that was begun and has no outcome was on the
# table when the process died. Entries are written at once, so that they outlive the process; they are not synced,
# since after a power cut a lost outcome is only made again. For the same reason a journal ends where it is damaged.

SUFFIX = ".journal"


class _ShardEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """That a document was begun, by its number in the shard, or its outcome."""

    document: int
    outcome: bytes | None = None


def journal_path(folder: Path, shard: str, fence: int) -> Path:
    """The journal of one attempt at a shard."""
    return folder / f"{shard}.{fence:06d}{SUFFIX}"


def journals_of(folder: Path, shard: str) -> list[Path]:
    """The journals of all attempts at a shard, the first one first."""
    return sorted(folder.glob(f"{shard}.*{SUFFIX}"))


def remove_journals(folder: Path) -> None:
    """Remove the journals of all shards."""
    for path in folder.glob(f"*{SUFFIX}"):
        path.unlink(missing_ok=True)


class ShardJournal(Journal):
    """A journal to be written, after the whole entries that are there."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, sync=False)

    def begin(self, number: int) -> None:
        """Note which document comes now."""
        self.add(_ShardEntry(number))

    def outcome(self, number: int, packed: bytes) -> None:
        """Note what became of it."""
        self.add(_ShardEntry(number, packed))


@dataclass
class JournalState:
    """What journals say: the outcomes by number, and the document that was begun last and has none."""

    outcomes: dict[int, bytes] = field(default_factory=dict)
    on_the_table: int | None = None


def read_journals(paths: list[Path]) -> JournalState:
    """What all attempts at a shard have done; what stood on the table in earlier attempts was dealt with then."""
    state = JournalState()
    for path in filter(Path.exists, paths):
        state.on_the_table = None
        for entry in _entries(path):
            state.on_the_table = entry.document if entry.outcome is None else None
            if entry.outcome is not None:
                state.outcomes[entry.document] = entry.outcome
    return state


def _entries(path: Path) -> list[_ShardEntry]:
    found = []
    for line in read_journal(path).lines:
        try:
            found.append(msgspec.json.decode(line, type=_ShardEntry))
        except (msgspec.DecodeError, UnicodeDecodeError):
            break
    return found
