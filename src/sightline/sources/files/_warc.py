"""Reads WARC files, even damaged ones: FastWARC reads, and a guard around it counts what it would silently lose.

FastWARC alone returns an empty record where the file was cut off, swallows what follows a wrong length, and stops at
the first damaged member. The guard compares declared with actual lengths, checks digests, and after damage continues
at the next record, so that documents and errors together are the response records of the file (a damaged stretch
counts as one).
"""

import base64
import hashlib
import io
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from sightline.errors import LimitError, SourceError, UnreadableError
from sightline.net import (
    DamagedStreamError,
    Document,
    Inflater,
    Limits,
    TooLargeError,
    codings,
    media_type_and_charset,
    megabytes,
)

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # FastWARC 1.1 warns of its own old names while importing them
    from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

__all__ = ["read_warc"]

_GZIP = b"\x1f\x8b\x08"
_PLAIN = b"\r\nWARC/"
_WINDOW = 1 << 20
_HEAD_BYTES = 64 * 1024  # of an HTTP answer; servers and browsers agree on some 8 to 256 KB
_SUBRESOURCE = re.compile(
    r"(?:image|font|audio|video)/|text/css|(?:text|application)/(?:x-)?javascript|application/json"
)
_SAVED_PAGE = "application/x-sightline-page"
_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})")


@dataclass(frozen=True)
class _Block:
    """A record as read: its position, headers and bytes; None where they are damaged or too many."""

    position: int
    record: WarcRecord
    content: bytes | None
    problem: str = ""
    too_large: bool = False


def read_warc(stream: BinaryIO, name: str, limits: Limits | None = None) -> Iterator[Document | SourceError]:
    """Yield a document for every response record of a seekable stream, and an error for every damaged one.

    A record is named `NAME#NUMBER`, counted from 1. Records of other types are skipped, and so are images, scripts and
    styles, which are parts of pages and not pages.
    """
    limits = limits or Limits()
    number = 0
    for block in _blocks(stream, limits.decoded_bytes):
        if isinstance(block, _Block) and not _is_page(block):
            continue
        number += 1
        yield _result(block, f"{name}#{number}", limits)
    if not number:
        yield UnreadableError(name, "holds no response record that is a page.")


def _is_page(block: _Block) -> bool:
    if block.content is None and not block.record.headers.get("WARC-Type"):
        return True  # so damaged that its type is lost
    if not _may_be_page(block.record):
        return False
    return block.content is None or not _SUBRESOURCE.match(_media_type(block.content))


def _may_be_page(record: WarcRecord) -> bool:
    """Whether a record is what a server sent, or a page as a browser showed it, which crawls keep."""
    if record.record_type == WarcRecordType.response:
        return True
    return record.record_type == WarcRecordType.resource and record.headers.get("Content-Type") == _SAVED_PAGE


def _media_type(content: bytes) -> str:
    head = content[:_HEAD_BYTES].partition(b"\r\n\r\n")[0]
    found = re.search(rb"^content-type:[ \t]*([^\r\n;]+)", head, re.IGNORECASE | re.MULTILINE)
    return found[1].decode("latin-1").strip().lower() if found else ""


def _result(block: "_Block | str", source: str, limits: Limits) -> Document | SourceError:
    if isinstance(block, str):
        return UnreadableError(source, f"is damaged ({block}); what could be read after it was read.")
    if block.too_large:
        problem = f"is larger than {megabytes(limits.decoded_bytes)}; raise decoded_bytes to read it."
        return LimitError(source, problem, limit="decoded_bytes")
    if block.content is None:
        return UnreadableError(source, f"is damaged ({block.problem}); what could be read after it was read.")
    return _document(block.record, block.content, source, limits)


# -- records -------------------------------------------------------------------------------------------------------


def _blocks(stream: BinaryIO, limit: int) -> Iterator["_Block | str"]:
    """Read every record; after damage, continue at the next readable one. A str is damage without a record."""
    mark = _GZIP if stream.read(len(_GZIP)) == _GZIP else _PLAIN
    start: int | None = 0
    damaged = False
    while start is not None:
        last, problem = start, ""
        try:
            for block in _run(stream, start, limit):
                damaged, last = False, block.position
                yield block
                if block.content is None and not block.too_large:
                    damaged, problem = True, block.problem
                    break
            else:
                if not damaged and _is_cut(stream, mark, last):
                    yield "the file ends in the middle of it"
                return
        except OSError as error:
            problem = str(error) or "cannot be read"
        if not damaged:
            yield problem
        damaged = True
        start = _find(stream, mark, last + 1)


def _is_cut(stream: BinaryIO, mark: bytes, last: int) -> bool:
    """Whether anything but whitespace follows the last record, which the reader then silently skipped."""
    stream.seek(last)
    if mark == _PLAIN:
        head, separator, _ = stream.read(_HEAD_BYTES).partition(b"\r\n\r\n")
        length = re.search(rb"^content-length:\s*(\d+)", head, re.IGNORECASE | re.MULTILINE)
        stream.seek(last + len(head) + len(separator) + (int(length[1]) if length else 0))
        return bool(stream.read(_HEAD_BYTES).strip())
    inflater = Inflater(("gzip",), limit=sys.maxsize)
    try:
        while window := stream.read(_WINDOW):
            for _ in inflater.feed(window):
                pass
    except DamagedStreamError:
        stream.seek(last)
        return stream.read(len(_GZIP)) == _GZIP  # with one member for all records, places are not known exactly
    return not inflater.complete


def _run(stream: BinaryIO, start: int, limit: int) -> Iterator[_Block]:
    stream.seek(start)
    for record in ArchiveIterator(stream, parse_http=False):
        yield _block(record, start + record.stream_pos, limit)


def _block(record: WarcRecord, position: int, limit: int) -> _Block:
    declared = record.headers.get("Content-Length") or ""
    if not declared.strip().isdecimal():
        return _Block(position, record, None, "its length is missing or not a number")
    length = int(declared)
    wanted = _may_be_page(record)
    if wanted and length > limit:
        return _Block(position, record, None, too_large=True) if _fits(record, length) else _short(position, record)
    if not wanted:
        return _Block(position, record, b"") if record.consume() == length else _short(position, record)
    content = record.reader.read()
    if len(content) != length:
        return _short(position, record)
    if _digest_differs(record.headers.get("WARC-Block-Digest"), content):
        return _Block(position, record, None, "its digest does not match its bytes")
    return _Block(position, record, content)


def _fits(record: WarcRecord, length: int) -> bool:
    return bool(record.consume() == length)


def _short(position: int, record: WarcRecord) -> _Block:
    return _Block(position, record, None, "it ends before its declared length")


def _find(stream: BinaryIO, mark: bytes, start: int) -> int | None:
    """Find the next place where a record may start."""
    stream.seek(start)
    before = b""
    while window := stream.read(_WINDOW):
        found = (before + window).find(mark)
        if found >= 0:
            return start - len(before) + found + (2 if mark == _PLAIN else 0)
        start += len(window)
        before = (before + window)[-(len(mark) - 1) :]
    return None


def _digest_differs(declared: str | None, content: bytes) -> bool:
    """Whether a digest of a known kind does not match the bytes."""
    kind, _, value = (declared or "").partition(":")
    kind = kind.strip().lower().replace("-", "")
    if kind not in ("sha1", "sha256", "md5"):
        return False
    digest = hashlib.new(kind, content, usedforsecurity=False)
    return value.strip().lower() not in (digest.hexdigest(), base64.b32encode(digest.digest()).decode().lower())


# -- HTTP inside a record ------------------------------------------------------------------------------------------


def _document(record: WarcRecord, content: bytes, source: str, limits: Limits) -> Document | SourceError:
    if record.record_type == WarcRecordType.resource:
        url = (record.headers.get("WARC-Target-URI") or "").strip("<> ")
        return Document(source=source, url=url, content=content, media_type=_SAVED_PAGE)
    head, _, body = content.partition(b"\r\n\r\n")
    status = _STATUS_LINE.match(head)
    if not status or len(head) > _HEAD_BYTES:
        head, body = (b"", content) if not status else (head[:_HEAD_BYTES], body)
    headers = _headers(head)
    notes = []
    if truncated := record.headers.get("WARC-Truncated"):
        notes.append(f"The archive holds only the beginning (truncated by {truncated}).")
    if _digest_differs(record.headers.get("WARC-Payload-Digest"), body) and not truncated:
        notes.append("The archive's digest of the payload does not match it.")
    sent = {key.lower(): value for key, value in headers}
    if "chunked" in sent.get("transfer-encoding", "").lower():
        body = _unchunked(body)
    try:
        body = _inflated(body, sent.get("content-encoding", ""), limits.decoded_bytes, notes)
    except TooLargeError:
        problem = f"is larger than {megabytes(limits.decoded_bytes)} once decompressed; raise decoded_bytes to read it."
        return LimitError(source, problem, limit="decoded_bytes")
    media_type, charset = media_type_and_charset(sent.get("content-type"))
    return Document(
        source=source,
        url=(record.headers.get("WARC-Target-URI") or "").strip("<> "),
        content=body,
        media_type=media_type,
        charset=charset,
        status=int(status[1]) if status else None,
        headers=headers,
        notes=tuple(notes),
    )


def _headers(head: bytes) -> tuple[tuple[str, str], ...]:
    lines = (line.partition(b":") for line in head.split(b"\r\n")[1:])
    return tuple(
        (name.strip().decode("latin-1"), value.strip().decode("latin-1")) for name, colon, value in lines if colon
    )


def _unchunked(body: bytes) -> bytes:
    """Join the chunks; bytes that only claim to be chunked are returned unchanged."""
    pieces: list[bytes] = []
    stream = io.BytesIO(body)
    while line := stream.readline(_HEAD_BYTES):
        size = line.partition(b";")[0].strip()
        if not re.fullmatch(rb"[0-9A-Fa-f]{1,15}", size):
            return b"".join(pieces) if pieces else body
        if int(size, 16) == 0:
            break
        pieces.append(stream.read(int(size, 16)))
        stream.readline(2)
    return b"".join(pieces)


def _inflated(body: bytes, encoding: str, limit: int, notes: list[str]) -> bytes:
    """Undo the content coding; bodies stored already decoded, as some archivers do, are left unchanged."""
    pieces = bytearray()
    inflater = Inflater(codings(encoding), limit=limit)
    try:
        for piece in inflater.feed(body):
            pieces += piece
    except DamagedStreamError:
        if not pieces:
            return body
        notes.append("The compressed data is damaged; what follows the damage is missing.")
        return bytes(pieces)
    if not inflater.complete:
        notes.append("The compressed data ends too early; the rest is missing.")
    return bytes(pieces)
