"""Files inside of files: a stretch of one, and one that can only be read forward."""

import io
from collections.abc import Callable
from typing import BinaryIO

__all__ = ["FilePart", "Rewindable"]

# How far one can go back without beginning anew: readers of archives go back by the window in which they search.
_KEPT = 4 << 20


class FilePart(io.RawIOBase):
    """A stretch of a file, as a file of its own; the file stays open when it is closed."""

    def __init__(self, stream: BinaryIO, start: int, length: int) -> None:
        self._stream = stream
        self._start = start
        self._length = length
        self._at = 0

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place, from the start of the stretch."""
        self._at = place if whence == io.SEEK_SET else self._at + place
        return self._at

    def read(self, count: int = -1) -> bytes:
        """The next bytes; fewer at the end of the stretch."""
        left = max(0, self._length - self._at)
        self._stream.seek(self._start + self._at)
        piece = self._stream.read(left if count < 0 else min(count, left))
        self._at += len(piece)
        return piece


class Rewindable(io.RawIOBase):
    """A file that can only be read forward, as one that can be read from any place: the last bytes are kept."""

    def __init__(self, open_again: Callable[[], BinaryIO]) -> None:
        self._open = open_again
        self._stream = open_again()
        self._kept = b""
        self._end = 0  # the place behind what was kept
        self._at = 0

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place; what lies too far back is read again from the start."""
        self._at = place if whence == io.SEEK_SET else self._at + place
        if self._at < self._end - len(self._kept):
            self._stream.close()
            self._stream, self._kept, self._end = self._open(), b"", 0
        return self._at

    def read(self, count: int = -1) -> bytes:
        """The next bytes; fewer at the end of the file."""
        most = min(_KEPT // 2, count if count >= 0 else _KEPT)
        while self._end < self._at + most and self._more(self._at + most - self._end):
            pass
        first = self._at - (self._end - len(self._kept))
        piece = self._kept[first : first + most] if first < len(self._kept) else b""
        self._at += len(piece)
        return piece

    def close(self) -> None:
        """Close the file that is read."""
        self._stream.close()
        super().close()

    def _more(self, count: int) -> bool:
        piece = self._stream.read(min(count, _KEPT // 2))
        self._kept = self._kept[-_KEPT // 2 :] + piece
        self._end += len(piece)
        return bool(piece)
