"""Numbers as bytes that compress well: each byte of a number in its own plane, rare values apart from zeros."""

import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.arrays import LongArray

__all__ = ["StreamReader", "StreamWriter", "TooLongError"]


# How many numbers follow, and how many bytes each has.
HEAD = struct.Struct("<IB")
WIDEST = 4


class TooLongError(ValueError):
    """A stream has more rows than a reader is to take in."""

    def __init__(self, rows: int) -> None:
        super().__init__(f"a stream has {rows:,} rows")
        self.rows = rows


class StreamWriter:
    """Collects streams as chunks of alike bytes; whoever packs them may pack each chunk by itself."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []

    def raw(self, content: bytes) -> None:
        """Bytes as they are, with their length."""
        self.chunks += [HEAD.pack(len(content), 1), content]

    def ids(self, values: npt.NDArray[Any]) -> None:
        """Whole numbers from 0 to 2³² - 1."""
        width = max(1, (int(values.max(initial=0)).bit_length() + 7) // 8)
        planes = values.astype("<u4").view(np.uint8).reshape(-1, 4).T[:width]
        self.chunks += [HEAD.pack(len(values), width), *(plane.tobytes() for plane in planes)]

    def sparse(self, values: npt.NDArray[Any]) -> None:
        """Whole numbers of either sign, most of them 0: a bit for each that is not, then those alone."""
        self.raw(np.packbits(values != 0).tobytes())
        wide = values[values != 0].astype(np.int64)
        self.ids(np.where(wide < 0, -2 * wide - 1, 2 * wide))


class StreamReader:
    """Reads the streams again; a stream that is not there, or has another length than expected, is a ValueError."""

    def __init__(self, payload: bytes, *, most: int) -> None:
        self._payload = payload
        self._most = most
        self._position = 0

    def raw(self) -> bytes:
        """Bytes as they were."""
        count, width = HEAD.unpack(self._take(HEAD.size))
        return self._take(count * width)

    def ids(self, count: int | None = None) -> LongArray:
        """The numbers of a stream, and that there are so many, if it is known."""
        found, width = HEAD.unpack(self._take(HEAD.size))
        if width > WIDEST or (count is not None and found != count):
            raise ValueError("a stream has the wrong length")
        self.expect(found)
        planes = np.zeros((found, 4), dtype=np.uint8)
        planes[:, :width] = np.frombuffer(self._take(found * width), dtype=np.uint8).reshape(width, found).T
        return planes.view("<u4").ravel().astype(np.int64)

    def sparse(self, count: int) -> LongArray:
        """The numbers of a sparse stream, of which there are `count`."""
        self.expect(count)
        mask = np.frombuffer(self.raw(), dtype=np.uint8)
        if len(mask) != (count + 7) // 8:
            raise ValueError("a stream has the wrong length")
        present = np.unpackbits(mask, count=count).astype(bool)
        coded = self.ids(int(present.sum()))
        values = np.zeros(count, dtype=np.int64)
        values[present] = np.where(coded & 1, -(coded + 1) // 2, coded // 2)
        return values

    def expect(self, rows: int) -> None:
        """Refuse to make a column of too many rows, however few bytes it takes."""
        if rows > self._most:
            raise TooLongError(rows)

    def finish(self) -> None:
        """Nothing may be left over."""
        if self._position != len(self._payload):
            raise ValueError("there is more than expected")

    def _take(self, size: int) -> bytes:
        end = self._position + size
        if end > len(self._payload):
            raise ValueError("a stream is cut short")
        content = self._payload[self._position : end]
        self._position = end
        return content
