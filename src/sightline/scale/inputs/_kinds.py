"""What kind of input a file is, by its name, and by its first bytes where it was named itself."""

import zlib

from sightline.scale.inputs._lines import LIST_SUFFIXES, first_entry
from sightline.scale.inputs._storage import is_address, is_remote, open_file
from sightline.sources.files import INDEX_SUFFIX, SUFFIXES

__all__ = ["is_called_like_input", "kind_among", "kind_of_named"]

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
