"""Reads and writes files; a file never appears half-written under its name."""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sightline.errors import OutputError, UsageError

__all__ = ["FULL", "make_folder", "put_in_place", "read_bytes", "sync_folder", "write_bytes", "writing"]

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says if there is no room."""


def write_bytes(path: str | os.PathLike[str], content: bytes, *, mode: int = 0o666) -> Path:
    """Write to a temporary file beside `path`, then rename it; on any failure `path` is unchanged.

    `mode` says who may read it, from its first byte on; the user's umask takes its part of that.
    """
    target = Path(path)
    with writing(target, full="free some space or choose another place"), put_in_place(target) as temporary:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
    return target


@contextmanager
def put_in_place(path: Path) -> Iterator[Path]:
    """The path of a file to write, which becomes `path` when the block ends, once its content is on the disk.

    After an error there is nothing left of it.
    """
    # Its name is known before it exists: whatever interrupts the writing, it is removed.
    temporary = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}.part")
    try:
        yield temporary
        with temporary.open("rb") as written:
            os.fsync(written.fileno())
        temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


@contextmanager
def writing(
    path: str | os.PathLike[str], remedy: str = "choose another place", full: str = "free some space", then: str = ""
) -> Iterator[None]:
    """Turn an error of the system into an OutputError that says what to do, `full` if the disk is, and `then`.

    That somebody else holds a lock is left to the caller.
    """
    try:
        yield
    except BlockingIOError:
        raise
    except OSError as problem:
        advice = full if problem.errno in FULL else remedy
        reason = problem.strerror or str(problem)
        raise OutputError(f"Could not write {path}: {reason}; {advice}{then}.") from problem


def sync_folder(folder: Path) -> None:
    """Have the names of a folder on the disk: a rename is in the folder, not in the file."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_bytes(path: str | os.PathLike[str], advice: str, most: int = -1) -> bytes:
    """The content of a file; if it cannot be read, or has more bytes than `most`, an error with advice on what to do.

    >>> read_bytes("missing.json", "make one first")
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: missing.json: there is no such file; make one first.
    """
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(most if most < 0 else most + 1)  # not its size first, since a pipe has none
    except FileNotFoundError as problem:
        raise UsageError(f"{path}: there is no such file; {advice}.") from problem
    except OSError as problem:
        raise UsageError(f"{path}: the file cannot be read ({problem.strerror}); {advice}.") from problem
    except ValueError as problem:  # a name with a zero byte in it
        raise UsageError(f"{str(path)!r:.60} cannot be the name of a file; {advice}.") from problem
    if 0 <= most < len(content):
        raise UsageError(f"{path}: the file has more than {most:,} bytes, which none of its kind has; {advice}.")
    return content


def make_folder(folder: Path) -> Path:
    """The folder, made with those around it if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise OutputError(f"Could not make the folder {folder}: {problem.strerror}; choose another place.") from problem
    return folder
