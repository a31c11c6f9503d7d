"""What kind of input a file is, by its name, and by its first bytes where it was named itself."""

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, cast

import msgspec

from sightline.redaction import hide_passwords
from sightline.scale.inputs._storage import is_address, is_remote, open_file
from sightline.settings import Settings, setting
from sightline.sources.files import INDEX_SUFFIX, SUFFIXES

# -- what passes between the finding, the listing and the reading of documents --------------------------------------

FILES = "files"
"""The kind of the input of all single files and addresses."""


@dataclass(frozen=True, kw_only=True)
class InputSettings(Settings):
    """What has to be said of inputs that do not tell it themselves."""

    column: str = setting("", help="the column of a Parquet file that holds the pages; found by itself if empty")
    url_column: str = setting("", help="the column of a Parquet file that holds the addresses of the pages")


class BatchInput(msgspec.Struct, frozen=True):
    """One file of documents, or all single files and addresses of a job together.

    `name` is as the user wrote it, unique in the job, and the first part of its documents' ids. `kind` is `warc`,
    `wacz`, `index`, `list`, `parquet` or `files`. `identity` changes when the bytes do. `names` are where to look:
    the file itself (a list may be named `@FILE`), or the folders, globs, files and addresses of an input of files.
    What `besides` stands for belongs to inputs that were there before, and is left out.
    """

    name: str
    kind: str
    identity: str
    column: str = ""
    url_column: str = ""
    names: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()


class DocumentReference(msgspec.Struct, frozen=True, array_like=True):
    """A document that can be read later, by any process that has the same files.

    `id` is unique in the job: `pages.warc.gz#17`, `list.txt#3`, or a path; `source` is the address or the path that
    people know it by. With a `problem`, it was found to be damaged, and reading it gives an error that says so. The
    rest tells the reader where it stands: the archive `inside` of which it is, its first byte (or its row), how far in
    what is compressed there, and how many bytes it has.
    """

    id: str
    source: str = ""
    problem: str = ""
    inside: str = ""
    position: int = 0
    offset: int = 0
    length: int = 0

    @property
    def known_as(self) -> str:
        """The address or the path that people know it by."""
        return self.source or self.id


# -- what kind of input a file is, by its name, and by its first bytes where it was named itself --------------------

# Lists of addresses and paths, one a line, plain or compressed; comments and empty lines are passed over.

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


_WARC = (".warc", ".warc.gz")
_CONTAINERS = ((_WARC, "warc"), ((".wacz",), "wacz"), ((".parquet", ".pq"), "parquet"), ((INDEX_SUFFIX,), "index"))
_ANY_CONTAINER = tuple(suffix for suffixes, _ in _CONTAINERS for suffix in suffixes)
_PAGES = tuple(suffix for suffix in SUFFIXES if suffix not in _WARC)
_SURE_LISTS = tuple(suffix for suffix in LIST_SUFFIXES if not suffix.startswith(".txt"))
_HEAD_BYTES = 16 * 1024


def is_called_like_input(name: str) -> bool:
    """Whether a name can hardly be that of a folder to write to: an address, `@FILE`, or that of a page or archive.

    >>> [is_called_like_input(name) for name in ("https://shop.example/", "a.warc.gz", "@list", "rows/", "rows.2026")]
    [True, True, True, False, False]
    """
    other = is_address(name) or is_remote(name) or name.startswith("@")
    return other or bool(_container(name)) or name.lower().endswith((*_PAGES, *LIST_SUFFIXES))


def kind_of_named(name: str) -> str:
    """The kind of a file that the user named: `warc`, `wacz`, `parquet`, `index`, `list`, or `page`."""
    if name.lower().endswith(LIST_SUFFIXES):
        return "list"
    return _container(name) or _kind_of_bytes(name)


def kind_among(name: str, *, by_glob: bool) -> str:
    """The kind of a file that was found by a glob or in a folder; nothing if it is to be left alone.

    Folders hold licences and notes, too: a text is taken for a list there only if it begins with an address, and a file
    for a page only if it is called like one. A glob means every file that it names.
    """
    lower = name.lower()
    if lower.endswith(_PAGES):
        return "page"
    if kind := _container(name):
        return kind
    if lower.endswith(LIST_SUFFIXES):
        return "list" if by_glob or lower.endswith(_SURE_LISTS) or is_address(first_entry(name)) else ""
    return "page" if by_glob else ""


def _container(name: str) -> str:
    lower = name.lower()
    if not lower.endswith(_ANY_CONTAINER):  # as nearly all of a million files
        return ""
    return next(kind for suffixes, kind in _CONTAINERS if lower.endswith(suffixes))


def _kind_of_bytes(name: str) -> str:
    with open_file(name) as stream:
        head = stream.read(_HEAD_BYTES)
    if head.startswith(b"\x1f\x8b\x08"):
        head = _inflated(head)
    if head.startswith(b"WARC/"):
        return "warc"
    if head.startswith(b"PAR1"):
        return "parquet"
    return "wacz" if head.startswith(b"PK\x03\x04") and b"archive/" in head else "page"


def _inflated(head: bytes) -> bytes:
    try:
        return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, len(b"WARC/"))
    except zlib.error:
        return b""
