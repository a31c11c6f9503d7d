"""The pages of a crawl as WARC files, which are also its log: what stands there was fetched, whatever happens next.

A record goes to the file in one write, before anything else is told of it. After a kill, records behind the point that
the state knows of are read again and taken as just fetched; one that is cut in the middle is removed.
"""

import base64
import hashlib
import os
import uuid
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from sightline._version import __version__
from sightline.errors import OutputError, UsageError
from sightline.files import FULL
from sightline.net import PRODUCT

FILE_BYTES = 1_000_000_000
"""When a file has as many bytes, the next record begins another: what public archives use, and tools expect."""

# Levels 1 to 6 take 0.50, 0.49, 0.54, 0.76, 0.93, 1.18 ms for a page of 58 KB (690 of them, of two manuals), and leave
# 11.4, 10.9, 10.5, 9.9, 9.5, 9.3 KB of it.
_LEVEL = 3
_NAME = "pages-{:05d}.warc.gz"
_GZIP = zlib.MAX_WBITS | 16
_LEFT_OUT = frozenset({"content-encoding", "transfer-encoding", "content-length"})
_PAGE_TYPE = "application/x-sightline-page"
_PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class RecordPlace:
    """Where a record stands: the number of its file, its first byte, and how many bytes it has."""

    file: int
    offset: int
    length: int


@dataclass(frozen=True)
class StoredAnswer:
    """An answer as it was stored; `rendered` says that the content is a saved page and not what the server sent."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...]
    content: bytes
    when: float
    rendered: bool = False
    unchanged: bool = False

    def header(self, name: str) -> str:
        """The first header of this name, given in lower case; empty if there is none."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    @cached_property
    def digest(self) -> str:
        """The digest of the content, which the archive and the state both keep."""
        return payload_digest(self.content)


def payload_digest(content: bytes) -> str:
    """The digest of a page's bytes, as WARC writes it."""
    return "sha1:" + base64.b32encode(hashlib.sha1(content, usedforsecurity=False).digest()).decode()


class Archive:
    """The WARC files of a folder, open for appending."""

    def __init__(self, folder: Path, *, file: int = 1, end: int = 0, file_bytes: int = FILE_BYTES) -> None:
        self.folder = folder
        self.file = file
        self.end = end
        self._file_bytes = file_bytes
        self._descriptor: int | None = None

    @property
    def path(self) -> Path:
        """The file that is written to now."""
        return archive_path(self.folder, self.file)

    def close(self) -> None:
        """Close the file; what was written is there whether or not this is called."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def flush(self) -> None:
        """Make what was written survive a power cut, too."""
        if self._descriptor is not None:
            os.fsync(self._descriptor)

    def add(self, answer: StoredAnswer, digest: str) -> RecordPlace:
        """Append an answer; a part of it is never left behind, not even when the disk is full."""
        if self.end >= self._file_bytes:
            self.flush()
            self.close()
            self.file, self.end = self.file + 1, 0
        if self.end == 0:
            self._write(_member(_information(self.path.name)))
        return self._write(_member(_record(answer, digest)))

    def unread(self) -> Iterator[tuple[RecordPlace, StoredAnswer]]:
        """The answers behind the known end, oldest first; afterwards the archive ends behind the last whole one."""
        while (path := self.path).exists():
            with path.open("rb") as stream:
                stream.seek(self.end)
                for length, block in _members(stream):
                    place = RecordPlace(self.file, self.end, length)
                    self.end += length
                    answer = _answer(block)
                    if answer is not None:
                        yield place, answer
            if self.end < path.stat().st_size:
                os.truncate(path, self.end)
            if not archive_path(self.folder, self.file + 1).exists():
                return
            self.file, self.end = self.file + 1, 0

    def _write(self, content: bytes) -> RecordPlace:
        if self._descriptor is None:
            self._descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o666)
        start = self.end
        try:
            written = os.pwrite(self._descriptor, content, start)
            while written < len(content):
                written += os.pwrite(self._descriptor, content[written:], start + written)
        except OSError as problem:
            with suppress(OSError):  # what cannot be removed is written over, or removed by the next run
                os.truncate(self.path, start)
            remedy = "free some space, then give the same command again" if problem.errno in FULL else "fix that"
            raise OutputError(
                f"Could not write {self.path}: {problem.strerror}; {remedy}; nothing is lost."
            ) from problem
        self.end = start + len(content)
        return RecordPlace(self.file, start, len(content))


def archive_path(folder: Path, file: int) -> Path:
    """The name of a WARC file of a crawl."""
    return folder / _NAME.format(file)


def read_record(folder: Path, place: RecordPlace) -> StoredAnswer:
    """One answer of the archive."""
    with archive_path(folder, place.file).open("rb") as stream:
        stream.seek(place.offset)
        block = zlib.decompress(stream.read(place.length), _GZIP)
    answer = _answer(block)
    if answer is None:
        raise UsageError(f"{archive_path(folder, place.file)} has no answer at byte {place.offset}; it was changed.")
    return answer


# -- writing ---------------------------------------------------------------------------------------------------------


def _member(content: bytes) -> bytes:
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return packer.compress(content) + packer.flush()


def _head(kind: str, fields: list[tuple[str, str]], block: bytes, when: float) -> bytes:
    lines = [
        "WARC/1.1",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:{uuid.uuid4()}>",
        f"WARC-Date: {datetime.fromtimestamp(when, UTC).strftime('%Y-%m-%dT%H:%M:%S.%fZ')}",
        *(f"{name}: {value}" for name, value in fields),
        f"Content-Length: {len(block)}",
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def _information(name: str) -> bytes:
    block = f"software: {PRODUCT}/{__version__}\r\nformat: WARC File Format 1.1\r\n".encode()
    fields = [("WARC-Filename", name), ("Content-Type", "application/warc-fields")]
    return _head("warcinfo", fields, block, datetime.now(UTC).timestamp()) + block + b"\r\n\r\n"


def _record(answer: StoredAnswer, digest: str) -> bytes:
    fields = [("WARC-Target-URI", answer.url), ("WARC-Payload-Digest", digest)]
    if answer.rendered:
        block, kind = answer.content, "resource"
        fields.append(("Content-Type", _PAGE_TYPE))
    else:
        kind = "revisit" if answer.unchanged else "response"
        body = b"" if answer.unchanged else answer.content
        block = _http_head(answer, len(answer.content)) + body
        fields.append(("Content-Type", "application/http;msgtype=response"))
        if answer.unchanged:
            fields.append(("WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/server-not-modified"))
    return _head(kind, fields, block, answer.when) + block + b"\r\n\r\n"


def _http_head(answer: StoredAnswer, length: int) -> bytes:
    """The head of an answer; codings are undone already, so what names them is kept under another name."""
    lines = [f"HTTP/1.1 {answer.status} {_REASONS.get(answer.status, 'Unknown')}"]
    for name, value in answer.headers:
        prefix = "X-Crawler-" if name.lower() in _LEFT_OUT else ""
        lines.append(f"{prefix}{name}: {' '.join(value.split())}")
    lines.append(f"Content-Length: {length}")
    return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n"


# -- reading ---------------------------------------------------------------------------------------------------------


def _members(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The length and content of each whole gzip member; the first that is cut or damaged ends them."""
    rest = b""
    while piece := rest or stream.read(_PIECE):
        reader = zlib.decompressobj(_GZIP)
        content, length = bytearray(), 0
        try:
            while piece and not reader.eof:
                content += reader.decompress(piece)
                length += len(piece)
                piece = b"" if reader.eof else stream.read(_PIECE)
        except zlib.error:
            return
        if not reader.eof:
            return
        rest = reader.unused_data
        yield length - len(rest), bytes(content)


def _answer(block: bytes) -> StoredAnswer | None:
    """The answer that a record holds; None for records of other kinds."""
    head, _, rest = block.partition(b"\r\n\r\n")
    fields = _fields(head)
    content = rest[: int(fields.get("content-length", "0"))]
    kind, url = fields.get("warc-type"), fields.get("warc-target-uri", "")
    when = datetime.fromisoformat(fields.get("warc-date", "1970-01-01T00:00:00Z")).timestamp()
    if kind == "resource":
        return StoredAnswer(url, 200, (), content, when, rendered=True)
    if kind not in ("response", "revisit"):
        return None
    top, _, body = content.partition(b"\r\n\r\n")
    lines = top.decode("latin-1").split("\r\n")
    pairs = (line.partition(": ") for line in lines[1:])
    headers = tuple((name.removeprefix("X-Crawler-"), value) for name, _, value in pairs)
    return StoredAnswer(url, int(lines[0].split(" ")[1]), headers, body, when, unchanged=kind == "revisit")


def _fields(head: bytes) -> dict[str, str]:
    lines = (line.partition(": ") for line in head.decode().split("\r\n")[1:])
    return {name.lower(): value for name, _, value in lines}


_REASONS = {200: "OK", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 404: "Not Found"}
