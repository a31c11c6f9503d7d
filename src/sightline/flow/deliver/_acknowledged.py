"""The file that remembers which parts of a load a service has acknowledged, so that a killed load can go on."""

import fcntl
import hashlib
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import msgspec

from sightline.errors import OutputError
from sightline.files import write_bytes
from sightline.flow.deliver._load import Load
from sightline.flow.deliver._loads import Delivered
from sightline.flow.deliver._replacing import explained

__all__ = ["Acknowledged", "message_id", "remembering"]


class _Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part that has arrived, or, as part 0, a load of which all have."""

    target: str
    load: str
    part: int
    rows: int
    digest: str = ""


def _target_of(load: Load) -> str:
    """What tells targets apart in a file that more than one may use; the address itself may be a secret."""
    place = f"{load.target.kind} {load.target.place} {load.target.table}"
    return hashlib.sha256(place.encode()).hexdigest()[:16]


def message_id(load: Load, part: int) -> str:
    """The same id whenever the same part of the same load is sent to the same target."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"sightline:{_target_of(load)}:{part}:{load.id}"))


class Acknowledged:
    """What is remembered of one load; while it is open, no other load writes to the file."""

    def __init__(self, path: Path, stream: BinaryIO, load: Load) -> None:
        self._path, self._stream, self._load = path, stream, load
        self._target = _target_of(load)
        self._lines = _read(path, stream)
        ours = [line for line in self._lines if (line.target, line.load) == (self._target, load.id)]
        self._digests = {line.part: line.digest for line in ours if line.part}
        self._done = next((line for line in ours if not line.part), None)

    @property
    def done(self) -> Delivered | None:
        """What the load did, if all its parts have arrived."""
        return Delivered(self._done.rows, inserted=self._done.rows, was_done=True) if self._done else None

    def has(self, part: int, digest: str) -> bool:
        """Whether a part has arrived; one that is not what it was then is an error."""
        if self._digests.get(part, digest) != digest:
            raise OutputError(
                f"{self._load.target}: part {part} of the load {self._load.id!r} has arrived before, with other rows; "
                "deliver the rows of that time, or give the load a new id, with which all rows are sent."
            )
        return part in self._digests

    def add(self, part: int, rows: int, digest: str) -> None:
        """Remember a part before the next one is sent."""
        line = _Line(self._target, self._load.id, part, rows, digest)
        with explained(str(self._path)):
            self._stream.write(msgspec.json.encode(line) + b"\n")
            self._stream.flush()
            os.fsync(self._stream.fileno())

    def finish(self, rows: int) -> None:
        """Remember that all parts have arrived, in place of what was known about each of them."""
        others = [line for line in self._lines if (line.target, line.load) != (self._target, self._load.id)]
        lines = [*others, _Line(self._target, self._load.id, 0, rows)]
        write_bytes(self._path, b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


@contextmanager
def remembering(path: str, load: Load) -> Iterator[Acknowledged]:
    """The state of a load, in a file that is made if there is none."""
    place = Path(path).absolute()
    with explained(path):
        stream = _open(place, path)
    with stream:
        yield Acknowledged(place, stream, load)


def _open(path: Path, shown: str) -> BinaryIO:
    while True:
        stream = path.open("a+b")
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as problem:
            stream.close()
            raise OutputError(
                f"{shown} is in use by another load; wait for it, or give each target a state of its own."
            ) from problem
        if path.exists() and path.stat().st_ino == os.fstat(stream.fileno()).st_ino:
            return stream
        stream.close()  # a load that ended in this instant has put a new file in its place


def _read(path: Path, stream: BinaryIO) -> list[_Line]:
    """The lines of the file; a last one that a kill has cut off is not there."""
    stream.seek(0)
    content = stream.read()
    whole = content.rfind(b"\n") + 1
    with explained(str(path)):
        stream.truncate(whole)
    try:
        return [msgspec.json.decode(line, type=_Line) for line in content[:whole].splitlines()]
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise OutputError(
            f"{path} is damaged or no state of a delivery ({problem!s:.100}); restore it, or name a new file, with "
            "which all parts are sent again under the ids that they had."
        ) from problem
