"""The journal of a shard: a line before each document and its outcome after it, in a file that survives the process.

Whoever takes the shard over goes on after the last outcome; a document that was begun and has no outcome was on the
table when the process died. Frames are written unbuffered, so that they outlive the process; they are not synced,
since after a power cut a lost outcome is only made again. A frame that was cut short, or is damaged, ends the journal.
"""

import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["JournalState", "ShardJournal", "journal_path", "journals_of", "read_journals", "remove_journals"]

_HEAD = struct.Struct("<II")  # length and CRC of what follows
_FRAME = struct.Struct("<cI")  # kind, and number of the document in its shard
_BEGIN, _OUTCOME = b"b", b"o"
SUFFIX = ".journal"


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


class ShardJournal:
    """A journal to be written, after the whole frames that are there.

    A process that is killed while it writes leaves a part of a frame; nobody would read what stands behind that.
    """

    def __init__(self, path: Path) -> None:
        self._stream = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        os.ftruncate(self._stream, _whole_bytes(path))

    def begin(self, number: int) -> None:
        """Note which document comes now."""
        self._append(_FRAME.pack(_BEGIN, number))

    def outcome(self, number: int, packed: bytes) -> None:
        """Note what became of it."""
        self._append(_FRAME.pack(_OUTCOME, number) + packed)

    def close(self) -> None:
        """Close the file."""
        os.close(self._stream)

    def __enter__(self) -> "ShardJournal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _append(self, body: bytes) -> None:
        frame = memoryview(_HEAD.pack(len(body), zlib.crc32(body)) + body)
        while frame:  # a disk that is nearly full takes a part
            frame = frame[os.write(self._stream, frame) :]


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
        for kind, number, packed in _frames(path):
            state.on_the_table = number if kind == _BEGIN else None
            if kind == _OUTCOME:
                state.outcomes[number] = packed
    return state


def _frames(path: Path) -> Iterator[tuple[bytes, int, bytes]]:
    with path.open("rb") as stream:
        while len(head := stream.read(_HEAD.size)) == _HEAD.size:
            length, check = _HEAD.unpack(head)
            body = stream.read(length)
            if len(body) != length or length < _FRAME.size or zlib.crc32(body) != check:
                return
            kind, number = _FRAME.unpack_from(body)
            yield kind, number, body[_FRAME.size :]


def _whole_bytes(path: Path) -> int:
    return sum(_HEAD.size + _FRAME.size + len(packed) for _, _, packed in _frames(path))
