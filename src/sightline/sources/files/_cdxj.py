"""Reads pages by an index of archives (CDXJ): one line a page, with the file and the place where its record stands."""

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import orjson

from sightline.errors import SourceError, UnreadableError
from sightline.net import Document, Limits, megabytes
from sightline.sources.files._warc import read_warc

__all__ = ["CRAWL_INDEX", "INDEX_SUFFIX", "read_index"]

INDEX_SUFFIX = ".cdxj"
CRAWL_INDEX = "found.cdxj"
"""The index that a crawl leaves in its folder, of the pages that it was looking for."""


def read_index(path: str, limits: Limits) -> Iterator[Document | SourceError]:
    """Yield the document of every line; each is named by its address."""
    folder = Path(path).parent
    number = 0
    with Path(path).open("rb") as lines:
        for number, line in enumerate(lines, 1):
            yield _document(line, folder, f"{path}#{number}", limits)
    if not number:
        yield UnreadableError(path, "names no page; the crawl has found none yet.")


def _document(line: bytes, folder: Path, name: str, limits: Limits) -> Document | SourceError:
    try:
        told = orjson.loads(line[line.index(b"{") :])
        file, offset, length = str(told["filename"]), int(told["offset"]), int(told["length"])
    except (ValueError, KeyError, TypeError) as problem:
        return UnreadableError(name, f"is no line of an index of archives ({problem}); write the index again.")
    if Path(file).name != file or not 0 <= length <= limits.document_bytes or offset < 0:
        return UnreadableError(
            name, f"names a record outside its folder, or of more than {megabytes(limits.document_bytes)}."
        )
    try:
        with (folder / file).open("rb") as stream:
            stream.seek(offset)
            content = stream.read(length)
    except OSError as problem:
        return UnreadableError(name, f"names the archive {file}, which cannot be read ({problem.strerror}).")
    found = next(read_warc(io.BytesIO(content), name, limits))
    return replace(found, source=found.url or name) if isinstance(found, Document) else found
