"""WARC files, and the indexes of crawls that name records in them."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import BinaryIO

from sightline.errors import SourceError
from sightline.net import Document, Limits
from sightline.scale.inputs._shapes import BatchInput, DocumentReference
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

__all__ = ["IndexReading", "WarcReading", "list_index", "list_warc", "warc_references"]


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
