"""Reads and writes files; a file never appears half-written under its name."""

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path

from sightline.errors import OutputError, UsageError

__all__ = ["FULL", "make_folder", "read_bytes", "write_bytes"]

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says if there is no room."""


def write_bytes(path: str | os.PathLike[str], content: bytes, *, mode: int = 0o666) -> Path:
    """Write to a temporary file beside `path`, then rename it; on any failure `path` is unchanged.

    `mode` says who may read it, from its first byte on; the user's umask takes its part of that.
    """
    target = Path(path)
    # Its name is known before it exists: whatever interrupts the writing, it is removed.
    temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.part")
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(target)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        remedy = "free some space or choose another place" if problem.errno in FULL else "choose another place"
        raise OutputError(f"Could not write {target}: {reason}; {remedy}.") from problem
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return target


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
