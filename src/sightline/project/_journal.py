"""A file of entries that is only ever added to, and that a kill or a power cut can't spoil.

An entry is a line of JSON that ends with its own checksum, `"crc": "1a2b3c4d"`, so that people and other programs can
read the file. A process that dies while it writes leaves a last line without its end: that entry was never kept, and
the next one takes its place. Any other line that isn't as it was written is damage, which is never passed over in
silence. Lines without a checksum are read as they are: people may write some themselves.
"""

import os
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec

from sightline.errors import UnreadableError
from sightline.files import sync_folder, write_bytes
from sightline.project._locks import take

T = TypeVar("T")

_CRC = b',"crc":"%08x"}'
_CRC_BYTES = len(_CRC % 0)
_CRC_START = _CRC[: _CRC.index(b"%")]


@dataclass(frozen=True)
class JournalContent:
    """What a journal holds: its whole lines up to the first that is damaged, and where they end.

    `damaged` is the number of that line, 0 if there is none. What comes behind `end` is damage, or a last line that
    was never written to its end.
    """

    path: Path
    lines: tuple[bytes, ...] = ()
    end: int = 0
    damaged: int = 0

    def entries(self, kind: type[T], what: str, advice: str = "delete the line, and try again") -> list[T]:
        """The entries as values of a type; a line that isn't one is an error that says `what` it should be."""
        found = []
        for number, line in enumerate(self.lines, start=1):
            try:
                found.append(msgspec.json.decode(line, type=kind))
            except (msgspec.DecodeError, UnicodeDecodeError) as problem:
                raise UnreadableError(
                    f"{self.path}, line {number}", f"this isn't {what} ({problem}); {advice}."
                ) from problem
        if self.damaged:
            raise UnreadableError(
                f"{self.path}, line {self.damaged}",
                f'this isn\'t {what} as it was written; {advice}. If you changed it by hand, remove its "crc".',
            )
        return found


def read_journal(path: Path) -> JournalContent:
    """What a journal holds; nothing if there is none."""
    try:
        with path.open("rb") as stream:
            return _content(path, stream.read())
    except FileNotFoundError:
        return JournalContent(path)


class Journal:
    r"""A journal to add to, for this process alone while it is open.

    With `wait`, another process that has it open is waited for; otherwise it is a BlockingIOError. `sync` has each
    entry on the disk before `add` returns, so that it survives a power cut as well as a kill. Errors of the system
    come as they are.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "decisions.jsonl"
    >>> with Journal(path) as journal:
    ...     journal.add({"left": "EOS 5D", "same": True}, {"left": "EOS 6D", "same": False})
    >>> print(path.read_text(), end="")
    {"left":"EOS 5D","same":true,"crc":"f56c3259"}
    {"left":"EOS 6D","same":false,"crc":"83b35a71"}
    >>> read_journal(path).entries(dict, "a decision")
    [{'left': 'EOS 5D', 'same': True}, {'left': 'EOS 6D', 'same': False}]
    """

    def __init__(self, path: Path, *, sync: bool = True, wait: bool = True) -> None:
        self.path = path
        self._sync, self._wait = sync, wait
        self._handle = self._opened()

    def _opened(self) -> int:
        while True:
            is_new = not self.path.exists()
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
            if not take(handle, wait=self._wait):
                os.close(handle)
                raise BlockingIOError(f"{self.path} is in use")
            if self._is_current(handle):
                if is_new and self._sync:
                    sync_folder(self.path.parent)
                return handle
            os.close(handle)  # somebody has replaced the file since we opened it

    def _is_current(self, handle: int) -> bool:
        return self.path.exists() and self.path.stat().st_ino == os.fstat(handle).st_ino

    def __enter__(self) -> Self:
        _cut_torn_line(self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let others have it."""
        os.close(self._handle)

    def read(self) -> JournalContent:
        """What it holds now."""
        return _content(self.path, os.pread(self._handle, os.fstat(self._handle).st_size, 0))

    def add(self, *entries: Any) -> None:
        """Add entries, each an object; they are there when this returns."""
        left = memoryview(b"".join(map(_line, entries)))
        while left:  # a disk that is nearly full takes a part
            left = left[os.write(self._handle, left) :]
        if self._sync:
            os.fsync(self._handle)

    def replace(self, entries: Iterable[Any]) -> None:
        """Put entries in the place of all that it held, at once; the last thing to be done before it is closed."""
        write_bytes(self.path, b"".join(map(_line, entries)))


def _line(entry: Any) -> bytes:
    body = msgspec.json.encode(entry)[:-1]
    return body + _CRC % zlib.crc32(body) + b"\n"


def _content(path: Path, content: bytes) -> JournalContent:
    found: list[bytes] = []
    end = 0
    lines = content.split(b"\n")
    for number, line in enumerate(lines[:-1], start=1):
        plain = _checked(line)
        if plain is None:
            return JournalContent(path, tuple(found), end, number)
        end += len(line) + 1
        if plain.strip():
            found.append(plain)
    return JournalContent(path, tuple(found), end)


def _checked(line: bytes) -> bytes | None:
    """A line without its checksum; None if that is wrong."""
    tail = line[-_CRC_BYTES:]
    if not tail.startswith(_CRC_START):
        return line
    body = line[:-_CRC_BYTES]
    return body + b"}" if tail == _CRC % zlib.crc32(body) else None


def _cut_torn_line(handle: int) -> None:
    """Remove a last line that was never written to its end."""
    size = os.fstat(handle).st_size
    if size and os.pread(handle, 1, size - 1) != b"\n":
        os.ftruncate(handle, os.pread(handle, size, 0).rfind(b"\n") + 1)
