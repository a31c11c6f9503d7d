"""Reads pages by an index of archives (CDXJ): one line a page, with the file and the place where its record stands."""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, NamedTuple

import orjson

from sightline.errors import SourceError, UnreadableError
from sightline.net import Document, Limits, megabytes
from sightline.sources.files._warc import read_warc

__all__ = [
    "CRAWL_INDEX",
    "INDEX_SUFFIX",
    "NOTHING_FOUND",
    "IndexEntry",
    "index_entry",
    "missing_archive",
    "read_entry",
    "read_index",
]

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
            yield _document(line, folder, f"{path}#{number}", limits)
    if not number:
        yield UnreadableError(path, NOTHING_FOUND)


def index_entry(line: bytes, name: str, limits: Limits) -> IndexEntry | SourceError:
    """What a line tells; an error under a name if it is no such line, or leads out of the folder."""
    try:
        told = orjson.loads(line[line.index(b"{") :])
        entry = IndexEntry(str(told.get("url", "")), str(told["filename"]), int(told["offset"]), int(told["length"]))
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        return UnreadableError(name, f"is no line of an index of archives ({problem}); write the index again.")
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


def _document(line: bytes, folder: Path, name: str, limits: Limits) -> Document | SourceError:
    entry = index_entry(line, name, limits)
    if isinstance(entry, SourceError):
        return entry
    try:
        with (folder / entry.file).open("rb") as stream:
            return read_entry(stream, entry, name, limits)
    except OSError as problem:
        return missing_archive(name, entry.file, problem)
