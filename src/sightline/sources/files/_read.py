"""Turns files into documents, judged by their bytes and not by their name."""

import glob
import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from email import message_from_bytes, policy
from email.message import Message
from pathlib import Path
from typing import BinaryIO

from sightline.errors import LimitError, RefusedError, SourceError, UnreachableError, UnreadableError
from sightline.net import (
    PAGE_MAGIC,
    DamagedStreamError,
    Document,
    DocumentKind,
    Inflater,
    Limits,
    TooLargeError,
    media_type_of,
    megabytes,
    readable_kind,
    sniff,
)
from sightline.redaction import hide_passwords
from sightline.sources.files._warc import CRAWL_INDEX, INDEX_SUFFIX, read_index, read_warc

_HEAD_BYTES = 64 * 1024


def documents(
    source: str | os.PathLike[str] | bytes | Document, limits: Limits | None = None
) -> Iterator[Document | SourceError]:
    """Yield the documents of one source: a path, bytes, or a document that may be an archive.

    A WARC gives one per response record, everything else exactly one. Nothing is raised: an error takes the place of
    the document that it concerns. An MHTML document is returned whole; `read_mhtml` splits it.
    """
    limits = limits or Limits()
    try:
        if isinstance(source, bytes):
            yield from _from_document(Document(source="<bytes>", url="", content=source), limits)
        elif isinstance(source, Document):
            yield from _from_document(source, limits)
        else:
            yield from _from_path(os.fspath(source), limits)
    except SourceError as error:
        yield error


def _from_document(document: Document, limits: Limits) -> Iterator[Document | SourceError]:
    kind = readable_kind(document)
    if kind is DocumentKind.GZIP:
        yield from _from_gzip(io.BytesIO(document.content), document, limits)
    elif kind is DocumentKind.WARC:
        yield from read_warc(io.BytesIO(document.content), document.source, limits)
    else:
        yield document


def _from_path(path: str, limits: Limits) -> Iterator[Document | SourceError]:
    try:
        if path.endswith(INDEX_SUFFIX):
            yield from read_index(path, limits)
            return
        with open(path, "rb", opener=_without_waiting) as stream:
            size = _size(stream, path)
            document = _named(path)
            kind = sniff(stream.read(_HEAD_BYTES), document.media_type)
            stream.seek(0)
            if kind is DocumentKind.WARC:
                yield from read_warc(stream, path, limits)
            elif kind is DocumentKind.GZIP:
                yield from _from_gzip(stream, document, limits)
            else:
                yield from _from_document(replace(document, content=_read(stream, size, path, limits)), limits)
    except (OSError, ValueError) as error:
        raise unreachable(path, error) from error


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; of a pipe that nobody writes into, the end at once."""
    return os.open(path, flags | os.O_NONBLOCK)


def _size(stream: BinaryIO, path: str) -> int:
    """The size of a file; an UnreadableError for pipes, devices and the like, which may never end."""
    found = os.fstat(stream.fileno())
    if not stat.S_ISREG(found.st_mode):
        problem = "is a pipe or a device, not a file; pass its content on standard input, with - as the source."
        raise UnreadableError(path, problem)
    return found.st_size


def _named(path: str) -> Document:
    """A file's document before it is read."""
    place = Path(path).absolute()
    return Document(source=path, url=place.as_uri(), content=b"", media_type=media_type_of(path), folder=place.parent)


def _read(stream: BinaryIO, size: int, path: str, limits: Limits) -> bytes:
    content = stream.read(limits.document_bytes + 1) if size <= limits.document_bytes else None
    if content is None or len(content) > limits.document_bytes:
        problem = f"is larger than {megabytes(limits.document_bytes)}; raise document_bytes to read it."
        raise LimitError(path, problem, limit="document_bytes")
    return content


def _from_gzip(stream: BinaryIO, document: Document, limits: Limits) -> Iterator[Document | SourceError]:
    """Yield a compressed WARC record by record, anything else unpacked as a whole."""
    head = next((piece for piece in _pieces(stream, document.source, limits) if piece), b"")
    stream.seek(0)
    if sniff(head) is DocumentKind.WARC:
        yield from read_warc(stream, document.source, limits)
        return
    content = bytearray()
    for piece in _pieces(stream, document.source, limits):
        content += piece
    inner = media_type_of(document.source.removesuffix(".gz"))
    yield from _from_document(replace(document, content=bytes(content), media_type=inner), _unpacked(limits))


def _unpacked(limits: Limits) -> Limits:
    """Stop a second layer from becoming larger than the first: gzip inside gzip is where bombs hide."""
    return replace(limits, document_bytes=limits.decoded_bytes)


def _pieces(stream: BinaryIO, source: str, limits: Limits) -> Iterator[bytes]:
    inflater = Inflater(("gzip",), limit=limits.decoded_bytes)
    try:
        while data := stream.read(_HEAD_BYTES):
            yield from inflater.feed(data)
    except TooLargeError as error:
        problem = f"is larger than {megabytes(limits.decoded_bytes)} once decompressed; raise decoded_bytes to read it."
        raise LimitError(source, problem, limit="decoded_bytes") from error
    except DamagedStreamError as error:
        raise UnreadableError(source, "is damaged: its gzip data cannot be unpacked.") from error
    if not inflater.complete:
        raise UnreadableError(source, "is cut short: its gzip data has no end.")


_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (FileNotFoundError, "there is no such file; check the path."),
    (IsADirectoryError, "is a folder, not a file."),
    (PermissionError, "may not be read; change its permissions or your user."),
)


def unreachable(path: str, error: Exception) -> UnreachableError:
    """Translate the operating system's errors, in this place only."""
    reason = next((text for kind, text in _REASONS if isinstance(error, kind)), None)
    detail = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return UnreachableError(path, reason or f"cannot be opened ({detail}).")


# -- reads MHTML: a page saved with its parts in a single file, as written by Chromium, Word and others -------------

_MAX_PARTS = 10_000  # ten times what one page may load


@dataclass(frozen=True)
class Mhtml:
    """The page itself, and its parts by URL and by `cid:` address."""

    document: Document
    resources: dict[str, Document]


def read_mhtml(document: Document) -> Mhtml:
    """Split an MHTML document into its parts; UnreadableError if it contains no page."""
    message = message_from_bytes(document.content, policy=policy.compat32)
    parts = list(_parts(message, document))
    if len(parts) > _MAX_PARTS:
        raise UnreadableError(document.source, f"has more than {_MAX_PARTS:,} parts.")
    main = _main(message, parts)
    if main is None:
        raise UnreadableError(document.source, "is MHTML without an HTML part; save the page again.")
    url = _location(message, "Snapshot-Content-Location") or main.url or document.url
    page = replace(main, source=document.source, url=url, status=document.status, notes=document.notes)
    return Mhtml(page, {address: part for part, addresses in parts for address in addresses})


def _parts(message: Message, document: Document) -> Iterator[tuple[Document, list[str]]]:
    """Yield every part that is not a container, with the addresses that pages use for it."""
    for part in message.walk():
        if part.is_multipart():
            continue
        payload = part.get_payload(decode=True)
        content = payload if isinstance(payload, bytes) else b""
        location = _location(part, "Content-Location")
        identifier = _location(part, "Content-ID").strip("<>")
        charset = part.get_param("charset")
        yield (
            Document(
                source=document.source,
                url=location or (f"cid:{identifier}" if identifier else ""),
                content=content,
                media_type=part.get_content_type(),
                charset=charset if isinstance(charset, str) else None,
            ),
            [address for address in (location, f"cid:{identifier}" if identifier else "") if address],
        )


def _main(message: Message, parts: list[tuple[Document, list[str]]]) -> Document | None:
    """Choose the part that the file names as its start, else the first HTML part."""
    start = message.get_param("start")
    wanted = {_location(message, "Snapshot-Content-Location")}
    if isinstance(start, str):
        wanted.add(f"cid:{start.strip('<>')}")
    pages = [(part, names) for part, names in parts if part.media_type in ("text/html", "application/xhtml+xml")]
    named = (part for part, names in pages if wanted.intersection(names))
    return next(named, pages[0][0] if pages else None)


def _location(part: Message, header: str) -> str:
    """Read an address that mail programs fold over several lines."""
    return "".join(str(part.get(header, "")).split())


# -- expands what the user typed into single sources ----------------------------------------------------------------

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
        return map(_named_source, expand_one(source))

    for source in sources:
        if source == "-":
            yield from _standard_input(stdin or sys.stdin.buffer, limits or Limits(), single)
        else:
            yield from single(source)


def _named_source(single: str | SourceError) -> str | SourceError:
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
