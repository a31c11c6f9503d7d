"""Reads WARC files, even damaged ones: a document for every page, and an error for every damaged record.

Documents and errors together are the pages of the file; a damaged stretch in which no record can be told from the next
counts as one.

FastWARC was measured in its place: it iterates twice as fast, but of damaged archives it loses 5,460 of 11,366 sound
pages and says nothing of them, since it skips whatever it can't read (`python -m bench.scale.damage`).
"""

import base64
import hashlib
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
from sightline.sources.files._bytes import BEGIN, MARK, BrokenMember, SectionedBytes, WarcPlace, find_place

# -- finds the records of a WARC file and goes on after damage ------------------------------------------------------
# A record is whole if its bytes end where its length says: a line break and the next record follow, or the section
# ends (see `_bytes`), or its digest matches. After one that is not, the walk goes on at the next place where a record
# begins. What is found depends on the bytes from a record's place on and on nothing before: a record that is read by
# its place is the record that a walk through the whole file gives.

HTTP_HEAD_BYTES = 64 * 1024
"""Of an HTTP answer; servers and browsers agree on some 8 to 256 KB."""

SAVED_PAGE = "application/x-sightline-page"
"""The type of a page as a browser showed it, which crawls keep."""

_HEAD_BYTES = 64 * 1024
_TYPES = frozenset({"warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation"})
_SUBRESOURCE = re.compile(
    r"(?:image|font|audio|video)/|text/css|(?:text|application)/(?:x-)?javascript|application/json"
)
_MEDIA_TYPE = re.compile(rb"^content-type:[ \t]*([^\r\n;]+)", re.IGNORECASE | re.MULTILINE)
_HEADER = re.compile(r"\n([^:\n]+):([^\r\n]*)")
_LENGTH_DIGITS = 18
# A file in which every length leads to its end would be read as often as it has records: what is read in vain may be a
# gigabyte, which takes a few seconds, and four times what was read before.
_MOST_WASTE = 1_000_000_000
_WASTE_RATIO = 4
_STRAY = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_END = b"\r\n\r\n"


class FoundRecord(NamedTuple):
    """A record as it was found; without content where a problem says why, or where it has more bytes than allowed.

    Damage that is `confined` cost this record alone; other damage may have hidden the records behind it.
    """

    place: WarcPlace
    headers: dict[str, str]
    content: bytes | None = None
    problem: str = ""
    too_large: bool = False
    start: bytes = b""
    confined: bool = True

    @property
    def is_page(self) -> bool:
        """Whether it is a page, or too damaged to tell; images, scripts and styles are parts of pages."""
        kind = self.headers.get("warc-type", "")
        if kind not in _TYPES or not self.confined:
            return True
        if kind == "resource":
            return self.headers.get("content-type") == SAVED_PAGE
        return kind == "response" and not _SUBRESOURCE.match(_media_type(self.start))


class RecordWalk:
    """Walks through the records of a seekable stream, from its start or from any place.

    `limit` is the most bytes of a record that are kept. Without `digests`, they are only checked where it is in doubt
    where a record ends.
    """

    def __init__(self, stream: BinaryIO, limit: int, *, digests: bool = True) -> None:
        self._stream = stream
        self._limit = limit
        self._digests = digests
        self._bytes: SectionedBytes | None = SectionedBytes(stream, WarcPlace(0))
        self._packed: bool | None = self._bytes.packed or None
        self._place = WarcPlace(0)
        self._headers: dict[str, str] = {}
        self._start = b""
        self._wasted = 0  # bytes that wrong lengths led to, and that have to be read again

    def __iter__(self) -> Iterator[FoundRecord]:
        while (found := self.next()) is not None:
            yield found

    def at(self, place: WarcPlace) -> FoundRecord | None:
        """The record at a place; cheap if it is the next one, or further on in the same member."""
        self._wasted = 0
        try:
            self._go_to(place)
        except BrokenMember as problem:
            return FoundRecord(place, {}, problem=str(problem))
        return self.next()

    def _go_to(self, place: WarcPlace) -> None:
        data = self._bytes
        if data and data.place.position == place.position and data.place.offset <= place.offset:
            if data.at_end:
                data.next_section()
            data.skip(place.offset - data.place.offset)
        else:
            self._bytes = SectionedBytes(self._stream, place)

    def next(self) -> FoundRecord | None:
        """The next record, or the damage that is there instead; None at the end of the file."""
        data = self._bytes
        if data is None:
            return None
        self._headers, self._start, self._place = {}, b"", data.place
        try:
            return self._next(data)
        except BrokenMember as problem:
            self._resume(data.member + 1)
            return self._damaged(str(problem), confined=False)

    def _next(self, data: SectionedBytes) -> FoundRecord | None:
        data.skip_blank()
        if data.at_end and not data.next_section():
            if not data.trouble:
                self._bytes = None
                return None
            raise BrokenMember(data.trouble)
        self._place = data.place
        found = self._record(data) if data.at_record else self._damaged("no record begins where one should")
        if self._wasted > _MOST_WASTE + _WASTE_RATIO * self._place.position:
            self._bytes = None
            return self._damaged("so many lengths are wrong that the rest of the file was not read", confined=False)
        if found.problem and not self._recover():
            found = found._replace(confined=False)
        return found

    def _record(self, data: SectionedBytes) -> FoundRecord:
        head = data.take_until(_END, _HEAD_BYTES)
        if head is None:
            return self._damaged("its head has no end")
        if _STRAY.search(head) or MARK.search(head, 1):
            return self._damaged("its head is not a text, or runs into that of another record")
        self._packed = data.packed
        self._headers, self._start = _record_headers(head), data.peek(HTTP_HEAD_BYTES)
        length = self._headers.get("content-length", "")
        if not (length.isascii() and length.isdecimal() and len(length) <= _LENGTH_DIGITS):
            return self._damaged("its length is missing or not a number")
        if self._headers.get("warc-type", "") not in _TYPES:
            return self._damaged("its type is missing or unknown")
        return self._whole(data, int(length))

    def _whole(self, data: SectionedBytes, length: int) -> FoundRecord:
        """The record, if its bytes end where its length says."""
        is_kept, began = length <= self._limit, data.given
        content = data.take(length if is_kept else HTTP_HEAD_BYTES)
        self._start = content[:HTTP_HEAD_BYTES]
        if len(content) < length and (is_kept or data.skip(length - len(content)) + len(content) < length):
            self._waste(data.given - began)
            return self._damaged("it ends before its declared length")
        ends = _ends(data)
        is_doubtful = ends is not True or (is_kept and BEGIN in content)
        if is_kept and (self._digests or is_doubtful):
            differs = digest_differs(self._headers.get("warc-block-digest"), content)
            if differs:
                self._waste(length if is_doubtful else 0)
                return self._damaged("its digest does not match its bytes", confined=ends is True)
            ends = ends if differs is None else True
        if ends is False:
            self._waste(length)
            return self._damaged("it does not end where its declared length says")
        kept = content if is_kept else None
        return FoundRecord(self._place, self._headers, kept, too_large=not is_kept, start=self._start)

    def _waste(self, count: int) -> None:
        """Count bytes that are read again, with those before them in a member, which is inflated from its start."""
        self._wasted += count + self._place.offset

    def _damaged(self, problem: str, *, confined: bool | None = None) -> FoundRecord:
        """A damaged record; in a compressed file, what follows begins with the next member."""
        known = bool(self._packed) if confined is None else confined
        return FoundRecord(self._place, self._headers, problem=problem, start=self._start, confined=known)

    def _recover(self) -> bool:
        """Go on where the next record begins: the length of a damaged one may have led beyond it, or not far enough.

        False if what follows could not be read, either.
        """
        if self._packed is None:
            self._resume(1)
            return False
        data = self._bytes = SectionedBytes(self._stream, self._place)
        try:
            data.skip(1)  # else the damaged record would be found again
            if data.skip_to_mark() or data.next_section() or not data.trouble:
                return True
        except BrokenMember:
            pass
        self._resume(data.member + 1)
        return False

    def _resume(self, start: int) -> None:
        """Open the file again at the next record behind a place where it cannot be read."""
        self._bytes = None
        while (place := find_place(self._stream, start, packed=self._packed)) is not None:
            data = SectionedBytes(self._stream, place)
            try:
                if data.at_record or data.skip_to_mark():
                    self._bytes = data
                    return
            except BrokenMember:
                pass  # only looked like a member
            start = place.position + 1


def _ends(data: SectionedBytes) -> bool | None:
    """Whether a record ends here; None if it may, but what follows cannot be read.

    What is compressed is as it was written, or cannot be unpacked: if something else than a record follows there, the
    length is wrong, and a line break at that place is one of the page's own.
    """
    may_end = data.starts(_END) and not data.packed
    data.skip_blank()
    if data.at_end:
        return None if data.trouble else True
    return data.at_record or (None if may_end else False)


def _record_headers(head: bytes) -> dict[str, str]:
    """The headers by their names in lower case; of two with one name, the first."""
    headers = {
        name.strip().lower(): value.strip()
        for name, value in reversed(_HEADER.findall(head.decode("utf-8", "replace")))
    }
    headers["warc-type"] = headers.get("warc-type", "").lower()
    return headers


def _media_type(start: bytes) -> str:
    head = start.partition(_END)[0]
    found = _MEDIA_TYPE.search(head)
    return found[1].decode("latin-1").strip().lower() if found else ""


def digest_differs(declared: str | None, content: bytes) -> bool | None:
    """Whether a digest does not match the bytes; None if there is none of a known kind."""
    kind, _, value = (declared or "").partition(":")
    kind = kind.strip().lower().replace("-", "")
    if kind not in ("sha1", "sha256", "md5"):
        return None
    digest = hashlib.new(kind, content, usedforsecurity=False)
    return value.strip().lower() not in (digest.hexdigest(), base64.b32encode(digest.digest()).decode().lower())


# -- reads WARC files -----------------------------------------------------------------------------------------------

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
