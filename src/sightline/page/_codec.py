"""The `.page` format: one file, versioned, compressed, checked; no pickle.

    magic (7 bytes) · version (1) · sizes of the next two (2 x 8) · zstd frame · screenshot · checksum (16)

The frame holds facts, strings and columns as streams of numbers (`_streams.py`), from which is left out what follows
from the rest (`_packed_boxes.py`, `_packed_words.py`).
`docs/page-format.md` describes the same for readers written in other languages.
"""

import hashlib
import struct
from collections.abc import Sequence
from typing import Any, get_args

import numpy as np
import numpy.typing as npt
import orjson
import zstandard

from sightline.errors import LimitError, UnreadableError
from sightline.page._canonical import FACTS, NOWHERE, Canonical, Columns, canonical, facts
from sightline.page._columns import Attributes, DrawnRules, PageKind, PagePart, Words, ends
from sightline.page._packed_boxes import (
    StreamReader,
    StreamWriter,
    TooLongError,
    read_bits,
    read_boxes,
    write_bits,
    write_boxes,
)
from sightline.page._packed_words import read_tree, read_words, write_tree, write_words
from sightline.page._page import Page

MAGIC = b"\x93SLPAGE"
VERSION = 1
SIZES = struct.Struct("<QQ")
CHECKSUM_BYTES = 16
# Measured on 19 pages of 500 to 5,000 nodes: level 9 takes 3.5 ms a page; level 3 takes a third of that for 8 % more
# bytes, level 19 nine times as long for 4 % less.
LEVEL = 9
# Shorter streams are packed together: a block of its own costs more than it saves.
SHORT_CHUNK = 512
# Decompressed bytes that a file may announce; the default limit of a document.
MAX_BYTES = 200_000_000
# A node takes about this many bytes in columns; in a file it may take less than one.
BYTES_PER_ROW = 40

SEPARATOR, ESCAPE = "\0", "\1"


def dumps(page: Page) -> bytes:
    """The page as the bytes of a `.page` file."""
    packed = _compressed(_chunks(page))
    screenshot = page.screenshot or b""
    body = b"".join([MAGIC, bytes([VERSION]), SIZES.pack(len(packed), len(screenshot)), packed, screenshot])
    return body + _checksum(body)


def loads_fields(content: bytes, *, name: str, max_bytes: int = MAX_BYTES) -> dict[str, Any]:
    """The fields of the page in `content`; a clear error if it is truncated, damaged or something else."""
    packed, screenshot = _open(content, name)
    try:
        payload = _decompressed(packed, name, max_bytes)
        return _fields(StreamReader(payload, most=max_bytes // BYTES_PER_ROW)) | {"screenshot": screenshot or None}
    except TooLongError as problem:
        raise _too_large(name, problem.rows * BYTES_PER_ROW, max_bytes) from problem
    except (zstandard.ZstdError, ValueError, KeyError, TypeError, IndexError, OverflowError, struct.error) as problem:
        raise UnreadableError(name, "is damaged inside; save the page again") from problem


# ---------------------------------------------------------------------- the container


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


def _compressed(chunks: list[bytes]) -> bytes:
    """One zstd frame, a block for each chunk: unlike bytes are coded apart."""
    size = sum(map(len, chunks))
    packer = zstandard.ZstdCompressor(level=LEVEL, write_checksum=False).compressobj(size=size)
    out: list[bytes] = []
    for chunk in chunks:
        if len(chunk) >= SHORT_CHUNK:
            out.append(packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))
        out.append(packer.compress(chunk))
        if len(chunk) >= SHORT_CHUNK:
            out.append(packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))
    return b"".join([*out, packer.flush()])


def _decompressed(packed: bytes, name: str, max_bytes: int) -> bytes:
    size = zstandard.frame_content_size(packed)
    if size > max_bytes:
        raise _too_large(name, size, max_bytes)
    return zstandard.ZstdDecompressor().decompress(packed, max_output_size=max_bytes)


def _too_large(name: str, size: int, max_bytes: int) -> LimitError:
    problem = f"holds {size:,} bytes, more than {max_bytes:,}; raise the limit `decoded_bytes` to read it"
    return LimitError(name, problem, limit="decoded_bytes")


# ---------------------------------------------------------------------- the content


def _chunks(page: Page) -> list[bytes]:
    form = canonical(page)
    out = StreamWriter()
    out.raw(orjson.dumps(facts(page)))
    _write_strings(form.strings, out)
    write_tree(form.columns, out)
    fixed = write_boxes(form.columns, out)
    write_words(form.columns, form.strings, fixed, out)
    _write_rest(form, out)
    return out.chunks


def _write_strings(strings: Sequence[str], out: StreamWriter) -> None:
    """All strings, with a NUL behind each; a NUL inside is written as two other characters."""
    text = "".join([string + SEPARATOR for string in strings])
    if text.count(SEPARATOR) > len(strings) or ESCAPE in text:
        escaped = (string.replace("\1", "\1\2").replace("\0", "\1\1") for string in strings)
        text = "".join([string + SEPARATOR for string in escaped])
    out.raw(text.encode("utf-8", "surrogatepass"))


def _read_strings(source: StreamReader) -> list[str]:
    strings = source.raw().decode("utf-8", "surrogatepass").split(SEPARATOR)
    if strings.pop():
        raise ValueError("the strings have no end")
    return [string.replace("\1\1", "\0").replace("\1\2", "\1") if ESCAPE in string else string for string in strings]


def _write_rest(form: Canonical, out: StreamWriter) -> None:
    columns = form.columns
    for key in ("sheets", "rule_box"):
        out.ids(np.array([len(columns[key])]))
        write_bits(columns[key], out)
    out.ids(columns["rule_colour"] + 1)
    if "part_number" in columns:
        out.sparse(np.diff(columns["part_number"], prepend=0) - 1)
        out.ids(columns["part_position"])


def _read_rest(source: StreamReader, nodes: int, *, is_part: bool) -> Columns:
    columns: Columns = {key: read_bits(int(source.ids(1)[0]), source) for key in ("sheets", "rule_box")}
    columns["rule_colour"] = source.ids(len(columns["rule_box"])).astype(np.int32) - np.int32(1)
    if is_part:
        columns["part_number"] = np.cumsum(source.sparse(nodes) + 1).astype(np.int32)
        columns["part_position"] = source.ids(nodes).astype(np.int32)
    source.finish()
    return columns


def _fields(source: StreamReader) -> dict[str, Any]:
    known = orjson.loads(source.raw())
    strings = _read_strings(source)
    columns = read_tree(source)
    columns["box"], fixed = read_boxes(columns, source)
    columns |= read_words(columns, strings, fixed, source)
    columns |= _read_rest(source, len(columns["parent"]), is_part="part" in known)
    check(known, columns, strings)
    fields: dict[str, Any] = {key: tuple(known[key]) if isinstance(known[key], list) else known[key] for key in FACTS}
    fields |= {key: columns[key] for key in ("parent", "tag", "text", "style_of", "edge", "styles", "box", "sheets")}
    fields["attributes"] = Attributes(**_group(columns, "attribute_"))
    fields["words"] = Words(**_group(columns, "word_"))
    fields["rules"] = DrawnRules(**_group(columns, "rule_"))
    fields["gaps"] = tuple(known.get("gaps", ()))
    fields["sheet_numbers"] = tuple(known.get("sheet_numbers", ()))
    if "part" in known:
        fields["part"] = PagePart(**known["part"], **_group(columns, "part_"))
    return fields | {"strings": tuple(strings), "end": ends(columns["parent"])}


def _group(columns: Columns, prefix: str) -> dict[str, Any]:
    return {key.removeprefix(prefix): column for key, column in columns.items() if key.startswith(prefix)}


# Checks that the page in a file is consistent, so that nothing fails later; all checks are on whole columns.

EDGES = 3  # plain, inner, slotted


def check(facts: dict[str, Any], columns: Columns, strings: list[str]) -> None:
    """Raise a ValueError or KeyError at the first inconsistency."""
    _check_facts(facts)
    numbers = facts.get("sheet_numbers", [])
    _hold(all(isinstance(number, int) and number > 0 for number in numbers))
    _hold(not numbers or len(numbers) == len(columns["sheets"]))
    count = len(strings)
    _within(columns["tag"], 0, count)
    _within(columns["text"], -1, count)
    _within(columns["attribute_name"], 0, count)
    _within(columns["attribute_value"], -1, count)
    _within(columns["styles"], -1, count)
    _within(columns["rule_colour"], -1, count)
    _within(columns["edge"], 0, EDGES)
    _within(columns["style_of"], 0, len(columns["styles"]))
    _hold(columns["styles"].shape[1] == len(facts["style_names"]))
    _hold(len(set(strings)) == count)
    for key in ("box", "word_box", "rule_box", "sheets"):
        placed, missing = np.abs(columns[key]) < NOWHERE, np.isnan(columns[key])
        _hold(bool((placed.all(axis=1) | missing.all(axis=1)).all()))
    _check_words(columns, strings)
    if "part" in facts:
        _within(np.diff(columns["part_number"]), 1, 2**31)
        _within(columns["part_number"][:1], 0, 2**31)
        _within(columns["part_position"], 1, 2**31)


def _check_facts(facts: dict[str, Any]) -> None:
    texts = [
        facts["url"],
        facts["title"],
        *facts["style_names"],
        *facts["notes"],
        *facts.get("gaps", ()),
        *facts.get("part", {}).values(),
    ]
    _hold(all(isinstance(text, str) for text in texts))
    _hold(facts["kind"] in get_args(PageKind))
    _hold(len(facts["viewport"]) == 2 and all(isinstance(side, int) for side in facts["viewport"]))
    _hold("part" not in facts or set(facts["part"]) == {"page", "above"})


def _check_words(columns: Columns, strings: list[str]) -> None:
    node, start, end = (columns[f"word_{key}"] for key in ("node", "start", "end"))
    _within(node, 0, len(columns["parent"]))
    length = np.array([*map(len, strings), np.iinfo(np.int32).max])  # the last row serves nodes without a text
    _hold(bool(((start >= 0) & (start < end) & (end <= length[columns["text"][node]])).all()))


def _within(values: npt.NDArray[Any], lowest: int, limit: int) -> None:
    _hold(not values.size or (int(values.min()) >= lowest and int(values.max()) < limit))


def _hold(condition: bool) -> None:  # noqa: FBT001
    if not condition:
        raise ValueError("the columns do not agree")


# Pages to bytes and back.


def loads(content: bytes, *, name: str = "the data", max_bytes: int = MAX_BYTES) -> Page:
    """The page in the bytes of a `.page` file; `name` is what errors call it.

    >>> from sightline.testing import list_page
    >>> page = list_page(["one", "two"])
    >>> loads(dumps(page)).id == page.id
    True
    """
    return Page(**loads_fields(content, name=name, max_bytes=max_bytes))
