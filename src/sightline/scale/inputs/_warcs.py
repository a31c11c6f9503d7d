"""WARC files, and the indexes of crawls that name records in them."""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, BinaryIO, cast

from sightline.documents import decoded_document
from sightline.errors import SourceError, UnreadableError, UsageError
from sightline.net import Document, Limits
from sightline.scale.inputs._kinds import BatchInput, DocumentReference
from sightline.scale.inputs._storage import open_file
from sightline.sources.files import (
    NO_PAGE,
    NOTHING_FOUND,
    IndexEntry,
    WarcPlace,
    WarcReader,
    damage,
    index_entry,
    missing_archive,
    read_entry,
    target,
    warc_pages,
)


def list_warc(found: BatchInput, limits: Limits) -> Iterator[DocumentReference]:
    """A reference for every page of a WARC file, and for every damaged record."""
    number = 0
    with open_file(found.name) as stream:
        for number, reference in enumerate(warc_references(stream, limits), 1):
            yield DocumentReference(f"{found.name}#{number}", *reference)
    if not number:
        yield DocumentReference(found.name, problem=NO_PAGE)


def warc_references(stream: BinaryIO, limits: Limits, inside: str = "") -> Iterator[tuple[str, str, str, int, int]]:
    """What a reference says beside the id, for every page of an open file."""
    for page in warc_pages(stream, limits):
        problem = damage(page.problem) if page.problem else ""
        yield target(page.headers), problem, inside, page.place.position, page.place.offset


class WarcReading:
    """Reads the records of one WARC file."""

    def __init__(self, found: BatchInput, limits: Limits) -> None:
        self._stream = open_file(found.name)
        self._reader = WarcReader(self._stream, limits)

    def read(self, reference: DocumentReference) -> Document | SourceError:
        """The document of a reference."""
        return self._reader.read(WarcPlace(reference.position, reference.offset), reference.id)

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def list_index(found: BatchInput, limits: Limits) -> Iterator[DocumentReference]:
    """A reference for every line of an index."""
    number = 0
    with open_file(found.name) as lines:
        for number, line in enumerate(lines, 1):
            id = f"{found.name}#{number}"
            entry = index_entry(line, id, limits)
            if isinstance(entry, SourceError):
                yield DocumentReference(id, problem=entry.problem)
            else:
                yield DocumentReference(id, entry.url, "", entry.file, entry.offset, 0, entry.length)
    if not number:
        yield DocumentReference(found.name, problem=NOTHING_FOUND)


class IndexReading:
    """Reads the records that an index names, in archives that lie beside it."""

    def __init__(self, found: BatchInput, limits: Limits) -> None:
        self._folder = found.name.rpartition("/")[0]
        self._limits = limits
        self._open = ExitStack()
        self._file = ""
        self._stream: BinaryIO | None = None

    def read(self, reference: DocumentReference) -> Document | SourceError:
        """The document of a reference."""
        entry = IndexEntry(reference.source, reference.inside, reference.position, reference.length)
        try:
            return read_entry(self._archive(entry.file), entry, reference.id, self._limits)
        except OSError as problem:
            return missing_archive(reference.id, entry.file, problem)

    def close(self) -> None:
        """Close the archive that is open."""
        self._open.close()
        self._stream = None

    def _archive(self, file: str) -> BinaryIO:
        if self._stream is None or file != self._file:
            self.close()
            name = f"{self._folder}/{file}" if self._folder else file
            self._stream, self._file = self._open.enter_context(open_file(name)), file
        return self._stream


# -- WACZ files: a ZIP archive with WARC files in it, and a list of their digests -----------------------------------

_ARCHIVES = "archive/"
_WARC = (".warc", ".warc.gz")
_PACKAGE = "datapackage.json"
_PACKAGE_BYTES = 64_000_000
# Text shrinks to a fifth; what shrinks to less than a hundredth was made to fill a disk. Archives that are compressed
# already, as nearly all are, do not shrink at all.
_MOST_RATIO = 100
_PIECE = 1 << 20
_LOCAL_HEAD = 30  # bytes before the name of a member, which the ZIP format calls its local file header
_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError)  # what zipfile raises while it reads


def list_wacz(found: BatchInput, limits: Limits) -> Iterator[DocumentReference]:
    """A reference for every page of its archives, counted through, and for what is wrong with an archive as a whole."""
    number = 0
    with open_file(found.name) as stream, _opened(stream, found.name) as package:
        for member, problem in _problems(stream, package):
            yield DocumentReference(f"{found.name}#{member}", member, problem)
        for reference in _references(stream, package, limits):
            number += 1
            yield DocumentReference(f"{found.name}#{number}", *reference)
    if not number:
        yield DocumentReference(found.name, problem=NO_PAGE)


def _references(stream: BinaryIO, package: zipfile.ZipFile, limits: Limits) -> Iterator[tuple[str, str, str, int, int]]:
    """What a reference says beside the id, for every page of the archives that can be read."""
    for member in _archives(package):
        if _refusal(package.getinfo(member)):
            continue
        try:
            with _member(stream, package, member) as part:
                yield from warc_references(part, limits, member)
        except _DAMAGED as problem:
            yield "", f"is damaged from here on ({problem}).", member, 0, 0


class WaczReading:
    """Reads the records of the archives in one WACZ file."""

    def __init__(self, found: BatchInput, limits: Limits) -> None:
        self._limits = limits
        self._stream = open_file(found.name)
        self._package = _opened(self._stream, found.name)
        self._inside = ""
        self._reader: WarcReader | None = None

    def read(self, reference: DocumentReference) -> Document | SourceError:
        """The document of a reference."""
        if self._reader is None or reference.inside != self._inside:
            part = _member(self._stream, self._package, reference.inside)
            self._reader, self._inside = WarcReader(part, self._limits), reference.inside
        try:
            return self._reader.read(WarcPlace(reference.position, reference.offset), reference.id)
        except _DAMAGED as problem:
            self._reader = None
            return UnreadableError(reference.id, damage(str(problem)))

    def close(self) -> None:
        """Close the file."""
        self._package.close()
        self._stream.close()


def _opened(stream: BinaryIO, name: str) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(stream)
    except (zipfile.BadZipFile, NotImplementedError) as problem:
        raise UnreadableError(name, f"isn't a WACZ file, or is damaged ({problem}).") from problem


def _archives(package: zipfile.ZipFile) -> list[str]:
    members = {one.filename for one in package.infolist()}
    return sorted(one for one in members if one.startswith(_ARCHIVES) and one.lower().endswith(_WARC))


def _refusal(member: zipfile.ZipInfo) -> str:
    """Why a member is not read; empty if it is."""
    if ".." in member.filename.split("/"):
        return "has a name that leads out of the archive, and is not read."
    if member.flag_bits & 1:
        return "is encrypted; unpack it and name the WARC file."
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is compressed in a way that is not known here; unpack it and name the WARC file."
    if member.file_size > max(1, member.compress_size) * _MOST_RATIO:
        return f"becomes more than {_MOST_RATIO} times as large when it is unpacked, and is not read."
    return ""


def _member(stream: BinaryIO, package: zipfile.ZipFile, name: str) -> BinaryIO:
    """A member as a file that can be read from any place."""
    member = package.getinfo(name)
    if member.compress_type != zipfile.ZIP_STORED:
        return cast("BinaryIO", Rewindable(lambda: cast("BinaryIO", package.open(member))))
    stream.seek(member.header_offset)
    head = stream.read(_LOCAL_HEAD)
    start = (
        member.header_offset + len(head) + int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    )
    return cast("BinaryIO", FilePart(stream, start, member.file_size))


# -- what the file says of itself ----------------------------------------------------------------------------------


def _problems(stream: BinaryIO, package: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """What is wrong with archives as a whole: their names, and what is wrong."""
    members = set(package.namelist())
    digests: dict[str, str] = {}
    if _PACKAGE in members:  # older files have none
        try:
            digests = _digests(package)
        except (KeyError, TypeError, AttributeError, UsageError, *_DAMAGED) as error:
            yield _PACKAGE, f"cannot be read ({error}), so that the digests of the archives are not checked."
    for name in sorted(digests):
        if name.lower().endswith(_WARC) and name not in members:
            yield name, f"is named in {_PACKAGE}, but is not in the file."
    for name in _archives(package):
        problem = _refusal(package.getinfo(name)) or _wrong_digest(stream, package, name, digests.get(name, ""))
        if problem:
            yield name, problem


def _digests(package: zipfile.ZipFile) -> dict[str, str]:
    """The digests of the files by their names."""
    with package.open(_PACKAGE) as file:
        told: Any = decoded_document(file.read(_PACKAGE_BYTES))
    return {str(one["path"]): str(one.get("hash", "")) for one in told["resources"]}


def _wrong_digest(stream: BinaryIO, package: zipfile.ZipFile, name: str, declared: str) -> str:
    kind, _, told = declared.partition(":")
    if kind not in ("sha256", "sha1", "md5"):
        return ""
    digest = hashlib.new(kind, usedforsecurity=False)
    try:
        with _member(stream, package, name) as part:
            while piece := part.read(_PIECE):
                digest.update(piece)
    except _DAMAGED as problem:
        return f"cannot be unpacked to its end ({problem}); what could be read was read."
    if digest.hexdigest() == told.lower():
        return ""
    return "does not match its digest in datapackage.json; what could be read was read."


# Files inside of files: a stretch of one, and one that can only be read forward.

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
