"""Files that appear whole or not at all: written beside their place, then renamed."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from sightline.errors import OutputError
from sightline.files import FULL
from sightline.project._locks import remove_abandoned, take


@contextmanager
def replacing(path: Path, shown: str) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file when the block ends; after an error or a kill, the file is as it was."""
    with part_of(path, shown) as part:
        yield part.stream
        part.put(path)


@dataclass(frozen=True)
class Part:
    """A file beside its place; whoever lists the folder does not see it as one of the files that belong."""

    path: Path
    stream: BinaryIO
    shown: str

    def put(self, path: Path) -> None:
        """Let it be the file of this name, with all that was written."""
        with explained(self.shown):
            self.stream.flush()
            os.fsync(self.stream.fileno())
            self.path.replace(path)


@contextmanager
def part_of(path: Path, shown: str) -> Iterator[Part]:
    """A part that is removed when the block ends, unless it was put in its place.

    One that a killed process left is removed by the next load to the same file.
    """
    with explained(shown):
        _remove_left(path)
        part, stream = _open_part(path)
    try:
        with stream:
            yield Part(part, stream, shown)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _open_part(path: Path) -> tuple[Path, BinaryIO]:
    """A new file beside a path, locked for as long as its process lives."""
    while True:
        part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
        stream = os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666), "w+b")
        take(stream.fileno(), wait=True)
        if part.exists():  # and not taken for one that was left, in the instant before it was locked
            return part, stream
        stream.close()


def _remove_left(path: Path) -> None:
    for left in path.parent.glob(f".{_literal(path.name[:100])}.????????.part"):
        with suppress(OSError):
            remove_abandoned(left)


def _literal(name: str) -> str:
    """A name with what a pattern would take for more than it says, escaped."""
    return "".join(f"[{letter}]" if letter in "*?[" else letter for letter in name)


@contextmanager
def explained(shown: str) -> Iterator[None]:
    """Turn what the system says about a file into an OutputError."""
    try:
        yield
    except OSError as problem:
        reason, remedy = _reason(problem)
        raise OutputError(f"{shown}: {reason}; nothing was changed, so {remedy}, then run the load again.") from problem


def _reason(problem: OSError) -> tuple[str, str]:
    """What happened, and what to do."""
    said = problem.strerror or str(problem).splitlines()[0]
    if problem.errno in FULL:
        return f"the disk is full ({said:.200})", "free some space"
    if isinstance(problem, FileNotFoundError):
        return f"there is no such folder ({said:.200})", "make it"
    return f"it cannot be written ({said:.200})", "check its name and its permissions"
