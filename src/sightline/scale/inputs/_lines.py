"""Lists of addresses and paths, one a line, plain or compressed; comments and empty lines are passed over."""

import gzip
import zlib
from collections.abc import Iterator
from typing import BinaryIO, cast

from sightline.redaction import hide_passwords
from sightline.scale.inputs._shapes import BatchInput, DocumentReference
from sightline.scale.inputs._storage import open_file

__all__ = ["LIST_SUFFIXES", "first_entry", "list_lines"]

LIST_SUFFIXES = tuple(suffix + end for suffix in (".txt", ".lst", ".urls") for end in ("", ".gz"))
"""What is taken for a list when it is named."""

_LINE_BYTES = 64 * 1024  # much longer than any path or address
_MARK = b"\xef\xbb\xbf"


def list_lines(found: BatchInput) -> Iterator[DocumentReference]:
    """A reference for every line that names something; its number is that of the line."""
    name, is_empty = found.names[0], True
    with open_file(name) as stream:
        number = 0
        try:
            for number, line in enumerate(_lines(_unpacked(stream, name)), 1):
                entry = line.strip()
                if entry and not entry.startswith(b"#"):
                    is_empty = False
                    yield _reference(f"{found.name}#{number}", line, entry)
        except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
            is_empty = False
            yield DocumentReference(
                f"{found.name}#{number + 1}", problem=f"the list is damaged from here on ({problem})."
            )
    if is_empty:
        yield DocumentReference(found.name, problem="is a list that names nothing.")


def first_entry(name: str) -> str:
    """The first line that names something, or nothing if there is none."""
    with open_file(name) as stream:
        try:
            entries = (line.strip() for line in _lines(_unpacked(stream, name)))
            return next((entry for entry in entries if entry and not entry.startswith(b"#")), b"").decode("latin-1")
        except (EOFError, zlib.error, gzip.BadGzipFile):
            return ""


def _unpacked(stream: BinaryIO, name: str) -> BinaryIO:
    return cast("BinaryIO", gzip.GzipFile(fileobj=stream)) if name.lower().endswith(".gz") else stream


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines; the rest of one that is too long is passed over."""
    line = stream.readline(_LINE_BYTES).removeprefix(_MARK)
    while line:
        yield line
        while len(line) == _LINE_BYTES and not line.endswith(b"\n"):
            line = stream.readline(_LINE_BYTES)
        line = stream.readline(_LINE_BYTES)


def _reference(id: str, line: bytes, entry: bytes) -> DocumentReference:
    if len(line) >= _LINE_BYTES:
        return DocumentReference(id, problem=f"is a line of {_LINE_BYTES:,} bytes or more.")
    try:
        return DocumentReference(id, hide_passwords(entry.decode()))
    except UnicodeDecodeError:
        shown = hide_passwords(entry.decode("utf-8", "backslashreplace"))
        return DocumentReference(id, shown, "is not UTF-8; write the list in that encoding.")
