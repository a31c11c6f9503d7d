"""The `.page` format: one file, versioned, compressed, checked; no pickle.

    magic (7 bytes) · version (1) · sizes of the next two (2 x 8) · zstd frame · screenshot · checksum (16)

The frame holds a JSON header (facts, and the name, type and shape of each column) and the columns. Integers are
stored as differences, their bytes sorted by significance: neighbours on a page are alike, so this packs well.
Boxes are stored in 1/64 pixel, the browser's own grid, wherever that is exact.
The docs, `docs/page-format.md`, tell the same for people who write a reader in another language.
"""

import hashlib
import struct
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import orjson
import zstandard

from sightline.errors import LimitError, UnreadableError
from sightline.page._columns import Attributes, IntArray, Part, Rules, Words

if TYPE_CHECKING:
    from sightline.page._page import Page

__all__ = ["MAGIC", "content_id", "dumps", "loads_fields"]

MAGIC = b"\x93SLPAGE"
VERSION = 1
SIZES = struct.Struct("<QQ")
HEADER = struct.Struct("<I")
CHECKSUM_BYTES = 16
# Level 3 wrote 9,000 nodes in 4 ms; level 9 took five times as long for 6 % less.
LEVEL = 3
GRID = 64  # Chromium lays out in 1/64 pixel
NO_GRID = np.iinfo(np.int32).min  # stands for NaN among boxes on the grid
# Decompressed bytes that a file may announce; the default limit of a document.
MAX_BYTES = 200_000_000

FACTS = ("url", "title", "kind", "viewport", "style_names", "notes")
PLAIN_COLUMNS = ("parent", "end", "tag", "text", "style_of", "edge")
COUNTED_FROM_NODE = ("parent", "end")  # stored relative to the node's own number


def dumps(page: "Page") -> bytes:
    """The page as the bytes of a `.page` file."""
    packed = zstandard.ZstdCompressor(level=LEVEL, write_checksum=False).compress(_payload(page))
    screenshot = page.screenshot or b""
    body = b"".join([MAGIC, bytes([VERSION]), SIZES.pack(len(packed), len(screenshot)), packed, screenshot])
    return body + _checksum(body)


def content_id(page: "Page") -> str:
    """The hash of everything on the page but its screenshot."""
    return hashlib.blake2b(_payload(page), digest_size=16).hexdigest()


def loads_fields(content: bytes, *, name: str, max_bytes: int = MAX_BYTES) -> dict[str, Any]:
    """The fields of the page in `content`; one clear error when it is cut short, damaged or something else."""
    packed, screenshot = _open(content, name)
    size = zstandard.frame_content_size(packed)
    if size > max_bytes:
        raise LimitError(name, f"holds {size:,} bytes, more than the {max_bytes:,} of decoded_bytes", limit="decoded_bytes")
    try:
        payload = zstandard.ZstdDecompressor().decompress(packed, max_output_size=max_bytes)
        return _unpack(payload) | {"screenshot": screenshot or None}
    except (zstandard.ZstdError, ValueError, KeyError, TypeError, struct.error) as problem:
        raise UnreadableError(name, "is damaged inside; save the page again") from problem


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=CHECKSUM_BYTES).digest()


def _open(content: bytes, name: str) -> tuple[bytes, bytes]:
    """The frame and the screenshot, once magic, version, length and checksum are right."""
    start = len(MAGIC) + 1 + SIZES.size
    if not content.startswith(MAGIC):
        raise UnreadableError(name, "is not a .page file; make one with `sightline save SOURCE -o x.page`")
    if len(content) < start:
        raise UnreadableError(name, "is cut short after its first bytes; save the page again")
    if content[len(MAGIC)] != VERSION:
        written = content[len(MAGIC)]
        raise UnreadableError(name, f"has format {written}, this version reads {VERSION}; update Sightline to open it")
    packed, screenshot = SIZES.unpack_from(content, len(MAGIC) + 1)
    expected = start + packed + screenshot + CHECKSUM_BYTES
    if len(content) < expected:
        raise UnreadableError(name, f"is cut short ({len(content):,} of {expected:,} bytes); save the page again")
    if _checksum(content[: expected - CHECKSUM_BYTES]) != content[expected - CHECKSUM_BYTES : expected]:
        raise UnreadableError(name, "is damaged (its checksum is wrong); save the page again")
    return content[start : start + packed], content[start + packed : start + packed + screenshot]


# ---------------------------------------------------------------------- writing


def _payload(page: "Page") -> bytes:
    """Header and columns, with the strings in the order of their first use: equal pages give equal bytes."""
    columns = _columns(page)
    style_used, columns["style_of"] = _renumbered(page.style_of % len(page.styles))
    columns["styles"] = page.styles[style_used]
    strings = _compact_strings(page.strings, columns)
    blob = "".join(strings).encode("utf-8", "surrogatepass")
    columns["lengths"] = np.array([len(string) for string in strings], dtype=np.int32)
    for key in COUNTED_FROM_NODE:
        columns[key] = columns[key] - np.arange(len(page), dtype=np.int32)
    header: dict[str, Any] = {key: getattr(page, key) for key in FACTS} | {"columns": []}
    if page.part:
        header["part"] = {"page": page.part.page, "above": page.part.above}
        columns |= {"part_number": page.part.number, "part_position": page.part.position}
    chunks = [blob]
    for key, column in columns.items():
        kind, data = _encode(column)
        header["columns"].append([key, kind, list(column.shape)])
        chunks.append(data)
    facts = orjson.dumps(_clean(header) | {"blob": len(blob)})
    return b"".join([HEADER.pack(len(facts)), facts, *chunks])


def _clean(header: dict[str, Any]) -> dict[str, Any]:
    """Facts as UTF-8 can hold them: a lone surrogate in a title becomes a question mark."""
    return {
        key: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for key, value in header.items()
    }


def _columns(page: "Page") -> dict[str, npt.NDArray[Any]]:
    columns: dict[str, npt.NDArray[Any]] = {key: getattr(page, key) for key in PLAIN_COLUMNS}
    columns |= {f"attribute_{key}": getattr(page.attributes, key) for key in ("start", "name", "value")}
    columns |= {f"word_{key}": getattr(page.words, key) for key in ("node", "start", "end", "box")}
    columns |= {f"rule_{key}": getattr(page.rules, key) for key in ("box", "colour")}
    return columns | {"box": page.box, "sheets": page.sheets}


STRING_COLUMNS = ("tag", "text", "attribute_name", "attribute_value", "styles", "rule_colour")


def _compact_strings(strings: tuple[str, ...], columns: dict[str, npt.NDArray[Any]]) -> list[str]:
    """Only the strings in use, each once, in the order of first use; renumbers the columns in place."""
    used, first = np.unique(np.concatenate([columns[key].ravel() for key in STRING_COLUMNS]), return_index=True)
    numbers: dict[str, int] = {}
    new = np.full(len(strings) + 1, -1, dtype=np.int32)  # the last row serves the id -1
    for old in used[np.argsort(first)].tolist():
        if old >= 0:
            new[old] = numbers.setdefault(strings[old], len(numbers))
    for key in STRING_COLUMNS:
        columns[key] = new[columns[key]]
    return list(numbers)


def _renumbered(column: IntArray) -> tuple[IntArray, IntArray]:
    """The values in use in the order of first use, and the column in the new numbers."""
    used, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(used), dtype=np.int32)
    rank[order] = np.arange(len(used), dtype=np.int32)
    return used[order].astype(np.int32), rank[inverse].astype(np.int32)


def _encode(column: npt.NDArray[Any]) -> tuple[str, bytes]:
    if column.dtype == np.int8:
        return "byte", column.tobytes()
    if column.dtype == np.int32:
        return "int", _shuffle(column.ravel())
    on_grid = np.where(np.isnan(column), 0, column) * GRID
    if (on_grid == np.rint(on_grid)).all() and (np.abs(on_grid) < 2**30).all():
        fixed = np.where(np.isnan(column), NO_GRID, on_grid).astype(np.int32)
        return "grid", _shuffle(fixed.T.ravel())
    return "float", column.astype("<f4").tobytes()


def _shuffle(values: npt.NDArray[np.int32]) -> bytes:
    """Differences of neighbours (wrapping around, so it is always reversible), bytes of equal weight together."""
    change = np.diff(values, prepend=np.int32(0)).astype("<i4")
    return change.view(np.uint8).reshape(-1, 4).T.tobytes()


# ---------------------------------------------------------------------- reading


def _unpack(payload: bytes) -> dict[str, Any]:
    (header_size,) = HEADER.unpack_from(payload)
    header = orjson.loads(payload[HEADER.size : HEADER.size + header_size])
    start = HEADER.size + header_size + header["blob"]
    text = payload[HEADER.size + header_size : start].decode("utf-8", "surrogatepass")
    columns: dict[str, npt.NDArray[Any]] = {}
    for key, kind, shape in header["columns"]:
        size = int(np.prod(shape)) * (1 if kind == "byte" else 4)
        columns[key] = _decode(kind, payload[start : start + size], shape)
        start += size
    return _fields(header, columns, _slices(text, columns.pop("lengths")))


def _slices(text: str, lengths: IntArray) -> tuple[str, ...]:
    ends = np.cumsum(lengths).tolist()
    if (ends[-1] if ends else 0) != len(text):
        raise ValueError("the strings do not add up")
    return tuple(text[start:end] for start, end in zip([0, *ends], ends, strict=False))


def _decode(kind: str, data: bytes, shape: list[int]) -> npt.NDArray[Any]:
    if kind == "byte":
        return np.frombuffer(data, dtype=np.int8).reshape(shape)
    if kind == "float":
        return np.frombuffer(data, dtype="<f4").reshape(shape)
    planes = np.frombuffer(data, dtype=np.uint8).reshape(4, -1)
    change = np.ascontiguousarray(planes.T).view("<i4").ravel()
    values = np.cumsum(change, dtype=np.int32)
    if kind == "int":
        return values.reshape(shape)
    fixed = values.reshape(shape[::-1]).T
    return np.where(fixed == NO_GRID, np.nan, fixed / np.float32(GRID)).astype(np.float32)


def _fields(header: dict[str, Any], columns: dict[str, npt.NDArray[Any]], strings: tuple[str, ...]) -> dict[str, Any]:
    own_number = np.arange(len(columns["parent"]), dtype=np.int32)
    for key in COUNTED_FROM_NODE:
        columns[key] = columns[key] + own_number
    fields: dict[str, Any] = {key: tuple(header[key]) if isinstance(header[key], list) else header[key] for key in FACTS}
    fields |= {key: columns[key] for key in (*PLAIN_COLUMNS, "styles", "box", "sheets")}
    fields["attributes"] = Attributes(**_group(columns, "attribute_"))
    fields["words"] = Words(**_group(columns, "word_"))
    fields["rules"] = Rules(**_group(columns, "rule_"))
    if "part" in header:
        fields["part"] = Part(**header["part"], **_group(columns, "part_"))
    return fields | {"strings": strings}


def _group(columns: dict[str, npt.NDArray[Any]], prefix: str) -> dict[str, Any]:
    return {key.removeprefix(prefix): column for key, column in columns.items() if key.startswith(prefix)}
