"""Boxes as streams: what remains when each is predicted from its surroundings.

Boxes are whole numbers in 1/64 pixel, the browser's own grid. A box is taken relative to the box around it and the one
before it in that; what is then left is compared with the node's twin, the last one before it with the same tag path at
the same place among its siblings, such as the cell above in a table. Three in four of the differences are 0.
Boxes that are not on the grid (those of a PDF) are kept as the bits of their floats.
"""

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sightline.arrays import BoolArray, LongArray
from sightline.geometry import BoxArray
from sightline.page._canonical import Columns
from sightline.page._columns import nearest, positions

# -- numbers as bytes that compress well ----------------------------------------------------------------------------

# How many numbers follow, and how many bytes each has.
HEAD = struct.Struct("<IB")
WIDEST = 4


class TooLongError(ValueError):
    """A stream has more rows than a reader is to take in."""

    def __init__(self, rows: int) -> None:
        super().__init__(f"a stream has {rows:,} rows")
        self.rows = rows


class StreamWriter:
    """Collects streams as chunks of similar bytes, which may be compressed one by one."""

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
        """The numbers of a stream, checked against their expected count if known."""
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


# -- boxes as streams: what remains when each is predicted from its surroundings ------------------------------------

GRID = 64  # Chromium lays out in 1/64 pixel
FARTHEST = 2**30  # on the grid: 16 million pixels, far beyond what a browser lays out
# Positions from here on count as one: far down a long list its items are each other's twins.
LAST_POSITION = 40


def on_grid(boxes: BoxArray) -> LongArray | None:
    """The boxes (all of them must be some) in 1/64 pixel, or None when that is not exact."""
    fixed = boxes.astype(np.float64) * GRID
    if not (np.abs(fixed) < FARTHEST).all() or (fixed != np.rint(fixed)).any():
        return None
    return fixed.astype(np.int64)


def from_grid(fixed: LongArray) -> BoxArray:
    """Boxes in pixels."""
    if (np.abs(fixed) >= FARTHEST).any():
        raise ValueError("a box is too far away")
    return (fixed / GRID).astype(np.float32)


def write_boxes(columns: Columns, out: StreamWriter) -> LongArray | None:
    """The boxes of all nodes that have one; on the grid they are given back."""
    node = np.flatnonzero(~np.isnan(columns["box"][:, 0]))
    boxes = columns["box"][node]
    fixed = on_grid(boxes)
    out.raw(b"grid" if fixed is not None else b"bits")
    if fixed is None:
        write_bits(boxes, out)
        return None
    around = _Surroundings.of(columns, node)
    for column in around.differences(fixed):
        out.sparse(column)
    return fixed


def read_boxes(columns: Columns, source: StreamReader) -> tuple[BoxArray, LongArray | None]:
    """The box column again, and the boxes on the grid if they are."""
    node = np.flatnonzero(columns["has_box"])
    fixed = None
    if source.raw() == b"bits":
        boxes = read_bits(len(node), source)
    else:
        around = _Surroundings.of(columns, node)
        fixed = around.boxes([source.sparse(len(node)) for _ in range(4)])
        boxes = from_grid(fixed)
    column = np.full((len(columns["parent"]), 4), np.nan, dtype=np.float32)
    column[node] = boxes
    return column, fixed


def write_bits(boxes: BoxArray, out: StreamWriter) -> None:
    """Floats, side by side; differences of their bits, since neighbours are alike."""
    bits = np.ascontiguousarray(boxes.astype("<f4").T).view("<i4").ravel()
    out.ids(np.diff(bits, prepend=np.int32(0)).astype("<i4").view("<u4"))


def read_bits(count: int, source: StreamReader) -> BoxArray:
    """The floats again."""
    bits = np.cumsum(source.ids(4 * count).astype("<u4"), dtype="<u4")
    return np.ascontiguousarray(bits.view("<f4").reshape(4, count).T)


@dataclass(frozen=True)
class _Surroundings:
    """For each node with a box, by its rank among them: the one around it, before it in that, and its twin."""

    around: npt.NDArray[np.intp]
    before: npt.NDArray[np.intp]
    twin: npt.NDArray[np.intp]
    alike: npt.NDArray[np.intp]  # the last one with the same path, at whatever place
    is_text: BoolArray
    in_line: BoolArray  # follows a text, or is one and follows something

    @classmethod
    def of(cls, columns: Columns, node: npt.NDArray[np.intp]) -> "_Surroundings":
        """The surroundings of these nodes in the tree."""
        around = _boxed_ancestor(columns["parent"], node)
        before = previous(around)
        keys: Keys = path_keys(columns["parent"], columns["tag"])[node]
        place = positions(around.astype(np.int32), columns["tag"][node])
        alike = previous(keys)
        twin = previous(keys * STEP + np.minimum(place, LAST_POSITION).astype(np.uint64))
        is_text = columns["text"][node] >= 0
        return cls(
            around=around,
            before=before,
            twin=np.where(twin >= 0, twin, alike),
            alike=alike,
            is_text=is_text,
            in_line=(before >= 0) & (is_text | np.append(is_text, False)[before]),
        )

    def differences(self, fixed: LongArray) -> list[LongArray]:
        """What is left of width, x, height and y."""
        x, y = fixed[:, 0], fixed[:, 1]
        width, height = fixed[:, 2] - x, fixed[:, 3] - y
        narrower = at(width, self.around) - width
        lower = np.where(self.is_text, -height, at(height, self.around) - height)
        x_link, x_base = self._x_base(width)
        y_link, y_base = self._y_base(x, width, height)
        right, down = x - at(x, x_link) - x_base, y - at(y, y_link) - y_base
        links = (self.twin, self.twin, self.alike, self.twin)
        return [one - at(one, link) for one, link in zip((narrower, right, lower, down), links, strict=True)]

    def boxes(self, differences: list[LongArray]) -> LongArray:
        """The boxes on the grid again."""
        links = (self.twin, self.twin, self.alike, self.twin)
        narrower, right, lower, down = (summed(one, link) for one, link in zip(differences, links, strict=True))
        width = summed(-narrower, self.around)
        height = summed(-lower, np.where(self.is_text, -1, self.around))
        x_link, x_base = self._x_base(width)
        x = summed(right + x_base, x_link)
        y_link, y_base = self._y_base(x, width, height)
        y = summed(down + y_base, y_link)
        return np.stack([x, y, x + width, y + height], axis=1)

    def _x_base(self, width: LongArray) -> tuple[npt.NDArray[np.intp], LongArray]:
        """A box in a line begins where the one before it ends, any other where the one around it begins."""
        return np.where(self.in_line, self.before, self.around), np.where(self.in_line, at(width, self.before), 0)

    def _y_base(self, x: LongArray, width: LongArray, height: LongArray) -> tuple[npt.NDArray[np.intp], LongArray]:
        """What is to the right of the box before it begins as high, else where that ends; the first with its parent."""
        stacked = x < at(x + width, self.before)
        return np.where(self.before >= 0, self.before, self.around), np.where(stacked, at(height, self.before), 0)


def _boxed_ancestor(parent: npt.NDArray[np.int32], node: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """For each of the nodes the nearest ancestor among them, by its rank; -1 without one."""
    rank = np.full(len(parent) + 1, -1, dtype=np.intp)
    rank[node] = np.arange(len(node))
    return rank[nearest(parent, rank[:-1] >= 0)[parent[node]]]


# Links between nodes that stand alike, and sums along links: what the box columns are predicted with.
#
# A link leads from a row to an earlier one, or to -1. Keys are hashes: where two unlike rows share one, a prediction is
# bad, and nothing else, since writer and reader make the same.

Keys = npt.NDArray[np.uint64]
Links = npt.NDArray[np.intp]

# Odd numbers without pattern (the golden ratio, and a mixer's constant).
STEP, SPREAD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
FOLD = np.uint64(29)


def mixed(values: npt.NDArray[Any]) -> Keys:
    """Numbers spread over all 64 bits."""
    spread = (values.astype(np.uint64) + np.uint64(1)) * SPREAD
    return spread ^ (spread >> FOLD)


def path_keys(parent: npt.NDArray[Any], tag: npt.NDArray[Any]) -> Keys:
    """A key for the tag path of each node, by pointer doubling."""
    ancestor = np.append(parent, -1).astype(np.intp)
    key = np.append(mixed(tag), np.uint64(0))
    step = np.array([STEP])  # as an array, it may overflow
    while ancestor.max(initial=-1) >= 0:
        key = key + key[ancestor] * step
        ancestor = ancestor[ancestor]
        step = step * step
    return key[:-1]


def previous(keys: npt.NDArray[Any]) -> Links:
    """The last row before each that has its key, or -1."""
    order = np.argsort(keys, kind="stable")
    same = keys[order[1:]] == keys[order[:-1]]
    link = np.full(len(keys), -1, dtype=np.intp)
    link[order[1:][same]] = order[:-1][same]
    return link


def at(values: npt.NDArray[np.int64], link: Links) -> npt.NDArray[np.int64]:
    """The value where each link leads; 0 where it leads nowhere."""
    return np.append(values, 0)[link]


def summed(values: npt.NDArray[np.int64], link: Links) -> npt.NDArray[np.int64]:
    """For each row the sum of its value and those along its links, by pointer doubling."""
    total = np.append(values, 0)
    link = np.append(link, -1)
    while link.max(initial=-1) >= 0:
        total = total + total[link]
        link = link[link]
    return total[:-1]
