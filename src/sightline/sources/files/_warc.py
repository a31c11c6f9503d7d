"""Reads WARC files, even damaged ones: a document for every page, and an error for every damaged record.

Documents and errors together are the pages of the file; a damaged stretch in which no record can be told from the next
counts as one.
"""

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, NamedTuple

import orjson

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
from sightline.sources.files._bytes import WarcPlace
from sightline.sources.files._records import HTTP_HEAD_BYTES, SAVED_PAGE, FoundRecord, RecordWalk, digest_differs

__all__ = [
    "CRAWL_INDEX",
    "INDEX_SUFFIX",
    "NOTHING_FOUND",
    "NO_PAGE",
    "IndexEntry",
    "WarcReader",
    "damage",
    "index_entry",
    "missing_archive",
    "read_entry",
    "read_index",
    "read_warc",
    "target",
    "warc_pages",
]

NO_PAGE = "holds no response record that is a page."
_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)? (\d{3})")


def read_warc(stream: BinaryIO, name: str, limits: Limits | None = None) -> Iterator[Document | SourceError]:
    """Yield a document for every response record of a seekable stream, and an error for every damaged one.

    A record is named `NAME#NUMBER`, counted from 1. Records of other types are skipped, and so are images, scripts and
    styles, which are parts of pages and not pages.
    """
    limits = limits or Limits()
    number = 0
    for number, found in enumerate(_pages(RecordWalk(stream, limits.decoded_bytes)), 1):
        yield _result(found, f"{name}#{number}", limits)
    if not number:
        yield UnreadableError(name, NO_PAGE)


def warc_pages(stream: BinaryIO, limits: Limits) -> Iterator[FoundRecord]:
    """The records that `read_warc` gives documents or errors for, in the same order.

    Digests are not checked unless it is in doubt where a record ends: reading does that.
    """
    return _pages(RecordWalk(stream, limits.decoded_bytes, digests=False))


class WarcReader:
    """Reads single records by their places; cheap for places in ascending order, right for any."""

    def __init__(self, stream: BinaryIO, limits: Limits) -> None:
        self._walk = RecordWalk(stream, limits.decoded_bytes)
        self._limits = limits

    def read(self, place: WarcPlace, name: str) -> Document | SourceError:
        """What `read_warc` gives for the record at a place, under a name."""
        found = self._walk.at(place)
        if found is None:
            return UnreadableError(name, "has no record where one was listed; the file has changed since.")
        return _result(found, name, self._limits)


def _pages(walk: RecordWalk) -> Iterator[FoundRecord]:
    return (found for found in walk if found.is_page)


def _result(found: FoundRecord, source: str, limits: Limits) -> Document | SourceError:
    if found.too_large:
        problem = f"is larger than {megabytes(limits.decoded_bytes)}; raise decoded_bytes to read it."
        return LimitError(source, problem, limit="decoded_bytes")
    if found.content is None:
        return UnreadableError(source, damage(found.problem))
    return _document(found.headers, found.content, source, limits)


def damage(problem: str) -> str:
    """What is said of a damaged record."""
    return f"is damaged ({problem}); what could be read after it was read."


# -- HTTP inside a record ------------------------------------------------------------------------------------------


def _document(record: dict[str, str], content: bytes, source: str, limits: Limits) -> Document | SourceError:
    if record["warc-type"] == "resource":
        return Document(source=source, url=target(record), content=content, media_type=SAVED_PAGE)
    head, _, body = content.partition(b"\r\n\r\n")
    status = _STATUS_LINE.match(head)
    if not status or len(head) > HTTP_HEAD_BYTES:
        head, body = (b"", content) if not status else (head[:HTTP_HEAD_BYTES], body)
    headers = _headers(head)
    notes = []
    if truncated := record.get("warc-truncated"):
        notes.append(f"The archive holds only the beginning (truncated by {truncated}).")
    if digest_differs(record.get("warc-payload-digest"), body) and not truncated:
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
        url=target(record),
        content=body,
        media_type=media_type,
        charset=charset,
        status=int(status[1]) if status else None,
        headers=headers,
        notes=tuple(notes),
    )


def target(headers: dict[str, str]) -> str:
    """The address of the page in a record; some writers put it in angle brackets."""
    return headers.get("warc-target-uri", "").strip("<> ")


def _headers(head: bytes) -> tuple[tuple[str, str], ...]:
    lines = (line.partition(b":") for line in head.split(b"\r\n")[1:])
    return tuple(
        (name.strip().decode("latin-1"), value.strip().decode("latin-1")) for name, colon, value in lines if colon
    )


def _unchunked(body: bytes) -> bytes:
    """Join the chunks; bytes that only claim to be chunked are returned unchanged."""
    pieces: list[bytes] = []
    stream = io.BytesIO(body)
    while line := stream.readline(HTTP_HEAD_BYTES):
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


# Reads pages by an index of archives (CDXJ): one line a page, with the file and the place where its record stands.

INDEX_SUFFIX = ".cdxj"
CRAWL_INDEX = "found.cdxj"
"""The index that a crawl leaves in its folder, of the pages that it was looking for."""

NOTHING_FOUND = "names no page; the crawl has found none yet."


class IndexEntry(NamedTuple):
    """What a line of an index tells: the address of a page, and where its record stands in an archive beside it."""

    url: str
    file: str
    offset: int
    length: int


def read_index(path: str, limits: Limits) -> Iterator[Document | SourceError]:
    """Yield the document of every line; each is named by its address."""
    folder = Path(path).parent
    number = 0
    with Path(path).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            yield _indexed_document(line, folder, f"{path}#{number}", limits)
    if not number:
        yield UnreadableError(path, NOTHING_FOUND)


def index_entry(line: bytes, name: str, limits: Limits) -> IndexEntry | SourceError:
    """What a line tells; an error under a name if it isn't such a line, or leads out of the folder."""
    try:
        told = orjson.loads(line[line.index(b"{") :])
        entry = IndexEntry(str(told.get("url", "")), str(told["filename"]), int(told["offset"]), int(told["length"]))
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        return UnreadableError(name, f"isn't a line of an archive index ({problem}); write the index again.")
    if Path(entry.file).name != entry.file or not 0 <= entry.length <= limits.document_bytes or entry.offset < 0:
        return UnreadableError(
            name, f"names a record outside its folder, or of more than {megabytes(limits.document_bytes)}."
        )
    return entry


def read_entry(stream: BinaryIO, entry: IndexEntry, name: str, limits: Limits) -> Document | SourceError:
    """The document that an entry names in an open archive."""
    stream.seek(entry.offset)
    found = next(read_warc(io.BytesIO(stream.read(entry.length)), name, limits))
    return replace(found, source=found.url or name) if isinstance(found, Document) else found


def missing_archive(name: str, file: str, problem: OSError) -> UnreadableError:
    """The error for an entry whose archive cannot be opened."""
    return UnreadableError(name, f"names the archive {file}, which cannot be read ({problem.strerror}).")


def _indexed_document(line: bytes, folder: Path, name: str, limits: Limits) -> Document | SourceError:
    entry = index_entry(line, name, limits)
    if isinstance(entry, SourceError):
        return entry
    try:
        with (folder / entry.file).open("rb") as stream:
            return read_entry(stream, entry, name, limits)
    except OSError as problem:
        return missing_archive(name, entry.file, problem)
