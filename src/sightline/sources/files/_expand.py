"""Expands what the user typed into single sources: URLs and files as they are, globs and folders as their files."""

import glob
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from sightline.errors import LimitError, RefusedError, SourceError, UnreachableError
from sightline.net import PAGE_MAGIC, Document, Limits, megabytes
from sightline.redaction import hide_passwords
from sightline.sources.files._warc import CRAWL_INDEX

SUFFIXES = (".html", ".htm", ".xhtml", ".mhtml", ".mht", ".warc", ".warc.gz", ".pdf", ".page")
"""What is taken from a folder; a file that is named, by itself or by a glob, may have any suffix."""

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:(?!\\)")
_DOCUMENT_START = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<|\xff\xfe|\xfe\xff|\s*%PDF-|WARC/\d|\x1f\x8b|"
    + re.escape(PAGE_MAGIC)
    + rb"|From: <Saved|MIME-Version:"
)
_WEB = re.compile(r"https?://", re.IGNORECASE)
_NO_ADDRESS = "is not a web address, and in server use (`public_only`) nothing else is opened; give one with https://."
_LINE_BYTES = 64 * 1024  # much longer than any path or address


def expand(
    sources: Iterable[str],
    stdin: BinaryIO | None = None,
    limits: Limits | None = None,
    *,
    addresses_only: bool = False,
) -> Iterator[str | Document | SourceError]:
    """Yield the single sources in order: URLs and paths as text, standard input as a document, problems as errors.

    `@FILE` is a file of sources, one per line. `-` reads standard input: a document if it starts like one (markup, PDF,
    WARC, gzip, `.page`), else a list with one source per line. A source that names nothing gives an error in
    its place and does not stop the others.
    With `addresses_only`, as in server use, no path is looked at: whoever names sources there must not learn which
    files exist.
    """
    expand_one = _address if addresses_only else _expand_one

    def single(source: str) -> Iterator[str | SourceError]:
        return map(_named, expand_one(source))

    for source in sources:
        if source == "-":
            yield from _standard_input(stdin or sys.stdin.buffer, limits or Limits(), single)
        else:
            yield from single(source)


def _named(single: str | SourceError) -> str | SourceError:
    """A source as it is named from here on: a web address with a password is refused, and must not be repeated."""
    return hide_passwords(single) if isinstance(single, str) and not os.path.lexists(single) else single


def _address(source: str) -> Iterator[str | SourceError]:
    if _WEB.match(source):
        yield source
    else:
        yield RefusedError(source or "(an empty name)", _NO_ADDRESS)


def _expand_one(source: str) -> Iterator[str | SourceError]:
    if not source:
        yield UnreachableError("(an empty name)", "names nothing; give a URL, a file, a glob, a folder or -.")
    elif _is_folder(source):
        yield from _folder(source)
    elif os.path.lexists(source) or _ADDRESS.match(source):
        yield source
    elif source.startswith("@"):
        yield from _listed(source)
    elif glob.has_magic(source):
        yield from _glob(source)
    else:
        yield UnreachableError(source, _missing(source))


def _listed(source: str) -> Iterator[str | SourceError]:
    """The sources in a file, one per line; a list in a list is not read."""
    try:
        with Path(source[1:]).open("rb") as lines:
            for line in iter(lambda: lines.readline(_LINE_BYTES), b""):
                name = os.fsdecode(line.removeprefix(b"\xef\xbb\xbf").rstrip(b"\r\n"))
                if name.strip() and not name.startswith("@"):
                    yield from _expand_one(name)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        yield UnreachableError(source, f"the list of sources cannot be read ({reason}); check the path behind the @.")


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):  # a name too long, or with a NUL in it
        return False


def _missing(source: str) -> str:
    first = source.split("/", maxsplit=1)[0]
    if "." in first and not source.startswith(".") and not source.lower().endswith(SUFFIXES):
        return f"there is no such file; if it is a web address, write https://{source}."
    return "there is no such file; check the path, or write https:// before a web address."


def _folder(folder: str) -> Iterator[str | SourceError]:
    """Walk a folder in the order of names, without following links to other folders; of a crawl's, take its index."""
    index = Path(folder, CRAWL_INDEX)
    if index.exists():
        yield str(index)
        return
    empty = True
    for place, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if name.lower().endswith(SUFFIXES):
                empty = False
                yield str(Path(place, name))
    if empty:
        yield UnreachableError(folder, f"is a folder without any {', '.join(SUFFIXES)} file.")


def _glob(pattern: str) -> Iterator[str | SourceError]:
    # `Path.glob` knows no absolute patterns, hence the older function.
    found = sorted(path for path in glob.glob(pattern, recursive=True) if not _is_folder(path))  # noqa: PTH207
    if not found:
        yield UnreachableError(pattern, "no file matches it; check the pattern and the folder you are in.")
    yield from found


def _standard_input(
    stream: BinaryIO, limits: Limits, single: Callable[[str], Iterator[str | SourceError]]
) -> Iterator[str | Document | SourceError]:
    first = stream.readline(_LINE_BYTES)
    if _DOCUMENT_START.match(first):
        yield _document(first + stream.read(max(0, limits.document_bytes + 1 - len(first))), limits)
        return
    if not first:
        yield UnreachableError("-", "standard input is empty; pipe a page or a list of sources into it.")
    line = first.removeprefix(b"\xef\xbb\xbf")
    while line:
        name = os.fsdecode(line.rstrip(b"\r\n"))
        if name.strip():
            yield from single(name)
        line = stream.readline(_LINE_BYTES)


def _document(content: bytes, limits: Limits) -> Document | SourceError:
    if len(content) > limits.document_bytes:
        problem = f"is larger than {megabytes(limits.document_bytes)}; raise document_bytes to read it."
        return LimitError("-", problem, limit="document_bytes")
    return Document(source="-", url="", content=content)
